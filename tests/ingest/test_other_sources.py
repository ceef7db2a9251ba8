"""Sources from outside quoth: the least a source has to tell is enough."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    citations,
    claude_file,
    later,
    put,
    rows,
)
from tests.ingest.scripted import Scripted, lay_down

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import (
    Append,
    Message,
    Outcome,
    Replace,
    Rewind,
    Role,
    Skipped,
    ToolCall,
    ToolResult,
    Usage,
)
from quoth.sources import Source
from quoth.sources.claude_code import ClaudeCode


@pytest.fixture
def source() -> Scripted:
    return Scripted()


@pytest.fixture
def archive(tmp_path: Path, source: Source) -> Archive:
    (tmp_path / "scripted").mkdir()
    return Archive(
        archive_in(tmp_path),
        roots={"scripted": [tmp_path / "scripted"]},
        sources=[source],
        embedder=HashEmbedder(),
        clock=later,
    )


def message(number: int, **fields: object) -> Message:
    given: dict[str, object] = {
        "role": Role.USER,
        "text": f"message {number}",
        **fields,
    }
    return Message(conversation="c", native_id=f"m{number}", **given)  # type: ignore[arg-type]


def shown(archive: Archive) -> list[str]:
    return [each.text for each in archive.show("scripted:c").messages]


def test_a_conversation_nothing_is_told_of_is_known_by_its_messages(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    lay_down(
        tmp_path,
        source,
        [Replace(records=(message(1),)), Append(records=(message(2),))],
        [Append(records=(message(3),))],
        [Replace(records=(message(1),)), Append(records=(message(3),))],
    )
    seen = []
    for _ in range(3):
        archive.sync()
        seen.append(shown(archive))
        assert_consistent(archive_in(tmp_path))

    assert seen == [
        ["message 1", "message 2"],
        ["message 1", "message 2", "message 3"],
        ["message 1", "message 3"],
    ]


def test_of_a_record_told_again_and_again_the_last_version_is_live(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    versions = [message(1, text=f"version {number}") for number in range(250)]
    other = message(2)
    lay_down(
        tmp_path,
        source,
        [
            Replace(records=(other, *versions[:200])),
            Append(records=(*versions[200:],)),
        ],
    )

    archive.sync()

    assert shown(archive) == ["message 2", "version 249"]
    assert_consistent(archive_in(tmp_path))


def test_a_conversation_may_go_on_in_a_second_file(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    lay_down(tmp_path, source, [Replace(records=(message(1),))], name="one")
    lay_down(tmp_path, source, [Replace(records=(message(2),))], name="two")

    archive.sync()

    assert shown(archive) == ["message 1", "message 2"]
    assert_consistent(archive_in(tmp_path))


def test_an_answer_may_be_read_before_its_call(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    """They are in two files, and the later one is read first."""
    answer = ToolResult(call_id="call", output="done", exit_code=0)
    lay_down(
        tmp_path,
        source,
        [Replace(records=(message(2, role=Role.TOOL, results=(answer,)),))],
        name="one",
    )
    call = ToolCall(call_id="call", name="run")
    lay_down(
        tmp_path,
        source,
        [Replace(records=(message(1, role=Role.ASSISTANT, calls=(call,)),))],
        name="two",
    )

    archive.sync()

    calls = [
        (call.name, call.output, call.exit_code)
        for each in archive.show("scripted:c").messages
        for call in each.calls
    ]
    assert calls == [("run", "done", 0)]
    assert_consistent(archive_in(tmp_path))


def test_going_back_to_a_message_that_nobody_knows_changes_nothing(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    rewind = Rewind(conversation="c", first="unknown")
    lay_down(tmp_path, source, [Replace(records=(message(1), rewind))])

    archive.sync()

    assert shown(archive) == ["message 1"]


def test_tokens_of_no_message_count_for_the_conversation(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    usage = Usage(conversation="c", call_id="call", input=7)
    lay_down(tmp_path, source, [Replace(records=(message(1),), usage=(usage, usage))])

    archive.sync()

    assert rows(
        archive_in(tmp_path),
        "SELECT key, message, input FROM usage"
        " JOIN conversation c ON c.id = conversation",
    ) == [("scripted:c", None, 7)]


def test_a_batch_that_cannot_be_stored_leaves_nothing_of_itself(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    """A fault of the source is a bug and keeps its traceback."""
    broken = message(3, text="a lone \ud83d surrogate")
    lay_down(
        tmp_path,
        source,
        [Replace(records=(message(1),)), Append(records=(message(2), broken))],
        [Append(records=(message(2), message(3)))],
    )

    with pytest.raises(UnicodeEncodeError):
        archive.sync()

    before = shown(archive)
    archive.sync()
    assert (before, shown(archive)) == (
        ["message 1"],
        ["message 1", "message 2", "message 3"],
    )
    assert_consistent(archive_in(tmp_path))


def test_a_source_that_is_no_longer_installed_leaves_the_archive(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    lay_down(tmp_path, source, [Replace(records=(message(1),))])
    archive.sync()

    without = Archive(archive_in(tmp_path), roots={}, sources=[])

    outcomes = [without.verify(each).outcome for each in citations(without)]
    assert outcomes == [Outcome.ARCHIVE_ONLY]


def test_a_path_belongs_to_the_first_source_that_finds_it(
    tmp_path: Path, source: Scripted
) -> None:
    other = Scripted()
    other.name = "other"
    (tmp_path / "scripted").mkdir()
    lay_down(tmp_path, source, [Replace(records=(message(1),))])
    other.readings = source.readings
    places = [tmp_path / "scripted"]
    archive = Archive(
        archive_in(tmp_path),
        roots={"scripted": places, "other": places},
        sources=[source, other],
        embedder=HashEmbedder(),
    )

    archive.sync()

    assert [each.source for each in archive.status().sources] == ["scripted"]


def test_what_is_skipped_after_the_last_batch_counts_as_well(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    before, after = (Skipped(offset=place, reason="torn") for place in (1, 2))
    lay_down(tmp_path, source, [before, Replace(records=(message(1),)), after])

    report = archive.sync()

    assert [each.reasons for each in report.skipped] == [{"torn": 2}]


def test_a_later_version_of_a_source_reads_everything_again(
    tmp_path: Path, source: Scripted, archive: Archive
) -> None:
    lay_down(
        tmp_path,
        source,
        [Replace(records=(message(1, text="as it was read"),))],
        [Replace(records=(message(1, text="as it is read now"),))],
    )
    archive.sync()
    before = citations(archive)

    source.parser_version = 2
    archive.sync()

    assert shown(archive) == ["as it is read now"]
    assert archive.verify(before[0]).citation == before[0]
    assert_consistent(archive_in(tmp_path))


def test_a_later_version_goes_on_from_no_checkpoint_of_an_earlier_one(
    tmp_path: Path,
) -> None:
    """Also where the file grew at the same time, so that the checkpoint would fit."""
    content, more = a_transcript("one", "two"), a_transcript("three", ids="n")
    path = put(claude_file(tmp_path), content)
    source = ClaudeCode()
    archive = an_archive(tmp_path, sources=(source,))
    archive.sync()
    put(path, content + more)

    source.parser_version += 1

    assert archive.sync().bytes_read == len(content + more)
