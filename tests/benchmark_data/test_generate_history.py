"""The benchmark's histories are the same every time and their truth is true."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GENERATE = Path(__file__).parents[2] / "benchmarks" / "generate_history.py"
MESSAGES = 1200


def generated(home: Path, *options: str) -> Path:
    subprocess.run(
        [sys.executable, GENERATE, home, *options], check=True, capture_output=True
    )
    return home


def files_below(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    return generated(folder, "--messages", str(MESSAGES))


def test_the_same_seed_gives_the_same_bytes(home: Path, tmp_path: Path) -> None:
    again = generated(tmp_path, "--messages", str(MESSAGES))

    assert files_below(again) == files_below(home)


def test_another_seed_gives_another_history(home: Path, tmp_path: Path) -> None:
    other = generated(tmp_path, "--messages", str(MESSAGES), "--seed", "2")

    assert (other / "truth.jsonl").read_bytes() != (home / "truth.jsonl").read_bytes()


def test_each_identifier_stands_in_the_message_that_truth_names(home: Path) -> None:
    facts = [
        json.loads(line) for line in (home / "truth.jsonl").read_text().splitlines()
    ]

    lines = [
        (home / fact["path"]).read_bytes()[fact["offset"] :].partition(b"\n")[0]
        for fact in facts
    ]

    assert facts
    assert all(
        fact["identifier"].encode() in line
        for fact, line in zip(facts, lines, strict=True)
    )


def test_a_rollout_has_the_size_asked_for(tmp_path: Path) -> None:
    home = generated(tmp_path, "--rollout-mb", "2")

    (rollout,) = home.rglob("rollout-*.jsonl")
    first = json.loads(rollout.read_bytes().partition(b"\n")[0])

    assert 2_000_000 <= rollout.stat().st_size < 2_400_000
    assert first["payload"]["id"] in rollout.name
