"""The one place that opens the archive's SQLite file."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from quoth.errors import (
    ArchiveBusyError,
    ArchiveDamagedError,
    ArchiveError,
    ArchiveInaccessibleError,
    ArchiveNotFoundError,
    ArchiveUnsafeError,
    SearchTooLongError,
)

from ._files import (
    check_own_file,
    create_private_file,
    explained_os_errors,
    keep_private,
    open_own_file,
    private_folder,
)
from ._lock import hold
from ._schema import check_readable, is_current, migrate
from ._sqlite import require_features

__all__ = [
    "DATABASE",
    "WRITE_LOCK",
    "at_most",
    "connect_reader",
    "connect_writer",
    "explained",
    "shadow_tables_writable",
]

DATABASE = "quoth.db"
WRITE_LOCK = "lock"
_BUSY_MS = 5_000
_STEPS = 10_000
"""Between two looks at the clock: 0.1 ms on a fast machine."""

# No view or index may call a function of ours, so a prepared file can't either;
# without memory mapping a damaged file is an error and not a crash; what SQLite sorts
# stays in memory, for its files outside the data folder would hold text.
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
        ArchiveUnsafeError: The folder or a file in it is not its owner's alone.
        ArchiveInaccessibleError: It can't be written.
        ArchiveTooNewError: A later quoth wrote the archive.
        ArchiveDamagedError: It is no SQLite database any more.
        ArchiveBusyError: Another process is making it, and takes its time.
        SqliteTooOldError: This SQLite can't hold an archive.
    """
    require_features()
    path = private_folder(home, marked_by=DATABASE) / DATABASE
    _check_files(path)
    with explained_os_errors(path):
        try:
            os.close(create_private_file(path))
        except FileExistsError:
            for file in (path, *_beside(path)):
                keep_private(file)
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
        ArchiveUnsafeError: One of its files is not its owner's alone.
        ArchiveInaccessibleError: It can't be read.
        ArchiveTooNewError: A later quoth wrote it.
        ArchiveOutdatedError: An earlier quoth wrote it.
        ArchiveDamagedError: It is no SQLite database any more.
        SqliteTooOldError: This SQLite can't hold an archive.
    """
    require_features()
    path = home / DATABASE
    if not _check_files(path):
        raise ArchiveNotFoundError(path)
    mode = "ro&immutable=1" if _is_at_rest(path) else "ro"
    with _opened(path, mode=mode) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cache_size = -32000")
        check_readable(connection, path)
    return connection


def _is_at_rest(path: Path) -> bool:
    """Say whether nobody writes the database, nor can as long as its folder is so.

    Reading needs a file of shared memory beside it, which can't be made where the
    folder is read-only: a backup, a snapshot, a disk mounted so. A writer would need
    one too. What stands in a write-ahead log would be missed without it.
    """
    if os.access(path.parent, os.W_OK):
        return False
    log, shared = _beside(path)
    if not log.exists():
        return True
    return not log.stat().st_size and not shared.exists()


def _check_files(path: Path) -> bool:
    """Say whether there is a database, whose files SQLite may then open.

    Raises:
        ArchiveUnsafeError: One of them is not ours, or a prepared one.
    """
    there = check_own_file(path)
    for file in _beside(path):
        check_own_file(file)
    journal = path.with_name(path.name + "-journal")
    with suppress(FileNotFoundError, NotADirectoryError):
        _refuse_super_journal(journal)
    return there


def _beside(path: Path) -> tuple[Path, Path]:
    """Return where the write-ahead log and the shared memory of a database are."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


_MAGIC = bytes.fromhex("d9d505f920a163d7")


