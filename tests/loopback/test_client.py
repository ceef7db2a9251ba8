"""What a request says, and what counts as an answer."""

from __future__ import annotations

import socket
import threading

import pytest
from tests.loopback.conftest import Serve
from tests.loopback.servers import JSON, Request, answer

from quoth.errors import ServerAnswerError, ServerUnreachableError
from quoth.loopback import Answer, LoopbackClient, LoopbackUrl


def a_client(url: str, *, most_bytes: int = 1000) -> LoopbackClient:
    return LoopbackClient(LoopbackUrl.parse(url), timeout_s=5, most_bytes=most_bytes)


def test_a_post_says_this_and_nothing_else(serve: Serve) -> None:
    server = serve()

    a_client(f"{server.url()}/v1/").post("/api/embed", b'{"a": 1}')

    assert server.requests == [
        Request(
            method="POST",
            path="/v1/api/embed",
            headers={
                "Host": f"127.0.0.1:{server.port}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Connection": "close",
                "Content-Type": "application/json",
                "Content-Length": "8",
            },
            body=b'{"a": 1}',
        )
    ]


def test_a_get_says_this_and_nothing_else(serve: Serve) -> None:
    server = serve()

    a_client(server.url("localhost")).get("/api/tags")

    assert server.requests == [
        Request(
            method="GET",
            path="/api/tags",
            headers={
                "Host": f"localhost:{server.port}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Connection": "close",
            },
            body=b"",
        )
    ]


def test_an_empty_body_is_sent_as_one(serve: Serve) -> None:
    server = serve()

    a_client(server.url()).post("/a", b"")

    (request,) = server.requests
    assert (request.method, request.headers["Content-Length"]) == ("POST", "0")


def test_a_long_body_arrives_whole(serve: Serve) -> None:
    server = serve()
    body = bytes(range(256)) * 8192

    a_client(server.url()).post("/a", body)

    assert [request.body == body for request in server.requests] == [True]


@pytest.mark.parametrize(
    "path",
    [
        "http://127.0.0.1/",
        "//evil",
        "/a b",
        "/a\r\nX: y",
        "/a\n",
        "/../x",
        "/..",
        "/./a",
        "a",
        "/a/",
        "/a?b",
        "/a#b",
        "/%2e",
        "/",
        "",
        "/\u0430",
        "/a\\b",
    ],
    ids=ascii,
)
def test_a_path_that_is_none_is_not_asked_for(serve: Serve, path: str) -> None:
    server = serve()
    client = a_client(server.url())

    with pytest.raises(ValueError, match="not a path below an endpoint"):
        client.get(path)

    assert server.connections == 0


@pytest.mark.parametrize("status", [200, 201, 206, 400, 401, 404, 407, 413, 500, 503])
def test_an_error_of_the_server_is_an_answer(serve: Serve, status: int) -> None:
    server = serve(answer(status, "WWW-Authenticate: Basic realm=x", "Location: /b"))

    assert a_client(server.url()).post("/a", b"{}") == Answer(status, JSON)

    assert server.connections == 1


def test_an_answer_without_content_is_empty(serve: Serve) -> None:
    server = serve(b"HTTP/1.1 204 No Content\r\n\r\n")

    assert a_client(server.url()).get("/a") == Answer(204, b"")


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.0 200 OK\r\n\r\n" + JSON,
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + JSON,
        answer(200, "Content-Encoding: Identity"),
        answer(
            200,
            "Transfer-Encoding: Chunked",
            body=b'3\r\n{"o\r\n5;x=y\r\nk": 1\r\n1\r\n}\r\n0\r\n\r\n',
        ),
        answer(200, "Content-Length: many"),
    ],
    ids=["1.0", "100 first", "identity", "chunked", "no number"],
)
def test_an_answer_may_be_told_in_any_of_these_ways(serve: Serve, raw: bytes) -> None:
    server = serve(raw)

    answered = a_client(server.url()).get("/a")

    assert answered == Answer(200, JSON)


def test_an_answer_is_shown_without_its_body() -> None:
    assert repr(Answer(200, b"zanzibarquokka")) == "Answer(status=200)"


def test_an_answer_given_before_the_body_was_read_is_heard(serve: Serve) -> None:
    def refuse(connection: socket.socket, _over: threading.Event) -> None:
        connection.recv(1)
        connection.sendall(answer(413))  # then hangs up, with most of it unread

    server = serve(refuse, reads=False)

    answered = a_client(server.url()).post("/a", bytes(32 << 20))

    assert answered == Answer(413, JSON)


def test_nothing_listens(silent_port: int) -> None:
    client = a_client(f"http://127.0.0.1:{silent_port}/secret-path")

    with pytest.raises(ServerUnreachableError) as error:
        client.get("/a")

    assert str(error.value) == (
        f"No server can be reached at http://127.0.0.1:{silent_port}:"
        " connection refused."
    )
    assert error.value.hint == "Start the server, or correct the endpoint."


def test_what_a_server_says_is_not_in_the_error(serve: Serve) -> None:
    server = serve(b"zanzibarquokka\r\n\r\n")

    with pytest.raises(ServerAnswerError) as error:
        a_client(server.url()).get("/a")

    assert "zanzibarquokka" not in f"{error.value!r}{error.value.hint}"
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__


def test_threads_may_share_a_client(serve: Serve) -> None:
    server = serve()
    client = a_client(server.url())
    answers: list[Answer] = []
    threads = [
        threading.Thread(target=lambda: answers.append(client.post("/a", b"{}")))
        for _ in range(8)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [Answer(200, JSON)] * 8
    assert server.connections == 8
