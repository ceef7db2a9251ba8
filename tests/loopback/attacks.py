"""Ways to make a client talk to somebody else, each with the layer that stops it.

An attack returns how often its canary was reached, which has to be never. To remove a
layer puts in its place what a client does that hasn't got it.
"""

from __future__ import annotations

import netrc
import os
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, build_opener

import pytest
from tests.loopback.conftest import Certificate, Serve
from tests.loopback.lookups import LookUps, answering
from tests.loopback.servers import Server, answer

from quoth.errors import QuothError
from quoth.loopback import (
    Answer,
    LoopbackClient,
    LoopbackUrl,
    _addresses,
    _connection,
    _exchange,
    _request,
    _tls,
    _url,
)

__all__ = ["ATTACKS", "Attack", "World"]

BODY = b'{"text": "zanzibarquokka"}'
PROXY_VARIABLES = ("HTTP", "HTTPS", "ALL", "FTP", "SOCKS", "WS")


@dataclass(frozen=True, kw_only=True)
class World:
    """What an attack and the removal of a layer may use."""

    serve: Serve
    canary: Server
    patch: pytest.MonkeyPatch
    folder: Path
    certificate: Callable[[], Certificate]


@dataclass(frozen=True, kw_only=True)
class Attack:
    """A try to reach the canary, and how to take away what stops it."""

    reach: Callable[[World], int]
    without_its_layer: Callable[[World], None]


def ask(url: str, ca_file: Path | None = None) -> None:
    """Send a text, if the client does."""
    with suppress(QuothError):
        endpoint = LoopbackUrl.parse(url)
        client = LoopbackClient(endpoint, timeout_s=5, most_bytes=1000, ca_file=ca_file)
        client.post("/api/embed", BODY)


def by_userinfo(world: World) -> int:
    ask(f"http://localhost:80@127.0.0.1:{world.canary.port}")
    return world.canary.connections


def split_instead(world: World) -> None:
    def parse(text: str) -> LoopbackUrl:
        assert text.startswith("http://localhost")
        parts = urlsplit(text)
        return LoopbackUrl(
            scheme=parts.scheme, host=str(parts.hostname), port=int(parts.port or 80)
        )

    world.patch.setattr(_url.LoopbackUrl, "parse", parse)


def by_a_wider_address(world: World) -> int:
    found = answering("0.0.0.0", port=world.canary.port)  # noqa: S104  leads to 127.0.0.1
    world.patch.setattr(_addresses, "getaddrinfo", LookUps(answers=[found]))
    ask("http://localhost")
    return world.canary.connections


def take_any_address(world: World) -> None:
    world.patch.setattr(_addresses, "is_loopback", lambda _: True)


def by_rebinding(world: World) -> int:
    server = world.serve()
    look_ups = LookUps(
        answers=[
            answering("127.0.0.1", port=server.port),
            answering("127.0.0.1", port=world.canary.port),
        ]
    )
    world.patch.setattr(_addresses, "getaddrinfo", look_ups)
    ask(server.url("localhost"))
    assert server.connections + world.canary.connections == 1
    return world.canary.connections


def look_up_again(world: World) -> None:
    def again(_: object) -> object:
        found = vars(_addresses)["getaddrinfo"]("localhost", 1)
        return iter([(family, address) for family, *_, address in found])

    world.patch.setattr(_addresses.Addresses, "__iter__", again)


class DivertedSocket(socket.socket):
    """One whose other end is not what it was connected to."""

    def getpeername(self) -> tuple[str, int]:
        """Return an address kept for documentation (RFC 5737)."""
        return ("192.0.2.1", 80)


def by_diversion(world: World) -> int:
    world.patch.setattr(_connection, "socket", DivertedSocket)
    ask(world.canary.url())
    return len(world.canary.requests)


def trust_the_connection(world: World) -> None:
    world.patch.setattr(_connection, "check_peer", lambda _: None)


def by_redirect(status: int) -> Callable[[World], int]:
    def reach(world: World) -> int:
        server = world.serve(answer(status, f"Location: {world.canary.url()}/x"))
        ask(server.url())
        assert server.connections == 1
        return world.canary.connections

    return reach


