"""Telling what a machine drew at random from words, names, numbers and hashes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import log2

__all__ = ["entropy", "is_drawn", "is_hash", "likeness"]

_FOLLOWERS = (
    "abcdgilmnprst baelu caehiklortu daeio eacdeflmnprstvx faeio ge haeio"
    " iabcdefglmnoprstv ke ladeilostuy maeiop nacdegiost ocdlmnoprstuw paeiloprt qu"
    " raeimnorstuy sacehiopstu taehiorstuy uelmnprst vae wahi xt"
)
"""A letter, then those that often follow it.

The 160 commonest pairs in the words of Python's library and of this project's pages:
six pairs of seven in such words, one of four in letters drawn at random.
"""
_COMMON = frozenset(
    group[0] + char for group in _FOLLOWERS.split() for char in group[1:]
)

_TEXT_LIKE = 0.45
"""Between the likeness of drawn strings (mostly below 0.3) and of names (above 0.6)."""

_HASH = re.compile(
    r"(?:[0-9a-f]{8,512}+|[0-9A-F]{8,512}+)"
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
)
_PIECES = re.compile(r"[A-Za-z0-9]++")


def is_hash(value: str) -> bool:
    """Whether *value* is in hex of one case, or a UUID."""
    return bool(_HASH.fullmatch(value))


def entropy(value: str) -> float:
    """Return the Shannon entropy of the characters, in bits."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


def likeness(value: str) -> float:
    """Return the share of neighbouring letters that are usual in words.

    Two letters of one case count by the table above, unless they go on with an
    alphabet; a letter beside a digit is unusual; where a hump or a mark stands, a new
    word may begin. 1.0 for a value without such neighbours.
    """
    usual = seen = 0
    for piece in _PIECES.findall(value):
        before = 0
        for one, two in pairwise(piece):
            step = ord(two) - ord(one)
            counts = not (one.isdigit() and two.isdigit()) and not (
                one.islower() and two.isupper()
            )
            recites, before = step == before and step in {1, -1}, step
            seen += counts
            usual += counts and not recites and (one + two).lower() in _COMMON
    return usual / seen if seen else 1.0


def is_drawn(value: str, *, most: float = _TEXT_LIKE) -> bool:
    """Whether *value* reads like a random string, in any alphabet."""
    return likeness(value) < most
