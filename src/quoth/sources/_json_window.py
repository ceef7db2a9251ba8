"""The part of a stream of JSON that is looked at, as text whose bytes are counted."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, BinaryIO

from ._decoding import decoded_from

__all__ = ["BROKEN", "CUT_SHORT", "LARGEST_VALUE", "Undecodable", "Window"]

BROKEN = "not valid JSON"
CUT_SHORT = "cut short by the end of the file"

LARGEST_VALUE = 64 * 1024 * 1024
"""Characters. Decoded, a value takes several times its size."""

_CHUNK = 1024 * 1024

_HEAD = 4096
"""Characters that are tried first: what is broken mostly shows soon."""

_LONGEST_WORD = 16
"""Characters: an error this near to the end may only say that there was no more."""


class Undecodable(Exception):  # noqa: N818 - what is said of a value, not a failure
    """A value is not JSON, or more of it than is decoded.

    Attributes:
        reason: Why, without a word of it.
        read: How many characters were read to find that out.
    """

    def __init__(self, reason: str, *, read: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.read = read


class Window:
    """Text from a stream of bytes, read on when more of it is needed.

    Attributes:
        text: What is known, a part that was passed already included.
        place: Where in it reading stands.
        offset: The byte of the stream that `place` is at.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        # Bytes that are no UTF-8 become surrogates, which encode to the same bytes.
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._ended = False
        self.text = ""
        self.place = 0
        self.offset = 0
        self.grow()
        if self.text.startswith("\ufeff"):
            self.advance(1)

    @property
    def rest(self) -> int:
        """How many characters are known from `place` on."""
        return len(self.text) - self.place

    def advance(self, end: int) -> int:
        """Go on to *end* in the text; return how many bytes that was."""
        passed = self.text[self.place : end]
        if passed.isascii():
            size = len(passed)
        else:
            size = len(passed.encode("utf-8", "surrogateescape"))
        self.place = end
        self.offset += size
        return size

    def grow(self) -> bool:
        """Read about as much again as is known from `place` on; say if any came.

        What was passed is forgotten, so that `place` becomes 0.
        """
        if self._ended:
            return False
        data = self._stream.read(max(_CHUNK, self.rest))
        self._ended = not data
        added = self._decoder.decode(data, final=self._ended)
        self.text = self.text[self.place :] + added
        self.place = 0
        return bool(added) or (bool(data) and self.grow())

    def go_to(self, what: re.Pattern[str]) -> None:
        """Go on to the first place that matches, or to the end."""
        while True:
            match = what.search(self.text, self.place)
            self.advance(match.start() if match else len(self.text))
            if match or not self.grow():
                return

    def starts_with(self, text: str) -> bool:
        """Say whether *text*, one character, comes next."""
        return self.text.startswith(text, self.place)

    def is_at_end(self) -> bool:
        """Say whether nothing comes any more."""
        return not self.rest and not self.grow()

    def decode(self) -> tuple[Any, int]:
        """Return the value that begins at `place`, and where in the text it ends.

        Raises:
            Undecodable: It is broken, too deep, too large or not all there.
        """
        while True:
            start, size = self.place, len(self.text)
            # To raise an error the decoder counts lines from the start of the text.
            head = self.text[start : start + _HEAD]
            found, end = _attempt(head, 0)
            if found is None or end == len(head) < size - start:
                found, end = _attempt(self.text, start)
            else:
                end += start
            if found is not None and (end < size or isinstance(found[0], dict | list)):
                return found[0], end
            if size - start > LARGEST_VALUE:
                why = f"larger than {LARGEST_VALUE // 2**20} MB"
                raise Undecodable(why, read=size - start)
            if not self.grow():
                if found is not None:  # a number that might have gone on
                    return found[0], end
                raise Undecodable(CUT_SHORT, read=size - start)


def _attempt(text: str, start: int) -> tuple[tuple[Any] | None, int]:
    """Return the value that begins at *start*, and its end, if it is all there.

    Raises:
        Undecodable: Nothing that may follow would make a value of it.
    """
    try:
        value, end = decoded_from(text, start)
    except RecursionError:
        raise Undecodable("nested too deeply", read=len(text) - start) from None
    except json.JSONDecodeError as exc:
        if not _may_go_on(exc):
            raise Undecodable(BROKEN, read=exc.pos - start) from None
        return None, 0
    return (value,), end


def _may_go_on(exc: json.JSONDecodeError) -> bool:
    """Say whether a text that could not be decoded may be the beginning of one."""
    is_open = exc.msg.startswith("Unterminated")
    return is_open or exc.pos >= len(exc.doc) - _LONGEST_WORD
