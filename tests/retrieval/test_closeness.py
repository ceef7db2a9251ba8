"""How closely a message says what was asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.retrieval._closeness import Closeness, Question, closeness_of
from quoth.store import Tokenizer


@pytest.fixture(scope="module")
def tokenizer() -> Iterator[Tokenizer]:
    tokenizer = Tokenizer()
    yield tokenizer
    tokenizer.close()


def question(tokenizer: Tokenizer, text: str, *, oneself: bool = False) -> Question:
    """Return a question of which every word counts the same."""
    words = text.split()
    stems = {tokenizer.tokens(word)[0]: place for place, word in enumerate(words)}
    return Question(
        stems=stems,
        shares=(1 / len(words),) * len(words),
        pairs=frozenset(pairwise(words)),
        of_oneself=oneself,
        tokenizer=tokenizer,
    )


def close(
    tokenizer: Tokenizer, asked: str, text: str, *, oneself: bool = False
) -> Closeness:
    (found,) = closeness_of([text], question(tokenizer, asked, oneself=oneself))
    return found


def test_words_that_stand_together_are_close(tokenizer: Tokenizer) -> None:
    far = "harbour " + "and so on " * 20 + "tariff"

    near, apart = (
        close(tokenizer, "harbour tariff", text) for text in ("the harbour tariff", far)
    )

    assert (near.wide, near.tight, near.in_order, near.pairs) == (1.0, 1.0, 0.5, 1.0)
    assert (apart.wide, apart.tight, apart.in_order, apart.pairs) == (0.5, 0.5, 0, 0)


def test_what_is_within_a_paragraph_but_not_a_clause(tokenizer: Tokenizer) -> None:
    found = close(tokenizer, "harbour tariff", f"harbour {'a ' * 15} tariff")

    assert (found.wide, found.tight) == (1.0, 0.5)


def test_a_word_counts_by_its_stem_and_without_accents(tokenizer: Tokenizer) -> None:
    assert close(tokenizer, "tariffs", "A Tariff").wide == 1.0
    assert close(tokenizer, "cafe", "un café").wide == 1.0


def test_words_in_the_other_order_do_not_follow_each_other(
    tokenizer: Tokenizer,
) -> None:
    assert close(tokenizer, "harbour tariff", "tariff harbour").in_order == 0.0


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I paid the tariff", 1.0),
        ("my cat; " + "and " * 9 + "the tariff", 0.0),
        ("the tariff of " + "a " * 3 + "harbour is what I paid", 0.0),
        ("the tariff that I paid", 1.0),
        ("they paid the tariff", 0.0),
    ],
)
def test_what_one_says_of_oneself_stands_beside_it(
    tokenizer: Tokenizer, text: str, own: float
) -> None:
    assert close(tokenizer, "tariff", text, oneself=True).own == own
    assert close(tokenizer, "tariff", text).own == 0.0


def test_a_message_that_only_asks_is_told(tokenizer: Tokenizer) -> None:
    assert [
        close(tokenizer, "tariff", text).asks for text in ("The tariff? \n", "It is 5.")
    ] == [1.0, 0.0]


def test_chinese_is_read_character_by_character(tokenizer: Tokenizer) -> None:
    asked = Question(
        stems={"潮": 0, "汐": 1},
        shares=(0.5, 0.5),
        pairs=frozenset(),
        of_oneself=False,
        tokenizer=tokenizer,
    )

    (found,) = closeness_of(["看潮汐表"], asked)

    assert (found.tight, found.in_order) == (1.0, 0.5)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_every_share_is_between_none_and_all(texts: list[str]) -> None:
    tokenizer = Tokenizer()
    asked = question(tokenizer, "the old harbour tariff", oneself=True)

    found = closeness_of(texts, asked)
    tokenizer.close()

    assert len(found) == len(texts)
    assert all(0.0 <= share <= 1.0 + 1e-9 for each in found for share in each)
