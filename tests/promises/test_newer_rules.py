"""What today's rules hide is shown nowhere, also where older ones let it be stored.

Every command there is is run, for people and as JSON, on an archive that quoth has
stored with no rules at all, before the sync that lets today's through.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from tests.builders import KEY, an_archive, change, put, rows
from tests.cli.fakes import NOW
from tests.ingest.leaky import (
    KNOWN_KEYS,
    PLACES,
    RESUMED,
    a_leaky_history,
    every_byte,
    leaked,
    stored_without_rules,
)

from quoth.archive import Archive
from quoth.cli._app import app
from quoth.cli._runtime import Runtime
from quoth.config import Settings

CUT_BY_ITS_SOURCE = {"title", "command"}
"""Redacted by the source itself, too, before it cuts them to their length."""

SHOWING = {
    "search": ("search", "harbour OR master noted login older", "--limit", "50"),
    "search for tools": ("search", "login"),
    "search by meaning": ("search", "the harbour master", "--mode", "meaning"),
    "search superseded": ("search", "older", "--include", "superseded"),
    "show": ("show", KEY, "--include", "superseded"),
    "show a part": ("show", f"{KEY}#2"),
    "show a copy": ("show", f"claude_code:{RESUMED}"),
    "status": ("status",),
    "sources": ("sources",),
    "doctor": ("doctor", "--deep"),
    "forget, to look": ("forget", KEY, "--dry-run"),
}
"""Calls that print what is stored, each also with `--json`."""

NOTHING_STORED = {
    "config",
    "demo",
    "embed",
    "import",
    "models",
    "redact",
    "sync",
    "verify",
}
"""Commands that print nothing stored, or only after today's rules went through it.

`verify` prints a message, and has a test of its own, for it needs a citation.
"""


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of somebody whose archive holds keys; nothing syncs it."""
    folder = tmp_path_factory.mktemp("person")
    a_leaky_history(folder, KNOWN_KEYS)
    archive = stored_without_rules(folder)
    put(archive.home / "config.toml", b"sync_before_search = false\n")
    # As an importer would remember them that bound nothing.
    change(
        archive.home,
        f"UPDATE conversation SET title = 'harbour {KNOWN_KEYS['title']}',"  # noqa: S608
        " title_words = NULL",
        f"UPDATE tool_call SET input = 'login --with {KNOWN_KEYS['command']}'"  # noqa: S608
        " WHERE command IS NOT NULL",
        "INSERT INTO titles (titles) VALUES ('rebuild')",
    )
    return folder


def run(folder: Path, *args: str) -> Result:
    def opened(settings: Settings) -> Archive:
        return an_archive(folder, home=settings.home)

    runtime = Runtime(
        environ={"QUOTH_HOME": str(folder / "archive")},
        home_dir=folder,
        now=lambda: NOW,
        open_archive=opened,
        program=lambda: "quoth",
    )
    return CliRunner().invoke(app, args, obj=runtime)


def test_the_keys_are_in_the_archive(person: Path) -> None:
    """Otherwise these tests would show nothing."""
    assert leaked(every_byte(person / "archive"), KNOWN_KEYS) == set(PLACES)


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("call", SHOWING.values(), ids=SHOWING)
def test_no_output_holds_what_todays_rules_hide(
    person: Path, call: tuple[str, ...], form: tuple[str, ...]
) -> None:
    result = run(person, *call, *form)

    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout
    assert leaked(result.stdout + result.stderr, KNOWN_KEYS) == set()
    if form:
        json.loads(result.stdout)


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_a_verdict_holds_nothing_either(person: Path, form: tuple[str, ...]) -> None:
    shown = json.loads(run(person, "show", KEY, "--json").stdout)

    results = [
        run(person, "verify", message["citation"], *form)
        for message in shown["messages"]
    ]

    assert [result.exit_code for result in results] == [0] * 6
    assert all(
        leaked(result.stdout + result.stderr, KNOWN_KEYS) == set() for result in results
    )


def test_every_command_was_thought_of() -> None:
    assert {call[0] for call in SHOWING.values()} | NOTHING_STORED == {
        *app.list_commands(click.Context(app))
    }


def test_the_mark_stands_where_a_key_stood(person: Path) -> None:
    page = json.loads(run(person, "search", "noted", "--json").stdout)

    (hit,) = page["hits"]
    assert hit["text"] == "I noted [REDACTED:github_token] for the harbour master."
    assert hit["title"] == "harbour [REDACTED:github_token]"
    start, end = hit["marks"][0]
    assert hit["snippet"][start:end] == "noted"


def test_the_counts_are_those_of_the_archive(person: Path) -> None:
    page = json.loads(run(person, "search", "harbour", "--json").stdout)
    status = json.loads(run(person, "status", "--json").stdout)

    total = rows(person / "archive", "SELECT count(*) FROM message")[0][0]
    assert page["recorded"]["messages"] == status["recorded"]["messages"]
    assert status["waiting_for_rules"] == total
    assert page["shown"]["messages"] == len(page["hits"]) > 0


def test_the_doctor_says_that_rules_are_newer(person: Path) -> None:
    report = json.loads(run(person, "doctor", "--json").stdout)

    (finding,) = (each for each in report["findings"] if each["check"] == "rules")
    assert finding["state"] == "warning"
    assert "9 messages to go through" in finding["says"]


def test_nothing_of_that_was_written(person: Path) -> None:
    """Reading changes nothing: the archive still waits for the sync."""
    assert leaked(every_byte(person / "archive"), KNOWN_KEYS) == set(PLACES)


def test_the_sync_says_what_it_took_out(tmp_path: Path) -> None:
    a_leaky_history(tmp_path, KNOWN_KEYS)
    home = stored_without_rules(tmp_path).home

    result = run(tmp_path, "sync")

    assert "Newer rules found secrets in 7 stored messages" in result.stdout
    assert leaked(every_byte(home), KNOWN_KEYS) == set()
    assert run(tmp_path, "doctor").exit_code == 0
