"""What a stream is taken to be able to do."""

from __future__ import annotations

import io

import pytest

from quoth.cli._terminal import Terminal, terminal_of


class FakeStream(io.TextIOWrapper):
    """A stream that says whether it is a terminal."""

    def __init__(self, *, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "environ", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_and_can_be_refused(
    terminal: bool, environ: dict[str, str], colour: bool
) -> None:
    assert terminal_of(FakeStream(terminal=terminal), environ).colour is colour


@pytest.mark.parametrize(
    ("columns", "width"),
    [("40", 40), ("3", 20), ("300", 100), ("0", 80), ("wide", 80), ("", 80)],
)
def test_the_width_is_bounded(columns: str, width: int) -> None:
    stream = FakeStream(terminal=False)

    assert terminal_of(stream, {"COLUMNS": columns}).width == width


@pytest.mark.parametrize(
    ("encoding", "dot"), [("utf-8", " · "), ("ascii", " - "), ("cp437", " - ")]
)
def test_characters_the_encoding_lacks_are_not_used(encoding: str, dot: str) -> None:
    stream = FakeStream(terminal=False, encoding=encoding)

    assert terminal_of(stream, {}).dot == dot


def test_a_stream_that_was_closed_takes_plain_text() -> None:
    assert terminal_of(None, {}) == Terminal()
