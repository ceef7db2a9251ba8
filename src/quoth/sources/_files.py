"""Finding and opening other programs' files: read-only, never blocking, no links."""

from __future__ import annotations

import errno
import math
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from quoth.errors import UnreadableUnitError
from quoth.model import Unit

__all__ = [
    "OutOfTimeError",
    "check_time",
    "files_under",
    "looking_until",
    "open_read_only",
    "spelled",
    "stamp_of",
]

_DEADLINE: ContextVar[float] = ContextVar("deadline", default=math.inf)


class OutOfTimeError(Exception):
    """The time for looking at places was over before all of them were looked at."""


@contextmanager
def looking_until(deadline: float) -> Iterator[None]:
    """Let walks through folders within stop at a `time.monotonic` moment.

    A person may name any folder as a place, and a search can't wait for the end of a
    walk through all they have.
    """
    token = _DEADLINE.set(deadline)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def check_time() -> None:
    """Do nothing, as long as there is time left to look at one more folder.

    Raises:
        OutOfTimeError: There is none.
    """
    if time.monotonic() > _DEADLINE.get():
        raise OutOfTimeError


_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO would hang the open
    | getattr(os, "O_BINARY", 0)
)


def spelled(path: Path) -> str:
    """Return a path as text that can be stored: bytes that are none become `\\xe9`."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def stamp_of(status: os.stat_result) -> str:
    """Return a text that differs whenever the file may hold other bytes.

    ctime is in it: a file rewritten to the same length with its mtime set back
    (restores, `cp -p`, some editors) has a new ctime all the same.
    """
    return (
        f"{status.st_dev}:{status.st_ino}:{status.st_size}"
        f":{status.st_mtime_ns}:{status.st_ctime_ns}"
    )


def files_under(
    roots: Sequence[Path], *, wanted: Callable[[str], bool], depth: int = 12
) -> Iterator[Unit]:
    """Yield a unit for every file below *roots* whose name is *wanted*, in path order.

    A root may be a link or a file; below it no link to a folder is followed. A folder
    reached by two roots is walked once. What is no regular file is yielded too, and a
    folder that may not be listed: reading it says so.
    """
    seen: set[tuple[int, int]] = set()
    for root in roots:
        try:
            status = root.stat()
        except OSError:
            continue
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(root, status, wanted=wanted, depth=depth, seen=seen)
        elif wanted(root.name) and _is_new(status, seen):
            yield _unit(root, status)


def _walk(
    folder: Path,
    status: os.stat_result,
    *,
    wanted: Callable[[str], bool],
    depth: int,
    seen: set[tuple[int, int]],
) -> Iterator[Unit]:
    check_time()
    if depth < 0 or not _is_new(status, seen):
        return
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except PermissionError:
        yield _unit(folder, status)  # reading it says why what is in it is missing
        return
    except OSError:  # it vanished
        return
    for entry in ordered:
        try:
            inner = entry.stat(follow_symlinks=False)
        except OSError:  # it vanished between the listing and the look
            continue
        path = folder / entry.name
        if stat.S_ISDIR(inner.st_mode):
            yield from _walk(path, inner, wanted=wanted, depth=depth - 1, seen=seen)
        elif wanted(entry.name):
            yield _unit(path, inner)


def _is_new(status: os.stat_result, seen: set[tuple[int, int]]) -> bool:
    identity = (status.st_dev, status.st_ino)
    known = identity in seen
    seen.add(identity)
    return not known


def _unit(path: Path, status: os.stat_result) -> Unit:
    return Unit(
        path=path,
        stamp=stamp_of(status),
        size=status.st_size,
        changed_at=max(status.st_mtime, status.st_ctime),
    )


def open_read_only(path: Path) -> BinaryIO:
    """Open a source's file for reading bytes.

    Raises:
        UnreadableUnitError: It is gone, forbidden, a link, or no regular file.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as exc:
        is_gone = isinstance(exc, FileNotFoundError | NotADirectoryError)
        raise UnreadableUnitError(path, why=_why(exc), is_gone=is_gone) from exc
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableUnitError(path, why="it is no regular file")
    return os.fdopen(descriptor, "rb")


def _why(exc: OSError) -> str:
    if exc.errno == errno.ELOOP:
        return "it is a link"
    return (exc.strerror or type(exc).__name__).lower()
