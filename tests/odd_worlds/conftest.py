"""A person with a small history, and what only some systems can do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.odd_worlds.running import Quoth, a_person, surroundings


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """Return the home of somebody with one conversation."""
    return a_person(tmp_path / "person")


@pytest.fixture
def quoth(person: Path) -> Quoth:
    """Return quoth for that person, in a bare environment."""
    return Quoth(environ=surroundings(person))


# What only some systems can do


def missing(what: str) -> None:
    """Fail in CI, where every proof must run; elsewhere skip this one."""
    if os.environ.get("CI"):
        pytest.fail(f"CI must be able to use {what}")
    pytest.skip(f"{what} cannot be used here")


@pytest.fixture
def with_mounts() -> tuple[str, ...]:
    """Return the command in which what follows it can mount file systems of its own."""
    command = ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-rm")
    mount = "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d"
    if shutil.which("unshare") is None:
        missing("unshare")
    if subprocess.run(
        [*command, "sh", "-c", mount], check=False, capture_output=True
    ).returncode:
        missing("a mount namespace")
    return command


@pytest.fixture
def with_faults() -> tuple[str, ...]:
    """Return strace and its options, to which a call that is to fail can be added."""
    command = ("strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null")
    if shutil.which("strace") is None:
        missing("strace")
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode:
        missing("strace")
    return command
