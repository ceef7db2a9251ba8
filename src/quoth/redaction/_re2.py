"""Looking for all keys at once with RE2, where that is installed.

RE2 has no look-around and knows no characters beyond ASCII here, and it need not: it
only tells where to look for keys of ASCII. Whether one stands there is for the gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

__all__ = ["RE2", "Anchors", "anchors_by_re2"]

Anchors = Callable[[str, int, int], Iterator[int]]
"""Yields the place of each anchor of a key that stands in a stretch of a text."""

_MEMORY = 64 << 20
"""Bytes that RE2 may take for its automaton: some 4 MB for quoth's own keys."""


def _installed() -> Any:
    """Return Google's `re2`, or None. Other packages of that name lack `Options`."""
    try:
        module = import_module("re2")
    except ImportError:
        return None
    return module if hasattr(module, "Options") else None


RE2: Any = _installed()


def anchors_by_re2(re2: Any, keys: Iterable[tuple[str, bool]]) -> Anchors:
    """Return a search for keys, given with whether they stand in any case.

    A key's anchor is its first character.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MEMORY
    wanted = (
        b"(?i:%s)" % re2.escape(_bytes(key)) if any_case else re2.escape(_bytes(key))
        for key, any_case in keys
    )
    pattern = re2.compile(b"|".join(wanted), options)

    def anchors(text: str, start: int, end: int) -> Iterator[int]:
        content = _bytes(text[start:end])
        found = -1
        # From the next byte on, not from the end: keys stand in one another.
        while match := pattern.search(content, found + 1):
            found = match.start()
            yield start + found

    return anchors


def _bytes(text: str) -> bytes:
    """Return a byte for each character; all beyond ASCII are the same one.

    The Kelvin sign is the only such character that is an ASCII letter in lower case.
    """
    return text.replace("\N{KELVIN SIGN}", "K").encode("ascii", "replace")
