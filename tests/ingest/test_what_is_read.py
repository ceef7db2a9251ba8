"""Which files a sync opens, which it believes gone, and what it says of the others."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.builders import (
    SESSION,
    a_transcript,
    an_archive,
    claude_file,
    later,
    put,
)
from tests.retrieval.builders import a_talk
from tests.sources import claude_records as claude


@pytest.mark.parametrize(("looked", "read_again"), [("at once", 1), ("later", 0)])
def test_a_file_is_looked_at_again_while_its_clock_may_stand_still(
    tmp_path: Path, looked: str, read_again: int
) -> None:
    """It may have changed within the tick of the last look, under the same stamp."""
    path = put(claude_file(tmp_path), a_transcript("one question"))
    changed = datetime.fromtimestamp(path.stat().st_ctime, UTC)
    clock = later if looked == "later" else lambda: changed
    archive = an_archive(tmp_path, clock=clock)
    archive.sync()

    assert archive.sync().units_read == read_again


def test_a_folder_does_not_answer_for_one_whose_name_begins_like_it(
    tmp_path: Path,
) -> None:
    folder, other = tmp_path / "talks", tmp_path / "talks-of-old"
    put(folder / f"{SESSION}.jsonl", a_transcript("a question"))
    removed = put(
        other / f"{SESSION[:-1]}b.jsonl", a_transcript("an old question", ids="n")
    )
    archive = an_archive(tmp_path)
    archive.sync([folder])
    archive.sync([other])
    removed.unlink()

    report = archive.sync([folder])

    assert (report.newly_gone, report.unavailable) == (0, ())


def test_a_file_that_one_source_refused_and_another_reads_is_recognised(
    tmp_path: Path,
) -> None:
    path = put(tmp_path / "talk.jsonl", claude.lines(*a_talk("s", "hello")))

    report = an_archive(tmp_path).sync([path])

    assert (report.messages_new, report.unrecognised) == (1, ())


def test_a_named_file_that_cannot_be_opened_failed_and_is_not_unknown(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "talks"
    good = put(folder / f"{SESSION}.jsonl", a_transcript("one question"))
    link = folder / f"{SESSION[:-1]}b.jsonl"
    link.symlink_to(good)

    report = an_archive(tmp_path).sync([folder])

    assert ([unit.path for unit in report.failed], report.unrecognised) == ([link], ())
