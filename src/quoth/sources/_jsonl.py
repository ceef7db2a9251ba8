"""Reading JSON lines that other programs write, crash over and glue together.

One bad line costs that line. Every rule here answers a report from the field.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Origin,
    Replace,
    Rewind,
    Skipped,
    Unit,
    Usage,
)

from ._decoding import OPEN_STRING, end_of_first, is_object, objects_in
from ._files import open_read_only
from ._lines import BLANK, LONGEST_LINE, RawLine, RawLines, Trail, trail_to

__all__ = [
    "BATCH_RECORDS",
    "FIRST_LINES",
    "Draft",
    "LineParser",
    "Record",
    "batch_of",
    "first_values",
    "messages_at",
    "read_json_lines",
    "records_in",
]

HEAD = 512
"""Bytes of a line that a source may look at to pass over it without decoding."""

JOINED_LINES = 20
JOINED_BYTES = 1024 * 1024
"""How far on a string that was left open is followed over raw newlines."""

FIRST_LINES = 20
LONGEST_FIRST_LINE = 8 * 1024 * 1024
"""How far into a file its format is looked for."""

REACH = 50
"""Lines after a cited one that may tell whose words it holds."""

BATCH_RECORDS = 200
BATCH_BYTES = 4 * 1024 * 1024
BATCH_SKIPS = 2_000
"""Whoever reads holds what is skipped until the batch it goes with."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object and the line it came from, without what is blank at its end.

    `nth` counts the objects on that line.
    """

    offset: int
    length: int
    value: dict[str, Any]
    nth: int = 0

    @property
    def place(self) -> str:
        """A name for records that carry no id, the same at every reading."""
        return f"@{self.offset}" + (f".{self.nth}" if self.nth else "")


@dataclass(slots=True)
class Draft:
    """A batch in the making: what a parser adds to as it is fed.

    `usage` is by call id: a later snapshot of a call takes the place of an earlier one.
    """

    records: list[Message | Rewind] = field(default_factory=list)
    usage: dict[str, Usage] = field(default_factory=dict)
    ignored: Counter[str] = field(default_factory=Counter)


class LineParser(Protocol):
    """Turns one unit's records into messages, in file order.

    Attributes:
        state: Plain JSON values, all that has to be remembered between two records.
        by_conversation: As in `Checkpoint`.
    """

    state: dict[str, Any]
    by_conversation: str

    def feed(self, record: Record, draft: Draft) -> None:
        """Add what *record* holds to *draft*."""

    def settle(self, draft: Draft) -> None:
        """Add what was held back for a later record, at what is the end for now."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield the unit's conversations as far as they are known."""


def read_json_lines(
    unit: Unit,
    since: Checkpoint | None,
    *,
    parser: Callable[[dict[str, Any]], LineParser],
    passes_over: Callable[[bytes], str | None] = lambda _: None,
    opens: Callable[[Path], BinaryIO] = open_read_only,
) -> Iterator[Append | Replace | Skipped]:
    """Read a file of JSON lines from *since*, or from its start if that no longer fits.

    Where no more can be read, what came before is kept.

    Args:
        parser: Makes a parser that goes on from a checkpoint's state.
        passes_over: Names the type of a line to pass over, from its first bytes.
        opens: Opens the file; offsets are places in what that gives.

    Raises:
        UnreadableUnitError: The file cannot be opened, or nothing in it be read.
    """
    with opens(unit.path) as file:
        trail = _trail_to(file, since)
        start = since if trail is not None else None
        trail = trail or Trail()
        kind: type[Append | Replace] = Append if start else Replace
        position = begun = start.offset if start else 0
        lines = parser(deepcopy(dict(start.state)) if start else {})
        draft, skipped = Draft(), 0
        unfinished: list[Record] = []
        raw_lines = RawLines(file, position)
        for line in _lines(raw_lines, passes_over):
            is_full = len(draft.records) >= BATCH_RECORDS or skipped >= BATCH_SKIPS
            if is_full or position - begun >= BATCH_BYTES:
                checkpoint = _checkpoint(trail, position, lines)
                yield batch_of(kind, draft, lines, checkpoint)
                kind, draft, begun, skipped = Append, Draft(), position, 0
            if line.problem:
                skipped += 1
                yield Skipped(offset=line.offset, reason=line.problem)
            if line.unfinished:
                unfinished += line.records
                continue
            if line.passed:
                draft.ignored[line.passed] += 1
            for record in line.records:
                lines.feed(record, draft)
            position = line.offset + line.length
            for raw in line.raws:
                trail.add(raw)
        if raw_lines.problem is not None:
            if not raw_lines.offset:
                raise UnreadableUnitError(unit.path, why=raw_lines.problem)
            yield Skipped(offset=raw_lines.offset, reason=raw_lines.problem)
        checkpoint = _checkpoint(trail, position, lines)
        _use_ahead(unfinished, lines, draft)
        lines.settle(draft)  # the checkpoint still has it held back
        yield batch_of(kind, draft, lines, checkpoint)


