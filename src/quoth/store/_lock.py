"""One writer at a time: a lock of the operating system, gone with its process."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from quoth.errors import ArchiveBusyError

from ._files import create_private_file, explained_os_errors, open_own_file

__all__ = ["hold", "holder_of"]

_STEP_S = 0.02
_WIDTH = 80
_OWNER = re.compile(r"process \d{1,10} since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")


@contextmanager
def hold(
    path: Path, *, wait_s: float, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Hold the lock at *path*, and write into it who does since when.

    Raises:
        ArchiveBusyError: Somebody else still held it after *wait_s* seconds.
        ArchiveUnsafeError: It is a link, no regular file, or someone else's.
        ArchiveInaccessibleError: It can't be made or written.
    """
    descriptor = _open(path)
    try:
        with explained_os_errors(path):
            _acquire(descriptor, wait_s=wait_s, sleep=sleep)
            _sign(descriptor)
        yield
    finally:
        os.close(descriptor)  # which also lets the lock go


def holder_of(path: Path) -> str | None:
    """Return who holds the lock at *path*, or None. It is looked at, not taken.

    Raises:
        ArchiveUnsafeError: It is a link, no regular file, or someone else's.
        ArchiveInaccessibleError: It can't be read.
    """
    try:
        descriptor = open_own_file(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        # Shared: for the blink of an eye, and not in the way of another look.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(descriptor)
    else:
        return None
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    with explained_os_errors(path):
        with suppress(FileExistsError):
            return create_private_file(path)
        return open_own_file(path, os.O_RDWR)


def _sign(descriptor: int) -> None:
    owner = f"process {os.getpid()} since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    # One width, and never cut to nothing: ext4 writes such a file out when closed.
    os.pwrite(descriptor, owner.ljust(_WIDTH).encode(), 0)


def _acquire(descriptor: int, *, wait_s: float, sleep: Callable[[float], None]) -> None:
    waited = 0.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waited >= wait_s:
                raise ArchiveBusyError(
                    holder=_holder(descriptor), waited_s=waited
                ) from None
            sleep(_STEP_S)
            waited += _STEP_S
        else:
            return


def _holder(descriptor: int) -> str:
    """Return who holds the lock, if it says so in our words and no others."""
    written = os.pread(descriptor, 200, 0).decode("ascii", "replace").strip()
    return written if _OWNER.fullmatch(written) else "another process"
