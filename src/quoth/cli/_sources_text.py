"""Where each source looks, what was found there and what it can tell, for people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from quoth.model import Fact, PlaceState, SourceOverview, SourcePlace, Sources

from ._layout import counted, folded, one_line, size
from ._problems_text import unloaded_lines
from ._terminal import Terminal
from ._times import when

__all__ = ["sources_text"]

_MOST_IMPORTED = 3


def sources_text(found: Sources, *, now: datetime, terminal: Terminal) -> str:
    """Return every source with its places, in a few lines each."""
    blocks = [
        "\n".join(
            [terminal.bold(one_line(source.name)), *_lines(source, now, terminal)]
        )
        for source in found.sources
    ]
    problems = [*unloaded_lines(found.unloaded)]
    if problems:
        blocks.append(
            "\n".join(
                line for each in problems for line in folded(each, terminal.width)
            )
        )
    return "\n\n".join(blocks)


def _lines(source: SourceOverview, now: datetime, terminal: Terminal) -> Iterator[str]:
    for sentence in _sentences(source, now):
        yield from folded(f"  {sentence}", terminal.width)


def _sentences(source: SourceOverview, now: datetime) -> Iterator[str]:
    if source.package is not None:
        yield f"From the package {source.package}."
    yield from map(_place, source.places)
    if not source.places:
        yield "Looks nowhere by itself: quoth import PATH"
    yield from _imported(source)
    yield _recorded(source, now)
    yield from _problems(source)
    yield _told(source.facts)


def _place(place: SourcePlace) -> str:
    match place.state:
        case PlaceState.MISSING:
            what = "not there"
        case PlaceState.UNREADABLE:
            what = "can't be read"
        case PlaceState.FOUND:
            what = f"{counted(place.units, 'file')}, {size(place.size)}"
    return f"{place.path}: {what}"


def _imported(source: SourceOverview) -> Iterator[str]:
    for path in source.imported[:_MOST_IMPORTED]:
        yield f"{path}: imported"
    if (more := source.imported_total - _MOST_IMPORTED) > 0:
        yield f"and {counted(more, 'more imported file')}"


def _recorded(source: SourceOverview, now: datetime) -> str:
    held = source.recorded
    if held is None or not (held.conversations or held.subagents):
        return "Nothing recorded."
    parts = [counted(held.conversations, "conversation")]
    if held.subagents:
        parts.append(counted(held.subagents, "subagent"))
    parts.append(counted(held.messages, "message"))
    newest = "" if held.newest is None else f"; newest {when(held.newest, now=now)}"
    return f"Recorded: {', '.join(parts)}{newest}."


def _problems(source: SourceOverview) -> Iterator[str]:
    held = source.recorded
    if held is None:
        return
    counts = {
        f"{counted(held.failed, 'file')} not read": held.failed,
        f"{counted(held.skipped, 'record')} skipped": held.skipped,
        f"{counted(held.gone, 'conversation')} gone there and kept here": held.gone,
    }
    said = [text for text, number in counts.items() if number]
    if said:
        named = held.failed or held.skipped
        yield f"{', '.join(said)}{': quoth status says which' if named else ''}."


def _told(facts: frozenset[Fact]) -> str:
    missing = [fact.value for fact in Fact if fact not in facts]
    if not missing:
        return "Its format tells all that quoth keeps."
    return f"Its format doesn't tell: {', '.join(missing)}."
