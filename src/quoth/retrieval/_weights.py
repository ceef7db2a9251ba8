"""What each feature counts, as `python -m evaluation.learn` found it."""

from __future__ import annotations

from quoth.model import SearchUnit

from ._ranking import Weights

__all__ = ["WEIGHTS"]

WEIGHTS = {
    SearchUnit.MESSAGE: Weights(
        words=1.72,
        meaning=1.9,
        coverage=0.73,
        neighbours=1.41,
        conversation=0.97,
        spread=1.0,
        title=0.5,
        oneself=1.77,
        tool=-0.7,
        named=2.0,
        wide=1.11,
        tight=0.68,
        in_order=0.91,
        pairs=0.86,
        own=1.15,
        asks=-0.55,
    ),
    SearchUnit.CONVERSATION: Weights(
        words=1.59,
        meaning=1.96,
        coverage=0.95,
        neighbours=0.68,
        conversation=1.02,
        spread=0.8,
        title=0.5,
        oneself=0.8,
        tool=-0.7,
        named=2.0,
        wide=1.24,
        tight=1.04,
        in_order=0.87,
        pairs=0.64,
        own=0.61,
        asks=-0.12,
    ),
}