def _refuse_super_journal(journal: Path) -> None:
    """Refuse a journal that ends with the name of another.

    SQLite would remove what it names, whatever that is. quoth changes one database at
    a time, so its own journals never name another.
    """
    descriptor = open_own_file(journal, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        ending = os.pread(descriptor, len(_MAGIC), max(0, size - len(_MAGIC)))
    finally:
        os.close(descriptor)
    if ending == _MAGIC:
        raise ArchiveUnsafeError(
            f"{journal} was not written by quoth: it names another file.",
            hint="Move it away; whoever put it there wants that file removed.",
        )


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
        if isinstance(exc, sqlite3.DatabaseError) and _is_of_the_file(exc):
            raise _explained(exc, path) from exc
        if isinstance(exc, UnicodeDecodeError):
            # SQLite's complaint about a schema quotes it, and that was no text.
            raise ArchiveDamagedError(path, why="its schema is no text") from None
        raise


@contextmanager
def at_most(
    seconds: float,
    connection: sqlite3.Connection,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[None]:
    """Let what is asked within take *seconds* and no more.

    Raises:
        SearchTooLongError: It would have taken longer.
    """
    deadline = clock() + seconds
    connection.set_progress_handler(lambda: clock() > deadline, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as exc:
        if getattr(exc, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
        if clock() > deadline:
            raise SearchTooLongError(seconds) from None
        # Pressed just as the clock was looked at: SQLite only knows of a failure.
        raise KeyboardInterrupt from None
    finally:
        connection.set_progress_handler(None, _STEPS)


@contextmanager
def shadow_tables_writable(connection: sqlite3.Connection) -> Iterator[None]:
    """Let statements within write to the tables that the word index is made of."""
    _defend(connection, against_own_statements=False)
    try:
        yield
    finally:
        _defend(connection, against_own_statements=True)


def _defend(connection: sqlite3.Connection, *, against_own_statements: bool) -> None:
    """Let no statement spoil the file, as one in a prepared schema might try to."""
    if sys.version_info >= (3, 12):  # pragma: no cover - Python 3.11 has no way to it
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, against_own_statements)


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
        if not _is_of_the_file(exc):
            raise
        raise _explained(exc, home / DATABASE) from exc


_UNWRITABLE = {
    sqlite3.SQLITE_READONLY: "it may only be read",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened",
    sqlite3.SQLITE_PERM: "access is denied",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "reading or writing it failed",
}
_OF_THE_FOLDER = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_DAMAGED = {
    sqlite3.SQLITE_NOTADB: "it is not a database",
    sqlite3.SQLITE_CORRUPT: "its parts contradict each other",
}


def _is_of_the_file(exc: sqlite3.DatabaseError) -> bool:
    """Say whether SQLite found the fault. Python, in our statement, gives no code."""
    return hasattr(exc, "sqlite_errorcode")


def _explained(exc: sqlite3.DatabaseError, path: Path) -> ArchiveError:
    code = exc.sqlite_errorcode & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ArchiveBusyError(holder="another program", waited_s=_BUSY_MS / 1000)
    if exc.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
        # As the very first sync leaves it when it is killed in its first instant.
        return ArchiveError(
            f"{path} was being written by a program that ended midway.",
            hint="Run `quoth sync` once; it puts that in order.",
        )
    if code in _UNWRITABLE and path.is_file():
        why = _UNWRITABLE[code]
        if code in _OF_THE_FOLDER and not os.access(path.parent, os.W_OK):
            why = "its folder may only be read"
        why = f"{why} ({exc.sqlite_errorname})"
        return ArchiveInaccessibleError(path, why=why)
    # Never SQLite's own sentence: that may quote what a row holds.
    why = _DAMAGED.get(code, "SQLite can't make sense of it")
    return ArchiveDamagedError(path, why=f"{why} ({exc.sqlite_errorname})")


def _connect(path: Path, *, mode: str) -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    # Text that is no UTF-8 was not written by quoth. It is shown as far as it is text;
    # Python's own complaint would quote it.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    for guard in _GUARDS:
        connection.execute(guard)
    _defend(connection, against_own_statements=True)
    return connection
