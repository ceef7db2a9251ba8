"""Reading a log twice: what it comes to first, then the records that are left."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from quoth.model import Conversation, Origin, Skipped, Unit

from ._decoding import objects_in
from ._gemini_fold import Fold, Place
from ._jsonl import Draft, Record, read_json_lines

__all__ = ["Lines", "fold_log", "item_in", "origin_of"]

_BLANK = b"\0\r\n\t "
_BOM = b"\xef\xbb\xbf"
_KEPT = 2
"""Lines kept decoded: the messages of one list stand together, but for a few."""

_ITEM = re.compile(r"messages\[(\d{1,9})\]")


def fold_log(unit: Unit, fold: Fold) -> Iterator[Skipped]:
    """Do in *fold* what a log says; yield what could not be read of it.

    Raises:
        UnreadableUnitError: It cannot be opened.
    """
    for step in read_json_lines(unit, None, parser=lambda _: _Folding(fold)):
        if isinstance(step, Skipped):
            yield step


class _Folding:
    """Hands the records of a log on; nothing of them is kept here."""

    by_conversation = ""

    def __init__(self, fold: Fold) -> None:
        self.state: dict[str, Any] = {}
        self._fold = fold

    def feed(self, record: Record, draft: Draft) -> None:  # noqa: ARG002
        """Do what *record* says."""
        self._fold.add(record.value, Place(record.offset, record.length, record.nth))

    def settle(self, draft: Draft) -> None:
        """Add nothing: no record waits for another."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield nothing: what a log comes to is only known at its end."""
        return iter(())


class Lines:
    """The records of a log, by where they stand."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._kept: OrderedDict[int, list[dict[str, Any]]] = OrderedDict()

    def record(self, place: Place) -> dict[str, Any] | None:
        """Return what stands there now, or None when there is none any more."""
        objects = self._objects(place.offset, place.length)
        found = objects[place.nth] if place.nth < len(objects) else None
        return found if place.item is None or found is None else item_in(found, place)

    def places(self, origin: Origin) -> list[Place]:
        """Return all places of one origin: objects may be glued together on a line."""
        item = _ITEM.fullmatch(origin.path)
        first = Place(origin.offset, origin.length, item=int(item[1]) if item else None)
        objects = self._objects(origin.offset, origin.length)
        return [replace(first, nth=nth) for nth in range(len(objects))]

    def _objects(self, offset: int, length: int) -> list[dict[str, Any]]:
        objects = self._kept.get(offset)
        if objects is None:
            self._file.seek(offset)
            content = self._file.read(length)
            if offset == 0:
                content = content.removeprefix(_BOM)
            content = content.strip(_BLANK).replace(b"\0", b" ")
            objects = objects_in(content.decode("utf-8", errors="replace"))[0]
            self._kept[offset] = objects
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(offset)
        return objects


def item_in(record: dict[str, Any], place: Place) -> dict[str, Any] | None:
    """Return one of the messages in the list of a record."""
    facts = record.get("$set", record)
    messages = facts.get("messages") if isinstance(facts, dict) else None
    number = place.item
    if not isinstance(messages, list) or number is None or number >= len(messages):
        return None
    return messages[number] if isinstance(messages[number], dict) else None


def origin_of(place: Place) -> Origin:
    """Return where a message stands, as it is cited."""
    path = "" if place.item is None else f"messages[{place.item}]"
    return Origin(offset=place.offset, length=place.length, path=path)
