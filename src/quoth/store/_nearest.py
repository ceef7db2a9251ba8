"""What a ranking by meaning is made of, told without importing numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Nearest"]


class Nearest(NamedTuple):
    """A run of owners, nearest first: three arrays of one length."""

    owners: NDArray[np.int64]
    scores: NDArray[np.float32]
    """Cosine of the owner's best window, -1.0 to 1.0."""
    windows: NDArray[np.int64]
    """Which of the owner's windows that is, from 0; the first of equals."""
