"""Making files and folders that only their owner can read, under any umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from quoth.errors import ArchiveInaccessibleError, ArchiveUnsafeError

__all__ = [
    "check_own_file",
    "create_private_file",
    "explained_os_errors",
    "inaccessible",
    "keep_private",
    "open_own_file",
    "private_folder",
    "replacing",
]


def private_folder(path: Path, *, marked_by: str | None = None) -> Path:
    """Make *path* a folder of mode 0700, or check that it is one of our own.

    Args:
        marked_by: The file that shows a folder to be ours. One that others may enter
            is made private when it holds this file or nothing; else it is refused.

    Raises:
        ArchiveUnsafeError: It is a link, someone else's, or somebody's other folder.
        ArchiveInaccessibleError: It can't be made, or something else is in its place.
    """
    try:
        _make_folders(path)
        _check_own_folder(path, marked_by=marked_by)
    except OSError as exc:
        raise inaccessible(path, exc) from exc
    return path


def _make_folders(path: Path) -> None:
    """Make *path* and what is missing above it, for their owner alone."""
    if path.is_symlink() or path.exists():
        return
    _make_folders(path.parent)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return  # another process made it just now
    path.chmod(0o700)  # mkdir's mode is narrowed by the umask, never widened


def _check_own_folder(path: Path, *, marked_by: str | None) -> None:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise ArchiveUnsafeError(f"{path} is no folder of its own.")
    if not stat.S_ISDIR(status.st_mode):
        raise ArchiveInaccessibleError(path, why="it is no folder")
    if _is_foreign(status):
        raise ArchiveUnsafeError(f"{path} belongs to another user.")
    if not stat.S_IMODE(status.st_mode) & 0o077:
        return
    if marked_by is not None and not _is_ours(path, marked_by):
        raise ArchiveUnsafeError(
            f"{path} holds something else, and others may enter it.",
            hint="Point QUOTH_HOME at a folder of its own, or make this one private:"
            " chmod 700.",
        )
    path.chmod(0o700)


def _is_ours(folder: Path, marked_by: str) -> bool:
    with os.scandir(folder) as entries:
        names = {entry.name for entry in entries}
    return not names or marked_by in names


def check_own_file(path: Path) -> bool:
    """Say whether there is a file at *path*, which then is ours and no other name's.

    Raises:
        ArchiveUnsafeError: It is a link, no regular file, or someone else's.
        ArchiveInaccessibleError: Nobody may look.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as exc:
        raise inaccessible(path, exc) from exc
    _refuse_foreign(path, status)
    return True


def open_own_file(path: Path, flags: int) -> int:
    """Open what `check_own_file` accepts, without following or waiting for anything.

    Raises:
        FileNotFoundError: There is nothing.
        ArchiveUnsafeError: It is a link, no regular file, or someone else's.
        ArchiveInaccessibleError: It can't be opened.
    """
    _refuse_foreign(path, path.lstat())
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise inaccessible(path, exc) from exc
    try:
        # Once more, of what was opened: it may have been put there since.
        _refuse_foreign(path, os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_foreign(path: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise ArchiveUnsafeError(f"{path} is a link.")
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveUnsafeError(f"{path} is no regular file.")
    if _is_foreign(status):
        raise ArchiveUnsafeError(f"{path} belongs to another user.")
    if status.st_nlink > 1:
        raise ArchiveUnsafeError(
            f"{path} has a second name elsewhere.",
            hint="Put a copy in its place: what is written here would change both.",
        )


def _is_foreign(status: os.stat_result) -> bool:
    return hasattr(os, "getuid") and status.st_uid != os.getuid()


def inaccessible(path: Path, exc: OSError) -> ArchiveInaccessibleError:
    """Return the error that says in quoth's words why the system refuses *path*."""
    why = (exc.strerror or type(exc).__name__).lower()
    return ArchiveInaccessibleError(path, why=why)


@contextmanager
def explained_os_errors(path: Path) -> Iterator[None]:
    """Turn what the system says within into an error that names *path*.

    Raises:
        ArchiveInaccessibleError: The system refused.
    """
    try:
        yield
    except OSError as exc:
        raise inaccessible(path, exc) from exc


def create_private_file(path: Path) -> int:
    """Create *path* anew with mode 0600 and return its descriptor.

    Raises:
        FileExistsError: Something is there already, a link included.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    return descriptor


def keep_private(path: Path) -> None:
    """Give a file of ours mode 0600 again: a backup may have come back wider."""
    with suppress(FileNotFoundError):
        if stat.S_IMODE(path.lstat().st_mode) & 0o077:
            path.chmod(0o600)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a new private file that takes the place of *path* if nothing goes wrong."""
    new = path.with_name(f".{path.name}.{os.urandom(8).hex()}.new")
    descriptor = create_private_file(new)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
