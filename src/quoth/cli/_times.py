"""Days and moments: what a person types, and how one is shown to them. Local time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

__all__ = ["moment_from", "range_text", "when", "when_exactly"]

_AGO = re.compile(r"([0-9]{1,5})([dw])")
_RELATIVE_DAYS = 14


def moment_from(text: str, *, now: datetime, end: bool) -> datetime:
    """Return the moment *text* names, in UTC.

    A day (`2026-05-01`, `today`, `yesterday`, `7d`, `3w`) is its first moment, or with
    *end* the first moment after it: "until Friday" has Friday in it.

    Raises:
        ValueError: the text names no day and no moment.
    """
    words = text.strip().lower()
    try:
        day = _day(words, today=now.astimezone().date())
        if day is None:
            return datetime.fromisoformat(text.strip()).astimezone(UTC)
        # Midnight is attached to the zone last, so a day of 23 hours stays one day.
        return _midnight(day + timedelta(days=1) if end else day).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"{text!r} names no day and no moment") from error


def when(at: datetime, *, now: datetime) -> str:
    """Return a moment for a person: near days by how near they are, others by date."""
    local = at.astimezone()
    days = (now.astimezone().date() - local.date()).days
    if days in _NEAR:
        return f"{_NEAR[days]} {local:%H:%M}"
    return f"{days} days ago" if 1 < days < _RELATIVE_DAYS else f"{local:%Y-%m-%d}"


def when_exactly(at: datetime | None) -> str:
    """Return a moment as date and time of day."""
    return "no date" if at is None else f"{at.astimezone():%Y-%m-%d %H:%M}"


def range_text(since: datetime | None, until: datetime | None) -> str:
    """Return the range two filters became, for a person to check it."""
    parts = []
    if since is not None:
        parts.append(f"from {_edge(since.astimezone())}")
    if until is not None:
        local = until.astimezone()
        if local.time() == time.min:
            parts.append(f"through {local.date() - timedelta(days=1)}")
        else:
            parts.append(f"before {_edge(local)}")
    return " ".join(parts)


def _day(words: str, *, today: date) -> date | None:
    if words in _NAMED:
        return today - timedelta(days=_NAMED[words])
    if ago := _AGO.fullmatch(words):
        days = int(ago[1]) * (7 if ago[2] == "w" else 1)
        return today - timedelta(days=days)
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min).astimezone()


def _edge(local: datetime) -> str:
    return (
        f"{local:%Y-%m-%d}" if local.time() == time.min else f"{local:%Y-%m-%d %H:%M}"
    )


_NAMED = {"today": 0, "yesterday": 1}
_NEAR = {0: "today", 1: "yesterday"}
