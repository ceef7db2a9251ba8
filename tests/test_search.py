"""Searching through the front door: what a page says when there is nothing to show."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from tests.builders import an_archive, synced
from tests.retrieval.builders import START, a_talk, answer, at, key, sessions, write

import quoth
from quoth import Archive
from quoth.errors import UsageError
from quoth.model import (
    Count,
    EmptyReason,
    Filters,
    FoundIn,
    Hit,
    Kind,
    Mode,
    Page,
    Role,
    SearchUnit,
)


@pytest.fixture
def library(tmp_path: Path) -> Archive:
    write(
        tmp_path,
        a_talk(
            "vesting",
            {"content": "what about the vesting schedule?", "cwd": "/home/dev/desk"},
            answer("Four years with a cliff, then monthly vesting.", model="m-1"),
        ),
        a_talk("lunch", "where do we eat", minute=30),
    )
    return synced(tmp_path)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("question", "filters", "reason"),
    [
        ("?!", Filters(), EmptyReason.NO_TERMS),
        ("", Filters(), EmptyReason.NO_TERMS),
        ("zzyzx", Filters(), EmptyReason.NO_MATCH),
        ("vesting", Filters(source="codex"), EmptyReason.NOTHING_RECORDED),
        ("?!", Filters(source="codex"), EmptyReason.NOTHING_RECORDED),
    ],
)
def test_an_empty_page_says_which_of_three_reasons_it_has(
    library: Archive,
    question: str,
    filters: Filters,
    reason: EmptyReason,
    mode: Mode,
) -> None:
    page = library.search(question, mode=mode, filters=filters)

    assert (page.hits, page.empty_reason, page.next_offset) == ((), reason, None)


def test_without_an_archive_nothing_is_recorded_and_nothing_is_made(
    tmp_path: Path,
) -> None:
    page = an_archive(tmp_path).search("vesting", filters=Filters(within="generic:s"))

    assert (page.empty_reason, page.recorded, list(tmp_path.iterdir())) == (
        EmptyReason.NOTHING_RECORDED,
        Count(),
        [],
    )


def test_an_archive_without_a_message_has_nothing_recorded(tmp_path: Path) -> None:
    page = synced(tmp_path).search("vesting")

    assert (page.empty_reason, page.notices) == (EmptyReason.NOTHING_RECORDED, ())


@pytest.mark.parametrize(
    "bounds", [{"limit": 0}, {"limit": -1}, {"offset": -1}], ids=str
)
def test_a_page_of_no_size_or_place_is_refused(
    library: Archive, bounds: dict[str, int]
) -> None:
    with pytest.raises(UsageError):
        library.search("vesting", **bounds)  # type: ignore[arg-type] # as a person may


def test_a_page_beyond_the_last_is_empty_and_has_no_reason(library: Archive) -> None:
    page = library.search("vesting", offset=50)

    assert (page.hits, page.empty_reason, page.next_offset) == ((), None, None)


def test_a_hit_says_all_there_is_to_say(library: Archive) -> None:
    (hit,) = library.search("cliff", mode=Mode.WORDS).hits

    assert hit == Hit(
        conversation=key("vesting"),
        parent=None,
        kind=Kind.MAIN,
        title="what about the vesting schedule?",
        source="generic",
        repo="/home/dev/desk",
        model="m-1",
        started_at=START,
        seq=2,
        role=Role.ASSISTANT,
        at=at(1),
        snippet="Four years with a cliff, then monthly vesting.",
        marks=((18, 23),),
        found_in=FoundIn.TEXT,
        text="Four years with a cliff, then monthly vesting.",
        matched_by=("words",),
        score=hit.score,
        others=0,
        citation=hit.citation,
    )


def test_a_hit_can_be_cited_and_verified(library: Archive) -> None:
    (hit,) = library.search("cliff").hits

    assert library.verify(hit.citation).citation == hit.citation


def test_a_page_counts_everything_it_is_made_of(library: Archive) -> None:
    page = library.search("vesting cliff", mode=Mode.WORDS)

    expected = {
        "question": "vesting cliff",
        "terms": ("vesting", "cliff"),
        "filters": Filters(),
        "unit": SearchUnit.CONVERSATION,
        "mode": Mode.WORDS,
        "shown": Count(conversations=1, messages=1),
        "all_words": Count(conversations=1, messages=1),
        "some_words": Count(conversations=1, messages=2),
        "by_meaning_only": 0,
        "recorded": Count(conversations=2, messages=3),
        "embedded": 2,
        "meaning_off": None,
        "dates": (),
        "from_then": 0,
        "respelled": (),
        "withheld": (),
        "empty_reason": None,
        "notices": (),
        "next_offset": None,
    }
    assert {name: getattr(page, name) for name in expected} == expected
    assert {field.name for field in fields(Page)} - expected.keys() == {
        "freshness",
        "took_ms",
        "hits",
    }


def test_a_message_in_both_rankings_says_so(library: Archive) -> None:
    page = library.search("four years with a cliff, then monthly vesting")

    assert page.hits[0].matched_by == ("words", "meaning")


def test_a_question_that_was_cut_says_so(library: Archive) -> None:
    page = library.search(" ".join(f"word{number}" for number in range(70)))

    assert page.notices == ("The question was cut: 6 more words were left out.",)


def test_a_search_changes_no_file(library: Archive, tmp_path: Path) -> None:
    def state() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_mtime_ns, path.stat().st_size)
            for path in tmp_path.rglob("*")
            if path.is_file() and path.suffix not in (".db-wal", ".db-shm")
        }

    before = state()
    library.search("vesting")

    assert state() == before


def test_the_default_embedder_answers_in_other_words(tmp_path: Path) -> None:
    write(tmp_path, a_talk("s", answer("We settled on the cheapest mortgage rate.")))
    with quoth.open_archive(
        tmp_path / "home", roots={"generic": [tmp_path]}
    ) as archive:
        archive.sync()
        page = archive.search("home loan interest")

    assert sessions(page) == ["s"]


def test_what_could_not_be_read_is_said_beside_every_answer(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    whole = '{"role": "user", "content": "the capstan turns"}\n'
    (folder / "a.jsonl").write_text(whole + "no JSON\n" + "[]\n", encoding="utf-8")
    (folder / "b.jsonl").symlink_to(folder / "a.jsonl")
    roots = {"generic": [folder]}

    with quoth.open_archive(tmp_path / "home", roots=roots) as archive:
        archive.sync()
        page = archive.search("capstan")

    assert page.notices == (
        "Not read, so not searched: 2 records and 1 file (quoth status).",
    )
