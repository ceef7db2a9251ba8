"""What `quoth forget` asks of the archive and of the person, and how it shows both."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from quoth.errors import NotRecordedError
from quoth.model import Kinship, Selection

from .fakes import (
    KEY,
    Shell,
    a_citation,
    a_forget_report,
    a_forgotten,
    a_hit,
    a_leaving,
    a_page,
    a_plan,
)

OTHER = "codex:7"


def words_of(text: str) -> str:
    return " ".join(text.split())


def was_asked(shell: Shell, name: str) -> bool:
    return name in [called for called, _ in shell.archive.asked]


@pytest.mark.parametrize(
    ("args", "selection"),
    [
        ([KEY], Selection(keys=(KEY,))),
        ([KEY, OTHER, "--only"], Selection(keys=(KEY, OTHER), family=False)),
        (["--repo", "harbor"], Selection(repo="harbor")),
        (["--source", "codex"], Selection(source="codex")),
        (
            ["--since", "2026-05-01", "--until", "2026-05-02"],
            Selection(
                since=datetime(2026, 5, 1, tzinfo=UTC),
                until=datetime(2026, 5, 3, tzinfo=UTC),
            ),
        ),
        (["--matching", "vesting cliff"], Selection(phrase="vesting cliff")),
        (
            [KEY, "--repo", "harbor", "--matching", "x y"],
            Selection(keys=(KEY,), repo="harbor", phrase="x y"),
        ),
    ],
)
def test_all_that_is_given_chooses(
    shell: Shell, args: list[str], selection: Selection
) -> None:
    shell.run("forget", *args, "--dry-run")

    assert shell.asked("plan_forget") == {"selection": selection}


def test_a_number_is_a_hit_of_the_last_page(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(), a_hit(conversation=OTHER))
    shell.run("search", "x")

    shell.run("forget", "2", "1", "--dry-run")

    assert shell.asked("plan_forget") == {"selection": Selection(keys=(OTHER, KEY))}


def test_without_a_page_a_number_is_an_error(shell: Shell) -> None:
    result = shell.run("forget", "1", "--yes")

    assert result.exit_code == 1
    assert "has no page of hits" in words_of(result.stderr)
    assert not was_asked(shell, "plan_forget")


@pytest.mark.parametrize("what", [f"{KEY}#12", a_citation(12)])
def test_a_single_message_is_not_forgotten(shell: Shell, what: str) -> None:
    result = shell.run("forget", what, "--yes")

    assert result.exit_code == 2
    assert words_of(result.stderr) == (
        "quoth: A conversation is forgotten whole, never one message of it."
        " Leave off #12."
    )


@pytest.mark.parametrize(
    "args",
    [
        ["--repo", ""],
        ["--source", " "],
        ["--matching", ""],
        ["--source", "codex", "--repo", ""],
        ["--since", "2026-05-02", "--until", "2026-05-01"],
        [""],
        ["two words"],
    ],
)
def test_what_is_empty_does_not_choose_more(shell: Shell, args: list[str]) -> None:
    """An empty variable in a script must not make the choice wider."""
    result = shell.run("forget", "--yes", *args)

    assert (result.exit_code, result.stdout) == (2, "")
    assert not was_asked(shell, "plan_forget")


def test_the_plan_says_what_goes_and_why_and_what_stays(shell: Shell) -> None:
    gone = Path("/home/ada/.codex/7.jsonl")
    shell.archive.plan = a_plan(
        a_leaving(),
        a_leaving(
            key=f"{KEY}-a", title=None, kinship=Kinship.SUBAGENT, started_at=None
        ),
        a_leaving(
            key=OTHER,
            title="Moving\x1b[2J it",
            kinship=Kinship.COPY,
            messages=1,
            path=gone,
            source_gone=True,
        ),
        kept_elsewhere=2,
    )

    result = shell.run("forget", KEY, "--dry-run")

    assert result.exit_code == 0
    assert result.stdout == (
        f"""Moving the vesting cliff
  2026-05-09 · 40 messages · {KEY}
(no title)
  40 messages · a subagent · {KEY}-a
