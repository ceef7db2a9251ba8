"""How `quoth status` says what is recorded."""

from __future__ import annotations

import json

import pytest

from quoth.model import Freshness

from .fakes import NOW, Shell, a_source, a_status


def test_the_sources_are_a_table(shell: Shell) -> None:
    result = shell.run("status")

    assert (
        result.stdout
        == """\
/home/ada/.local/share/quoth
5,210 messages in 311 conversations; 48.2 MB on disk.
Kept apart: 12 superseded messages, 890 of machine text. Passed over: 412
bookkeeping records.
Can be found by meaning: 5,090 of 5,100 prompts and replies that are long enough
(with static-1).
Archive schema 1, secret rules 1.
Last sync: today 14:30; nothing has changed since.

source       conversations  subagents  messages  files  newest
claude_code            200         35     4,100    240  today 09:00
codex                  111         35     4,100    240  today 09:00
claude_code: 2 conversations gone at the source and kept here.
codex: 2 conversations gone at the source and kept here.
Skipped 3 records:
  /h/a.jsonl
    3 records: not JSON
Could not read 1 file:
  /h/b.jsonl: no permission
"""
    )


def test_all_but_a_path_is_filled_to_the_terminal(shell: Shell) -> None:
    shell.environ = {"COLUMNS": "24"}

    lines = shell.run("status").stdout.splitlines()

    assert [line for line in lines if len(line) > 24] == [
        "/home/ada/.local/share/quoth"
    ]


def test_how_much_was_forgotten_is_said(shell: Shell) -> None:
    shell.archive.status_answer = a_status(forgotten=3)

    said = " ".join(shell.run("status").stdout.split())
    assert "Forgotten: 3 conversations. The list: quoth forget --list" in said


def test_where_a_table_is_too_wide_the_sources_are_stacked(shell: Shell) -> None:
    shell.archive.status_answer = a_status(
        sources=(a_source(gone=0, newest=None),), skipped=(), failed=()
    )
    shell.environ = {"COLUMNS": "40"}

    result = shell.run("status")

    assert (
        result.stdout.partition("\n\n")[2]
        == """\
claude_code
  conversations 200
  subagents 35
  messages 4,100
  files 240
  newest -
"""
    )


def test_what_there_is_none_of_is_not_mentioned(shell: Shell) -> None:
    shell.archive.status_answer = a_status(superseded=0, noise=0, ignored={})

    result = shell.run("status")

    assert "on disk.\nCan be found by meaning:" in result.stdout


def test_without_an_archive_it_says_how_to_make_one(shell: Shell) -> None:
    shell.archive.status_answer = a_status(exists=False)

    result = shell.run("status")

    assert result.exit_code == 0
    assert result.stdout == (
        "No archive at /home/ada/.local/share/quoth yet.\nMake one with: quoth sync\n"
    )


@pytest.mark.parametrize(
    ("freshness", "sentence"),
    [
        (Freshness(), "No sync has been finished yet: quoth sync"),
        (Freshness(last_sync=NOW), "Last sync: today 14:30."),
        (
            Freshness(changed_files=1, last_sync=NOW),
            "1 file changed since the last sync (today 14:30): quoth sync",
        ),
    ],
)
def test_it_says_how_fresh_the_archive_is(
    shell: Shell, freshness: Freshness, sentence: str
) -> None:
    shell.archive.status_answer = a_status(
        freshness=freshness, sources=(), skipped=(), failed=()
    )

    assert shell.run("status").stdout.endswith(f"\n{sentence}\n")


def test_json_tells_the_two_schemas_apart(shell: Shell) -> None:
    shell.archive.status_answer = a_status(schema=7)

    status = json.loads(shell.run("status", "--json").stdout)

    assert (status["schema"], status["archive_schema"]) == (1, 7)


def test_what_waits_for_newer_rules_is_said(shell: Shell) -> None:
    shell.archive.status_answer = a_status(waiting_for_rules=1200)

    result = shell.run("status")

    waiting = "The next sync lets newer secret rules go through 1,200 messages."
    assert waiting in result.stdout.splitlines()
