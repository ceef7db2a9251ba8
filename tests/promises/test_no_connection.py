"""README: quoth opens no connection.

Three proofs, each beside the attempt that shows it can fail: sockets refused inside
Python, no route out of the process's network namespace, and the kernel's own record of
its system calls.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Child = Callable[..., subprocess.CompletedProcess[str]]

NOWHERE = "192.0.2.1"
"""An address kept for documentation (RFC 5737), tried only where no route exists."""


def missing(what: str) -> None:
    """Fail in CI, where every proof must run; elsewhere skip this one."""
    if os.environ.get("CI"):
        pytest.fail(f"CI must be able to use {what}")
    pytest.skip(f"{what} cannot be used here")


@pytest.fixture
def without_routes() -> tuple[str, ...]:
    """Return the command that gives what follows it a network namespace of its own."""
    command = ("unshare", "--net") if os.geteuid() == 0 else ("unshare", "-r", "--net")
    if shutil.which("unshare") is None:
        missing("unshare")
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode:
        missing("a network namespace")
    return command


@pytest.fixture
def traced(tmp_path: Path) -> tuple[str | Path, ...]:
    """Return the command that records network system calls of what follows it."""
    command = ("strace", "-f", "-qq", "-e", "trace=%network,io_uring_setup")
    if shutil.which("strace") is None:
        missing("strace")
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode:
        missing("strace")
    return (*command, "-o", tmp_path / "trace")


def internet_calls(tmp_path: Path) -> list[str]:
    """Return the recorded calls with an internet address, or hidden from strace."""
    lines = (tmp_path / "trace").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "AF_INET" in line or "io_uring_setup" in line]


def assert_worked(run: subprocess.CompletedProcess[str]) -> None:
    """Assert that the everyday script did all it does and found what it should."""
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    del answer["modes"]
    assert answer == {
        "messages_new": 4,
        "embedded": 4,
        "hits": {"words": 1, "meaning": 1, "both": 1},
        "shown": 4,
        "outcome": "verified_against_source",
        "recorded": 4,
        "network_modules": [],
    }


def test_quoth_works_where_every_socket_is_refused(
    child: Child, home: Path, projects: Path
) -> None:
    run = child("sealed.py", "everyday.py", home, projects)

    assert_worked(run)


def test_a_connection_is_refused_where_every_socket_is(child: Child) -> None:
    run = child("sealed.py", "connect.py", "127.0.0.1", "9")

    assert (run.returncode, run.stderr) == (9, "attempted: socket.__new__\n")


def test_a_refusal_that_is_caught_still_counts(child: Child, tmp_path: Path) -> None:
    careless = tmp_path / "careless"
    careless.write_text(
        "import contextlib, socket\n"
        "with contextlib.suppress(OSError):\n"
        "    socket.getaddrinfo('localhost', 9)\n",
        encoding="utf-8",
    )

    run = child("sealed.py", careless)

    assert (run.returncode, run.stderr) == (9, "attempted: socket.getaddrinfo\n")


def test_quoth_works_where_no_route_leads_out(
    child: Child, home: Path, projects: Path, without_routes: tuple[str, ...]
) -> None:
    run = child("everyday.py", home, projects, inside=without_routes)

    assert_worked(run)


def test_a_connection_fails_where_no_route_leads_out(
    child: Child, without_routes: tuple[str, ...]
) -> None:
    run = child("connect.py", NOWHERE, "443", inside=without_routes)

    assert run.returncode == 1
    assert "Network is unreachable" in run.stderr


def test_the_kernel_sees_no_internet_call(
    child: Child,
    home: Path,
    projects: Path,
    traced: tuple[str | Path, ...],
    tmp_path: Path,
) -> None:
    run = child("everyday.py", home, projects, inside=traced)

    assert_worked(run)
    assert internet_calls(tmp_path) == []


def test_the_kernel_would_see_an_internet_call(
    child: Child, traced: tuple[str | Path, ...], tmp_path: Path
) -> None:
    child("connect.py", "127.0.0.1", "9", inside=traced)

    assert len(internet_calls(tmp_path)) >= 2
