"""What a row of signs means: each rule is a pattern of signs and what it says of time.

Rules rewrite the row in order. A date becomes the sign D with its kind (`Dday`,
`Dweek`, `Dmonth`, `Dyear`, `Dpart`), or E where it counts only after a preposition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from . import _date_meanings as means
from ._date_meanings import Make

__all__ = ["DATES", "ENDS", "Rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`make` says what a match means; it may raise ValueError or OverflowError."""

    pattern: re.Pattern[str]
    make: Make


_PLACEHOLDERS: Final = {
    "<n>": r"(?:[#w]\d+|few|couple|several)",
    "<an>": r"(?:[#w]\d+|few|couple|several|a)",
    "<unit>": r"(?:hour|day|week|month|year)s?",
    "<nth>": r"(?:t\d+|o\d|last)",
    "<year>": r"#\d{4}",
    "<day>": r"[#o]\d\d?",
    "<bound>": r"(?:since|after|nach|before|vor|until|by)",
    "<plain>": r"(?:in|on|at|during|over|from|of|for)",
    "<part>": r"(?:early|mid|late)",
}
_PLACEHOLDER: Final = re.compile(r"(?<!P)<\w+>")


def rule(pattern: str, make: Make) -> Rule:
    """Return a rule; its pattern is one of whole signs."""
    full = _PLACEHOLDER.sub(lambda found: _PLACEHOLDERS[found[0]], pattern)
    return Rule(pattern=re.compile(rf"(?<= )(?:{full})(?= )"), make=make)


_CALENDAR = "(?P<unit>week|month|year|quarter|weekend)"
_AGO = (
    r"(?P<about>about )?(?:(?P<n><an>)(?: (?:or|to) (?P<n2><n>))?|(?P<r>r\d+-\d+))"
    r" (?P<unit><unit>)"
)
_MY = "(?<!poss )"
_AT = "(?:(?:in|from|during|at|of|on) )?(?:(?:the|our) )?"
_NOT_AFTER = "".join(
    f"(?<!{word} {article})"
    for word in ("since", "before", "after", "until", "every", "poss")
    for article in ("", "the ", "our ")
)

