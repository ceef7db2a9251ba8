"""A small history, and processes of their own that use quoth on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

CHILDREN = Path(__file__).parent / "children"
SOURCE_TREE = Path(__file__).resolve().parents[2] / "src"

Child = Callable[..., subprocess.CompletedProcess[str]]

TURNS = (
    ("user", "What did we settle on for the vesting schedule?"),
    ("assistant", "Four years with a one-year cliff, then monthly."),
    ("user", "And the lighthouse keeper's inventory, who counts it?"),
    ("assistant", "The harbour office counts it every spring."),
)


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """Return a Claude Code projects folder with one conversation in it."""
    folder = tmp_path / "person" / ".claude" / "projects" / "-home-ada-plans"
    folder.mkdir(parents=True)
    records = [_record(number, role, text) for number, (role, text) in enumerate(TURNS)]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    path = folder / "5d0c6a52-0000-4000-8000-000000000001.jsonl"
    path.write_text(lines, encoding="utf-8")
    return folder.parent


def _record(number: int, role: str, text: str) -> dict[str, object]:
    message: dict[str, object] = {"role": role, "content": text}
    if role == "assistant":
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": role,
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }
    return {
        "type": role,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number else None,
        "timestamp": f"2026-03-01T10:0{number}:00.000Z",
        "sessionId": "5d0c6a52-0000-4000-8000-000000000001",
        "cwd": "/home/ada/plans",
        "gitBranch": "main",
        "version": "2.1.80",
        "userType": "external",
        "isSidechain": False,
        "message": message,
    }


@pytest.fixture
def child(tmp_path: Path) -> Child:
    """Return a function that runs scripts of `children/` in a bare environment.

    No variable says that tests are running, and the working folder is empty. With
    QUOTH_PROOF_PYTHON set, the quoth installed there is used, else the source tree.
    """
    installed = os.environ.get("QUOTH_PROOF_PYTHON")
    workdir = tmp_path / "elsewhere"
    workdir.mkdir()
    environment = {
        "HOME": str(tmp_path / "person"),
        "LC_ALL": "C.UTF-8",
        "PATH": os.defpath,
    }
    if installed is None:
        environment["PYTHONPATH"] = str(SOURCE_TREE)

    def run(
        *scripts_and_arguments: str | Path,
        inside: Sequence[str | Path] = (),
        umask: int = 0o022,
        python_path: Path | None = None,
        timeout_s: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        scripts = [
            str(CHILDREN / part) if str(part).endswith(".py") else str(part)
            for part in scripts_and_arguments
        ]
        return subprocess.run(
            [*inside, installed or sys.executable, *scripts],
            check=False,
            capture_output=True,
            cwd=workdir,
            env=environment | ({"PYTHONPATH": str(python_path)} if python_path else {}),
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=timeout_s,
            umask=umask,
        )

    return run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return where the archive is to be: nothing is there yet."""
    return tmp_path / "data" / "quoth"
