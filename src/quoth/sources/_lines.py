"""The lines of a file as bytes, read once from front to back."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass
from typing import BinaryIO

__all__ = ["BLANK", "LONGEST_LINE", "RawLine", "RawLines", "Trail", "trail_to"]

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes. A longer line is skipped unread: decoding it would take half a gigabyte."""

BLANK = b"\0\r\n\t "
"""What a line may end in that is none of its content."""

HASHED = 4096
"""Bytes at the start, and before the place reached, that tell whether a file grew."""

_PASSED_AT_ONCE = 1024 * 1024
_KEPT = 16 * HASHED


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line as it stands in the file; `ended` says that its newline is there.

    `first` and `last` are the bytes at its two ends: of a line that is too long to
    hold nothing else is kept.
    """

    offset: int
    length: int
    content: bytes
    first: bytes
    last: bytes
    ended: bool
    is_too_long: bool = False

    @property
    def end(self) -> int:
        """Where it ends but for what is blank: the same before its newline came."""
        return self.offset + len(self.content.rstrip(BLANK))


class RawLines:
    """Lines with their offsets, split at newlines only, with a look ahead.

    Attributes:
        problem: Why nothing more could be read, once that is so.
    """

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._offset = start
        self._ahead: deque[RawLine] = deque()
        self.problem: str | None = None
        self._go_to(start)

    @property
    def offset(self) -> int:
        """Where the lines end that were read, taken or not."""
        return self._offset

    def take(self) -> RawLine | None:
        """Return the next line, or None if there is none yet."""
        return self._ahead.popleft() if self._ahead else self._next()

    def peek(self, nth: int) -> RawLine | None:
        """Return the line that comes *nth* from here, or None if there is none yet."""
        while len(self._ahead) < nth and (line := self._next()) is not None:
            self._ahead.append(line)
        return self._ahead[nth - 1] if len(self._ahead) >= nth else None

    def _go_to(self, offset: int) -> None:
        try:
            self._file.seek(offset)
        except OSError as exc:
            self.problem = _named(exc)

    def _next(self) -> RawLine | None:
        if self.problem is not None:
            return None
        try:
            line = self._read()
        except OSError as exc:  # the disk gives no more, or what is packed is damaged
            self.problem = _named(exc)
            return None
        self._offset += line.length
        return line if line.length else None

    def _read(self) -> RawLine:
        content = self._file.readline(LONGEST_LINE)
        ended = content.endswith(b"\n")
        if ended or len(content) < LONGEST_LINE:
            first, last = content[:HASHED], content[-HASHED:]
            return RawLine(
                self._offset, len(content), content, first, last, ended=ended
            )
        return self._passed(content)

    def _passed(self, content: bytes) -> RawLine:
        """Read on to the end of a line that is too long, keeping only its ends."""
        length, first, last = len(content), content[:HASHED], content[-HASHED:]
        del content
        ended = False
        while not ended and (chunk := self._file.readline(_PASSED_AT_ONCE)):
            length += len(chunk)
            last = (last + chunk)[-HASHED:]
            ended = chunk.endswith(b"\n")
        return RawLine(self._offset, length, b"", first, last, ended, is_too_long=True)


def _named(exc: OSError) -> str:
    return (exc.strerror or type(exc).__name__).lower()


class Trail:
    """The first and the last bytes of what was read: a file is known again by them."""

    def __init__(self, first: bytes = b"", last: bytes = b"") -> None:
        self._first = first
        self._last = bytearray(last)

    def add(self, line: RawLine) -> None:
        """Take in the line that follows."""
        if len(self._first) < HASHED:
            self._first = (self._first + line.first)[:HASHED]
        self._last += line.last
        if len(self._last) > _KEPT:
            del self._last[:-HASHED]

    def hashes(self) -> tuple[str, str]:
        """Return what a checkpoint at this place knows the file by."""
        last = bytes(self._last[-HASHED:])
        return hashlib.sha256(self._first).hexdigest(), hashlib.sha256(last).hexdigest()


def trail_to(file: BinaryIO, offset: int, *, hashes: tuple[str, str]) -> Trail | None:
    """Return the trail up to *offset*, or None if the file did more than grow.

    Without growth something else has changed.

    Args:
        hashes: What the file was known by when reading stopped there.
    """
    size = min(HASHED, offset)
    try:
        first = file.read(size)
        file.seek(offset - size)
        last = file.read(size + 1)
    except OSError:  # it breaks off before
        return None
    trail = Trail(first, last[:size])
    return trail if len(last) > size and trail.hashes() == hashes else None
