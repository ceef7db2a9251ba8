"""What each feature counts, as `python -m evaluation.learn` found it."""

from __future__ import annotations

from quoth.model import SearchUnit

from ._ranking import Weights

__all__ = ["WEIGHTS"]

WEIGHTS = {
    SearchUnit.MESSAGE: Weights(
        words=1.71,
        meaning=2.06,
        coverage=0.96,
        neighbours=1.28,
        conversation=1.3,
        spread=1.44,
        title=0.5,
        oneself=1.69,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        wide=1.36,
        tight=0.87,
        in_order=0.89,
        pairs=0.85,
        own=1.08,
        asks=-0.53,
    ),
    SearchUnit.CONVERSATION: Weights(
        words=1.43,
        meaning=2.07,
        coverage=1.11,
        neighbours=0.56,
        conversation=1.22,
        spread=1.19,
        title=0.5,
        oneself=0.85,
        tool=-0.7,
        named=2.0,
        dated=1.5,
        wide=1.5,
        tight=1.25,
        in_order=0.98,
        pairs=0.73,
        own=0.54,
        asks=-0.12,
    ),
}
