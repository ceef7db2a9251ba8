"""Finding the entry points of other packages without paying for it at every start.

`importlib.metadata` takes 25 ms to import, a quarter of a search's start-up. Most
people have no package that brings a source, and a look at the files where it would say
so tells that in about one.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ENTRY_POINTS", "Registered", "registered"]

ENTRY_POINTS = "quoth.sources"
"""The group under which a package names its sources."""

_ENDINGS = (".dist-info", ".egg-info")
_MOST_BYTES = 1024 * 1024
_OWN = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """An entry point: its name, `module:attribute`, and the package that has it."""

    name: str
    value: str
    package: str


def registered() -> list[Registered]:
    """Return the entry points of the group, in the order of packages and names.

    What lies in the current folder is no installed package: `python -m quoth` in
    somebody's repository must not run what that repository names.
    """
    places = [place for place in sys.path if not _is_current_folder(place)]
    if not any(map(_may_register, places)):
        return []
    from importlib.metadata import distributions

    found: dict[str, list[Registered]] = {}
    for package in distributions(path=places):
        name = package.name or ""
        # Of a package that is there twice the first is the one that is imported.
        found.setdefault(
            name.lower(),
            [
                Registered(name=point.name, value=point.value, package=name)
                for point in package.entry_points
                if point.group == ENTRY_POINTS
            ],
        )
    points = {point for of_package in found.values() for point in of_package}
    return sorted(points, key=lambda point: (point.package, point.name, point.value))


def _is_current_folder(place: str) -> bool:
    """Say whether a folder of `sys.path` is there only because one stands in it.

    Not the one that quoth itself was loaded from: it is trusted with that already.
    """
    try:
        current = Path.cwd().resolve()
        folder = Path(place).resolve()
    except OSError:  # the current folder was deleted
        return not place
    return folder == current and folder != _OWN


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
        path = folder / name / "entry_points.txt"
        try:
            if stat.S_ISREG(path.stat().st_mode):  # a pipe would never be read to end
                with path.open("rb") as file:
                    yield file.read(_MOST_BYTES)
        except OSError:
            continue
