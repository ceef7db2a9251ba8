"""How a message is cut into windows, and which messages are worth it."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.passages import (
    Window,
    is_worth_embedding,
    window_bounds,
    windows_of,
    words_of,
)

TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n./漢"))
)


def numbered(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def lengths(count: int) -> list[int]:
    return [last - first for first, last in window_bounds(count)]


def test_a_short_text_is_one_window() -> None:
    assert windows_of("  to be or not ") == [
        Window(start=2, end=14, text="to be or not")
    ]


@pytest.mark.parametrize("nothing", ["", " \n\t "])
def test_a_text_without_words_has_no_window(nothing: str) -> None:
    assert windows_of(nothing) == []


def test_neighbouring_windows_share_eight_words() -> None:
    first, second = windows_of(numbered(72))

    assert first.text.split()[-8:] == second.text.split()[:8]


def test_the_end_of_a_long_text_is_in_its_last_window() -> None:
    text = numbered(1000)

    assert windows_of(text)[-1].end == len(text)


def test_eight_words_too_many_join_the_window_before() -> None:
    assert lengths(48) == [48]


def test_nine_words_too_many_get_a_window_with_what_goes_before() -> None:
    assert lengths(49) == [40, 17]


@given(st.integers(0, 20_000))
def test_every_word_is_in_a_window(count: int) -> None:
    covered = {
        place for first, last in window_bounds(count) for place in range(first, last)
    }

    assert covered == set(range(count))


@given(st.integers(17, 20_000))
def test_no_window_is_a_tail_of_a_few_words(count: int) -> None:
    assert min(lengths(count)) >= 17


def test_a_text_of_twelve_thousand_words_keeps_the_usual_windows() -> None:
    assert set(lengths(12_808)) == {40}


def test_above_four_hundred_windows_they_widen_instead_of_leaving_words_out() -> None:
    bounds = window_bounds(1_000_000)

    assert (len(bounds), bounds[-1][1]) == (400, 1_000_000)


def test_an_overlap_as_long_as_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="an overlap of 40 in windows of 40 words"):
        windows_of("to be", words=40, overlap=40)


@given(TEXTS)
def test_a_window_is_the_text_at_its_place(text: str) -> None:
    windows = windows_of(text, words=5, overlap=2)

    assert [text[w.start : w.end] for w in windows] == [w.text for w in windows]


@given(TEXTS)
def test_words_lose_nothing_but_white_space(text: str) -> None:
    assert "".join(words_of(text)) == "".join(text.split())


def test_a_chinese_character_is_a_word() -> None:
    assert words_of("用Rust写") == ["用", "Rust", "写"]


def test_a_long_address_is_cut_beside_its_punctuation() -> None:
    address = "https://example.org/" + "/".join(["segment"] * 20)

    pieces = words_of(address)

    assert [len(piece) for piece in pieces] == [100, 79]


def test_a_hundred_letters_in_a_row_stay_one_word() -> None:
    assert words_of("x" * 5_000 + " y") == ["x" * 5_000, "y"]


@pytest.mark.parametrize("block", ["x", "ab+/", "漢", "a.", "\u0301"])
def test_a_megabyte_without_a_space_is_cut_in_linear_time(block: str) -> None:
    text = block * (1_000_000 // len(block))
    began = process_time()

    windows = windows_of(text)

    assert (windows[-1].end, process_time() - began < 5) == (len(text), True)


@pytest.mark.parametrize(
    "text", ["", "yes", "ok, go on", "thanks a lot", "1. 2. 3. 4.", "好的", "👍 👍 👍"]
)
def test_a_text_that_says_too_little_is_not_worth_a_vector(text: str) -> None:
    assert not is_worth_embedding(text)


@pytest.mark.parametrize(
    "text", ["fix the bug", "Why does mypy complain?", "数据库迁移失败了"]
)
def test_three_words_are_worth_a_vector(text: str) -> None:
    assert is_worth_embedding(text)
