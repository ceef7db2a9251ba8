"""What the fields of a Claude Code record say, each checked before it's believed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quoth.model import Noise, ToolCall

from ._moments import moment_of
from ._tools import command_of, input_text, touches_of

__all__ = [
    "CALLS",
    "SYNTHETIC",
    "blocks_of",
    "branch_of",
    "call_of",
    "flag_of",
    "is_typed",
    "joined",
    "message_of",
    "name_of",
    "text_at",
    "time_of",
    "type_of",
]

SYNTHETIC = "<synthetic>"
"""The model of answers that Claude Code made up itself: error notices and the like."""

_HUMAN_SOURCES = ("typed", "queued")
_TYPE = re.compile(r"[\w.:-]{1,60}")


def text_at(record: Any, key: str) -> str | None:
    """Return the text under *key*, or None when there is none or it is empty."""
    value = record.get(key) if isinstance(record, dict) else None
    return value if isinstance(value, str) and value else None


def branch_of(record: Mapping[str, Any]) -> str | None:
    """Return the branch a record names; outside a branch Claude Code writes `HEAD`."""
    branch = text_at(record, "gitBranch")
    return None if branch == "HEAD" else branch


def time_of(record: Mapping[str, Any]) -> datetime | None:
    """Return a record's own time in UTC, if it has one that can be read."""
    return moment_of(text_at(record, "timestamp"))


def name_of(value: Any) -> str:
    """Return a name for counting, never a text somebody could have written."""
    known = isinstance(value, str) and _TYPE.fullmatch(value)
    return value if isinstance(value, str) and known else "unknown"


def type_of(record: Any) -> str:
    """Return a record's type; the oldest lines only have the role in their message."""
    if not isinstance(record, Mapping):
        return "unknown"
    kind = record.get("type")
    if kind is None and isinstance(record.get("message"), Mapping):
        kind = record["message"].get("role")
    return name_of(kind)


def message_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    message = record.get("message")
    if isinstance(message, Mapping):
        return message
    return {"content": message} if isinstance(message, str) else {}


def blocks_of(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, Mapping)]


def joined(blocks: list[Mapping[str, Any]], kind: str) -> str:
    """Join what the blocks of one kind say; they keep it under the kind's own name."""
    found = (text_at(block, kind) for block in blocks if block.get("type") == kind)
    return "\n\n".join(text.strip() for text in found if text and text.strip())


CALLS = ("tool_use", "server_tool_use")


def call_of(block: Mapping[str, Any]) -> ToolCall:
    name = text_at(block, "name") or ""
    given = block.get("input")
    arguments = given if isinstance(given, Mapping) else {"input": given}
    return ToolCall(
        call_id=text_at(block, "id") or "",
        name=name,
        input=input_text(arguments),
        command=command_of(name, arguments),
        touches=touches_of(name, arguments),
    )


def flag_of(record: Mapping[str, Any]) -> Noise | None:
    """Return what a record says of itself when no person wrote it."""
    if record.get("isCompactSummary") is True:
        return Noise.SUMMARY
    if record.get("isVisibleInTranscriptOnly") is True:
        return Noise.META
    by_program = record.get("isMeta") is True or record.get("promptSource") == "system"
    kind = text_at(record.get("origin"), "kind")
    mode = text_at(record, "commandMode")
    foreign = kind not in (None, "human") and not is_typed(record)
    if by_program or foreign or mode == "task-notification":
        return Noise.INJECTED
    return None


def is_typed(record: Mapping[str, Any]) -> bool:
    return (
        record.get("promptSource") in _HUMAN_SOURCES
        or text_at(record.get("origin"), "kind") == "human"
    )
