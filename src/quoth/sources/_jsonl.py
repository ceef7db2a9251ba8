"""Reading JSON lines that other programs write, crash over and glue together.

One bad line costs that line. Every rule here answers a report from the field.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, BinaryIO, Protocol

from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Replace,
    Rewind,
    Skipped,
    Unit,
    Usage,
)

from ._files import open_read_only

__all__ = ["Draft", "LineParser", "Record", "read_json_lines"]

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes. A longer line is skipped unread: decoding it would take half a gigabyte."""

HEAD = 200
"""Bytes of a line that a source may look at to pass over it without decoding."""

JOINED_LINES = 20
"""How many lines on a string that was left open is followed over raw newlines."""

BATCH_RECORDS = 200
BATCH_BYTES = 4 * 1024 * 1024
HASHED = 4096

_DECODER = json.JSONDecoder(strict=False)  # raw control characters occur in strings
_ANY_NUMBER = json.JSONDecoder(strict=False, parse_int=float)
_UNBINDABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_RESTART = re.compile(r'\{"(?:type|timestamp|parentUuid|uuid|id|record_type|role)":')


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object and the line it came from; `nth` counts objects on that line."""

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
    """

    state: dict[str, Any]

    def feed(self, record: Record, draft: Draft) -> None:
        """Add what *record* holds to *draft*."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield the unit's conversations as far as they are known."""


def read_json_lines(
    unit: Unit,
    since: Checkpoint | None,
    *,
    parser: Callable[[dict[str, Any]], LineParser],
    passes_over: Callable[[bytes], str | None] = lambda head: None,
) -> Iterator[Append | Replace | Skipped]:
    """Read a file of JSON lines from *since*, or from its start if that no longer fits.

    Args:
        parser: Makes a parser that goes on from a checkpoint's state.
        passes_over: Names the type of a line to pass over, from its first bytes.

    Raises:
        UnreadableUnitError: The file cannot be opened.
    """
    with open_read_only(unit.path) as file:
        start = since if since is not None and _fits(file, since) else None
        kind: type[Append | Replace] = Append if start else Replace
        position = begun = start.offset if start else 0
        lines = parser(deepcopy(dict(start.state)) if start else {})
        draft = Draft()
        unfinished: list[Record] = []
        for line in _lines(file, position, passes_over):
            if len(draft.records) >= BATCH_RECORDS or position - begun >= BATCH_BYTES:
                yield _batch(kind, draft, lines, _checkpoint(file, position, lines))
                kind, draft, begun = Append, Draft(), position
            if line.problem:
                yield Skipped(offset=line.offset, reason=line.problem)
            if line.unfinished:
                unfinished += line.records
                continue
            if line.passed:
                draft.ignored[line.passed] += 1
            for record in line.records:
                lines.feed(record, draft)
            position = line.offset + line.length
        checkpoint = _checkpoint(file, position, lines)
        settled = Counter(draft.ignored)
        for record in unfinished:  # used now, and read again when they are finished
            lines.feed(record, draft)
        draft.ignored = settled
        yield _batch(kind, draft, lines, checkpoint)


def _batch(
    kind: type[Append | Replace],
    draft: Draft,
    lines: LineParser,
    checkpoint: Checkpoint,
) -> Append | Replace:
    return kind(
        conversations=tuple(lines.conversations()),
        records=tuple(draft.records),
        usage=tuple(draft.usage.values()),
        ignored=dict(draft.ignored),
        checkpoint=checkpoint,
    )


def _checkpoint(file: BinaryIO, offset: int, lines: LineParser) -> Checkpoint:
    head, tail = _hashes(file, offset)
    state: Mapping[str, Any] = deepcopy(lines.state)
    return Checkpoint(offset=offset, head=head, tail=tail, state=state)


def _fits(file: BinaryIO, since: Checkpoint) -> bool:
    """Say whether the file only grew. Without growth something else has changed."""
    size = os.fstat(file.fileno()).st_size
    return size > since.offset and _hashes(file, since.offset) == (
        since.head,
        since.tail,
    )


def _hashes(file: BinaryIO, offset: int) -> tuple[str, str]:
    place = file.tell()
    file.seek(0)
    head = hashlib.sha256(file.read(min(HASHED, offset))).hexdigest()
    file.seek(max(0, offset - HASHED))
    tail = hashlib.sha256(file.read(min(HASHED, offset))).hexdigest()
    file.seek(place)
    return head, tail


@dataclass(slots=True)
class _Line:
    """What one line came to. `unfinished`: the writer may not be done with it."""

    offset: int
    length: int
    records: list[Record] = field(default_factory=list)
    passed: str | None = None
    problem: str | None = None
    unfinished: bool = False


