"""A question's words for time become spans of days, and ordinary words do not."""

# ruff: noqa: RUF001 - dashes and digits that only look like others are the point

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.retrieval._dates import DatePhrase, SessionPhrase, date_phrases

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 9, 16, 14, 30, tzinfo=BERLIN)  # a Wednesday


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=zone) if text else None


def only(question: str, now: datetime = NOW) -> DatePhrase:
    (phrase,) = date_phrases(question, now=now)
    assert isinstance(phrase, DatePhrase)
    return phrase


def span(question: str, now: datetime = NOW) -> tuple[datetime | None, datetime | None]:
    phrase = only(question, now)
    return phrase.since, phrase.until


PHRASES = """
today                                | 2026-09-16 | 2026-09-17
yesterday                            | 2026-09-15 | 2026-09-16
the day before yesterday             | 2026-09-14 | 2026-09-15
the day before last                  | 2026-09-14 | 2026-09-15
yesterday morning                    | 2026-09-15 | 2026-09-16
this morning                         | 2026-09-16 | 2026-09-16T12
this afternoon                       | 2026-09-16T12 | 2026-09-16T18
this evening                         | 2026-09-16T18 | 2026-09-17
last night                           | 2026-09-15T18 | 2026-09-16T06
tonight                              | 2026-09-16T18 | 2026-09-17T06
3 days ago                           | 2026-09-13 | 2026-09-14
twenty days ago                      | 2026-08-27 | 2026-08-28
about three days ago                 | 2026-09-12 | 2026-09-15
a couple of days ago                 | 2026-09-13 | 2026-09-15
a few days ago                       | 2026-09-12 | 2026-09-15
two or three days ago                | 2026-09-13 | 2026-09-15
2-3 days ago                         | 2026-09-13 | 2026-09-15
three hours ago                      | 2026-09-16T10:30 | 2026-09-16T12:30
a week ago                           | 2026-09-06 | 2026-09-13
a week ago today                     | 2026-09-09 | 2026-09-10
two weeks ago                        | 2026-08-30 | 2026-09-06
about two weeks ago                  | 2026-08-30 | 2026-09-06
a month ago                          | 2026-08-01 | 2026-09-01
half a year ago                      | 2026-03-01 | 2026-04-01
two years ago                        | 2024-03-16 | 2025-03-17
last week                            | 2026-09-07 | 2026-09-14
this week                            | 2026-09-14 | 2026-09-21
earlier this week                    | 2026-09-14 | 2026-09-17
earlier today                        | 2026-09-16 | 2026-09-17
the week before last                 | 2026-08-31 | 2026-09-07
past week                            | 2026-09-09 | 2026-09-17
last month                           | 2026-08-01 | 2026-09-01
this month                           | 2026-09-01 | 2026-10-01
last year                            | 2025-01-01 | 2026-01-01
this year                            | 2026-01-01 | 2027-01-01
last quarter                         | 2026-04-01 | 2026-07-01
last weekend                         | 2026-09-12 | 2026-09-14
this past weekend                    | 2026-09-12 | 2026-09-14
this weekend                         | 2026-09-19 | 2026-09-21
the last 3 days                      | 2026-09-13 | 2026-09-17
in the past two months               | 2026-07-16 | 2026-09-17
over the last year                   | 2025-09-16 | 2026-09-17
this past week                       | 2026-09-09 | 2026-09-17
in the last 24 hours                 | 2026-09-15T14:30 | 2026-09-17
on Tuesday                           | 2026-09-15 | 2026-09-16
on Tuesday morning                   | 2026-09-15 | 2026-09-16
on Wednesday                         | 2026-09-09 | 2026-09-10
on Sun                               | 2026-09-13 | 2026-09-14
last Friday                          | 2026-09-11 | 2026-09-12
this Monday                          | 2026-09-14 | 2026-09-15
Friday last week                     | 2026-09-11 | 2026-09-12
last week on Friday                  | 2026-09-11 | 2026-09-12
the Friday before last               | 2026-09-04 | 2026-09-05
the Wednesday two months ago         | 2026-07-15 | 2026-07-16
three weeks ago on Friday            | 2026-08-28 | 2026-08-29
since Tuesday                        | 2026-09-15 |
from Monday to Wednesday             | 2026-09-07 | 2026-09-10
between Friday and Monday            | 2026-09-11 | 2026-09-15
in May                               | 2026-05-01 | 2026-06-01
in may                               | 2026-05-01 | 2026-06-01
in September                         | 2026-09-01 | 2026-10-01
in October                           | 2025-10-01 | 2025-11-01
last September                       | 2025-09-01 | 2025-10-01
last May                             | 2026-05-01 | 2026-06-01
in May 2023                          | 2023-05-01 | 2023-06-01
May 2023                             | 2023-05-01 | 2023-06-01
in May last year                     | 2025-05-01 | 2025-06-01
last year in May                     | 2025-05-01 | 2025-06-01
in 2023-05                           | 2023-05-01 | 2023-06-01
early March                          | 2026-03-01 | 2026-03-11
in mid-March                         | 2026-03-11 | 2026-03-21
late March 2024                      | 2024-03-21 | 2024-04-01
in the first week of June            | 2026-06-01 | 2026-06-08
the last week of June                | 2026-06-24 | 2026-07-01
the second half of June              | 2026-06-16 | 2026-07-01
the first half of 2023               | 2023-01-01 | 2023-07-01
at the end of July                   | 2026-07-21 | 2026-08-01
2023-05-08                           | 2023-05-08 | 2023-05-09
2023/05/08                           | 2023-05-08 | 2023-05-09
05/13/2023                           | 2023-05-13 | 2023-05-14
13/05/2023                           | 2023-05-13 | 2023-05-14
8 May 2023                           | 2023-05-08 | 2023-05-09
8 May, 2023                          | 2023-05-08 | 2023-05-09
on May 8th                           | 2026-05-08 | 2026-05-09
May 8, 2023                          | 2023-05-08 | 2023-05-09
May 8,2023                           | 2023-05-08 | 2023-05-09
the 8th of May                       | 2026-05-08 | 2026-05-09
on Monday, May 8th, 2023             | 2023-05-08 | 2023-05-09
on the evening of 7 July             | 2026-07-07 | 2026-07-08
on 3 October                         | 2025-10-03 | 2025-10-04
on the 8th                           | 2026-09-08 | 2026-09-09
on the 31st                          | 2026-08-31 | 2026-09-01
on Feb 29                            | 2024-02-29 | 2024-03-01
between 3 and 10 May                 | 2026-05-03 | 2026-05-11
between May 3 and 10, 2023           | 2023-05-03 | 2023-05-11
from May 3 to June 5                 | 2026-05-03 | 2026-06-06
from the 3rd to the 8th              | 2026-09-03 | 2026-09-09
from the 12th to the 8th             | 2026-08-12 | 2026-09-09
between May 3 and 10                 | 2026-05-03 | 2026-05-11
3–10 May 2023                        | 2023-05-03 | 2023-05-11
el 1º de mayo                        | 2026-05-01 | 2026-05-02
from the 20th to the 8th             | 2026-08-20 | 2026-09-09
3-10 May 2023                        | 2023-05-03 | 2023-05-11
May 3-10                             | 2026-05-03 | 2026-05-11
from July to October                 | 2025-07-01 | 2025-11-01
from July to October 2023            | 2023-07-01 | 2023-11-01
from July 2023 to October            | 2023-07-01 | 2023-11-01
from November 2023 to February       | 2023-11-01 | 2024-03-01
from November to February 2023       | 2022-11-01 | 2023-03-01
between 2020 and 2023                | 2020-01-01 | 2024-01-01
since March                          | 2026-03-01 |
before April 10, 2023                |            | 2023-04-10
after 3 June                         | 2026-06-04 |
until yesterday                      |            | 2026-09-16
by the end of June                   |            | 2026-07-01
the week before August 3, 2023       | 2023-07-27 | 2023-08-03
the week after August 3, 2023        | 2023-08-04 | 2023-08-11
two weeks before August 11, 2023     | 2023-07-25 | 2023-08-01
two days after August 11, 2023       | 2023-08-13 | 2023-08-14
last weekend before April 10, 2023   | 2023-04-08 | 2023-04-10
last weekend before April 9, 2023    | 2023-04-01 | 2023-04-03
last Friday before April 10, 2023    | 2023-04-07 | 2023-04-08
the week of May 8                    | 2026-05-04 | 2026-05-11
in 2023                              | 2023-01-01 | 2024-01-01
Q3 2025                              | 2025-07-01 | 2025-10-01
Q3/2025                              | 2025-07-01 | 2025-10-01
2025-Q3                              | 2025-07-01 | 2025-10-01
in Q4                                | 2025-10-01 | 2026-01-01
in the year 2023                     | 2023-01-01 | 2024-01-01
the third quarter of 2025            | 2025-07-01 | 2025-10-01
gestern                              | 2026-09-15 | 2026-09-16
letzte Woche                         | 2026-09-07 | 2026-09-14
vor drei Tagen                       | 2026-09-13 | 2026-09-14
am 8. Mai 2023                       | 2023-05-08 | 2023-05-09
im Mai                               | 2026-05-01 | 2026-06-01
depuis mardi                         | 2026-09-15 |
seit Dienstag                        | 2026-09-15 |
vor dem 8. Mai                       |            | 2026-05-08
nach dem 8. Mai                      | 2026-05-09 |
aujourd'hui                          | 2026-09-16 | 2026-09-17
la semaine dernière                  | 2026-09-07 | 2026-09-14
l'année dernière                     | 2025-01-01 | 2026-01-01
il y a trois jours                   | 2026-09-13 | 2026-09-14
le 1er mai 2023                      | 2023-05-01 | 2023-05-02
mardi dernier                        | 2026-09-15 | 2026-09-16
en mai                               | 2026-05-01 | 2026-06-01
ayer                                 | 2026-09-15 | 2026-09-16
el mes pasado                        | 2026-08-01 | 2026-09-01
hace tres días                       | 2026-09-13 | 2026-09-14
el 8 de mayo de 2023                 | 2023-05-08 | 2023-05-09
昨天                                 | 2026-09-15 | 2026-09-16
上周                                 | 2026-09-07 | 2026-09-14
上周五                               | 2026-09-11 | 2026-09-12
三天前                               | 2026-09-13 | 2026-09-14
十二天前                             | 2026-09-04 | 2026-09-05
几天前                               | 2026-09-12 | 2026-09-15
三个月前                             | 2026-06-01 | 2026-07-02
5月8日                               | 2026-05-08 | 2026-05-09
五月八日                             | 2026-05-08 | 2026-05-09
2023年5月8日                         | 2023-05-08 | 2023-05-09
2023年5月                            | 2023-05-01 | 2023-06-01
去年五月                             | 2025-05-01 | 2025-06-01
昨日                                 | 2026-09-15 | 2026-09-16
先週                                 | 2026-09-07 | 2026-09-14
2週間前                              | 2026-08-30 | 2026-09-06
先週の金曜日                         | 2026-09-11 | 2026-09-12
"""

