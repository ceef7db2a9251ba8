"""Nobody's name in what leaves: with `--redact`, whatever is printed, in every form."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping

import pytest
from click.testing import CliRunner, Result

from quoth.cli._app import app
from quoth.demo import roots

Quoth = Callable[..., Result]
Environ = Mapping[str, str] | None

PLACES = {"claude_code": ".claude/projects", "codex": ".codex/sessions"}
NAMES = ("dana", "yarrow", "quillfeather", "gableworks")
"""Whose home folder the invented histories lie in, and who they are told to be here."""
QUESTIONS = ("dead letter queue", "CI cache", "company name", "api key", "report")


@pytest.fixture(scope="module")
def quoth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Quoth]:
    """Return a function that runs the program for a person who has many names."""
    person = tmp_path_factory.mktemp("quillfeather")
    for source, folder in roots().items():
        shutil.copytree(folder, person / PLACES[source])
    (person / ".gitconfig").write_text(
        "[user]\nname = Yarrow Quillfeather\nemail = yarrow@gableworks.example\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(person))
        patch.setenv("USER", "quillfeather")
        patch.setenv("QUOTH_HOME", str(person / "quoth"))
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
            patch.delenv(name, raising=False)

        def run(
            *args: str, typed: str | None = None, environ: Environ = None
        ) -> Result:
            return CliRunner().invoke(app, args, input=typed, env=environ)

        assert run("sync").exit_code == 0
        yield run


def names_in(result: Result) -> list[str]:
    """Return whose name is in an output, also with a line's end or a colour in it."""
    assert result.exit_code == 0, result.output
    whole = re.sub(r"\x1b\[[0-9;]*m|\s", "", result.output).lower()
    return [name for name in NAMES if name in result.output.lower() or name in whole]


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_page_has_none(quoth: Quoth, question: str, form: tuple[str, ...]) -> None:
    page = quoth("search", question, "--limit", "50", "--redact", *form)

    assert names_in(page) == []


@pytest.mark.parametrize("columns", ["20", "31", "100"])
@pytest.mark.parametrize("question", [*QUESTIONS, "dana quillfeather"])
def test_a_page_has_none_in_a_narrow_terminal_or_in_colour(
    quoth: Quoth, question: str, columns: str
) -> None:
    environ = {"COLUMNS": columns, "FORCE_COLOR": "1"}

    page = quoth("search", question, "--redact", environ=environ)

    assert names_in(page) == []


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_transcript_has_one(quoth: Quoth, form: tuple[str, ...]) -> None:
    every = [
        hit["conversation"]
        for question in QUESTIONS
        for hit in json.loads(
            quoth("search", question, "--limit", "50", "--json").stdout
        )["hits"]
    ]

    found = {key: names_in(quoth("show", key, "--redact", *form)) for key in every}

    assert len(found) > 10
    assert not any(found.values())


@pytest.mark.parametrize(
    "text",
    [
        "by Yarrow Quillfeather <yarrow@gableworks.example>",
        '{"cwd": "\\/home\\/dana\\/ledger"}',
        "cd ~/; ls /home/quillfeather/x /Users/quillfeather/x -home-quillfeather-x",
        "QUILLFEATHER wrote it; so did dana, and it is dana's, in danaBackup2.",
        "-mnt-c-Users-dana-x -var-home-dana-x \\\\wsl.localhost\\Ubuntu\\home\\dana\\x",
        "Quillfeather,\u00a0Yarrow and Yarrow\n    Quillfeather",
        "the log of a terminal, in which a line broke quillfe\nather",
    ],
)
def test_no_other_text_has_one(quoth: Quoth, text: str) -> None:
    result = quoth("redact", typed=text)

    assert names_in(result) == []


def test_without_it_they_are_there(quoth: Quoth) -> None:
    """Or the tests above would test nothing."""
    assert "dana" in names_in(quoth("search", "dead letter queue", "--json"))
