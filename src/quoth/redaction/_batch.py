"""Redacting a batch: every text in it, whatever field it stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

from quoth.model import (
    Append,
    Conversation,
    Message,
    RedactedBatch,
    Replace,
    Rewind,
    ToolCall,
    ToolResult,
    Usage,
)

from ._text import redact_counted

__all__ = ["RULES_VERSION", "redact"]

RULES_VERSION = 1
"""Goes up whenever a rule finds more; what is stored is then redacted again."""

_IDENTITIES: Mapping[type, frozenset[str]] = {
    Conversation: frozenset({"native_id", "parent"}),
    Message: frozenset({"conversation", "native_id"}),
    ToolCall: frozenset({"call_id"}),
    ToolResult: frozenset({"call_id"}),
    Rewind: frozenset({"conversation", "first"}),
    Usage: frozenset({"conversation", "call_id", "message"}),
}
"""Ids by which a source and the archive know a thing: changed, they would name another.

All other fields are redacted, also those that a later version of the model adds.
"""


def redact(batch: Append | Replace) -> RedactedBatch:
    """Return *batch* with every text redacted; nothing else makes a `RedactedBatch`."""
    counts: Counter[str] = Counter()
    return RedactedBatch(
        batch=_redacted(batch, counts),
        rules_version=RULES_VERSION,
        replacements=dict(counts),
    )


def _redacted(value: Any, counts: Counter[str]) -> Any:
    """Return *value* redacted: the same object when there is nothing to replace."""
    if value is None or isinstance(value, int | float | Enum):
        return value
    if isinstance(value, str):
        text, found = redact_counted(value)
        if found:
            counts.update(found)
        return text
    if isinstance(value, tuple | list):
        return _redacted_items(value, counts)
    if is_dataclass(value):
        return _redacted_fields(value, counts)
    return _redacted_mapping(value, counts) if isinstance(value, Mapping) else value


def _redacted_items(
    items: tuple[Any, ...] | list[Any], counts: Counter[str]
) -> tuple[Any, ...] | list[Any]:
    if not items:
        return items
    redacted = [_redacted(item, counts) for item in items]
    if all(new is old for new, old in zip(redacted, items, strict=True)):
        return items
    return redacted if isinstance(items, list) else tuple(redacted)


def _redacted_mapping(
    mapping: Mapping[str, Any], counts: Counter[str]
) -> Mapping[str, Any]:
    """Return the mapping with keys and values redacted; no two keys become one."""
    redacted: dict[str, Any] = {}
    changed = False
    for key, value in mapping.items():
        new_key, new_value = _redacted(key, counts), _redacted(value, counts)
        changed |= new_key is not key or new_value is not value
        redacted[_free(new_key, redacted)] = new_value
    return redacted if changed else mapping


def _free(key: str, taken: Mapping[str, Any]) -> str:
    number = 1
    name = key
    while name in taken:
        number += 1
        name = f"{key}#{number}"
    return name


@cache
def _text_fields(kind: Any) -> tuple[str, ...]:
    kept = _IDENTITIES.get(kind, frozenset())
    return tuple(field.name for field in fields(kind) if field.name not in kept)


def _redacted_fields(record: Any, counts: Counter[str]) -> Any:
    kind: Any = type(record)
    changes = {}
    for name in _text_fields(kind):
        old = getattr(record, name)
        new = _redacted(old, counts)
        if new is not old:
            changes[name] = new
    return replace(record, **changes) if changes else record
