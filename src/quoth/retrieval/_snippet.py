"""The part of a message that a page shows, with what matched marked in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quoth.store import Tokenizer, cjk_runs

from ._query import Term

__all__ = ["marks_in", "snippet_of"]

Span = tuple[int, int]

SNIPPET = 240
"""Characters: three lines of a terminal."""

_LOOKED_AT = 50_000
"""Characters of a message that are searched for marks; longer ones are rare."""

_EDGE = 24


def marks_in(
    text: str, terms: Sequence[Term], phrases: Sequence[str], tokenizer: Tokenizer
) -> list[Span]:
    """Return what of the question stands in *text*, as spans without overlap."""
    looked_at = text[:_LOOKED_AT]
    spans: list[Span] = []
    expressions = [
        spelling
        for term in terms
        for spelling in (*term.without_fields().spellings, *term.parts)
    ]
    expressions += ['"{}"'.format(phrase.replace('"', '""')) for phrase in phrases]
    if expressions:
        spans += tokenizer.marks(looked_at, " OR ".join(expressions))
    for wanted in [term.text for term in terms] + list(phrases):
        spans += _literal(looked_at, wanted)
    return _merged(spans)


def _literal(text: str, wanted: str) -> list[Span]:
    """Find what the index sees in parts only: CJK runs and pieces of camelCase."""
    found = []
    for run in cjk_runs(wanted):
        pieces = [run] if run in text else [run[i : i + 2] for i in range(len(run) - 1)]
        for piece in pieces:
            found += [match.span() for match in re.finditer(re.escape(piece), text)]
    if len(wanted) > 2 and any(c.isupper() for c in wanted[1:]):
        found += [
            match.span()
            for match in re.finditer(re.escape(wanted), text, re.IGNORECASE)
        ]
    return found


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def snippet_of(
    text: str, marks: Sequence[Span], *, near: Span | None = None
) -> tuple[str, tuple[Span, ...]]:
    """Cut the part of *text* with the most marks, and move the marks into it.

    Without marks it is the part *near* a span, or the beginning. Cuts fall between
    words where there are any, and never inside a character.
    """
    if len(text) <= SNIPPET:
        return text, tuple(marks)
    wanted = _densest(marks) if marks else (near or (0, 0))[0]
    start = max(0, min(wanted - _EDGE, len(text) - SNIPPET))
    start = _word_start(text, start)
    end = _word_end(text, min(len(text), start + SNIPPET))
    head, tail = "… " if start else "", " …" if end < len(text) else ""
    shift = len(head) - start
    inside = tuple(
        (max(a, start) + shift, min(b, end) + shift)
        for a, b in marks
        if a < end and b > start
    )
    return f"{head}{text[start:end]}{tail}", inside


def _densest(marks: Sequence[Span]) -> int:
    best, best_count = marks[0][0], 0
    for index, (start, _) in enumerate(marks):
        count = sum(1 for _, end in marks[index:] if end <= start + SNIPPET - _EDGE)
        if count > best_count:
            best, best_count = start, count
    return best


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
    for place in range(position, max(position - _EDGE, 0), -1):
        if text[place].isspace():
            return place
    return _boundary(text, position)


def _boundary(text: str, position: int) -> int:
    """Move back to where no combining mark or joiner would be cut off its base."""
    joins = "\u200d\ufe0f"
    while position > 0 and (
        text[position] in joins
        or text[position - 1] == "\u200d"
        or "\u0300" <= text[position] <= "\u036f"
    ):
        position -= 1
    return position
