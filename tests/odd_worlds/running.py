"""quoth as a process of its own, for a person with a small history."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.builders import SESSION, a_transcript, put

__all__ = [
    "ANSWERED",
    "CHILDREN",
    "SAID",
    "Quoth",
    "Run",
    "a_person",
    "complaint",
    "data_folder",
    "refused",
    "session_of",
    "surroundings",
]

WORLDS = Path(__file__).parent / "worlds"
CHILDREN = Path(__file__).parent / "children"
ROOT = Path(__file__).resolve().parents[2]

SAID = "taffrail 漢字 \N{PARTY POPPER} ┌─┐ café"
ANSWERED = "The taffrail is at the stern."

Run = subprocess.CompletedProcess[bytes]


@dataclass(frozen=True, kw_only=True)
class Quoth:
    """quoth as a process: in which environment, and inside which other command."""

    environ: Mapping[str, str]
    inside: Sequence[str | Path] = ()
    python: Sequence[str] = ()

    def __call__(self, *args: str | Path) -> Run:
        return self.run(self.command(*args))

    def command(self, *args: str | Path) -> list[str | Path]:
        return [*self.inside, sys.executable, *self.python, "-m", "quoth", *args]

    def run(self, command: Sequence[str | Path]) -> Run:
        return subprocess.run(
            command,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )

    def within(self, **changes: str) -> Quoth:
        """Return the same in an environment that differs by *changes*."""
        return replace(self, environ={**self.environ, **changes})

    def in_world(self, name: str, **changes: str) -> Quoth:
        """Return the same where a module of `worlds` makes Python another one."""
        search = os.pathsep.join([str(WORLDS / name), self.environ["PYTHONPATH"]])
        return self.within(PYTHONPATH=search, **changes)


def a_person(home: Path) -> Path:
    """Make *home* that of somebody with one conversation."""
    put(session_of(home), a_transcript(SAID, ANSWERED))
    return home


def session_of(home: Path, name: str = SESSION) -> Path:
    """Return where a person's Claude Code keeps a session."""
    return home / ".claude" / "projects" / "-home-dev-harbor" / f"{name}.jsonl"


def surroundings(home: Path) -> dict[str, str]:
    """Return a bare environment for a person whose home is *home*."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT))),
        "LANG": "C.UTF-8",
    }


def data_folder(home: Path) -> Path:
    """Return where the archive of a person is, if nobody said otherwise."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "quoth"
    return home / ".local" / "share" / "quoth"


def complaint(run: Run) -> str:
    """Return what a run said on standard error, however its lines were broken."""
    return " ".join(run.stderr.decode().split())


def refused(run: Run) -> str:
    """Return the sentence a run failed with, which is one and no traceback."""
    said = complaint(run)
    assert run.returncode == 1, said
    assert said.startswith("quoth: "), said
    assert "Traceback" not in said, said
    return said
