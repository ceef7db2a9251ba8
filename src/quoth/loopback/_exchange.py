"""One request and its answer, on a connection of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPException, HTTPResponse, IncompleteRead
from socket import socket
from ssl import SSLCertVerificationError, SSLContext, SSLError

from quoth.errors import ServerAnswerError, ServerTimeoutError, ServerUnreachableError

from ._addresses import Addresses
from ._answer import Answer, BadAnswerError
from ._connection import connect
from ._deadline import Deadline
from ._url import LoopbackUrl
from ._wire import Wire

__all__ = ["exchange"]

_PIECE = 1 << 16

_FRAMING = 1 << 20
"""Bytes that may come beside a body and the lengths of its chunks: the headers."""


def exchange(
    url: LoopbackUrl,
    request: bytes,
    *,
    addresses: Addresses,
    context: SSLContext | None,
    timeout_s: float,
    most_bytes: int,
) -> Answer:
    """Send *request* and return what comes back.

    Raises:
        EndpointError: The endpoint turned out not to be on this machine.
        ServerError: Nothing listens there, it took too long, or what came is no answer.
    """
    deadline = Deadline(timeout_s)
    with _told(url, timeout_s=timeout_s):
        connection = _reached(url, addresses, deadline=deadline)
        if context is not None:
            connection = _secured(url, connection, context, deadline=deadline)
        with closing(connection):
            # A body may come in chunks of a few bytes, each with its length.
            most_raw = _FRAMING + 2 * most_bytes
            wire = Wire(connection, deadline=deadline, most_bytes=most_raw)
            with suppress(BrokenPipeError, ConnectionResetError):
                wire.send(request)  # it may refuse a body by an answer, then hang up
            with closing(HTTPResponse(wire)) as response:  # type: ignore[arg-type]  # all of a socket it uses is `makefile`
                response.begin()
                if wire.is_over:
                    raise BadAnswerError("its answer broke off")
                check_status(response)
                _check_encoding(response)
                return Answer(response.status, _body(response, most_bytes=most_bytes))


def check_status(response: HTTPResponse) -> None:
    """Do nothing, unless the answer sends whoever asked elsewhere, or is none yet.

    Raises:
        BadAnswerError: It does.
    """
    if 300 <= response.status < 400:
        raise BadAnswerError(f"it redirects ({response.status}), which is not followed")
    if response.status < 200:
        raise BadAnswerError(f"it wants another protocol ({response.status})")


def _check_encoding(response: HTTPResponse) -> None:
    content = response.getheader("Content-Encoding", "identity")
    transfer = response.getheader("Transfer-Encoding", "chunked")
    if (content.strip().lower(), transfer.strip().lower()) != ("identity", "chunked"):
        raise BadAnswerError("its answer is encoded, which was not asked for")


def _body(response: HTTPResponse, *, most_bytes: int) -> bytes:
    pieces: list[bytes] = []
    room = most_bytes
    while piece := response.read(_PIECE):
        room -= len(piece)
        if room < 0:
            raise BadAnswerError(f"its answer is longer than {most_bytes} bytes")
        pieces.append(piece)
    if response.length:  # `read` with a size returns what there is of a short body
        raise BadAnswerError("its answer broke off")
    return b"".join(pieces)


def _reached(url: LoopbackUrl, addresses: Addresses, *, deadline: Deadline) -> socket:
    try:
        return connect(addresses, deadline=deadline)
    except TimeoutError:
        raise
    except OSError as error:
        why = str(error.strerror).lower()
        raise ServerUnreachableError(url.origin, why=why) from error


def _secured(
    url: LoopbackUrl, connection: socket, context: SSLContext, *, deadline: Deadline
) -> socket:
    try:
        connection.settimeout(deadline.left())
        return context.wrap_socket(connection, server_hostname=url.host)
    except BaseException:
        connection.close()
        raise


@contextmanager
def _told(url: LoopbackUrl, *, timeout_s: float) -> Iterator[None]:
    """Turn what can go wrong into a `ServerError`, and drop what the server said."""
    try:
        yield
    except TimeoutError as error:
        raise ServerTimeoutError(url.origin, seconds=timeout_s) from error
    except BadAnswerError as error:
        raise ServerAnswerError(url.origin, why=str(error)) from None
    except (SSLError, HTTPException, OSError, ValueError) as error:
        raise ServerAnswerError(url.origin, why=_why(error)) from None


def _why(error: Exception) -> str:
    match error:
        case SSLCertVerificationError():
            return "its certificate is not vouched for by the file that was named"
        case SSLError():
            return "it doesn't speak TLS as it should"
        case IncompleteRead() | OSError():
            return "its answer broke off"
        case _:
            return "its answer is no proper HTTP"
