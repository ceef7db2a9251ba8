"""Filters apply before anything is counted, ranked or cut."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from tests.builders import claude_file, put, synced
from tests.retrieval.builders import a_talk, answer, at, key, sessions, texts, write
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.errors import NotRecordedError, UsageError
from quoth.model import (
    Count,
    EmptyReason,
    Filters,
    Include,
    Mode,
    Role,
    SearchUnit,
    Withheld,
)

PARENT = "00000000-0000-4000-8000-0000000000aa"
RESUMED = "00000000-0000-4000-8000-0000000000bb"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    folder = tmp_path_factory.mktemp("library")
    write(
        folder,
        a_talk("first", {"content": "needle one", "cwd": "/home/dev/Harbor"}),
        a_talk("second", "needle two", answer("a needle, answered"), minute=10),
        a_talk("third", {"content": "needle three", "timestamp": None}, minute=20),
    )
    put(
        claude_file(folder, PARENT),
        claude.lines(claude.said("m1", "needle four", timestamp=at(30).isoformat())),
    )
    return synced(folder)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(role=Role.ASSISTANT), {"a needle, answered"}),
        (Filters(role=Role.TOOL), set()),
        (Filters(since=at(10)), {"needle two", "a needle, answered", "needle four"}),
        (Filters(since=at(10), until=at(11)), {"needle two"}),
        (Filters(until=at(0)), set()),
        (Filters(since=at(0), until=at(0) + timedelta(seconds=1)), {"needle one"}),
        (Filters(source="Claude_Code"), {"needle four"}),
        (Filters(source="codex"), set()),
        (Filters(repo="harbor"), {"needle one", "needle four"}),
        (Filters(repo="dev/harbor"), {"needle one", "needle four"}),
        (Filters(repo="harb"), set()),
        (Filters(within=key("second")), {"needle two", "a needle, answered"}),
        (
            Filters(exclude=(key("second"), f"claude_code:{PARENT}")),
            {"needle one", "needle three"},
        ),
        (Filters(within=key("first"), role=Role.ASSISTANT), set()),
    ],
)
def test_a_filter_leaves_what_it_names(
    library: Archive, filters: Filters, found: set[str], mode: Mode
) -> None:
    page = library.search(
        "needle", mode=mode, filters=filters, unit=SearchUnit.MESSAGE, limit=20
    )

    if mode is Mode.MEANING:  # a text of two words has no vector
        assert set(texts(page)) <= found
    else:
        assert set(texts(page)) == found


@pytest.mark.parametrize("mode", Mode)
def test_a_filter_that_leaves_nothing_says_that_nothing_is_recorded(
    library: Archive, mode: Mode
) -> None:
    page = library.search("needle", mode=mode, filters=Filters(source="codex"))

    assert (page.empty_reason, page.recorded) == (
        EmptyReason.NOTHING_RECORDED,
        Count(),
    )


def test_a_source_that_there_is_not_is_wrong_usage(library: Archive) -> None:
    with pytest.raises(UsageError, match="no source 'nobody'") as caught:
        library.search("needle", filters=Filters(source="nobody"))

    assert "claude_code, claude_prompts, codex, " in str(caught.value.hint)


def test_a_conversation_that_is_not_there_is_an_error(library: Archive) -> None:
    with pytest.raises(NotRecordedError) as caught:
        library.search("needle", filters=Filters(within="generic:\udcff"))

    assert caught.value.hint is not None


def test_the_archive_answers_after_that_error(library: Archive) -> None:
    with pytest.raises(NotRecordedError):
        library.search("needle", filters=Filters(within=key("nobody's")))

    assert len(library.search("needle").hits) == 4


def a_session_with_a_subagent(folder: Path) -> Archive:
    file = put(
        claude_file(folder, PARENT),
        claude.lines(claude.said("p1", "needle of the parent", sessionId=PARENT)),
    )
    put(
        file.with_suffix("") / "subagents" / "agent-a1.jsonl",
        claude.lines(
            claude.said(
                "s1",
                "needle of the subagent",
                sessionId=PARENT,
                isSidechain=True,
                agentId="a1",
            )
        ),
    )
    return synced(folder)


@pytest.mark.parametrize(
    ("whose", "found"),
    [
        ("", ["needle of the parent", "needle of the subagent"]),
        ("/agent-a1", ["needle of the subagent"]),
    ],
)
def test_within_a_conversation_is_with_its_subagents(
    tmp_path: Path, whose: str, found: list[str]
) -> None:
    archive = a_session_with_a_subagent(tmp_path)
    filters = Filters(within=f"claude_code:{PARENT}{whose}")

    page = archive.search("needle", mode=Mode.WORDS, filters=filters)

    assert sorted(texts(page)) == found


@pytest.mark.parametrize(
    ("whose", "found"), [("", []), ("/agent-a1", ["needle of the parent"])]
)
def test_to_exclude_a_subagent_leaves_its_parent(
    tmp_path: Path, whose: str, found: list[str]
) -> None:
    archive = a_session_with_a_subagent(tmp_path)
    filters = Filters(exclude=(f"claude_code:{PARENT}{whose}",))

    page = archive.search("needle", mode=Mode.WORDS, filters=filters)

    assert texts(page) == found


# Superseded


def a_rewritten_talk(folder: Path) -> Archive:
    """The person's second prompt is gone from the file when it is read again."""
    write(folder, a_talk("s", "needle stays", "needle goes away for good"))
    synced(folder).close()
    write(folder, a_talk("s", "needle stays"))
    return synced(folder)


