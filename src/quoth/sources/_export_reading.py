"""Reading an export: a list of conversations, each told whole, in bounded batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Origin,
    Replace,
    Rewind,
    Skipped,
    Unit,
)

from ._export_repeats import Repeats
from ._exports import holds_none, open_export, open_export_at
from ._json_items import Item, item_at, items_in
from ._jsonl import BATCH_RECORDS

__all__ = ["Teller", "Told", "holds_key", "read_export", "told_at"]

_BATCH_SIZE = 4 * 1024 * 1024
"""Characters of text."""

_MOST_SKIPPED = 1_000
"""Of one unit, each told with its place: a file of nothing but zeros has millions."""

_FIRST_ITEMS = 20
"""How far into an export its format is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one item of an export tells: a conversation with all its messages.

    Each message's origin is `Item.offset` and `Item.length` with a `path` that is met
    once in the item. `ignored` counts what holds no words, by type.
    """

    conversation: Conversation
    records: Sequence[Message | Rewind]
    ignored: Counter[str] = field(default_factory=Counter)


Teller = Callable[[Item], Told | Skipped]
"""Makes a conversation of an item, or says why it can't; it raises nothing."""


def holds_key(unit: Unit, *, key: str) -> bool:
    """Say whether one of the first items of a unit has *key*.

    Raises:
        UnreadableUnitError: It cannot be opened.
    """
    if holds_none(unit):
        return False
    with closing(open_export(unit)) as stream:
        return any(
            isinstance(item, Item)
            and isinstance(item.value, dict)
            and key in item.value
            for item in islice(items_in(stream, key=key), _FIRST_ITEMS)
        )


def read_export(
    unit: Unit, *, key: str, tell: Teller
) -> Iterator[Append | Replace | Skipped]:
    """Yield a unit in batches, from its start: the first is `Replace`.

    Args:
        key: What every item is known by, see `items_in`.

    Raises:
        UnreadableUnitError: It cannot be opened, or not one item of it be read.
    """
    batch, passed, repeats = _Batch(), _Passed(), Repeats()
    for item in _sound_items(unit, key):
        told = tell(item) if isinstance(item, Item) else item
        if isinstance(told, Skipped):
            yield from passed.add(told)
            continue
        is_outdated = repeats.is_outdated(told.conversation, told.records)
        arrange = repeats.left if is_outdated else repeats.latest
        for record in arrange(told.conversation, told.records):
            if batch.is_full():
                yield batch.taken(offset=item.offset)
            batch.add(record, of=None if is_outdated else told.conversation)
        batch.ignore(told.ignored)
    yield from passed.rest()
    yield batch.taken(offset=unit.size)


def told_at(unit: Unit, origin: Origin, *, tell: Teller) -> tuple[Message, ...]:
    """Read again the messages that come from one place in a unit.

    Raises:
        UnreadableUnitError: It cannot be opened.
    """
    with closing(open_export_at(unit, origin.offset)) as stream:
        item = item_at(stream, offset=origin.offset)
    told = tell(item) if item else None
    if not isinstance(told, Told):
        return ()
    return tuple(
        record
        for record in told.records
        if isinstance(record, Message) and record.origin == origin
    )


def _sound_items(unit: Unit, key: str) -> Iterator[Item | Skipped]:
    """Yield what is read of a unit, and where the damage begins if it has one."""
    place = None
    with closing(open_export(unit)) as stream:
        try:
            for item in items_in(stream, key=key):
                yield item
                place = item.offset + (item.length if isinstance(item, Item) else 1)
        except UnreadableUnitError as exc:
            if place is None:
                raise
            yield Skipped(offset=place, reason=exc.why)


class _Passed:
    """What was skipped of a unit: the first one by one, the rest as one number."""

    def __init__(self) -> None:
        self._count = 0
        self._first_beyond = 0

    def add(self, skipped: Skipped) -> Iterator[Skipped]:
        """Yield what is told of it now."""
        self._count += 1
        if self._count <= _MOST_SKIPPED:
            yield skipped
        elif self._count == _MOST_SKIPPED + 1:
            self._first_beyond = skipped.offset

    def rest(self) -> Iterator[Skipped]:
        """Yield what stands for all that was not told one by one."""
        if (more := self._count - _MOST_SKIPPED) > 0:
            reason = f"and {more} more values that hold no conversation"
            yield Skipped(offset=self._first_beyond, reason=reason)


class _Batch:
    """A batch in the making; the first one begins the unit anew."""

    def __init__(self) -> None:
        self._kind: type[Append | Replace] = Replace
        self._conversations: dict[str, Conversation] = {}
        self._records: list[Message | Rewind] = []
        self._ignored: Counter[str] = Counter()
        self._size = 0

    def is_full(self) -> bool:
        return len(self._records) >= BATCH_RECORDS or self._size >= _BATCH_SIZE

    def add(self, record: Message | Rewind, *, of: Conversation | None) -> None:
        """Take in a record; *of* is its conversation, unless that is told better."""
        if of is not None:
            self._conversations[of.native_id] = of
        self._records.append(record)
        if isinstance(record, Message):
            self._size += len(record.text) + len(record.reasoning)

    def ignore(self, kinds: Counter[str]) -> None:
        self._ignored += kinds

    def taken(self, *, offset: int) -> Append | Replace:
        """Return it, and begin the next."""
        batch = self._kind(
            conversations=tuple(self._conversations.values()),
            records=tuple(self._records),
            ignored=dict(self._ignored),
            checkpoint=Checkpoint(offset=offset),
        )
        self._conversations, self._records = {}, []
        self._ignored, self._size = Counter(), 0
        self._kind = Append
        return batch
