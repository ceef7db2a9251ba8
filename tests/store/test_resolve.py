"""Keys as a person types them: the beginning is enough when it is the only one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import SESSION, a_transcript, claude_file, put, synced
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.errors import NotRecordedError
from quoth.model import Filters

FIRST = "0fae0449-0000-4000-8000-000000000001"
SECOND = "0fae0450-0000-4000-8000-000000000002"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    for number, name in enumerate((FIRST, SECOND)):
        turns = a_transcript("a question", "an answer", ids=f"{number}-")
        own = turns.replace(SESSION.encode(), name.encode())
        put(claude_file(tmp_path, name), own)
    agent = claude.said("s1", "survey", isSidechain=True, agentId="a1", sessionId=FIRST)
    put(claude_file(tmp_path, f"{FIRST}/subagents/agent-a1"), claude.lines(agent))
    with synced(tmp_path) as archive:
        yield archive


def found(archive: Archive, filters: Filters) -> set[str]:
    return {hit.conversation for hit in archive.search("answer", filters=filters).hits}


def test_the_beginning_of_one_key_shows_that_conversation(archive: Archive) -> None:
    shown = archive.show("claude_code:0fae0449", seq=2)

    assert shown.key == f"claude_code:{FIRST}"
    assert shown.messages[0].citation.startswith(f"claude_code:{FIRST}#2@")


def test_the_whole_id_an_assistant_gave_a_conversation_is_enough(
    archive: Archive,
) -> None:
    """It is what the assistant's own commands print, and the name of its file."""
    assert archive.show(FIRST, seq=2).key == f"claude_code:{FIRST}"


def test_the_beginning_of_a_subagents_key_shows_the_subagent(archive: Archive) -> None:
    assert archive.show(f"claude_code:{FIRST}/agent").key.endswith("agent-a1")


def test_a_search_can_stay_within_or_leave_out_by_the_beginning(
    archive: Archive,
) -> None:
    key = "claude_code:0fae0449"

    assert found(archive, Filters(within=key)) == {f"claude_code:{FIRST}"}
    assert found(archive, Filters(exclude=(key,))) == {f"claude_code:{SECOND}"}


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("claude_code:0fae", "2 conversations have a key that begins with"),
        ("claude_code:0fa", "is too short to tell which conversation is meant"),
        ("claude_code:", "There is no conversation"),
        ("0fae0449", "There is no conversation"),
        (f"{FIRST}x", "There is no conversation"),
        ("claude_code:0fae0449x", "There is no conversation"),
        ("codex:0fae0449", "There is no conversation"),
        ("claude_code:\udcff\udcff\udcff\udcff", "There is no conversation"),
    ],
)
def test_what_names_none_or_several_is_an_error(
    archive: Archive, key: str, complaint: str
) -> None:
    for filters in (Filters(within=key), Filters(exclude=(key,))):
        with pytest.raises(NotRecordedError, match=complaint):
            archive.search("answer", filters=filters)
    with pytest.raises(NotRecordedError, match=complaint):
        archive.show(key)
