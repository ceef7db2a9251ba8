"""What this SQLite can do: asked of it, not assumed from its version."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache

from quoth.errors import SqliteTooOldError

__all__ = ["NEEDED", "SQLITE_VERSION", "lacking_features", "require_features"]

NEEDED = "3.38"
"""The first SQLite that has everything in `_PROBES`; FTS5 can be left out of any."""

SQLITE_VERSION = sqlite3.sqlite_version

_PROBES: Mapping[str, str] = {
    "the full-text index FTS5": "CREATE VIRTUAL TABLE probe_words USING fts5 (text)",
    "STRICT tables": "CREATE TABLE probe (id INTEGER PRIMARY KEY, said TEXT) STRICT",
    "RETURNING": "INSERT INTO probe (said) VALUES ('{\"a\": 1}') RETURNING id",
    "JSON with ->>": "SELECT said ->> 'a' FROM (SELECT '{\"a\": 1}' AS said)",
}
"""By what a person may call it, a statement that only works where it is there."""


def lacking_features(probes: Mapping[str, str] = _PROBES) -> tuple[str, ...]:
    """Return what quoth needs and this SQLite has not, tried out in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        return tuple(
            name for name, probe in probes.items() if not _works(connection, probe)
        )
    finally:
        connection.close()


def require_features(lacking: tuple[str, ...] | None = None) -> None:
    """Make sure that an archive can be opened at all.

    Args:
        lacking: What is missing; by default what `lacking_features` finds, once.

    Raises:
        SqliteTooOldError: Something is missing. Nothing was opened or made.
    """
    missing = _lacking_here() if lacking is None else lacking
    if missing:
        raise SqliteTooOldError(found=SQLITE_VERSION, needed=NEEDED, lacking=missing)


@cache
def _lacking_here() -> tuple[str, ...]:
    return lacking_features()


def _works(connection: sqlite3.Connection, statement: str) -> bool:
    try:
        connection.execute(statement).fetchall()
    except sqlite3.Error:
        return False
    return True
