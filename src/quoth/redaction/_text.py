"""Redacting one text: find, merge, replace, and look again until nothing is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ._visible import visible_view

if TYPE_CHECKING:
    from ._gate import Gate
    from ._rule import Rule

__all__ = ["WITHHELD", "Budget", "Redactor", "is_edge"]

WITHHELD = "[WITHHELD: redaction budget]"
_ROUNDS = 8
"""A replacement can lay bare another hit beside it, rarely twice, never for long."""
_SHORTEST = 7
"""Characters: `://:p@h`. A secret is no shorter."""

_NOTHING: Mapping[str, int] = MappingProxyType({})
_ESCAPE = re.compile(
    r"(?:\\[nrtbfv0ae]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}"
    r"|\[[0-9;]{0,12}m)\Z"
)
"""What ends in a letter or digit and yet is no part of a word: `\\n`, `%3D`, `[32m`."""

_REACH = 32_768
"""Characters around a replacement in which it can lay something bare."""
_SEAM = 4_096
"""Characters around what is hidden or encoded in which it can hide a key."""

_SPREAD = 100
"""Values whose other places are looked for: each search reads the whole text."""
_LEAST_SPREAD = 8
"""Characters of such a value. What is shorter may stand elsewhere by chance."""
_SEARCHED_AT_ONCE = 64
"""Characters that looking for one value passes in the time a rule reads one."""

_Window = tuple[int, int]


class _Span(NamedTuple):
    start: int
    end: int
    rank: int


class OverBudgetError(Exception):
    """The work on one text came to more than its length justifies."""


class Budget:
    """Counts the characters that rules look at, so that no text can take for ever."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0

    @classmethod
    def of(cls, text: str) -> Budget:
        """Return what honest text of this length never comes near."""
        return cls(100_000 + 128 * len(text))

    def spend(self, work: int) -> None:
        """Count *work*, or raise once the sum is over the limit."""
        self.spent += work
        if self.spent > self.limit:
            raise OverBudgetError


class Redactor:
    """Rules that are used together; they are compiled for the first text.

    Args:
        rules: Returns the rules. Where two claim the same text, the earlier gives the
            name.
        stamp: Names these rules in an archive that went through them: other rules,
            another stamp. Empty for rules whose result is not stored.
        shortest: Characters. No rule finds anything in less.
    """

    def __init__(
        self,
        rules: Callable[[], Sequence[Rule]],
        *,
        stamp: str = "",
        shortest: int = _SHORTEST,
    ) -> None:
        self.stamp = stamp
        self._rules = rules
        self._shortest = shortest

    @cached_property
    def _gate(self) -> Gate:
        from ._gate import Gate

        return Gate(self._ranked)

    @cached_property
    def _ranked(self) -> Sequence[Rule]:
        return tuple(self._rules())

    @cached_property
    def _ranks(self) -> Mapping[Rule, int]:
        return {rule: rank for rank, rule in enumerate(self._ranked)}

    def redact(self, text: str) -> str:
        """Return *text* with all that a rule finds replaced."""
        return self.redact_counted(text)[0]

    def redact_counted(self, text: str) -> tuple[str, Mapping[str, int]]:
        """Return *text* redacted, and the number of replacements by rule.

        Text that would take too much work is withheld as a whole, never passed on
        unseen.
        """
        if len(text) < self._shortest:
            return text, _NOTHING
        return self.redact_within(text, Budget.of(text))

    def redact_within(self, text: str, budget: Budget) -> tuple[str, Mapping[str, int]]:
        """Do as `redact_counted` does, within a budget to be looked at afterwards."""
        try:
            return self._redacted(text, budget)
        except Exception:  # over the budget, or a rule failed: neither lets it pass
            return WITHHELD, {"withheld": 1}

    def _redacted(self, text: str, budget: Budget) -> tuple[str, Mapping[str, int]]:
        counts: dict[str, int] = {}
        windows = [(0, len(text))]
        for _ in range(_ROUNDS):
            found = self._spans(text, windows, budget)
            spans = _merged([*found, *self._spread(text, found, budget)])
            if not spans:
                return text, counts or _NOTHING
            for span in spans:
                name = self._ranked[span.rank].name
                counts[name] = counts.get(name, 0) + 1
            text, places = self._replaced(text, spans)
            windows = _windows(places, reach=_REACH, length=len(text))
        raise OverBudgetError

    def _spans(
        self, text: str, windows: Sequence[_Window], budget: Budget
    ) -> list[_Span]:
        """Return what the rules find in the text as it is, and as it is meant."""
        spans = list(self._found(text, windows, budget))
        if view := visible_view(text):
            seams = _windows(view.starts, reach=_SEAM, length=len(view.text))
            spans.extend(
                _Span(*view.span(span.start, span.end), span.rank)
                for span in self._found(view.text, seams, budget)
            )
        return spans

    def _found(
        self, text: str, windows: Sequence[_Window], budget: Budget
    ) -> Iterator[_Span]:
        covered: dict[Rule, _Window] = {}
        ends = {0}
        for start, rule in self._places(text, windows):
            budget.spend(1)
            first, last = covered.get(rule, (0, 0))
            if first <= start < last:
                continue
            if rule.edge and start not in ends and not is_edge(text, start):
                continue
            found = rule.find(text, start)
            budget.spend(found.work)
            if found.start < found.end:
                covered[rule] = (found.start, found.end)
                ends.add(found.end)
                yield _Span(found.start, found.end, self._ranks[rule])

    def _places(
        self, text: str, windows: Sequence[_Window]
    ) -> Iterator[tuple[int, Rule]]:
        for start, end in windows:
            yield from self._gate.places(text, start, end)

    def _spread(self, text: str, spans: list[_Span], budget: Budget) -> Iterator[_Span]:
        """Find the same values where nothing tells that they are secret."""
        values = {
            text[span.start : span.end]: span.rank
            for span in spans
            if self._ranked[span.rank].spreads
        }
        for value, rank in list(values.items())[:_SPREAD]:
            if len(value) < _LEAST_SPREAD or not any(map(str.isdigit, value)):
                continue
            budget.spend(len(text) // _SEARCHED_AT_ONCE)
            for match in re.finditer(re.escape(value), text):
                yield _Span(*match.span(), rank)

    def _replaced(self, text: str, spans: list[_Span]) -> tuple[str, list[int]]:
        """Return the text with its spans replaced, and where each replacement ends."""
        pieces, places, length, last = [], [], 0, 0
        for span in spans:
            name = self._ranked[span.rank].name
            pieces += [text[last : span.start], f"[REDACTED:{name}]"]
            length += len(pieces[-2]) + len(pieces[-1])
            places.append(length)
            last = span.end
        return "".join((*pieces, text[last:])), places


def _windows(places: Iterable[int], *, reach: int, length: int) -> list[_Window]:
    """Return the stretches within *reach* of ascending places, none over another."""
    windows: list[_Window] = []
    for place in places:
        start, end = max(0, place - reach), min(length, place + reach)
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return windows


def _merged(spans: list[_Span]) -> list[_Span]:
    """Return spans in order; those that overlap are one, by the first rule."""
    merged: list[_Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            rank = min(last.rank, span.rank)
            merged[-1] = _Span(last.start, max(last.end, span.end), rank)
        else:
            merged.append(span)
    return merged


def is_edge(text: str, start: int) -> bool:
    """Whether no ASCII word goes on across *start*; CJK is written without spaces."""
    last = text[start - 1]
    if not (last.isascii() and last.isalnum()):
        return True
    return _ESCAPE.search(text, max(0, start - 16), start) is not None
