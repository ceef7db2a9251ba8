"""Finding the entry points of other packages without paying for it at every start.

`importlib.metadata` takes 25 ms to import, a quarter of a search's start-up. Most
people have no package that brings a source, and a look at the files where it would say
so tells that in about one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ENTRY_POINTS", "Registered", "registered"]

ENTRY_POINTS = "quoth.sources"
"""The group under which a package names its sources."""

_ENDINGS = (".dist-info", ".egg-info")
_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """An entry point: its name, `module:attribute`, and the package that has it."""

    name: str
    value: str
    package: str


def registered() -> list[Registered]:
    """Return the entry points of the group, in the order of packages and names."""
    if not any(map(_may_register, sys.path)):
        return []
    from importlib.metadata import entry_points

    found = {
        Registered(
            name=point.name,
            value=point.value,
            package=point.dist.name if point.dist else "",
        )
        for point in entry_points(group=ENTRY_POINTS)
    }
    return sorted(found, key=lambda point: (point.package, point.name, point.value))


def _may_register(place: str) -> bool:
    """Say whether a package in a folder of `sys.path` may have such an entry point."""
    folder = Path(place or os.curdir)
    if folder.is_file():  # a zip: only the import system can look into it
        return True
    return any(ENTRY_POINTS.encode() in content for content in _declarations(folder))


def _declarations(folder: Path) -> Iterator[bytes]:
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.name.endswith(_ENDINGS)]
    except OSError:
        return
    for name in names:
        try:
            with (folder / name / "entry_points.txt").open("rb") as file:
                yield file.read(_MOST_BYTES)
        except OSError:
            continue
