"""Processes that are killed, interrupted, starved, or meet another program's."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    dump,
    put,
    synced,
    texts,
)
from tests.ingest.histories import a_history
from tests.odd_worlds.running import (
    CHILDREN,
    SAID,
    Quoth,
    complaint,
    data_folder,
    refused,
    session_of,
)

from quoth.cli._app import app
from quoth.errors import ArchiveBusyError, ArchiveError
from quoth.store import DATABASE, _connection

# Killed


@pytest.mark.slow
def test_a_sync_may_be_killed_at_any_moment(quoth: Quoth, tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    child = CHILDREN / "killed_at_random.py"

    run = quoth.run([sys.executable, child, tmp_path, "20", "1"])

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {"killed": 20, "wrong": []}


@pytest.fixture
def half_made(tmp_path: Path) -> Path:
    """Return a copy of a database as a kill leaves it before it has a log."""
    put(claude_file(tmp_path), a_transcript("a question"))
    home = archive_in(tmp_path)
    home.mkdir(mode=0o700)
    connection = sqlite3.connect(home / DATABASE, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE spilled AS SELECT zeroblob(100000) AS filled")
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    connection.close()
    assert (copy / f"{DATABASE}-journal").stat().st_size
    return copy


def test_a_database_that_was_left_half_made_asks_for_a_sync(
    tmp_path: Path, half_made: Path
) -> None:
    with pytest.raises(ArchiveError, match="by a program that ended midway") as caught:
        an_archive(tmp_path, home=half_made).status()

    assert caught.value.hint == "Run `quoth sync` once; it puts that in order."


def test_a_sync_puts_a_database_in_order_that_was_left_half_made(
    tmp_path: Path, half_made: Path
) -> None:
    assert texts(synced(tmp_path, home=half_made)) == ["a question"]


@pytest.fixture
def unmerged(tmp_path: Path) -> Path:
    """Return a copy of an archive in which several commits stand in the log alone."""
    put(claude_file(tmp_path), a_transcript("turn 0"))
    synced(tmp_path).close()
    reader = sqlite3.connect(archive_in(tmp_path) / DATABASE, isolation_level=None)
    reader.execute("BEGIN")  # while it reads, nothing is merged
    reader.execute("SELECT count(*) FROM message").fetchone()
    for number in range(1, 6):
        turns = (f"turn {turn}" for turn in range(number + 1))
        put(claude_file(tmp_path), a_transcript(*turns))
        synced(tmp_path).close()
    copy = tmp_path / "copy"
    shutil.copytree(archive_in(tmp_path), copy)
    reader.close()
    return copy


def test_a_log_cut_anywhere_leaves_a_state_that_was_committed(
    tmp_path: Path, unmerged: Path
) -> None:
    """As a power cut leaves it; half of them with a byte that the disk got wrong."""
    log = (unmerged / f"{DATABASE}-wal").read_bytes()
    chance = random.Random(1)  # noqa: S311 - places, no secrets
    states = set()
    for number in range(40):
        left = bytearray(log[: chance.randrange(len(log))])
        if number % 2 and left:
            left[chance.randrange(len(left))] ^= 1 << chance.randrange(8)
        home = tmp_path / f"cut-{number}"
        home.mkdir(mode=0o700)
        shutil.copy2(unmerged / DATABASE, home)
        put(home / f"{DATABASE}-wal", bytes(left))
        with an_archive(tmp_path, home=home) as archive:
            shown = texts(archive)
        assert shown == [f"turn {turn}" for turn in range(len(shown))]
        assert_consistent(home, embedded=False)
        states.add(len(shown))

    assert len(states) > 2


def test_a_sync_goes_on_from_a_log_that_was_cut(tmp_path: Path, unmerged: Path) -> None:
    log = unmerged / f"{DATABASE}-wal"
    os.truncate(log, log.stat().st_size // 2)
    (unmerged / f"{DATABASE}-shm").unlink()

    synced(tmp_path, home=unmerged).close()

    assert dump(unmerged) == dump(archive_in(tmp_path))


def test_a_damaged_database_is_answered_from_or_refused_but_never_a_crash(
    quoth: Quoth, tmp_path: Path
) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    child = CHILDREN / "damaged.py"

    run = quoth.run([sys.executable, child, tmp_path, "60", "1"])

    assert run.returncode == 0, run.stderr
    outcomes = json.loads(run.stdout)
    assert outcomes.pop("refused") > 100
    assert outcomes.pop("answered") > 20
    assert outcomes == {}


# Interrupted

MOMENTS = [
    "import:quoth.cli._app",
    "import:quoth.archive",
    "fcntl.flock:",
    "open:aa.jsonl",
    "import:numpy",
    "os.rename:",
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_ends_a_sync_quietly_and_loses_nothing(
    quoth: Quoth, person: Path, moment: str
) -> None:
    run = quoth.in_world("interrupted", CTRL_C_AT=moment)("sync")

    assert (run.returncode, "Traceback" in complaint(run)) == (130, False)
    assert quoth("sync").returncode == 0
    shown = json.loads(quoth("show", KEY, "--json").stdout)
    assert shown["messages"][0]["text"] == SAID
    assert_consistent(data_folder(person))


@pytest.mark.parametrize("command", ["search taffrail", f"show {KEY}", "status"])
def test_ctrl_c_ends_a_question_quietly(quoth: Quoth, command: str) -> None:
    assert quoth("sync").returncode == 0
    world = quoth.in_world("interrupted", CTRL_C_AT="sqlite3.connect:")

    run = world(*command.split())

    assert (run.returncode, complaint(run)) == (130, "quoth: Interrupted.")


# Starved


def test_few_descriptors_are_enough_for_many_files(quoth: Quoth, person: Path) -> None:
    for number in range(200):
        name = f"00000000-0000-4000-8000-{number:012}"
        put(session_of(person, name), a_transcript(f"taffrail {number}"))

    run = quoth.run(
        ["sh", "-c", 'ulimit -n 64; exec "$0" -m quoth sync --json', sys.executable]
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["units_read"] == 201


# Others


def test_an_archive_of_a_newer_quoth_is_refused_and_no_byte_of_it_changes(
    quoth: Quoth, person: Path
) -> None:
    assert quoth("sync").returncode == 0
    home = data_folder(person)
    connection = sqlite3.connect(home / DATABASE)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = {path: path.read_bytes() for path in home.glob(f"{DATABASE}*")}

    runs = [
        quoth(*command)
        for command in (["sync"], ["search", "x"], ["show", KEY], ["status"])
    ]

    assert [refused(run).count("written by a newer quoth") for run in runs] == [1] * 4
    after = {path: path.read_bytes() for path in before}
    assert after == before


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for another program a moment, not seconds."""
    guards = (*_connection._GUARDS, "PRAGMA busy_timeout = 20")
    monkeypatch.setattr(_connection, "_GUARDS", guards)


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_program_has_locked_is_said_to_be_locked(
    tmp_path: Path,
) -> None:
    put(claude_file(tmp_path), a_transcript("a question"))
    archive = synced(tmp_path)
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    other = sqlite3.connect(archive_in(tmp_path) / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(ArchiveBusyError, match="is being written by another program"):
        archive.sync()

    other.close()
    assert archive.sync().messages_new == 1


@pytest.mark.usefixtures("impatient")
def test_a_search_answers_while_another_program_has_the_database_locked(
    quoth: Quoth, person: Path
) -> None:
    assert quoth("sync").returncode == 0
    put(session_of(person), a_transcript(SAID, "an answer", "and more"))
    in_process = CliRunner(env=quoth.environ)
    other = sqlite3.connect(data_folder(person) / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    result = in_process.invoke(app, ["search", "taffrail", "--json"])

    other.close()
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["hits"]) == 1
    assert result.stderr.startswith("quoth: New messages were not looked for: ")


@pytest.mark.parametrize("mode", ["words", "meaning"])
def test_sqlite_need_not_be_able_to_load_extensions(quoth: Quoth, mode: str) -> None:
    world = quoth.in_world("no_extensions")
    assert world("sync").returncode == 0

    page = json.loads(world("search", "the taffrail", "--mode", mode, "--json").stdout)

    assert [hit["conversation"] for hit in page["hits"]] == [KEY]
    assert page["hits"][0]["matched_by"] == [mode]


LACKING = {
    "fts5": "the full-text index FTS5",
    "STRICT": "STRICT tables",
    "RETURNING": "RETURNING",
    "->>": "JSON with ->>",
}


@pytest.mark.parametrize("word", LACKING)
def test_an_sqlite_that_lacks_something_is_told_so_before_anything_is_made(
    quoth: Quoth, person: Path, word: str
) -> None:
    run = quoth.in_world("old_sqlite", LACKING=word)("sync")

    assert LACKING[word] in refused(run)
    assert not data_folder(person).exists()
