"""Which hits are weak: as likely as not, they have nothing to do with the question."""

from __future__ import annotations

from collections.abc import Sequence

from ._meaning import Nearness
from ._ranking import FEATURES
from ._words import WordMatches

__all__ = ["is_weak"]

# Chosen so that one in ten of the best hits for a question that has an answer is below,
# over LoCoMo, BEAM-100K, LongMemEval-S and the probe. What it means for questions that
# have nothing to do with a library: docs/ranking.md (`python -m evaluation.weak`).
_BOTH, _WORDS, _MEANING = 0.235, 0.09, 0.094
_OF_WORDS = 0.5

_MEANT, _COVERED, _CLOSE, _NAMED = map(
    FEATURES.index, ("meaning", "coverage", "wide", "named")
)


def is_weak(
    features: Sequence[float], words: WordMatches | None, near: Nearness
) -> bool:
    """Say whether a message's features are too little to count on.

    How far its cosine is above the embedder's floor, and half of what share of the
    question stands within 30 words of it, unknown words included; one that came by its
    meaning alone needs less. A message with the question's identifiers is never weak.
    """
    if features[_NAMED]:
        return False
    close = 0.0
    if words is not None:  # of what was not read, only the coverage is known
        close = (features[_CLOSE] or features[_COVERED]) * words.known
    strength = near.above_floor(features[_MEANT]) + _OF_WORDS * close
    if not close:
        return strength < _MEANING
    return strength < (_BOTH if near.matches else _WORDS)
