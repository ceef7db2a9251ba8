"""Telling two redactions of one text apart from two texts."""

from __future__ import annotations

import re

__all__ = ["is_same_but_for_the_hidden"]

_MARK = re.compile(r"\[REDACTED:[a-z0-9_]{1,40}\]|\[WITHHELD: redaction budget\]")


def is_same_but_for_the_hidden(now: str, before: str) -> bool:
    """Say whether *now* can be what newer rules made of a text that was *before*.

    Rules that see the whole of a text may hide more of it, or under another name, than
    they do where an older mark stands already. What is written out in *now* has to
    stand in *before*, in order, and there has to be a mark wherever *now* has one. In
    doubt it is another text.
    """
    first, *rest = _MARK.split(now)
    if not before.startswith(first):
        return False
    place = len(first)
    for number, piece in enumerate(rest, start=1):
        mark = _MARK.search(before, place)
        if mark is None:
            return False
        if number == len(rest):
            return before.endswith(piece) and len(before) - len(piece) >= mark.end()
        found = before.find(piece, mark.end())
        if found < 0:
            return False
        place = found + len(piece)
    return now == before
