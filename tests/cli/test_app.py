"""The program as a whole: help, unknown commands, errors and statuses."""

from __future__ import annotations

import shlex
from importlib.metadata import version

import click
import pytest
from click.shell_completion import ShellComplete

from quoth.cli._app import app
from quoth.errors import ArchiveError, UsageError

from .fakes import Shell

COMMANDS = app.list_commands(click.Context(app))


def test_alone_it_prints_the_help(shell: Shell) -> None:
    alone, asked = shell.run(), shell.run("--help")

    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)
    assert 'quoth "vesting schedule"' in alone.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_sentence_and_an_example(
    shell: Shell, command: str
) -> None:
    result = shell.run(command, "-h")

    assert result.exit_code == 0
    assert f"Usage: quoth {command}" in result.stdout
    assert f"  For example:\n    quoth {command}" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_is_a_valid_form(shell: Shell, command: str) -> None:
    """A path that is named need not be there."""
    examples = shell.run(command, "-h").stdout.partition("For example:")[2]

    for example in examples.strip().splitlines():
        result = shell.run(*shlex.split(example)[1:])
        said = " ".join(result.stderr.split())
        assert "Usage:" not in said or "does not exist." in said


def test_the_version_is_that_of_the_package(shell: Shell) -> None:
    assert shell.run("--version").stdout == f"quoth {version('quoth')}\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["serch"],
            "quoth: There is no command 'serch'.\n"
            "Did you mean quoth search? To search for it:\n  quoth search serch\n"
            "All commands: quoth --help\n",
        ),
        (
            ["vesting", "it's"],
            "quoth: There is no command 'vesting'.\n"
            "To search for it:\n  quoth search vesting 'it'\"'\"'s'\n"
            "All commands: quoth --help\n",
        ),
        (
            ["two words", "more"],
            "quoth: There is no command 'two words'.\n"
            "To search for it:\n  quoth search 'two words' more\n"
            "All commands: quoth --help\n",
        ),
    ],
)
def test_an_unknown_command_is_wrong_usage_with_a_suggestion(
    shell: Shell, args: list[str], message: str
) -> None:
    result = shell.run(*args)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == message


def test_an_unknown_option_tells_how_to_search_for_a_dash(shell: Shell) -> None:
    result = shell.run("search", "--error-on-warnings")

    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == [
        "Usage: quoth search [OPTIONS] QUESTION...",
        "Help: quoth search --help",
        "To search for a word that begins with a dash, put -- before it.",
    ]


def test_where_nothing_is_searched_for_an_unknown_option_tells_no_such_thing(
    shell: Shell,
) -> None:
    result = shell.run("sync", "--josn")

    assert result.stderr.splitlines()[1:] == [
        "Usage: quoth sync [OPTIONS] [PATH]...",
        "Help: quoth sync --help",
    ]


def test_an_option_of_the_program_itself_is_checked_too(shell: Shell) -> None:
    result = shell.run("--nonsense")

    assert result.exit_code == 2
    assert result.stderr.startswith("quoth: No such option")


def test_a_usage_error_of_the_archive_has_status_two(shell: Shell) -> None:
    shell.archive.page = UsageError("It is too long.", hint="Use fewer words.")

    result = shell.run("search", "x", "--json")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "quoth: It is too long.\nUse fewer words.\n"


def test_an_error_cannot_steer_the_terminal(shell: Shell) -> None:
    shell.archive.page = ArchiveError("bad \x1b[2J name", hint="\x1b]0;title\x07")

    result = shell.run("search", "x")

    assert result.exit_code == 1
    assert set("\x1b\x07") & set(result.stderr) == set()


def test_an_error_is_filled_at_word_boundaries(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    shell.archive.page = ArchiveError("It is of no use to anybody.", hint="Try again.")

    result = shell.run("search", "x")

    assert result.stderr == "quoth: It is of no use to\nanybody.\nTry again.\n"


def test_what_is_to_be_copied_is_never_broken(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")

    result = shell.run("vesting", "schedule", "of", "the", "harbor")

    assert "\n  quoth search vesting schedule of the harbor\n" in result.stderr


def test_an_error_of_click_without_a_place_is_a_sentence(shell: Shell) -> None:
    shell.archive.page = click.ClickException("Out of luck")

    result = shell.run("search", "x")

    assert (result.exit_code, result.stderr) == (1, "quoth: Out of luck.\n")


def test_anything_else_keeps_its_traceback(shell: Shell) -> None:
    shell.archive.page = ZeroDivisionError()

    result = shell.run("search", "x")

    assert isinstance(result.exception, ZeroDivisionError)


def test_commands_are_completed() -> None:
    completer = ShellComplete(app, {}, "quoth", "_QUOTH_COMPLETE")

    found = completer.get_completions([], "s")
    unknown = completer.get_completions(["nonsense"], "s")

    assert [item.value for item in found] == [
        "search",
        "show",
        "sync",
        "sources",
        "status",
    ]
    assert len(unknown) == len(found)
