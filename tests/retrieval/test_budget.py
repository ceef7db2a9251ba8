"""Frequent words cost most and say least: what is given up for them, and is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import synced
from tests.retrieval.builders import a_talk, at, sessions, write

from quoth import Archive
from quoth.model import Count, Filters, Mode, Page
from quoth.retrieval import _words

BUDGET = 260  # the archive remembers how frequent a word is from 200 messages on


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """*common* is in 600 messages, *usual* in 400, *tack* in 300, *rare* in 2."""
    folder = tmp_path_factory.mktemp("library")
    talks = [
        a_talk(
            f"s{number:03}",
            "common harbour"
            + (" usual jib" if number % 3 else "")
            + (" tack" if number % 2 else ""),
            minute=number,
        )
        for number in range(600)
    ]
    rare = [a_talk("rare1", "a rare reef"), a_talk("rare2", "rare common usual keel")]
    write(folder, *rare, *talks)
    return synced(folder)


@pytest.fixture(autouse=True)
def _a_small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_words, "POSTINGS_BUDGET", BUDGET)
    monkeypatch.setattr(_words, "COUNTED", BUDGET)


def asked(library: Archive, question: str, filters: Filters = Filters()) -> Page:  # noqa: B008
    return library.search(question, mode=Mode.WORDS, filters=filters)


def test_a_frequent_word_is_left_out_while_rarer_ones_find_something(
    library: Archive,
) -> None:
    page = asked(library, "common rare usual")

    assert (sorted(sessions(page)), page.some_words, page.all_words) == (
        ["rare1", "rare2"],
        Count(conversations=2, messages=2, exact=False),
        Count(conversations=1, messages=1),
    )
    assert page.notices == ("Too frequent to rank by, and left out: common, usual.",)


def test_frequent_words_get_their_turn_when_the_rare_one_is_out_of_scope(
    library: Archive,
) -> None:
    page = asked(library, "common rare", Filters(since=at(5), until=at(8)))

    assert (sorted(sessions(page)), page.some_words, page.notices) == (
        ["s005", "s006", "s007"],
        Count(conversations=3, messages=3),
        (),
    )


def test_of_frequent_words_alone_those_that_meet_are_ranked(
    library: Archive,
) -> None:
    page = asked(library, "common usual tack")

    assert (page.some_words, page.all_words, page.notices) == (
        Count(conversations=200, messages=200, exact=False),
        Count(conversations=200, messages=200),
        ("These words are frequent: only messages with all of them are ranked.",),
    )


def test_of_a_word_in_too_many_messages_the_newest_are_ranked(
    library: Archive,
) -> None:
    page = asked(library, "common")

    counted = page.some_words
    assert (counted.exact, counted.messages == counted.conversations) == (False, True)
    assert 250 <= counted.messages <= BUDGET
    assert page.notices == (
        "These words are too frequent: only the newest messages are ranked.",
    )


def test_a_filter_is_applied_before_any_budget(library: Archive) -> None:
    page = asked(library, "common", Filters(until=at(1)))

    assert (sorted(sessions(page)), page.some_words) == (
        ["rare2", "s000"],
        Count(conversations=2, messages=2),
    )


def test_a_count_of_what_holds_every_word_stops_and_says_so(
    library: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_words, "POSTINGS_BUDGET", 10_000)
    monkeypatch.setattr(_words, "COUNTED", 50)

    page = asked(library, "usual tack")

    assert (page.all_words, page.some_words.messages) == (
        Count(conversations=50, messages=50, exact=False),
        501,
    )


def test_of_an_identifier_with_frequent_parts_the_whole_is_looked_for(
    tmp_path: Path,
) -> None:
    talks = [a_talk(f"s{number}", f"common usual m{number}") for number in range(300)]
    write(tmp_path, a_talk("name", "see common_usual_reef there"), *talks)

    page = asked(synced(tmp_path), "common_usual_reef")

    assert (sessions(page), page.notices) == (["name"], ())


def test_all_terms_share_one_budget(
    library: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_words, "POSTINGS_BUDGET", 500)

    page = asked(library, "usual tack")

    assert page.notices == ("Too frequent to rank by, and left out: usual.",)


def test_an_identifier_with_frequent_parts_is_not_left_out_beside_a_word(
    tmp_path: Path,
) -> None:
    talks = [a_talk(f"s{number}", f"common usual m{number}") for number in range(300)]
    write(
        tmp_path,
        a_talk("name", "see common_usual_reef there"),
        a_talk("keel", "the keel"),
        *talks,
    )

    page = asked(synced(tmp_path), "common_usual_reef keel")

    assert (sorted(sessions(page)), page.notices) == (["keel", "name"], ())


def test_a_page_says_when_not_all_that_matches_is_ranked(
    library: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_words, "POSTINGS_BUDGET", 10_000)

    page = asked(library, "harbour")

    assert (page.some_words, page.notices) == (
        Count(conversations=600, messages=600),
        ("Only the best 500 are ranked; a filter brings others up.",),
    )
