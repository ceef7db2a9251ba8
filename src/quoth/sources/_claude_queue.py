"""Prompts typed while Claude Code was busy.

They stand in `queue-operation` records first. What takes them out decides: `dequeue`
sends a prompt on as an ordinary record, `popAll` gives it back to the person's editor,
and `remove` hands it to the model in the middle of its turn. From 2.1.92 on that makes
an `attachment` as well; before, the queue is the only place where those words are.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from ._claude_text import speech_of, texts_of
from ._jsonl import Record

__all__ = ["Queue", "Queued"]

LONGEST_QUEUE = 32


@dataclass(frozen=True, slots=True)
class Queued:
    """A prompt that was handed over, and the record that holds it."""

    record: Record
    text: str


class Queue:
    """What waits, and what was handed over and was not seen elsewhere since.

    Its state holds the prompts' text: it may take a while until they are settled.
    """

    def __init__(self, state: dict[str, list[dict[str, Any]]]) -> None:
        self._waiting = state.setdefault("waiting", [])
        self._sent = state.setdefault("sent", [])

    def operate(self, record: Record) -> None:
        """Follow one `queue-operation`."""
        operation = record.value.get("operation")
        if operation == "enqueue":
            self._waiting.append(_entry(record))
            del self._waiting[:-LONGEST_QUEUE]
        elif operation == "popAll":
            self._waiting.clear()
        elif operation in ("dequeue", "remove") and self._waiting:
            entry = self._waiting.pop(0)
            if operation == "remove" and entry["text"]:
                self._sent.append(entry)

    def saw(self, text: str) -> None:
        """Leave out a prompt that is recorded in its own right, before or after."""
        if not self._waiting and not self._sent:
            return
        digest = _digest(text)
        self._sent[:] = [entry for entry in self._sent if entry["digest"] != digest]
        for entry in self._waiting:
            if entry["digest"] == digest:
                entry["text"] = ""

    def settle(self) -> list[Queued]:
        """Return what was handed over; an answer follows, so no other record will."""
        settled = [
            Queued(
                Record(
                    entry["offset"],
                    entry["length"],
                    {"timestamp": entry["at"]},
                    entry["nth"],
                ),
                entry["text"],
            )
            for entry in self._sent
        ]
        self._sent.clear()
        return settled


def _entry(record: Record) -> dict[str, Any]:
    speech = speech_of(list(texts_of(record.value.get("content"))))
    theirs = speech is not None and speech.noise is None and not speech.is_command
    text = speech.text if speech is not None and theirs else ""
    return {
        "text": text,
        "digest": _digest(text),
        "at": record.value.get("timestamp"),
        "offset": record.offset,
        "length": record.length,
        "nth": record.nth,
    }


def _digest(text: str) -> str:
    """Redaction changes the text in a checkpoint; this still tells it again."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
