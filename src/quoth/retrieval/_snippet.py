"""The part of a message that a page shows, with what matched marked in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from quoth.store import Tokenizer

from ._query import Term, quoted

__all__ = ["marks_in", "snippet_of"]

Span = tuple[int, int]

SNIPPET = 240
"""Characters: three lines of a terminal."""

_LOOKED_AT = 50_000
"""Characters that are searched for marks at a time, until there are some."""

_EDGE = 24

_JOINER = "\u200d"
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_REGIONAL = ("\U0001f1e6", "\U0001f1ff")  # two letters of these are a flag
_TAGS = ("\U000e0020", "\U000e007f")


def marks_in(
    text: str, terms: Sequence[Term], phrases: Sequence[str], tokenizer: Tokenizer
) -> list[Span]:
    """Return what of the question stands in *text*, as spans without overlap.

    In a very long text, only in the first stretch of it that has any.
    """
    expressions = [one for term in terms for one in (*term.spellings, *term.parts)]
    wanted = " OR ".join([*expressions, *map(quoted, phrases)])
    symbols = [term.text for term in terms if term.is_symbol]
    for start in range(0, len(text) if wanted else 0, _LOOKED_AT):
        stretch = text[start : start + _LOOKED_AT]
        spans = tokenizer.marks(stretch, wanted)
        spans += [span for symbol in symbols for span in _literal(stretch, symbol)]
        if spans:
            return _merged([(first + start, last + start) for first, last in spans])
    return []


def _literal(text: str, symbol: str) -> list[Span]:
    """Find what the index knows by another name."""
    found = re.finditer(rf"(?<!\w){re.escape(symbol)}(?!\w)", text, re.IGNORECASE)
    return [match.span() for match in found]


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def snippet_of(
    text: str, marks: Sequence[Span], *, near: Span | None = None
) -> tuple[str, tuple[Span, ...]]:
    """Cut the part of *text* with the most marks, and move the marks into it.

    Without marks it is the part *near* a span, or the beginning. Cuts fall between
    words where there are any, and never inside what is drawn as one character.
    """
    if len(text) <= SNIPPET:
        return text, tuple(marks)
    wanted = _densest(marks) if marks else (near or (0, 0))[0]
    start = max(0, min(wanted - _EDGE, len(text) - SNIPPET))
    start = _word_start(text, start)
    end = _word_end(text, start + SNIPPET)
    head, tail = "… " if start else "", " …" if end < len(text) else ""
    shift = len(head) - start
    inside = tuple(
        (max(a, start) + shift, min(b, end) + shift)
        for a, b in marks
        if a < end and b > start
    )
    return f"{head}{text[start:end]}{tail}", inside


def _densest(marks: Sequence[Span]) -> int:
    """Return where a snippet should begin to hold as many marks as can be."""
    last, counts = 0, []
    for first, (start, _) in enumerate(marks):
        while last < len(marks) and marks[last][1] <= start + SNIPPET - 2 * _EDGE:
            last += 1
        counts.append(last - first)
    return marks[counts.index(max(counts))][0]


def _word_start(text: str, position: int) -> int:
    if position == 0:
        return 0
    for place in range(position, min(position + _EDGE, len(text))):
        if text[place - 1].isspace():
            return place
    return _boundary(text, position)


def _word_end(text: str, position: int) -> int:
    if position >= len(text):
        return len(text)
    for place in range(position, position - _EDGE, -1):
        if text[place].isspace():
            return place
    return _boundary(text, position)


def _boundary(text: str, position: int) -> int:
    """Move back to where nothing that is drawn as one character would be cut."""
    while position > 0 and _is_joined(text, position):
        position -= 1
    return position


def _is_joined(text: str, position: int) -> bool:
    """Say whether the character at *position* belongs to the one before it."""
    here, before = text[position], text[position - 1]
    if unicodedata.category(here)[0] == "M" or _JOINER in (here, before):
        return True
    if _SKIN_TONES[0] <= here <= _SKIN_TONES[1] or _TAGS[0] <= here <= _TAGS[1]:
        return True
    return _is_second_of_a_flag(text, position)


def _is_second_of_a_flag(text: str, position: int) -> bool:
    start = position
    while start >= 0 and _REGIONAL[0] <= text[start] <= _REGIONAL[1]:
        start -= 1
    return (position - start) % 2 == 0 and position != start
