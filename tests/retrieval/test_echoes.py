"""A tool that searches transcripts writes into them: that is evidence of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import synced
from tests.retrieval.builders import Record, a_talk, answer, sessions, texts, write

from quoth import Archive
from quoth.model import Filters, Include, Mode, SearchUnit

ASKED = "what did we call the harbour?"


def a_recall(name: str, **given: str) -> list[Record]:
    """Return a call of a memory, and what it answered."""
    call = {"type": "tool_use", "id": "c1", "name": name, "input": given}
    found = {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": "harbour: 1. call it",
    }
    return [
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [found]},
    ]


@pytest.fixture(
    params=["mcp__recall__search", "mcp__quoth__search", "conversation_search"]
)
def library(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Archive]:
    recall = a_recall(request.param, query="call harbour")
    write(
        tmp_path,
        a_talk("asking", ASKED, *recall, answer("I could not find it.")),
        a_talk("deciding", "We call the harbour Ness from now on."),
    )
    with synced(tmp_path) as archive:
        yield archive


@pytest.mark.parametrize("mode", Mode)
def test_what_a_memory_was_asked_and_answered_is_not_found(
    library: Archive, mode: Mode
) -> None:
    page = library.search(ASKED, mode=mode, unit=SearchUnit.MESSAGE)

    assert not any("1. call it" in text for text in texts(page))
    assert not any(hit.found_in.value == "tool_input" for hit in page.hits)
    if mode is not Mode.MEANING:
        (held,) = page.withheld
        assert (held.reason, held.messages, held.hint) == (
            "echoes",
            2,
            "--include echoes",
        )


def test_without_the_conversation_that_asks_the_answer_is_first(
    library: Archive,
) -> None:
    page = library.search(ASKED, filters=Filters(exclude=("generic:asking",)))

    assert sessions(page)[0] == "deciding"


def test_echoes_are_found_on_request(library: Archive) -> None:
    page = library.search(
        "harbour",
        mode=Mode.WORDS,
        unit=SearchUnit.MESSAGE,
        filters=Filters(include=frozenset({Include.ECHOES})),
    )

    assert (len(page.hits), page.withheld) == (4, ())


def test_other_tools_are_no_echoes(tmp_path: Path) -> None:
    write(tmp_path, a_talk("s", "hello", *a_recall("Bash", command="grep harbour")))
    with synced(tmp_path) as archive:
        page = archive.search("harbour", mode=Mode.WORDS, unit=SearchUnit.MESSAGE)

    assert (len(page.hits), page.withheld) == (2, ())
