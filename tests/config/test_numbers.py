"""Settings that are numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.config._kinds import number

KIND = number(0, 10)


@pytest.mark.parametrize("written", [0, 10, 2.5])
def test_a_number_within_is_one(written: float) -> None:
    assert KIND.from_file(written, Path("/home/ada")) == float(written)


@pytest.mark.parametrize("written", [-0.1, 11, True, "3", None, float("nan")])
def test_anything_else_in_the_file_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="must be a number from 0 to 10"):
        KIND.from_file(written, Path("/home/ada"))


@pytest.mark.parametrize("words", [["many"], [], ["1", "2"]])
def test_words_that_are_no_number_are_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match="must be a number from 0 to 10"):
        KIND.from_words(words)


def test_a_word_is_read_as_a_number() -> None:
    assert KIND.from_words(["2.5"]) == 2.5
