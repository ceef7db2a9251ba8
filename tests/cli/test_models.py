"""`quoth models`: what is asked of whom, and when a person is asked first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.fakes import MODELS, Shell, a_status

from quoth.config import load_settings
from quoth.errors import EmbeddingError, ServerUnreachableError
from quoth.model import ComingEmbedder, EmbedderChoice, EmbedderKind, FoundModels

OLLAMA = EmbedderChoice(kind=EmbedderKind.OLLAMA)
NOMIC = EmbedderChoice(kind=EmbedderKind.OLLAMA, model="nomic-embed-text")


def chosen(shell: Shell) -> EmbedderChoice:
    environ = {"QUOTH_HOME": str(shell.home)}
    return load_settings(environ, home_dir=shell.home).embedding


def asked(shell: Shell) -> list[str]:
    return [name for name, _ in shell.archive.models.asked]


# list


def test_the_models_are_a_table_with_the_chosen_one_marked(shell: Shell) -> None:
    result = shell.run("models", "list")

    assert (result.exit_code, result.stdout) == (
        0,
        """\
   kind    model             size      digest
*  static                                            comes with quoth
   minilm                                            quoth models add PATH
   ollama  nomic-embed-text  274.0 MB  0a109f422b47
   ollama  llama3            4.7 GB
   ollama  big:cloud                                 sends text away: refused
