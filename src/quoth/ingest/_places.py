"""Where each source's history lies, and how much of it is there to read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from quoth.model import PlaceState, SourcePlace, Unit
from quoth.sources import Source

__all__ = ["places_of"]


def places_of(
    sources: Sequence[Source], roots: Mapping[str, Sequence[Path]]
) -> dict[str, tuple[SourcePlace, ...]]:
    """Return what lies in the places of each source, by its name; no file is opened."""
    return {source.name: _places(source, roots) for source in sources}


def _places(
    source: Source, roots: Mapping[str, Sequence[Path]]
) -> tuple[SourcePlace, ...]:
    places = [*dict.fromkeys(roots.get(source.name, ()))]
    units: dict[Path, list[Unit]] = {place: [] for place in places}
    for unit in source.discover(places):
        place = next((each for each in places if _is_inside(unit.path, each)), None)
        if place is not None:
            units[place].append(unit)
    return tuple(
        SourcePlace(
            path=place,
            state=_state(place),
            units=len(units[place]),
            size=sum(unit.size for unit in units[place]),
        )
        for place in places
    )


def _is_inside(path: Path, place: Path) -> bool:
    return path.parts[: len(place.parts)] == place.parts


def _state(place: Path) -> PlaceState:
    try:
        if place.is_dir():
            with os.scandir(place):
                return PlaceState.FOUND
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return PlaceState.MISSING
    except OSError:
        return PlaceState.UNREADABLE
    return PlaceState.FOUND
