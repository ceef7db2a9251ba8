"""Whether text becomes the tokens that the table was trained on.

`wordpiece_cases.json` was written by the `tokenizers` library 0.23.3 (BertNormalizer,
BertPreTokenizer, WordPiece) with this vocabulary and no special tokens.
"""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from quoth.embedding._wordpiece import REMEMBERED, WordPiece
from quoth.passages import words_of

CASES: list[tuple[str, list[int]]] = json.loads(
    Path(__file__).with_name("wordpiece_cases.json").read_text(encoding="utf-8")
)
CONTROLS_THAT_PYTHON_SPLITS_AT = "\x0b\x0c\x1c\x85"


@pytest.fixture(scope="module")
def wordpiece() -> WordPiece:
    import quoth.embedding

    folder = Path(quoth.embedding.__file__).parent / "static_v1"
    return WordPiece((folder / "vocab.txt").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("text", "ids"), CASES, ids=[ascii(text) for text, _ in CASES])
def test_ids_are_those_of_bert(wordpiece: WordPiece, text: str, ids: list[int]) -> None:
    assert wordpiece.encode(text) == ids


@pytest.mark.parametrize("text", [text for text, _ in CASES], ids=ascii)
def test_cutting_a_text_into_words_first_changes_no_token(
    wordpiece: WordPiece, text: str
) -> None:
    """But for a form feed and its like, at which a word ends here and not in BERT."""
    text = text.translate(dict.fromkeys(map(ord, CONTROLS_THAT_PYTHON_SPLITS_AT)))

    by_word = chain.from_iterable(map(wordpiece.encode, words_of(text)))

    assert list(by_word) == wordpiece.encode(text)


def test_a_long_address_cut_into_words_keeps_its_tokens(wordpiece: WordPiece) -> None:
    address = "https://example.org/" + "/".join(["segment-of-it"] * 30)

    by_word = chain.from_iterable(map(wordpiece.encode, words_of(address)))

    assert list(by_word) == wordpiece.encode(address)


def test_unknown_words_are_left_out_of_the_known(wordpiece: WordPiece) -> None:
    assert wordpiece.known_among("hello 😀 world") == tuple(
        wordpiece.encode("hello world")
    )


def test_a_lone_surrogate_is_dropped(wordpiece: WordPiece) -> None:
    assert wordpiece.encode("he\ud83dllo") == wordpiece.encode("hello")


def test_what_is_remembered_is_bounded() -> None:
    wordpiece = WordPiece(["[UNK]", "a"])

    wordpiece.known_ids(f"a{number}" for number in range(REMEMBERED + 10))

    assert len(wordpiece._known) <= REMEMBERED
