"""Does the flat copy of the vectors say what the archive says?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ._flat import FlatVectors

if TYPE_CHECKING:
    from ._flat import Row

__all__ = ["CopyState", "state_of_copy"]


class CopyState(StrEnum):
    """What a flat copy is worth."""

    NONE = "none"
    """There is none."""
    UNUSED = "unused"
    """It is of another archive, embedder or moment, or cut short: searches pass it."""
    WHOLE = "whole"
    ALTERED = "altered"
    """It is used, and holds other vectors than the archive does."""


def state_of_copy(
    connection: sqlite3.Connection,
    path: Path,
    *,
    identity: str,
    dimensions: int,
) -> CopyState:
    """Compare every vector in the copy at *path* with those in the archive."""
    if not path.is_symlink() and not path.exists():
        return CopyState.NONE
    copy = FlatVectors.open(path)
    if copy is None:
        return CopyState.UNUSED
    embedder, generation, newest = connection.execute(
        "SELECT (SELECT id FROM embedder WHERE identity = :identity),"
        " coalesce((SELECT value FROM meta WHERE key = 'generation'), 0),"
        " (SELECT max(embedding.id) FROM embedding JOIN embedder"
        "   ON embedder.id = embedder WHERE identity = :identity)",
        {"identity": identity},
    ).fetchone()
    kept = (copy.identity, copy.dimensions, copy.generation)
    if kept != (identity, dimensions, generation) or copy.last_id > (newest or 0):
        return CopyState.UNUSED
    rows = connection.execute(
        "SELECT id, codes, scales FROM embedding"
        " WHERE +embedder = ? AND id <= ? ORDER BY id",
        (embedder, copy.last_id),
    )
    return CopyState.WHOLE if _is_copy_of(copy, rows) else CopyState.ALTERED


def _is_copy_of(copy: FlatVectors, rows: Iterable[Row]) -> bool:
    place = 0
    for identity, codes, scales in rows:
        end = place + len(scales) // 4
        if (
            copy.codes[place:end].tobytes() != codes
            or copy.scales[place:end].tobytes() != scales
            or (copy.owners[place:end] != identity).any()
        ):
            return False
        place = end
    return place == copy.count
