"""The program in a process of its own, on a real archive."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.literals import LITERAL_TEXT, LITERALS

ID = "5d0c6a52-0000-4000-8000-000000000001"
KEY = f"claude_code:{ID}"
TURNS = (
    ("user", "What did we settle on for the vesting schedule?"),
    ("assistant", "Four years with a one-year cliff, then monthly. 潮汐表 \x1b[2J!"),
    ("user", LITERAL_TEXT),
)

Quoth = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "quoth"


@pytest.fixture
def environ(tmp_path: Path, home: Path) -> dict[str, str]:
    """Return a bare environment for a person with one conversation."""
    person = tmp_path / "person"
    folder = person / ".claude" / "projects" / "-home-ada-plans"
    folder.mkdir(parents=True)
    records = [_record(number, role, text) for number, (role, text) in enumerate(TURNS)]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (folder / f"{ID}.jsonl").write_text(lines, encoding="utf-8")
    return {
        "HOME": str(person),
        "QUOTH_HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def quoth(environ: dict[str, str]) -> Quoth:
    """Return a function that runs the program to its end."""

    def run(*args: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "quoth", *args],
            env={**environ, **changes},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )

    return run


def _record(number: int, role: str, text: str) -> dict[str, object]:
    message: dict[str, object] = {"role": role, "content": text}
    if role == "assistant":
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": role,
            "model": "claude-test-1",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }
    return {
        "type": role,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number else None,
        "timestamp": f"2026-03-01T10:0{number}:00.000Z",
        "sessionId": ID,
        "cwd": "/home/ada/plans",
        "version": "2.1.80",
        "userType": "external",
        "isSidechain": False,
        "message": message,
    }


def test_what_is_synced_is_found_shown_and_verified(quoth: Quoth) -> None:
    synced = quoth("sync")
    found = quoth("vesting schedule")
    shown = quoth("show", "1")
    page = json.loads(quoth("search", "vesting", "--json").stdout)
    verified = quoth("verify", page["hits"][0]["citation"])

    runs = (synced, found, shown, verified)
    assert [(run.returncode, run.stderr) for run in runs] == [(0, b"")] * 4
    assert b"1 new conversation, 3 new messages." in synced.stdout
    assert f"{KEY}#1@".encode() in found.stdout
    assert b"> #1 user" in shown.stdout
    assert verified.stdout.startswith(b"Verified. The source says exactly this.")
    assert b"#1 user" in verified.stdout


def test_before_the_first_sync_everything_answers_and_nothing_is_made(
    quoth: Quoth, home: Path
) -> None:
    found = quoth("search", "vesting", "--no-sync")
    status = quoth("status")

    assert (found.returncode, status.returncode) == (0, 0)
    assert b"Nothing is recorded yet." in found.stdout
    assert b"Make one with: quoth sync" in status.stdout
    assert not home.exists()


def test_ordinary_text_is_found_and_never_syntax(quoth: Quoth) -> None:
    quoth("sync")

    pages = {
        literal: json.loads(quoth("search", "--json", "--", literal).stdout)
        for literal in LITERALS
    }

    missed = [literal for literal, page in pages.items() if not page["hits"]]
    assert missed == []


@pytest.mark.parametrize("question", ['"', "*", "()", "x" * 10_000])
def test_odd_questions_are_answered_without_a_traceback(
    quoth: Quoth, question: str
) -> None:
    quoth("sync")

    result = quoth("search", "--no-sync", "--", question)

    assert result.returncode in {0, 2}
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
@pytest.mark.parametrize("command", [["search", "cliff"], ["show", KEY]])
def test_output_is_safe_whatever_the_encoding(
    quoth: Quoth, encoding: str, command: list[str]
) -> None:
    quoth("sync")

    result = quoth(*command, PYTHONIOENCODING=encoding)

    assert (result.returncode, result.stderr) == (0, b"")
    assert not set(b"\x1b\x00\x07") & set(result.stdout)


def test_what_is_forgotten_stays_forgotten(quoth: Quoth) -> None:
    quoth("sync")

    forgot = quoth("forget", KEY, "--yes")

    assert forgot.returncode == 0
    assert b"Forgot 1 conversation, 3 messages." in forgot.stdout
    assert b"Nothing new." in quoth("sync").stdout
    assert b"Forgotten: 1 conversation." in quoth("status").stdout
    assert quoth("show", KEY).returncode == 1
    assert quoth("forget", "--undo", "1").returncode == 0
    assert b"1 new conversation, 3 new messages." in quoth("sync").stdout


def test_what_leaves_has_no_name_of_the_person(quoth: Quoth) -> None:
    quoth("sync")

    stays, leaves = (quoth("show", KEY, *args) for args in ([], ["--redact"]))

    assert b"/-home-ada-plans/" in stays.stdout
    assert leaves.returncode == 0
    assert b"ada" not in leaves.stdout
    assert b"[REDACTED:linux_home_path]" in leaves.stdout
    assert b"A floor, not a promise." in leaves.stderr


def test_a_reader_that_left_ends_it_quietly(
    quoth: Quoth, environ: dict[str, str]
) -> None:
    quoth("sync")
    read_end, write_end = os.pipe()
    os.close(read_end)

    result = subprocess.run(
        [sys.executable, "-m", "quoth", "search", "vesting"],
        env=environ,
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )

    os.close(write_end)
    assert (result.returncode, result.stderr) == (141, b"")


def test_a_stream_closed_from_the_start_is_no_error(
    environ: dict[str, str],
) -> None:
    result = subprocess.run(
        ["sh", "-c", '"$0" -m quoth status >&-', sys.executable],
        env=environ,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )

    assert (result.returncode, result.stderr) == (0, b"")


def test_a_terminal_gets_colour_progress_and_a_page_of_its_own(
    environ: dict[str, str],
) -> None:
    synced = on_a_terminal(environ, "sync")
    found = on_a_terminal(environ, "search", "vesting", "schedule", "--no-sync")

    assert b"\rclaude_code " in synced
    assert b"\x1b[1;4mvesting\x1b[0m" in found


def on_a_terminal(environ: dict[str, str], *args: str) -> bytes:
    """Return what the program wrote to a terminal of its own."""
    ours, its = os.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        subprocess.run(
            [sys.executable, "-m", "quoth", *args],
            env={**environ, "TERM": "xterm", "COLUMNS": "80"},
            stdin=its,
            stdout=its,
            stderr=its,
            check=True,
            timeout=60,
        )
        os.close(its)
        return _all_of(screen)


def _all_of(screen: io.RawIOBase) -> bytes:
    """Read to the end, which Linux reports as an error once nobody writes any more."""
    shown = b""
    with suppress(OSError):
        while piece := screen.read(65536):
            shown += piece
    return shown


def test_help_loads_neither_the_archive_nor_numpy(quoth: Quoth) -> None:
    modules = quoth("--help", PYTHONPROFILEIMPORTTIME="1").stderr.split()

    assert b"quoth.cli._options" in modules
    assert {b"numpy", b"sqlite3", b"quoth.archive"} & set(modules) == set()
