"""Https: only certificates in the one file that a person named are believed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.loopback.conftest import Certificate, Serve
from tests.loopback.servers import JSON, drip

from quoth.errors import EndpointError, ServerAnswerError, ServerTimeoutError
from quoth.loopback import Answer, LoopbackClient, LoopbackUrl


def a_client(
    url: str, ca_file: Path | None = None, *, timeout_s: float = 5
) -> LoopbackClient:
    return LoopbackClient(
        LoopbackUrl.parse(url), timeout_s=timeout_s, most_bytes=1000, ca_file=ca_file
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_in_the_named_file_is_believed(
    serve: Serve, certificate: Certificate, host: str
) -> None:
    server = serve(context=certificate.context)
    client = a_client(server.url(host, scheme="https"), certificate.file)

    assert client.post("/a", b"{}") == Answer(200, JSON)


def test_a_certificate_for_another_name_is_refused(
    serve: Serve, certificate: Certificate
) -> None:
    server = serve(context=certificate.context)
    # Connected to where the server is, so that it needs no second address.
    client = a_client(server.url(scheme="https"), certificate.file)
    client.url = LoopbackUrl(scheme="https", host="127.0.0.2", port=server.port)

    with pytest.raises(ServerAnswerError, match="its certificate is not vouched for"):
        client.get("/a")

    assert server.requests == []


def test_without_a_named_file_no_certificate_is_believed(
    serve: Serve, certificate: Certificate
) -> None:
    server = serve(context=certificate.context)

    with pytest.raises(ServerAnswerError, match="its certificate is not vouched for"):
        a_client(server.url(scheme="https")).get("/a")

    assert server.requests == []


def test_a_server_without_tls_is_told_apart(
    serve: Serve, certificate: Certificate
) -> None:
    server = serve(b"HTTP/1.1 400 Bad Request\r\n\r\n", reads=False)

    with pytest.raises(ServerAnswerError, match=r"(doesn't speak TLS|broke off)"):
        a_client(server.url(scheme="https"), certificate.file).get("/a")


def test_a_handshake_without_end_is_given_up(
    serve: Serve, certificate: Certificate
) -> None:
    record = b"\x16\x03\x03\x40\x00"
    server = serve(drip(record, iter(lambda: b"x", b"")), reads=False)
    client = a_client(server.url(scheme="https"), certificate.file, timeout_s=0.2)

    with pytest.raises(ServerTimeoutError):
        client.get("/a")


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_named_file_that_cannot_be_used_is_refused(
    tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)

    with pytest.raises(EndpointError, match="file of certificates can't be read"):
        a_client("https://localhost:1", file)


def test_a_named_file_is_for_https(tmp_path: Path) -> None:
    with pytest.raises(EndpointError, match="a file of certificates is for https"):
        a_client("http://localhost:1", tmp_path / "ca.pem")