""",
    )


def test_a_narrow_terminal_gets_lines(shell: Shell) -> None:
    shell.environ["COLUMNS"] = "40"

    lines = shell.run("models", "list").stdout.splitlines()

    assert lines[0] == "* · static · comes with quoth"
    assert all(len(line) <= 40 for line in lines)


@pytest.mark.parametrize(
    ("args", "choice"),
    [
        ((), EmbedderChoice()),
        (("ollama",), OLLAMA),
        (
            ("openai", "--endpoint", "http://localhost:8080/v1"),
            EmbedderChoice(
                kind=EmbedderKind.OPENAI, endpoint="http://localhost:8080/v1"
            ),
        ),
    ],
)
def test_the_server_that_is_named_is_asked(
    shell: Shell, args: tuple[str, ...], choice: EmbedderChoice
) -> None:
    shell.run("models", "list", *args)

    assert shell.archive.models.asked == [("found", choice)]


def test_a_server_that_is_down_leaves_the_others(shell: Shell) -> None:
    shell.archive.models.listed = FoundModels(
        models=MODELS[:2], endpoint="http://127.0.0.1:9", problem="It is down."
    )

    assert shell.run("models", "list").exit_code == 0
    result = shell.run("models", "list", "ollama")

    assert result.exit_code == 1
    assert result.stdout.endswith(
        "http://127.0.0.1:9 could not be asked: It is down.\n"
    )


def test_an_endpoint_alone_says_too_little(shell: Shell) -> None:
    result = shell.run("models", "list", "--endpoint", "http://localhost:1")

    assert (result.exit_code, asked(shell)) == (2, [])


def test_the_document_tells_what_is_chosen(shell: Shell) -> None:
    found = json.loads(shell.run("models", "list", "--json").stdout)

    assert (found["schema"], found["chosen"]["kind"], len(found["models"])) == (
        1,
        "static",
        5,
    )


# add and remove


def test_what_was_taken_in_is_told(shell: Shell, tmp_path: Path) -> None:
    result = shell.run("models", "add", str(tmp_path))

    assert shell.archive.models.asked == [("add", tmp_path)]
    assert result.stdout == (
        "Took in minilm, 90.9 MB, SHA-256 53aa5117.\n"
        "Use it with: quoth models use minilm\n"
    )


def test_what_is_not_there_can_not_be_taken_in(shell: Shell, tmp_path: Path) -> None:
    result = shell.run("models", "add", str(tmp_path / "nothing"))

    assert (result.exit_code, asked(shell)) == (2, [])


def test_removing_asks_first(shell: Shell) -> None:
    refused = shell.run("models", "remove", "minilm", typed="n\n", asks=True)
    agreed = shell.run("models", "remove", "minilm", typed="y\n", asks=True)

    assert (refused.exit_code, agreed.exit_code) == (1, 0)
    assert asked(shell) == ["remove"]
    # The oldest click that works repeats what was typed.
    assert agreed.stdout.endswith("minilm is removed.\n")


# pull


def test_nothing_is_downloaded_without_being_asked(shell: Shell) -> None:
    result = shell.run("models", "pull", "nomic-embed-text", typed="\n", asks=True)

    assert (result.exit_code, asked(shell)) == (1, ["check_pull"])
    said = " ".join(result.stderr.split())
    assert (
        "The Ollama at http://127.0.0.1:11434 would download nomic-embed-text" in said
    )
    assert "quoth sends it that name, and nothing of yours." in said
    assert said.endswith("quoth: Nothing was downloaded.")


def test_without_a_terminal_it_takes_a_yes(shell: Shell) -> None:
    refused = shell.run("models", "pull", "nomic-embed-text")
    agreed = shell.run("models", "pull", "nomic-embed-text", "--yes")

    assert (refused.exit_code, agreed.exit_code) == (2, 0)
    assert asked(shell) == ["check_pull", "check_pull", "pull"]
    assert agreed.stdout == (
        "nomic-embed-text is there, 274.0 MB.\n"
        "Use it with: quoth models use ollama nomic-embed-text\n"
    )


def test_a_model_that_would_run_elsewhere_is_refused_before_the_question(
    shell: Shell,
) -> None:
    shell.archive.models.error = EmbeddingError("It runs elsewhere.")

    result = shell.run("models", "pull", "big:cloud", asks=True)

    assert (result.exit_code, result.stderr) == (1, "quoth: It runs elsewhere.\n")


# use


def test_what_works_is_written_into_the_settings(shell: Shell) -> None:
    shell.archive.status_answer = a_status(
        coming=ComingEmbedder(name="ollama nomic-embed-text", embedded=0, lacking=5100)
    )

    result = shell.run("models", "use", "ollama", "nomic-embed-text")

    assert chosen(shell) == NOMIC
    assert " ".join(result.stdout.split()) == (
        "ollama nomic-embed-text gives vectors of 768 numbers, and is chosen."
        " 5,100 messages lack its vectors: quoth embed makes them. Until then searches"
        " ask the embedder from before."
    )


def test_what_does_not_work_is_not_chosen(shell: Shell) -> None:
    shell.archive.models.error = ServerUnreachableError(
        "http://127.0.0.1:9", why="connection refused"
    )

    result = shell.run("models", "use", "ollama", "nomic-embed-text")

    assert (result.exit_code, chosen(shell)) == (1, EmbedderChoice())


def test_the_endpoint_stays_where_the_kind_does(shell: Shell) -> None:
    shell.run("models", "use", "ollama", "a", "--endpoint", "http://127.0.0.1:9")
    shell.run("models", "use", "ollama", "b", "--query-prefix", "")

    assert chosen(shell) == EmbedderChoice(
        kind=EmbedderKind.OLLAMA,
        model="b",
        endpoint="http://127.0.0.1:9",
        query_prefix="",
    )


def test_going_back_leaves_no_setting(shell: Shell) -> None:
    shell.run("models", "use", "ollama", "a", "--endpoint", "http://127.0.0.1:9")

    shell.run("models", "use", "static")

    assert chosen(shell) == EmbedderChoice()


@pytest.mark.parametrize(
    "args",
    [
        ("static", "a-model"),
        ("minilm", "--endpoint", "http://127.0.0.1:9"),
        ("hash",),
        (),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(
    shell: Shell, args: tuple[str, ...]
) -> None:
    assert shell.run("models", "use", *args).exit_code == 2
    assert asked(shell) == []


def test_the_group_alone_says_what_it_has(shell: Shell) -> None:
    result = shell.run("models")

    assert result.exit_code == 0
    assert "pull" in result.stdout