def records_in(
    file: BinaryIO, *, passes_over: Callable[[bytes], str | None], start: int = 0
) -> Iterator[Record]:
    """Yield the records of a file of JSON lines, as far as it can be read."""
    for line in _lines(RawLines(file, start), passes_over):
        yield from line.records


def messages_at(
    unit: Unit,
    origin: Origin,
    *,
    parser: Callable[[dict[str, Any]], LineParser],
    opens: Callable[[Path], BinaryIO] = open_read_only,
) -> tuple[Message, ...]:
    """Read again what came from the line at *origin*, and only that.

    What a line says is known from the line itself, but for a prompt that is held back
    until the records after it tell whose it was: so a few of those are read as well.

    Raises:
        UnreadableUnitError: The file cannot be opened, or not be read that far.
    """
    lines, draft = parser({}), Draft()
    with opens(unit.path) as file:
        raw_lines = RawLines(file, origin.offset)
        for line in islice(_lines(raw_lines, lambda _: None), REACH):
            for record in line.records:
                lines.feed(record, draft)
            if _from_line(draft, origin):
                break
    lines.settle(draft)
    found = _from_line(draft, origin)
    if raw_lines.problem is not None and not found:
        raise UnreadableUnitError(unit.path, why=raw_lines.problem)
    return found


