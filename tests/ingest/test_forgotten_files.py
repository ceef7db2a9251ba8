"""Files of what was forgotten: changing, half read, or not to be opened."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    later,
    put,
    synced,
    texts,
)
from tests.ingest.forgetting import (
    CANARY,
    OTHER,
    a_forgetful_archive,
    a_secret,
    another,
    assert_gone,
    forget,
    of_source,
    recorded,
    said,
)
from tests.ingest.scripted import Scripted, Step, lay_down
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import (
    Append,
    Replace,
)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive in which one conversation of two was forgotten."""
    return a_forgetful_archive(tmp_path)


def test_a_list_of_prompts_of_many_sessions_is_not_read_anew_for_one(
    tmp_path: Path,
) -> None:
    """Each prompt a person types makes it grow; whole, it may be ten thousand."""

    def prompt(session: str, text: str, minute: int) -> bytes:
        at = 1_770_000_000_000 + minute * 60_000
        told = {"display": text, "timestamp": at, "sessionId": session}
        return json.dumps(told).encode() + b"\n"

    listed = put(
        tmp_path / "history.jsonl",
        prompt("one", f"{CANARY} first", 1) + prompt("two", "stays", 2) * 50,
    )
    archive = Archive(
        archive_in(tmp_path),
        roots={"claude_prompts": [listed]},
        embedder=HashEmbedder(),
        clock=later,
    )
    archive.sync()
    forget(archive, "claude_prompts:one")
    more = prompt("one", f"{CANARY} again", 3) + prompt("two", "as well", 4)
    put(listed, listed.read_bytes() + more)
    archive.sync()

    put(listed, listed.read_bytes() + more)
    report = archive.sync()

    assert (report.bytes_read, report.kept_out) == (len(more), 1)
    assert texts(archive, "claude_prompts:two") == ["stays", "as well"]
    assert_gone(archive)


def test_a_file_that_may_still_change_is_looked_at_again(tmp_path: Path) -> None:
    a_secret(tmp_path)
    synced(tmp_path).close()
    forget(an_archive(tmp_path), KEY)
    file = a_secret(tmp_path, f"And more of {CANARY}")
    changed = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    archive = an_archive(tmp_path, clock=lambda: changed)

    assert [archive.sync().kept_out for _ in range(2)] == [3, 3]
    assert an_archive(tmp_path).sync().kept_out == 3
    assert an_archive(tmp_path).sync().units_read == 0
    assert_gone(archive)


def test_a_file_that_was_read_halfway_goes_too(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    half: list[Step] = [
        Replace(records=(said("1", CANARY),)),
        Append(records=(said("2", "x"),)),
    ]
    lay_down(tmp_path, source, half, half)
    archive.sync(budget_s=0)
    assert recorded(archive) == ["scripted:c"]

    forget(archive, "scripted:c")

    assert archive.sync().kept_out == 2
    assert_gone(archive)


def test_a_file_that_cannot_be_opened_any_more_is_not_remembered_by_name(
    archive: Archive, tmp_path: Path
) -> None:
    file = claude_file(tmp_path)
    file.unlink()
    os.mkfifo(file)

    report = archive.sync()

    assert [each.path for each in report.failed] == [file]
    assert archive.status().failed == ()


def test_a_file_that_could_not_be_opened_before_is_forgotten_by_name(
    archive: Archive, tmp_path: Path
) -> None:
    content = claude_file(tmp_path).read_bytes()
    file = claude_file(tmp_path, CANARY)
    os.mkfifo(file)
    archive.sync()
    assert [each.path for each in archive.status().failed] == [file]

    file.unlink()
    put(file, content)

    assert archive.sync().kept_out == 2
    assert_gone(archive)


SUMMARY = {"type": "summary", "summary": f"All of {CANARY}", "leafUuid": "m2"}
"""Claude Code writes such lines into files of other sessions, two of three times."""


def test_what_another_file_calls_it_goes_too(tmp_path: Path) -> None:
    """It waits there for a message that is in no such file."""
    a_secret(tmp_path)
    file = another(tmp_path)
    put(file, claude.lines(SUMMARY) + file.read_bytes())
    put(claude_file(tmp_path, "empty"), claude.lines(SUMMARY))
    archive = synced(tmp_path)

    forget(archive, KEY)

    assert_gone(archive)
    with file.open("ab") as more:
        more.write(a_transcript("and more", ids="x"))
    archive.sync()
    assert texts(archive, f"claude_code:{OTHER}") == [
        *("other work stays", "so it does", "and more")
    ]
    assert_gone(archive)
    assert archive.sync().units_read == 0


def test_what_a_file_calls_it_later_is_not_remembered(
    archive: Archive, tmp_path: Path
) -> None:
    put(claude_file(tmp_path, "empty"), claude.lines(SUMMARY))

    archive.sync()

    assert_gone(archive)
    assert archive.sync().units_read == 0


def test_what_a_file_calls_it_is_read_when_that_is_taken_back(
    archive: Archive, tmp_path: Path
) -> None:
    file = claude_file(tmp_path)
    put(file, claude.lines(SUMMARY))
    archive.sync()
    archive.undo_forget(1)

    with file.open("ab") as more:
        more.write(a_transcript("first", "second"))
    archive.sync()

    assert archive.show(KEY).title == f"All of {CANARY}"
