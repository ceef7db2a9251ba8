"""The front door's answers as they may leave this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import KEY, an_archive, archive_in, claude_file, put
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


def test_a_snippet_that_was_cut_where_no_name_is_keeps_its_marks(
    tmp_path: Path,
) -> None:
    said = claude.said("c1", f"{PADDING} the astrolabe {PADDING} of /home/byron/x")
    put(claude_file(tmp_path), claude.lines(said))
    with an_archive(tmp_path) as archive:
        archive.sync()
        page = archive.search("astrolabe")

        redacted, counts = archive.leaving(page)

    assert page.hits[0].snippet.startswith("… ")
    assert redacted.hits[0].snippet == page.hits[0].snippet
    assert redacted.hits[0].marks == page.hits[0].marks != ()
    assert counts["linux_home_path"] > 0


PADDING = "it was noted in the log of the harbour " * 8
CUT = {
    "a home folder": "see /home/byronking/notes-of-may/astrolabe there",
    "a repository": "https://github.com/byronking/works-of-maya/astrolabe there",
    "an author": "Author: Bob Byron <a@b.example> astrolabe there",
    "an address": f"the astrolabe {'of brass ' * 20}is byron@kingsfoundation.org",
    "a folder on a shared machine": "-home-byronking-notes-of-may-astrolabe there",
}
"""A name, and a word far enough from it that a snippet begins or ends between them."""


@pytest.mark.parametrize("text", CUT.values(), ids=CUT)
@pytest.mark.parametrize("place", ["in a message", "in what a tool was given"])
def test_a_snippet_that_was_cut_beside_a_name_does_not_show_it(
    tmp_path: Path, text: str, place: str
) -> None:
    """What tells that it is a name may be cut away: the whole of the text has it."""
    whole = f"{PADDING} {text} {PADDING}"
    call = claude.tool_use("Bash", command=whole)
    record = (
        claude.said("c1", whole)
        if place == "in a message"
        else claude.answered("c1", "Noted.", call)
    )
    put(claude_file(tmp_path), claude.lines(record))
    with an_archive(tmp_path) as archive:
        archive.sync()
        page = archive.search("astrolabe")

        redacted, _ = archive.leaving(page)

    (before,), (hit,) = page.hits, redacted.hits
    assert before.snippet.startswith("… ")
    assert not re.search("bob|byron|king", hit.snippet, re.IGNORECASE)
    assert len(hit.snippet) > 100


def test_output_that_still_holds_a_name_is_refused(archive: Archive) -> None:
    with pytest.raises(LeakError) as caught:
        archive.check_leaving("an engine of babbage's")

    assert "babbage" not in str(caught.value)
    archive.check_leaving("an engine of somebody's")
