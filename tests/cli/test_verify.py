"""How `quoth verify` says what checking a citation came to."""

from __future__ import annotations

import json

import pytest

from quoth.errors import NotRecordedError
from quoth.model import Outcome

from .fakes import Shell, a_citation, a_verdict


@pytest.mark.parametrize(
    ("outcome", "said", "status"),
    [
        (Outcome.VERIFIED, "Verified: the source still says this.", 0),
        (
            Outcome.ARCHIVE_ONLY,
            "The source is gone; the archive's own copy still says this.",
            0,
        ),
        (Outcome.CHANGED, "Changed: the source no longer says this.", 1),
    ],
)
def test_the_status_tells_whether_the_words_are_there(
    shell: Shell, outcome: Outcome, said: str, status: int
) -> None:
    shell.archive.verdict = a_verdict(outcome=outcome)

    text, json_too = (shell.run("verify", "x", *more) for more in ((), ("--json",)))

    assert text.stdout.splitlines()[0] == said
    assert (text.exit_code, json_too.exit_code) == (status, status)


def test_what_was_compared_is_named(shell: Shell) -> None:
    shell.archive.verdict = a_verdict(detail="Compared at rules version 1.")

    result = shell.run("verify", a_citation())

    assert shell.asked("verify") == {"citation": a_citation()}
    assert (
        result.stdout
        == f"""\
Verified: the source still says this.
  {a_citation()}
  /home/ada/.claude/projects/harbor/112.jsonl, bytes 1200 to 1500
  Compared at rules version 1.
"""
    )


def test_a_source_without_byte_positions_is_named_alone(shell: Shell) -> None:
    shell.archive.verdict = a_verdict(offset=None, length=None)

    result = shell.run("verify", a_citation())

    assert result.stdout.endswith("\n  /home/ada/.claude/projects/harbor/112.jsonl\n")


def test_without_a_source_only_the_citation_is_named(shell: Shell) -> None:
    shell.archive.verdict = a_verdict(path=None)

    result = shell.run("verify", a_citation())

    assert result.stdout.splitlines()[1:] == [f"  {a_citation()}"]


def test_a_citation_that_is_not_recorded_is_an_error(shell: Shell) -> None:
    shell.archive.verdict = NotRecordedError("Nothing has this citation.")

    result = shell.run("verify", a_citation(), "--json")

    assert (result.exit_code, result.stdout) == (1, "")


def test_json_names_the_outcome(shell: Shell) -> None:
    result = shell.run("verify", a_citation(), "--json")

    assert json.loads(result.stdout)["outcome"] == "verified_against_source"
