"""A snippet is cut from a whole text, and with it perhaps what tells of a name."""

from __future__ import annotations

import re
from dataclasses import replace

from quoth.model import Hit

__all__ = ["without_what_was_cut"]

_HEAD, _TAIL = "… ", " …"
"""Where more of the text stands before, and behind."""

_WORD = re.compile(r"\[REDACTED:[a-z0-9_]+\]|\w+")
_RUN = re.compile(r"\S+")
_MOST_OF_A_NAME = 4
"""Words that belong to what was cut, where that can't be looked up."""


def without_what_was_cut(redacted: Hit, hit: Hit) -> Hit:
    """Return *redacted*, whose snippet ends where the whole text stays as it is.

    `/home/` may have been cut from what follows it, and `Author:` from a name: what the
    rules find in the whole text they don't find in the snippet.
    """
    head = _HEAD if hit.snippet.startswith(_HEAD) else ""
    tail = _TAIL if hit.snippet.endswith(_TAIL) else ""
    if not head and not tail:
        return redacted
    part = redacted.snippet.removeprefix(head).removesuffix(tail)
    if hit.snippet.removeprefix(head).removesuffix(tail) in hit.text:
        kept = _as_in(redacted.text, part)
    else:
        kept = _without_ends(part, head=bool(head), tail=bool(tail))
    if kept == part:
        return redacted
    return replace(redacted, snippet=f"{head}{kept}{tail}")


def _as_in(whole: str, part: str) -> str:
    """Return *part* without those words at its ends that *whole* has not."""
    if part in whole:
        return part
    words = [match.span() for match in _WORD.finditer(part)]
    middle = len(words) // 2
    last = words[middle][1] if words else 0
    starts = (start for start, _ in words[: middle + 1])
    first = next((start for start in starts if part[start:last] in whole), None)
    if first is None:
        return ""
    ends = (end for _, end in reversed(words[middle:]))
    return next(part[first:end] for end in ends if part[first:end] in whole)


def _without_ends(part: str, *, head: bool, tail: bool) -> str:
    """Return *part* without the words in which a name may have been cut."""
    runs = list(_RUN.finditer(part))
    kept = runs[_MOST_OF_A_NAME if head else 0 : -_MOST_OF_A_NAME if tail else None]
    return part[kept[0].start() : kept[-1].end()] if kept else ""
