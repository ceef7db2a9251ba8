"""What a server answered, or why that is no answer."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Answer", "BadAnswerError"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a body. A status of 400 or more is an answer too: the body says why.

    Shown without the body, which may repeat what was sent.
    """

    status: int
    body: bytes = field(repr=False)


class BadAnswerError(Exception):
    """What came is refused; the text says why, and quotes none of it."""
