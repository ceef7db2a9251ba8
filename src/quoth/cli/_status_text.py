"""What the archive holds, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from quoth.model import SourceStatus, Status

from ._freshness_text import freshness_line
from ._layout import columns, counted, folded, one_line, size
from ._problems_text import problem_lines
from ._terminal import Terminal
from ._times import when

__all__ = ["status_text"]

_HEAD = (
    "source",
    "conversations",
    "subagents",
    "messages",
    "files",
    "newest",
)


def status_text(status: Status, *, now: datetime, terminal: Terminal) -> str:
    """Return the status as a few sentences and a table of the sources."""
    if not status.exists:
        return _lines(
            [f"No archive at {status.home} yet.", "Make one with: quoth sync"], terminal
        )
    parts = [
        terminal.bold(one_line(str(status.home))),
        _lines(_sentences(status, now=now), terminal),
        "\n".join(_sources(status, now=now, terminal=terminal)),
        _lines(_gone(status), terminal),
        _lines(problem_lines(status.skipped, status.failed), terminal),
    ]
    return "\n".join(filter(None, parts))


def _lines(sentences: Iterable[str], terminal: Terminal) -> str:
    return "\n".join(
        line
        for sentence in filter(None, sentences)
        for line in folded(sentence, terminal.width)
    )


def _sentences(status: Status, *, now: datetime) -> Iterator[str]:
    held = status.recorded
    yield (
        f"{counted(held.messages, 'message', at_least=not held.exact)} in "
        f"{counted(held.conversations, 'conversation')}; {size(status.size)} on disk."
    )
    yield _kept_apart(status)
    yield from _meaning(status)
    yield f"Archive schema {status.schema}, secret rules {status.rules_version}."
    if status.waiting_for_rules:
        waiting = counted(status.waiting_for_rules, "message")
        yield f"The next sync lets newer secret rules go through {waiting}."
    yield _freshness(status, now=now)


def _meaning(status: Status) -> Iterator[str]:
    # Many messages are no prose, so the whole is another number than that of all.
    said_with = f" (with {one_line(status.identity)})" if status.identity else ""
    yield (
        f"Can be found by meaning: {status.embedded:,} of {status.embeddable:,} "
        f"prompts and replies that are long enough{said_with}."
    )
    if status.refused:
        refused = counted(status.refused, "text")
        yield f"{refused} could not be embedded. Ask again: quoth embed --retry"
    if status.coming is not None:
        coming = status.coming
        yield (
            f"{one_line(coming.name)} serves once it is through: {coming.embedded:,}"
            f" done, {coming.lacking:,} left. Go on with: quoth embed"
        )


def _kept_apart(status: Status) -> str:
    """Return what is held and not counted, or nothing where there is none of it."""
    counts = {
        counted(status.superseded, "superseded message"): status.superseded,
        f"{status.noise:,} of machine text": status.noise,
    }
    said = ", ".join(text for text, number in counts.items() if number)
    parts = [f"Kept apart: {said}."] if said else []
    if passed_over := sum(status.ignored.values()):
        parts.append(f"Passed over: {counted(passed_over, 'bookkeeping record')}.")
    if status.forgotten:
        forgotten = counted(status.forgotten, "conversation")
        parts.append(f"Forgotten: {forgotten}. The list: quoth forget --list")
    return " ".join(parts)


def _freshness(status: Status, *, now: datetime) -> str:
    if stale := freshness_line(status.freshness, now=now):
        return stale
    if status.freshness.last_sync is None:
        return "No sync has been finished yet: quoth sync"
    synced = f"Last sync: {when(status.freshness.last_sync, now=now)}"
    if status.freshness.changed_files is None:
        return f"{synced}."
    return f"{synced}; nothing has changed since."


def _sources(status: Status, *, now: datetime, terminal: Terminal) -> Iterator[str]:
    """Yield the sources as a table, or one under the other where that is too wide."""
    if not status.sources:
        return
    yield ""
    rows = [_row(source, now=now) for source in status.sources]
    if table := columns([_HEAD, *rows], terminal.width):
        yield terminal.dim(table[0])
        yield from table[1:]
    else:
        yield from (line for row in rows for line in _stacked(row, terminal))


def _gone(status: Status) -> Iterator[str]:
    for source in status.sources:
        if source.gone:
            gone = counted(source.gone, "conversation")
            yield f"{source.source}: {gone} gone at the source and kept here."


def _stacked(row: tuple[str, ...], terminal: Terminal) -> Iterator[str]:
    yield terminal.bold(row[0])
    for name, value in zip(_HEAD[1:], row[1:], strict=True):
        yield f"  {name} {value}"


def _row(source: SourceStatus, *, now: datetime) -> tuple[str, ...]:
    numbers = (source.conversations, source.subagents, source.messages, source.units)
    newest = "-" if source.newest is None else when(source.newest, now=now)
    return (one_line(source.source), *(f"{number:,}" for number in numbers), newest)
