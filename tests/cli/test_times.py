"""The days and moments a person may type."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from quoth.cli._times import moment_from, range_text

from .fakes import NOW


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("today", "2026-05-12T00:00", "2026-05-13T00:00"),
        ("Yesterday", "2026-05-11T00:00", "2026-05-12T00:00"),
        ("7d", "2026-05-05T00:00", "2026-05-06T00:00"),
        ("3w", "2026-04-21T00:00", "2026-04-22T00:00"),
        ("2026-05-01", "2026-05-01T00:00", "2026-05-02T00:00"),
        ("2026-05-01T14:00", "2026-05-01T14:00", "2026-05-01T14:00"),
        ("2026-05-01 14:00", "2026-05-01T14:00", "2026-05-01T14:00"),
        ("2026-05-01T14:00Z", "2026-05-01T14:00", "2026-05-01T14:00"),
        ("2026-05-01T14:00+02:00", "2026-05-01T12:00", "2026-05-01T12:00"),
    ],
)
def test_a_day_is_whole_and_a_moment_is_a_moment(
    text: str, since: str, until: str
) -> None:
    found = [moment_from(text, now=NOW, end=end) for end in (False, True)]

    assert [moment.strftime("%Y-%m-%dT%H:%M") for moment in found] == [since, until]


@pytest.mark.parametrize(
    "text", ["", "soon", "7", "d", "-7d", "2026-13-01", "\u0667d", "9999999d"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no day and no moment"):
        moment_from(text, now=NOW, end=False)


def test_a_day_is_a_local_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last Sunday of October has 25 hours in Berlin."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()

    edges = [moment_from("2026-10-25", now=NOW, end=end) for end in (False, True)]

    assert edges == [
        datetime(2026, 10, 24, 22, tzinfo=UTC),
        datetime(2026, 10, 25, 23, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        (None, None, ""),
        (datetime(2026, 5, 1, tzinfo=UTC), None, "from 2026-05-01"),
        (None, datetime(2026, 5, 8, tzinfo=UTC), "through 2026-05-07"),
        (
            datetime(2026, 5, 1, 9, 30, tzinfo=UTC),
            datetime(2026, 5, 8, 14, tzinfo=UTC),
            "from 2026-05-01 09:30 before 2026-05-08 14:00",
        ),
    ],
)
def test_a_range_is_shown_as_the_days_it_became(
    since: datetime | None, until: datetime | None, said: str
) -> None:
    assert range_text(since, until) == said
