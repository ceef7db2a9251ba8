"""The one place that opens the archive's SQLite file."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from quoth.errors import ArchiveDamagedError, ArchiveNotFoundError

from ._files import create_private_file, private_folder
from ._schema import check_readable, migrate

__all__ = ["DATABASE", "connect_reader", "connect_writer"]

DATABASE = "quoth.db"
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
    """
    path = private_folder(home) / DATABASE
    with suppress(FileExistsError):
        os.close(create_private_file(path))
    connection = _connect(path, mode="rw")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -32000")
        migrate(connection, path)
    except sqlite3.DatabaseError as exc:
        connection.close()
        raise ArchiveDamagedError(path, why=str(exc)) from exc
    except BaseException:
        connection.close()
        raise
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
    connection = _connect(path, mode="ro")
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cache_size = -32000")
        check_readable(connection, path)
    except sqlite3.DatabaseError as exc:
        connection.close()
        raise ArchiveDamagedError(path, why=str(exc)) from exc
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, *, mode: str) -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    for guard in _GUARDS:
        connection.execute(guard)
    return connection
