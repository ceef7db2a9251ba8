"""Merging rankings, and messages into conversations: pure, and the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from quoth.store import WordMatch

__all__ = ["Candidate", "Row", "leading_few", "mix", "roll_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A message that may be shown. Higher scores are better; ages break ties."""

    message: int
    row: int
    at: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a page: its best message, and the further ones that matched."""

    best: Candidate
    others: int


def mix(words: Mapping[int, float], meaning: Mapping[int, float]) -> dict[int, float]:
    """Fuse two rankings by half the min-max-normalised score of each.

    Measured best or level on every conversation set tried; reciprocal rank fusion lost
    up to six points there. A ranking that is empty, holds one hit or has equal scores
    counts as 1.0 for what it holds; what a ranking doesn't hold counts 0.
    """
    by_word, by_meaning = _normalised(words), _normalised(meaning)
    return {
        message: (by_word.get(message, 0.0) + by_meaning.get(message, 0.0)) / 2
        for message in {**words, **meaning}
    }


def _normalised(scores: Mapping[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {message: (score - low) / (high - low) for message, score in scores.items()}


def leading_few(
    matches: Sequence[WordMatch], *, conversations: int, each: int
) -> list[WordMatch]:
    """Return the best *each* matches of the best *conversations*, best first.

    Equal scores stay in the order of *matches*.
    """
    taken: Counter[int] = Counter()
    leading = []
    for match in sorted(matches, key=attrgetter("score"), reverse=True):
        count = taken[match.row]
        if not count and len(taken) >= conversations:
            break
        if count < each:
            leading.append(match)
        taken[match.row] = count + 1
    return leading


def roll_up(
    candidates: Iterable[Candidate], *, matching: Mapping[int, int] | None
) -> list[Row]:
    """Rank rows, best first: the best message of each conversation, or each message.

    Ties go to the newer message, then to the smaller id.

    Args:
        matching: How many messages of each conversation match by word; None makes
            every message a row of its own.
    """
    ordered = sorted(candidates, key=lambda one: (-one.score, -one.at, one.message))
    if matching is None:
        return [Row(best=one, others=0) for one in ordered]
    best: dict[int, Candidate] = {}
    found: Counter[int] = Counter()
    for one in ordered:
        best.setdefault(one.row, one)
        found[one.row] += 1
    return [
        Row(best=one, others=max(found[one.row], matching.get(one.row, 0)) - 1)
        for one in best.values()
    ]
