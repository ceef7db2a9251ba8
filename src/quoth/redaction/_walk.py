"""Redacting every text in a value, whatever it is nested in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import PurePath
from typing import Any, TypeVar

from ._text import Redactor

__all__ = ["Walk"]

T = TypeVar("T")

_NO_TEXT = (int, float, Enum)


class Walk:
    """One way through one or more values, counting what it replaced by rule.

    Two texts of three in a batch have been met in it before, so a text is looked at
    once.

    Args:
        kept: By class, the fields to leave as they are. All others are redacted, also
            those that a later version of the class adds.
    """

    def __init__(
        self,
        redactor: Redactor,
        *,
        kept: Mapping[type, frozenset[str]] | None = None,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self._redactor = redactor
        self._kept = kept or {}
        self._known: dict[str, tuple[str, Mapping[str, int]]] = {}
        self._fields: dict[type, tuple[str, ...]] = {}

    def redacted(self, value: T) -> T:
        """Return *value* redacted: the same object when there is nothing to replace.

        Looks into strings, paths, tuples, lists, sets, mappings and dataclasses.
        """
        redacted: T = self._any(value)
        return redacted

    def _any(self, value: Any) -> Any:
        if value is None or isinstance(value, _NO_TEXT):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, tuple | list | set | frozenset):
            return self._items(value)
        if is_dataclass(value):
            return self._record(value)
        if isinstance(value, PurePath):
            return self._path(value)
        return self._mapping(value) if isinstance(value, Mapping) else value

    def _text(self, text: str) -> str:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._redactor.redact_counted(text)
        redacted, found = known
        if not found:
            return text
        self.counts.update(found)
        return redacted

    def _path(self, path: PurePath) -> PurePath:
        text = str(path)
        redacted = self._text(text)
        return path if redacted is text else type(path)(redacted)

    def _items(self, items: Any) -> Any:
        if not items:
            return items
        redacted = [self._any(item) for item in items]
        if all(new is old for new, old in zip(redacted, items, strict=True)):
            return items
        kind = type(items)
        return kind(*redacted) if hasattr(kind, "_fields") else kind(redacted)

    def _mapping(self, mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
        """Return the mapping with keys and values redacted; no two keys become one."""
        redacted: dict[Any, Any] = {}
        changed = False
        for key, value in mapping.items():
            new_key, new_value = self._any(key), self._any(value)
            changed |= new_key is not key or new_value is not value
            redacted[_free(new_key, redacted)] = new_value
        return redacted if changed else mapping

    def _record(self, record: Any) -> Any:
        changes = {}
        for name in self._text_fields(type(record)):
            old = getattr(record, name)
            new = self._any(old)
            if new is not old:
                changes[name] = new
        return replace(record, **changes) if changes else record

    def _text_fields(self, kind: type) -> tuple[str, ...]:
        names = self._fields.get(kind)
        if names is None:
            kept = self._kept.get(kind, frozenset())
            declared: Any = kind
            names = self._fields[kind] = tuple(
                field.name for field in fields(declared) if field.name not in kept
            )
        return names


def _free(key: Any, taken: Mapping[Any, Any]) -> Any:
    number = 1
    name = key
    while name in taken:
        number += 1
        name = f"{key}#{number}"
    return name
