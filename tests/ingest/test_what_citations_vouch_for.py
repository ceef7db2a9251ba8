"""A citation vouches for all that a message says and does, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    archive_in,
    citations,
    claude_file,
    put,
    synced,
)
from tests.sources.claude_records import answered, lines, said, tool_use

from quoth import Archive
from quoth.model import Outcome


def ran(command: str) -> bytes:
    """Return a session in which the assistant runs a command and says nothing."""
    return lines(
        said("u1", "clean up, please"),
        answered("a1", tool_use("Bash", command=command), parentUuid="u1"),
    )


def thought(what: str) -> bytes:
    """Return a session in which the assistant thinks and says nothing."""
    block = {"type": "thinking", "thinking": what, "signature": "s"}
    return lines(said("u1", "well?"), answered("a1", block, parentUuid="u1"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ran("ls build/outputs"), ran("rm -rf build/outputs")),
        (thought("first this, then that"), thought("first that, then this one")),
    ],
)
def test_a_step_without_words_that_was_rewritten_is_not_verified(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    put(claude_file(tmp_path), before)
    archive = synced(tmp_path)
    cited = citations(archive)[1]

    put(claude_file(tmp_path), after)

    assert archive.verify(cited).outcome is Outcome.CHANGED


def test_two_steps_without_words_have_citations_of_their_own(tmp_path: Path) -> None:
    put(
        claude_file(tmp_path),
        lines(
            said("u1", "clean up, please"),
            answered("a1", tool_use("Bash", command="ls"), parentUuid="u1"),
            answered("a2", tool_use("Bash", command="pwd"), parentUuid="a1"),
        ),
    )

    hashes = [each.rpartition("@")[2] for each in citations(synced(tmp_path))]

    assert len(set(hashes)) == 3


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    with synced(tmp_path) as archive:
        yield archive


def test_a_citation_with_a_wrong_digit_was_never_said(archive: Archive) -> None:
    verdict = archive.verify(f"{KEY}#1@000000000000")

    assert verdict.outcome is Outcome.NEVER_SAID


def test_a_source_that_is_no_file_any_more_cannot_be_read(
    tmp_path: Path, archive: Archive
) -> None:
    cited = citations(archive)[0]
    claude_file(tmp_path).unlink()
    claude_file(tmp_path).mkdir()

    verdict = archive.verify(cited)

    assert verdict.outcome is Outcome.ARCHIVE_ONLY
    assert verdict.detail.startswith("The source can't be read (")


def test_a_place_that_can_not_be_reached_is_named_with_the_status(
    tmp_path: Path, archive: Archive
) -> None:
    (tmp_path / "projects").rename(tmp_path / "elsewhere")

    assert archive.status().freshness.unavailable == (tmp_path / "projects",)


def test_a_place_that_was_never_there_is_not_missed(archive: Archive) -> None:
    assert archive.status().freshness.unavailable == ()


def test_a_failure_that_nobody_looks_for_any_more_is_forgotten(
    tmp_path: Path,
) -> None:
    odd = claude_file(tmp_path, "11111111-0000-4000-8000-000000000000")
    odd.parent.mkdir(parents=True)
    odd.mkdir()
    link = claude_file(tmp_path, "22222222-0000-4000-8000-000000000000")
    link.symlink_to(tmp_path / "nowhere")
    archive = synced(tmp_path)
    failed = [unit.path for unit in archive.status().failed]

    link.unlink()
    archive.sync()

    assert (failed, archive.status().failed) == ([link], ())
    assert archive_in(tmp_path).exists()