Moving\\x1b[2J it
  2026-05-09 · 1 message · holds the same messages (--only leaves it) · codex:7

1 of 311 conversations (subagents and empty ones counted), and 2 that go with
it: 81 messages would be gone.
2 messages stay, since conversations that are left hold them too.
What this was read from stays as it is, and may hold more:
  /home/ada/.claude/projects/harbor/112.jsonl
This can't be taken back: quoth forget --undo restores nothing, it only lets a
later sync read that again.
Of 1 conversation the file is gone: quoth has the last copy, and nothing at all
brings it back.
Nothing is forgotten yet. Without --dry-run, quoth asks first and then does it.
"""
    )


def test_a_dry_run_forgets_nothing_and_says_how_to(shell: Shell) -> None:
    dry = shell.run("forget", KEY, "--dry-run", "--yes")

    assert not was_asked(shell, "forget")
    assert dry.stdout.endswith(
        "\nNothing is forgotten yet. Without --dry-run, quoth asks first and then does"
        " it.\n"
    )
    assert "--dry-run" not in shell.run("forget", KEY, "--yes").stdout


def test_many_conversations_are_shown_in_part_and_counted(shell: Shell) -> None:
    shell.archive.plan = a_plan(
        *(a_leaving(key=f"codex:{n}", path=Path(f"/h/{n}")) for n in range(30))
    )

    said = words_of(shell.run("forget", "--source", "codex", "--dry-run").stdout)

    assert (
        "And 20 more conversations, 800 messages: --dry-run --json lists all." in said
    )
    assert "and 25 more files: --dry-run --json lists all" in said
    assert ("codex:9 And" in said, "codex:10" in said) == (True, False)


@pytest.mark.parametrize(
    ("answer", "forgets", "status"),
    [("y\n", True, 0), ("yes\n", True, 0), ("n\n", False, 1), ("\n", False, 1)],
)
def test_a_person_is_asked_and_no_is_the_default(
    shell: Shell, answer: str, forgets: bool, status: int
) -> None:
    result = shell.run("forget", KEY, typed=answer, asks=True)

    assert result.exit_code == status
    assert "Forget 1 conversation, 40 messages? [y/N]:" in result.stderr
    assert was_asked(shell, "forget") is forgets
    assert ("quoth: Nothing was forgotten." in result.stderr) is not forgets


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """End the input at every question; click's own runner did so from 8.2.1 on."""

    def interrupt(*_: object, **__: object) -> str:
        raise click.Abort

    for question in ("click.confirm", "click.prompt"):
        monkeypatch.setattr(question, interrupt)


@pytest.mark.usefixtures("interrupted")
def test_the_end_of_the_input_is_no_yes(shell: Shell) -> None:
    result = shell.run("forget", KEY, asks=True)

    assert result.exit_code == 130
    assert result.stderr.endswith(
        "\nquoth: Nothing was forgotten.\nquoth: Interrupted.\n"
    )
    assert not was_asked(shell, "forget")


def test_without_a_terminal_it_forgets_only_with_yes(shell: Shell) -> None:
    refused = shell.run("forget", KEY, typed="y\n")

    assert refused.exit_code == 2
    assert refused.stdout.startswith("Moving the vesting cliff\n")
    assert words_of(refused.stderr) == (
        "quoth: Nothing was forgotten: there is no terminal to ask on."
        " Give --yes to forget without being asked."
    )
    assert not was_asked(shell, "forget")
    assert shell.run("forget", KEY, "--yes").exit_code == 0
    assert was_asked(shell, "forget")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (
            1,
            "Forgot 1 conversation, 40 messages.\n"
            "It stays out of every later sync and import. To let it in again:\n"
            "  quoth forget --undo 4\n"
            "What it was read from still holds it.\n",
        ),
        (
            2,
            "Forgot 2 conversations, 40 messages.\n"
            "They stay out of every later sync and import. To let them in again:\n"
            "  quoth forget --undo 4\n"
            "What they were read from still holds them.\n",
        ),
    ],
)
def test_what_came_of_it_is_said(shell: Shell, number: int, said: str) -> None:
    shell.archive.forget_report = a_forget_report(conversations=number)

    assert shell.run("forget", KEY, "--yes").stdout.endswith(f"\n\n{said}")


def test_what_a_reader_still_holds_is_said(shell: Shell) -> None:
    shell.archive.plan = a_plan(a_leaving(source_gone=True))
    shell.archive.forget_report = a_forget_report(remains=True)

    said = words_of(shell.run("forget", KEY, "--yes").stdout)

    assert "a file beside it holds some of it until that ends" in said
    assert "were read from" not in said


def test_what_was_gone_before_the_answer_is_said(shell: Shell) -> None:
    shell.archive.forget_report = a_forget_report(
        entry=None, conversations=0, messages=0
    )

    result = shell.run("forget", KEY, "--yes")

    assert result.stdout.endswith("\nNothing was left to forget.\n")


def test_where_nothing_fits_nobody_is_asked(shell: Shell) -> None:
    shell.archive.plan = a_plan()

    result = shell.run("forget", "--repo", "harbour", asks=True)

    assert (result.exit_code, result.stderr) == (0, "")
    assert words_of(result.stdout) == (
        "Nothing that is recorded fits: there is nothing to forget."
    )
    assert not was_asked(shell, "forget")


def test_a_key_there_is_not_is_an_error(shell: Shell) -> None:
    shell.archive.plan = NotRecordedError("There is no conversation codex:9.")

    result = shell.run("forget", "codex:9", "--yes")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "quoth: There is no conversation codex:9.\n"


