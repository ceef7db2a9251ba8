"""What makes a message, or a conversation, a better answer than another."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import an_archive, synced
from tests.retrieval.builders import Record, a_talk, answer, sessions, texts, write

from quoth.model import Count, Mode, Page, RankingChoice, Role, SearchUnit

FILLER = [f"We went on with the garden, bed {number}." for number in range(8)]


def asked(
    folder: Path,
    question: str,
    *talks: list[Record],
    unit: SearchUnit = SearchUnit.CONVERSATION,
) -> Page:
    write(folder, *talks, a_talk("filler", *FILLER))
    with synced(folder) as archive:
        return archive.search(question, mode=Mode.WORDS, unit=unit)


def test_words_that_stand_together_come_before_words_far_apart(tmp_path: Path) -> None:
    page = asked(
        tmp_path,
        "harbour tariff",
        a_talk(
            "apart", "The harbour was full. " + "We waited long. " * 20 + "A tariff."
        ),
        a_talk(
            "close", "The harbour tariff rose. " + "We waited long. " * 20 + "Well."
        ),
    )

    assert sessions(page) == ["close", "apart"]


def test_a_conversation_that_holds_all_words_comes_before_one_that_holds_half(
    tmp_path: Path,
) -> None:
    page = asked(
        tmp_path,
        "harbour tariff increase",
        a_talk("half", "the harbour tariff", *FILLER),
        a_talk("whole", "the harbour tariff", "there was an increase", *FILLER[1:]),
    )

    assert sessions(page)[:2] == ["whole", "half"]


def test_what_i_said_of_myself_comes_before_what_i_was_told(tmp_path: Path) -> None:
    page = asked(
        tmp_path,
        "what did I pay for my mooring?",
        a_talk(
            "told", "hello", answer("The mooring is something that people pay for.")
        ),
        a_talk("own", "hello", "I had to pay 30 pounds for my mooring this time."),
    )

    assert sessions(page) == ["own", "told"]


def test_a_message_between_those_that_match_comes_before_one_alone(
    tmp_path: Path,
) -> None:
    page = asked(
        tmp_path,
        "harbour tariff",
        a_talk("alone", *FILLER[:3], "the tariff it is", *FILLER[3:6]),
        a_talk(
            "beside", *FILLER[:2], "about the harbour", "the tariff it is", "harbour"
        ),
        unit=SearchUnit.MESSAGE,
    )

    found = [hit.conversation for hit in page.hits if hit.text == "the tariff it is"]
    assert found == ["generic:beside", "generic:alone"]


def test_a_question_comes_after_what_answers_it(tmp_path: Path) -> None:
    page = asked(
        tmp_path,
        "harbour tariff",
        a_talk("both", "the harbour tariff, what is it?", "the harbour tariff is 12"),
        unit=SearchUnit.MESSAGE,
    )

    assert texts(page)[0] == "the harbour tariff is 12"


def test_everything_that_matches_is_counted_and_can_be_paged_to(tmp_path: Path) -> None:
    many = [a_talk(f"s{number:03}", "the tariff", "again") for number in range(700)]
    write(tmp_path, *many)
    with synced(tmp_path) as archive:
        first = archive.search("tariff", mode=Mode.WORDS)
        last = archive.search("tariff", mode=Mode.WORDS, offset=690, limit=100)

    assert first.some_words == first.all_words == Count(conversations=700, messages=700)
    assert (first.notices, len(last.hits), last.next_offset) == ((), 10, None)


@pytest.mark.parametrize("unit", SearchUnit)
def test_pages_neither_repeat_nor_skip(tmp_path: Path, unit: SearchUnit) -> None:
    many = [a_talk(f"s{number:02}", "the tariff", "a tariff") for number in range(30)]
    write(tmp_path, *many)
    with synced(tmp_path) as archive:
        whole = archive.search("tariff", mode=Mode.WORDS, unit=unit, limit=100).hits
        paged = [
            hit
            for offset in range(0, len(whole), 7)
            for hit in archive.search(
                "tariff", mode=Mode.WORDS, unit=unit, limit=7, offset=offset
            ).hits
        ]

    assert [hit.citation for hit in paged] == [hit.citation for hit in whole]
    assert len({hit.citation for hit in whole}) == len(whole)


def test_newer_messages_come_first_where_one_wants_that(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_talk("old", "the harbour tariff rose"),
        a_talk("new", "we spoke of a tariff for the harbour", minute=400 * 24 * 60),
    )
    found = {}
    for recency in (0.0, 9.0):
        chosen = RankingChoice(recency=recency, half_life_days=30)
        with an_archive(tmp_path, ranking=chosen) as archive:
            archive.sync()
            page = archive.search("harbour tariff", mode=Mode.WORDS, explain=True)
        found[recency] = (sessions(page), page.hits[0].made_of[0].feature)

    assert found[0.0][0] == ["old", "new"]
    assert found[9.0] == (["new", "old"], "recent")


def test_tools_come_first_where_one_wants_that(tmp_path: Path) -> None:
    tool = {"role": "tool", "content": "harbour tariff"}
    write(tmp_path, a_talk("both", "harbour tariff", *FILLER[:3], tool, *FILLER[3:]))
    with an_archive(tmp_path, ranking=RankingChoice(tools=5)) as archive:
        archive.sync()
        page = archive.search("harbour tariff", unit=SearchUnit.MESSAGE)

    assert page.hits[0].role is Role.TOOL
