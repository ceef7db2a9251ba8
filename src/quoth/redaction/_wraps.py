"""Putting a token together again that a terminal or a mail program broke over lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._values import is_word
from ._views import View, ViewBuilder

__all__ = ["unwrapped"]

_NARROWEST, _WIDEST = 20, 200
"""Characters of a line that was broken because it was full."""
_MOST_LINES = 40
_MARGIN = 8
"""Characters by which lines are indented, so that a full one is that much shorter."""

_TOKEN = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=.%~"
)
_CONTINUED = re.compile(
    r"\r?\n[ \t│|>]{0,8}"
    r"((?=[^A-Za-z0-9]{0,3}[A-Za-z0-9])[A-Za-z0-9+/_.%~-]{1,200}+={0,2})"
    r"(?=[ \t]{0,8}[│|]|[\\\"'`,;)\]}]|[ \t]{0,200}+(?:\r?\n|\Z))"
)


def unwrapped(text: str, start: int) -> View | None:
    """Return the line from *start* on with those that go on with it, or None.

    Lines go on with it that are one run of a token's characters, no word, and no longer
    than the line that was broken; the first that is shorter is the last.
    """
    end = text.find("\n", start, start + _WIDEST)
    if end > 0 and text[end - 1] == "\r":
        end -= 1
    first = text.rfind("\n", max(0, start - _WIDEST), start) + 1
    width = end - max(first, start - _WIDEST)
    if end <= start or width < _NARROWEST or text[end - 1] not in _TOKEN:
        return None
    pieces = list(_pieces(text, end, width))
    if not pieces:
        return None
    builder = ViewBuilder(text)
    builder.keep(start, end)
    for piece in pieces:
        builder.keep(*piece)
    return builder.view()


def _pieces(text: str, end: int, width: int) -> Iterator[tuple[int, int]]:
    for _ in range(_MOST_LINES):
        match = _CONTINUED.match(text, end)
        if match is None or len(match[1]) > width or is_word(match[1]):
            return
        yield match.span(1)
        end = match.end()
        if len(match[1]) < width - _MARGIN:
            return
