"""One record on its way to a message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quoth.model import Message, Origin

from ._claude_records import branch_of, text_at
from ._claude_thread import Thread
from ._jsonl import Record

__all__ = ["Step"]


class Step:
    """One record on its way to a message."""

    def __init__(
        self,
        stem: str,
        thread: Thread,
        record: Record,
        time: tuple[datetime | None, bool],
        *,
        is_beside: bool = False,
    ) -> None:
        self._stem = stem
        self.thread = thread
        self.record = record
        self.time = time
        self.is_beside = is_beside

    @property
    def native_id(self) -> str:
        own = text_at(self.record.value, "uuid")
        name = own if own is not None else f"{self._stem}{self.record.place}"
        return f"{name}:text" if self.is_beside else name

    @property
    def own_time(self) -> datetime | None:
        at, borrowed = self.time
        return None if borrowed else at

    def at_record(self, record: Record, time: tuple[datetime | None, bool]) -> Step:
        return Step(self._stem, self.thread, record, time)

    def beside(self) -> Step:
        """Return the step for a person's words in a record of tool results."""
        return Step(self._stem, self.thread, self.record, self.time, is_beside=True)

    def message(self, **fields: Any) -> Message:
        value, (at, borrowed) = self.record.value, self.time
        return Message(
            conversation=self.thread.native_id,
            native_id=self.native_id,
            at=at,
            approximate_time=borrowed and at is not None,
            cwd=text_at(value, "cwd"),
            branch=branch_of(value),
            begins=_begins(value),
            origin=Origin(offset=self.record.offset, length=self.record.length),
            **fields,
        )


def _begins(record: Mapping[str, Any]) -> bool:
    """Whether a record says that nothing leads up to it; a compacted one goes on."""
    goes_on = record.get("logicalParentUuid") or record.get("isCompactSummary")
    return "parentUuid" in record and record["parentUuid"] is None and not goes_on
