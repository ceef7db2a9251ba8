"""A sealed process reaches nobody, not even this machine; an unsealed one does."""

from __future__ import annotations

import ctypes
import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from quoth.seal._bpf import CALLS

from .conftest import Canary

CHILD = Path(__file__).with_name("ways_out.py")
EVERYTHING = [
    "connect",
    "connect_ex",
    "datagram",
    "bind",
    "look-up",
    "urllib",
    "asyncio",
    "C",
    "child",
    "browser",
    "file socket",
]


_ASK, _REFUSE = 2, 0x00050000  # SECCOMP_GET_ACTION_AVAIL, SECCOMP_RET_ERRNO


def kernel_filters() -> bool:
    """Say whether this kernel filters system calls, asked without a filter of ours.

    A filter that it can't make sense of must fail a test, not skip it.
    """
    calls = CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None:
        return False
    refuse = ctypes.c_uint32(_REFUSE)
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.syscall(calls.seccomp, _ASK, 0, ctypes.byref(refuse)) == 0)


def ways_out(canary: Canary, *layers: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, CHILD, str(canary.port), *layers],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if "KernelError" in run.stderr and not kernel_filters():
        pytest.skip("this kernel filters no system calls")
    assert run.returncode == 0, run.stderr
    found: list[str] = json.loads(run.stdout)
    return found


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_seal_every_way_leads_out(canary: Canary) -> None:
    """Else the others would prove nothing."""
    assert ways_out(canary) == EVERYTHING
    assert canary.met >= 6


def test_a_sealed_process_reaches_nobody(canary: Canary) -> None:
    assert ways_out(canary, "audit", "kernel") == ["file socket"]
    assert canary.met == 0


@pytest.mark.parametrize(
    ("layer", "left"),
    [
        ("audit", ["C", "child", "file socket"]),
        ("kernel", ["look-up", "browser", "file socket"]),
    ],
)
def test_what_each_layer_leaves_open(
    canary: Canary, layer: str, left: list[str]
) -> None:
    """Python's own hook is blind to what is compiled, and ends at the process.

    A name that a file of this machine knows is found without any socket.
    """
    assert ways_out(canary, layer) == left


@pytest.mark.parametrize(
    "code",
    [
        "import quoth",
        "import quoth; quoth.open_archive",
        "from quoth.cli import main",
        "import quoth.seal, quoth.seal.processes",
    ],
)
def test_importing_seals_nothing(canary: Canary, code: str) -> None:
    """A program that uses quoth keeps its network."""
    reach = (
        "\nimport socket, sys"
        "\nsocket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)"
    )

    run = python(code + reach, str(canary.port))

    assert (run.returncode, run.stderr) == (0, "")


SEALED = """
import sys
import quoth.cli._app as program
import quoth.seal

def reach(**_):
    import socket
    print(quoth.seal.active())
    socket.create_connection(("127.0.0.1", int(PORT)), timeout=5)

PORT = sys.argv.pop(1)
program.app.main = reach
program.main()
"""


@pytest.mark.parametrize("command", ["status", "search", "sync", "doctor", "redact"])
def test_the_program_seals_itself(canary: Canary, tmp_path: Path, command: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SEALED, str(canary.port), command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"HOME": str(tmp_path), "QUOTH_HOME": str(tmp_path / "quoth")},
    )

    assert "is sealed" in run.stderr
    assert run.stdout.startswith("Seal(in_kernel=")
    assert canary.met == 0


def test_who_watches_a_proof_leaves_its_children_free(
    canary: Canary, tmp_path: Path
) -> None:
    reach = f"import socket; socket.create_connection(('127.0.0.1', {canary.port}))"
    code = SEALED.replace("import socket\n", "import subprocess\n").replace(
        'socket.create_connection(("127.0.0.1", int(PORT)), timeout=5)',
        f"subprocess.run([sys.executable, '-c', {reach!r}], check=True)",
    )

    run = subprocess.run(
        [sys.executable, "-c", code, str(canary.port), "doctor", "--prove"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"HOME": str(tmp_path), "QUOTH_HOME": str(tmp_path / "quoth")},
    )

    assert (run.returncode, canary.met) == (0, 1), run.stderr


def test_sealing_twice_is_sealing_once() -> None:
    run = python("from quoth.seal import seal\nassert seal() is seal()")

    assert (run.returncode, run.stderr) == (0, "")


def test_a_process_that_never_was_says_so() -> None:
    run = python("from quoth.seal import active\nprint(active())")

    assert run.stdout == "None\n"
