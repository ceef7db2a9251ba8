"""Keeping what a tool was given and gave back within bounds, head and tail."""

from __future__ import annotations

import re

__all__ = ["INPUT_LIMIT", "OUTPUT_LIMIT", "bounded", "cut_short"]

INPUT_LIMIT = 4_000
OUTPUT_LIMIT = 2_400
"""Characters. Errors and results stand at the two ends; the middle is bulk."""

LONGEST_TOKEN = 1_024
"""Characters that may belong together: the longest keys in use are half as long."""

_PIECE = re.compile(r"[\w\-./+=:~%]")
_BROKEN_END = re.compile(rf"{_PIECE.pattern}{{1,{LONGEST_TOKEN}}}\Z")
_BROKEN_START = re.compile(rf"\A{_PIECE.pattern}{{1,{LONGEST_TOKEN}}}")


def cut_short(text: str, limit: int) -> str:
    """Return at most *limit* characters of the head of *text*, cut between words."""
    return text if len(text) <= limit else _head(text, limit).rstrip()


def bounded(text: str, limit: int) -> str:
    """Return *text*, or about two thirds of *limit* of its head and a third of tail.

    What a cut would go through is left out whole: redaction comes later and would not
    know half a key for one.
    """
    if len(text) <= limit:
        return text
    head, tail = _head(text, limit * 2 // 3), _tail(text, limit // 3)
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left_out} characters ...]\n{tail}"


def _head(text: str, size: int) -> str:
    head = text[:size]
    return _BROKEN_END.sub("", head) if _PIECE.match(text, size) else head


def _tail(text: str, size: int) -> str:
    before = text[-size - 1]
    return _BROKEN_START.sub("", text[-size:]) if _PIECE.match(before) else text[-size:]
