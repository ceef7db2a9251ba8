"""The assistants' places: what is there, what is not in the archive yet, what never."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from quoth.ingest import places_of
from quoth.model import (
    Fact,
    FailedUnit,
    Finding,
    PlaceState,
    Section,
    SkippedRecords,
    SourcePlace,
    Unit,
    UnloadedSource,
)
from quoth.sources import Source
from quoth.store import KnownUnit, UnitKey

from ._finding import counted, ok, problem, warning

__all__ = ["days_kept", "deleted_soon", "places", "unloaded", "unread"]

_SOURCES = Section.SOURCES
_DAYS_KEPT = 30
"""Claude Code's default of `cleanupPeriodDays`."""

_MOST_BYTES = 1_000_000
_DAY_S = 86_400
KnownUnits = Mapping[UnitKey, KnownUnit]


def places(
    sources: Sequence[Source], roots: Mapping[str, Sequence[Path]], known: KnownUnits
) -> Iterator[Finding]:
    """Say of each source where it was looked for, and how much there is."""
    found = places_of(sources, roots)
    for source in sources:
        looked_in = found[source.name]
        details = [f"{place.path}: {_state(place)}" for place in looked_in]
        recorded = sum(unit.source == source.name for unit in known.values())
        units = sum(place.units for place in looked_in)
        says = f"{source.name}: {counted(units, 'file')} found, {recorded:,} recorded."
        if not looked_in:
            says = (
                f"{source.name}: looks nowhere by itself;"
                f" {counted(recorded, 'file')} recorded."
            )
        lacking = [fact.value for fact in Fact if fact not in source.facts]
        if lacking and (recorded or units):
            details.append(f"its format does not tell: {', '.join(lacking)}")
        shut = [each for each in looked_in if each.state is PlaceState.UNREADABLE]
        check = f"places-{source.name}"
        if shut:
            yield problem(
                _SOURCES,
                check,
                says,
                f"Make {shut[0].path} readable for you.",
                *details,
            )
        elif recorded and not units and _has_lost_places(source, known, roots):
            yield warning(
                _SOURCES,
                check,
                f"{says} What is recorded is kept.",
                "Is a disk not mounted, or the history elsewhere now? See"
                f" `quoth config`, setting paths.{source.name}.",
                *details,
            )
        else:
            yield ok(_SOURCES, check, says, *details)


def _state(place: SourcePlace) -> str:
    if place.state is PlaceState.FOUND:
        return counted(place.units, "file")
    return place.state.value


def unloaded(sources: Sequence[UnloadedSource]) -> Iterator[Finding]:
    """Say which sources of other packages can't be used."""
    for source in sources:
        yield problem(
            _SOURCES,
            "unloaded-source",
            f"The source {source.name} of the package {source.package} can't be used.",
            f"Update or remove the package {source.package}.",
            source.reason,
        )


def unread(
    failed: Sequence[FailedUnit], skipped: Sequence[SkippedRecords]
) -> Iterator[Finding]:
    """Say what could not be read or used, and why."""
    if failed:
        yield warning(
            _SOURCES,
            "unreadable-files",
            f"{counted(len(failed), 'file')} could not be read when last tried.",
            "quoth sync tries again once they have changed; what was imported has to"
            " be imported again.",
            *(f"{unit.path}: {unit.reason}" for unit in failed),
        )
    reasons: Counter[tuple[str, str]] = Counter()
    for each in skipped:
        for reason, number in each.reasons.items():
            reasons[each.source, reason] += number
    if reasons:
        yield warning(
            _SOURCES,
            "skipped-records",
            f"{counted(reasons.total(), 'record')} in"
            f" {counted(len(skipped), 'file')} could not be used.",
            "`quoth status` names the files. All else in them is recorded.",
            *(
                f"{source}, {number:,}: {reason}"
                for (source, reason), number in reasons.most_common()
            ),
        )
    if not failed and not reasons:
        yield ok(_SOURCES, "unread", "Everything that was read could be used.")


def deleted_soon(
    source: Source,
    roots: Sequence[Path],
    known: KnownUnits,
    *,
    now: datetime,
) -> Iterator[Finding]:
    """Say what Claude Code is about to delete and quoth does not have yet."""
    check = "claude-code-deletes"
    for root in roots:
        units = [*source.discover([root])]
        if not units:
            continue
        days, is_set = days_kept(root.parent / "settings.json")
        who = f"Claude Code deletes what it has not touched for {counted(days, 'day')}"
        why = "set in its settings" if is_set else "its default"
        advice = f"To keep them there longer, set cleanupPeriodDays in {root.parent}."
        old = _older_than(units, max(days - 10, days * 2 // 3), now=now)
        missing = [unit for unit in old if not _has(known, source, unit)]
        if missing:
            yield warning(
                _SOURCES,
                check,
                f"{who} ({why}). Soon due and not in the archive yet:"
                f" {counted(len(missing), 'file')}.",
                f"quoth sync. {advice}",
                *(str(unit.path) for unit in missing),
            )
        elif old:
            yield ok(
                _SOURCES,
                check,
                f"{who} ({why}). {counted(len(old), 'file')} soon due: quoth has all"
                " of that and keeps it.",
                advice,
            )
        else:
            nothing = f"{who} ({why}). Nothing is soon due."
            yield ok(_SOURCES, check, nothing, advice)


def days_kept(settings: Path) -> tuple[int, bool]:
    """Return after how many days Claude Code deletes, and if its settings say so."""
    try:
        value = json.loads(_content(settings))
    except (OSError, ValueError, RecursionError):
        return _DAYS_KEPT, False
    days = value.get("cleanupPeriodDays") if isinstance(value, dict) else None
    if isinstance(days, int) and not isinstance(days, bool) and 0 < days < 100_000:
        return days, True
    return _DAYS_KEPT, False


def _content(path: Path) -> bytes:
    # Not blocking: opening a pipe would wait for its other end.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("no regular file")
        return file.read(_MOST_BYTES)


def _older_than(units: Sequence[Unit], days: int, *, now: datetime) -> list[Unit]:
    limit = now.timestamp() - days * _DAY_S
    return [unit for unit in units if 0 < unit.changed_at < limit]


def _has(known: KnownUnits, source: Source, unit: Unit) -> bool:
    """Say whether the archive holds all of a file as it is now."""
    kept = known.get((source.name, os.fspath(unit.path), unit.part))
    return kept is not None and kept.state == "done" and kept.stamp == unit.stamp


def _has_lost_places(
    source: Source, known: KnownUnits, roots: Mapping[str, Sequence[Path]]
) -> bool:
    """Say whether anything recorded lay in a place that is missing as a whole."""
    folders = [os.fspath(root) for root in roots.get(source.name, ())]
    return any(
        unit.source == source.name and unit.place.startswith(f"{folder}{os.sep}")
        for unit in known.values()
        for folder in folders
        if not os.path.lexists(folder)
    )
