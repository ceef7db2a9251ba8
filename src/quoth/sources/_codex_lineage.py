"""Telling a parent's lines, copied into the start of a fork, from the fork's own.

Up to 0.145 a fork or subagent begins with the lines of its parent, stamped anew. They
are told by the ids of their turns, else by the parent's rollout if it is there, else by
their times; whatever is in doubt is kept.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ._codex_copies import Copies
from ._codex_lines import Line, text_at
from ._codex_thread import Thread
from ._moments import moment_of

__all__ = ["Lineage"]

_PAUSE = timedelta(seconds=1)
"""Copies are written in one burst. A person, or a model, takes longer than this."""

_TURN_STARTS = ("turn_context/", "event_msg/task_started")


class Lineage:
    """Where a rollout's own lines begin; all of it is in *state*."""

    def __init__(self, state: dict[str, Any], thread: Thread, copies: Copies) -> None:
        self._state = state
        self._thread = thread
        self._copies = copies
        self.is_sure = False  # that the last line was a copy: it was found

    def begin(self, line: Line) -> None:
        """Another thread's head was met: what follows is copied, until told otherwise.

        Not once the thread has said something of its own: then the head is no prefix.
        """
        if not self._thread.has_spoken:
            self._state["copying"] = True
            self._state["at"] = line.at.isoformat() if line.at else None

    def is_copied(self, line: Line) -> bool:
        """Say whether *line* is a copy from the parent's rollout."""
        self.is_sure = False
        if self._state.get("own_turn"):
            return False
        if (own := self._is_own_turn(line)) is not None:
            self._state["copying"] = not own
            self._state["own_turn"] = own
        elif (found := self._find(line)) is not None:
            self.is_sure = self._state["copying"] = found
            if self._copies.are_over:
                self._state["own_turn"] = True
        elif self._state.get("copying") and self._has_paused(line):
            self._state["copying"] = False
        self._state["at"] = line.at.isoformat() if line.at else None
        return bool(self._state.get("copying"))

    def _find(self, line: Line) -> bool | None:
        """Say whether the parent has *line*, unless ids of turns tell more."""
        if "own_turn" in self._state or self._thread.continues:
            return None
        return self._copies.find(line, parent=self._thread.parent)

    def _is_own_turn(self, line: Line) -> bool | None:
        """Turns of the parent are older than this thread, by the time in their ids."""
        if f"{line.kind}/{line.type}" not in _TURN_STARTS:
            return None
        turn = _milliseconds(text_at(line.payload, "turn_id"))
        thread = _milliseconds(self._thread.id)
        if turn is None or thread is None:
            return None
        if turn >= thread:
            return True
        inherits = self._thread.parent is not None or self._state.get("copying")
        return False if inherits else None

    def _has_paused(self, line: Line) -> bool:
        before = moment_of(self._state.get("at"))
        if before is None or line.at is None:
            return True  # nothing tells that it is a copy
        began = self._thread.began
        if began is not None and line.at < began:
            return False  # a copy that kept its time
        return line.at - before >= _PAUSE


def _milliseconds(identifier: str) -> int | None:
    """Return the time in a UUID of version 7; other ids hold none."""
    digits = identifier.replace("-", "")
    if len(digits) != 32 or digits[12] != "7":
        return None
    try:
        return int(digits[:12], 16)
    except ValueError:  # of the length of a UUID, but none
        return None
