"""How one kind of server is asked, and how its answers are told apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from quoth.errors import ServerAnswerError, ServerBusyError
from quoth.loopback import Answer, Asker, LoopbackUrl
from quoth.model import EmbedderKind, FoundModel

__all__ = [
    "Dialect",
    "RejectedError",
    "Served",
    "TooLongError",
    "Vector",
    "complaint_of",
    "document_of",
    "refuse_failures",
]

Vector = Sequence[Any] | None
"""What stands where a vector should: numbers, if all is well."""


class TooLongError(Exception):
    """One of the texts is longer than the model can take."""


class RejectedError(Exception):
    """The server failed on one of the texts, it doesn't say which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A model that the server has.

    Attributes:
        name: As requests name it.
        version: What tells its weights from others of that name, where that is told.
        most_tokens: In a text, where that is told.
    """

    name: str
    version: str = ""
    most_tokens: int | None = None


class Dialect(Protocol):
    """One kind of server. Everything may raise `ServerError`."""

    kind: EmbedderKind

    def listed(
        self, asker: Asker, url: LoopbackUrl, *, timeout_s: float | None = None
    ) -> tuple[FoundModel, ...]:
        """Return the models that the server says it has."""

    def served(
        self, asker: Asker, url: LoopbackUrl, model: str, *, timeout_s: float | None
    ) -> Served:
        """Return the model of that name, after a look that it runs on this machine.

        Raises:
            EmbeddingError: It is not there, or would run elsewhere. No request named a
                model that isn't listed.
        """

    def vectors(
        self,
        asker: Asker,
        url: LoopbackUrl,
        served: Served,
        texts: Sequence[str],
        *,
        timeout_s: float | None,
    ) -> list[Vector]:
        """Return what the server gives for each of *texts*, in their order.

        Raises:
            TooLongError: One of them is too long.
            RejectedError: The server failed on one of them, or gave another number.
            ServerBusyError: It is to be asked later.
        """


def document_of(answer: Answer, url: LoopbackUrl) -> Mapping[str, Any]:
    """Return the JSON object that a server answered.

    Raises:
        ServerBusyError: It is to be asked later.
        ServerAnswerError: It is none: something else answers there.
    """
    if answer.status in (429, 503):
        raise ServerBusyError(url.origin)
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        why = "what it answers is not what an embedding server says"
        raise ServerAnswerError(url.origin, why=why)
    return found


def complaint_of(document: Mapping[str, Any]) -> str | None:
    """Return what a server complains of, in small letters; None when it doesn't.

    It comes as a text or as an object with one, and with a status of 200, too. It is
    looked at and never shown: it may quote what was sent.
    """
    error = document.get("error")
    if not error:
        return None
    if isinstance(error, dict):
        error = error.get("message") or error.get("type") or "error"
    return str(error).lower()


_TOO_LONG = (
    "context length",
    "context size",
    "context window",
    "too large to process",
    "too long",
    "context the overflows",
    "maximum context",
    "exceeds the",
)


def refuse_failures(answer: Answer, url: LoopbackUrl) -> Mapping[str, Any]:
    """Return what a server answered to texts, unless that is a failure.

    Raises:
        TooLongError: One of the texts is too long.
        RejectedError: The server failed on one of them.
        ServerBusyError: It is to be asked later.
        ServerAnswerError: It wants a key, or is another kind of server.
    """
    if answer.status in (401, 403):
        why = "it wants a key, and quoth sends none"
        raise ServerAnswerError(url.origin, why=why)
    document = document_of(answer, url)
    complaint = complaint_of(document)
    if complaint is None and answer.status == 200:
        return document
    complaint = complaint or ""
    if any(sign in complaint for sign in _TOO_LONG):
        raise TooLongError
    if "loading model" in complaint:
        raise ServerBusyError(url.origin)
    raise RejectedError
