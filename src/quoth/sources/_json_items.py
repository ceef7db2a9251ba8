"""Taking a list of JSON values apart, one at a time, however long it is.

A value that is broken costs itself: the next one that can be told is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from quoth.model import Skipped

from ._decoding import decoded_from
from ._json_window import BROKEN, CUT_SHORT, LARGEST_VALUE, Undecodable, Window

__all__ = ["Item", "item_at", "items_in"]

_MOST_SEARCHED = 256 * 1024 * 1024
"""Characters of one stream, some several times, that are read to find its values
again after broken ones; what comes after that is given up."""

_LEAST_COST = 500
"""Characters that a look at what turns out to be no value counts as, at least."""

_WRAPPER = "conversations"
_MOST_KEYS = 1_000

_SOMETHING = re.compile(r"[^ \t\r\n\0]")
_VALUE = re.compile(r"[^ \t\r\n\0,]")
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_TOKEN = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
_LONGEST_GAP = 200
_FOLLOWS = re.compile(rf"[ \t\r\n]{{0,{_LONGEST_GAP}}}(?:,|\]|\Z)")
_SEAM = re.compile(
    rf",[ \t\r\n]{{0,{_LONGEST_GAP}}}(?=\{{[ \t\r\n]{{0,{_LONGEST_GAP}}}\")"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One value of a list: its bytes in the stream, and its number, from 1.

    The number is 0 where it is read alone.
    """

    offset: int
    length: int
    number: int
    value: Any


def items_in(stream: BinaryIO, *, key: str) -> Iterator[Item | Skipped]:
    """Yield the values of a list in order, holding one of them at a time.

    The list is all of the stream, or stands in an object as `conversations`; without
    a list, what stands there is yielded itself. What can't be decoded is skipped, and
    if the list goes on after that, so does reading.

    Args:
        stream: Bytes; offsets count from where it stands.
        key: What every wanted value has: how the next one is known after a broken one.
    """
    window = Window(stream)
    window.go_to(_SOMETHING)
    is_wrapped = window.starts_with("{") and _enter_wrapper(window)
    is_list = window.starts_with("[")
    if is_list:
        window.advance(window.place + 1)
    yield from _List(window, key, is_list=is_list, is_wrapped=is_wrapped)


def item_at(stream: BinaryIO, *, offset: int) -> Item | None:
    """Return the value that begins where *stream* stands, or None if none does.

    Args:
        offset: Of that place, for `Item.offset`.
    """
    window = Window(stream)
    try:
        value, end = window.decode()
    except Undecodable:
        return None
    return Item(offset=offset, length=window.advance(end), number=0, value=value)


class _List:
    """Values one after another, and what is known of how they end."""

    def __init__(
        self, window: Window, key: str, *, is_list: bool, is_wrapped: bool
    ) -> None:
        self._window = window
        self._key = key
        self._is_list = is_list
        self._is_wrapped = is_wrapped
        self._number = 0
        self._unsearched = _MOST_SEARCHED

    def __iter__(self) -> Iterator[Item | Skipped]:
        window = self._window
        while True:
            window.go_to(_VALUE)
            if window.is_at_end():
                if self._is_list:
                    yield Skipped(offset=window.offset, reason=CUT_SHORT)
                return
            if self._is_list and window.starts_with("]"):
                yield from self._end()
                return
            self._number += 1
            offset = window.offset
            try:
                value, end = window.decode()
            except Undecodable as exc:
                goes_on = self._pass_broken(exc)
                reason = BROKEN if goes_on and exc.reason == CUT_SHORT else exc.reason
                yield Skipped(offset=offset, reason=reason)
                if not goes_on:
                    return
                continue
            length = window.advance(end)
            yield Item(offset=offset, length=length, number=self._number, value=value)

    def _end(self) -> Iterator[Skipped]:
        window = self._window
        window.advance(window.place + 1)
        window.go_to(_SOMETHING)
        if not self._is_wrapped and not window.is_at_end():
            yield Skipped(offset=window.offset, reason="it stands after the list")

    def _pass_broken(self, broken: Undecodable) -> bool:
        """Go to where the list goes on after a broken value, if that can be told."""
        is_known_large = broken.read > LARGEST_VALUE
        return (not is_known_large and self._pass_balanced()) or self._find_next()

    def _pass_balanced(self) -> bool:
        """Go past a value whose brackets are in order, whatever is wrong inside it."""
        end = self._balanced_end()
        if end is None:
            return False
        window = self._window
        end -= window.place
        while window.rest < end + _LONGEST_GAP + 2 and window.grow():
            pass
        if not _FOLLOWS.match(window.text, window.place + end):
            return False
        window.advance(window.place + end)
        return True

    def _balanced_end(self) -> int | None:
        window = self._window
        if not (window.starts_with("{") or window.starts_with("[")):
            return None
        brackets = _Brackets()
        seen = 0
        while self._unsearched > 0 and window.rest <= LARGEST_VALUE:
            for token in _TOKEN.finditer(window.text, window.place + seen):
                brackets.add(token[0])
                if not brackets.is_open:
                    self._unsearched -= token.end() - window.place - seen
                    return None if brackets.is_wrong else token.end()
            known = window.rest - (window.text.endswith("\\"))
            self._unsearched -= known - seen
            seen = known
            if not window.grow():
                return None
        return None

    def _find_next(self) -> bool:
        """Go to the next value that is whole and wanted."""
        window = self._window
        while self._unsearched > 0:
            seam = _SEAM.search(window.text, window.place)
            if seam is None:
                window.advance(max(window.place, len(window.text) - 3 * _LONGEST_GAP))
                if not window.grow():
                    return False
                continue
            window.advance(seam.end())
            try:
                value, end = window.decode()
            except Undecodable as exc:
                self._unsearched -= _LEAST_COST + exc.read + window.place // 8
                continue
            if isinstance(value, dict) and self._key in value:
                return True
            window.advance(end)
        return False


class _Brackets:
    """Which brackets of a value are open, as its tokens come."""

    def __init__(self) -> None:
        self._in_string = False
        self._braces = 0
        self._squares = 0
        self.is_open = True
        self.is_wrong = False

    def add(self, mark: str) -> None:
        """Take in an escape, a quotation mark or a bracket."""
        if mark == '"':
            self._in_string = not self._in_string
        elif not self._in_string:
            self._braces += (mark == "{") - (mark == "}")
            self._squares += (mark == "[") - (mark == "]")
            self.is_wrong = self._braces < 0 or self._squares < 0
            self.is_open = not self.is_wrong and bool(self._braces or self._squares)


def _enter_wrapper(window: Window) -> bool:
    """Go to the list inside an object, or stay where the object begins."""
    while True:
        place = _list_inside(window.text, window.place)
        if place is not None:
            if place:
                window.advance(place)
            return bool(place)
        if window.rest > LARGEST_VALUE or not window.grow():
            return False


def _list_inside(text: str, start: int) -> int | None:
    """Return where the list in an object begins, 0 if it has none, None if unknown."""
    place = start + 1
    for _ in range(_MOST_KEYS):
        first = _VALUE.search(text, place)
        if first is None:
            return None
        if first[0] == "}":
            return 0
        try:
            key, end = decoded_from(text, first.start())
            colon = _COLON.match(text, end)
            if colon is None:
                return None
            place = colon.end()
            if key == _WRAPPER and text.startswith("[", place):
                return place
            place = decoded_from(text, place)[1]
        except (ValueError, RecursionError):
            return None
    return 0
