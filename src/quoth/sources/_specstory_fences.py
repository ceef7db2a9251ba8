"""Following code fences through Markdown that nobody escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

__all__ = ["Fence", "Step", "closing_mark"]

_FENCE = re.compile(r" {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))")


class Step(Enum):
    """What a line is to the fences around it."""

    OUTSIDE = "outside"
    OPENS = "opens"
    INSIDE = "inside"
    CLOSES = "closes"


class Fence:
    """The fence that is open at some line of a text, if any.

    `language` is what stands behind the mark that opened it.
    """

    def __init__(self, closes: Callable[[int, str], bool] = lambda _, __: True) -> None:
        """Begin outside of any fence.

        Args:
            closes: Says whether a mark at an offset has one that closes it further on.
                One that never closes is no fence, but three backticks somebody typed.
        """
        self._closes = closes
        self._mark = ""
        self._is_filled = False
        self.language = ""

    @property
    def holds(self) -> bool:
        """Say whether something stands in an open fence already.

        A mark with nothing behind it but blank lines may as well be the second of a
        pair of which the first was taken for text.
        """
        return bool(self._mark) and self._is_filled

    def pass_over(self, line: str, offset: int = 0) -> Step:
        """Take in the next line."""
        mark, language = _mark_in(line)
        if not self._mark:
            if not mark or not self._closes(offset, mark):
                return Step.OUTSIDE
            self._open(mark, language)
            return Step.OPENS
        if mark.startswith(self._mark) and not language:
            self._mark = ""
            return Step.CLOSES
        if mark and not self._is_filled:
            self._open(mark, language)
            return Step.OPENS
        self._is_filled |= line.strip() not in ("", "---")
        return Step.INSIDE

    def _open(self, mark: str, language: str) -> None:
        self._mark, self.language, self._is_filled = mark, language, False


def closing_mark(line: str) -> str:
    """Return the mark on a line that would close a fence, or ''."""
    mark, language = _mark_in(line)
    return "" if language else mark


def _mark_in(line: str) -> tuple[str, str]:
    if "```" not in line and "~~~" not in line:
        return "", ""
    fence = _FENCE.fullmatch(line)
    if fence is None:
        return "", ""
    return fence[1] or fence[3], (fence[2] or fence[4] or "").strip()
