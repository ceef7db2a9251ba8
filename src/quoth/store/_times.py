"""Times as the archive stores them: milliseconds since the epoch, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import overload

__all__ = ["milliseconds", "moment"]


@overload
def milliseconds(moment: datetime) -> int: ...


@overload
def milliseconds(moment: None) -> None: ...


@overload
def milliseconds(moment: datetime | None) -> int | None: ...


def milliseconds(moment: datetime | None) -> int | None:
    """Return *moment* as the archive stores it: milliseconds since the epoch."""
    return None if moment is None else round(moment.timestamp() * 1000)


@overload
def moment(milliseconds: int) -> datetime: ...


@overload
def moment(milliseconds: None) -> None: ...


@overload
def moment(milliseconds: int | None) -> datetime | None: ...


def moment(milliseconds: int | None) -> datetime | None:
    """Return a stored time as a datetime in UTC."""
    if milliseconds is None:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
