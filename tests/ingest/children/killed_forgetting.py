"""Forget, be killed at the n-th step and sync, for every n there is.

Usage: killed_forgetting.py FOLDER HOMES. The history is in FOLDER, the archive of it in
FOLDER/begun. A step is a commit, or a statement that changes files outside of one.
Leaves HOMES/1, 2 ... as they were after the sync; prints what was wrong between.
"""

import json
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from unittest.mock import patch

from tests.builders import KEY, an_archive, assert_consistent
from tests.ingest.forgetting import forget

from quoth.store import _writer
from quoth.store._connection import connect_writer

_STEPS = ("COMMIT", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")


def forget_it(folder: Path, home: Path, *, kill_at: int) -> None:
    """Forget, and kill this process right before a step."""
    left = kill_at

    def trace(statement: str) -> None:
        nonlocal left
        left -= statement in _STEPS
        if statement in _STEPS and left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect_and_trace(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        connection.set_trace_callback(trace)
        return connection

    with patch.object(_writer, "connect_writer", connect_and_trace):
        forget(an_archive(folder, home=home), KEY)


def in_a_child(folder: Path, home: Path, *, kill_at: int) -> int:
    """Return how the child ended: 0, or the negative number of a signal."""
    child = os.fork()
    if not child:
        try:
            forget_it(folder, home, kill_at=kill_at)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_everywhere(folder: Path, homes: Path) -> dict[str, str]:
    """Return what went wrong, by the number of the step."""
    wrong: dict[str, str] = {}
    for number in range(1, 1000):
        home = homes / str(number)
        shutil.copytree(folder / "begun", home)
        ended = in_a_child(folder, home, kill_at=number)
        if ended == 0:
            shutil.rmtree(home)
            return wrong
        if ended != -signal.SIGKILL:
            wrong[str(number)] = f"ended with {ended}"
        try:
            assert_consistent(home)
        except AssertionError as exc:
            wrong[f"{number}, killed"] = str(exc)
        archive = an_archive(folder, home=home)
        archive.sync()
        archive.close()
    return wrong


if __name__ == "__main__":
    print(json.dumps(killed_everywhere(Path(sys.argv[1]), Path(sys.argv[2]))))  # noqa: T201
