"""Sync, be killed at a moment of chance and sync again, many times over.

Usage: killed_at_random.py FOLDER TIMES SEED. Each archive is killed some times before
it may finish. Prints how many processes were killed, and what was wrong.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np
from tests.builders import an_archive, assert_consistent, dump

from quoth.errors import ArchiveError
from quoth.ingest import _sync
from quoth.sources import _jsonl

IN_ORDER = "Run `quoth sync` once; it puts that in order."

# Many small commits make many states to be killed in.
_jsonl.BATCH_RECORDS = 3
_sync._EMBED_EVERY = 6


def begun(folder: Path, home: Path) -> int:
    """Start a sync in a process of its own."""
    child = os.fork()
    if not child:
        try:
            an_archive(folder, home=home).sync()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_often(folder: Path, times: int, seed: int) -> dict[str, object]:
    np.zeros(1)  # imported once here, not by every child
    chance = random.Random(seed)  # noqa: S311 - moments, no secrets
    clean, home = folder / "clean", folder / "killed"
    began = time.monotonic()
    wrong = [] if ended(begun(folder, clean)) == 0 else ["clean"]
    longest = time.monotonic() - began
    killed = 0
    while killed < times:
        child = begun(folder, home)
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        status = ended(child)
        killed += status == -signal.SIGKILL
        try:
            if an_archive(folder, home=home).status().exists:
                assert_consistent(home, embedded=False)
        except AssertionError as exc:
            wrong.append(f"kill {killed}: {exc}")
        except ArchiveError as exc:
            if exc.hint != IN_ORDER:
                wrong.append(f"kill {killed}: {exc}")
        if status == 0 or chance.random() < 0.3:
            if ended(begun(folder, home)) != 0 or dump(home) != dump(clean):
                wrong.append(f"after kill {killed}")
            shutil.rmtree(home)
    return {"killed": killed, "wrong": wrong}


if __name__ == "__main__":
    _, folder, times, seed = sys.argv
    outcome = killed_often(Path(folder), int(times), int(seed))
    os.write(1, json.dumps(outcome).encode())
