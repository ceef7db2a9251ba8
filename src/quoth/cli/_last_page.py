"""The last page of each terminal, so that `quoth show 3` means its third hit.

Only numbers and keys are kept, never a word of a conversation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.errors import NotRecordedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quoth.model import Hit

__all__ = ["Place", "recalled", "remember"]

Place = tuple[str, int]
"""A conversation's key, and a message's number in it."""

_FOLDER = "pages"
_MOST_FILES = 50
_MOST_BYTES = 1 << 18
_LINE = re.compile(r"(\d{1,9}) (\S+)#(\d{1,9})")


def remember(home: Path, hits: Iterable[Hit], *, first: int) -> None:
    """Keep the page's keys for this terminal, if quoth has a folder to write to.

    An answer was printed already: a page that can't be kept must not turn it into an
    error, so `show` says then that there is none.
    """
    text = "".join(
        f"{number} {hit.conversation}#{hit.seq}\n"
        for number, hit in enumerate(hits, start=first)
    )
    with suppress(OSError), _pages(home, make=True) as folder:
        _replace(folder, _terminal_id(), text.encode("utf-8", "replace"))
        _drop_oldest(folder)


def recalled(home: Path, number: int) -> Place:
    """Return what the *number*-th hit of this terminal's last page was.

    Raises:
        NotRecordedError: this terminal has no page, or not that many hits.
    """
    page = _places(home)
    if page is None:
        raise NotRecordedError(
            "This terminal has no page of hits to take a number from.",
            hint='Search first (quoth search "..."), or give the key.',
        )
    if number not in page:
        raise NotRecordedError(
            f"The last page of this terminal has no hit {number}.",
            hint=f"It has {_told(sorted(page))}.",
        )
    return page[number]


def _told(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return (
        f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"only {numbers[0]}"
    )


def _places(home: Path) -> dict[int, Place] | None:
    try:
        with _pages(home, make=False) as folder:
            text = _read(folder, _terminal_id()).decode("utf-8", "replace")
    except OSError:
        return None
    found = (_LINE.fullmatch(line) for line in text.splitlines())
    return {int(line[1]): (line[2], int(line[3])) for line in found if line}


@contextmanager
def _pages(home: Path, *, make: bool) -> Iterator[int]:
    """Open the folder of pages; quoth's own folder is never made here."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    if make:
        with suppress(FileExistsError):
            (home / _FOLDER).mkdir(mode=0o700)
            (home / _FOLDER).chmod(0o700)  # under a umask that takes it from its owner
    folder = os.open(home / _FOLDER, flags)
    try:
        yield folder
    finally:
        os.close(folder)


def _replace(folder: int, name: str, content: bytes) -> None:
    """Put *content* under *name* in one step, readable by its owner alone."""
    fresh = f".{name}.{os.urandom(8).hex()}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(fresh, flags, 0o600, dir_fd=folder)
    with os.fdopen(file, "wb") as stream:
        os.fchmod(file, 0o600)
        stream.write(content)
    os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)


def _read(folder: int, name: str) -> bytes:
    # O_NONBLOCK: a pipe put in the file's place must not make us wait for a writer.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as stream:
        return stream.read(_MOST_BYTES)


def _drop_oldest(folder: int) -> None:
    with os.scandir(folder) as entries:
        ages = [
            (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
            for entry in entries
        ]
    for _, name in sorted(ages, reverse=True)[_MOST_FILES:]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _terminal_id() -> str:
    """Return a name for this terminal.

    The session is part of it, so that a new window which is given an old one's device
    doesn't inherit its page. Without a terminal the parent process stands for it.
    """
    from hashlib import sha256

    device = next(filter(None, map(_device, (0, 1, 2))), f"parent:{os.getppid()}")
    return sha256(f"{device} {os.getsid(0)}".encode()).hexdigest()[:16]


def _device(descriptor: int) -> str | None:
    try:
        return os.ttyname(descriptor)
    except OSError:
        return None
