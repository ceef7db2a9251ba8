"""What a row holds, checked as it is read: a prepared file keeps no column's type."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quoth.errors import ArchiveDamagedError

__all__ = [
    "blob",
    "damaged",
    "number",
    "number_or_none",
    "place",
    "sound_rows",
    "text",
    "text_or_none",
]


@contextmanager
def sound_rows(connection: sqlite3.Connection) -> Iterator[None]:
    """Say that the archive is damaged when a row can't be made into a value.

    Raises:
        ArchiveDamagedError: A row holds what quoth never writes.
    """
    try:
        yield
    except (
        ArithmeticError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ):
        raise damaged(connection) from None  # the cause quotes what the row holds


def damaged(connection: sqlite3.Connection) -> ArchiveDamagedError:
    """Return the error for a row that quoth never wrote."""
    file = connection.execute("PRAGMA database_list").fetchone()[2]
    return ArchiveDamagedError(Path(file), why="a row holds what quoth never writes")


def text(value: object) -> str:
    """Return a text that has to be one."""
    if not isinstance(value, str):
        raise TypeError
    return value


def text_or_none(value: object) -> str | None:
    """Return a text that may be missing."""
    return None if value is None else text(value)


def number(value: object) -> int:
    """Return a whole number that has to be one."""
    if not isinstance(value, int):
        raise TypeError
    return value


def number_or_none(value: object) -> int | None:
    """Return a whole number that may be missing."""
    return None if value is None else number(value)


def blob(value: object) -> bytes:
    """Return bytes that have to be some."""
    if not isinstance(value, bytes):
        raise TypeError
    return value


def place(value: object) -> str:
    """Return the path that was stored as bytes, one the system can be asked for."""
    stored = blob(value)
    if b"\0" in stored:
        raise ValueError
    return os.fsdecode(stored)
