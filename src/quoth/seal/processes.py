"""Small processes that ask a server on this machine, so that no other has to connect.

Each is forked before its parent is sealed, is told one endpoint, and may from then on
reach that one port alone. What it is sent it passes on, and the answer back.

One may outlive its parent by a request: a server that loads a model for a question
would give that up with the connection, at every question. It ends with that request.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import F_DUPFD_CLOEXEC, fcntl
from threading import Lock
from typing import Any, Final

from quoth.errors import (
    EndpointError,
    QuothError,
    ServerAnswerError,
    ServerTimeoutError,
    ServerUnreachableError,
)
from quoth.loopback import Answer, Asker, LoopbackClient, LoopbackUrl

from ._frames import FrameReader, write_frame

__all__ = ["ModelProcess", "ModelProcesses"]

_PATIENCE_S: Final = 120.0
_MOST_BYTES: Final = 64 << 20
_START_S: Final = 5.0

_ERRORS: Final = {
    each.__name__: each
    for each in (
        EndpointError,
        ServerAnswerError,
        ServerTimeoutError,
        ServerUnreachableError,
    )
}


class ModelProcesses:
    """The processes that were forked in time, one for each server that may be asked."""

    def __init__(self, idle: list[ModelProcess]) -> None:
        self._idle = idle
        self._asking: dict[LoopbackUrl, Asker] = {}

    @classmethod
    def start(cls, count: int = 2) -> ModelProcesses:
        """Fork: the embedder that serves and the one chosen may be two servers.

        Before anything is sealed, and before any thread is started.
        """
        return cls([ModelProcess.start() for _ in range(count)])

    def connect(self, url: LoopbackUrl) -> Asker:
        """Return what asks the server at *url*; the same one each time.

        Raises:
            EndpointError: It is not on this machine, or one too many.
        """
        if url not in self._asking:
            if not self._idle:
                raise EndpointError("this process asks other servers already")
            process = self._idle.pop()
            process.tell(url)
            self._asking[url] = process
        return self._asking[url]


@dataclass(eq=False)
class ModelProcess:
    """One such process, as its parent sees it."""

    process: int
    requests: int
    answers: FrameReader
    _url: LoopbackUrl | None = None
    _lock: Lock = field(default_factory=Lock)
    _owed: int = 0
    """Answers to questions that were given up, which come before the next."""

    @classmethod
    def start(cls) -> ModelProcess:
        """Fork it. It waits for its endpoint."""
        requests_from, requests_to = _pipe()
        answers_from, answers_to = _pipe()
        process = os.fork()
        if process == 0:  # pragma: no cover - another process, which ends in there
            _live(requests_from, answers_to)
        os.close(requests_from)
        os.close(answers_to)
        return cls(process, requests_to, FrameReader(answers_from))

    def tell(self, url: LoopbackUrl) -> None:
        """Tell it which server to ask, once; it can reach no other afterwards.

        Raises:
            EndpointError: That is not on this machine.
        """
        self._url = url
        self._exchange({"endpoint": str(url)}, b"", _START_S)

    def get(self, path: str, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a GET of *path* below the endpoint."""
        return self._asked({"path": path, "has_body": False}, b"", timeout_s)

    def post(self, path: str, body: bytes, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a POST of JSON to *path* below the endpoint."""
        return self._asked({"path": path, "has_body": True}, body, timeout_s)

    def _asked(
        self, about: Mapping[str, Any], body: bytes, timeout_s: float | None
    ) -> Answer:
        patience = max(timeout_s or 0.0, _PATIENCE_S)
        about = {**about, "timeout_s": patience}
        waits_s = patience + _START_S if timeout_s is None else timeout_s
        answered, content = self._exchange(about, body, waits_s)
        return Answer(status=answered["status"], body=content)

    def _exchange(
        self, about: Mapping[str, Any], body: bytes, within_s: float
    ) -> tuple[Mapping[str, Any], bytes]:
        origin = self._url.origin if self._url else ""
        with self._lock:
            try:
                end = time.monotonic() + within_s
                while self._owed:
                    self._next(end)
                    self._owed -= 1
                write_frame(self.requests, about, body)
                self._owed += 1
                answered, content = self._next(end)
                self._owed -= 1
            except TimeoutError as error:
                raise ServerTimeoutError(origin, seconds=within_s) from error
            except (EOFError, OSError) as error:
                with suppress(ChildProcessError):
                    os.waitpid(self.process, os.WNOHANG)
                why = "the process that asks it has ended"
                raise ServerUnreachableError(origin, why=why) from error
        if "error" in answered:
            raise _made_again(answered)
        return answered, content

    def _next(self, end: float) -> tuple[Mapping[str, Any], bytes]:
        found = self.answers.next(within_s=max(end - time.monotonic(), 0.0))
        if found is None:
            raise EOFError
        return found


def _pipe() -> tuple[int, int]:
    """Return both ends of a pipe, none of them where a standard stream was closed."""
    ends = os.pipe()
    reading, writing = (fcntl(each, F_DUPFD_CLOEXEC, 3) for each in ends)
    for each in ends:
        os.close(each)
    return reading, writing


def _made_again(told: Mapping[str, Any]) -> QuothError:
    """Return the error that the other process had, with the same sentences."""
    kind = _ERRORS.get(told["error"], ServerAnswerError)
    error = kind.__new__(kind)
    QuothError.__init__(error, told["says"], hint=told["hint"])
    return error


def _live(requests: int, answers: int) -> None:  # pragma: no cover - in the child
    """Serve the parent, and end: never return into what the parent was doing."""
    try:
        _let_go_of_all_but(requests, answers)
        _serve(FrameReader(requests), answers)
    finally:
        os._exit(0)


def _let_go_of_all_but(*kept: int) -> None:  # pragma: no cover - in the child
    # Ctrl-C goes to every process of a terminal; this one ends when its parent does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    first = 3
    for each in sorted(kept):
        os.closerange(first, each)
        first = each + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _serve(requests: FrameReader, answers: int) -> None:  # pragma: no cover - as above
    client: LoopbackClient | None = None
    while (frame := requests.next()) is not None:
        about, body = frame
        try:
            if client is None:
                client = _sealed_client(about["endpoint"])
                write_frame(answers, {})
                continue
            answer = _answered(client, about, body)
            write_frame(answers, {"status": answer.status}, answer.body)
        except QuothError as error:
            told = {"says": str(error), "hint": error.hint}
            write_frame(answers, {"error": type(error).__name__, **told})


def _answered(
    client: LoopbackClient, about: Mapping[str, Any], body: bytes
) -> Answer:  # pragma: no cover - in the child
    path, timeout_s = about["path"], about["timeout_s"]
    if about["has_body"]:
        return client.post(path, body, timeout_s=timeout_s)
    return client.get(path, timeout_s=timeout_s)


def _sealed_client(endpoint: str) -> LoopbackClient:  # pragma: no cover - in the child
    """Return a client of the one server that this process can reach from now on."""
    from ._audit import allow_only_loopback
    from ._bpf import loopback_program
    from ._kernel import KernelError, filter_system_calls, only_port

    url = LoopbackUrl.parse(endpoint)
    client = LoopbackClient(url, timeout_s=_PATIENCE_S, most_bytes=_MOST_BYTES)
    allow_only_loopback()
    with suppress(KernelError):
        only_port(url.port)
    with suppress(KernelError):
        filter_system_calls(loopback_program)
    return client
