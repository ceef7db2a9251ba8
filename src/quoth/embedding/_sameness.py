"""Whether a model is still the one that made an archive's vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._protocol import QueryVector

__all__ = ["is_same_model", "packed"]

_SAME = 0.95
"""Cosine of the two vectors of one word. One model differs from itself in the third
digit, from run to run; two models of one width have nothing in common."""


def is_same_model(before: bytes | None, now: QueryVector | None) -> bool:
    """Say whether a fixed word has the vector it had; true where nobody can tell."""
    if before is None or now is None:
        return True
    import numpy as np

    known = np.frombuffer(before, "<f4")
    return len(known) == len(now) and float(known @ now) >= _SAME


def packed(vector: QueryVector | None) -> bytes | None:
    """Return a vector as it is stored."""
    return None if vector is None else vector.astype("<f4").tobytes()