DATES: Final[tuple[Rule, ...]] = (
    rule(rf"{_NOT_AFTER}{_AT}(?P<n><an>) sessions? ago", means.sessions),
    rule(
        rf"{_NOT_AFTER}{_AT}(?:last|previous) session(?! with (?!you ))",
        means.session(1),
    ),
    rule(rf"{_NOT_AFTER}{_AT}session before last", means.session(2)),
    rule(
        rf"{_NOT_AFTER}{_AT}(?:last|previous) time we(?: last)? talked",
        means.session(1),
    ),
    rule(rf"{_NOT_AFTER}when we last talked", means.session(1)),
    rule(r"(?:d\d (?:, )?)?(?P<i>i\S+)", means.iso),
    rule(r"(?P<i>y\S+)", means.iso_month),
    rule(
        r"r(?P<d>\d+)-(?P<d2>\d+) (?:of )?(?P<m>m\d+)(?: (?:, |of )?(?P<y><year>))?",
        means.days_of_month,
    ),
    rule(
        r"(?P<m>m\d+) r(?P<d>\d+)-(?P<d2>\d+)(?: (?:, )?(?P<y><year>))?",
        means.days_of_month,
    ),
    rule(
        r"(?:d\d (?:, )?)?(?:the )?(?P<d><day>|t\d+) (?:of )?(?P<m>m\d+)"
        r"(?: (?:, |of )?(?:(?P<y><year>)|(?:the )?(?P<which>last|this) year))?",
        means.day_of_month,
    ),
    rule(
        r"(?:d\d (?:, )?)?(?P<m>m\d+) (?:the )?(?P<d><day>)"
        r"(?: (?:, |of )?(?:(?P<y><year>)|(?P<which>last|this) year))?",
        means.day_of_month,
    ),
    rule(
        r"(?P<m>m\d+) (?:, |of )?(?:(?P<y><year>)|(?P<which>last|this) year)",
        means.month,
    ),
    rule(r"(?P<which>last|this) year (?:, )?in (?P<m>m\d+)", means.month),
    rule(r"(?P<lead>last|this)(?: past)? (?P<m>m\d+)", means.month),
    rule(r"(?P<m>m\d+)(?! (?:, )?#\d)", means.month),
    rule(
        r"(?:q|(?:the )?(?=t\d quarter))(?P<q>[1-4]|t\d)(?: quarter)?"
        r" (?:, |of )?(?:(?P<y><year>)|(?P<which>last|this) year)",
        means.quarter,
    ),
    rule(r"(?P<y><year>) q(?P<q>[1-4])", means.quarter),
    rule(r"q(?P<q>[1-4])", means.quarter),
    rule(r"last (?P<w>weekend|d\d) before D\S+", means.last_before),
    rule(
        r"(?P<w>d\d) (?:the )?(?P<n><an>) (?P<unit>(?:day|week|month|year)s?) ago",
        means.weekday_back,
    ),
    rule(r"(?P<n><an>) (?P<unit>weeks?) ago (?:on )?(?P<w>d\d)", means.weekday_back),
    rule(r"half a year ago", means.half_year),
    rule(rf"(?<!half ){_AGO} ago(?P<exact> day0)", means.ago),
    rule(rf"(?<!half ){_AGO}(?: or (?:so|w2))? ago", means.ago),
    rule(rf"vor {_AGO}", means.ago),
    rule(
        r"(?:the )?(?P<unit>day|week|month|year|weekend) before last",
        means.unit_away(-2),
    ),
    rule(r"(?:the )?(?P<w>d\d) before last", means.weekday_before_last),
    rule(r"(?:the )?(?P<w>d\d) (?:of )?last week", means.weekday_of(-1)),
    rule(r"last week (?:, )?(?:on )?(?P<w>d\d)", means.weekday_of(-1)),
    rule(r"(?:the )?(?P<w>d\d) (?:of )?this week", means.weekday_of(0)),
    rule(r"this week (?:on )?(?P<w>d\d)", means.weekday_of(0)),
    rule(r"(?:last|this past|the past) (?P<w>d\d)(?: tod)?", means.weekday),
    rule(
        r"(?P<w>d\d) lastp",
        means.past_weekday,
    ),
    rule(r"this (?P<w>d\d)(?: tod)?", means.weekday_of(0)),
    rule(r"(?<!every )(?<!next )(?P<w>d\d)(?: tod)?", means.weekday),
    rule(
        rf"{_MY}(?:(?:in|over|during|for) )?(?:(?:the|this) )?(?:last|past) "
        r"(?P<n><n>) (?P<unit><unit>)(?! of )",
        means.rolling,
    ),
    rule(
        rf"{_MY}(?:(?:in|over|during|for) )?(?:the )?"
        r"(?P<n><n>) (?:last|past) (?P<unit><unit>)(?! of )",
        means.rolling,
    ),
    rule(
        r"(?<!poss )(?:this past|the past|past|last) (?P<unit>weekend)(?! of - )",
        means.unit_away(-1),
    ),
    rule(
        r"(?:the|this) past (?P<unit>hour|day|week|month|year)(?! of )", means.rolling
    ),
    rule(
        r"(?:in|over|during) (?:the )?past (?P<unit>hour|day|week|month|year)(?! of )",
        means.rolling,
    ),
    rule(
        r"(?:in|over|during) the last (?P<unit>hour|day|week|month|year)(?! of )",
        means.rolling,
    ),
    rule(r"the last (?P<unit>week|month|year)(?! of )", means.rolling),
    rule(rf"{_MY}last {_CALENDAR}(?! of )", means.unit_away(-1)),
    rule(rf"{_CALENDAR} lastp", means.unit_away(-1)),
    rule(r"past (?P<unit>week|month|year)(?! of )", means.rolling),
    rule(r"earlier this (?P<unit>week|month|year)", means.so_far),
    rule(rf"this {_CALENDAR}", means.unit_away(0)),
    rule(r"(?P<d>day-[12])(?: tod)?", means.day_away),
    rule(r"earlier (?P<d>day0)", means.day_away),
    rule(r"(?P<d>day0)(?: tod)?", means.day_away),
    rule("tonight", means.hours(0, 18, 30)),
    rule("lastnight", means.hours(-1, 18, 30)),
    rule("morning", means.hours(0, 0, 12)),
    rule("noon", means.hours(0, 12, 18)),
    rule("evening", means.hours(0, 18, 24)),
    rule(r"(?:(?:the )?year )?(?P<y><year>)", means.bare_year),
    rule(
        r"the (?P<d>o\d\d?)(?! (?:-|[#wmtdo]\d\S*) )"
        r"(?! (?:of|every|(?:day|week|month|year)s?) )",
        means.day_alone,
    ),
    rule(
        r"(?:the )?(?P<part><part>)(?: of| in)?(?: the)? "
        r"[DE](?:month|year|week|quarter)",
        means.third,
    ),
    rule(
        r"(?:the )?(?P<nth><nth>) (?P<unit>day|week|month|quarter) of "
        r"[DE](?:month|year)",
        means.nth_part,
    ),
    rule(r"(?:the )?(?P<nth>t[12]) half of [DE](?:month|year)", means.half),
    rule(rf"{_AGO} (?P<way>before|after) (?:the )?D\S+", means.before_date),
    rule(
        r"(?:the )?(?P<unit>day|week|month|year) (?P<way>before|after) (?:the )?D\S+",
        means.beside,
    ),
    rule(r"(?:the )?week of (?:the )?Dday", means.week_of),
)
"""Single dates, the most particular first."""

ENDS: Final[tuple[Rule, ...]] = (
    rule(r"(?:between|from) (?P<d><day>) (?:and|to|until) Dday", means.from_day),
    rule(
        r"(?:between|from) Dday (?:and|to|until) "
        r"(?P<d><day>)(?: (?:, )?Eyear)?",
        means.to_day,
    ),
    rule(
        r"(?:between|from) (?:the )?[DE]\S+ (?:and|to|until) (?:the )?[DE]\S+",
        means.between,
    ),
    rule(r"D\S+ (?:to|until) (?:the )?D\S+", means.between),
    rule(r"[DE]month (?:to|until) Dmonth", means.between),
    rule(r"(?P<bound><bound>) (?:the )?[DE]\S+", means.bounded),
    rule(r"(?:in|during) Eyear", means.itself),
    rule(r"(?:in|during) (?:Emonth|Equarter)", means.itself),
    rule(r"on (?:the )?Eday", means.itself),
    rule(r"(?:(?:on|in) )?(?:the )?tod of (?:the )?D\S+", means.itself),
    rule(r"(?:<plain> )?(?:the )?D\S+", means.itself),
)
"""What stands around a date; what matches here is a phrase of the question."""
