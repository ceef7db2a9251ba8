"""What a server answered, or why that is no answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["Answer", "Asker", "BadAnswerError"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a body. A status of 400 or more is an answer too: the body says why.

    Shown without the body, which may repeat what was sent.
    """

    status: int
    body: bytes = field(repr=False)


class Asker(Protocol):
    """Who asks one server on this machine: a client, or a process that has one.

    Both raise `ServerError` when there is no answer, and ValueError for a path that is
    not `/segment/...` of letters, digits and `._~-`.
    """

    def get(self, path: str, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a GET of *path* below the endpoint."""

    def post(self, path: str, body: bytes, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a POST of JSON to *path* below the endpoint."""


class BadAnswerError(Exception):
    """What came is refused; the text says why, and quotes none of it."""
