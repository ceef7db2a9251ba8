"""Disks that are full, may only be read, or break: said in a sentence, nothing lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    archive_in,
    claude_file,
    dump,
    put,
    synced,
)
from tests.odd_worlds.running import (
    CHILDREN,
    Quoth,
    complaint,
    data_folder,
    refused,
    session_of,
)

from quoth.store import DATABASE

# A folder that may only be read

READ_ONLY = (
    'from=$1 at=$2; shift 2; mount -t tmpfs -o mode=700 tmpfs "$at"'
    ' && cp -p "$from"/quoth.db* "$at" && mount -o remount,bind,ro "$at" && exec "$@"'
)
READS = {
    "search": ["search", "taffrail"],
    "search without a sync": ["search", "taffrail", "--no-sync"],
    "show": ["show", KEY],
    "status": ["status"],
}


@pytest.fixture
def at_rest(
    quoth: Quoth, person: Path, tmp_path: Path, with_mounts: tuple[str, ...]
) -> Quoth:
    """Return quoth on a backup of an archive that lies where nobody can write."""
    assert quoth("sync").returncode == 0
    backup = tmp_path / "backup"
    backup.mkdir()
    shutil.copy2(data_folder(person) / DATABASE, backup)
    return on_read_only(quoth, backup, with_mounts)


def on_read_only(quoth: Quoth, folder: Path, mounts: Sequence[str]) -> Quoth:
    """Return quoth on what is in *folder*, as on a disk that may only be read."""
    at = folder.with_name("read-only")
    at.mkdir()
    inside = [*mounts, "sh", "-c", READ_ONLY, "sh", str(folder), str(at)]
    return replace(quoth, inside=inside).within(QUOTH_HOME=str(at))


@pytest.mark.parametrize("arguments", READS.values(), ids=READS)
def test_an_archive_that_may_only_be_read_answers(
    at_rest: Quoth, arguments: list[str]
) -> None:
    run = at_rest(*arguments)

    assert run.returncode == 0, run.stderr
    assert b"taffrail" in run.stdout or b"2 messages" in run.stdout


def test_a_citation_is_checked_in_an_archive_that_may_only_be_read(
    at_rest: Quoth, quoth: Quoth
) -> None:
    page = json.loads(quoth("search", "taffrail", "--json").stdout)

    run = at_rest("verify", page["hits"][0]["citation"])

    assert (run.returncode, run.stderr) == (0, b"")


def test_a_search_says_that_it_could_not_look_for_what_is_new(at_rest: Quoth) -> None:
    run = at_rest("search", "taffrail")

    assert complaint(run).startswith("quoth: New messages were not looked for: ")


def test_a_sync_of_an_archive_that_may_only_be_read_is_refused(at_rest: Quoth) -> None:
    run = at_rest("sync")

    assert "can't be used: its folder may only be read" in refused(run)


@pytest.fixture
def unmerged(tmp_path: Path) -> Path:
    """Return a copy of an archive whose last messages stand in its log alone."""
    put(claude_file(tmp_path), a_transcript("one"))
    synced(tmp_path).close()
    # While somebody else reads, what is new stays in the log.
    reader = sqlite3.connect(archive_in(tmp_path) / DATABASE, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchone()
    put(claude_file(tmp_path), a_transcript("one", "two"))
    synced(tmp_path).close()
    copy = tmp_path / "copy"
    shutil.copytree(archive_in(tmp_path), copy)
    reader.close()
    assert (copy / f"{DATABASE}-wal").stat().st_size
    return copy


def test_what_stands_in_the_log_of_an_archive_that_may_only_be_read_is_shown(
    quoth: Quoth, unmerged: Path, with_mounts: tuple[str, ...]
) -> None:
    run = on_read_only(quoth, unmerged, with_mounts)("show", KEY, "--json")

    shown = json.loads(run.stdout)["messages"]
    assert [message["text"] for message in shown] == ["one", "two"]


def test_an_archive_whose_log_cannot_be_read_is_refused_rather_than_half_shown(
    quoth: Quoth, unmerged: Path, with_mounts: tuple[str, ...]
) -> None:
    """The log needs a file beside it that can't be made there."""
    (unmerged / f"{DATABASE}-shm").unlink()

    run = on_read_only(quoth, unmerged, with_mounts)("show", KEY)

    assert "its folder may only be read" in refused(run)


