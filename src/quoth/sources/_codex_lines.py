"""The lines of a rollout: two shapes by age, brought to one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._jsonl import Record
from ._moments import moment_of

__all__ = ["Line", "dict_at", "item_of", "line_of", "passed_over", "text_at"]

_LARGE_NOISE = re.compile(
    rb'\{\s*(?:"timestamp"\s*:\s*"[^"]*"\s*,\s*|"ordinal"\s*:\s*\d+\s*,\s*)*'
    rb'"type"\s*:\s*"(?:'
    rb"(?P<kind>world_state|inter_agent_communication(?:_metadata)?)\""
    rb'|(?P<outer>response_item|event_msg)"\s*,\s*"payload"\s*:\s*\{\s*"type"\s*:\s*'
    rb'"(?P<inner>ghost_snapshot|image_generation_call|image_generation_end)")'
)
"""Snapshots of the program's state, and pictures in base64: tens of megabytes."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it is (`kind`, then `type` of its payload) and what it holds."""

    record: Record
    kind: str
    type: str
    payload: dict[str, Any]
    at: datetime | None

    @property
    def name(self) -> str:
        """What such lines are counted under."""
        return f"{self.kind}/{self.type}" if self.type else self.kind


def passed_over(head: bytes) -> str | None:
    """Name a line that is large and holds no conversation, from its first bytes."""
    match = _LARGE_NOISE.match(head)
    if match is None:
        return None
    if match["kind"]:
        return match["kind"].decode()
    return f"{match['outer'].decode()}/{match['inner'].decode()}"


def line_of(record: Record) -> Line:
    """Return the line a record is, whichever version of the program wrote it.

    Up to summer 2025 a line was the item itself, without an envelope or a time.
    """
    value = record.value
    payload = value.get("payload")
    kind = text_at(value, "type")
    if not isinstance(payload, dict) or not kind:
        kind, payload = _bare_kind(value, kind), value
    elif kind == "request_item":
        kind = "response_item"
    return Line(
        record=record,
        kind=kind,
        type=_type_of(kind, payload),
        payload=payload,
        at=moment_of(value.get("timestamp")),
    )


def _bare_kind(value: dict[str, Any], kind: str) -> str:
    if kind or "role" in value:
        return "response_item"
    if "record_type" in value:
        return text_at(value, "record_type") or "record_type"
    return "session_meta" if text_at(value, "id") else "unknown"


def _type_of(kind: str, payload: dict[str, Any]) -> str:
    named = text_at(payload, "type") if kind in ("response_item", "event_msg") else ""
    if not named and kind == "response_item" and "role" in payload:
        return "message"
    return named


def text_at(value: dict[str, Any], *keys: str) -> str:
    """Return the first of *keys* that holds a text with something in it, or ''."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
    return ""


def dict_at(value: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the object under *key*, or an empty one."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def item_of(line: Line) -> dict[str, Any]:
    """Return the item that an `item_completed` event is about."""
    if line.name != "event_msg/item_completed":
        return {}
    return dict_at(line.payload, "item")
