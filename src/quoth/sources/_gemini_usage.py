"""Counting what a call to Gemini cost: each message has the numbers of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from quoth.model import Usage

__all__ = ["Tokens", "most_of", "tokens_in", "usage_of"]

_COUNTED_BY = "max per message id"


class Tokens(NamedTuple):
    """Tokens in the classes of `Usage`; `lines` says how often they were written."""

    input: int
    output: int
    cache_read: int
    reasoning: int
    lines: int = 1


def tokens_in(record: dict[str, Any]) -> Tokens | None:
    """Return what the call behind a message cost; None when it was no call.

    Gemini counts what came from the cache inside `input`, and `thoughts` and `tool`
    beside the others: `tool` is what its own tools put into the prompt.
    """
    counts = record.get("tokens")
    if not isinstance(counts, dict):
        return None
    cached, thoughts = _number(counts, "cached"), _number(counts, "thoughts")
    tokens = Tokens(
        input=max(0, _number(counts, "input") - cached) + _number(counts, "tool"),
        output=_number(counts, "output") + thoughts,
        cache_read=cached,
        reasoning=thoughts,
    )
    return tokens if any(tokens[:-1]) else None


def most_of(one: Tokens | None, other: Tokens) -> Tokens:
    """Return the tokens of one call of which two versions were written."""
    if one is None:
        return other
    most = Tokens(*map(max, zip(one, other, strict=True)))
    return most._replace(lines=one.lines + other.lines)


def usage_of(
    tokens: Tokens,
    *,
    conversation: str,
    native_id: str,
    message: str | None,
    model: str | None,
    at: datetime | None,
) -> Usage:
    """Return *tokens* as the usage of the call that made a message."""
    return Usage(
        conversation=conversation,
        call_id=native_id,
        message=message,
        model=model,
        at=at,
        counted_by=_COUNTED_BY,
        **tokens._asdict(),
    )


def _number(counts: dict[str, Any], key: str) -> int:
    value = counts.get(key)
    return value if type(value) is int and 0 <= value < 2**53 else 0