def first_values(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects on the first lines of a file, as far as they can be decoded.

    Raises:
        UnreadableUnitError: The file cannot be opened.
    """
    with open_read_only(path) as file:
        for _ in range(FIRST_LINES):
            line = file.readline(LONGEST_FIRST_LINE)
            text = line.decode("utf-8-sig", errors="replace").strip("\0 \t\r\n")
            yield from objects_in(text)[0]


def _from_line(draft: Draft, origin: Origin) -> tuple[Message, ...]:
    return tuple(
        item
        for item in draft.records
        if isinstance(item, Message) and item.origin.offset == origin.offset
    )


def _use_ahead(records: list[Record], lines: LineParser, draft: Draft) -> None:
    """Use records before their lines are finished; they are read again when they are.

    What happens twice must not count twice: types ignored are left to the second
    reading, and so is a rewind with what follows it, which would supersede itself.
    """
    for record in records:
        ahead = Draft()
        lines.feed(record, ahead)
        if any(isinstance(item, Rewind) for item in ahead.records):
            return
        draft.records += ahead.records
        draft.usage |= ahead.usage


def batch_of(
    kind: type[Append | Replace],
    draft: Draft,
    parser: LineParser,
    checkpoint: Checkpoint,
) -> Append | Replace:
    """Return what was drafted, with the conversations as the parser knows them now."""
    return kind(
        conversations=tuple(parser.conversations()),
        records=tuple(draft.records),
        usage=tuple(draft.usage.values()),
        ignored=dict(draft.ignored),
        checkpoint=checkpoint,
    )


def _checkpoint(trail: Trail, offset: int, lines: LineParser) -> Checkpoint:
    head, tail = trail.hashes()
    state = json.loads(json.dumps(lines.state))  # a copy, several times faster
    return Checkpoint(
        offset=offset,
        head=head,
        tail=tail,
        state=state,
        by_conversation=lines.by_conversation,
    )


def _trail_to(file: BinaryIO, since: Checkpoint | None) -> Trail | None:
    if since is None:
        return None
    return trail_to(file, since.offset, hashes=(since.head, since.tail))


@dataclass(slots=True)
class _Line:
    """What one line, or several that belong together, came to.

    `unfinished`: the writer may not be done with it.
    """

    raws: list[RawLine]
    offset: int
    length: int
    records: list[Record] = field(default_factory=list)
    passed: str | None = None
    problem: str | None = None
    unfinished: bool = False


def _lines(
    raw_lines: RawLines, passes_over: Callable[[bytes], str | None]
) -> Iterator[_Line]:
    open_string = False  # a string left open may go on in lines yet to be written
    while (raw := raw_lines.take()) is not None:
        line = _line(raw, raw_lines, passes_over)
        open_string |= line.unfinished and raw.ended
        line.unfinished |= open_string
        yield line


def _line(
    raw: RawLine, following: RawLines, passes_over: Callable[[bytes], str | None]
) -> _Line:
    line = _Line([raw], raw.offset, raw.length, unfinished=not raw.ended)
    if raw.is_too_long:
        line.problem = f"line longer than {LONGEST_LINE // 2**20} MB"
        return line
    at_start = raw.offset == 0
    body = raw.content.removeprefix(b"\xef\xbb\xbf") if at_start else raw.content
    body = body.strip(BLANK)
    if not body:
        return line
    line.passed = passes_over(body[:HEAD])
    if line.passed and b"}{" not in body:  # else another record may be glued to it
        return line
    line.passed = None
    values = _values(body, line, following)
    last = line.raws[-1]
    length = last.end - raw.offset
    line.length = last.offset + last.length - raw.offset
    line.records = [
        Record(raw.offset, length, value, nth) for nth, value in enumerate(values)
    ]
    return line


def _values(body: bytes, line: _Line, following: RawLines) -> list[dict[str, Any]]:
    """Decode a line, with those after it where a string was left open."""
    values, problem = objects_in(_text(body))
    if line.unfinished:  # in the middle of being written: no fault, and no use either
        return [] if problem else values
    if problem == OPEN_STRING:
        verdict, joined = _joined(body, following)
        line.unfinished = verdict is _Verdict.UNDECIDED
        if joined is not None:
            values, more = joined
            line.raws += more
            return values
    line.problem = problem
    return values


def _text(body: bytes) -> str:
    if b"\0" in body:
        body = body.replace(b"\0", b" ")
    return body.decode("utf-8", errors="replace")


class _Verdict(Enum):
    JOINED = "the lines make an object"
    REFUTED = "the string was torn, not continued"
    UNDECIDED = "the lines that would tell are not written yet"


def _joined(
    body: bytes, following: RawLines
) -> tuple[_Verdict, tuple[list[dict[str, Any]], list[RawLine]] | None]:
    """Decode an object whose strings hold raw newlines; take the lines it goes over.

    Decoded once for all lines, and before that for the first: most are refuted there.
    """
    text, ends = _text(body), list[int]()
    verdict, size = _Verdict.REFUTED, len(body)
    while len(ends) < JOINED_LINES:
        raw = following.peek(len(ends) + 1)
        if raw is None or not raw.ended:
            verdict = _Verdict.UNDECIDED
            break
        size += raw.length
        if raw.is_too_long or size > JOINED_BYTES:
            break
        line = _text(raw.content.rstrip(b"\r\n"))
        if is_object(line.strip()):
            break
        text += "\n" + line
        ends.append(len(text))
        if len(ends) == 1 and end_of_first(text) is None:
            return _Verdict.REFUTED, None
    end = end_of_first(text)
    if end is None:
        return _Verdict.REFUTED, None
    count = bisect_left(ends, end) + 1
    return _taken(text, ends, count, following) if end <= len(text) else (verdict, None)


def _taken(
    text: str, ends: list[int], count: int, following: RawLines
) -> tuple[_Verdict, tuple[list[dict[str, Any]], list[RawLine]] | None]:
    """Take *count* lines if all that stands on them is whole."""
    values, problem = objects_in(text[: ends[count - 1]])
    if problem is not None:
        return _Verdict.REFUTED, None
    taken = (following.take() for _ in range(count))
    return _Verdict.JOINED, (values, [raw for raw in taken if raw is not None])
