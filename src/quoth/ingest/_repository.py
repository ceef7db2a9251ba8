"""Which repository a working folder belongs to, if it still stands."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath

__all__ = ["nearest_repository"]


@lru_cache(maxsize=4096)
def nearest_repository(cwd: str) -> str | None:
    """Return the nearest folder at or above *cwd* that holds a `.git`, else None.

    Only asks whether names exist; nothing is opened.
    """
    folder = PurePosixPath(cwd)
    if not folder.is_absolute():
        return None
    for place in (folder, *folder.parents):
        try:
            if Path(place, ".git").exists():
                return str(place)
        except OSError:
            return None
    return None
