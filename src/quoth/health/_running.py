"""Which quoth is at work just now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quoth.model import Finding, Section
from quoth.store.checking import SYNC_LOCK, holder_of

from ._finding import ok

__all__ = ["sync_at_work"]


def sync_at_work(home: Path) -> Iterator[Finding]:
    """Say who is syncing or repairing, as a lock of the operating system tells."""
    holder = holder_of(home / SYNC_LOCK)
    if holder is None:
        says = "No sync is running."
    else:
        says = f"A sync or repair is running: {holder}."
    yield ok(Section.RUNNING, "sync", says)
