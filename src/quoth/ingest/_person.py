"""What this machine knows of the person at it, for what must not be passed on."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from quoth.redaction import Names, included_settings, learn_names

__all__ = ["names_of_person"]

_MOST_BYTES = 256_000
"""Of git's settings; people write a few hundred."""
_MOST_FILES = 16


def names_of_person(
    environ: Mapping[str, str],
    *,
    home_dir: Path,
    folders: Iterable[str],
    remotes: Iterable[str],
) -> Names:
    """Return the names of the person, the machine, and what they work on.

    Read are the environment and git's own settings with what they include, nothing
    else.

    Args:
        home_dir: The person's own folder.
        folders: Folders that were worked in.
        remotes: Repositories, as git names them.
    """
    usual = Path(environ.get("XDG_CONFIG_HOME") or home_dir / ".config")
    settings = (home_dir / ".gitconfig", usual / "git" / "config")
    return learn_names(
        environ=environ,
        home_dir=str(home_dir),
        node=os.uname().nodename,
        git_config="\n".join(_texts(settings, home_dir)),
        folders=folders,
        remotes=remotes,
    )


def _texts(settings: Iterable[Path], home_dir: Path) -> Iterator[str]:
    """Yield the text of each file of settings, and of those that it includes."""
    waiting = [*settings]
    for place in range(_MOST_FILES):
        if place == len(waiting):
            return
        text = _text_of(waiting[place])
        yield text
        folder = waiting[place].parent
        for name in included_settings(text):
            path = home_dir / name[2:] if name.startswith("~/") else folder / name
            if path not in waiting:
                waiting.append(path)


def _text_of(path: Path) -> str:
    """Return what stands in a file, or nothing where that can't be had at once."""
    try:
        # Not blocking: opening a pipe would wait for its other end.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):  # no name of a file has a NUL in it
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return os.read(descriptor, _MOST_BYTES).decode("utf-8", "replace")
    finally:
        os.close(descriptor)
