"""A person may name any folder as a place: no search waits for the walk through it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.builders import a_transcript, archive_in, claude_file, later, put
from tests.ingest.scripted import Scripted

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Unit
from quoth.sources import OutOfTimeError, check_time, looking_until
from quoth.sources._files import files_under
from quoth.sources.claude_code import ClaudeCode
from quoth.sources.specstory import SpecStory


class Endless(Scripted):
    """Has a place with more folders than anybody can walk through."""

    name = "endless"

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        while any(root.name == "endless" for root in roots):
            check_time()
        return iter(())


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    put(claude_file(tmp_path), a_transcript("hoist the jib"))
    return Archive(
        archive_in(tmp_path),
        roots={
            "claude_code": [tmp_path / "projects"],
            "endless": [tmp_path / "endless"],
        },
        sources=[ClaudeCode(), Endless()],
        embedder=HashEmbedder(),
        clock=later,
    )


def test_a_short_sync_ends_although_the_look_would_not(archive: Archive) -> None:
    report = archive.refresh(budget_s=0.01)

    assert report is not None
    assert (report.units, report.messages_new) == (0, 0)


def test_a_search_says_that_it_did_not_look_everywhere(
    tmp_path: Path, archive: Archive
) -> None:
    archive.sync([claude_file(tmp_path).parent])

    page = archive.search("jib")

    assert len(page.hits) == 1
    assert (page.freshness.complete, page.freshness.changed_files) == (False, 0)


@pytest.mark.parametrize("inside", ["", "code/deep/inside"])
def test_a_walk_stops_when_its_time_is_over(tmp_path: Path, inside: str) -> None:
    (tmp_path / inside).mkdir(parents=True, exist_ok=True)

    with looking_until(time.monotonic() - 1), pytest.raises(OutOfTimeError):
        list(files_under([tmp_path], wanted=lambda _: True))
    with looking_until(time.monotonic() - 1), pytest.raises(OutOfTimeError):
        list(SpecStory().discover([tmp_path]))


def test_without_a_deadline_a_walk_goes_to_its_end(tmp_path: Path) -> None:
    with looking_until(time.monotonic() - 1):
        pass

    assert list(files_under([tmp_path], wanted=lambda _: True)) == []
