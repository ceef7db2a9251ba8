"""What a rollout of Codex holds, counted. The words are in README.md."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from .reading import Record, maybe, records, text_in, things

__all__ = ["count", "listing"]

MACHINE = (
    "# AGENTS.md instructions for",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill",
    "<turn_aborted>",
    "<subagent_notification>",
    "<goal_context>",
    "<codex_internal_context",
    "<recommended_plugins>",
    "<apps_instructions>",
)
CALLS = (
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
    "tool_search_call",
)
RESULTS = ("function_call_output", "custom_tool_call_output")
BLANKED = re.compile(r"\[REDACTED_[A-Z]+ (len=\d+ sha=\w+)\]")
"""Whoever published the rollouts blanked both tellings of a text, each in its words."""


def count(path: Path) -> dict[str, int]:
    """Return how much of everything the file holds."""
    told = list(_told(path))
    found = Counter(unit for unit, _ in _units(told))
    if _is_subagent(path):
        found["tasks"] = found.pop("prompts", 0)
    return {**found, **_usage(told)}


def _is_subagent(path: Path) -> bool:
    """Say whether another thread gave this one its task."""
    own = next(iter(records(path)), {}) if path.suffix != ".json" else {}
    return maybe(own, "payload", "source", "subagent") is not None


def listing(path: Path) -> Iterable[str]:
    """Yield a line for everything that counts, for a reader's eyes."""
    for unit, text in _units(list(_told(path))):
        yield f"{unit}: {text[:150]!r}"


def _told(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield each line's kind and what it carries; a line without a kind is an item."""
    if path.suffix == ".json":
        whole = json.loads(path.read_bytes())
        yield from (("item", item) for item in things(whole.get("items")))
        return
    for record in records(path):
        payload = record.get("payload")
        if not isinstance(payload, dict):
            yield "item", record
        elif record.get("type") in ("event_msg", "compacted"):
            yield str(record.get("type")), payload
        elif record.get("type") == "response_item" or payload.get("type") == "message":
            yield "item", payload


def _units(told: list[tuple[str, Record]]) -> Iterator[tuple[str, str]]:
    """Yield what counts and its text; turns are split where the model speaks."""
    said: list[tuple[str, str]] = []
    items = Counter(_texts(told, "item"))
    for kind, payload in told:
        unit = _unit(kind, payload, items)
        if unit in ("typed", "event_typed"):
            said.append((unit, _text(payload)))
        elif unit:
            if unit != "noise":
                yield from _prompts(said)
                said = []
            yield unit, _text(payload)
    yield from _prompts(said)


def _texts(told: list[tuple[str, Record]], which: str) -> Iterator[str]:
    for kind, payload in told:
        if kind == which and payload.get("role") != "user":
            yield _text(payload)
            for part in things(payload.get("summary")):
                yield _text(part)


def _text(payload: Record) -> str:
    said = (
        text_in(payload.get("content"))
        or text_in(payload.get("summary"))
        or text_in(payload.get("message"))
        or text_in(payload.get("text"))
    )
    return BLANKED.sub(r"\1", said)


def _unit(kind: str, payload: Record, items: Counter[str]) -> str:
    name = payload.get("type")
    if kind == "event_msg":
        return _event(str(name), payload, items)
    if kind == "compacted":
        return "noise" if text_in(payload.get("message")) else ""
    if name in CALLS:
        return "tool_calls"
    if name in RESULTS:
        return "tool_results"
    if name == "reasoning":
        return "reasoned" if _text(payload) else ""
    return _message(payload) if name in ("message", None) else ""


def _message(payload: Record) -> str:
    pictures = [p for p in things(payload.get("content")) if "image" in str(p)]
    if not _text(payload) and not pictures:
        return ""
    names = {
        "user": "typed",
        "assistant": "answers",
        "developer": "noise",
        "system": "noise",
    }
    return names.get(str(payload.get("role")), "")


def _event(name: str, payload: Record, items: Counter[str]) -> str:
    """Return what an event tells that no item has told or will tell."""
    if name == "user_message":
        return "event_typed"
    names = {
        "agent_message": "answers",
        "agent_reasoning": "reasoned",
        "agent_reasoning_raw_content": "reasoned",
    }
    repeats = items[_text(payload)] > 0 or not _text(payload)
    return "" if repeats else names.get(name, "")


def _prompts(said: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what a person typed in one turn, and what was put before it.

    Where an event tells the prompt, all else in the turn is put in by the program.
    """
    typed = [text for unit, text in said if unit == "event_typed"]
    if typed:
        for text in typed:
            yield "prompts", text
        left = Counter(typed)
    else:
        left = Counter()
    for text in (text for unit, text in said if unit == "typed"):
        repeats = next(
            (one for one in left if left[one] and text.startswith(one)), None
        )
        if repeats is not None:
            left[repeats] -= 1
        elif typed or text.startswith(MACHINE):
            yield "noise", text
        else:
            yield "prompts", text


def _usage(told: list[tuple[str, Record]]) -> dict[str, int]:
    """Add up the last call's numbers whenever the running total has moved."""
    spent: Counter[str] = Counter()
    calls, before = 0, None
    for kind, payload in told:
        info, usage = payload.get("info"), None
        if kind == "event_msg" and payload.get("type") == "turn.completed":
            usage = payload.get("usage")
        elif kind == "event_msg" and payload.get("type") == "token_count":
            total = maybe(info, "total_token_usage")
            last = maybe(info, "last_token_usage") if total else info
            usage = last if total is None or total != before else None
            before = total or before
        if isinstance(usage, dict):
            calls += 1 if _spent(usage) else 0
            spent += _spent(usage)
    return {"model_calls": calls, **spent}


def _spent(usage: Record) -> Counter[str]:
    """Return the numbers by our names; two old spellings come from hand-made files."""
    cached = usage.get("cached_input_tokens") or 0
    sent = usage.get("input_tokens") or usage.get("prompt") or 0
    return +Counter(
        {
            "input": sent - cached,
            "output": usage.get("output_tokens") or usage.get("completion") or 0,
            "cache_read": cached,
            "reasoning": usage.get("reasoning_output_tokens") or 0,
        }
    )
