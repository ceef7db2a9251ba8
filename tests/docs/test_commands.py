"""docs/commands.md is what --help says, and what is typed elsewhere exists."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from tests.docs.documents import DOCS, FOR_PEOPLE, ROOT, prose_of
from tools.command_reference import every_command, reference

from quoth.cli._app import app

PAGE = DOCS / "commands.md"
PINNED = re.search(
    r"^click==(\S+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE
)
COMMANDS = {context.command_path: context.command for context in every_command()}
MENTIONED = [
    (path, mention)
    for path in FOR_PEOPLE
    for mention in re.findall(r"`(quoth [a-z][^`]*)`", prose_of(path))
]


@pytest.mark.skipif(
    PINNED is None or version("click") != PINNED[1],
    reason="click words and breaks the help otherwise",
)
def test_the_reference_is_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_the_reference_does_not_depend_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    narrow = reference()
    monkeypatch.setenv("COLUMNS", "200")

    assert reference() == narrow


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_fits_a_terminal(path: str) -> None:
    section = reference().partition(f"## `{path}`")[2].partition("\n## ")[0]

    assert [line for line in section.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_a_sentence_and_an_example(path: str) -> None:
    command = COMMANDS[path]

    assert command.help
    assert command.epilog
    assert f"  {path} " in f"{command.epilog} " or path == "quoth"


@pytest.mark.parametrize(
    ("path", "mention"), MENTIONED, ids=[mention for _, mention in MENTIONED]
)
def test_a_command_that_is_mentioned_exists_with_its_options(
    path: Path, mention: str
) -> None:
    words = shlex.split(mention)[1:]

    command: click.Command = app
    while words and isinstance(command, click.Group):
        assert words[0] in command.list_commands(click.Context(command)), path
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None
        command = found
    known = {name for each in command.params for name in each.opts} | {"--help"}
    assert {word for word in words if word.startswith("--")} <= known, path
