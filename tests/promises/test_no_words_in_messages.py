"""No word of a conversation in what quoth says about its work.

Errors, skip reasons, reports and the files beside the archive may be pasted into a bug
report: they carry ids, counts and positions only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CANARY = "zanzibarquokka"

LINES = (
    f'{{"type":"user","message":{{"role":"user","content":"{CANARY} torn',
    f'["{CANARY} is no record"]',
    f'"{CANARY}"',
    f'{{"type":"{CANARY} unknown","uuid":"x"}}',
    f'{{"type":"user","uuid":7,"message":{{"role":"user","content":{{"{CANARY}":1}}}}}}',
    f'{{"type":"assistant","message":{{"usage":{{"input_tokens":"{CANARY}"}}}}}}',
    f"{CANARY} no JSON at all {{",
    json.dumps(
        {
            "type": "user",
            "uuid": "11111111-0000-4000-8000-000000000001",
            "sessionId": "s",
            "timestamp": "2026-03-01T10:00:00.000Z",
            "message": {"role": "user", "content": f"remember {CANARY} for later"},
        }
    ),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a person's home with a transcript full of broken lines."""
    folder = tmp_path / ".claude" / "projects" / "-home-ada"
    folder.mkdir(parents=True)
    text = "\n".join(LINES) + "\n"
    (folder / "5d0c6a52-0000-4000-8000-000000000009.jsonl").write_text(text)
    os.mkfifo(folder / "5d0c6a52-0000-4000-8000-000000000008.jsonl")
    return tmp_path


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run quoth with *home* as the person's home and data folder."""
    environment = {"HOME": str(home), "QUOTH_HOME": str(home / "quoth"), "PATH": ""}
    return subprocess.run(
        [sys.executable, "-m", "quoth", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_sync_reports_broken_records_without_their_words(
    home: Path, form: tuple[str, ...]
) -> None:
    result = run(home, "sync", *form)

    assert result.returncode == 3
    assert CANARY not in result.stdout + result.stderr


def test_the_status_names_no_word_of_what_it_counts(home: Path) -> None:
    run(home, "sync")

    result = run(home, "status", "--json")

    assert result.returncode == 0
    assert CANARY not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "claude_code:5d0c6a52-0000-4000-8000-000000000009#99"),
        ("verify", "claude_code:5d0c6a52-0000-4000-8000-000000000009#99@0123456789ab"),
        ("verify", "claude_code:5d0c6a52-0000-4000-8000-000000000009#1@0123456789ab"),
        ("search", "--within", "claude_code:nowhere", "later"),
    ],
)
def test_what_goes_wrong_is_said_without_words_of_a_conversation(
    home: Path, arguments: tuple[str, ...]
) -> None:
    run(home, "sync")

    result = run(home, *arguments)

    assert CANARY not in result.stdout + result.stderr


def test_only_the_archive_itself_holds_words(home: Path) -> None:
    run(home, "sync")
    run(home, "search", "later")

    beside = [
        path
        for path in (home / "quoth").rglob("*")
        if path.is_file() and not path.name.startswith("quoth.db")
    ]

    assert beside
    assert not [path for path in beside if CANARY.encode() in path.read_bytes()]
