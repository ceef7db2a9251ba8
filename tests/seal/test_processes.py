"""The small process that asks a server: it reaches one port, and doesn't stay."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.embedding.fake_server import FakeServer, running

from .conftest import Canary


def in_parent(
    body: str, *arguments: str, timeout_s: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run *body* in a process that forked what asks, and is sealed itself."""
    return subprocess.run(
        [sys.executable, "-c", PARENT + textwrap.dedent(body), *arguments],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


PARENT = """
import json, os, signal, sys, time
# A test run that was started in the background hands on that SIGINT is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from quoth.errors import *
from quoth.loopback import LoopbackUrl
from quoth.seal import seal
from quoth.seal.processes import ModelProcesses

def url(port):
    return LoopbackUrl.parse(f"http://127.0.0.1:{port}")

processes = ModelProcesses.start()
numbers = [each.process for each in processes._idle]
seal()
"""


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with running(FakeServer()) as server:
        yield server


def is_alive(process: int) -> bool:
    """Say whether it runs: one that ended and waits to be reaped doesn't."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def test_a_sealed_process_asks_by_it(fake: FakeServer) -> None:
    fake.most = 20_000_000

    run = in_parent(
        """
        asker = processes.connect(url(sys.argv[1]))
        for _ in range(200):
            assert asker.get("/api/tags").status == 200
        body = json.dumps({"model": "tiny", "input": ["x" * 10_000_000]}).encode()
        answer = asker.post("/api/embed", body)
        print(answer.status, len(json.loads(answer.body)["embeddings"]))
        assert processes.connect(url(sys.argv[1])) is asker
        """,
        str(fake.port),
    )

    assert (run.stdout, run.stderr) == ("200 1\n", "")
    assert len(fake.asked) == 201


def test_two_servers_may_be_asked_and_no_third() -> None:
    run = in_parent(
        """
        for port in (1, 2, 3):
            try:
                processes.connect(url(port)).get("/api/tags")
            except QuothError as error:
                print(type(error).__name__, error.hint is not None)
        """,
    )

    assert run.stdout.splitlines() == [
        "ServerUnreachableError True",
        "ServerUnreachableError True",
        "EndpointError True",
    ]


REACH = """
import ctypes, socket, struct, sys
from quoth.seal.processes import _sealed_client

way, port, allowed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
client = _sealed_client(f"http://127.0.0.1:{allowed}")
libc = ctypes.CDLL(None, use_errno=True)
host = socket.inet_aton("127.0.0.1")
where = struct.pack("=H", 2) + struct.pack("!H4s8x", port, host)
protocol, fast = {"mptcp": 262, "sctp": 132}.get(way, 0), way.startswith("fast open")
number = libc.socket(2, 2 if way == "datagram" else 1, protocol)
flags = socket.MSG_FASTOPEN if fast else 0
if way in ("datagram", "fast open"):
    libc.sendto(number, b"x", 1, flags, where, 16)
elif fast:
    with socket.socket(fileno=number) as one:
        one.sendmsg([b"x"], [], flags, ("127.0.0.1", port))
elif libc.connect(number, where, 16) == 0:
    libc.send(number, b"x", 1, 0)
"""
WAYS = ["plain", "mptcp", "sctp", "datagram", "fast open", "fast open by sendmsg"]


def reach(way: str, canary: Canary, *, allowed: int) -> None:
    """Try to reach a port from a process that is held to another, or to that."""
    subprocess.run(
        [sys.executable, "-c", REACH, way, str(canary.port), str(allowed)],
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("way", WAYS)
def test_it_reaches_its_one_port_alone(
    canary: Canary, knows_ports: bool, way: str
) -> None:
    """Landlock watches TCP and `connect`; what goes past both, the filter refuses."""
    if not knows_ports:
        pytest.skip("this kernel has no Landlock that knows of ports")

    reach(way, canary, allowed=1)

    time.sleep(0.05)
    assert canary.met == 0


def test_its_one_port_it_does_reach(canary: Canary) -> None:
    """Else the others would prove nothing."""
    reach("plain", canary, allowed=canary.port)

    _soon(lambda: canary.met == 1)


def test_an_error_comes_back_as_it_was() -> None:
    run = in_parent(
        """
        try:
            processes.connect(url(1)).get("/api/tags")
        except ServerUnreachableError as error:
            print(error, error.hint)
        """
    )

    assert run.stdout == (
        "No server can be reached at http://127.0.0.1:1: connection refused."
        " Start the server, or correct the endpoint.\n"
    )


def test_what_is_given_up_is_not_given_up_by_it(fake: FakeServer) -> None:
    """Else a model that takes its time to load would never be loaded."""
    fake.reply = lambda path, asked, given: (  # noqa: ARG005
        (fake.held.wait(1.5) and given) or given
    )

    run = in_parent(
        """
        asker = processes.connect(url(sys.argv[1]))
        try:
            asker.get("/api/tags", timeout_s=0.3)
        except ServerTimeoutError:
            print("given up")
        print(asker.get("/api/version", timeout_s=10).status)
        """,
        str(fake.port),
    )

    assert run.stdout.splitlines() == ["given up", "404"]
    assert [path for path, _ in fake.asked] == ["/api/tags", "/api/version"]


def test_idle_it_ends_with_its_parent() -> None:
    run = in_parent("print(json.dumps(numbers))")

    processes = json.loads(run.stdout)
    _soon(lambda: not any(map(is_alive, processes)))


def test_at_work_it_ends_with_its_work(fake: FakeServer) -> None:
    fake.reply = lambda path, asked, given: (  # noqa: ARG005
        (fake.held.wait(20) and given) or given
    )

    run = in_parent(
        """
        asker = processes.connect(url(sys.argv[1]))
        try:
            asker.get("/api/tags", timeout_s=0.2)
        except ServerTimeoutError:
            print(asker.process)
        """,
        str(fake.port),
    )

    process = int(run.stdout)
    assert is_alive(process)
    fake.held.set()
    _soon(lambda: not is_alive(process))


def test_killed_at_work_it_is_missed(fake: FakeServer) -> None:
    fake.reply = lambda path, asked, given: (  # noqa: ARG005
        (fake.held.wait(20) and given) or given
    )

    run = in_parent(
        """
        import signal, threading
        asker = processes.connect(url(sys.argv[1]))
        kill = lambda: os.kill(asker.process, signal.SIGKILL)
        threading.Timer(0.3, kill).start()
        for _ in range(2):
            try:
                asker.get("/api/tags")
            except ServerUnreachableError as error:
                print(error)
        """,
        str(fake.port),
    )

    said = f"No server can be reached at {fake.endpoint}: the process that asks it"
    assert [line.startswith(said) for line in run.stdout.splitlines()] == [True, True]


def test_ctrl_c_goes_to_the_parent(fake: FakeServer) -> None:
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            PARENT
            + textwrap.dedent(
                """
                asker = processes.connect(url(sys.argv[1]))
                try:
                    print("ready", flush=True)
                    time.sleep(30)
                except KeyboardInterrupt:
                    print(asker.get("/api/tags").status)
                """
            ),
            str(fake.port),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "ready\n"

    os.killpg(parent.pid, signal.SIGINT)

    assert parent.communicate(timeout=30) == ("200\n", "")


def test_closed_streams_are_no_reason_to_fail(fake: FakeServer) -> None:
    """A pipe must not be put where standard input was."""
    code = PARENT + 'print(processes.connect(url(sys.argv[1])).get("/api/tags").status)'

    run = subprocess.run(
        [
            "sh",
            "-c",
            'exec "$0" -c "$1" "$2" <&-',
            sys.executable,
            code,
            str(fake.port),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (run.stdout, run.stderr) == ("200\n", "")


def _soon(holds: object, *, within_s: float = 10) -> None:
    assert callable(holds)
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
