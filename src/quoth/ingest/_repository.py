"""Which repository a working folder belongs to, if it still stands."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath

__all__ = ["nearest_repository"]


@lru_cache(maxsize=4096)
def nearest_repository(cwd: str) -> str | None:
    """Return the nearest folder at or above *cwd* that holds a `.git`, else None.

    Only asks whether names exist; nothing is opened. A transcript chose *cwd*, so no
    name is asked for where asking does more: under `/net` the automounter would look
    for a host of that name.
    """
    folder = PurePosixPath(cwd) if len(cwd) <= _LONGEST else None
    if folder is None or not _is_harmless(folder):
        return None
    for place in (folder, *folder.parents):
        try:
            if Path(place, ".git").exists():
                return str(place)
        except OSError:
            return None
    return None


_LONGEST = 1_024
_DEEPEST = 64
_ELSEWHERE = frozenset({"net", "network", "proc", "sys", "dev"})


def _is_harmless(folder: PurePosixPath) -> bool:
    parts = folder.parts
    return (
        folder.root == "/"  # two slashes may be another machine's
        and len(parts) <= _DEEPEST
        and ".." not in parts
        and not (len(parts) > 1 and parts[1].casefold() in _ELSEWHERE)
    )
