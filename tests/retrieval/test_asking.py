"""What a question may say besides its words: times, slips, what not to find."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests.builders import synced
from tests.retrieval.builders import a_talk, at, sessions, write

from quoth import Archive
from quoth.model import Count, EmptyReason, Filters, Mode, Page, Respelled

DAY = 24 * 60
NOW = at(10 * DAY)
"""Monday, 2026-05-11 10:00 UTC; the talks below began on Friday the 1st."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    folder = tmp_path_factory.mktemp("library")
    write(
        folder,
        a_talk("first", "The mooring fee is 12 pounds.", minute=0),
        a_talk("second", "The mooring fee is 14 pounds.", minute=5 * DAY),
        a_talk("third", "The mooring fee is 19 pounds.", minute=9 * DAY),
        a_talk("other", "We painted the redrive pump.", minute=2 * DAY),
    )
    return synced(folder)


def asked(library: Archive, question: str, **how: object) -> Page:
    settings: dict[str, object] = {"mode": Mode.WORDS, "asked_at": NOW, **how}
    return library.search(question, **settings)  # type: ignore[arg-type]


# Times


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what was the mooring fee yesterday?", "third"),
        ("what was the mooring fee on May 6th?", "second"),
        ("what was the mooring fee on 2026-05-01?", "first"),
        ("what was the mooring fee two sessions ago?", "second"),
    ],
)
def test_what_is_from_the_time_a_question_names_comes_first(
    library: Archive, question: str, first: str
) -> None:
    page = asked(library, question)

    assert (sessions(page)[0], page.from_then) == (first, 1)
    assert page.terms == ("mooring", "fee")
    assert len(page.hits) >= 3


def test_a_page_says_what_it_took_a_time_for(library: Archive) -> None:
    (date,) = asked(library, "the mooring fee on 2026-05-06").dates

    assert date.text == "on 2026-05-06"
    assert (date.since, date.until) == (
        datetime(2026, 5, 6, tzinfo=UTC),
        datetime(2026, 5, 7, tzinfo=UTC),
    )


def test_a_day_begins_at_midnight_where_the_person_is(library: Archive) -> None:
    here = NOW.astimezone(ZoneInfo("Asia/Tokyo"))

    (date,) = asked(library, "mooring yesterday", asked_at=here).dates

    assert date.since is not None
    assert date.since.astimezone(UTC) == datetime(2026, 5, 9, 15, tzinfo=UTC)


def test_nothing_from_then_is_said_and_the_rest_is_shown(library: Archive) -> None:
    page = asked(library, "what was the mooring fee in March 2019?")

    assert (sessions(page), page.from_then) == (["third", "second", "first"], 0)
    assert page.notices[0] == (
        "Nothing from \u201cin March 2019\u201d; 3 messages without the date."
    )


def test_a_time_alone_finds_all_that_is_from_then(library: Archive) -> None:
    page = asked(library, "what did we discuss on May 6th?")

    assert (sessions(page), page.hits[0].matched_by) == (["second"], ("date",))
    assert page.some_words == page.all_words == Count(conversations=1, messages=1)
    assert not page.hits[0].weak


def test_a_time_alone_from_which_there_is_nothing_matches_nothing(
    library: Archive,
) -> None:
    page = asked(library, "what did we discuss in March 2019?")

    assert (page.hits, page.empty_reason) == ((), EmptyReason.NO_MATCH)


def test_times_are_plain_words_where_one_wants_that(library: Archive) -> None:
    page = asked(library, "the mooring fee yesterday", read_dates=False)

    assert (page.dates, page.terms) == ((), ("mooring", "fee", "yesterday"))


def test_what_is_in_quotes_is_no_time(library: Archive) -> None:
    assert asked(library, 'mooring "in March 2019"').dates == ()


# Slips


def test_a_slip_finds_the_word_that_was_meant_and_says_so(library: Archive) -> None:
    page = asked(library, "redirve pump")

    assert (sessions(page), page.respelled) == (
        ["other"],
        (Respelled(typed="redirve", taken="redrive"),),
    )
    assert page.notices == (
        "Searched for \u201credrive\u201d instead of \u201credirve\u201d.",
    )


def test_a_word_that_is_there_is_never_respelled(library: Archive) -> None:
    assert asked(library, "redrive mooring").respelled == ()


def test_a_phrase_in_quotes_is_never_respelled(library: Archive) -> None:
    page = asked(library, '"redirve pump"')

    assert (page.hits, page.respelled) == ((), ())


# What not to find, and questions about nothing


def test_what_holds_a_word_can_be_left_out(library: Archive) -> None:
    page = asked(library, "mooring fee", filters=Filters(without=("12 pounds", "19")))

    assert (sessions(page), page.some_words.messages) == (["second"], 1)


def test_what_is_left_out_does_not_come_by_meaning_either(library: Archive) -> None:
    page = asked(library, "mooring", mode=Mode.BOTH, filters=Filters(without=("fee",)))

    assert not any("fee" in hit.text for hit in page.hits)


def test_a_question_that_only_frames_one_says_so(library: Archive) -> None:
    page = asked(library, "what did we say about it?")

    assert "only says how it is asked" in page.notices[0]


# Weak hits


def test_what_holds_one_word_of_many_is_weak(library: Archive) -> None:
    page = asked(library, "pump gasket thermostat warranty catalogue", mode=Mode.WORDS)

    assert [(hit.conversation, hit.weak) for hit in page.hits] == [
        ("generic:other", True)
    ]


def test_what_holds_the_question_is_not_weak(library: Archive) -> None:
    assert [hit.weak for hit in asked(library, "redrive pump").hits] == [False]


# Explanations


def test_a_score_is_the_sum_of_its_parts(library: Archive) -> None:
    (hit, *_) = asked(library, "mooring fee", mode=Mode.BOTH, explain=True).hits

    assert hit.score == pytest.approx(sum(part.adds for part in hit.made_of), abs=1e-3)
    assert dict(hit.ranks)["words"] == 1
    assert asked(library, "mooring fee").hits[0].made_of == ()


def test_the_time_since_then_makes_no_difference(library: Archive) -> None:
    later = NOW + timedelta(days=400)

    assert sessions(asked(library, "mooring fee")) == sessions(
        asked(library, "mooring fee", asked_at=later)
    )


# What is called by its name


def test_a_key_or_the_beginning_of_one_finds_its_conversation(library: Archive) -> None:
    for name in ("generic:second", "generic:seco"):
        assert sessions(asked(library, name)) == ["second"]


def test_a_citation_finds_its_message(library: Archive) -> None:
    (hit,) = asked(library, "redrive").hits

    (found,) = asked(library, hit.citation).hits

    assert (found.citation, found.weak) == (hit.citation, False)


def test_a_key_that_nothing_has_finds_nothing(library: Archive) -> None:
    assert asked(library, "generic:zzzzzzzz").hits == ()


def test_a_filter_holds_for_what_is_called_by_its_name(library: Archive) -> None:
    page = asked(library, "generic:second", filters=Filters(until=at(DAY)))

    assert sessions(page) == []
