"""The index's tokenizer, outside of the index."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.store import Tokenizer

TOKENIZER = Tokenizer()
ANY_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]), st.sampled_from("aB用 \0\ufdd0")
    )
)


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    TOKENIZER.close()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Testing tests", ["test", "test"]),
        ("Café", ["cafe"]),
        ("atomic_write_json", ["atom", "write", "json"]),
        ("用户x", ["用", "户", "x"]),
        ("before\0after", ["befor", "after"]),
        ("?!", []),
        ("", []),
    ],
)
def test_tokens_are_folded_and_stemmed(text: str, tokens: list[str]) -> None:
    assert TOKENIZER.tokens(text) == tokens


def test_words_are_folded_and_not_stemmed() -> None:
    assert TOKENIZER.words("Databases-Café 用户") == ["databases", "cafe", "用", "户"]


def test_a_stem_may_not_be_its_own_stem() -> None:
    """Which is why parts of a question are words: this stem finds nothing."""
    (stem,) = TOKENIZER.tokens("databases")

    assert TOKENIZER.tokens(stem) != [stem]


@pytest.mark.parametrize(
    ("text", "match", "marks"),
    [
        ("one two one", '"one"', [(0, 3), (8, 11)]),
        ("one two", '"three"', []),
        ("重跑gen后 x", '"gen"', [(2, 5)]),
        ("用 户用户", '" 用  户 "', [(0, 3), (3, 5)]),
        ("getUserName", '"name"', [(7, 11)]),
        ("getUserName", 'names : "user name"', [(3, 11)]),
        ("dead deadbeef", '"deadb" *', [(5, 13)]),
        ("a  b", '"b"', [(3, 4)]),
    ],
)
def test_marks_are_places_in_the_text_as_it_was(
    text: str, match: str, marks: list[tuple[int, int]]
) -> None:
    assert TOKENIZER.marks(text, match) == marks


@given(ANY_TEXT)
def test_every_word_of_a_text_is_found_in_it(text: str) -> None:
    words = TOKENIZER.words(text)

    assert all(TOKENIZER.marks(text, f'"{word}"') for word in words)


@given(ANY_TEXT)
def test_marks_lie_inside_the_text(text: str) -> None:
    marks = TOKENIZER.marks(text, '"a" OR "b" OR "用"')

    assert all(0 <= start < end <= len(text) for start, end in marks)
