"""Servers that are gone when a test is over, and a client of them."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import pytest
from tests.loopback.servers import OK, Script, Server

Serve = Callable[..., Server]


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What a server shows that believes in itself, for localhost and 127.0.0.1."""

    file: Path
    context: ssl.SSLContext


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that starts a server."""
    servers: list[Server] = []

    def start(
        say: bytes | Script = OK,
        *,
        reads: bool = True,
        context: ssl.SSLContext | None = None,
    ) -> Server:
        servers.append(Server(say, reads=reads, context=context))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def canary(serve: Serve) -> Server:
    """Return a server that nobody may ask anything."""
    return serve()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Return a port where nothing listens, and nothing will."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Return a certificate made just now, which no system knows."""
    if which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("certificate")
    key, file = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-days", "2"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-keyout", key, "-out", file, "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    return Certificate(file=file, context=context)
