"""How far the archive is behind, in one sentence."""

from __future__ import annotations

from datetime import datetime

from quoth.model import Freshness

from ._layout import counted, duration, one_line
from ._times import when

__all__ = ["freshness_line", "last_sync"]


def freshness_line(freshness: Freshness, *, now: datetime) -> str:
    """Return what has changed since the last sync, or nothing if nothing has."""
    return " ".join(filter(None, (_changed(freshness, now), _unavailable(freshness))))


def _unavailable(freshness: Freshness) -> str:
    if not freshness.unavailable:
        return ""
    places = ", ".join(one_line(str(place)) for place in freshness.unavailable)
    return f"Can't reach {places}: only what was read before is here."


def _changed(freshness: Freshness, now: datetime) -> str:
    if not freshness.changed_files:
        return ""
    files = counted(freshness.changed_files, "file", at_least=not freshness.complete)
    oldest = ""
    if freshness.oldest_change_s is not None:
        oldest = f", the oldest {duration(freshness.oldest_change_s)} ago"
    return f"{files} changed since {last_sync(freshness, now=now)}{oldest}: quoth sync"


def last_sync(freshness: Freshness, *, now: datetime) -> str:
    """Return when the last sync was."""
    if freshness.last_sync is None:
        return "the last sync"
    return f"the last sync ({when(freshness.last_sync, now=now)})"
