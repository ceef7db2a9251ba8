"""How far the archive is behind, seen in a short look that changes nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from quoth.model import Freshness
from quoth.sources import OutOfTimeError, Source, looking_until
from quoth.store import KnownUnit, UnitKey

from ._changes import KeptOut, is_unchanged, units_of, unreachable_places

__all__ = ["look_for_changes"]


def look_for_changes(
    sources: Sequence[Source],
    roots: Mapping[str, Sequence[Path]],
    known: Mapping[UnitKey, KnownUnit],
    *,
    is_kept_out: KeptOut = lambda *_: False,
    now: datetime,
    last_sync: datetime | None,
    budget_s: float,
) -> Freshness:
    """Count files that differ from what was read, for at most *budget_s* seconds."""
    changed, oldest, complete = 0, None, True
    try:
        with looking_until(time.monotonic() + budget_s):
            for found in units_of(sources, roots, known, is_kept_out=is_kept_out):
                if not is_unchanged(found):
                    changed += 1
                    oldest = min(oldest or found.unit.changed_at, found.unit.changed_at)
    except OutOfTimeError:
        complete = False
    return Freshness(
        changed_files=changed,
        oldest_change_s=None if oldest is None else max(0.0, now.timestamp() - oldest),
        complete=complete,
        unavailable=tuple(unreachable_places(known, roots)),
        last_sync=last_sync,
    )
