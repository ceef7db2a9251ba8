"""Comparing a rollout with its parent's, of which it may begin with a copy."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from quoth.errors import UnreadableUnitError

from ._codex_lines import Line

__all__ = ["Copies", "LinesOf"]

LinesOf = Callable[[str], Iterator[Line]]
"""Yields the lines of a thread's rollout, none where it is not found."""

_COMPARED = ("event_msg", "response_item", "compacted")
"""Heads are each thread's own, and turns are begun alike by many."""

_AHEAD = 8
"""Lines of the parent that may have been left out of the copy in one place."""

_MOST_MISSED = 3
"""Lines in a row that the parent has not, after which the copy is over."""


class Copies:
    """Finds the lines of a rollout in its parent's, in order; it goes on in *state*.

    Their times differ, so it is what they say that is compared.
    """

    def __init__(self, state: dict[str, Any], lines_of: LinesOf) -> None:
        self._state = state
        self._lines_of = lines_of
        self._following: Iterator[bytes] | None = None
        self._ahead: deque[bytes] = deque()

    @property
    def are_over(self) -> bool:
        """Whether there was a copy and it has come to its end."""
        return bool(self._state.get("over") and self._state.get("found"))

    def find(self, line: Line, *, parent: str | None) -> bool | None:
        """Say whether *line* is the parent's; None where that can't be told."""
        if parent is None or self._state.get("over") or line.kind not in _COMPARED:
            return None
        self._look_ahead(parent)
        digest = _digest(line)
        if digest in self._ahead:
            passed = self._ahead.index(digest) + 1
            for _ in range(passed):
                self._ahead.popleft()
            self._state["found"] = self._state.get("found", 0) + passed
            self._state["missed"] = 0
            return True
        self._state["missed"] = self._state.get("missed", 0) + 1
        self._state["over"] = self._state["missed"] >= _MOST_MISSED
        return False if self._state.get("found") else None

    def _look_ahead(self, parent: str) -> None:
        """Have the parent's next lines at hand, behind those found so far."""
        if self._following is None:
            digests = _digests(self._lines_of(parent))
            self._following = islice(digests, self._state.get("found", 0), None)
        self._ahead.extend(islice(self._following, _AHEAD - len(self._ahead)))


def _digests(lines: Iterator[Line]) -> Iterator[bytes]:
    """Yield what lines say, as far as they can be read."""
    try:
        yield from (_digest(line) for line in lines if line.kind in _COMPARED)
    except UnreadableUnitError:
        return


def _digest(line: Line) -> bytes:
    try:
        said = json.dumps(line.payload, sort_keys=True)
    except RecursionError:  # nested so deeply that it is no conversation
        said = ""
    return hashlib.sha256(f"{line.kind}\n{said}".encode()).digest()[:16]