# A full disk

ON_A_FULL_DISK = """
at=$1 clean=$2 python=$3
mount -t tmpfs -o size=64m,mode=700 tmpfs "$at"
dd if=/dev/zero of="$at/what fills it" bs=1M count=61 2> /dev/null
for words in sync "show KEY" "search taffrail" status; do
    "$python" -m quoth $words > "$clean/out" 2> "$clean/err"
    echo "$?" "$(wc -l < "$clean/out")" "$(tr '\\n' ' ' < "$clean/err")"
done
rm "$at/what fills it"
"$python" -m quoth sync > "$clean/out" 2> "$clean/err"
echo "$?" "$(tr '\\n' ' ' < "$clean/err")"
cp -p "$at"/archive/quoth.db* "$clean"
"""


def test_a_full_disk_is_said_to_be_full_and_what_is_recorded_stays_readable(
    quoth: Quoth, person: Path, tmp_path: Path, with_mounts: tuple[str, ...]
) -> None:
    turns = [f"taffrail {number} " + "harbour " * 60 for number in range(1_500)]
    put(session_of(person), a_transcript(*turns))
    small, clean = tmp_path / "small", tmp_path / "clean"
    small.mkdir()
    clean.mkdir(mode=0o700)
    script = ON_A_FULL_DISK.replace("KEY", KEY)

    run = quoth.within(QUOTH_HOME=str(small / "archive")).run(
        [*with_mounts, "sh", "-c", script, "sh", small, clean, sys.executable]
    )

    full, shown, found, status, resumed = run.stdout.decode().splitlines()
    refusal = f"{small / 'archive' / DATABASE} can't be used: the disk is full"
    assert full.startswith(f"1 0 quoth: {refusal}")
    assert shown.startswith("0 ")
    assert int(shown.split()[1]) > 100
    assert f"New messages were not looked for: {refusal}" in found
    assert [line.split()[0] for line in (found, status, resumed)] == ["0"] * 3
    assert quoth("sync").returncode == 0
    assert dump(clean) == dump(data_folder(person))


def test_a_migration_that_finds_the_disk_full_leaves_the_archive_as_it_was(
    quoth: Quoth, tmp_path: Path, with_mounts: tuple[str, ...]
) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    synced(tmp_path).close()
    child = CHILDREN / "migrating.py"

    run = quoth.run([*with_mounts, sys.executable, child, tmp_path])

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "refused": "ArchiveInaccessibleError: the disk is full (SQLITE_FULL)",
        "same": True,
        "shown": ["a question", "an answer"],
        "then": ["a question", "an answer"],
    }


# A disk that breaks

NUMBERS = {"pwrite64": 100, "fdatasync": 12, "ftruncate": 12, "write": 12, "fsync": 12}
"""System calls a sync writes with, and more of each than one makes here."""


@pytest.mark.slow
@pytest.mark.parametrize("call", NUMBERS)
def test_a_disk_that_breaks_at_any_call_costs_nothing_that_was_stored(
    quoth: Quoth, tmp_path: Path, with_faults: tuple[str, ...], call: str
) -> None:
    turns = ["Where is the taffrail of a ship?", "At the stern, above the rudder."]
    put(claude_file(tmp_path), a_transcript(turns[0]))
    if call in ("pwrite64", "fdatasync"):
        synced(tmp_path, home=tmp_path / "begun").close()
    put(claude_file(tmp_path), a_transcript(*turns))
    synced(tmp_path, home=tmp_path / "clean").close()
    number = str(NUMBERS[call])
    fault = ["-e", f"trace={call}", "-e", f"inject={call}:error=EIO:when={number}"]
    child = CHILDREN / "broken_disk.py"
    arguments: list[str | Path] = [child, tmp_path, call, number]

    run = quoth.run([*with_faults, *fault, sys.executable, *arguments])

    assert run.returncode == 0, run.stderr
    outcome = json.loads(run.stdout)
    assert outcome.pop("refused") > 0
    assert outcome.pop("done") <= 4
    assert outcome == {"otherwise": {}, "all": True, "wrong": []}
