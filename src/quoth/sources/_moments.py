"""Reading the points in time that other programs write."""

from __future__ import annotations

import re
from datetime import UTC, datetime

__all__ = ["moment_of"]

_DIGITS = re.compile(r"\d{9,20}(?:\.\d+)?")
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1.0))
"""A number above the first is an epoch time in parts of a second: ns, us, ms or s."""

_YEARS = range(2000, 2100)


def moment_of(value: object) -> datetime | None:
    """Return the time *value* stands for, in UTC, or None when it stands for none.

    A text without a zone is UTC. Small numbers are no times: they are counters.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _of_number(value)
    if isinstance(value, str):
        return _of_text(value.strip())
    return None


def _of_number(value: float) -> datetime | None:
    if not 1e8 < value < 1e20:  # NaN and infinities fail the comparison too
        return None
    parts = next(parts for above, parts in _UNITS if value > above)
    return _sane(datetime.fromtimestamp(value / parts, UTC))


def _of_text(text: str) -> datetime | None:
    if _DIGITS.fullmatch(text):
        return _of_number(float(text))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:  # some other text: the record has no time that can be read
        return None
    return _sane(moment)


def _sane(moment: datetime) -> datetime | None:
    if moment.year not in _YEARS:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC)