class _Raw:
    """Lines as bytes with their offsets, split at newlines only, with a look ahead."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        file.seek(start)
        self._file = file
        self._offset = start
        self._ahead: deque[tuple[int, bytes]] = deque()

    def take(self) -> tuple[int, bytes] | None:
        return self._ahead.popleft() if self._ahead else self._next()

    def peek(self, count: int) -> list[tuple[int, bytes]]:
        while len(self._ahead) < count and (line := self._next()) is not None:
            self._ahead.append(line)
        return list(self._ahead)[:count]

    def length_of_rest(self) -> int:
        """Pass over the rest of a line that was too long; return its bytes, or -1."""
        rest = 0
        while chunk := self._file.readline(1024 * 1024):
            rest += len(chunk)
            self._offset += len(chunk)
            if chunk.endswith(b"\n"):
                return rest
        return -1

    def _next(self) -> tuple[int, bytes] | None:
        offset = self._offset
        self._file.seek(offset)  # hashing moves the position between two batches
        raw = self._file.readline(LONGEST_LINE)
        self._offset += len(raw)
        return (offset, raw) if raw else None


def _lines(
    file: BinaryIO, start: int, passes_over: Callable[[bytes], str | None]
) -> Iterator[_Line]:
    raw_lines = _Raw(file, start)
    open_string = False  # a string left open may go on in lines yet to be written
    while (taken := raw_lines.take()) is not None:
        offset, raw = taken
        line = _Line(offset, len(raw), unfinished=open_string)
        if not raw.endswith(b"\n"):
            if len(raw) >= LONGEST_LINE:
                rest = raw_lines.length_of_rest()
                line.problem = f"line longer than {LONGEST_LINE // 2**20} MB"
                line.length += max(rest, 0)
                line.unfinished |= rest < 0
                yield line
                continue
            line.unfinished = True
        body = raw.removeprefix(b"\xef\xbb\xbf") if offset == 0 else raw
        body = body.strip(b"\0\r\n\t ")
        if not body:
            yield line
            continue
        if name := passes_over(body[:HEAD]):
            line.passed = name
            yield line
            continue
        values, line.problem = _objects(_text(body))
        if not raw.endswith(b"\n"):
            line.problem = None  # a line in the middle of being written is no fault
        elif line.problem == _OPEN:
            following = [ahead for _, ahead in raw_lines.peek(JOINED_LINES)]
            verdict, values, used = _joined(body, following)
            if verdict is _Verdict.JOINED:
                line.problem = None
                for _ in range(used):
                    line.length += len((raw_lines.take() or (0, b""))[1])
            elif verdict is _Verdict.UNDECIDED:
                open_string = line.unfinished = True
        line.records = [
            Record(offset, line.length, value, nth) for nth, value in enumerate(values)
        ]
        yield line


_OPEN = "a string is not closed"


def _text(body: bytes) -> str:
    if b"\0" in body:
        body = body.replace(b"\0", b" ")
    return body.decode("utf-8", errors="replace")


class _Verdict(Enum):
    JOINED = "the lines make an object"
    REFUTED = "the string was torn, not continued"
    UNDECIDED = "the lines that would tell are not written yet"


def _joined(
    body: bytes, following: list[bytes]
) -> tuple[_Verdict, list[dict[str, Any]], int]:
    """Decode an object whose strings hold raw newlines; say how many lines it took."""
    text = _text(body)
    for count, raw in enumerate(following, start=1):
        if not raw.endswith(b"\n"):
            return _Verdict.UNDECIDED, [], 0
        if _is_record(raw):
            return _Verdict.REFUTED, [], 0
        text += "\n" + _text(raw.rstrip(b"\r\n"))
        values, problem = _objects(text)
        if problem is None:
            return _Verdict.JOINED, values, count
    complete = len(following) == JOINED_LINES
    return (_Verdict.REFUTED if complete else _Verdict.UNDECIDED), [], 0


def _is_record(raw: bytes) -> bool:
    try:
        return isinstance(_DECODER.decode(_text(raw.strip())), dict)
    except (ValueError, RecursionError):
        return False


def _objects(text: str) -> tuple[list[dict[str, Any]], str | None]:
    """Return the objects on a line, and what was wrong with it."""
    try:
        value = _decode(text)
    except json.JSONDecodeError as exc:
        return _recovered(text, exc)
    except RecursionError:
        return [], "nested too deeply"
    if not isinstance(value, dict):
        return [], "not an object"
    return [value], None


def _decode(text: str) -> Any:
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python will convert
        value = _ANY_NUMBER.decode(text)
    return _clean(value) if _UNBINDABLE.search(text) else value


def _recovered(
    text: str, exc: json.JSONDecodeError
) -> tuple[list[dict[str, Any]], str | None]:
    """Take glued objects apart; after a torn one go on at the next that is whole."""
    values = _glued(text, 0)
    if values:
        return values, None
    for restart in _RESTART.finditer(text, 1):
        values = _glued(text, restart.start())
        if values:
            return values, f"cut short; {len(values)} glued to it recovered"
    if exc.msg.startswith("Unterminated string") and text.startswith("{"):
        return [], _OPEN
    return [], "not valid JSON"


def _glued(text: str, start: int) -> list[dict[str, Any]]:
    """Return the objects that fill *text* from *start* to its end, or none."""
    values = []
    position = start
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        values.append(_clean(value))
        while position < len(text) and text[position] in " \t\r\0":
            position += 1
    return values


def _clean(value: Any) -> Any:
    """Replace what neither SQLite nor a terminal takes: lone surrogates and NUL."""
    if isinstance(value, str):
        value = value.replace("\0", " ")
        if _SURROGATE.search(value):
            value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value
