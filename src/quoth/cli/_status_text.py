"""What the archive holds, for people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from quoth.model import SourceStatus, Status

from ._freshness_text import freshness_line
from ._layout import columns, counted, filled, one_line, size
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
        return (
            f"No archive at {one_line(str(status.home))} yet.\n"
            "Make one with: quoth sync"
        )
    sentences = [
        line
        for sentence in _sentences(status, now=now)
        for line in filled(one_line(sentence), terminal.width)
    ]
    return "\n".join(
        [
            terminal.bold(one_line(str(status.home))),
            *sentences,
            *_sources(status, now=now, terminal=terminal),
        ]
    )


def _sentences(status: Status, *, now: datetime) -> Iterator[str]:
    held = status.recorded
    yield (
        f"{counted(held.messages, 'message', at_least=not held.exact)} in "
        f"{counted(held.conversations, 'conversation')}; {size(status.size)} on disk."
    )
    yield (
        f"Kept apart: {counted(status.superseded, 'superseded message')}, "
        f"{status.noise:,} of machine text. Passed over: "
        f"{counted(sum(status.ignored.values()), 'bookkeeping record')}."
    )
    yield (
        f"Embedded {status.embedded:,} of {counted(status.embeddable, 'message')} "
        f"with {status.identity}."
    )
    yield f"Archive schema {status.schema}, secret rules {status.rules_version}."
    yield _freshness(status, now=now)


def _freshness(status: Status, *, now: datetime) -> str:
    if stale := freshness_line(status.freshness, now=now):
        return stale
    if status.freshness.last_sync is None:
        return "Never synced: quoth sync"
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
    for sentence in filter(None, map(_losses, status.sources)):
        yield from filled(sentence, terminal.width)


def _stacked(row: tuple[str, ...], terminal: Terminal) -> Iterator[str]:
    yield terminal.bold(row[0])
    for name, value in zip(_HEAD[1:], row[1:], strict=True):
        yield f"  {name} {value}"


def _losses(source: SourceStatus) -> str:
    """Return what of a source is gone or could not be used."""
    counts = {
        f"{counted(source.gone, 'conversation')} gone and kept here": source.gone,
        f"{counted(source.skipped, 'record')} skipped": source.skipped,
        f"{counted(source.failed, 'file')} not readable": source.failed,
    }
    said = [text for text, number in counts.items() if number]
    return f"{one_line(source.source)}: {', '.join(said)}." if said else ""


def _row(source: SourceStatus, *, now: datetime) -> tuple[str, ...]:
    numbers = (source.conversations, source.subagents, source.messages, source.units)
    newest = "-" if source.newest is None else when(source.newest, now=now)
    return (one_line(source.source), *(f"{number:,}" for number in numbers), newest)
