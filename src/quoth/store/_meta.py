"""Single numbers and texts about the archive as a whole, by name."""

from __future__ import annotations

import sqlite3

from ._rows import number_or_none, sound_rows, text_or_none

__all__ = ["meta", "set_meta", "text_meta"]


def meta(connection: sqlite3.Connection, key: str) -> int | None:
    """Return a number, or None when it was never noted."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    with sound_rows(connection):
        return number_or_none(row[0]) if row else None


def text_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """Return a text, or None when it was never noted."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    with sound_rows(connection):
        return text_or_none(row[0]) if row else None


def set_meta(connection: sqlite3.Connection, key: str, value: int | str | None) -> None:
    """Note a number or a text in place of the one before."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        (key, value),
    )
