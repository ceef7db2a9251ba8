"""README: quoth opens no connection.

Three proofs, each beside the attempt that shows it can fail: sockets refused inside
Python, no route out of the process's network namespace, and the kernel's own record of
its system calls.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import pytest

Child = Callable[..., subprocess.CompletedProcess[str]]

OF_ALL_COMMANDS = "QUOTH_PROOF_PYTHON" in os.environ
"""Whether it is the installed program that is looked at, as CI does: all of it takes a
minute under strace, which is too much for every day."""

ASKING = ("sync", "models pull", "models use", "embed", "search")
"""What asks a server of models."""


WRITING = re.compile(
    r'\(AT_FDCWD<([^>]*/quoth-proof-[^>]*/work)>, "([^"]*)", '
    r"[A-Z_|]*(?:O_WRONLY|O_RDWR|O_CREAT)"
)
ADDRESS = re.compile(r'inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"')
LONGEST_S = 300
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
    calls = "trace=%network,io_uring_setup,openat"
    command = ("strace", "-f", "-qq", "-y", "-s", "4096", "-e", calls)
    if shutil.which("strace") is None:
        missing("strace")
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode:
        missing("strace")
    return (*command, "-o", tmp_path / "trace")


def internet_calls(tmp_path: Path) -> list[str]:
    """Return the recorded calls with an internet address, or hidden from strace."""
    lines = (tmp_path / "trace").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "AF_INET" in line or "io_uring_setup" in line]


def internet_addresses(tmp_path: Path) -> set[IPv4Address | IPv6Address]:
    """Return every address of the recorded calls. A call hidden from strace fails."""
    text = (tmp_path / "trace").read_text(encoding="utf-8")
    assert "io_uring_setup" not in text
    return {ip_address(found) for found in ADDRESS.findall(text)}


def files_written(tmp_path: Path) -> set[str]:
    """Return each file that a process of an invented person opened for writing.

    Such a process is known by its working folder.
    """
    lines = (tmp_path / "trace").read_text(encoding="utf-8").splitlines()
    calls = [WRITING.search(line) for line in lines]
    return {os.path.join(call[1], call[2]) for call in calls if call}  # noqa: PTH118


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


def assert_everything_worked(run: subprocess.CompletedProcess[str]) -> None:
    """Assert that the commands of a proof did what they are for."""
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert [each for each in found["runs"] if each["failure"]] == []


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


def test_the_kernel_sees_no_internet_call_and_no_file_elsewhere_of_commands(
    child: Child, traced: tuple[str | Path, ...], tmp_path: Path
) -> None:
    run = child(
        "proving.py",
        "--without-network",
        "--without-models",
        *(() if OF_ALL_COMMANDS else ("sync", "search", "forget")),
        inside=traced,
        timeout_s=LONGEST_S,
    )

    assert_everything_worked(run)
    written = files_written(tmp_path)
    elsewhere = {path for path in written if "/.local/share/quoth" not in path}
    assert internet_calls(tmp_path) == []
    assert [path for path in written if path.endswith("/quoth.db")] != []
    assert elsewhere <= {os.devnull}


def test_the_kernel_sees_nothing_but_loopback_where_a_server_is_asked(
    child: Child, traced: tuple[str | Path, ...], tmp_path: Path
) -> None:
    run = child(
        "proving.py",
        "--without-network",
        *(ASKING if OF_ALL_COMMANDS else ASKING[:4]),
        inside=traced,
        timeout_s=LONGEST_S,
    )

    assert_everything_worked(run)
    addresses = internet_addresses(tmp_path)
    assert {address for address in addresses if address.is_loopback} != set()
    assert {address for address in addresses if not address.is_loopback} == set()


def test_the_kernel_would_see_an_internet_call(
    child: Child, traced: tuple[str | Path, ...], tmp_path: Path
) -> None:
    child("connect.py", "127.0.0.1", "9", inside=traced)

    assert len(internet_calls(tmp_path)) >= 2
