"""Times as the archive stores them: milliseconds since the epoch, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

__all__ = ["milliseconds", "moment"]


def milliseconds(moment: datetime | None) -> int | None:
    """Return *moment* as the archive stores it: milliseconds since the epoch."""
    return None if moment is None else round(moment.timestamp() * 1000)


def moment(milliseconds: int | None) -> datetime | None:
    """Return a stored time as a datetime in UTC."""
    if milliseconds is None:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
