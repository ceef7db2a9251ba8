"""Two rankings become one, and messages become rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.retrieval._fusion import Candidate, Row, leading_few, mix, roll_up
from quoth.store import WordMatch

SCORES = st.dictionaries(st.integers(1, 30), st.floats(0, 50), max_size=12)


def a_match(message: int, score: float, row: int = 1) -> WordMatch:
    return WordMatch(message, score, row, row, 0)


def a_candidate(message: int, score: float, row: int = 1, at: int = 0) -> Candidate:
    return Candidate(message=message, row=row, at=at, score=score)


def test_a_message_in_both_rankings_beats_the_top_of_either() -> None:
    mixed = mix({1: 10.0, 2: 9.0, 8: 1.0}, {3: 0.9, 2: 0.8, 9: 0.3})

    assert max(mixed, key=mixed.__getitem__) == 2


@pytest.mark.parametrize(
    ("words", "meaning", "mixed"),
    [
        ({}, {}, {}),
        ({1: 7.0}, {}, {1: 0.5}),
        ({}, {1: 0.4}, {1: 0.5}),
        ({1: 7.0}, {1: 0.4}, {1: 1.0}),
        ({1: 7.0, 2: 7.0}, {2: 0.4}, {1: 0.5, 2: 1.0}),
        ({1: 8.0, 2: 6.0, 3: 4.0}, {}, {1: 0.5, 2: 0.25, 3: 0.0}),
    ],
    ids=["none", "words", "meaning", "one hit in both", "equal scores", "spread"],
)
def test_a_ranking_without_a_spread_counts_in_full(
    words: dict[int, float], meaning: dict[int, float], mixed: dict[int, float]
) -> None:
    assert mix(words, meaning) == mixed


@given(SCORES, SCORES)
def test_every_candidate_gets_a_score_between_nothing_and_one(
    words: dict[int, float], meaning: dict[int, float]
) -> None:
    mixed = mix(words, meaning)

    assert mixed.keys() == words.keys() | meaning.keys()
    assert all(0.0 <= score <= 1.0 for score in mixed.values())


@given(SCORES)
def test_alone_a_ranking_keeps_its_order(words: dict[int, float]) -> None:
    mixed = mix(words, {})

    ordered = sorted(words, key=words.__getitem__)
    assert sorted(mixed[one] for one in ordered) == [mixed[one] for one in ordered]


def test_the_best_few_of_the_best_conversations_lead() -> None:
    matches = [
        a_match(1, 9.0, row=1),
        a_match(2, 8.0, row=1),
        a_match(3, 7.0, row=1),
        a_match(4, 6.0, row=2),
        a_match(5, 5.0, row=3),
        a_match(6, 4.0, row=2),
    ]

    leading = leading_few(matches, conversations=2, each=2)

    assert [match.message for match in leading] == [1, 2, 4]


def test_rows_are_ranked_by_score_then_newer_then_smaller_id() -> None:
    candidates = [
        a_candidate(4, 0.5, row=4, at=1),
        a_candidate(3, 0.5, row=3, at=1),
        a_candidate(2, 0.5, row=2, at=9),
        a_candidate(1, 0.9, row=1, at=0),
    ]

    rows = roll_up(candidates, matching={})

    assert [row.best.message for row in rows] == [1, 2, 3, 4]


def test_the_best_message_stands_for_its_conversation() -> None:
    candidates = [
        a_candidate(1, 0.2, row=7),
        a_candidate(2, 0.8, row=7),
        a_candidate(3, 0.5, row=8),
    ]

    rows = roll_up(candidates, matching={7: 25})

    assert rows == [
        Row(best=candidates[1], others=24),
        Row(best=candidates[2], others=0),
    ]


def test_each_message_is_a_row_when_nothing_is_folded() -> None:
    candidates = [a_candidate(1, 0.2), a_candidate(2, 0.8)]

    rows = roll_up(candidates, matching=None)

    assert rows == [
        Row(best=candidates[1], others=0),
        Row(best=candidates[0], others=0),
    ]