def test_what_was_rewritten_is_withheld_and_counted(tmp_path: Path) -> None:
    archive = a_rewritten_talk(tmp_path)

    page = archive.search("needle")

    assert (texts(page), page.some_words.messages, page.withheld) == (
        ["needle stays"],
        1,
        (Withheld(reason="superseded", messages=1, hint="--include superseded"),),
    )


@pytest.mark.parametrize("mode", [Mode.WORDS, Mode.BOTH])
def test_what_was_rewritten_is_shown_on_request(tmp_path: Path, mode: Mode) -> None:
    archive = a_rewritten_talk(tmp_path)

    page = archive.search(
        "needle",
        mode=mode,
        unit=SearchUnit.MESSAGE,
        filters=Filters(include=frozenset({Include.SUPERSEDED})),
    )

    assert sorted((hit.text, hit.superseded) for hit in page.hits) == [
        ("needle goes away for good", True),
        ("needle stays", False),
    ]
    assert (page.recorded.messages, page.withheld) == (2, ())


def test_a_phrase_withholds_only_what_holds_it_word_for_word(tmp_path: Path) -> None:
    write(tmp_path, a_talk("s", "stays", "the test lives here", "the tests live here"))
    synced(tmp_path).close()
    write(tmp_path, a_talk("s", "stays"))

    page = synced(tmp_path).search('"tests live"')

    assert [one.messages for one in page.withheld] == [1]


def test_within_a_copy_its_own_superseded_messages_are_withheld(
    tmp_path: Path,
) -> None:
    """The message lives on in the original, but no more in the copy asked about."""

    def copy(*uuids: str) -> bytes:
        return claude.lines(
            *(
                claude.said(uuid, f"needle of {uuid}", sessionId=RESUMED)
                for uuid in uuids
            )
        )

    put(
        claude_file(tmp_path, PARENT),
        claude.lines(
            claude.said("m1", "needle of m1", sessionId=PARENT),
            claude.said("m2", "needle of m2", sessionId=PARENT),
        ),
    )
    put(claude_file(tmp_path, RESUMED), copy("m1", "m2"))
    synced(tmp_path).close()
    put(claude_file(tmp_path, RESUMED), copy("m1"))
    archive = synced(tmp_path)

    page = archive.search("needle", filters=Filters(within=f"claude_code:{RESUMED}"))

    assert (texts(page), [one.messages for one in page.withheld]) == (
        ["needle of m1"],
        [1],
    )


def test_a_title_counts_in_a_narrow_scope_for_its_first_prompt_there(
    tmp_path: Path,
) -> None:
    talk = a_talk("s", "early", "later", answer("reply"))
    write(tmp_path, [{"id": "s", "title": "Needlework", "messages": talk}])
    archive = synced(tmp_path)

    found = [
        sessions(archive.search("needlework", mode=Mode.WORDS, filters=filters))
        + texts(archive.search("needlework", mode=Mode.WORDS, filters=filters))
        for filters in (Filters(since=at(1)), Filters(role=Role.ASSISTANT))
    ]

    assert found == [["s", "later"], []]
