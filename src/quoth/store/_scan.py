"""Which vectors are nearest a question: exact, whatever the order they stand in.

Pure functions over arrays. `best_per_owner` needs owners ascending.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ._nearest import Nearest

__all__ = ["best_per_owner", "cosines"]

BLOCK = 8_192
"""Vectors turned to float32 at a time: 8 MB at 256 dimensions."""

CHUNK = 1_000
"""Owners in the first chunk; each further one is twice the one before."""

EXACT = 2**24
"""Whole numbers up to here are exact in float32."""


def cosines(
    codes: NDArray[np.int8], scales: NDArray[np.float32], query: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the cosine of each `codes[i] * scales[i]` with *query*; -inf at scale 0.

    The question is rounded to whole numbers so small that no sum of products can leave
    float32's exact range. So equal vectors score equal bits wherever they stand, on
    any BLAS; plain float32 would let the place in the file break ties. The rounding
    costs 3.5e-5 in a cosine (standard deviation), a tenth of what int8 costs.
    """
    whole = _on_a_grid(query)
    products = np.empty(len(codes), np.float32)
    block = np.empty((min(BLOCK, len(codes)), len(query)), np.float32)
    for start in range(0, len(codes), BLOCK):
        some = codes[start : start + BLOCK]
        block[: len(some)] = some
        np.dot(block[: len(some)], whole, out=products[start : start + BLOCK])
    length = np.float32(np.sqrt((whole.astype(np.float64) ** 2).sum()))
    products *= scales / max(length, np.float32(1))
    products[scales == 0] = -np.inf
    return products


def best_per_owner(
    scores: NDArray[np.float32],
    owners: NDArray[np.int64],
    *,
    allowed: NDArray[np.int64] | Sequence[int] | None = None,
) -> Iterator[Nearest]:
    """Return each owner once by its best score, in chunks, the best first.

    Owners without a finite score and owners that are not *allowed* are left out.
    """
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    best = np.maximum.reduceat(scores, starts) if len(starts) else scores[:0]
    kept = np.isfinite(best)
    if allowed is not None:
        kept &= np.isin(owners[starts], np.asarray(allowed, np.int64))
    starts, best = starts[kept], best[kept]
    return (
        Nearest(
            owners[starts[top]], best[top], _windows(scores, starts[top], best[top])
        )
        for top in _in_order(best)
    )


def _in_order(scores: NDArray[np.float32]) -> Iterator[NDArray[np.int64]]:
    """Yield places in *scores*, highest first, then lowest place, sorting no further.

    All of the scores that are equal to a chunk's lowest are in the chunk.
    """
    left = np.arange(len(scores))
    size = CHUNK
    while len(left):
        high = scores[left]
        cut = max(len(left) - size, 0)
        floor = np.partition(high, cut)[cut]
        top = left[high >= floor]
        left = left[high < floor]
        yield top[np.argsort(-scores[top], kind="stable")]
        size *= 2


def _windows(
    scores: NDArray[np.float32], starts: NDArray[np.int64], best: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return how far after each start its best score stands first."""
    offsets = np.zeros(len(starts), np.int64)
    searching = np.flatnonzero(scores[starts] != best)
    while len(searching):
        offsets[searching] += 1
        found = scores[starts[searching] + offsets[searching]] == best[searching]
        searching = searching[~found]
    return offsets


def _on_a_grid(query: NDArray[np.float32]) -> NDArray[np.float32]:
    # |sum of products| <= |codes| * |query|, and |codes| <= 128 * sqrt(width); rounding
    # adds at most sqrt(width) / 2 to the question's length.
    width = np.sqrt(len(query))
    length = np.sqrt((query.astype(np.float64) ** 2).sum())
    steps = (EXACT / (128 * width) - width) / length if length else 0.0
    return np.rint(query * steps).astype(np.float32)
