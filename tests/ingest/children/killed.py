"""Sync, be killed at the n-th commit and sync again, for every n there is.

Usage: killed.py FOLDER HOMES [PATTERNS]. The history is in FOLDER; where FOLDER/begun
is, each archive starts as a copy of that. PATTERNS are a person's own, as JSON. Leaves
HOMES/0 as an uninterrupted sync made it and HOMES/1, 2 ... as those that were killed
and went on; prints what was wrong between.
"""

import json
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from unittest.mock import patch

from tests.builders import an_archive, assert_consistent

from quoth.ingest import _sync
from quoth.sources import _jsonl
from quoth.store import _held, _writer
from quoth.store._connection import connect_writer

# Many small commits make many places to be killed at.
_jsonl.BATCH_RECORDS = 3
_sync._EMBED_EVERY = 6
_held._MOST_MESSAGES = 1

PATTERNS = json.loads(sys.argv[3]) if len(sys.argv) > 3 else None


def sync(folder: Path, home: Path, *, kill_at: int) -> None:
    """Sync, and kill this process right before a commit."""
    left = kill_at

    def trace(statement: str) -> None:
        nonlocal left
        left -= statement == "COMMIT"
        if statement == "COMMIT" and left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect_and_trace(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        connection.set_trace_callback(trace)
        return connection

    with patch.object(_writer, "connect_writer", connect_and_trace):
        an_archive(folder, home=home, patterns=PATTERNS).sync()


def in_a_child(folder: Path, home: Path, *, kill_at: int) -> int:
    """Return how the child ended: 0, or the negative number of a signal."""
    child = os.fork()
    if not child:
        try:
            sync(folder, home, kill_at=kill_at)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_everywhere(folder: Path, homes: Path) -> dict[str, str]:
    """Return what went wrong, by the number of the commit."""
    wrong: dict[str, str] = {}
    for number in range(1000):
        home = homes / str(number)
        if (folder / "begun").exists():
            shutil.copytree(folder / "begun", home)
        ended = in_a_child(folder, home, kill_at=number)
        if number and ended == 0:
            shutil.rmtree(home)
            return wrong
        if ended != (-signal.SIGKILL if number else 0):
            wrong[str(number)] = f"ended with {ended}"
        try:
            assert_consistent(home, embedded=number == 0)
        except AssertionError as exc:
            wrong[f"{number}, killed"] = str(exc)
        if (ended := in_a_child(folder, home, kill_at=0)) != 0:
            wrong[f"{number}, again"] = f"ended with {ended}"
    return wrong


if __name__ == "__main__":
    print(json.dumps(killed_everywhere(Path(sys.argv[1]), Path(sys.argv[2]))))  # noqa: T201
