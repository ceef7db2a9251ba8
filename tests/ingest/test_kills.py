"""Killed at any commit and run again, a sync comes to what one clean run comes to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    dump,
    interrupted_at,
    put,
    synced,
    texts,
)
from tests.ingest.histories import RESUMED, a_history

CHILDREN = Path(__file__).parent / "children"
ROOT = Path(__file__).resolve().parents[2]


def killed(folder: Path, homes: Path) -> tuple[dict[str, str], list[Path]]:
    """Return what was wrong, and the archives: the clean one first."""
    homes.mkdir()
    run = subprocess.run(
        [sys.executable, CHILDREN / "killed.py", folder, homes],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    made = sorted(homes.iterdir(), key=lambda home: int(home.name))
    return json.loads(run.stdout), made


def assert_equal(clean: Path, resumed: list[Path]) -> None:
    expected = dump(clean)
    different = [home.name for home in resumed if dump(home) != expected]
    assert different == []
    for home in resumed:
        assert_consistent(home)


def test_a_first_sync_may_be_killed_at_any_commit(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)

    wrong, (clean, *resumed) = killed(tmp_path, tmp_path / "homes")

    assert wrong == {}
    assert len(resumed) >= 25
    assert_equal(clean, resumed)


def test_a_sync_of_what_changed_may_be_killed_at_any_commit(tmp_path: Path) -> None:
    """Files that grew, were rewritten, moved and vanished since."""
    whole = a_history(tmp_path)
    for path, content in whole.items():
        put(path, content[: len(content) // 2])
    synced(tmp_path, home=tmp_path / "begun").close()
    for path, content in whole.items():
        put(path, content)
    put(claude_file(tmp_path, RESUMED), a_transcript(*(f"turn {n}" for n in range(12))))
    moved = tmp_path / "projects" / "-moved" / f"{SESSION}.jsonl"
    moved.parent.mkdir()
    claude_file(tmp_path).rename(moved)
    next(iter(tmp_path.glob("sessions/**/*.jsonl"))).unlink()

    wrong, (clean, *resumed) = killed(tmp_path, tmp_path / "homes")

    assert wrong == {}
    assert len(resumed) > 15
    assert_equal(clean, resumed)


@pytest.mark.parametrize("place", range(1, 8))
def test_an_interrupted_sync_says_so_and_goes_on_next_time(
    tmp_path: Path, place: int
) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = an_archive(tmp_path)

    report = archive.sync(progress=interrupted_at(place))

    resumed = archive.sync()
    assert (report.interrupted, resumed.interrupted) == (True, False)
    synced(tmp_path, home=tmp_path / "clean").close()
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "clean")
    assert_consistent(archive_in(tmp_path))


def test_what_was_read_before_an_interruption_is_found(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = an_archive(tmp_path)

    archive.sync(progress=interrupted_at(2))

    assert texts(archive, KEY) != []
    assert_consistent(archive_in(tmp_path), embedded=False)


def test_a_sync_without_time_stops_after_a_batch_and_a_later_one_completes_it(
    tmp_path: Path,
) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = an_archive(tmp_path)

    first = archive.sync(budget_s=0)
    archive.sync()

    assert first.units_read < 7
    synced(tmp_path, home=tmp_path / "clean").close()
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "clean")


def test_syncs_without_time_come_to_an_end(tmp_path: Path) -> None:
    """Each does at least one batch, or a slow machine would never be done."""
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = an_archive(tmp_path)

    reports = [archive.sync(budget_s=1e-9) for _ in range(30)]

    assert sum(report.units_read for report in reports) == 7
