"""What is meant by the dates that rules recognise, on the person's clock.

Times have no zone here. What a date cannot mean raises ValueError or OverflowError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

__all__ = [
    "Make",
    "Span",
    "ago",
    "bare_year",
    "before_date",
    "beside",
    "between",
    "bounded",
    "day_alone",
    "day_away",
    "day_of_month",
    "days_of_month",
    "from_day",
    "half",
    "half_year",
    "hours",
    "iso",
    "iso_month",
    "itself",
    "last_before",
    "month",
    "nth_part",
    "past_weekday",
    "quarter",
    "rolling",
    "session",
    "sessions",
    "so_far",
    "third",
    "to_day",
    "unit_away",
    "week_of",
    "weekday",
    "weekday_back",
    "weekday_before_last",
    "weekday_of",
]

FIRST_YEAR, LAST_YEAR = 1900, 2199
FIRST_BARE_YEAR = 1970

_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of the person's clock. `recurs` is what comes round: a week, a year."""

    since: datetime | None
    until: datetime | None
    kind: str = "part"
    recurs: str = ""
    is_weak: bool = False

    @property
    def sign(self) -> str:
        """How the rules see it."""
        return ("E" if self.is_weak else "D") + self.kind

    @property
    def start(self) -> datetime:
        """Its beginning, of one that has a beginning."""
        return self.since or datetime.min

    @property
    def end(self) -> datetime:
        """Its end, of one that has an end."""
        return self.until or datetime.max


Make = Callable[["re.Match[str]", Sequence[Span], datetime], "Span | int"]
"""What a match means, given the dates inside it and the clock."""


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def _number(sign: str) -> int:
    return int(re.sub(r"\D", "", sign))


def _counts(sign: str) -> tuple[int, int]:
    """Return the fewest and the most that a count may mean."""
    loose = {"few": (2, 4), "couple": (2, 3), "several": (3, 7), "a": (1, 1)}
    return loose.get(sign) or (_number(sign), _number(sign))


def _months_later(at: datetime, months: int) -> datetime:
    """Return the same day *months* later, or the last day of a shorter month."""
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    first = at.replace(year=year, month=month + 1, day=1)
    last = (first + timedelta(days=31)).replace(day=1) - _DAY
    return first.replace(day=min(at.day, last.day))


def _later(at: datetime, count: int, unit: str) -> datetime:
    match unit.removesuffix("s"):
        case "hour":
            return at + timedelta(hours=count)
        case "day" | "weekend":
            return at + timedelta(days=count)
        case "week":
            return at + timedelta(days=7 * count)
        case "month":
            return _months_later(at, count)
        case "quarter":
            return _months_later(at, 3 * count)
    return _months_later(at, 12 * count)


def _day_span(at: datetime, *, recurs: str = "", is_weak: bool = False) -> Span:
    day = _midnight(at)
    return Span(since=day, until=day + _DAY, kind="day", recurs=recurs, is_weak=is_weak)


def _slack(at: datetime, unit: str) -> tuple[datetime, datetime]:
    """Return what "N units ago" covers, around the day that it counts back to.

    A day is that day; a week is three days more on either side, a month fifteen, a year
    six months, for that is how loosely people count.
    """
    match unit.removesuffix("s"):
        case "hour":
            return at - timedelta(hours=1), at + timedelta(hours=1)
        case "day":
            return _midnight(at), _midnight(at) + _DAY
        case "week":
            days = timedelta(days=3)
        case "month":
            days = timedelta(days=15)
        case _:
            return (
                _months_later(_midnight(at), -6),
                _months_later(_midnight(at), 6) + _DAY,
            )
    return _midnight(at) - days, _midnight(at) + days + _DAY


def _counted_back(
    found: re.Match[str], at: datetime, *, sign: int = -1, exact: bool = False
) -> Span:
    """Return the span that lies a count of units away from *at*."""
    groups = found.groupdict()
    if groups.get("r"):
        few, many = sorted(int(one) for one in groups["r"][1:].split("-"))
    else:
        few, many = _counts(groups["n"])
    if groups.get("n2"):
        many = _counts(groups["n2"])[1]
    unit = groups["unit"].removesuffix("s")
    near, far = _later(at, sign * few, unit), _later(at, sign * many, unit)
    if exact:
        return _day_span(near)
    one, other = _slack(min(near, far), unit), _slack(max(near, far), unit)
    slack = _DAY if groups.get("about") and unit == "day" else timedelta(0)
    return Span(since=one[0] - slack, until=other[1] + slack, kind="part")


def _calendar(unit: str, at: datetime, count: int) -> Span:
    """Return the calendar unit *count* away from the one that *at* is in."""
    day = _midnight(at)
    match unit:
        case "day":
            return _day_span(day + count * _DAY)
        case "week":
            start = day - timedelta(days=day.weekday()) + count * _WEEK
            return Span(since=start, until=start + _WEEK, kind="week")
        case "weekend":
            start = day - timedelta(days=day.weekday() - 5) + count * _WEEK
            return Span(since=start, until=start + 2 * _DAY, kind="part")
        case "month":
            start = _months_later(day.replace(day=1), count)
        case "quarter":
            start = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
            start = _months_later(start, 3 * count)
        case _:
            start = _months_later(day.replace(month=1, day=1), 12 * count)
    return Span(since=start, until=_later(start, 1, unit), kind=unit)


