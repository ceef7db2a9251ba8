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

from ._redactors import SECRETS
from ._text import Redactor

__all__ = ["RULES_VERSION", "redact"]

RULES_VERSION = 1
"""Goes up whenever a rule finds more: it is part of what a citation's hash is of."""

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


_NO_TEXT = (int, float, Enum)


def redact(batch: Append | Replace, redactor: Redactor = SECRETS) -> RedactedBatch:
    """Return *batch* with every text redacted; nothing else makes a `RedactedBatch`."""
    texts = _Texts(redactor)
    return RedactedBatch(
        batch=_redacted(batch, texts),
        rules_version=RULES_VERSION,
        replacements=dict(texts.counts),
    )


class _Texts:
    """Redacts and counts. Two texts of three in a batch have been met in it before."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.counts: Counter[str] = Counter()
        self._known: dict[str, tuple[str, Mapping[str, int]]] = {}

    def redacted(self, text: str) -> str:
        """Return *text* redacted: the same object when there is nothing to replace."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._redactor.redact_counted(text)
        redacted, found = known
        if not found:
            return text
        self.counts.update(found)
        return redacted


def _redacted(value: Any, texts: _Texts) -> Any:
    """Return *value* redacted: the same object when there is nothing to replace."""
    if value is None or isinstance(value, _NO_TEXT):
        return value
    if isinstance(value, str):
        return texts.redacted(value)
    if isinstance(value, tuple | list):
        return _redacted_items(value, texts)
    if is_dataclass(value):
        return _redacted_fields(value, texts)
    return _redacted_mapping(value, texts) if isinstance(value, Mapping) else value


def _redacted_items(
    items: tuple[Any, ...] | list[Any], texts: _Texts
) -> tuple[Any, ...] | list[Any]:
    if not items:
        return items
    redacted = [_redacted(item, texts) for item in items]
    if all(new is old for new, old in zip(redacted, items, strict=True)):
        return items
    return redacted if isinstance(items, list) else tuple(redacted)


def _redacted_mapping(mapping: Mapping[str, Any], texts: _Texts) -> Mapping[str, Any]:
    """Return the mapping with keys and values redacted; no two keys become one."""
    redacted: dict[str, Any] = {}
    changed = False
    for key, value in mapping.items():
        new_key, new_value = _redacted(key, texts), _redacted(value, texts)
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


def _redacted_fields(record: Any, texts: _Texts) -> Any:
    kind: Any = type(record)
    changes = {}
    for name in _text_fields(kind):
        old = getattr(record, name)
        new = _redacted(old, texts)
        if new is not old:
            changes[name] = new
    return replace(record, **changes) if changes else record