@pytest.mark.parametrize(
    ("typed", "asks"),
    [("vesting cliff\n", False), ("vesting cliff\n", True), (b"vesting cliff", False)],
)
def test_a_phrase_can_be_kept_out_of_the_shells_history(
    shell: Shell, typed: str | bytes, asks: bool
) -> None:
    shell.run("forget", "--matching", "-", "--dry-run", typed=typed, asks=asks)

    assert shell.asked("plan_forget")["selection"].phrase == "vesting cliff"


@pytest.mark.usefixtures("interrupted")
def test_after_no_phrase_the_complaint_begins_a_line(shell: Shell) -> None:
    result = shell.run("forget", "--matching", "-", "--dry-run", asks=True)

    assert result.exit_code == 130
    assert result.stderr.endswith("\nquoth: Interrupted.\n")


@pytest.mark.parametrize("typed", ["", " \n", "x" * 10_001])
def test_a_phrase_that_is_none_is_refused(shell: Shell, typed: str) -> None:
    result = shell.run("forget", "--matching", "-", "--yes", typed=typed)

    assert result.exit_code == 2
    assert not was_asked(shell, "plan_forget")


def test_the_list_says_when_by_what_and_how_much(shell: Shell) -> None:
    shell.archive.forgotten_list = (
        a_forgotten(entry=1, asked=("key",), conversations=1, messages=40),
        a_forgotten(),
    )

    result = shell.run("forget", "--list")

    assert result.stdout == (
        "entry  forgotten         by          conversations  messages\n"
        "    1  2026-05-10 09:00  key                     1        40\n"
        "    4  2026-05-10 09:00  repo dates              3     1,240\n"
        "To let one in again: quoth forget --undo ENTRY\n"
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            [("rule",)],
            "What a rule keeps out is let in by changing the rule: quoth config list",
        ),
        (
            [("rule",), ("source",)],
            "To let one in again: quoth forget --undo ENTRY What a rule keeps out is"
            " let in by changing the rule: quoth config list",
        ),
    ],
)
def test_the_list_says_that_a_rule_keeps_out_as_long_as_it_stands(
    shell: Shell, asked: list[tuple[str, ...]], said: str
) -> None:
    shell.archive.forgotten_list = tuple(a_forgotten(asked=each) for each in asked)

    printed = words_of(shell.run("forget", "--list").stdout)

    assert printed.rpartition(" 1,240 ")[2] == said


def test_a_narrow_list_is_one_under_the_other(shell: Shell) -> None:
    shell.archive.forgotten_list = (a_forgotten(),)
    shell.environ["COLUMNS"] = "30"

    assert shell.run("forget", "--list").stdout == (
        "4\n  forgotten 2026-05-10 09:00\n  by repo dates\n"
        "  conversations 3\n  messages 1,240\n"
        "To let one in again: quoth\nforget --undo ENTRY\n"
    )


def test_an_empty_list_says_so(shell: Shell) -> None:
    assert shell.run("forget", "--list").stdout == "Nothing has been forgotten.\n"


def test_a_ban_is_lifted_and_nothing_restored(shell: Shell) -> None:
    result = shell.run("forget", "--undo", "4")

    assert shell.asked("undo_forget") == {"entry": 4}
    assert words_of(result.stdout) == (
        "Entry 4 (3 conversations, 1,240 messages) is off the list: it keeps nothing"
        " out now. Nothing is back by that alone. The next quoth sync reads what is"
        " still there; an export has to be imported again."
    )


@pytest.mark.parametrize(
    "args",
    [
        ["--list", "--undo", "1"],
        ["--list", KEY],
        ["--undo", "1", "--yes"],
        ["--undo", "0"],
        ["--list", "--dry-run"],
        [KEY, "--json"],
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    shell: Shell, args: list[str]
) -> None:
    result = shell.run("forget", *args)

    assert (result.exit_code, result.stdout) == (2, "")
    assert not was_asked(shell, "undo_forget")


@pytest.mark.parametrize(
    ("args", "present"),
    [
        ([KEY, "--dry-run"], ["plan"]),
        ([KEY, "--yes"], ["plan", "forgot"]),
        (["--list"], ["entries"]),
        (["--undo", "4"], ["undone"]),
    ],
)
def test_the_document_has_what_was_asked_for(
    shell: Shell, args: list[str], present: list[str]
) -> None:
    found = json.loads(shell.run("forget", *args, "--json").stdout)

    assert found.pop("schema") == 1
    assert [key for key, value in found.items() if value is not None] == present


@pytest.mark.parametrize("columns", ["20", "40", "80"])
def test_the_plan_fits_the_terminal(shell: Shell, columns: str) -> None:
    shell.archive.plan = a_plan(
        a_leaving(title="A title of more than a few words", kinship=Kinship.COPY)
    )
    shell.environ["COLUMNS"] = columns

    lines = shell.run("forget", KEY, "--dry-run").stdout.splitlines()

    assert len(lines) > 3
    too_long = [line for line in lines if len(line) > int(columns)]
    assert all(KEY in line or "/112.jsonl" in line for line in too_long)
