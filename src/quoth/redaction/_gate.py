"""One pass over the text that stops only where a key of some rule stands.

Searching for two hundred literals one by one, or as a plain alternation, reads text
at 15 to 30 MB/s. Here each key is known by its rarest character, the pivot: the
search skips to the next pivot and looks around it, several times as fast.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._rule import Rule

__all__ = ["Gate"]

_BY_FREQUENCY = " etaoinsrhldcumfpgwybv.-_/k:=xjqz"
"""Prose and code, the most frequent first; a character not listed is rarer."""


class _Key(NamedTuple):
    text: str
    pivot: int
    any_case: bool

    def is_at(self, text: str, start: int) -> bool:
        if not self.any_case:
            return text.startswith(self.text, start)
        return text[start : start + len(self.text)].lower() == self.text

    def around(self) -> str:
        """Return the pattern that sees the key, standing right behind its pivot."""
        before = re.escape(self.text[: self.pivot + 1])
        after = re.escape(self.text[self.pivot + 1 :])
        seen = f"(?<={before})(?={after})" if after else f"(?<={before})"
        return f"(?i:{seen})" if self.any_case else seen


def _rarity(char: str) -> int:
    place = _BY_FREQUENCY.find(char)
    return len(_BY_FREQUENCY) if place < 0 else place


class Gate:
    """Finds the rules that are worth a look, and where."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._keys: defaultdict[str, dict[_Key, list[Rule]]] = defaultdict(dict)
        for rule in rules:
            for key in rule.keys:
                self._add(key, rule)
        branches = (
            re.escape(pivot) + "(?:" + "|".join(key.around() for key in keys) + ")"
            for pivot, keys in self._keys.items()
        )
        self._pattern = re.compile("|".join(branches))

    def _add(self, text: str, rule: Rule) -> None:
        pivot = max(range(len(text)), key=lambda place: _rarity(text[place]))
        key = _Key(text, pivot, rule.any_case)
        cases = {text[pivot], text[pivot].upper()} if rule.any_case else {text[pivot]}
        for case in cases:
            self._keys[case].setdefault(key, []).append(rule)

    def places(self, text: str) -> Iterator[tuple[int, Rule]]:
        """Yield each place where a key begins, with each rule that has this key."""
        for match in self._pattern.finditer(text):
            pivot = match.start()
            for key, rules in self._keys[text[pivot]].items():
                start = pivot - key.pivot
                if start >= 0 and key.is_at(text, start):
                    for rule in rules:
                        yield start, rule
