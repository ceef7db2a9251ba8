"""Replacing a file of ours whole, one process at a time, for its owner alone."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quoth.errors import SettingError

from ._file import CONFIG_FILE, MOST_BYTES, why

__all__ = ["locked", "make_private", "replace"]


def make_private(folder: Path, *, marked_by: str) -> None:
    """Make *folder*, and what is missing above it, for its owner alone.

    Args:
        marked_by: The file that shows a folder to be ours. One that others may enter
            is made private when it holds this file, or at most settings; else it is
            refused.

    Raises:
        SettingError: It can't be made, or is no folder of our own.
    """
    try:
        _make_folders(folder)
        status = folder.lstat()
        _check_own(folder, status)
        if status.st_mode & 0o077:
            _check_ours(folder, marked_by)
            folder.chmod(0o700)
    except OSError as error:
        raise _unusable(folder, why(error)) from error


def _make_folders(folder: Path) -> None:
    if os.path.lexists(folder):
        return
    _make_folders(folder.parent)
    with suppress(FileExistsError):  # another process made it just now
        folder.mkdir(mode=0o700)
        folder.chmod(0o700)  # mkdir's mode is narrowed by the umask, never widened


def _check_own(folder: Path, status: os.stat_result) -> None:
    if not stat.S_ISDIR(status.st_mode):
        raise _unusable(folder, "it is no folder of its own")
    if status.st_uid != os.getuid():
        raise _unusable(folder, "it is another user's")


def _check_ours(folder: Path, marked_by: str) -> None:
    names = {entry.name for entry in folder.iterdir()}
    if marked_by not in names and not names <= {CONFIG_FILE}:
        raise _unusable(folder, "it holds something else, and others may enter it")


def _unusable(folder: Path, reason: str) -> SettingError:
    return SettingError(
        f"{folder} cannot hold the settings: {reason}.",
        hint="See who may write there, or point QUOTH_HOME at a folder of its own.",
    )


@contextmanager
def locked(
    folder: Path, *, wait_s: float = 5.0, sleep: Callable[[float], None] = time.sleep
) -> Iterator[int]:
    """Hold the lock of *folder*, which is its owner's own, and yield it opened.

    The folder itself is locked: a file may be replaced while somebody waits for it.

    Raises:
        SettingError: It is a link or somebody else's, or it stayed locked.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        _check_own(folder, folder.lstat())
        descriptor = os.open(folder, flags | os.O_NOFOLLOW)
    except OSError as error:
        raise _unusable(folder, why(error)) from error
    try:
        _acquire(descriptor, folder, wait_s=wait_s, sleep=sleep)
        yield descriptor
    finally:
        os.close(descriptor)  # which also lets the lock go


def _acquire(
    descriptor: int, folder: Path, *, wait_s: float, sleep: Callable[[float], None]
) -> None:
    waited = 0.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waited >= wait_s:
                raise SettingError(
                    f"The settings in {folder} are being changed by another process.",
                    hint="Try again when it has finished.",
                ) from None
            sleep(_STEP_S)
            waited += _STEP_S
        except OSError as error:  # pragma: no cover - a mount that has no locks
            raise _unusable(folder, why(error)) from error
        else:
            return


def replace(path: Path, content: bytes, *, folder: int) -> None:
    """Put *content* at *path* in one step, or leave there what was.

    Args:
        folder: The opened folder of *path*.

    Raises:
        SettingError: It is too much, or can't be written.
    """
    if len(content) > MOST_BYTES:
        raise SettingError(f"{path} would become larger than 64 kB.")
    fresh = f".{path.name}.{os.urandom(8).hex()}.new"
    try:
        _clear(path.name, folder=folder)
        _write(fresh, content, folder=folder)
        os.rename(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except OSError as error:
        raise SettingError(f"{path} cannot be written: {why(error)}.") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(fresh, dir_fd=folder)


def _clear(name: str, *, folder: int) -> None:
    """Remove what others left half written that were killed: nobody else writes now."""
    for left in os.listdir(folder):
        if left.startswith(f".{name}.") and left.endswith(".new"):
            os.unlink(left, dir_fd=folder)


def _write(name: str, content: bytes, *, folder: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)
        file.write(content)
        file.flush()
        os.fsync(descriptor)


_STEP_S = 0.02
