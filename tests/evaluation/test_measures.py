"""The measures that decide what is better must be right themselves."""

from __future__ import annotations

import math

import pytest
from evaluation.measures import MEASURES, difference, interval, mean, measured


def test_a_perfect_ranking_has_one_of_everything() -> None:
    found = measured(["a", "b"], ["a", "b", "c"])

    assert found == dict.fromkeys(MEASURES, 1.0) | {"hit@1": 1.0}


@pytest.mark.parametrize(
    ("ranked", "measure", "value"),
    [
        (["x", "a"], "hit@1", 0.0),
        (["x", "a"], "hit@5", 1.0),
        (["x", "a"], "R@5", 0.5),
        (["x", "a"], "all@5", 0.0),
        (["x", "a", "b"], "all@5", 1.0),
        (["x", "a"], "MRR", 0.5),
        (["x"] * 4 + ["a", "b"], "all@5", 0.0),
        (["x"] * 4 + ["a", "b"], "all@10", 1.0),
        ([], "MRR", 0.0),
        ([], "nDCG@10", 0.0),
    ],
)
def test_each_is_what_its_name_says(
    ranked: list[str], measure: str, value: float
) -> None:
    assert measured(["a", "b"], ranked)[measure] == value


def test_gain_is_discounted_by_the_place() -> None:
    found = measured(["a", "b"], ["x", "a", "y", "b"])["nDCG@10"]

    ideal = 1 + 1 / math.log2(3)
    assert found == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)


def test_what_is_found_past_the_tenth_gains_nothing() -> None:
    assert measured(["a"], [*"bcdefghijk", "a"])["nDCG@10"] == 0.0


def test_a_mean_of_nothing_is_nothing() -> None:
    assert mean([], "MRR") == 0.0


def test_an_interval_holds_the_mean_and_is_always_the_same() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0] * 20

    low, high = interval(values)

    assert low < 0.6 < high
    assert interval(values) == (low, high)


def test_what_is_always_better_is_not_so_by_chance() -> None:
    better, chance = difference([1.0] * 30, [0.0] * 30)

    assert (better, chance < 0.01) == (1.0, True)


def test_what_is_the_same_may_be_by_chance() -> None:
    values = [1.0, 0.0] * 20

    assert difference(values, values) == (0.0, 1.0)


def test_what_differs_both_ways_may_be_by_chance() -> None:
    better, chance = difference([1.0, 0.0] * 20, [0.0, 1.0] * 20)

    assert (better, chance > 0.9) == (0.0, True)
