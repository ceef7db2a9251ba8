"""What a request says. There is no other header, and no way to add one."""

from __future__ import annotations

import re

from ._url import PATH, LoopbackUrl

__all__ = ["request_of"]


def request_of(url: LoopbackUrl, path: str, body: bytes | None) -> bytes:
    """Return a GET, or a POST of *body*, as it goes over the wire.

    Raises:
        ValueError: *path* is no path below the endpoint.
    """
    if not re.fullmatch(f"{PATH}+", path):
        raise ValueError("not a path below an endpoint")
    method = "GET" if body is None else "POST"
    lines = [
        f"{method} {url.path}{path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers_of(url, body).items()),
        "\r\n",
    ]
    return "\r\n".join(lines).encode("ascii") + (body or b"")


def headers_of(url: LoopbackUrl, body: bytes | None) -> dict[str, str]:
    """Return all headers of a request; none tells who asks, or with what right."""
    headers = {
        "Host": url.authority,
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    if body is not None:
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = str(len(body))
    return headers
