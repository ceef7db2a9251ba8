"""The one place that opens the archive's SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from quoth.errors import (
    ArchiveBusyError,
    ArchiveDamagedError,
    ArchiveError,
    ArchiveInaccessibleError,
    ArchiveNotFoundError,
)

from ._files import create_private_file, keep_private, private_folder
from ._lock import hold
from ._schema import check_readable, is_current, migrate

__all__ = ["DATABASE", "WRITE_LOCK", "connect_reader", "connect_writer", "explained"]

DATABASE = "quoth.db"
WRITE_LOCK = "lock"
_BUSY_MS = 5_000

# No view or index may call a function of ours, so a prepared file can't either;
# without memory mapping a damaged file is an error and not a crash.
_GUARDS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    f"PRAGMA busy_timeout = {_BUSY_MS}",
)


def connect_writer(home: Path) -> sqlite3.Connection:
    """Open the archive in *home* for writing, made or brought up to date if need be.

    Raises:
        ArchiveUnsafeError: The folder is not its owner's alone.
        ArchiveTooNewError: A later quoth wrote the archive.
        ArchiveDamagedError: It is no SQLite database any more.
        ArchiveBusyError: Another process is making it, and takes its time.
    """
    path = private_folder(home) / DATABASE
    try:
        os.close(create_private_file(path))
    except FileExistsError:
        keep_private(path)
    with _opened(path, mode="rw") as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -32000")
        if not is_current(connection):
            # Two first syncs at once would both make the tables.
            with hold(home / WRITE_LOCK, wait_s=_BUSY_MS / 1000):
                connection.execute("PRAGMA journal_mode = WAL")
                migrate(connection, path)
    return connection


def connect_reader(home: Path) -> sqlite3.Connection:
    """Open the archive in *home* for reading: it is never changed, made or migrated.

    Raises:
        ArchiveNotFoundError: There is none.
        ArchiveTooNewError: A later quoth wrote it.
        ArchiveOutdatedError: An earlier quoth wrote it.
        ArchiveDamagedError: It is no SQLite database any more.
    """
    path = home / DATABASE
    if not path.exists():
        raise ArchiveNotFoundError(path)
    with _opened(path, mode="ro") as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cache_size = -32000")
        check_readable(connection, path)
    return connection


@contextmanager
def _opened(path: Path, *, mode: str) -> Iterator[sqlite3.Connection]:
    """Give a connection that is closed again if it can't be made ready."""
    connection = None
    try:
        connection = _connect(path, mode=mode)
        yield connection
    except BaseException as exc:
        if connection is not None:
            connection.close()
        if isinstance(exc, sqlite3.DatabaseError):
            raise _explained(exc, path) from exc
        raise


@contextmanager
def explained(home: Path) -> Iterator[None]:
    """Turn what SQLite says of the archive into an error that says what to do.

    Raises:
        ArchiveDamagedError: A part of it makes no sense.
        ArchiveInaccessibleError: It can't be written, or the disk is full.
        ArchiveBusyError: Another program holds it.
    """
    try:
        yield
    except sqlite3.DatabaseError as exc:
        raise _explained(exc, home / DATABASE) from exc


_UNWRITABLE = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
)


def _explained(exc: sqlite3.DatabaseError, path: Path) -> ArchiveError:
    code = exc.sqlite_errorcode & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ArchiveBusyError(holder="another program", waited_s=_BUSY_MS / 1000)
    if code in _UNWRITABLE and path.is_file():
        return ArchiveInaccessibleError(path, why=str(exc))
    return ArchiveDamagedError(path, why=str(exc))


def _connect(path: Path, *, mode: str) -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    for guard in _GUARDS:
        connection.execute(guard)
    return connection
