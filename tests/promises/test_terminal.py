"""Nothing that a conversation, a file's name or an argument holds steers a terminal.

Every command there is is run, for people and as JSON, on histories that hold in every
place what would, and with such arguments.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
import pytest
from tests.builders import SESSION, claude_file, codex_file, plain_file, put
from tests.hostile_text import HOSTILE, HOSTILE_NAME, assert_harmless, dangers_in
from tests.promises.running import run_in
from tests.redaction.secrets_made_here import drawn
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth.cli._app import app
from quoth.cli._complaints import print_bug

Child = Callable[..., subprocess.CompletedProcess[str]]

FIELDS = ("title", "said", "answer", "model", "cwd", "branch", "command", "output")
"""Marks of the fields that `show` shows, each beside what is hostile."""


def hostile(mark: str) -> str:
    return f"{mark}mark {HOSTILE}"


# A person whose histories and folders hold it


def _session() -> bytes:
    own = {"cwd": f"/home/{hostile('cwd')}", "gitBranch": hostile("branch")}
    call = claude.tool_use(
        "Bash", command=f"echo {hostile('command')}", file_path=hostile("path")
    )
    return claude.lines(
        {"type": "ai-title", "aiTitle": hostile("title"), "sessionId": SESSION},
        claude.said("m1", f"tides {hostile('said')}", **own),
        claude.answered(
            "m2", f"tides {hostile('answer')}", call, model=hostile("model"), **own
        ),
        claude.returned("m3", hostile("output"), **own),
        claude.answered("m4", claude.tool_use(hostile("tool"), q=HOSTILE), **own),
        {"type": hostile("unknown"), "uuid": HOSTILE},
        {"type": "user", "uuid": HOSTILE, "message": {"role": HOSTILE, "content": 7}},
    )


def _rollout() -> bytes:
    git = {"branch": HOSTILE, "repository_url": f"git@example.com:{HOSTILE}.git"}
    return codex.lines_of(
        [
            codex.meta(cwd=HOSTILE, git=git, originator=HOSTILE),
            codex.context(1, model=HOSTILE, cwd=HOSTILE),
            codex.typed(f"tides {HOSTILE}", 2),
            codex.said(f"tides {HOSTILE}", 3),
        ]
    )


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of somebody whose histories were synced once."""
    folder = tmp_path_factory.mktemp("person") / HOSTILE_NAME
    session = put(claude_file(folder), _session())
    put(claude_file(folder, HOSTILE_NAME), _session())
    put(codex_file(folder, codex.NAME), _rollout())
    put(plain_file(folder, f"{HOSTILE_NAME}.jsonl"), HOSTILE.encode("utf-8", "replace"))
    os.mkfifo(session.with_name(f"{HOSTILE_NAME}pipe.jsonl"))
    run_in(folder, "sync")
    return folder


# Every command there is


