"""One writer at a time: a lock of the operating system, gone with its process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from quoth.errors import ArchiveBusyError

from ._files import create_private_file

__all__ = ["hold"]

_STEP_S = 0.02
_WIDTH = 80


@contextmanager
def hold(
    path: Path, *, wait_s: float, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Hold the lock at *path*, and write into it who does since when.

    Raises:
        ArchiveBusyError: Somebody else still held it after *wait_s* seconds.
    """
    descriptor = _open(path)
    try:
        _acquire(descriptor, wait_s=wait_s, sleep=sleep)
        owner = f"process {os.getpid()} since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
        # One width, and never cut to nothing: ext4 writes such a file out when closed.
        os.pwrite(descriptor, owner.ljust(_WIDTH).encode(), 0)
        yield
    finally:
        os.close(descriptor)  # which also lets the lock go


def _open(path: Path) -> int:
    with suppress(FileExistsError):
        return create_private_file(path)
    return os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)


def _acquire(descriptor: int, *, wait_s: float, sleep: Callable[[float], None]) -> None:
    waited = 0.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waited >= wait_s:
                holder = os.pread(descriptor, 200, 0).decode(errors="replace").strip()
                raise ArchiveBusyError(
                    holder=holder or "another process", waited_s=waited
                ) from None
            sleep(_STEP_S)
            waited += _STEP_S
        else:
            return
