"""Keeping what a tool was given and gave back within bounds, head and tail.

A rule of redaction needs all that stands around a secret: so whatever is going to be
cut is redacted first, as a whole, and only then cut.
"""

from __future__ import annotations

import re

from quoth.redaction import rules_in_force

__all__ = [
    "INPUT_LIMIT",
    "LONGEST_TITLE",
    "OUTPUT_LIMIT",
    "bounded",
    "cut_short",
    "opening_of",
    "title_line",
]

INPUT_LIMIT = 4_000
OUTPUT_LIMIT = 2_400
"""Characters. Errors and results stand at the two ends; the middle is bulk."""

LONGEST_TITLE = 200
_OPENING = 20_000
_UNSURE = 2_000
"""Characters at the end of an opening that may be the first part of a secret."""

_LONGEST_WORD = 128
"""A cut goes through what is longer and has no break: that is data, not words."""

_MARKER = re.compile(r"\[(?:REDACTED:\w{1,40}|WITHHELD: redaction budget)\]")
_LONGEST_MARKER = 64
_PIECE = r"[\w\-./+=:~%]"
_WORD = re.compile(rf"{_PIECE}{{0,{_LONGEST_WORD}}}+(?!{_PIECE})")


def cut_short(text: str, limit: int) -> str:
    """Return at most *limit* characters of the head of *text*, cut between words."""
    if len(text) <= limit:
        return text
    text = rules_in_force().redact(text)
    return text if len(text) <= limit else text[: _head_end(text, limit)].rstrip()


def bounded(text: str, limit: int) -> str:
    """Return *text*, or about two thirds of *limit* of its head and a third of tail.

    What is cut is redacted; a cut goes through no word and no marker of redaction.
    """
    if len(text) <= limit:
        return text
    text = rules_in_force().redact(text)
    if len(text) <= limit:
        return text
    end = _head_end(text, limit * 2 // 3)
    start = _tail_start(text, len(text) - limit // 3)
    return f"{text[:end]}\n[... {start - end} characters ...]\n{text[start:]}"


def opening_of(text: str) -> str:
    """Return enough of the start of *text* for a title, redacted."""
    if len(text) <= _OPENING:
        return rules_in_force().redact(text)
    seen = rules_in_force().redact(text[:_OPENING])
    return seen[: _head_end(seen, max(0, len(seen) - _UNSURE))]


def title_line(text: str) -> str:
    """Return *text* as a title: redacted, one line, short."""
    return cut_short(" ".join(opening_of(text).split()), LONGEST_TITLE)


def _head_end(text: str, place: int) -> int:
    """Return *place*, or where the word or marker it would go through begins."""
    marker = _marker_over(text, place)
    place = marker.start() if marker else place
    if (after := _WORD.match(text, place)) is not None and after.end() == place:
        return place
    before = _WORD.match(text[max(0, place - _LONGEST_WORD - 1) : place][::-1])
    return place - before.end() if before else place


def _tail_start(text: str, place: int) -> int:
    """Return *place*, or where the word or marker it would go through ends."""
    marker = _marker_over(text, place)
    place = marker.end() if marker else place
    if not re.match(_PIECE, text[place - 1]):
        return place
    after = _WORD.match(text, place)
    return after.end() if after else place


def _marker_over(text: str, place: int) -> re.Match[str] | None:
    """Return the marker that *place* is inside of."""
    first, last = max(0, place - _LONGEST_MARKER), place + _LONGEST_MARKER
    markers = _MARKER.finditer(text, first, last)
    return next((mark for mark in markers if mark.start() < place < mark.end()), None)
