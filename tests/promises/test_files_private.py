"""README: the archive is readable by its owner alone, and sources are only read."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Child = Callable[..., subprocess.CompletedProcess[str]]

umasks = pytest.mark.parametrize("umask", [0o000, 0o022], ids=oct)


def mode_of(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


def private_mode(path: Path) -> str:
    return "0o700" if path.is_dir() else "0o600"


def state_of(folder: Path) -> dict[Path, tuple[int, int, bytes]]:
    """Return everything about a tree that reading it must not change."""
    return {
        path: (
            path.stat().st_mode,
            path.stat().st_mtime_ns,
            b"" if path.is_dir() else path.read_bytes(),
        )
        for path in (folder, *folder.rglob("*"))
    }


@umasks
def test_everything_in_the_data_folder_is_private(
    child: Child, home: Path, projects: Path, umask: int
) -> None:
    run = child("everyday.py", home, projects, umask=umask)

    assert run.returncode == 0, run.stderr
    found = {path: mode_of(path) for path in (home, *home.rglob("*"))}
    assert found == {path: private_mode(path) for path in found}


@umasks
def test_everything_in_the_data_folder_is_private_while_it_is_in_use(
    child: Child, home: Path, projects: Path, umask: int
) -> None:
    """SQLite gives its side files the database's mode, so that must be right first."""
    run = child("everyday.py", home, projects, umask=umask)

    assert run.returncode == 0, run.stderr
    modes = json.loads(run.stdout)["modes"]
    assert modes["quoth.db"] == "0o600"
    assert set(modes.values()) == {"0o600", "0o700"}


def test_a_sync_leaves_the_sources_as_they_were(
    child: Child, home: Path, projects: Path
) -> None:
    before = state_of(projects)

    run = child("everyday.py", home, projects)

    assert run.returncode == 0, run.stderr
    assert state_of(projects) == before


def test_nothing_is_written_outside_the_data_folder(
    child: Child, home: Path, projects: Path, tmp_path: Path
) -> None:
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(home)}

    run = child("everyday.py", home, projects)

    assert run.returncode == 0, run.stderr
    after = {path for path in tmp_path.rglob("*") if not path.is_relative_to(home)}
    assert after - before <= {home.parent}
