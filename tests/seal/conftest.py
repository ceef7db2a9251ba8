"""Something that listens on this machine, and counts who comes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread

import pytest

from quoth.seal import holds_to_port


@dataclass
class Canary:
    """Answers every connection with a short HTTP answer, and counts it."""

    port: int = 0
    met: int = 0


@pytest.fixture
def canary() -> Iterator[Canary]:
    found = Canary()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found.port = listening.getsockname()[1]
        thread = Thread(target=_answer_all, args=(listening, found))
        thread.start()
        yield found
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def _answer_all(listening: socket.socket, canary: Canary) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            canary.met += 1
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture(scope="session")
def knows_ports() -> bool:
    """Say whether this kernel can hold a process to one port."""
    return holds_to_port()
