"""Redacting one text: find, merge, replace, and look again until nothing is left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ._visible import hides, visible_view

if TYPE_CHECKING:
    from ._gate import Gate
    from ._rule import Rule

__all__ = ["WITHHELD", "Budget", "Redactor"]

WITHHELD = "[WITHHELD: redaction budget]"
_ROUNDS = 8
"""A replacement can lay bare another hit beside it, rarely twice, never for long."""
_SHORTEST = 7
"""Characters: `://:p@h`."""

_NOTHING: Mapping[str, int] = MappingProxyType({})
_ESCAPE = re.compile(
    r"(?:\\[nrtbfv0ae]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}"
    r"|\[[0-9;]{0,12}m)\Z"
)
"""What ends in a letter or digit and yet is no part of a word: `\\n`, `%3D`, `[32m`."""


class _Span(NamedTuple):
    start: int
    end: int
    name: str


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
    """

    def __init__(self, rules: Callable[[], Sequence[Rule]]) -> None:
        self._rules = rules

    @cached_property
    def _gate(self) -> Gate:
        from ._gate import Gate

        return Gate(self._rules())

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        ranked = reversed(list(enumerate(self._rules())))
        return {rule.name: rank for rank, rule in ranked}

    def redact(self, text: str) -> str:
        """Return *text* with all that a rule finds replaced."""
        return self.redact_counted(text)[0]

    def redact_counted(self, text: str) -> tuple[str, Mapping[str, int]]:
        """Return *text* redacted, and the number of replacements by rule.

        Text that would take too much work is withheld as a whole, never passed on
        unseen.
        """
        if self._is_clean(text):
            return text, _NOTHING
        return self.redact_within(text, Budget.of(text))

    def _is_clean(self, text: str) -> bool:
        """Whether one look is enough: no key of any rule, and nothing hidden."""
        return len(text) < _SHORTEST or not (self._gate.opens_for(text) or hides(text))

    def redact_within(self, text: str, budget: Budget) -> tuple[str, Mapping[str, int]]:
        """Do as `redact_counted` does, within a budget to be looked at afterwards."""
        counts: Counter[str] = Counter()
        try:
            for _ in range(_ROUNDS):
                spans = self._merged(self._spans(text, budget))
                if not spans:
                    return text, counts or _NOTHING
                counts.update(span.name for span in spans)
                text = _replaced(text, spans)
        except OverBudgetError:
            pass
        return WITHHELD, {"withheld": 1}

    def _spans(self, text: str, budget: Budget) -> list[_Span]:
        """Return what the rules find in the text as it is, and as it is seen."""
        spans = list(self._found(text, budget))
        if view := visible_view(text):
            spans.extend(
                _Span(*view.span(span.start, span.end), span.name)
                for span in self._found(view.text, budget)
            )
        return spans

    def _found(self, text: str, budget: Budget) -> Iterator[_Span]:
        covered: dict[Rule, int] = {}
        ends = {0}
        for start, rule in self._gate.places(text):
            budget.spend(1)
            if start < covered.get(rule, 0):
                continue
            if rule.edge and start not in ends and not _is_edge(text, start):
                continue
            found = rule.find(text, start)
            budget.spend(found.work)
            if found.start < found.end:
                covered[rule] = found.end
                ends.add(found.end)
                yield _Span(found.start, found.end, rule.name)

    def _merged(self, spans: list[_Span]) -> list[_Span]:
        """Return spans in order; those that overlap are one, by the first name."""
        merged: list[_Span] = []
        for span in sorted(spans):
            if merged and span.start < merged[-1].end:
                last = merged[-1]
                name = min(last.name, span.name, key=self._ranks.__getitem__)
                merged[-1] = _Span(last.start, max(last.end, span.end), name)
            else:
                merged.append(span)
        return merged


def _is_edge(text: str, start: int) -> bool:
    """Whether no ASCII word goes on across *start*; CJK is written without spaces."""
    last = text[start - 1]
    if not (last.isascii() and last.isalnum()):
        return True
    return _ESCAPE.search(text, max(0, start - 16), start) is not None


def _replaced(text: str, spans: list[_Span]) -> str:
    pieces, last = [], 0
    for span in spans:
        pieces += [text[last : span.start], f"[REDACTED:{span.name}]"]
        last = span.end
    return "".join((*pieces, text[last:]))
