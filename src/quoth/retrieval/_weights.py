"""What each feature counts, as `python -m evaluation.learn` found it."""

from __future__ import annotations

from quoth.model import SearchUnit

from ._ranking import Weights

__all__ = ["WEIGHTS"]

WEIGHTS = {
    SearchUnit.MESSAGE: Weights(
        words=1.74,
        meaning=2.05,
        coverage=1.0,
        neighbours=1.32,
        conversation=1.31,
        spread=1.44,
        title=0.5,
        oneself=1.71,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        wide=1.3,
        tight=0.83,
        in_order=0.87,
        pairs=0.84,
        own=1.09,
        asks=-0.53,
    ),
    SearchUnit.CONVERSATION: Weights(
        words=1.47,
        meaning=2.06,
        coverage=1.14,
        neighbours=0.56,
        conversation=1.24,
        spread=1.2,
        title=0.5,
        oneself=0.86,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        wide=1.44,
        tight=1.2,
        in_order=0.95,
        pairs=0.7,
        own=0.55,
        asks=-0.11,
    ),
}
