"""Nothing is downloaded that nobody agreed to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import a_transcript, put
from tests.embedding.fake_server import FakeServer, running

NAMED = "nomic-embed-text"

COMMANDS = [
    ["sync"],
    ["search", "harbour"],
    ["search", "harbour", "--mode", "meaning"],
    ["harbour question"],
    ["embed"],
    ["embed", "--retry", "--prune"],
    ["status"],
    ["sources"],
    ["doctor"],
    ["doctor", "--deep"],
    ["doctor", "--repair"],
    ["config", "list"],
    ["models", "list"],
    ["models", "list", "ollama"],
    ["models", "use", "ollama", NAMED],
    ["models", "use", "ollama", "absent"],
    ["models", "use", "minilm"],
    ["models", "remove", "minilm", "--yes"],
    ["models", "pull", NAMED],
]
"""Every command that may come near a server, and the one that pulls without a yes."""


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with running(FakeServer()) as server:
        yield server


@pytest.fixture
def person(tmp_path: Path, fake: FakeServer) -> Path:
    """Return the folder of somebody who chose a model that their server has not."""
    transcript = tmp_path / ".claude" / "projects" / "-home-dev" / "aa.jsonl"
    put(transcript, a_transcript("the harbour question of today"))
    settings = f'[embedding]\nembedder = "ollama"\nmodel = "{NAMED}"\n'
    put(
        tmp_path / "quoth" / "config.toml",
        f'{settings}endpoint = "{fake.endpoint}"\n'.encode(),
    )
    (tmp_path / "quoth").chmod(0o700)
    return tmp_path


def quoth(person: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quoth", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(person),
            "QUOTH_HOME": str(person / "quoth"),
            "OLLAMA_HOST": "127.0.0.1:9",
        },
    )


def pulls(fake: FakeServer) -> list[object]:
    return fake.requests("/api/pull")


def test_no_command_has_a_model_downloaded(person: Path, fake: FakeServer) -> None:
    for arguments in COMMANDS:
        run = quoth(person, *arguments)
        assert "Traceback" not in run.stderr

    assert len(fake.requests("/api/tags")) >= 5
    assert pulls(fake) == []
    assert not any(NAMED in str(asked) for _, asked in fake.asked)
    assert fake.texts == []


def test_a_yes_has_it_downloaded_and_sends_its_name_alone(
    person: Path, fake: FakeServer
) -> None:
    run = quoth(person, "models", "pull", NAMED, "--yes")

    assert run.returncode == 0, run.stderr
    assert pulls(fake) == [{"model": NAMED, "stream": False}]
    assert fake.texts == []


@pytest.mark.parametrize("name", [f"{NAMED}:cloud", "gpt-oss:120b-cloud"])
def test_no_yes_has_a_model_of_others_machines(
    person: Path, fake: FakeServer, name: str
) -> None:
    run = quoth(person, "models", "pull", name, "--yes")

    assert run.returncode == 1
    assert "would not run on this machine" in run.stderr
    assert fake.asked == []


def test_without_its_model_a_search_finds_words(tmp_path: Path, person: Path) -> None:
    """Nothing is fetched in its place, and nobody else is asked."""
    (person / "quoth" / "config.toml").write_text('[embedding]\nembedder = "minilm"\n')

    synced = quoth(person, "sync")
    found = quoth(person, "search", "harbour")

    assert (synced.returncode, found.returncode) == (0, 0)
    assert "MiniLM is missing" in " ".join(synced.stdout.split())
    assert "the harbour question of today" in found.stdout
    assert list((person / "quoth").glob("models")) == []
    assert tmp_path == person