ROWS = [[part.strip() for part in row.split("|")] for row in PHRASES.split("\n") if row]


@pytest.mark.parametrize(("phrase", "since", "until"), ROWS, ids=[r[0] for r in ROWS])
def test_a_phrase_means_the_days_that_people_mean(
    phrase: str, since: str, until: str
) -> None:
    found = only(phrase)

    assert (found.text, found.since, found.until) == (phrase, at(since), at(until))


NEGATIVES = """
May I ask you something?
it may work
it may 8 people
The state it is in may change
the last may be wrong
version 8 may be slow
we march on
the second option
he sat there
how much sun exposure
effects on sun exposure
notes on sat solvers
the May release
in the May release
the March invoice
May's invoice
is a day enough
every Monday
on Mondays
next Friday
next week
tomorrow
the 2023-edition
the 2023 report
1.2.2023
listen on :2023
10.5.20.23
2024-05-01-report.md
/logs/2023-05-08/x
run it --since 2023-05-01 now
2023-05-08T12:00:00
v2023-05-08
how many weeks ago did I go
how long ago was it
how many days passed between the walk and the run
how many days passed between May 3 and June 5
2 days
in 5 minutes
since 2 days
half an hour ago
on 2023-02-30
on February 30
13/13/2023
05/08/2023
0000-05-08
in 0000
in 9999
in May 9999
in Q5
the fifth quarter of 2025
in 2100
٣ May
between 2023 and 2020
昨天/x
on the 1st of each month
class of 2023
on the 45th
on the 8th floor
the fourth half of June
the ninth week of June
in 2000 words
between 2000 and 3000 tokens
in the past
my last week at work
the last day to register
the last 5 commits
2027 years ago
9999 months ago
life on Mars
sandwich in mayo
hier ist das Problem
since our last session
my last session with Dr. Smith
our previous conversations
last time
one-year-old
"last week" results
what is `yesterday`
in February 30
8 May 9999
一周一次
每周五
下周五
3个月
2023年度
13月
/logs/昨天/x
"""


