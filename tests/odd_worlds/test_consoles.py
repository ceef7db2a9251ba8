"""Consoles that show little, are narrow, or go away: the answer comes all the same."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click
import pytest
from tests.builders import KEY, a_transcript, put
from tests.odd_worlds.running import (
    SAID,
    Quoth,
    Run,
    a_person,
    refused,
    session_of,
    surroundings,
)

from quoth.cli._app import app

COMMANDS: dict[str, tuple[str, ...]] = {
    "sync": ("sync",),
    "search": ("search", "taffrail 漢字"),
    "show": ("show", KEY),
    "status": ("status",),
    "verify": ("verify", "CITATION"),
    "import": ("import", "PERSON"),
    "embed": ("embed",),
    "models": ("models", "list"),
    "sources": ("sources",),
    "config": ("config", "list"),
    "doctor": ("doctor",),
    "redact": ("redact", "--report"),
    "forget": ("forget", "--list"),
    "demo": ("demo", "Wo ist die Straße? 漢字"),
}
"""Each command as it may be typed, with two words to put in."""

CONSOLES: dict[str, dict[str, str]] = {
    "cp1252": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"},
    "ascii": {"PYTHONUTF8": "0", "LC_ALL": "C"},
    "narrow": {"COLUMNS": "20", "FORCE_COLOR": "1"},
}
IN_C = CONSOLES["ascii"]


def every_command(quoth: Quoth) -> dict[str, Run]:
    """Run each command there is, the first of them a sync."""
    runs = {"sync": quoth("sync")}
    page = json.loads(quoth("search", "taffrail", "--json").stdout)
    words = {
        "CITATION": page["hits"][0]["citation"],
        "PERSON": quoth.environ["HOME"],
    }
    for name in app.list_commands(click.Context(app)):
        runs[name] = quoth(*(words.get(word, word) for word in COMMANDS[name]))
    return runs


def not_answered(runs: Mapping[str, Run]) -> dict[str, tuple[int, bytes]]:
    """Return how those runs ended that failed, complained or said nothing."""
    return {
        name: (run.returncode, run.stderr)
        for name, run in runs.items()
        if run.returncode or run.stderr or not run.stdout
    }


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Quoth:
    """Return quoth for somebody who synced already, for tests that change nothing."""
    home = a_person(tmp_path_factory.mktemp("recorded") / "person")
    quoth = Quoth(environ=surroundings(home))
    assert quoth("sync").returncode == 0
    return quoth


@pytest.mark.parametrize("console", CONSOLES)
def test_every_command_answers_on_every_console(quoth: Quoth, console: str) -> None:
    runs = every_command(quoth.within(**CONSOLES[console]))

    assert not_answered(runs) == {}


def test_no_command_opens_a_file_in_the_encoding_of_the_locale(quoth: Quoth) -> None:
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")

    runs = every_command(replace(quoth, python=strict))

    assert not_answered(runs) == {}


@pytest.mark.parametrize("command", ["search", "show", "status", "sources", "demo"])
def test_json_is_ascii_whatever_it_holds(recorded: Quoth, command: str) -> None:
    run = recorded.within(**IN_C)(*COMMANDS[command], "--json")

    assert (run.returncode, run.stderr, run.stdout.isascii()) == (0, b"", True)
    json.loads(run.stdout)


def test_json_holds_a_text_whole_on_a_console_that_cannot_show_it(
    recorded: Quoth,
) -> None:
    run = recorded.within(**IN_C)("show", KEY, "--json")

    assert json.loads(run.stdout)["messages"][0]["text"] == SAID


def test_nothing_a_console_lacks_is_needed_to_read_an_answer(
    quoth: Quoth, person: Path
) -> None:
    """Of words in ASCII nothing is written out: rules, dots and dashes are plain."""
    put(session_of(person), a_transcript("a taffrail", "at the stern"))
    in_c = quoth.within(**IN_C)

    runs = [
        in_c(*command)
        for command in (["sync"], ["search", "taffrail"], ["show", KEY], ["status"])
    ]

    said = b"".join(run.stdout for run in runs)
    assert b"a taffrail" in said
    assert said.isascii()
    assert b"\\" not in said


def test_a_question_beyond_ascii_is_understood_in_the_c_locale(recorded: Quoth) -> None:
    """Python hands such bytes over undecoded, and they are UTF-8 nearly always."""
    in_c = recorded.within(**IN_C)

    page = json.loads(in_c("search", '"漢字"', "--json").stdout)

    assert page["question"] == '"漢字"'
    assert [hit["conversation"] for hit in page["hits"]] == [KEY]


def test_a_repository_beyond_ascii_is_understood_in_the_c_locale(
    recorded: Quoth,
) -> None:
    in_c = recorded.within(**IN_C)

    page = json.loads(in_c("search", "taffrail", "--repo", "küste", "--json").stdout)

    assert page["filters"]["repo"] == "küste"


def test_bytes_that_are_no_text_are_no_crash(recorded: Quoth) -> None:
    run = recorded("search", "taffrail", "--repo", "k\udcfcste", "--json")

    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout)["filters"]["repo"] == "k\ufffdste"


def test_a_reader_that_has_seen_enough_ends_it_quietly(
    quoth: Quoth, person: Path
) -> None:
    """As `quoth show KEY | head -1`, with more to say than a pipe holds."""
    put(session_of(person), a_transcript(*("taffrail " * 50 for _ in range(400))))
    assert quoth("sync").returncode == 0

    run = quoth.run(["sh", "-c", f'"$0" -m quoth show {KEY} | head -1', sys.executable])

    assert run.stderr == b""
    assert run.stdout.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("arguments", ["status", "search taffrail", "--help"])
def test_output_that_cannot_be_written_is_said_to_be_so(
    recorded: Quoth, arguments: str
) -> None:
    run = recorded.run(
        ["sh", "-c", f'"$0" -m quoth {arguments} > /dev/full', sys.executable]
    )

    assert refused(run) == (
        "quoth: The output can't be written: no space left on device."
    )


def test_a_terminal_that_hides_everything_past_ascii_still_shows_names(
    quoth: Quoth, person: Path
) -> None:
    """A name that Python could not decode is read as UTF-8 before it is shown."""
    put(person / ".claude/projects/-x/küste.jsonl", b"no JSON\n")
    on_latin = quoth.within(LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")

    run = on_latin("sync")

    assert run.returncode == 3
    assert "küste.jsonl" in run.stdout.decode("latin-1")
