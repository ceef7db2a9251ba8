"""What `quoth demo` prints, and that what it suggests leads somewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from quoth.cli._runtime import program_called
from quoth.demo import QUESTIONS, another_question

from .fakes import Shell

BY_MEANING = [each for each in QUESTIONS if each.by_meaning]
SUGGESTED = re.compile(r'Ask the demo something else:\n  quoth demo "([^"]+)"')


def suggested_by(output: str) -> str:
    (question,) = SUGGESTED.findall(output)
    return str(question)


def test_every_question_that_is_suggested_finds_its_conversation(shell: Shell) -> None:
    question, printed = suggested_by(shell.run("demo").stdout), {}
    while question not in printed:
        printed[question] = shell.run("demo", question).stdout
        question = suggested_by(printed[question])

    assert set(printed) == {each.question for each in BY_MEANING}
    for each in BY_MEANING:
        first_hit = printed[each.question].partition("\n2. ")[0]
        assert f":{each.conversation}#" in first_hit


def test_after_any_other_question_one_by_meaning_is_suggested() -> None:
    assert another_question("keyset cursor") == BY_MEANING[0].question


def test_the_first_hit_is_to_be_read_where_there_is_one(shell: Shell) -> None:
    found, nothing = shell.run("demo"), shell.run("demo", "\u6f6e\u6c50\u8868")

    assert "Read the first hit:\n  QUOTH_HOME=" in found.stdout
    assert "Read the first hit:" not in nothing.stdout
    assert (nothing.exit_code, suggested_by(nothing.stdout)) == (
        0,
        BY_MEANING[0].question,
    )


def test_a_question_cannot_steer_the_terminal(shell: Shell) -> None:
    result = shell.run("demo", "a\x1b[2J b")

    assert "\x1b" not in result.stdout
    assert "Question, by meaning: a\\x1b[2J b\n" in result.stdout


def test_the_archive_is_made_once(shell: Shell) -> None:
    first, second = shell.run("demo"), shell.run("demo", "--json")

    assert first.stdout.startswith("Made an archive of ")
    assert second.stdout.startswith("{")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "bin" / "quoth"
    path.parent.mkdir()
    path.touch(mode=0o755)
    return path


def test_a_program_on_the_path_is_called_by_its_name(program: Path) -> None:
    assert program_called(str(program), {"PATH": str(program.parent)}) == "quoth"


def test_a_program_elsewhere_is_called_by_where_it_is(
    program: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other dir" / "quoth"
    other.parent.mkdir()
    other.touch(mode=0o755)

    assert program_called(str(program), {}) == str(program)
    assert program_called(str(other), {"PATH": str(program.parent)}) == f"'{other}'"


def test_a_module_is_called_as_one() -> None:
    called = program_called("/somewhere/quoth/__main__.py", {})

    assert called == f"{sys.executable} -m quoth"
