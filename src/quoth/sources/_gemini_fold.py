"""What a session comes to when all that was written to it is done in order.

A log says what to do: put a message in or in place of an older version of it, go back
before one, take another list for the one there is. Which message is where is all that
is remembered of it; the messages themselves are read when the end is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ._bounds import title_line
from ._gemini_usage import Tokens, most_of, tokens_in
from ._generic_turns import id_at, text_at
from ._moments import moment_of

__all__ = ["MOST_MESSAGES", "SPOKEN", "Entry", "Fold", "Place", "key_of"]

MOST_MESSAGES = 200_000
"""In one file, by their ids: what is remembered of them takes a hundred megabytes."""

SPOKEN = frozenset(("user", "gemini", "info", "warning", "error"))
"""The types of messages there are."""

_LONGEST_ID = 200
_NAME = re.compile(r"[\w$.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message was written: an object on a line, or in a list of that object."""

    offset: int = 0
    length: int = 0
    nth: int = 0
    item: int | None = None

    @property
    def order(self) -> tuple[int, int, int]:
        """What puts places into the order of the file."""
        return (self.offset, self.nth, self.item or 0)

    @property
    def name(self) -> str:
        """A name for messages without an id, the same at every reading."""
        nth = f".{self.nth}" if self.nth else ""
        return f"@{self.offset}{nth}" + ("" if self.item is None else f"[{self.item}]")


@dataclass(slots=True)
class Entry:
    """A message: where its last version is, and what the call behind it cost.

    That call has the time and the model of the version that first told of it: a reading
    from before the others were written knows no more.
    """

    place: Place
    tokens: Tokens | None = None
    called_at: datetime | None = None
    model: str = ""


class Fold:
    """The messages of a session in order, and what it says of itself."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.session_id = ""
        self.is_subagent = False
        self.summary = ""
        self.project_hash = ""
        self.directories: Any = None
        self.started_at: datetime | None = None
        self.updated_at: datetime | None = None
        self.ignored: Counter[str] = Counter()
        self.passed_from: Place | None = None  # the first that was one too many
        self._live: dict[str, None] = {}

    def add(self, record: dict[str, Any], place: Place) -> None:
        """Do what a record says; count its type if it holds no conversation."""
        kind = text_at(record, "type")
        if first := _short(record, "$rewindTo"):
            self._rewind(first)
        elif isinstance(record.get("$set"), dict):
            self._describe(record["$set"], place)
        elif kind in SPOKEN:
            self._put(record, place)
        elif not kind and ("sessionId" in record or "messages" in record):
            self._describe(record, place)
        else:
            self.ignored[kind if _NAME.fullmatch(kind) else "other"] += 1

    def _describe(self, facts: dict[str, Any], place: Place) -> None:
        """Take in what the session says of itself, the newest for the truest.

        Only its id is that of the first time: everything hangs on it.
        """
        self.session_id = self.session_id or _short(facts, "sessionId")
        self.project_hash = _short(facts, "projectHash") or self.project_hash
        self.summary = title_line(text_at(facts, "summary")) or self.summary
        self.is_subagent |= facts.get("kind") == "subagent"
        self.directories = facts.get("directories") or self.directories
        self.started_at = self.started_at or moment_of(facts.get("startTime"))
        self._note_time(facts.get("lastUpdated"))
        messages = facts.get("messages")
        if not isinstance(messages, list) or not messages:
            self.ignored["metadata"] += 1
            return
        self._live.clear()
        for number, message in enumerate(messages):
            if isinstance(message, dict) and text_at(message, "type") in SPOKEN:
                self._put(message, replace(place, item=number))
            else:
                self.ignored["other"] += 1

    def _put(self, message: dict[str, Any], place: Place) -> None:
        key = key_of(message, place)
        entry = self.entries.get(key)
        if entry is None:
            if len(self.entries) >= MOST_MESSAGES:
                self.passed_from = self.passed_from or place
                return
            entry = self.entries[key] = Entry(place)
        entry.place = place
        if (tokens := tokens_in(message)) is not None:
            if entry.tokens is None:
                entry.called_at = moment_of(message.get("timestamp"))
                entry.model = _short(message, "model")
            entry.tokens = most_of(entry.tokens, tokens)
        self._live[key] = None
        self._note_time(message.get("timestamp"))

    def _rewind(self, first: str) -> None:
        """Drop a message and all after it; all there are, when it is not there."""
        while self._live:
            key, _ = self._live.popitem()
            if key == first:
                return

    def _note_time(self, value: Any) -> None:
        at = moment_of(value)
        if at is not None:
            self.updated_at = max(at, self.updated_at or at)

    def in_order(self) -> Iterator[tuple[str, Entry, bool]]:
        """Yield the messages, each with whether it is live; the dropped ones last.

        These as they stand in the file: many may be on one line, to be decoded once.
        """
        yield from ((key, self.entries[key], True) for key in self._live)
        dropped = (each for each in self.entries.items() if each[0] not in self._live)
        for key, entry in sorted(dropped, key=lambda each: each[1].place.order):
            yield key, entry, False


def key_of(message: dict[str, Any], place: Place) -> str:
    """Return what a message is known by in its session: its id, or where it stands."""
    return _short(message, "id") or place.name


def _short(record: dict[str, Any], key: str) -> str:
    """Return an id, unless it is so long that it can't be one."""
    found = id_at(record, key)
    return found if len(found) <= _LONGEST_ID else ""
