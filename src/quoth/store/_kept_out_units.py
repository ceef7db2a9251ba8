"""Files in which nothing may be recorded: known again without being read or named."""

from __future__ import annotations

import os
import sqlite3

from quoth.model import Unit

from ._rows import blob, sound_rows
from ._tombstones import digest_of, own_key

__all__ = ["KeptOutUnits", "is_place_kept_out", "keep_out_unit"]

_PLACE, _STAMP = "place", "stamp"


class KeptOutUnits:
    """The units that need not be read, since all that is in them is kept out.

    Their names are not kept: some assistants make one of what was said.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute("SELECT place, stamp FROM kept_out_unit").fetchall()
        with sound_rows(connection):
            self._stamps = {blob(place): blob(stamp) for place, stamp in rows}
        self._key = own_key(connection)

    def holds(self, source: str, unit: Unit, *, parser_version: int) -> bool:
        """Say whether a unit is one of them and has not changed since."""
        if not self._stamps:
            return False
        place = digest_of(self._key, _PLACE, _place(source, unit))
        stamp = digest_of(self._key, _STAMP, _stamp(unit.stamp, parser_version))
        return self._stamps.get(place) == stamp


def keep_out_unit(
    connection: sqlite3.Connection, source: str, unit: Unit, *, parser_version: int
) -> None:
    """Remember that a unit, as it is now, holds nothing that may be recorded.

    An entry of the list says so, so that there is a key.
    """
    key = own_key(connection)
    connection.execute(
        "INSERT INTO kept_out_unit (place, stamp) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET stamp = excluded.stamp",
        (
            digest_of(key, _PLACE, _place(source, unit)),
            digest_of(key, _STAMP, _stamp(unit.stamp, parser_version)),
        ),
    )


def is_place_kept_out(connection: sqlite3.Connection, source: str, unit: Unit) -> bool:
    """Say whether a unit, whatever is in it now, was one of them when last read."""
    key = own_key(connection)
    row = connection.execute(
        "SELECT 1 FROM kept_out_unit WHERE place = ?",
        (digest_of(key, _PLACE, _place(source, unit)),),
    ).fetchone()
    return row is not None


def _place(source: str, unit: Unit) -> str:
    return "\0".join((source, os.fspath(unit.path), unit.part))


def _stamp(stamp: str, parser_version: int) -> str:
    return f"{parser_version}\0{stamp}"
