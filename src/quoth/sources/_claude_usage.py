"""Counting the tokens of a call once, though Claude Code writes it once per block."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quoth.model import Usage

__all__ = ["COUNTED_BY", "count_call"]

COUNTED_BY = "max per call id"
OPEN_CALLS = 64
"""Lines of one call may have tool results and other calls between them, not many."""

_FIELDS = (
    "input",
    "output",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "reasoning",
)


def count_call(
    calls: dict[str, list[Any]],
    record: Mapping[str, Any],
    message: Mapping[str, Any],
    *,
    conversation: str,
    native_id: str,
    is_message: bool,
    at: datetime | None,
) -> Usage | None:
    """Return the call an assistant record belongs to, with all its lines so far.

    Args:
        calls: The calls seen last, oldest first; kept up to date and short here.
        record: The whole record, which names the request.
        message: The call's answer in it.
        is_message: The record became a message; some hold nothing but a signature.
    """
    counts = message.get("usage")
    if not isinstance(counts, Mapping):
        return None
    key = _key(message.get("id"), record.get("requestId")) or native_id
    seen = calls.pop(key, None)
    numbers = _numbers(counts)
    own = native_id if is_message else None
    if seen is None:
        seen = [own, at.isoformat() if at else None, 0, *numbers]
    else:
        numbers = [max(pair) for pair in zip(seen[3:], numbers, strict=True)]
    seen = [seen[0] or own, seen[1], seen[2] + 1, *numbers]
    calls[key] = seen
    if len(calls) > OPEN_CALLS:
        del calls[next(iter(calls))]
    tier = counts.get("service_tier")
    return Usage(
        conversation=conversation,
        call_id=key,
        message=seen[0],
        model=message.get("model") if isinstance(message.get("model"), str) else None,
        tier=tier if isinstance(tier, str) else None,
        at=datetime.fromisoformat(seen[1]) if seen[1] else None,
        lines=seen[2],
        counted_by=COUNTED_BY,
        **dict(zip(_FIELDS, numbers, strict=True)),
    )


def _key(call: Any, request: Any) -> str | None:
    if not isinstance(call, str) or not call:
        return None
    return f"{call}:{request}" if isinstance(request, str) and request else call


def _numbers(counts: Mapping[str, Any]) -> list[int]:
    split = counts.get("cache_creation")
    details = counts.get("output_tokens_details")
    hour = _number(split, "ephemeral_1h_input_tokens")
    five = _number(split, "ephemeral_5m_input_tokens")
    if not hour and not five:  # older versions know only the sum, all for five minutes
        five = _number(counts, "cache_creation_input_tokens")
    return [
        _number(counts, "input_tokens"),
        _number(counts, "output_tokens"),
        _number(counts, "cache_read_input_tokens"),
        five,
        hour,
        _number(details, "thinking_tokens"),
    ]


def _number(counts: Any, key: str) -> int:
    value = counts.get(key) if isinstance(counts, Mapping) else None
    return value if type(value) is int and 0 <= value < 2**53 else 0
