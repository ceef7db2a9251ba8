"""What each feature counts, as `python -m evaluation.learn` found it."""

from __future__ import annotations

from quoth.model import SearchUnit

from ._ranking import Weights

__all__ = ["WEIGHTS"]

WEIGHTS = {
    SearchUnit.MESSAGE: Weights(
        words=2.18,
        meaning=2.32,
        coverage=0.55,
        neighbours=2.12,
        conversation=1.46,
        spread=2.11,
        title=0.5,
        oneself=2.22,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        recent=0.0,
        wide=1.41,
        tight=0.33,
        in_order=1.37,
        pairs=1.31,
        own=1.5,
        asks=-0.74,
    ),
    SearchUnit.CONVERSATION: Weights(
        words=1.86,
        meaning=2.56,
        coverage=0.9,
        neighbours=0.47,
        conversation=1.3,
        spread=1.24,
        title=0.5,
        oneself=1.45,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        recent=0.0,
        wide=1.84,
        tight=1.45,
        in_order=1.69,
        pairs=1.04,
        own=0.56,
        asks=-0.23,
    ),
}
