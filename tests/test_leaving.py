"""The front door's answers as they may leave this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import KEY, archive_in, claude_file, put
from tests.redaction.secrets_made_here import ISSUED
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import LeakError

TOKEN = ISSUED["github_token"][0]
OWN = "ACME-" + "Q7" * 12
PATTERNS = {"acme_key": "ACME-[A-Z0-9]{20,40}"}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """Return an archive with a conversation of somebody called babbage."""
    said = claude.said(
        "c1",
        f"use {OWN} and {TOKEN} for the difference engine of babbage",
        cwd="/home/babbage/engine",
    )
    answered = claude.answered("c2", "The capstan is ready.")
    put(claude_file(tmp_path), claude.lines(said, answered))
    with Archive(
        archive_in(tmp_path),
        roots={"claude_code": [tmp_path / "projects"]},
        embedder=HashEmbedder(),
        patterns=PATTERNS,
        environ={"USER": "adalove"},
    ) as archive:
        archive.sync()
        yield archive


def test_a_persons_own_pattern_is_never_stored(archive: Archive) -> None:
    message, _ = archive.show(KEY).messages

    assert message.text == (
        "use [REDACTED:acme_key] and [REDACTED:github_token]"
        " for the difference engine of babbage"
    )


def test_names_are_learned_from_the_environment_and_what_is_recorded(
    archive: Archive,
) -> None:
    assert {"adalove", "babbage"} <= set(archive.names().users)


def test_names_are_learned_where_there_is_no_archive(tmp_path: Path) -> None:
    nothing = Archive(tmp_path / "none", roots={}, environ={"USER": "adalove"})

    assert "adalove" in nothing.names().users


def test_a_text_is_redacted_with_names_or_without(archive: Archive) -> None:
    text = f"{OWN} {TOKEN} of babbage"

    everything, _ = archive.redact(text)
    secrets, counts = archive.redact(text, identity=False)

    assert "babbage" not in everything
    assert secrets == "[REDACTED:acme_key] [REDACTED:github_token] of babbage"
    assert counts == {"acme_key": 1, "github_token": 1}


def test_an_answer_leaves_without_names_and_says_how_many_there_were(
    archive: Archive,
) -> None:
    transcript, counts = archive.leaving(archive.show(KEY))

    assert "babbage" not in repr(transcript)
    assert sum(counts.values()) >= 3


def test_a_snippet_in_which_something_was_replaced_has_no_marks(
    archive: Archive,
) -> None:
    page = archive.search("difference babbage")

    redacted, _ = archive.leaving(page)

    assert page.hits[0].marks
    assert "babbage" not in redacted.hits[0].snippet
    assert redacted.hits[0].marks == ()


def test_a_snippet_that_stays_as_it_is_keeps_its_marks(archive: Archive) -> None:
    page = archive.search("capstan")

    redacted, _ = archive.leaving(page)

    assert page.hits[0].marks
    assert redacted.hits[0].marks == page.hits[0].marks


def test_output_that_still_holds_a_name_is_refused(archive: Archive) -> None:
    with pytest.raises(LeakError) as caught:
        archive.check_leaving("an engine of babbage's")

    assert "babbage" not in str(caught.value)
    archive.check_leaving("an engine of somebody's")
