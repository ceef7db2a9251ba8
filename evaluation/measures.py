"""Measures of a ranking, their intervals, and whether two rankings differ."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from random import Random

__all__ = ["MEASURES", "difference", "interval", "mean", "measured"]

MEASURES = (
    *("hit@1", "hit@5", "hit@10", "hit@50", "R@5", "R@10"),
    *("all@5", "all@10", "MRR", "nDCG@10"),
)

_DEPTHS = (1, 5, 10, 50)
_ROUNDS = 1_000
_SEED = 7


def measured(wanted: Collection[str], ranked: Sequence[str]) -> dict[str, float]:
    """Return every measure of a ranking, 0.0 to 1.0.

    hit@k: something wanted is among the first k; R@k: the share of it that is; all@k:
    all of it is. MRR: 1 by the first place with something wanted. nDCG@10: binary,
    discounted by log2(place + 1) (Järvelin and Kekäläinen 2002).
    """
    gold = set(wanted)
    found: dict[str, float] = {}
    for depth in _DEPTHS:
        among = len(gold & set(ranked[:depth]))
        found[f"hit@{depth}"] = float(among > 0)
        found[f"R@{depth}"] = among / len(gold)
        found[f"all@{depth}"] = float(among == len(gold))
    places = [place for place, each in enumerate(ranked, 1) if each in gold]
    found["MRR"] = 1 / places[0] if places else 0.0
    gain = sum(1 / math.log2(place + 1) for place in places if place <= 10)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(gold)) + 1))
    found["nDCG@10"] = gain / best
    return {name: found[name] for name in MEASURES}


def mean(rows: Sequence[Mapping[str, float]], measure: str) -> float:
    """Return the mean of a measure over questions; 0.0 where there are none."""
    return sum(row[measure] for row in rows) / len(rows) if rows else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the middle 95 of 100 means of as many values drawn at random.

    The bootstrap (Efron 1979), 1,000 rounds, the same for the same values.
    """
    random = Random(_SEED)
    means = sorted(
        sum(random.choices(values, k=len(values))) / len(values) for _ in range(_ROUNDS)
    )
    return means[int(0.025 * _ROUNDS)], means[int(0.975 * _ROUNDS)]


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """Return how much better we are in the mean, and how likely that is by chance.

    A paired randomisation test (Smucker et al. 2007): how often the difference is as
    large when each pair's sides are drawn by lot, in 1,000 rounds.
    """
    pairs = [one - other for one, other in zip(ours, theirs, strict=True)]
    seen = sum(pairs) / len(pairs)
    random = Random(_SEED)
    as_large = sum(
        abs(sum(pair * random.choice((-1, 1)) for pair in pairs)) / len(pairs)
        >= abs(seen) - 1e-12
        for _ in range(_ROUNDS)
    )
    return seen, as_large / _ROUNDS
