"""Wrapping, shortening and numbers, at their edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.cli._layout import columns, duration, filled, shorten, size, width_of


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    assert all(width_of(line) <= width for line in filled(text, width))


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_only_spaces_are_lost_in_wrapping(text: str, width: int) -> None:
    wrapped = "".join(filled(text, width))

    assert wrapped.replace(" ", "") == text.replace(" ", "")


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_shortened_text_fits(text: str, width: int) -> None:
    assert width_of(shorten(text, width, ellipsis="…")) <= width


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("ab cd ef", ["ab cd", "ef"]),
        ("abcdefg h", ["abcde", "fg h"]),
        ("潮汐表。", ["潮汐", "表。"]),
        ("ae\u0301b", ["ae\u0301b"]),
        ("ab\U0001f468\u200d\U0001f469", ["ab", "\U0001f468\u200d\U0001f469"]),
    ],
)
def test_lines_break_where_a_reader_expects_it(text: str, lines: list[str]) -> None:
    assert filled(text, 5) == lines


@pytest.mark.parametrize(
    ("text", "shortened"),
    [("short", "short"), ("longer text", "longe…"), ("潮汐表在", "潮汐…")],
)
def test_text_is_cut_at_a_width_not_at_a_length(text: str, shortened: str) -> None:
    assert shorten(text, 6, ellipsis="…") == shortened


def test_a_table_too_wide_is_none() -> None:
    rows = [("name", "count"), ("a", "1,000"), ("潮汐", "2")]

    assert columns(rows, 11) == ["name  count", "a     1,000", "潮汐      2"]
    assert columns(rows, 10) is None


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_500, "1.5 kB"), (3_200_000_000, "3.2 GB")],
)
def test_sizes_are_rounded_for_people(number: int, said: str) -> None:
    assert size(number) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.034, "34 ms"), (2.34, "2.3 s"), (250, "4 min 10 s"), (7500, "2 h 5 min")],
)
def test_time_spans_are_rounded_for_people(seconds: float, said: str) -> None:
    assert duration(seconds) == said
