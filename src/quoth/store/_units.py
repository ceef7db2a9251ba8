"""What the archive remembers of the files it has read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ._rows import number, place, sound_rows, text

__all__ = ["KnownUnit", "UnitKey", "known_units"]

UnitKey: TypeAlias = tuple[str, str, str]
"""A unit's source, its path as the system spells it, and its part."""


class KnownUnit(NamedTuple):
    """What the archive remembers of a unit it has read or tried to.

    A tuple, for every search makes one for every file: a dataclass takes three times
    as long.
    """

    id: int
    source: str
    place: str
    part: str
    stamp: str
    settled: bool
    parser_version: int
    state: str
    gone: bool

    @property
    def is_reopened(self) -> bool:
        """Whether it was read to its end and has to be read again all the same."""
        return self.state == "done" and not self.stamp

    @property
    def path(self) -> Path:
        """The unit's file. Made when asked for: a look at thousands asks for few."""
        return Path(self.place)


def known_units(connection: sqlite3.Connection) -> dict[UnitKey, KnownUnit]:
    """Return every unit the archive remembers, by source, path and part."""
    rows = connection.execute(
        "SELECT id, source, path, part, stamp, settled, parser_version, state,"
        " gone_at IS NOT NULL FROM source_file"
    )
    with sound_rows(connection):
        known = [
            KnownUnit(
                row[0],
                text(row[1]),
                place(row[2]),
                text(row[3]),
                text(row[4]),
                bool(row[5]),
                number(row[6]),
                text(row[7]),
                bool(row[8]),
            )
            for row in rows
        ]
    return {(unit.source, unit.place, unit.part): unit for unit in known}
