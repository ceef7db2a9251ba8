"""What a chat of Gemini CLI holds, counted. The words are in README.md."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .reading import Record, maybe, records, text_in, things

__all__ = ["count", "listing"]

MACHINE = ("<session_context>", "<hook_context>", "System: Please continue.")
COMMANDS = ("/", "?")


def count(path: Path) -> dict[str, int]:
    """Return how much of everything the chat holds."""
    messages = _messages(path)
    found = Counter(unit for message in messages for unit in _units(message))
    return {**found, **_usage(messages)}


def listing(path: Path) -> Iterable[str]:
    """Yield a line for every message that counts, for a reader's eyes."""
    for message in _messages(path):
        said = f"{' '.join(_units(message))}: {text_in(message.get('content'))[:150]!r}"
        yield f"{said} {message.get('tokens') or ''}"


def _messages(path: Path) -> list[Record]:
    """Return every message that was ever told, each as it was told last."""
    if path.suffix == ".json":
        return things(json.loads(path.read_bytes()).get("messages"))
    told: dict[str, Record] = {}
    for record in records(path):
        listed = things(maybe(record, "$set", "messages"))
        for message in listed or [record]:
            if "id" in message:
                told[str(message["id"])] = message
    return list(told.values())


def _units(message: Record) -> list[str]:
    match message.get("type"):
        case "user":
            return _typed(message)
        case "gemini":
            return _answer(message)
        case "info" | "warning" | "error":
            return ["noise"]
    return []


def _typed(message: Record) -> list[str]:
    text = text_in(message.get("displayContent")) or text_in(message.get("content"))
    if not text:
        return []
    if text.startswith(MACHINE):
        return ["noise"]
    return ["commands"] if text.startswith(COMMANDS) else ["prompts"]


def _answer(message: Record) -> list[str]:
    calls = things(message.get("toolCalls"))
    units = ["tool_calls"] * len(calls)
    units += ["tool_results" for call in calls if call.get("result")]
    if things(message.get("thoughts")):
        units.append("reasoned")
    return [*units, "answers"] if text_in(message.get("content")) else units


def _usage(messages: list[Record]) -> dict[str, int]:
    spent: Counter[str] = Counter()
    calls = 0
    for message in messages:
        tokens = message.get("tokens")
        if isinstance(tokens, dict) and any(tokens.values()):
            calls += 1
            spent += _spent(tokens)
    return {"model_calls": calls, **spent}


def _spent(tokens: Record) -> Counter[str]:
    cached, thoughts = tokens.get("cached") or 0, tokens.get("thoughts") or 0
    return Counter(
        {
            "input": (tokens.get("input") or 0) - cached + (tokens.get("tool") or 0),
            "output": (tokens.get("output") or 0) + thoughts,
            "cache_read": cached,
            "reasoning": thoughts,
        }
    )
