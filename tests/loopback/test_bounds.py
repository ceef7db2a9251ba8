"""Servers that are slow, endless or wrong: each is given up, by an error of its own."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.loopback.conftest import Serve
from tests.loopback.servers import OK, Script, answer, drip

from quoth.errors import ServerAnswerError, ServerTimeoutError
from quoth.loopback import Answer, LoopbackClient, LoopbackUrl

MOST_BYTES = 100_000
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def silent(_connection: socket.socket, over: threading.Event) -> None:
    over.wait(5)


SLOW: dict[str, Script] = {
    "no answer": silent,
    "body": drip(HEAD + b"\r\n", itertools.repeat(b"x")),
    "known length": drip(HEAD + b"Content-Length: 500\r\n\r\n", itertools.repeat(b"x")),
    "chunks": drip(CHUNKED, itertools.repeat(b"1\r\nx\r\n")),
    "chunk size": drip(CHUNKED, itertools.repeat(b"0")),
    "headers": drip(HEAD, (b"X-%d: 1\r\n" % each for each in itertools.count())),
    "one header": drip(HEAD + b"X: ", itertools.repeat(b"y")),
    "status": drip(b"HTTP/1.1 200 ", itertools.repeat(b"O")),
    "interim": drip(b"", itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n")),
}
ENDLESS: dict[str, Script] = {
    "body": drip(HEAD + b"\r\n", itertools.repeat(bytes(9999)), every_s=0),
    "chunks": drip(CHUNKED, itertools.repeat(b"1\r\nx\r\n"), every_s=0),
    "chunk of -1": drip(CHUNKED + b"-1\r\n", itertools.repeat(bytes(9999)), every_s=0),
    "trailer": drip(CHUNKED + b"0\r\n", itertools.repeat(b"X: y\r\n" * 99), every_s=0),
    "interim": drip(
        b"", itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 99), every_s=0
    ),
}
LONGER = {
    "said so": answer(body=bytes(MOST_BYTES + 1)),
    "not said": HEAD + b"\r\n" + bytes(MOST_BYTES + 1),
    "in chunks": CHUNKED + b"186a1\r\n" + bytes(100_001) + b"\r\n0\r\n\r\n",
}
BROKEN = {
    "nothing at all": b"",
    "half a status": b"HTTP/1.",
    "a status alone": HEAD,
    "half a header": HEAD + b"Content-Ty",
    "no end of the headers": HEAD + b"Content-Type: application/json\r\n",
    "short body": HEAD + b"Content-Length: 99\r\n\r\nshort",
    "no body": HEAD + b"Content-Length: 99\r\n\r\n",
    "short chunk": CHUNKED + b"9\r\nshort",
    "no last chunk": CHUNKED + b"5\r\nshort\r\n",
    "bad chunk": CHUNKED + b"zz\r\n",
}
NO_HTTP = {
    "garbage": b"garbage\r\n\r\n",
    "another version": b"HTTP/2.0 200 OK\r\n\r\n",
    "bad status": b"HTTP/1.1 20x OK\r\n\r\n",
    "status out of range": b"HTTP/1.1 99 OK\r\n\r\n",
    "200 headers": HEAD + b"X: y\r\n" * 200 + b"\r\n",
    "a header of 70 kB": HEAD + b"X: " + b"y" * 70_000 + b"\r\n\r\n",
    "a status of 70 kB": b"HTTP/1.1 200 " + b"y" * 70_000 + b"\r\n\r\n",
    "a chunk of -5": CHUNKED + b"-5\r\nshort\r\n0\r\n\r\n",
}
ENCODED = {
    "content": answer(200, "Content-Encoding: gzip"),
    "content twice": answer(200, "Content-Encoding: identity, br"),
    "transfer": answer(200, "Transfer-Encoding: gzip, chunked"),
}


def a_client(url: str, *, timeout_s: float = 5) -> LoopbackClient:
    return LoopbackClient(
        LoopbackUrl.parse(url), timeout_s=timeout_s, most_bytes=MOST_BYTES
    )


@contextmanager
def within(seconds: float) -> Iterator[None]:
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < seconds


@pytest.mark.parametrize("script", SLOW.values(), ids=SLOW)
def test_a_slow_server_is_given_up_when_the_time_is_over(
    serve: Serve, script: Script
) -> None:
    server = serve(script)

    with within(2), pytest.raises(ServerTimeoutError) as error:
        a_client(server.url(), timeout_s=0.2).post("/a", b"{}")

    assert str(error.value) == (
        f"The server at {server.url()} was given up after 0.2 seconds."
    )
    assert server.connections == 1


def test_a_server_that_takes_no_body_is_given_up(serve: Serve) -> None:
    server = serve(silent, reads=False)

    with within(2), pytest.raises(ServerTimeoutError):
        a_client(server.url(), timeout_s=0.2).post("/a", bytes(32 << 20))


def test_a_server_that_accepts_nobody_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        client = a_client(f"http://127.0.0.1:{port}", timeout_s=0.1)

        # Some of these wait for an answer, and the rest for their connection.
        for _ in range(4):
            with within(2), pytest.raises(ServerTimeoutError):
                client.get("/a")


def test_no_time_at_all_is_over_at_once(serve: Serve) -> None:
    server = serve()

    with pytest.raises(ServerTimeoutError):
        a_client(server.url(), timeout_s=0).get("/a")

    assert server.connections == 0


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_answer_is_not_waited_for(serve: Serve, script: Script) -> None:
    server = serve(script)

    with within(4), pytest.raises(ServerAnswerError):
        a_client(server.url()).get("/a")

    assert server.connections == 1


@pytest.mark.parametrize("raw", LONGER.values(), ids=LONGER)
def test_an_answer_that_is_longer_than_it_may_be_is_refused(
    serve: Serve, raw: bytes
) -> None:
    server = serve(raw)

    with pytest.raises(ServerAnswerError, match="is longer than 100000 bytes"):
        a_client(server.url()).get("/a")


def test_an_answer_that_is_as_long_as_it_may_be_is_whole(serve: Serve) -> None:
    server = serve(answer(body=bytes(MOST_BYTES)))

    assert a_client(server.url()).get("/a") == Answer(200, bytes(MOST_BYTES))


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_an_answer_that_is_not_whole_is_none(serve: Serve, raw: bytes) -> None:
    server = serve(raw)

    with pytest.raises(ServerAnswerError, match=r"(broke off|no proper HTTP)"):
        a_client(server.url()).get("/a")

    assert server.connections == 1


@pytest.mark.parametrize("raw", NO_HTTP.values(), ids=NO_HTTP)
def test_what_is_no_http_is_no_answer(serve: Serve, raw: bytes) -> None:
    server = serve(raw)

    with pytest.raises(ServerAnswerError, match="its answer is no proper HTTP"):
        a_client(server.url()).get("/a")

    assert server.connections == 1


@pytest.mark.parametrize("raw", ENCODED.values(), ids=ENCODED)
def test_an_encoded_answer_is_refused(serve: Serve, raw: bytes) -> None:
    server = serve(raw)

    with pytest.raises(ServerAnswerError, match="its answer is encoded"):
        a_client(server.url()).get("/a")


@pytest.mark.parametrize("status", [101, 102, 103])
def test_a_server_that_wants_another_protocol_is_refused(
    serve: Serve, status: int
) -> None:
    server = serve(answer(status, "Upgrade: websocket"))

    with pytest.raises(ServerAnswerError, match=rf"another protocol \({status}\)"):
        a_client(server.url()).get("/a")


def test_after_an_answer_that_is_none_the_next_one_counts(serve: Serve) -> None:
    answers = iter([b"garbage\r\n\r\n", OK])
    server = serve(lambda connection, _over: connection.sendall(next(answers)))
    client = a_client(server.url())

    with pytest.raises(ServerAnswerError):
        client.get("/a")

    assert client.get("/a").status == 200
