"""Parting a SpecStory file into its messages, line by line.

Nothing in it is escaped, so that a message may hold what looks like the head of another
one: somebody lets an assistant read an older session, or shows it in a fence. What
tells: such a head stands in a fence, a thought or a tool's block, and its time is
not later than the message that it is quoted in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import BinaryIO

from ._specstory_fences import Fence, closing_mark
from ._specstory_heads import Head, Header, head_in

__all__ = [
    "LONGEST_SECTION",
    "Part",
    "PartKind",
    "Section",
    "Survey",
    "header_of",
    "sections_of",
    "survey_of",
]

LONGEST_SECTION = 8 * 1024 * 1024
"""Bytes. A longer message is passed over: nothing that was said is as long."""

_LONGEST_LINE = 1024 * 1024
_FIRST_LINES = 50
_LONGEST_MARK = 32

_TOOL = re.compile(r"<tool-use [^<>]{1,400}>")
_LEGACY_TOOL = re.compile(r"Tool use: \*\*[^*]{1,200}\*\*")


class PartKind(Enum):
    """What a run of lines in a message is."""

    TEXT = "text"
    THOUGHT = "thought"
    TOOL = "tool"
    LEGACY_TOOL = "legacy tool"


_CLOSED = (PartKind.THOUGHT, PartKind.TOOL)
"""Parts that have an end of their own."""


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a message that are of one kind."""

    kind: PartKind
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A message as it stands in the file. Of one that is too long there are no parts.

    `is_whole` says that there was one before the longest was reached.
    """

    head: Head
    offset: int
    length: int = 0
    is_whole: bool = True
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Survey:
    """What has to be known of a file before its first message can be read.

    `latest` is the last time that any head names. `closings` says where the last mark
    is that closes a fence, by its sign and length.
    """

    latest: datetime | None = None
    closings: dict[tuple[str, int], int] = field(default_factory=dict)

    def closes(self, offset: int, mark: str) -> bool:
        """Say whether a fence that *mark* opens at *offset* is closed again."""
        length = min(len(mark), _LONGEST_MARK)
        return any(
            last > offset
            for (sign, of_length), last in self.closings.items()
            if sign == mark[0] and of_length >= length
        )


def survey_of(file: BinaryIO) -> Survey:
    """Return what a file has to be looked through for, from its start."""
    survey = Survey()
    is_after_blank = True
    for offset, _, line in _lines(file):
        if mark := closing_mark(line):
            survey.closings[mark[0], min(len(mark), _LONGEST_MARK)] = offset
        elif is_after_blank and (head := head_in(line)) and head.at:
            survey.latest = max(head.at, survey.latest or head.at)
        is_after_blank = not line.strip()
    return survey


def header_of(file: BinaryIO) -> Header:
    """Return what stands above the first message, within the first lines."""
    header = Header()
    for nth, (_, _, line) in enumerate(_lines(file)):
        if head_in(line) is not None:
            header.is_known = True
            break
        header.add(line)
        if nth == _FIRST_LINES:
            break
    return header


def sections_of(file: BinaryIO, survey: Survey) -> Iterator[Section]:
    """Yield the messages of a file in order."""
    body: _Body | None = None
    is_after_blank = True
    for offset, length, line in _lines(file):
        head = head_in(line) if is_after_blank else None
        if head is not None and (body is None or body.gives_way_to(head)):
            if body is not None:
                yield body.section
            clock = _Clock() if body is None else body.clock
            body = _Body(Section(head, offset, length), clock, survey)
        elif body is not None:
            body.add(line, offset, length)
        is_after_blank = not line.strip()
    if body is not None:
        yield body.section


def _lines(file: BinaryIO) -> Iterator[tuple[int, int, str]]:
    """Yield each line of a file from its start: where it is, its length, its text."""
    file.seek(0, os.SEEK_SET)
    offset = 0
    while raw := file.readline(_LONGEST_LINE):
        text = raw.decode("utf-8", errors="replace")
        if offset == 0:
            text = text.removeprefix("\ufeff")
        yield offset, len(raw), text.rstrip("\r\n").replace("\0", " ")
        offset += len(raw)


@dataclass(slots=True)
class _Clock:
    """The times of the first head of a file and of the last."""

    first: datetime | None = None
    last: datetime | None = None


class _Body:
    """A message on its way: its section, and what its last line stands in."""

    def __init__(self, section: Section, clock: _Clock, survey: Survey) -> None:
        self.section = section
        self.clock = clock
        self._survey = survey
        self._begin(PartKind.TEXT)
        if (at := section.head.at) is not None:
            clock.first = clock.first or at
            clock.last = max(at, clock.last or at)

    def _begin(self, kind: PartKind) -> None:
        self._part = Part(kind)
        self._fence = Fence(self._survey.closes)
        if self.section.is_whole:
            self.section.parts.append(self._part)

    def gives_way_to(self, head: Head) -> bool:
        """Say whether a line that looks like a head begins the next message."""
        is_enclosed = self._fence.holds or self._part.kind in _CLOSED
        if head.at is None:
            return not is_enclosed
        if is_enclosed:  # a block may lack its end: what is later was not quoted in it
            return self.clock.last is None or head.at > self.clock.last
        return self.clock.first is None or head.at >= self.clock.first

    def add(self, line: str, offset: int, length: int) -> None:
        """Take in a line that is no head."""
        section = self.section
        section.length += length
        if section.length > LONGEST_SECTION:
            section.is_whole = False
            section.parts.clear()
        is_free = not self._fence.holds
        begins = self._kind_begun(line) if is_free else None
        if begins is not None:
            self._begin(begins)
        is_last = is_free and self._is_ended(line)
        if section.is_whole and not (is_last and line.strip() == "---"):
            self._part.lines.append(line)
        if is_last:
            self._begin(PartKind.TEXT)
        elif begins is None and self._part.kind is not PartKind.THOUGHT:
            self._fence.pass_over(line, offset)

    def _kind_begun(self, line: str) -> PartKind | None:
        """Return what a line begins; a person's message is nothing but text."""
        if self.section.head.is_user or self._part.kind in _CLOSED:
            return None
        if line.startswith("<think>"):
            return PartKind.THOUGHT
        if _TOOL.match(line):
            return PartKind.TOOL
        return PartKind.LEGACY_TOOL if _LEGACY_TOOL.match(line) else None

    def _is_ended(self, line: str) -> bool:
        match self._part.kind:
            case PartKind.THOUGHT:
                return line.rstrip().endswith("</think>")
            case PartKind.TOOL:
                return line.rstrip().endswith("</tool-use>")
            case PartKind.LEGACY_TOOL:
                return line.strip() == "---"
            case _:
                return False
