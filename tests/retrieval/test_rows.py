"""Messages are folded into conversations before the page is cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import an_archive, claude_file, put, synced
from tests.retrieval.builders import (
    START,
    a_talk,
    at,
    key,
    sessions,
    texts,
    write,
)
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.model import Count, Filters, Freshness, Include, Kind, Mode, Page, SearchUnit

LOUD, QUIET = "loud", "quiet"
PARENT = "00000000-0000-4000-8000-0000000000aa"
RESUMED = "00000000-0000-4000-8000-0000000000bb"


@pytest.fixture
def library(tmp_path: Path) -> Archive:
    """One conversation says it 25 times, another one once."""
    write(
        tmp_path,
        a_talk(LOUD, *(f"needleword came again {number}" for number in range(25))),
        a_talk(QUIET, "the one other needleword", "and more"),
    )
    return synced(tmp_path)


def test_one_conversation_takes_one_row(library: Archive) -> None:
    page = library.search("needleword", limit=2)

    assert sorted(sessions(page)) == [LOUD, QUIET]


def test_a_row_counts_the_further_messages_that_match(library: Archive) -> None:
    page = library.search("needleword", limit=2)

    others = {hit.conversation: hit.others for hit in page.hits}
    assert others == {key(LOUD): 24, key(QUIET): 0}


def test_counts_are_of_all_that_matches_and_not_of_the_page(library: Archive) -> None:
    page = library.search("needleword", limit=1)

    both = Count(conversations=2, messages=26)
    assert (page.shown, page.all_words, page.some_words, page.recorded) == (
        Count(conversations=1, messages=1),
        both,
        both,
        Count(conversations=2, messages=27),
    )


@pytest.mark.parametrize("mode", Mode)
def test_pages_neither_repeat_nor_skip(library: Archive, mode: Mode) -> None:
    def pages() -> list[str]:
        found, offset = [], 0
        while offset is not None:
            page = library.search("needleword", mode=mode, limit=1, offset=offset)
            found += sessions(page)
            offset = page.next_offset  # type: ignore[assignment] # None ends it
        return found

    first, second = pages(), pages()

    assert (sorted(first), second) == ([LOUD, QUIET], first)


def test_within_a_conversation_its_messages_are_the_rows(library: Archive) -> None:
    page = library.search("needleword", limit=30, filters=Filters(within=key(LOUD)))

    assert (page.unit, sorted(texts(page))) == (
        SearchUnit.MESSAGE,
        sorted(f"needleword came again {number}" for number in range(25)),
    )


def test_pages_of_messages_join_to_the_whole(library: Archive) -> None:
    whole = library.search("needleword", unit=SearchUnit.MESSAGE, limit=26)

    parts = [
        library.search("needleword", unit=SearchUnit.MESSAGE, limit=7, offset=offset)
        for offset in range(0, 26, 7)
    ]

    assert [hit for part in parts for hit in part.hits] == list(whole.hits)


def test_equal_messages_are_ranked_newer_first(tmp_path: Path) -> None:
    for session, minute in (("older", 0), ("newest", 90), ("newer", 50)):
        write(
            tmp_path,
            a_talk(session, "an equal needle", minute=minute),
            name=f"{session}.jsonl",
        )

    page = synced(tmp_path).search("needle")

    assert sessions(page) == ["newest", "newer", "older"]


def test_messages_of_one_moment_are_ranked_as_they_were_read(tmp_path: Path) -> None:
    talks = [a_talk(session, "an equal needle") for session in ("c", "a", "b")]
    write(tmp_path, *talks)

    page = synced(tmp_path).search("needle")

    assert sessions(page) == ["c", "a", "b"]


@pytest.mark.parametrize("mode", Mode)
def test_the_same_question_has_the_same_answer(tmp_path: Path, mode: Mode) -> None:
    def asked(home: str) -> Page:
        archive = an_archive(tmp_path, home=tmp_path / home)
        archive.sync()
        page = archive.search("needle and thread for the harbour", mode=mode, limit=50)
        return replace(page, took_ms=0.0, freshness=Freshness())

    write(
        tmp_path,
        *(
            a_talk(f"s{number}", f"needle {number % 5} in the harbour, thread {number}")
            for number in range(40)
        ),
    )

    assert asked("one") == asked("two")


def a_session_with_a_subagent(folder: Path) -> Archive:
    file = put(
        claude_file(folder, PARENT),
        claude.lines(
            claude.said("p1", "please survey the moorline code", sessionId=PARENT),
            claude.answered("p2", "surveyed the moorline", sessionId=PARENT),
        ),
    )
    put(
        file.with_suffix("") / "subagents" / "agent-a1.jsonl",
        claude.lines(
            claude.said(
                "s1",
                "look at the brindlewick, then the moorline",
                sessionId=PARENT,
                isSidechain=True,
                agentId="a1",
            )
        ),
    )
    return synced(folder)


def test_what_a_subagent_said_is_listed_under_its_parent(tmp_path: Path) -> None:
    archive = a_session_with_a_subagent(tmp_path)

    page = archive.search("moorline", mode=Mode.WORDS)

    assert (len(page.hits), page.hits[0].others, page.some_words) == (
        1,
        2,
        Count(conversations=1, messages=3),
    )


def test_a_hit_in_a_subagent_names_the_subagent_and_its_parent(tmp_path: Path) -> None:
    archive = a_session_with_a_subagent(tmp_path)

    (hit,) = archive.search("brindlewick", mode=Mode.WORDS).hits

    assert (hit.kind, hit.parent) == (Kind.SUBAGENT, f"claude_code:{PARENT}")


def test_subagents_are_rows_of_their_own_on_request(tmp_path: Path) -> None:
    archive = a_session_with_a_subagent(tmp_path)

    page = archive.search(
        "moorline",
        mode=Mode.WORDS,
        filters=Filters(include=frozenset({Include.SUBAGENTS})),
    )

    two = Count(conversations=2, messages=2)
    assert sorted((hit.kind, hit.others) for hit in page.hits) == [
        (Kind.MAIN, 1),
        (Kind.SUBAGENT, 0),
    ]
    assert (page.shown, page.some_words, page.recorded) == (
        two,
        Count(conversations=2, messages=3),
        Count(conversations=2, messages=3),
    )


def a_resumed_session(folder: Path) -> Archive:
    """Two files hold the same first prompt; the second goes on from there."""
    first = {"parentUuid": None, "timestamp": "2026-05-01T10:00:00Z"}
    put(
        claude_file(folder, PARENT),
        claude.lines(
            claude.said("r1", "the gaffrig question", **first, sessionId=PARENT)
        ),
    )
    put(
        claude_file(folder, RESUMED),
        claude.lines(
            claude.said("r1", "the gaffrig question", **first, sessionId=RESUMED),
            claude.said(
                "r2",
                "and then the topsail",
                parentUuid="r1",
                sessionId=RESUMED,
                timestamp="2026-05-02T10:00:00Z",
            ),
        ),
    )
    return synced(folder)


def test_a_message_of_two_files_is_one_hit_that_names_the_other(tmp_path: Path) -> None:
    archive = a_resumed_session(tmp_path)

    (hit,) = archive.search("gaffrig", mode=Mode.WORDS).hits

    assert (hit.conversation, hit.also_in) == (
        f"claude_code:{PARENT}",
        (f"claude_code:{RESUMED}",),
    )


def test_within_the_copy_the_message_is_shown_as_the_copys(tmp_path: Path) -> None:
    archive = a_resumed_session(tmp_path)

    (hit,) = archive.search(
        "gaffrig", filters=Filters(within=f"claude_code:{RESUMED}")
    ).hits

    assert (hit.conversation, hit.seq, hit.also_in) == (
        f"claude_code:{RESUMED}",
        1,
        (f"claude_code:{PARENT}",),
    )


def test_a_hit_tells_when_it_was_written(tmp_path: Path) -> None:
    write(tmp_path, a_talk("s", "before", "the needle"))

    (hit,) = synced(tmp_path).search("needle").hits

    assert (hit.started_at, hit.at, hit.seq) == (START, at(1), 2)