@pytest.mark.parametrize("question", [row for row in NEGATIVES.split("\n") if row])
def test_ordinary_words_names_and_bad_dates_are_no_phrases(question: str) -> None:
    assert date_phrases(question, now=NOW) == ()


@pytest.mark.parametrize(
    ("phrase", "ago"),
    [
        ("three sessions ago", 3),
        ("two conversations ago", 2),
        ("last session", 1),
        ("in our last session", 1),
        ("the session before last", 2),
        ("the last time we talked", 1),
        ("the last time we spoke", 1),
        ("when we last spoke", 1),
        ("our previous conversation", 1),
    ],
)
def test_a_session_is_counted_back(phrase: str, ago: int) -> None:
    (found,) = date_phrases(f"{phrase}, about Rust", now=NOW)

    end = len(phrase)
    assert found == SessionPhrase(text=phrase, start=0, end=end, ago=ago)


def test_a_phrase_can_be_cut_out_of_its_question() -> None:
    question = "What did we say in the first week of June about today's standup, Ann?"

    first, second = date_phrases(question, now=NOW)

    cut = question[: first.start] + question[first.end : second.start]
    assert cut + question[second.end :] == "What did we say  about  standup, Ann?"


def test_dates_of_events_are_those_with_a_preposition() -> None:
    question = "How many days passed between the run on May 3 and the walk, June 5?"

    assert only(question).text == "on May 3"