def leaves(
    group: click.Group = app, above: Sequence[str] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that does something, by the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from leaves(found, (*above, name))
        else:
            yield (*above, name), found


COMMANDS = {" ".join(words): found for words, found in leaves()}
CLAUDE = f"claude_code:{SESSION}"
CODEX = f"codex:{codex.THREAD}"

USED: Mapping[str, Sequence[Sequence[str]]] = {
    "search": [
        ["tides"],
        [f"tides {HOSTILE}"],
        ["tides", "--unit", "message"],
        ["tides", "--redact"],
    ],
    "show": [[CLAUDE], [f"{CLAUDE}#2"], [CODEX], ["1"], [CLAUDE, "--redact"]],
    "sync": [[]],
    "import": [["FOLDER"], ["FOLDER/plain"]],
    "embed": [[]],
    "models list": [[]],
    "models add": [["FOLDER"]],
    "models pull": [[HOSTILE, "--endpoint", "http://127.0.0.1:9"]],
    "models use": [["minilm"], ["static"]],
    "models remove": [["minilm", "--yes"]],
    "sources": [[]],
    "status": [[]],
    "verify": [["CITATION"], [f"{CLAUDE}#1@0123456789ab"]],
    "redact": [["--report"], ["--json"]],
    "forget": [[CLAUDE, "--dry-run"], ["--source", "codex", "--dry-run"], ["--list"]],
    "doctor": [[]],
    "config list": [[]],
    "config get": [["home"], ["paths.codex"]],
    "config set": [["paths.codex", f"FOLDER/{HOSTILE_NAME}"]],
    "config unset": [["paths.codex"]],
    "config path": [[]],
    "demo": [[], [HOSTILE]],
}
"""Each command as a person uses it. The words in capitals are put in.

A plain `quoth redact` is not among them: it is a filter between two programs, and what
comes out has to be what went in.
"""


def test_this_knows_every_command_there_is() -> None:
    """A new one prints something too: say in `USED` how it is used."""
    assert COMMANDS.keys() <= USED.keys()


def _typed(folder: Path, words: Sequence[str]) -> list[str]:
    if "CITATION" in words:
        page = json.loads(run_in(folder, "search", "tides", "--json").stdout)
        return [page["hits"][0]["citation"]]
    return [word.replace("FOLDER", str(folder)) for word in words]


USES = [
    pytest.param(command, words, id=f"{command} {number}")
    for command, several in USED.items()
    if command in COMMANDS
    for number, words in enumerate(several)
]


def _takes_json(command: str) -> bool:
    return any("--json" in each.opts for each in COMMANDS[command].params)


@pytest.mark.parametrize(("command", "words"), USES)
@pytest.mark.parametrize("colour", ["0", "1"], ids=["plain", "coloured"])
def test_what_a_command_prints_for_people_is_harmless(
    person: Path, command: str, words: Sequence[str], colour: str
) -> None:
    result = run_in(
        person, *command.split(), *_typed(person, words), FORCE_COLOR=colour
    )

    assert_harmless(result)


@pytest.mark.parametrize(
    ("command", "words"), [use for use in USES if _takes_json(str(use.values[0]))]
)
def test_what_a_command_prints_as_json_is_ascii(
    person: Path, command: str, words: Sequence[str]
) -> None:
    result = run_in(person, *command.split(), *_typed(person, words), "--json")

    assert_harmless(result, as_json=result.exit_code in {0, 3})


def _hostile_arguments(command: click.Command) -> Iterator[list[str]]:
    """Yield for each parameter of a command a use in which it is hostile."""
    needed = [
        HOSTILE
        for each in command.params
        if isinstance(each, click.Argument) and each.required
    ]
    yield [HOSTILE, *needed[1:]]
    yield [*needed, f"--{HOSTILE}"]
    for each in command.params:
        if isinstance(each, click.Option) and not each.is_flag:
            yield [*needed, each.opts[0], HOSTILE]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_hostile_argument_is_shown_harmlessly(person: Path, command: str) -> None:
    for arguments in _hostile_arguments(COMMANDS[command]):
        assert_harmless(run_in(person, *command.split(), *arguments))


@pytest.mark.parametrize(
    "args",
    [[re.sub(r"\s", "_", HOSTILE)], [f"--{HOSTILE}"]],
    ids=["command", "option"],
)
def test_a_command_that_there_is_not_is_named_harmlessly(
    person: Path, args: Sequence[str]
) -> None:
    assert_harmless(run_in(person, *args))


def test_what_is_hostile_does_reach_what_is_shown(person: Path) -> None:
    """If it were dropped on its way, the tests above would prove nothing."""
    shown = " ".join(run_in(person, "show", CLAUDE, COLUMNS="100").stdout.split())

    assert [mark for mark in FIELDS if f"{mark}mark" not in shown] == []
    assert "\\x1b]52;c;ZXZpbA==\\x07" in shown


def test_a_bug_keeps_its_traceback_and_quotes_nothing_as_it_is(child: Child) -> None:
    code = (
        "from quoth.cli import _app\n"
        "def fails(): raise ValueError('said \\x1b[2J\\x9b2J')\n"
        "_app.the_runtime = fails\n"
        "_app.main()"
    )

    ended = child("-c", code)

    *trace, last = ended.stderr.splitlines()
    assert (ended.returncode, ended.stdout) == (1, "")
    assert trace[0] == "Traceback (most recent call last):"
    assert last == "ValueError: said \\x1b[2J\\x9b2J"
    assert dangers_in(ended.stderr) == []


@pytest.mark.parametrize("broken", [False, True])
def test_what_an_exception_quotes_holds_no_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    """Also where the bug is in redaction itself."""
    if broken:
        monkeypatch.delattr("quoth.redaction.redact_text")
    secret = "ghp_" + drawn(36)

    print_bug(ValueError, ValueError(f"no repository at {secret}"), None)

    said = capsys.readouterr().err
    assert said.startswith("ValueError")
    assert secret not in said


def test_what_an_exception_of_other_code_quotes_is_written_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bug = ValueError(HOSTILE)

    print_bug(type(bug), bug, None)

    said = capsys.readouterr().err
    assert said.startswith("ValueError: \\x1b]8;;")
    assert dangers_in(said) == []
