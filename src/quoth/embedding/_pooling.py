"""The arithmetic of static vectors: sums of token rows, exactly, and their bytes.

Every sum here is of whole numbers below 2**53 in float64, so it is exact: neither the
order of adding, nor the batch, nor the machine's BLAS can change a bit of a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from ._protocol import Quantised, QueryVector

__all__ = ["TokenTable", "flat_ids", "quantised", "unit"]

Sums = NDArray[np.float64]

WHOLE = 2.0**24
"""The smallest float16 is 2**-24, so a scale times this is a whole number."""

GATHERED = 1_024
"""Token rows in float64 at a time: 2 MB at 256 dimensions, about a core's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """Token vectors: row i is `codes[i] * weights[i]`, in units of 2**-24.

    `codes` is int8 of shape (tokens, dimensions), often a map of a file; `weights`
    float64 of shape (tokens,), whole numbers.
    """

    codes: NDArray[np.int8]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, codes: NDArray[np.int8], scales: NDArray[np.float16]) -> TokenTable:
        """Return the table of *codes* whose rows are to be multiplied by *scales*."""
        # As a plain array: a memmap makes a new memmap, slowly, of every selection.
        return cls(np.asarray(codes), scales.astype(np.float64) * WHOLE)

    def sums(self, ids: NDArray[np.intp], bounds: Sequence[tuple[int, int]]) -> Sums:
        """Return the sum of the token rows `ids[first:last]` for each of *bounds*."""
        sums = np.zeros((len(bounds), self.codes.shape[1]))
        weights = self.weights.take(ids)
        for row, (first, last) in zip(sums, bounds, strict=True):
            for start in range(first, last, GATHERED):
                some = slice(start, min(start + GATHERED, last))
                codes = self.codes.take(ids[some], axis=0)
                row += weights[some] @ codes.astype(np.float64)
        return sums


def flat_ids(words: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.intp], list[int]]:
    """Return the ids of *words* in one row, and where each word begins in it.

    The second holds one place more than there are words: the end of the last.
    """
    begins = list(accumulate(map(len, words), initial=0))
    return np.fromiter(chain.from_iterable(words), np.intp, begins[-1]), begins


def quantised(sums: Sums) -> Quantised:
    """Return the direction of each row of *sums* in bytes; a row of zeros has scale 0.

    The scale is what makes the rounded row unit length, not what it was before.
    """
    peaks = np.abs(sums).max(axis=1, initial=0.0)
    steps = np.where(peaks > 0, peaks, 1.0)
    codes = np.rint(sums * 127.0 / steps[:, None])
    lengths = np.sqrt((codes * codes).sum(axis=1))
    scales = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return Quantised(codes.astype(np.int8), scales.astype(np.float32))


def unit(total: NDArray[np.float64]) -> QueryVector | None:
    """Return *total* at length 1, or None when it is all zero."""
    length = float(np.sqrt((total * total).sum()))
    return (total / length).astype(np.float32) if length else None
