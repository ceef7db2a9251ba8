"""The data folder: where it is, who may look into it, what lies in it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from quoth.model import Finding, Section
from quoth.store import BAN_FILE, DATABASE

from ._finding import counted, ok, problem, warning

__all__ = ["data_folder", "files", "free_space", "is_leftover", "walked"]

_PLACES = Section.PLACES
_SCARCE = 200_000_000
"""Bytes. A first sync of some years of history takes about this much."""

_MOST_FILES = 10_000
_OWN_FOLDERS = frozenset({"demo", "logs", "models", "pages", "vectors"})
_OWN_FILES = frozenset(
    {"config.toml", "embed.lock", "lock", "sync.lock", BAN_FILE, DATABASE}
    | {f"{DATABASE}{ending}" for ending in ("-wal", "-shm", "-journal")}
)


def data_folder(home: Path, *, named_by: str) -> Iterator[Finding]:
    """Say where the folder is, by which setting, and whether it is private."""
    check = "data-folder"
    where = f"{home} ({named_by})"
    try:
        status = home.lstat()
    except (FileNotFoundError, NotADirectoryError):
        yield ok(_PLACES, check, f"There is nothing at {where} yet: a sync makes it.")
        return
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        yield problem(
            _PLACES, check, f"{where} is a link.", "Name the folder it leads to."
        )
    elif not stat.S_ISDIR(status.st_mode):
        yield problem(
            _PLACES, check, f"{where} is no folder.", "Name another in QUOTH_HOME."
        )
    elif status.st_uid != os.getuid():
        yield problem(
            _PLACES,
            check,
            f"{where} belongs to another user.",
            "Name a folder of your own in QUOTH_HOME.",
        )
    elif mode & 0o077:
        yield problem(
            _PLACES,
            check,
            f"Others may look into {where}: its mode is {mode:04o}.",
            f"chmod 700 {home}",
        )
    elif not os.access(home, os.W_OK):
        yield warning(
            _PLACES,
            check,
            f"{where} may only be read: searching works, syncing does not.",
            None,
        )
    else:
        yield ok(_PLACES, check, f"{where}, for you alone.")


def free_space(home: Path) -> Iterator[Finding]:
    """Say how much room is left where the archive grows."""
    place = next(each for each in (home, *home.parents) if each.exists())
    free = shutil.disk_usage(place).free
    says = f"{free / 1e9:,.1f} GB are free there."
    if free < _SCARCE:
        yield warning(_PLACES, "disk-space", says, "Make room before the next sync.")
    else:
        yield ok(_PLACES, "disk-space", says)


def files(home: Path) -> Iterator[Finding]:
    """Say which files others may read, are not yours, are links, or do not belong."""
    found = [*walked(home)]
    if not found:
        return
    faults = [fault for path in found for fault in _faults(home, path)]
    left = [path for path in found if is_leftover(path)]
    strange = [path for path in found if _is_strange(home, path)]
    check = "file-permissions"
    if faults:
        yield problem(
            _PLACES,
            check,
            f"Not yours alone: {counted(len(faults), 'file')} of the data folder.",
            "`quoth doctor --repair` makes files private again; links and other"
            " people's files are for you to move away.",
            *faults,
        )
    else:
        yield ok(_PLACES, check, f"{counted(len(found), 'file')} in it, for you alone.")
    if left:
        yield warning(
            _PLACES,
            "leftovers",
            f"{counted(len(left), 'half-written file')} of a sync that was killed.",
            "The next sync removes them.",
            *map(str, left),
        )
    if strange:
        yield warning(
            _PLACES,
            "strange-files",
            f"{counted(len(strange), 'file')} there that quoth did not make.",
            "quoth leaves them alone. A copy of the archive holds conversations too.",
            *map(str, strange),
        )


def walked(home: Path) -> Iterator[Path]:
    """Yield what lies in the folder, in order, following no link, so many at most."""
    left = _MOST_FILES
    for folder, folders, names in os.walk(home):
        folders.sort()
        for name in sorted([*folders, *names]):
            if left == 0:
                return
            left -= 1
            yield Path(folder, name)


def is_leftover(path: Path) -> bool:
    """Say whether a writer that was killed left this behind, to be replaced by none."""
    return path.name.startswith(".") and path.name.endswith(".new")


def _faults(home: Path, path: Path) -> Iterator[str]:
    try:
        status = path.lstat()
    except FileNotFoundError:  # a sync is just replacing it
        return
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        yield f"{path} is a link."
    elif not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        yield f"{path} is no regular file."
    elif status.st_uid != os.getuid():
        yield f"{path} belongs to another user."
    elif mode & 0o077:
        yield f"{path} has mode {mode:04o}."
    elif path.parent == home and path.name in _OWN_FILES and status.st_nlink > 1:
        yield f"{path} has a second name elsewhere."


def _is_strange(home: Path, path: Path) -> bool:
    return path.parent == home and path.name not in _OWN_FILES | _OWN_FOLDERS
