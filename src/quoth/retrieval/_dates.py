"""The times that a question names: "last Tuesday", "in May", "three sessions ago"."""

# ruff: noqa: SIM905 - a list of words is read and edited as text

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ._date_cjk import cjk_signs
from ._date_meanings import Span
from ._date_rules import DATES, ENDS, Rule
from ._date_signs import Sign, signs_of, words_of
from ._date_words import LANGUAGES

__all__ = ["DatePhrase", "SessionPhrase", "date_phrases"]

LONGEST = 2_000
"""Characters of a question that are looked at: a pasted page is no question."""

_QUOTED = re.compile(r'"[^"]*"|`[^`]*`')
_SAYS_NOTHING = frozenset(
    "- ~ , | a the on in at of for from over by to and or so this last we how many "
    "until before after vor when with you".split()
)
_COUNTED = re.compile(r" how many (?:hour|day|week|month|year)s?(?= )")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatePhrase:
    """Words of a question that name a time, and the time they mean.

    `since` is inclusive and `until` exclusive; None leaves that side open.
    """

    text: str
    start: int
    end: int
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPhrase:
    """Words of a question that name a session by how long it is back: 1 is the last."""

    text: str
    start: int
    end: int
    ago: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: int
    end: int
    meaning: Span | int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A sign of the row, with what it means once a rule has read it."""

    sign: str
    start: int
    end: int
    span: Span | None = None
    found: Span | int | None = None


def date_phrases(
    question: str, *, now: datetime
) -> tuple[DatePhrase | SessionPhrase, ...]:
    """Return what *question* says of time, in order and without overlaps.

    *now* is aware; a day begins at midnight of its zone. A month or a day without a
    year is the latest one that is not after now. "Two weeks ago" is that day and three
    more on either side, months are fifteen and years six months. Nothing is found
    inside quotation marks, in names of files, or after the first 2,000 characters.
    """
    text = _QUOTED.sub(lambda quote: "\x00" * len(quote[0]), question)
    clock = now.replace(tzinfo=None, fold=0)
    found = list(_read(cjk_signs(text[:LONGEST]), clock))
    words = words_of(text, longest=LONGEST)
    for language in LANGUAGES:
        found += _read(signs_of(words, language), clock)
    return tuple(_phrase(question, one, now) for one in _apart(found))


def _read(signs: Sequence[Sign], now: datetime) -> Iterator[_Found]:
    row = [_Piece(sign=one.sign, start=one.start, end=one.end) for one in signs]
    if all(one.sign in _SAYS_NOTHING for one in row):
        return
    for rules, is_final in ((DATES, False), (ENDS, True)):
        for rule in rules:
            row = _rewritten(row, rule, now, is_final=is_final)
    asked = _first_asked(row)
    for index, piece in enumerate(row):
        if piece.found is None:
            continue
        if asked is None or index < asked or piece.sign in ("Fin", "Fon"):
            yield _Found(start=piece.start, end=piece.end, meaning=piece.found)


def _first_asked(row: Sequence[_Piece]) -> int | None:
    """Return where "how many days ... between" begins, whose dates are of events."""
    line = _line(row)
    counted = _COUNTED.search(line)
    if counted is None:
        return None
    clause = line[counted.end() :].partition(" |")[0]
    if " between " not in f"{clause} " and " Fbetween " not in f"{clause} ":
        return None
    return line[: counted.end()].count(" ") - 1


def _line(row: Iterable[_Piece]) -> str:
    return " " + "".join(f"{piece.sign} " for piece in row)


def _rewritten(
    row: list[_Piece], rule: Rule, now: datetime, *, is_final: bool
) -> list[_Piece]:
    """Return *row* with each match of *rule* as one sign."""
    line = _line(row)
    rest: list[_Piece] = []
    done = 0
    for match in rule.pattern.finditer(line):
        first = line.count(" ", 0, match.start()) - 1
        last = first + match[0].count(" ") + 1
        pieces = row[first:last]
        values = [piece.span for piece in pieces if piece.span is not None]
        try:
            meaning = rule.make(match, values, now)
        except (ValueError, OverflowError):
            continue
        if isinstance(meaning, Span) and not _is_forward(meaning):
            continue
        rest += row[done:first]
        rest.append(_merged(pieces, meaning, is_final=is_final))
        done = last
    return rest + row[done:] if done else row


def _is_forward(span: Span) -> bool:
    return span.since is None or span.until is None or span.since < span.until


def _merged(pieces: Sequence[_Piece], meaning: Span | int, *, is_final: bool) -> _Piece:
    start, end = pieces[0].start, pieces[-1].end
    if isinstance(meaning, int) or is_final:
        return _Piece(sign=f"F{pieces[0].sign}", start=start, end=end, found=meaning)
    return _Piece(sign=meaning.sign, start=start, end=end, span=meaning)


def _apart(found: Iterable[_Found]) -> list[_Found]:
    """Return what does not overlap, the longest of what does."""
    kept: list[_Found] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _phrase(question: str, found: _Found, now: datetime) -> DatePhrase | SessionPhrase:
    start, end = found.start, found.end
    text = question[start:end]
    if isinstance(found.meaning, int):
        return SessionPhrase(text=text, start=start, end=end, ago=found.meaning)
    since, until = found.meaning.since, found.meaning.until
    return DatePhrase(
        text=text,
        start=start,
        end=end,
        since=since and since.replace(tzinfo=now.tzinfo),
        until=until and until.replace(tzinfo=now.tzinfo),
    )
