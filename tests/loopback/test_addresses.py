"""Where an endpoint is: looked up once, and only on this machine."""

from __future__ import annotations

import socket

import pytest
from tests.loopback.conftest import Serve
from tests.loopback.lookups import LookUps, answering
from tests.loopback.servers import JSON

from quoth.errors import EndpointError
from quoth.loopback import Answer, LoopbackClient, LoopbackUrl, _addresses


def a_client(url: str) -> LoopbackClient:
    return LoopbackClient(LoopbackUrl.parse(url), timeout_s=5, most_bytes=1000)


@pytest.fixture
def look_ups(monkeypatch: pytest.MonkeyPatch) -> LookUps:
    """Return the look-ups that are made instead of asking the system."""
    look_ups = LookUps()
    monkeypatch.setattr(_addresses, "getaddrinfo", look_ups)
    return look_ups


@pytest.mark.parametrize(
    "hosts",
    [
        ["127.0.0.1", "192.0.2.1"],
        ["192.0.2.1", "127.0.0.1"],
        ["10.0.0.1", "127.0.0.1"],
        ["::1", "2001:db8::1"],
        ["127.0.0.1", "::ffff:192.0.2.1"],
        ["192.0.2.1"],
        ["0.0.0.0"],  # noqa: S104  a look-up may say so
        ["::"],
        ["fe80::1"],
        ["fe80::1%lo"],
        ["::1%lo"],
        ["64:ff9b::7f00:1"],
        ["no address at all"],
        [],
    ],
    ids=",".join,
)
def test_a_name_that_is_not_only_this_machine_is_refused_whole(
    look_ups: LookUps, hosts: list[str]
) -> None:
    look_ups.answers.append(answering(*hosts))

    with pytest.raises(EndpointError):
        a_client("http://localhost:1")


def test_an_address_of_another_kind_is_refused(look_ups: LookUps) -> None:
    path = (socket.AF_UNIX, socket.SOCK_STREAM, 0, "", ("127.0.0.1",))
    look_ups.answers.append([path])

    with pytest.raises(EndpointError):
        a_client("http://localhost:1")


def test_a_name_without_an_address_is_refused(look_ups: LookUps) -> None:
    look_ups.answers.append(socket.gaierror("not known"))

    with pytest.raises(EndpointError, match="localhost has no address here"):
        a_client("http://localhost:1")


@pytest.mark.parametrize(
    ("host", "flags"),
    [
        ("localhost", 0),
        ("127.0.0.1", socket.AI_NUMERICHOST),
        ("[::1]", socket.AI_NUMERICHOST),
    ],
)
def test_only_a_name_may_be_looked_up_elsewhere(
    look_ups: LookUps, host: str, flags: int
) -> None:
    look_ups.answers.append(answering("127.0.0.1"))

    a_client(f"http://{host}:1")

    assert look_ups.asked == [(host.strip("[]"), 1, flags)]


def test_an_address_found_twice_is_tried_once(look_ups: LookUps) -> None:
    look_ups.answers.append(answering("::1", "127.0.0.1", "::1", port=7))

    addresses = _addresses.Addresses.of(LoopbackUrl.parse("http://localhost:7"))

    assert list(addresses) == [
        (socket.AF_INET6, ("::1", 7, 0, 0)),
        (socket.AF_INET, ("127.0.0.1", 7)),
    ]


def test_the_next_address_is_tried_where_nothing_listens(
    serve: Serve, look_ups: LookUps, silent_port: int
) -> None:
    server = serve()
    first = answering("127.0.0.1", port=silent_port)
    look_ups.answers.append([*first, *answering("127.0.0.1", port=server.port)])

    assert a_client("http://localhost:1").get("/a") == Answer(200, JSON)


def test_no_request_looks_anything_up(
    serve: Serve, look_ups: LookUps, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    look_ups.answers.append(answering("127.0.0.1", port=server.port))
    client = a_client("http://localhost:1")
    # Of the standard library itself: a client of its own making would ask there.
    monkeypatch.setattr(socket, "getaddrinfo", look_ups)

    answers = [client.post("/a", b"{}") for _ in range(5)]

    assert answers == [Answer(200, JSON)] * 5
    assert len(look_ups.asked) == 1
    assert server.connections == 5


def test_localhost_is_where_the_system_says(serve: Serve) -> None:
    server = serve()

    assert a_client(server.url("localhost")).get("/a") == Answer(200, JSON)
