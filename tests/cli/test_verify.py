"""How `quoth verify` says what checking a citation came to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quoth.errors import NotRecordedError
from quoth.model import Include, Outcome, ShownMessage

from .fakes import (
    KEY,
    Shell,
    a_call,
    a_citation,
    a_shown_message,
    a_transcript,
    a_verdict,
)


def said(shell: Shell, message: ShownMessage | None = None) -> Shell:
    """Return the shell, with a message that is cited in its archive."""
    shell.archive.transcript = a_transcript(message or a_shown_message())
    return shell


@pytest.mark.parametrize(
    ("outcome", "word", "status"),
    [
        (Outcome.VERIFIED, "Verified.", 0),
        (Outcome.ARCHIVE_ONLY, "Verified against the archive.", 0),
        (Outcome.CHANGED, "Changed.", 1),
        (Outcome.NEVER_SAID, "Not said.", 1),
    ],
)
def test_the_status_tells_whether_the_words_are_there(
    shell: Shell, outcome: Outcome, word: str, status: int
) -> None:
    said(shell).archive.verdict = a_verdict(outcome=outcome, detail="A detail.")

    text, json_too = (shell.run("verify", "x", *more) for more in ((), ("--json",)))

    assert text.stdout.splitlines()[0] == f"{word} A detail."
    assert (text.exit_code, json_too.exit_code) == (status, status)


def test_what_was_compared_is_named_and_quoted(shell: Shell) -> None:
    said(shell).archive.verdict = a_verdict(detail="The source says exactly this.")

    result = shell.run("verify", a_citation())

    assert shell.asked("verify") == {"citation": a_citation()}
    assert shell.asked("show") == {
        "key": KEY,
        "seq": 12,
        "around": 0,
        "include": frozenset({Include.SUPERSEDED}),
    }
    assert (
        result.stdout
        == f"""\
Verified. The source says exactly this.
  {a_citation()}
  /home/ada/.claude/projects/harbor/112.jsonl, bytes 1200 to 1500

#12 assistant · 2026-05-09 10:03 · claude-test-1
  Message 12.
"""
    )


def test_of_a_long_quotation_the_beginning_is_shown(shell: Shell) -> None:
    text = "a\x1b[2J\n\tb\n" + "many words " * 2000
    said(shell, a_shown_message(text=text, superseded=True))

    lines = shell.run("verify", a_citation()).stdout.partition("\n\n")[2].splitlines()

    assert lines[0].endswith(" · (superseded)")
    assert lines[1:3] == ["  a\\x1b[2J", "  b"]
    assert all(line.startswith("  many words") for line in lines[3:7])
    assert lines[7:] == [
        f"  (more: quoth show '{KEY}#12' --around 0 --include superseded)"
    ]


def test_a_message_of_calls_alone_is_quoted_by_them(shell: Shell) -> None:
    said(shell, a_shown_message(text="", calls=(a_call(),)))

    result = shell.run("verify", a_citation())

    assert "claude-test-1\n  $ pytest -q\n" in result.stdout


def test_what_the_source_does_not_say_is_told_from_what_it_says(shell: Shell) -> None:
    said(shell).archive.verdict = a_verdict(outcome=Outcome.CHANGED)

    result = shell.run("verify", a_citation())

    assert "\n\nIn the archive: #12 assistant" in result.stdout


def test_what_was_never_said_is_not_quoted(shell: Shell) -> None:
    """What stands there is other words than those cited, and errors quote nobody."""
    said(shell).archive.verdict = a_verdict(outcome=Outcome.NEVER_SAID)

    result = shell.run("verify", a_citation())

    assert result.stdout.endswith(", bytes 1200 to 1500\n")


def test_what_is_nobodys_words_is_not_quoted(shell: Shell) -> None:
    shell.archive.transcript = NotRecordedError("There is no message 12 to show.")

    result = shell.run("verify", a_citation())

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(", bytes 1200 to 1500\n")


def test_a_source_without_byte_positions_is_named_alone(shell: Shell) -> None:
    said(shell).archive.verdict = a_verdict(offset=None, length=None)

    result = shell.run("verify", a_citation())

    assert "\n  /home/ada/.claude/projects/harbor/112.jsonl\n" in result.stdout


def test_without_a_source_only_the_citation_is_named(shell: Shell) -> None:
    said(shell).archive.verdict = a_verdict(path=None)

    result = shell.run("verify", a_citation())

    assert result.stdout.splitlines()[1:3] == [f"  {a_citation()}", ""]


def test_a_citation_that_is_not_recorded_is_an_error(shell: Shell) -> None:
    shell.archive.verdict = NotRecordedError("Nothing has this citation.")

    result = shell.run("verify", a_citation(), "--json")

    assert (result.exit_code, result.stdout) == (1, "")


def test_json_names_the_outcome(shell: Shell) -> None:
    result = shell.run("verify", a_citation(), "--json")

    assert json.loads(result.stdout)["outcome"] == "verified_against_source"


def test_of_a_zip_the_member_is_named_that_the_bytes_are_of(shell: Shell) -> None:
    shell.archive.verdict = a_verdict(
        path=Path("/exports/export.zip"), part="conversations.json"
    )

    result = said(shell).run("verify", a_citation())

    assert "/exports/export.zip (conversations.json), bytes 1200 to 1500" in (
        " ".join(result.stdout.split())
    )
