"""Conversations that one file of an export tells more than once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from quoth.model import Conversation, Message, Rewind

__all__ = ["Repeats"]

_MOST_MESSAGES = 2_000_000
"""Of one file: what is remembered of each takes eight bytes."""

_MOST_CONVERSATIONS = 200_000

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(slots=True, kw_only=True)
class _Told:
    """How late a conversation was told at the latest, and what of it was met so far."""

    rank: tuple[datetime, int]
    first: str = ""
    met: array[int] = field(default_factory=lambda: array("q"))


class Repeats:
    """Lets the latest telling of a conversation decide what of it is live.

    That is the one updated last, of two alike the one that says more, else the second.
    """

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}
        self._messages = 0

    def is_outdated(
        self, conversation: Conversation, records: Sequence[Message | Rewind]
    ) -> bool:
        """Say whether a conversation was told before, as it was later."""
        before = self._told.get(conversation.native_id)
        return before is not None and before.rank > _rank(conversation, records)

    def left(
        self, conversation: Conversation, records: Sequence[Message | Rewind]
    ) -> list[Message | Rewind]:
        """Return what only an outdated telling has, to be taken back at once."""
        before = self._told[conversation.native_id]
        known = {*before.met}
        found = [each for each in _messages(records) if _digest(each) not in known]
        if not found:
            return []
        self._note(before, found)
        back = Rewind(conversation=conversation.native_id, first=found[0].native_id)
        return [*found, back]

    def latest(
        self, conversation: Conversation, records: Sequence[Message | Rewind]
    ) -> list[Message | Rewind]:
        """Return a telling so that it takes the place of those before it."""
        before = self._told.get(conversation.native_id)
        if before is None:
            if self._is_full():
                return [*records]
            before = self._told[conversation.native_id] = _Told(rank=(_EPOCH, 0))
        before.rank = _rank(conversation, records)
        first = before.first
        self._note(before, records)
        if not first:
            return [*records]
        return [Rewind(conversation=conversation.native_id, first=first), *records]

    def _is_full(self) -> bool:
        return (
            self._messages >= _MOST_MESSAGES or len(self._told) >= _MOST_CONVERSATIONS
        )

    def _note(self, told: _Told, records: Sequence[Message | Rewind]) -> None:
        messages = _messages(records)
        known = {*told.met}
        told.met.extend({*map(_digest, messages)} - known)
        told.first = told.first or next((each.native_id for each in messages), "")
        self._messages += len(told.met) - len(known)


def _rank(
    conversation: Conversation, records: Sequence[Message | Rewind]
) -> tuple[datetime, int]:
    return conversation.snapshot_at or _EPOCH, len(_messages(records))


def _messages(records: Sequence[Message | Rewind]) -> list[Message]:
    return [record for record in records if isinstance(record, Message)]


def _digest(message: Message) -> int:
    return hash(message.native_id)
