"""How much a sync does: nothing twice, in bounded memory, in step with what is new."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import (
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    plain_file,
    put,
    synced,
)
from tests.ingest.histories import a_history
from tests.sources import claude_records as claude

from quoth.store import _writer
from quoth.store._connection import connect_writer

UUID = "11111111-2222-4333-8444-555555555555"
CHILD = Path(__file__).parent / "children" / "syncing.py"
ROOT = Path(__file__).resolve().parents[2]
GENERATE = ROOT / "benchmarks" / "generate_history.py"


def in_a_process(folder: Path, way: str) -> object:
    run = subprocess.run(
        [sys.executable, CHILD, folder, way],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    return json.loads(run.stdout)


def test_a_sync_with_nothing_new_opens_no_source_file(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    synced(tmp_path).close()

    assert in_a_process(tmp_path, "opens") == {}


def test_a_sync_opens_the_file_that_changed_and_no_other(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    synced(tmp_path).close()
    with claude_file(tmp_path).open("ab") as file:
        file.write(claude.lines(claude.said("new", "One more thing.")))

    assert in_a_process(tmp_path, "opens") == {str(claude_file(tmp_path)): 1}


def test_a_file_that_grew_is_read_from_where_it_stopped(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript(*["a long history"] * 400))
    archive = synced(tmp_path)
    more = claude.lines(claude.said("new", "One more thing."))
    with path.open("ab") as file:
        file.write(more)

    report = archive.sync()

    assert (report.bytes_read, report.messages_new) == (len(more), 1)


def test_a_file_that_was_read_anew_counts_whole(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    archive = synced(tmp_path)
    put(path, a_transcript("another question", "an answer", "more"))

    assert archive.sync().bytes_read == path.stat().st_size


# Statements


@pytest.fixture
def steps_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], int]:
    """Return a function that syncs a folder and counts the steps SQLite took.

    One call for every hundred instructions of its virtual machine: rows that are
    walked cost as much as statements.
    """
    steps = 0

    def tick() -> int:
        nonlocal steps
        steps += 1
        return 0

    def connect_and_count(home: Path) -> sqlite3.Connection:
        connection = connect_writer(home)
        connection.set_progress_handler(tick, 100)
        return connection

    monkeypatch.setattr(_writer, "connect_writer", connect_and_count)

    def count(folder: Path) -> int:
        nonlocal steps
        steps = 0
        an_archive(folder).sync()
        return steps

    return count


def many_files(folder: Path, count: int) -> None:
    for number in range(count):
        name = f"00000000-0000-4000-8000-{number:012}"
        content = a_transcript("a question", "an answer", ids=f"{number}m")
        put(claude_file(folder, name), content)


def test_the_work_for_many_small_files_grows_as_they_do(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    many_files(few, 50)
    many_files(many, 200)

    assert steps_of(many) < 4.5 * steps_of(few)


def test_the_work_for_files_that_were_rewritten_grows_as_they_do(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    steps = []
    for folder, count in ((tmp_path / "few", 50), (tmp_path / "many", 200)):
        many_files(folder, count)
        synced(folder).close()
        for path in folder.glob("projects/**/*.jsonl"):
            put(path, path.read_bytes().replace(b"an answer", b"another"))
        steps.append(steps_of(folder))

    assert steps[1] < 4.5 * steps[0]


def test_the_work_for_files_that_are_gone_grows_as_they_do(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    steps = []
    for folder, count in ((tmp_path / "few", 50), (tmp_path / "many", 200)):
        many_files(folder, count)
        synced(folder).close()
        moved = folder / "projects" / "-moved"
        claude_file(folder).parent.rename(moved)
        steps.append(steps_of(folder))

    assert steps[1] < 4.5 * steps[0]


def test_the_work_for_a_new_line_does_not_depend_on_the_file_before_it(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    steps = []
    for folder, count in ((tmp_path / "few", 100), (tmp_path / "many", 1600)):
        path = put(claude_file(folder), a_transcript(*["said before"] * count))
        synced(folder).close()
        put(path, a_transcript(*["said after"] * count))
        synced(folder).close()
        more = claude.answered("new", "One more thing.", usage={"output_tokens": 9})
        with path.open("ab") as file:
            file.write(claude.lines(more))
        steps.append(steps_of(folder))

    assert steps[1] < 2 * steps[0]


def test_the_work_for_a_new_line_does_not_depend_on_what_was_copied_before_it(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    """A session that was resumed begins with all of the one before."""
    steps = []
    for folder, count in ((tmp_path / "few", 100), (tmp_path / "many", 1600)):
        original = a_transcript(*["said before"] * count)
        put(claude_file(folder), original)
        path = put(
            claude_file(folder, "00000000-0000-4000-8000-0000000000bb"),
            original + new_line("n1", 11),
        )
        synced(folder).close()
        with path.open("ab") as file:
            file.write(new_line("n2", 12))
        steps.append(steps_of(folder))

    assert steps[1] < 2 * steps[0]


def test_the_work_for_an_id_that_many_messages_share_grows_as_they_do(
    tmp_path: Path, steps_of: Callable[[Path], int]
) -> None:
    """A prepared export may give one id to all that it holds."""
    steps = []
    for folder, count in ((tmp_path / "few", 500), (tmp_path / "many", 2000)):
        turns = [
            {"role": "user", "content": f"turn {n}", "session_id": f"s{n}", "id": UUID}
            for n in range(count)
        ]
        put(plain_file(folder), b"\n".join(json.dumps(t).encode() for t in turns))
        steps.append(steps_of(folder))

    assert steps[1] < 4.5 * steps[0]


def new_line(uuid: str, hour: int) -> bytes:
    at = f"2026-05-01T{hour}:00:00Z"
    return claude.lines(claude.said(uuid, "One more thing.", timestamp=at))


# Memory


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for megabytes in (4, 20):
        folder = tmp_path / str(megabytes)
        subprocess.run(
            [sys.executable, GENERATE, folder, "--rollout-mb", str(megabytes)],
            check=True,
            capture_output=True,
        )
        (folder / "sessions").symlink_to(folder / ".codex" / "sessions")
        peak = in_a_process(folder, "memory")
        assert isinstance(peak, int)
        peaks.append(peak)
        shutil.rmtree(archive_in(folder))

    assert peaks[1] - peaks[0] < 16 * 1024
    assert peaks[1] < 200 * 1024