def follow(world: World) -> None:
    def check_status(response: HTTPResponse) -> None:
        if where := response.getheader("Location"):
            ask(where)

    world.patch.setattr(_exchange, "check_status", check_status)


def by_proxy(world: World) -> int:
    server = world.serve()
    for name in PROXY_VARIABLES:
        world.patch.setenv(f"{name}_PROXY", world.canary.url())
        world.patch.setenv(f"{name}_proxy".lower(), world.canary.url())
    for name in ("NO_PROXY", "no_proxy"):
        world.patch.setenv(name, "")
    ask(server.url())
    ask(server.url("localhost"))
    return world.canary.connections


def let_urllib_ask(world: World) -> None:
    def post(client: LoopbackClient, path: str, body: bytes) -> Answer:
        request = Request(f"{client.url}{path}", data=body)  # noqa: S310  an endpoint
        with build_opener().open(request, timeout=5) as answered:
            return Answer(answered.status, answered.read())

    world.patch.setattr(LoopbackClient, "post", post)


def by_netrc(world: World) -> int:
    """Count a password that a server is told; it is sent unasked."""
    file = world.folder / ".netrc"
    names = ("machine 127.0.0.1", "machine localhost", "default")
    file.write_text("".join(f"{name} login ada password quokka\n" for name in names))
    file.chmod(0o600)
    world.patch.setenv("NETRC", str(file))
    world.patch.setenv("HOME", str(world.folder))
    ask(world.canary.url())
    ask(world.canary.url("localhost"))
    requests = world.canary.requests
    assert len(requests) == 2
    return sum("Authorization" in request.headers for request in requests)


def add_what_netrc_says(world: World) -> None:
    fixed = _request.headers_of

    def headers_of(url: LoopbackUrl, body: bytes | None) -> dict[str, str]:
        known = netrc.netrc(os.environ["NETRC"]).authenticators(url.host)
        return {**fixed(url, body), "Authorization": f"Basic {known}"}

    world.patch.setattr(_request, "headers_of", headers_of)


def by_certificate(world: World) -> int:
    certificate = world.certificate()
    server = world.serve(context=certificate.context)
    world.patch.setenv("SSL_CERT_FILE", str(certificate.file))
    world.patch.setenv("SSL_CERT_DIR", str(certificate.file.parent))
    ask(server.url("localhost", scheme="https"))
    return len(server.requests)


def by_key_log(world: World) -> int:
    """Count the lines of a file with which whoever reads it reads along."""
    certificate = world.certificate()
    server = world.serve(context=certificate.context)
    log = world.folder / "keys"
    world.patch.setenv("SSLKEYLOGFILE", str(log))
    ask(server.url("localhost", scheme="https"), certificate.file)
    assert len(server.requests) == 1
    return len(log.read_text().splitlines()) if log.exists() else 0


def obey_the_environment(world: World) -> None:
    world.patch.setattr(_tls, "bare_context", ssl.create_default_context)


ATTACKS = {
    "grammar": Attack(reach=by_userinfo, without_its_layer=split_instead),
    "address check": Attack(
        reach=by_a_wider_address, without_its_layer=take_any_address
    ),
    "pin": Attack(reach=by_rebinding, without_its_layer=look_up_again),
    "peer check": Attack(reach=by_diversion, without_its_layer=trust_the_connection),
    **{
        f"redirect refusal, {status}": Attack(
            reach=by_redirect(status), without_its_layer=follow
        )
        for status in (300, 301, 302, 303, 304, 305, 307, 308)
    },
    "no proxy": Attack(reach=by_proxy, without_its_layer=let_urllib_ask),
    "fixed headers": Attack(reach=by_netrc, without_its_layer=add_what_netrc_says),
    "no environment of certificates": Attack(
        reach=by_certificate, without_its_layer=obey_the_environment
    ),
    "no log of keys": Attack(reach=by_key_log, without_its_layer=obey_the_environment),
}