def rolling(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    """Return the last N units, today included."""
    count = found.groupdict().get("n")
    unit = found["unit"].removesuffix("s")
    since = _later(now, -(_counts(count)[1] if count else 1), unit)
    until = _midnight(now) + _DAY
    return Span(since=since if unit == "hour" else _midnight(since), until=until)


def _year(sign: str) -> int:
    year = _number(sign)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError
    return year


def _year_of(found: re.Match[str], now: datetime) -> int | None:
    """Return the year that a rule's groups name, or None."""
    groups = found.groupdict()
    if groups.get("y"):
        return _year(groups["y"])
    which = groups.get("which")
    return None if which is None else now.year - (which != "this")


def day_of_month(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    month, day = _number(found["m"]), _number(found["d"])
    year = _year_of(found, now)
    if year is not None:
        return _day_span(datetime(year, month, day))
    latest = now.year
    while _is_missing(latest, month, day) or datetime(latest, month, day) > now:
        latest -= 1
    return _day_span(datetime(latest, month, day), recurs="year")


def _is_missing(year: int, month: int, day: int) -> bool:
    """Whether it is a 29 February of a year that has none."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return (month, day) == (2, 29) and not is_leap


def days_of_month(found: re.Match[str], values: Sequence[Span], now: datetime) -> Span:
    span = day_of_month(found, values, now)
    last = span.start.replace(day=_number(found["d2"]))
    return Span(since=span.since, until=_day_span(last).until, recurs=span.recurs)


def iso(found: re.Match[str], _: Sequence[Span], __: datetime) -> Span:
    year, month, day = (int(part) for part in found["i"][1:].split("-"))
    return _day_span(datetime(_year(str(year)), month, day))


def iso_month(found: re.Match[str], _: Sequence[Span], __: datetime) -> Span:
    year, month = (int(part) for part in found["i"][1:].split("-"))
    at = datetime(_year(str(year)), month, 1)
    return replace(_calendar("month", at, 0), is_weak=True)


def month(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    month = _number(found["m"])
    year = _year_of(found, now)
    if year is not None:
        return _calendar("month", datetime(year, month, 1), 0)
    lead = found.groupdict().get("lead")
    back = month > now.month or (lead == "last" and month == now.month)
    at = datetime(now.year - (back and lead != "this"), month, 1)
    span = _calendar("month", at, 0)
    return replace(span, recurs="year", is_weak=lead is None)


def quarter(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    number = _number(found["q"])
    if not 1 <= number <= 4:
        raise ValueError
    year = _year_of(found, now)
    back = year is None and number > (now.month + 2) // 3
    at = datetime(year or now.year - back, number * 3, 1)
    return replace(_calendar("quarter", at, 0), is_weak=year is None)


def bare_year(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    year = _year(found["y"])
    if not FIRST_BARE_YEAR <= year <= now.year + 1:
        raise ValueError
    at = datetime(year, 1, 1)
    return replace(_calendar("year", at, 0), is_weak=True)


def day_alone(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    day = _number(found["d"])
    for back in range(3):  # of three months in a row, one has 31 days
        first = _months_later(_midnight(now).replace(day=1), -back)
        at = first + timedelta(days=day - 1)
        if at.month == first.month and at <= now:
            return _day_span(at, recurs="month", is_weak=True)
    raise ValueError


def _back_to_weekday(at: datetime, weekday: int) -> datetime:
    """Return the latest such weekday before the day of *at*."""
    day = _midnight(at)
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def weekday(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    at = _back_to_weekday(now, _number(found["w"]))
    is_weak = "last" not in found[0]
    return _day_span(at, recurs="week", is_weak=is_weak)


def past_weekday(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    return replace(weekday(found, _, now), is_weak=False)


def weekday_before_last(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    return _day_span(_back_to_weekday(now, _number(found["w"])) - _WEEK)


def weekday_of(count: int) -> Make:
    """Return what means a weekday of the calendar week *count* away."""

    def make(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
        week = _calendar("week", now, count)
        return _day_span(week.start + timedelta(days=_number(found["w"])))

    return make


def weekday_back(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    """Return the weekday of the week, or nearest to the day, that a count leads to."""
    unit = found["unit"].removesuffix("s")
    at = _midnight(_later(now, -_counts(found["n"])[0], unit))
    weekday = _number(found["w"])
    if unit == "week":
        return _day_span(_calendar("week", at, 0).start + timedelta(days=weekday))
    return _day_span(at + timedelta(days=(weekday - at.weekday() + 3) % 7 - 3))


def day_away(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    return _day_span(now + _number(found["d"]) * -_DAY)


def hours(day: int, since: int, until: int) -> Make:
    """Return what means some hours of the day that is *day* days away."""

    def make(_: re.Match[str], __: Sequence[Span], now: datetime) -> Span:
        midnight = _midnight(now) + day * _DAY
        return Span(
            since=midnight + timedelta(hours=since),
            until=midnight + timedelta(hours=until),
        )

    return make


def unit_away(count: int) -> Make:
    """Return what means the calendar unit *count* away from now."""

    def make(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
        unit = found["unit"]
        over = unit == "weekend" and count < 0 and now.weekday() < 5
        return _calendar(unit, now, count) if not over else _calendar(unit, now, -1)

    return make


def so_far(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    return replace(
        _calendar(found["unit"], now, 0), until=_midnight(now) + _DAY, kind="part"
    )


def ago(found: re.Match[str], _: Sequence[Span], now: datetime) -> Span:
    return _counted_back(found, now, exact=bool(found.groupdict().get("exact")))


def half_year(_: re.Match[str], __: Sequence[Span], now: datetime) -> Span:
    since, until = _slack(_months_later(now, -6), "month")
    return Span(since=since, until=until)


def before_date(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    if found["way"] == "after":
        return _counted_back(found, values[0].end - _DAY, sign=1)
    return _counted_back(found, values[0].start)


def beside(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    """Return the week before a date: the seven days, not the calendar's week."""
    unit = found["unit"]
    if found["way"] == "after":
        return Span(since=values[0].end, until=_later(values[0].end, 1, unit))
    return Span(since=_later(values[0].start, -1, unit), until=values[0].start)


def last_before(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    at = values[0].start
    if found["w"] != "weekend":
        return _day_span(_back_to_weekday(at, _number(found["w"])))
    weekend = _calendar("weekend", at, 0)
    return weekend if weekend.end <= at else _calendar("weekend", at, -1)


def week_of(_: re.Match[str], values: Sequence[Span], __: datetime) -> Span:
    return _calendar("week", values[0].start, 0)


def third(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    """Return the early, middle or late third; of a month, ten days."""
    whole = values[0]
    days = (whole.end - whole.start).days
    size = (days + 1) // 3 if days > 31 else (10 if days > 7 else 3)
    early, late = (whole.start + timedelta(days=k * size) for k in (1, 2))
    since, until = {
        "early": (whole.start, early),
        "mid": (early, late),
        "late": (late, whole.end),
    }[found["part"]]
    return Span(since=since, until=until, recurs=whole.recurs)


def nth_part(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    """Return the first week of a month (its first seven days), the last day of it."""
    whole, unit = values[0], found["unit"]
    if found["nth"] == "last":
        since, until = _later(whole.end, -1, unit), whole.end
    else:
        since = _later(whole.start, _number(found["nth"]) - 1, unit)
        until = min(_later(since, 1, unit), whole.end)
    if not whole.start <= since < until:
        raise ValueError
    return Span(since=since, until=until, recurs=whole.recurs)


def half(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    whole = values[0]
    middle = whole.start + timedelta(days=15)
    if whole.kind == "year":
        middle = _months_later(whole.start, 6)
    since, until = (
        (whole.start, middle) if found["nth"] == "t1" else (middle, whole.end)
    )
    return Span(since=since, until=until, recurs=whole.recurs)


def _moved(span: Span, months: int) -> Span:
    return replace(
        span,
        since=_months_later(span.start, months),
        until=_months_later(span.end, months),
    )


def between(_: re.Match[str], values: Sequence[Span], __: datetime) -> Span:
    """Return both ends and what is between; an end without a year goes by the other."""
    first, last = values
    if last.recurs == "year" and first.recurs != "year":
        last = _moved(last, 12 * (first.start.year - last.start.year))
        if last.start < first.start:
            last = _moved(last, 12)
    elif first.recurs == "year":
        first = _moved(first, 12 * (last.start.year - first.start.year))
        if first.start > last.start:
            first = _moved(first, -12)
    elif first.start > last.start and first.recurs:
        away = (first.start - last.start).days
        if first.recurs == "week":
            back = timedelta(days=-(-away // 7) * 7)
            first = replace(first, since=first.start - back)
        else:
            first = _moved(first, -1)
    return Span(since=first.since, until=last.until)


def from_day(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    since = values[0].start.replace(day=_number(found["d"]))
    return Span(since=since, until=values[0].until)


def to_day(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    since = values[0].start
    if len(values) > 1:
        since = since.replace(year=values[1].start.year)
    last = since.replace(day=_number(found["d"]))
    return Span(since=since, until=_day_span(last).until)


def bounded(found: re.Match[str], values: Sequence[Span], _: datetime) -> Span:
    span = values[0]
    match found["bound"]:
        case "since":
            return Span(since=span.since, until=None)
        case "after" | "nach":
            return Span(since=span.until, until=None)
        case "before" | "vor":
            return Span(since=None, until=span.since)
    return Span(since=None, until=span.until)


def itself(_: re.Match[str], values: Sequence[Span], __: datetime) -> Span:
    return values[0]


def sessions(found: re.Match[str], _: Sequence[Span], __: datetime) -> int:
    return max(1, _counts(found["n"])[0])


def session(count: int) -> Make:
    return lambda _, __, ___: count
