"""Rules made of learned names: literal, in any case, at the edges of a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ._names import Names
from ._rule import Found, Rule

__all__ = ["rules_of"]

_MARK = "[REDACTED:"
_LONGEST_MARK = 60
_JOINTS = ("", ".", "-", "_", "+")
"""What stands for the space of a name in accounts, folders and addresses."""


def rules_of(names: Names) -> tuple[Rule, ...]:
    """Return the rules for *names*: one for each name that a hit is given.

    Who and on what is `learned_name`. Inside a home folder the rule for that kind of
    path claims the place first and gives its own name.
    """
    persons = (*names.users, *names.hosts, *names.people)
    work = (*names.owners, *names.repositories)
    groups = (
        ("email_address", names.emails),
        ("learned_name", persons),
        ("repository_identity", work),
    )
    return tuple(_rule(name, words) for name, words in groups if words)


def _rule(name: str, words: Iterable[str]) -> Rule:
    keys = frozenset(key for word in words for key in _spellings(word.lower()))
    lengths = sorted({len(key) for key in keys}, reverse=True)

    def find(text: str, start: int) -> Found:
        if _is_in_mark(text, start):
            return Found(0, 0, _LONGEST_MARK)
        ends = (start + length for length in lengths)
        end = next((end for end in ends if _is_name(text, start, end)), 0)
        return Found(start if end else 0, end, lengths[0])

    def _is_name(text: str, start: int, end: int) -> bool:
        return text[start:end].lower() in keys and _is_end(text, end)

    return Rule(name=name, keys=tuple(sorted(keys)), any_case=True, find=find)


def _spellings(word: str) -> Iterator[str]:
    """Yield *word* as it may be written; macOS keeps letters and their marks apart."""
    spellings = {word, *(word.replace(" ", joint) for joint in _JOINTS)}
    if word.isascii():  # As in the names of Claude Code's project folders.
        spellings.add(re.sub(r"[^a-z0-9]", "-", word))
    for spelling in spellings:
        yield unicodedata.normalize("NFC", spelling)
        yield unicodedata.normalize("NFD", spelling)


def _is_end(text: str, end: int) -> bool:
    following = text[end : end + 1]
    return not (following.isascii() and following.isalnum())


def _is_in_mark(text: str, start: int) -> bool:
    """Whether the place is inside what stands for something redacted already."""
    mark = text.rfind(_MARK, max(0, start - _LONGEST_MARK), start + len(_MARK) - 1)
    return mark >= 0 and "]" not in text[mark:start]
