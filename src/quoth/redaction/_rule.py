"""The shape of a rule: literal keys that are cheap to find, and one look at each."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ._values import is_worded_token
from ._wraps import unwrapped

__all__ = [
    "FAILED",
    "Accept",
    "Finder",
    "Found",
    "Rule",
    "Scan",
    "Words",
    "anchored",
    "around",
    "is_token",
]

FAILED = 256
"""What a look that found nothing costs, in characters.

A pattern may fail only within about this many characters of its key; whatever it
takes beyond is optional and atomic, so it is part of a match and counted as such. A
group is made atomic by `(?>...)`, never by a possessive `)*+`: until Python 3.11.5 that
matches wrongly where the group itself backtracks (CPython issue 106052).
"""


class Found(NamedTuple):
    """The span to replace (empty for none) and the characters it took to find out."""

    start: int
    end: int
    work: int


Finder = Callable[[str, int], Found]
"""Looks at the text at one place, where a key of the rule begins."""

Accept = Callable[[re.Match[str]], bool]


class Scan(Protocol):
    """What is searched over a whole text, as a compiled pattern is."""

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize, /
    ) -> Iterator[re.Match[str]]:
        """Yield each match in the stretch, from left to right."""
        ...


class Words:
    """A search for words that few texts hold: one look tells that none is there.

    A look for each by itself is ten times as fast as a pattern for all of them.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._pattern = re.compile("|".join(map(re.escape, words)))

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize, /
    ) -> Iterator[re.Match[str]]:
        """Yield each word in the stretch, from left to right."""
        if text.isascii() or not any(
            text.find(word, start, end) >= 0 for word in self._words
        ):
            return iter(())
        return self._pattern.finditer(text, start, end)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """What stands behind one name in `[REDACTED:name]`; a name may have many rules.

    `keys` are literal; with `any_case` they are written in lower case. `edge` asks that
    no ASCII letter or digit stands before the key, so that `task-...` is no `sk-...`.
    `scan` is for what has no key: a plain pattern that is searched over the whole text,
    or words beyond ASCII, which are no keys.
    `spreads` tells that its values are hidden wherever else they stand in the text.
    """

    name: str
    keys: tuple[str, ...]
    find: Finder
    any_case: bool = False
    edge: bool = True
    scan: Scan | None = None
    spreads: bool = False


def is_token(match: re.Match[str]) -> bool:
    """Whether a match that is a token as a whole is more than a stand-in."""
    return not is_worded_token(match.group())


def anchored(
    pattern: str, accept: Accept = is_token, *, behind: str | None = None
) -> Finder:
    """Return a finder for a bounded pattern; its group, if it has one, is the span.

    *behind* is what the 32 characters before must end in; it is looked at first.
    """
    compiled = re.compile(pattern)
    before = None if behind is None else re.compile(rf"(?:{behind})\Z")

    def find(text: str, start: int) -> Found:
        if before and not before.search(text, max(0, start - 32), start):
            return Found(0, 0, 32)
        match = compiled.match(text, start)
        if match is None or text.startswith(("\n", "\r"), match.end()):
            whole = _over_lines(compiled, accept, text, start)
            if whole.end or match is None:
                return whole
        work = match.end() - start
        if not accept(match):
            return Found(0, 0, work)
        return Found(*match.span(match.lastindex or 0), work)

    return find


def _over_lines(
    pattern: re.Pattern[str], accept: Accept, text: str, start: int
) -> Found:
    """Find what is broken over lines, if all that goes on is part of it."""
    view = unwrapped(text, start)
    if view is None:
        return Found(0, 0, FAILED)
    work = FAILED + len(view.text)
    match = pattern.match(view.text)
    if match is None or match.end() <= view.starts[1] or not accept(match):
        return Found(0, 0, work)
    whole = match.end() in {*view.starts, len(view.text)}
    if not whole or any(pattern.match(text, origin) for origin in view.origins[1:]):
        return Found(0, 0, work)
    return Found(*view.span(*match.span(match.lastindex or 0)), work)


def around(
    before: str, pattern: str, *, reach: int, accept: Accept = is_token
) -> Finder:
    """Return a finder for what stands around a key: *before*, and *pattern* from it on.

    *before* is looked for within *reach* characters.
    """
    head = re.compile(rf"(?:{before})\Z")
    tail = re.compile(pattern)

    def find(text: str, start: int) -> Found:
        begun = head.search(text, max(0, start - reach), start)
        match = tail.match(text, start) if begun else None
        if begun is None or match is None or not accept(match):
            return Found(0, 0, FAILED + reach)
        return Found(begun.start(), match.end(), reach + match.end() - start)

    return find
