"""Servers on this machine that say what a test tells them to, and count who asks."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

__all__ = ["JSON", "OK", "Request", "Script", "Server", "answer", "drip"]

JSON = b'{"ok": 1}'


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a server was asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Script = Callable[[socket.socket, threading.Event], None]
"""What a server does once it was asked; the event tells it that the test is over."""


def answer(status: int = 200, *headers: str, body: bytes = JSON) -> bytes:
    """Return a whole answer, with its length unless a header brings another."""
    given = [f"Content-Length: {len(body)}"]
    if any(each.startswith(("Content-Length", "Transfer")) for each in headers):
        given = []
    phrase = HTTPStatus(status).phrase
    lines = [f"HTTP/1.1 {status} {phrase}", *headers, *given, "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode() + body


OK = answer()


def drip(start: bytes, *pieces: Iterable[bytes], every_s: float = 0.02) -> Script:
    """Return a script that sends *start*, then piece after piece, each in time."""

    def run(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(start)
        for each in pieces:
            for piece in each:
                connection.sendall(piece)
                if every_s and over.wait(every_s):
                    return

    return run


class Server:
    """One listening socket and one thread, which serves one connection at a time."""

    def __init__(
        self,
        say: bytes | Script = OK,
        *,
        reads: bool = True,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._say = say
        self._reads = reads
        self._context = context
        self._over = threading.Event()
        self._last: object = None
        self._requests: list[Request] = []
        self._connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def url(self, host: str = "127.0.0.1", *, scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}"

    @property
    def requests(self) -> list[Request]:
        """What came until now; nothing comes any more."""
        self.close()
        return self._requests

    @property
    def connections(self) -> int:
        """How many connections came until now; none comes any more."""
        self.close()
        return self._connections

    def close(self) -> None:
        """Serve who is already waiting, then nobody."""
        if self._over.is_set():
            return
        self._over.set()
        # Connections are served in the order they came: after this one there is none.
        with socket.socket() as last:
            last.bind(("127.0.0.1", 0))
            self._last = last.getsockname()
            last.connect(("127.0.0.1", self.port))
            self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            connection, client = self._listener.accept()
            with connection:
                if client == self._last:
                    return
                self._connections += 1
                connection.settimeout(5)
                with suppress(OSError):  # the client hung up
                    self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        if self._context is not None:
            with self._context.wrap_socket(connection, server_side=True) as secured:
                self._answer(secured)
        else:
            self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        if self._reads and (request := _request(connection)) is not None:
            self._requests.append(request)
        if isinstance(self._say, bytes):
            connection.sendall(self._say)
        else:
            self._say(connection, self._over)


def _request(connection: socket.socket) -> Request | None:
    """Read one request; None when the other side says nothing."""
    with connection.makefile("rb") as incoming:
        line = incoming.readline().decode()
        if not line:
            return None
        fields = [each.decode().rstrip() for each in iter(incoming.readline, b"\r\n")]
        headers = dict(field.split(": ", 1) for field in fields)
        body = incoming.read(int(headers.get("Content-Length", "0")))
    method, path, _ = line.split()
    return Request(method=method, path=path, headers=headers, body=body)
