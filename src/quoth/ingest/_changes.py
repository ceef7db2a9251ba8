"""Which units have to be read, and which are gone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from quoth.errors import UnreadableUnitError
from quoth.model import NeverIndex, Unit
from quoth.sources import Source, check_time
from quoth.store import KeptOutUnits, KnownUnit, UnitKey, forbids_path

from ._reading import reading

__all__ = [
    "Found",
    "KeptOut",
    "Recogniser",
    "failures_passed",
    "gone_from",
    "is_settled",
    "is_unchanged",
    "kept_out_by",
    "units_of",
    "unreachable_places",
]

_FINE_S = 0.05
_COARSE_S = 2.0
"""A file changed this shortly before we looked may change again under one stamp: the
clock of a modern file system ticks every few milliseconds, that of FAT every 2 s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A unit, the source that claims it, and what the archive knows of it.

    `is_kept_out` says that nothing in it, as it is now, may be recorded.
    """

    source: Source
    unit: Unit
    key: UnitKey
    known: KnownUnit | None
    is_kept_out: bool = False


KeptOut: TypeAlias = Callable[[Source, Unit], bool]
"""Says whether nothing in a unit may be recorded, without opening it."""


def kept_out_by(units: KeptOutUnits, never_index: NeverIndex) -> KeptOut:
    """Return what says so of units that were read before, or lie where none is read."""

    def is_kept_out(source: Source, unit: Unit) -> bool:
        return units.holds(
            source.name, unit, parser_version=source.parser_version
        ) or forbids_path(never_index, os.fspath(unit.path))

    return is_kept_out


def units_of(
    sources: Sequence[Source],
    roots: Mapping[str, Sequence[Path]],
    known: Mapping[UnitKey, KnownUnit],
    *,
    accepts: Callable[[Found], bool] = lambda _: True,
    is_kept_out: KeptOut = lambda *_: False,
) -> Iterator[Found]:
    """Yield every unit under *roots*; the first source that accepts a path has it."""
    claimed: set[tuple[Path, str]] = set()
    for source in sources:
        for unit in source.discover(roots.get(source.name, ())):
            check_time()
            place = (unit.path, unit.part)
            if place in claimed:
                continue
            key = (source.name, os.fspath(unit.path), unit.part)
            found = Found(
                source=source,
                unit=unit,
                key=key,
                known=known.get(key),
                is_kept_out=is_kept_out(source, unit),
            )
            if accepts(found):
                claimed.add(place)
                yield found


class Recogniser:
    """Asks sources whether they know the files a person named, and notes who doesn't.

    In an assistant's own place a file is what its name says. Elsewhere it has to be
    opened, unless it was read before and has not changed.
    """

    def __init__(self) -> None:
        self._refused: set[Path] = set()

    def accepts(self, found: Found) -> bool:
        """Say whether the source that found a unit can read it."""
        try:
            with reading(found.unit):
                known = is_unchanged(found) or found.source.recognises(found.unit)
        except UnreadableUnitError:
            known = True  # reading it says why
        if known:
            self._refused.discard(found.unit.path)
        else:
            self._refused.add(found.unit.path)
        return known

    def unrecognised(self) -> list[Path]:
        """Return the files that no source accepted."""
        return sorted(self._refused)


def is_unchanged(found: Found) -> bool:
    """Say whether the archive already holds all of the unit, without opening it."""
    known = found.known
    if found.is_kept_out and known is None:
        return True
    return (
        known is not None
        and known.state in ("done", "failed")
        and known.settled
        and known.stamp == found.unit.stamp
        and known.parser_version == found.source.parser_version
    )


def is_settled(unit: Unit, *, looked_at: float) -> bool:
    """Say whether the unit's stamp, taken after *looked_at*, must change with it."""
    whole_seconds = unit.changed_at == int(unit.changed_at)
    return looked_at - unit.changed_at > (_COARSE_S if whole_seconds else _FINE_S)


def gone_from(
    known: Mapping[UnitKey, KnownUnit],
    found: set[UnitKey],
    roots: Mapping[str, Sequence[Path]],
) -> list[KnownUnit]:
    """Return the known units that disappeared.

    A place that is missing as a whole (a disk not mounted, a folder moved away) says
    nothing about the files in it. Nor does a folder that can't be listed any more.
    """
    gone: list[KnownUnit] = []
    for source, places in roots.items():
        missing = [
            unit
            for key, unit in known.items()
            if key[0] == source and key not in found and not unit.gone
        ]
        for place in places:
            inside = [unit for unit in missing if _is_inside(unit.place, place)]
            if _is_there(place, follow=True):
                gone += [unit for unit in inside if not _is_there(unit.path)]
    return list({unit.id: unit for unit in gone}.values())


def unreachable_places(
    known: Mapping[UnitKey, KnownUnit], roots: Mapping[str, Sequence[Path]]
) -> list[Path]:
    """Return the places that held something once and can't be reached now."""
    return [
        place
        for source, places in roots.items()
        for place in places
        if not _is_there(place, follow=True)
        and any(
            unit.source == source and not unit.gone and _is_inside(unit.place, place)
            for unit in known.values()
        )
    ]


def failures_passed(
    known: Mapping[UnitKey, KnownUnit],
    found: set[UnitKey],
    roots: Mapping[str, Sequence[Path]],
) -> list[KnownUnit]:
    """Return failed units that are gone, or under *roots* and found no more.

    A folder that may be listed again is no unit, and of a thread kept twice only one
    file is. What a person named once and took away lies under no root.
    """
    return [
        unit
        for key, unit in known.items()
        if unit.state == "failed"
        and key not in found
        and (
            any(_is_inside(unit.place, place) for place in roots.get(unit.source, ()))
            or not _is_there(unit.path)
        )
    ]


def _is_there(path: Path, *, follow: bool = False) -> bool:
    """Say whether anything is at *path*: yes, when it can't be told."""
    try:
        path.stat(follow_symlinks=follow)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_inside(path: str, place: Path) -> bool:
    folder = os.fspath(place)
    return path == folder or path.startswith(f"{folder}{os.sep}")