@pytest.mark.parametrize(
    "question",
    [
        "In May, what was it?",
        "what did we say in may about it",
        "what did we say IN MAY?",
        "(in May)",
        "notes from then \u2014 in May\u2014what else",
        "in May\u2026",
    ],
)
def test_punctuation_and_case_do_not_hide_a_month(question: str) -> None:
    assert only(question).text.lower() == "in may"


def test_a_day_begins_at_local_midnight_when_the_clocks_change() -> None:
    after_change = datetime(2026, 3, 29, 12, tzinfo=BERLIN)

    since, until = span("today", after_change)

    assert since is not None
    assert until is not None
    assert until.astimezone(UTC) - since.astimezone(UTC) == timedelta(hours=23)


def test_hours_are_in_order_when_an_hour_comes_twice() -> None:
    again = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1)

    since, until = span("an hour ago", again)

    assert since is not None
    assert until is not None
    assert since < until


def test_a_fixed_offset_is_kept() -> None:
    zone = timezone(timedelta(hours=9))

    since, _ = span("yesterday", datetime(2026, 1, 1, 0, 30, tzinfo=zone))

    assert since == datetime(2025, 12, 31, tzinfo=zone)


@pytest.mark.parametrize(
    ("now", "phrase", "since", "until"),
    [
        ("2026-01-01T00:30", "last week", "2025-12-22", "2025-12-29"),
        ("2026-01-01T00:30", "last month", "2025-12-01", "2026-01-01"),
        ("2026-01-01T00:30", "last quarter", "2025-10-01", "2026-01-01"),
        ("2026-01-01T00:30", "on December 31", "2025-12-31", "2026-01-01"),
        ("2026-01-01T00:30", "in December", "2025-12-01", "2026-01-01"),
        ("2026-01-01T00:30", "in January", "2026-01-01", "2026-02-01"),
        ("2024-02-29T09:00", "a year ago today", "2023-02-28", "2023-03-01"),
        ("2024-02-29T09:00", "on Feb 29", "2024-02-29", "2024-03-01"),
        ("2024-02-29T09:00", "in February", "2024-02-01", "2024-03-01"),
        ("2026-03-31T09:00", "in the past month", "2026-02-28", "2026-04-01"),
        ("2026-03-02T09:00", "on the 31st", "2026-01-31", "2026-02-01"),
        ("2026-09-20T09:00", "last weekend", "2026-09-12", "2026-09-14"),
        ("2026-09-20T09:00", "this weekend", "2026-09-19", "2026-09-21"),
        ("2026-09-21T09:00", "last weekend", "2026-09-19", "2026-09-21"),
    ],
)
def test_months_years_and_leap_days_end_where_they_end(
    now: str, phrase: str, since: str, until: str
) -> None:
    clock = datetime.fromisoformat(now).replace(tzinfo=BERLIN)

    assert span(phrase, clock) == (at(since), at(until))


def test_what_follows_a_pasted_page_is_not_looked_at() -> None:
    assert date_phrases("x " * 5_000 + "yesterday", now=NOW) == ()


@pytest.mark.parametrize(
    "shape",
    [
        "a ",
        "1",
        "last ",
        "the week before ",
        "May 8 ",
        "三天前",
        "一",
        '"',
        "'",
        "-",
        "a-",
    ],
)
def test_a_hostile_question_is_answered(shape: str) -> None:
    question = shape * (100_000 // len(shape))

    assert isinstance(date_phrases(question, now=NOW), tuple)


WORDS = """
last this past the a few of in on since before between and to from until week days
month ago May March Tuesday 8 31 29 Feb 2023 8th 3-10 9999 vor Tagen hace 昨天 三 天
前 5月8日 first half end early quarter q1 sessions our time we talked years hours , .
" ' / - — today weekend hier la how many by
"""
PIECES = st.sampled_from(WORDS.split())
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map(" ".join))
CLOCKS = st.datetimes(timezones=st.sampled_from([UTC, BERLIN]))


@given(question=TEXTS, now=CLOCKS)
def test_phrases_are_in_order_and_never_empty(question: str, now: datetime) -> None:
    end = 0

    for phrase in date_phrases(question, now=now):
        assert end <= phrase.start < phrase.end
        assert phrase.text == question[phrase.start : phrase.end]
        end = phrase.end
        if isinstance(phrase, DatePhrase):
            assert phrase.since or phrase.until
            assert not (phrase.since and phrase.until) or phrase.since < phrase.until
