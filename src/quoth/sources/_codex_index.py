"""The titles that Codex keeps beside its rollouts, of all threads in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError

from ._files import open_read_only, stamp_of

__all__ = ["ARCHIVE", "SESSIONS", "ThreadIndex"]

SESSIONS = "sessions"
ARCHIVE = "archived_sessions"

_NAME = "session_index.jsonl"
_FOLDERS_ABOVE = 5
"""How far above a rollout its place is looked for: year, month and day are between."""

_LONGEST_LINE = 64 * 1024
_LARGEST = 16 * 1024 * 1024
"""Bytes. A line is a title; what comes after this many of them is not looked at."""


class ThreadIndex:
    """The titles of threads, read when first asked for and when their file changed."""

    def __init__(self) -> None:
        self._path = Path()
        self._stamp = ""
        self._names: dict[str, str] = {}

    def name_of(self, thread: str, rollout: Path) -> str:
        """Return what a thread is called in the place of one of its rollouts, or ''."""
        path = _index_for(rollout)
        if path is None:
            return ""
        try:
            stamp = stamp_of(path.stat(follow_symlinks=False))
            if (path, stamp) != (self._path, self._stamp):
                self._names = _names_in(path)
                self._path, self._stamp = path, stamp
        except (OSError, UnreadableUnitError):  # there is none, and none is needed
            return ""
        return self._names.get(thread, "")


def _index_for(rollout: Path) -> Path | None:
    for folder in rollout.parents[:_FOLDERS_ABOVE]:
        if folder.name in (SESSIONS, ARCHIVE):
            return folder.parent / _NAME
    return None


def _names_in(path: Path) -> dict[str, str]:
    """Return the titles by thread; of several of one thread the last counts."""
    from ._decoding import objects_in  # not for every search

    names: dict[str, str] = {}
    with open_read_only(path) as file:
        while file.tell() < _LARGEST and (line := file.readline(_LONGEST_LINE)):
            for entry in objects_in(line.decode("utf-8", errors="replace").strip())[0]:
                _take_in(entry, names)
    return names


def _take_in(entry: dict[str, Any], names: dict[str, str]) -> None:
    thread, name = entry.get("id"), entry.get("thread_name")
    if isinstance(thread, str) and isinstance(name, str):
        names[thread] = name
