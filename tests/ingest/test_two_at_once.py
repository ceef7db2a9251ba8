"""Several processes on one archive: one writes, the others wait or read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    dump,
    found,
    later,
    put,
    synced,
)

from quoth.embedding._hash import HashEmbedder
from quoth.errors import ArchiveBusyError
from quoth.ingest import sync
from quoth.store import ArchiveWriter, Policy

CHILD = Path(__file__).parent / "children" / "syncing.py"
ROOT = Path(__file__).resolve().parents[2]

Process: TypeAlias = "subprocess.Popen[str]"
Start: TypeAlias = Callable[[str], Process]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a child on the history in `tmp_path`."""
    started: list[Process] = []

    def begin(way: str) -> Process:
        process = subprocess.Popen(
            [sys.executable, CHILD, tmp_path, way],
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def said(process: Process) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
def holder(tmp_path: Path, start: Start) -> Process:
    """Return a process that is in the middle of a sync."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    process = start("held")
    assert said(process) == "syncing"
    return process


def test_a_second_sync_gives_up_and_says_who_holds_the_archive(
    tmp_path: Path, holder: Process
) -> None:
    policy = Policy(embeddable=lambda _: False, repo_of=lambda _: None)

    with (
        ArchiveWriter(archive_in(tmp_path), policy=policy) as writer,
        pytest.raises(ArchiveBusyError, match=f"by process {holder.pid} since 20"),
    ):
        sync(writer, [], {}, embedders=[HashEmbedder()], clock=later, wait_s=0.1)


def test_a_refresh_does_not_wait_at_all(tmp_path: Path, holder: Process) -> None:
    assert holder.poll() is None

    assert an_archive(tmp_path).refresh(budget_s=60) is None


def test_a_second_sync_goes_on_when_the_first_is_done(
    tmp_path: Path, holder: Process, start: Start
) -> None:
    second = start("once")
    assert said(second) == "ready"
    second.stdin.write("go\n")  # type: ignore[union-attr]
    second.stdin.flush()  # type: ignore[union-attr]

    holder.communicate(timeout=30)

    assert (second.communicate(timeout=30)[0].strip(), holder.returncode) == ("0", 0)
    assert_consistent(archive_in(tmp_path))


def test_a_killed_sync_leaves_no_lock(tmp_path: Path, holder: Process) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait(timeout=30)
    archive = an_archive(tmp_path)

    report = archive.refresh(budget_s=60)

    assert report is not None
    synced(tmp_path, home=tmp_path / "clean").close()
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "clean")
    assert_consistent(archive_in(tmp_path))


def test_first_syncs_at_the_same_time_all_succeed(tmp_path: Path, start: Start) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    processes = [start("once") for _ in range(4)]
    assert [said(process) for process in processes] == ["ready"] * 4

    for process in processes:
        process.stdin.write("go\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
    answers = sorted(each.communicate(timeout=60)[0].strip() for each in processes)

    assert answers == ["0", "0", "0", "2"]
    assert_consistent(archive_in(tmp_path))


def test_a_reader_is_never_locked_out(tmp_path: Path, start: Start) -> None:
    writer = start("grow")
    counts = [0]
    while writer.poll() is None:
        with an_archive(tmp_path) as archive:
            page = archive.search("marlinspike")
            if page.hits:
                counts.append(len(archive.show(KEY).messages))
                archive.status()
                archive.verify(page.hits[0].citation)

    assert json.loads(writer.communicate()[0]) == 50
    assert counts == sorted(counts)
    assert_consistent(archive_in(tmp_path))


def test_one_reader_sees_what_was_added_since(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("marlinspike one"))
    synced(tmp_path).close()
    reader = an_archive(tmp_path)
    before = found(reader, "marlinspike")

    put(path, a_transcript("marlinspike one", "marlinspike two"))
    synced(tmp_path).close()

    assert (before, found(reader, "marlinspike")) == (
        ["marlinspike one"],
        ["marlinspike one", "marlinspike two"],
    )
