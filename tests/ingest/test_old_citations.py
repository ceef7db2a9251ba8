"""A citation that was made under earlier rules stays one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    change,
    citations,
    claude_file,
    put,
    synced,
)
from tests.ingest.leaky import OWN, a_leaky_history

from quoth import Archive
from quoth.ingest import verify
from quoth.model import Outcome
from quoth.redaction import RULES_VERSION
from quoth.store import ArchiveReader


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """Return an archive with keys in it, by the rules that are to hide them."""
    a_leaky_history(tmp_path)
    synced(tmp_path).close()
    with an_archive(tmp_path, patterns=OWN) as archive:
        yield archive


def outcomes(archive: Archive, cited: list[str]) -> dict[str, list[Outcome]]:
    """Return what becomes of citations, by the detail."""
    met: dict[str, list[Outcome]] = {}
    for citation in cited:
        verdict = archive.verify(citation)
        met.setdefault(verdict.detail, []).append(verdict.outcome)
    return met


def test_old_citations_keep_verifying(tmp_path: Path, archive: Archive) -> None:
    with an_archive(tmp_path) as before:
        cited = citations(before, everything=True)
    assert len(cited) == 15

    archive.sync()

    assert outcomes(archive, cited) == {
        "The source says exactly this.": [Outcome.VERIFIED] * 3,
        "The source says exactly this."
        " It was cited under earlier rules; today's hide more of it.": (
            [Outcome.VERIFIED] * 12
        ),
    }


def test_a_citation_of_an_earlier_version_is_one_of_what_did_not_change(
    tmp_path: Path,
) -> None:
    """With each version every hash is another, and most quotations are the same."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    archive = synced(tmp_path)
    cited = citations(archive)
    reader = ArchiveReader(archive.home)

    verdicts = [
        verify(reader, each, archive.installed.sources, rules_version=RULES_VERSION + 1)
        for each in cited
    ]

    reader.close()
    assert [(verdict.outcome, verdict.detail) for verdict in verdicts] == [
        (Outcome.VERIFIED, "The source says exactly this.")
    ] * 2


def test_citations_from_between_keep_verifying(archive: Archive) -> None:
    """The rules were newer already, and the sync had not come."""
    cited = citations(archive, everything=True)

    archive.sync()

    assert citations(archive, everything=True) == cited
    assert outcomes(archive, cited) == {
        "The source says exactly this.": [Outcome.VERIFIED] * 15
    }


def test_old_citations_are_checked_before_the_sync_too(
    tmp_path: Path, archive: Archive
) -> None:
    with an_archive(tmp_path) as before:
        cited = citations(before, everything=True)

    verdicts = {archive.verify(citation).outcome for citation in cited}

    assert verdicts == {Outcome.VERIFIED}


def test_an_old_citation_whose_source_is_gone_is_checked_with_the_archive(
    tmp_path: Path, archive: Archive
) -> None:
    with an_archive(tmp_path) as before:
        cited = citations(before)[0]
    archive.sync()
    claude_file(tmp_path).unlink()

    verdict = archive.verify(cited)

    assert verdict.outcome is Outcome.ARCHIVE_ONLY
    assert verdict.detail == (
        "The source is gone; the archive holds exactly this."
        " It was cited under earlier rules; today's hide more of it."
    )


def test_an_old_citation_of_what_was_edited_since_is_not_verified(
    tmp_path: Path, archive: Archive
) -> None:
    with an_archive(tmp_path) as before:
        cited = citations(before)[1]
    archive.sync()
    path = claude_file(tmp_path)
    put(path, path.read_bytes().replace(b"harbour master", b"harbour keeper"))

    assert archive.verify(cited).outcome is Outcome.CHANGED


def test_an_old_citation_vouches_for_no_archive_that_was_altered(
    tmp_path: Path, archive: Archive
) -> None:
    with an_archive(tmp_path) as before:
        cited = citations(before)[1]
    archive.sync()
    change(archive.home, "UPDATE body SET text = 'never said' WHERE id = 2")
    claude_file(tmp_path).unlink()

    assert archive.verify(cited).outcome is Outcome.NEVER_SAID


def test_a_citation_outlives_two_changes_of_the_rules(
    tmp_path: Path, archive: Archive
) -> None:
    with an_archive(tmp_path) as before:
        first = citations(before)
    archive.sync()
    second = citations(archive)
    more = {**OWN, "master": "harbour master"}
    with an_archive(tmp_path, patterns=more) as newest:
        newest.sync()

        verdicts = {newest.verify(each).outcome for each in (*first, *second)}

    assert verdicts == {Outcome.VERIFIED}


def test_a_wrong_hash_is_still_none(archive: Archive) -> None:
    archive.sync()

    verdict = archive.verify(f"{KEY}#1@000000000000")

    assert verdict.outcome is Outcome.NEVER_SAID
