"""Counting what calls to the model cost: every count is written more than once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from quoth.model import Usage

from ._moments import moment_of

__all__ = ["Meter"]

_COUNTED_BY = "last when total changed"
_NAMES = {
    "input": ("input_tokens", "prompt_tokens", "prompt"),
    "cached": ("cached_input_tokens",),
    "output": ("output_tokens", "completion_tokens", "completion"),
    "reasoning": ("reasoning_output_tokens",),
}


class Meter:
    """Tells the calls apart by the running total; all of it is in *state*."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._state = state

    def inherit(self, info: dict[str, Any]) -> None:
        """Take a total for what the parent's calls have come to."""
        self._state["total"] = _counts(info.get("total_token_usage"))
        self._state["open"] = None

    def count(
        self, info: dict[str, Any], call: Usage, *, goes_on: bool = False
    ) -> Usage | None:
        """Return the call that *info* is about, with the numbers it has now.

        Args:
            call: The call as it would be if it were a new one, without its numbers.
                Its id is to be the start of the one it gets.
            goes_on: The total was begun in another file.
        """
        total = _counts(info.get("total_token_usage"))
        last = _counts(info.get("last_token_usage"))
        before = self._state.get("total")
        if total is not None and total == before:
            return self._again()
        if goes_on and before is None and last is None:
            self.inherit(info)  # what of it was spent here can't be told
            return None
        self._state["total"] = total or before
        call = replace(call, call_id=f"{call.call_id}#{self._name(total, before)}")
        spent = last or _difference(total, before) or _counts(info)
        if spent is None or not any(spent.values()):
            self._state["open"] = None
            return None
        self._state["open"] = _packed(call, spent)
        return _usage(self._state["open"])

    def _name(self, total: dict[str, int] | None, before: dict[str, int] | None) -> str:
        """Return what tells a call from the others of its thread.

        The total does, from one fall of it to the next. A place in the file would not:
        Codex rewrites rollouts in place, and what was counted before stays counted.
        """
        has_fallen = (
            total and before and any(total[name] < before[name] for name in total)
        )
        if has_fallen or not total:
            self._state["begun"] = self._state.get("begun", 0) + 1
        counts = total.values() if total else ()
        return "-".join(map(str, (self._state.get("begun", 0), *counts)))

    def _again(self) -> Usage | None:
        if not self._state.get("open"):
            return None
        self._state["open"]["lines"] += 1
        return _usage(self._state["open"])


def _counts(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = {}
    for name, keys in _NAMES.items():
        values = (usage.get(key) for key in keys)
        numbers = (value for value in values if isinstance(value, int) and value >= 0)
        counts[name] = next(numbers, 0)
    return counts


def _difference(
    total: dict[str, int] | None, before: dict[str, int] | None
) -> dict[str, int] | None:
    if total is None or before is None:
        return total
    spent = {name: count - before[name] for name, count in total.items()}
    return total if min(spent.values()) < 0 else spent


def _packed(call: Usage, spent: dict[str, int]) -> dict[str, Any]:
    return {
        "conversation": call.conversation,
        "call_id": call.call_id,
        "model": call.model,
        "at": call.at.isoformat() if call.at else None,
        "lines": 1,
        "spent": spent,
    }


def _usage(packed: dict[str, Any]) -> Usage:
    spent = packed["spent"]
    at: datetime | None = moment_of(packed["at"])
    return Usage(
        conversation=packed["conversation"],
        call_id=packed["call_id"],
        model=packed["model"],
        at=at,
        input=max(0, spent["input"] - spent["cached"]),
        cache_read=spent["cached"],
        output=spent["output"],
        reasoning=spent["reasoning"],
        lines=packed["lines"],
        counted_by=_COUNTED_BY,
    )
