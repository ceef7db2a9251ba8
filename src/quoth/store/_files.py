"""Making files and folders that only their owner can read, under any umask."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from quoth.errors import ArchiveInaccessibleError, ArchiveUnsafeError

__all__ = ["create_private_file", "keep_private", "private_folder"]


def private_folder(path: Path) -> Path:
    """Make *path* a folder of mode 0700, or check that it is one of our own.

    Raises:
        ArchiveUnsafeError: It is a link, no folder, or someone else's.
        ArchiveInaccessibleError: It can't be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700)
        path.chmod(0o700)  # mkdir's mode is narrowed by the umask, never widened
    except FileExistsError:
        pass
    except OSError as exc:
        raise ArchiveInaccessibleError(path, why=exc.strerror or str(exc)) from exc
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise ArchiveUnsafeError(f"{path} is no folder of its own.")
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        raise ArchiveUnsafeError(f"{path} belongs to another user.")
    if stat.S_IMODE(status.st_mode) & 0o077:
        path.chmod(0o700)
    return path


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
    """Give a file of ours mode 0600 again: a backup may have come back wider.

    Raises:
        ArchiveUnsafeError: It is a link.
    """
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        raise ArchiveUnsafeError(f"{path} is a link.")
    if stat.S_IMODE(mode) & 0o077:
        path.chmod(0o600)
