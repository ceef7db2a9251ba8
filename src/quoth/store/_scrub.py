"""What is left to do after rows were removed, until no byte of them is in any file.

SQLite overwrites what it deletes (`secure_delete`), but four places keep more: the
word indexes only mark a word as gone until they are merged; a page that was split once
holds in its unused middle what stood there before (one forget in seventy left a word,
measured on 15 MB); the flat copies hold vectors; and the write-ahead log holds pages as
they were.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from sqlite3 import SQLITE_FULL, SQLITE_IOERR

from quoth.errors import ArchiveUnsafeError

from ._files import create_private_file, explained_os_errors, open_own_file
from ._meta import meta, set_meta

__all__ = [
    "Scrub",
    "empty_log",
    "is_for_lack_of_room",
    "merge_word_indexes",
    "note_scrub",
    "prune_pages",
    "remove_flat_copies",
    "scrub_noted",
    "settle_scrub",
    "write_pages_anew",
]

_NOTE = "scrub"


class Scrub(IntEnum):
    """How much is left to do: each also needs what those before it need."""

    NOTHING = 0
    LOG = 1
    COPIES = 2
    PAGES = 3
    WORDS = 4


def scrub_noted(connection: sqlite3.Connection) -> Scrub:
    """Return what is left to do."""
    noted = meta(connection, _NOTE) or 0
    return Scrub(min(max(noted, Scrub.NOTHING), Scrub.WORDS))


def note_scrub(connection: sqlite3.Connection, wanted: Scrub) -> None:
    """Note, in the transaction that removed something, what is left to do."""
    set_meta(connection, _NOTE, max(wanted, scrub_noted(connection)))


def merge_word_indexes(connection: sqlite3.Connection) -> None:
    """Write both word indexes anew without what was marked as gone."""
    for index in ("words", "titles"):
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    settle_scrub(connection, Scrub.PAGES)


def settle_scrub(connection: sqlite3.Connection, left: Scrub) -> None:
    """Note that no more than *left* is left to do."""
    set_meta(connection, _NOTE, left)


def is_for_lack_of_room(exc: sqlite3.OperationalError) -> bool:
    """Say whether a statement failed since the disk is full, or as good as that."""
    return exc.sqlite_errorcode & 0xFF in (SQLITE_FULL, SQLITE_IOERR)


def write_pages_anew(connection: sqlite3.Connection, home: Path) -> None:
    """Write the whole database anew, so that no page has anything in its middle.

    Outside a transaction, under the write lock. It takes twice as much room again, on
    disk and not in memory: in the log, and in a file without a name in the data folder.
    """
    with suppress(UnicodeEncodeError):  # else where the system has its own
        folder = str(home).replace("'", "''")
        connection.execute(f"PRAGMA temp_store_directory = '{folder}'")
    connection.execute("PRAGMA temp_store = FILE")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA temp_store_directory = ''")


def empty_log(connection: sqlite3.Connection, *, wait_s: float) -> bool:
    """Empty the write-ahead log, unless others read for longer than *wait_s* seconds.

    Outside a transaction. What the log held until then is overwritten in the database.
    """
    before = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute(f"PRAGMA busy_timeout = {round(wait_s * 1000)}")
    try:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")
    return not busy


def remove_flat_copies(home: Path, *, unfinished: bool) -> None:
    """Remove every copy of vectors, to be written again from those that are left.

    Args:
        unfinished: Nobody else writes one now, so what is half written goes too.
    """
    patterns = ["*/all.vec", *(["*/.all.vec.*.new"] if unfinished else [])]
    for pattern in patterns:
        for path in (home / "vectors").glob(pattern):
            with explained_os_errors(path):
                path.unlink(missing_ok=True)


_LINE = re.compile(rb"\d{1,9} (\S+)#\d{1,9}")


def prune_pages(home: Path, connection: sqlite3.Connection) -> None:
    """Take the hits that are gone from the last page of every terminal."""
    folder = home / "pages"
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in folder.iterdir():
        with suppress(OSError):  # a search has just put another in its place
            _prune_page(path, connection)


def _prune_page(path: Path, connection: sqlite3.Connection) -> None:
    try:
        with os.fdopen(open_own_file(path, os.O_RDONLY), "rb") as file:
            lines = file.read().splitlines(keepends=True)
    except ArchiveUnsafeError:
        lines = []
    kept = [line for line in lines if _is_recorded(line, connection)]
    if lines and kept == lines:
        return
    path.unlink(missing_ok=True)
    if kept:
        with os.fdopen(create_private_file(path), "wb") as file:
            file.writelines(kept)


def _is_recorded(line: bytes, connection: sqlite3.Connection) -> bool:
    found = _LINE.fullmatch(line.rstrip(b"\n"))
    if found is None:
        return False
    key = found[1].decode("utf-8", "replace")
    row = connection.execute("SELECT 1 FROM conversation WHERE key = ?", (key,))
    return row.fetchone() is not None
