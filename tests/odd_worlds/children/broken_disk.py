"""Sync on a disk that breaks at the n-th call of one kind, for every n there is.

Usage: broken_disk.py FOLDER CALL FAULT, under an strace that lets the call number
FAULT of every process fail. FOLDER/begun, if there is one, is the archive that is to
catch up, and FOLDER/clean one that did. Each child makes harmless calls first, so that
one of a sync's own has that number. Prints how often it ended how, and what was wrong.
"""

import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from tests.builders import an_archive, assert_consistent, dump

from quoth.errors import QuothError

HARMLESS: dict[str, Callable[[int], object]] = {
    "pwrite64": lambda file: os.pwrite(file, b"-", 0),
    "write": lambda file: os.write(file, b"-"),
    "fsync": os.fsync,
    "fdatasync": os.fdatasync,
    "ftruncate": lambda file: os.ftruncate(file, 0),
}
DONE, REFUSED, BUG, INTACT = 0, 1, 2, 3


def in_a_child(work: Callable[[], int]) -> int:
    """Return the status that *work* comes to in a process of its own."""
    child = os.fork()
    if not child:
        try:
            status = work()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            status = BUG
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def calls(call: str, times: int) -> bool:
    """Make harmless calls, and say whether one of them was let fail."""
    with tempfile.TemporaryFile() as file:
        for _ in range(times):
            try:
                HARMLESS[call](file.fileno())
            except OSError:
                return True
    return False


def synced(folder: Path, home: Path) -> int:
    try:
        an_archive(folder, home=home).sync()
    except QuothError as exc:
        said = f"{exc} {exc.hint}"
        return REFUSED if "can't be used: " in said else BUG
    return DONE


def broken(folder: Path, home: Path, call: str, before: int, fault: int) -> int:
    """Sync after *before* calls; say so when the fault came in none of the sync's."""
    calls(call, before)
    status = synced(folder, home)
    return INTACT if status == DONE and calls(call, fault) else status


def mended(folder: Path, home: Path, call: str, fault: int) -> int:
    """Sync without a fault, and compare with what an unbroken disk holds."""
    calls(call, fault)
    status = synced(folder, home)
    assert_consistent(home)
    assert dump(home) == dump(folder / "clean")
    return status


def broken_everywhere(folder: Path, call: str, fault: int) -> dict[str, object]:
    """Return how often each end came, and after which breaks all was not well."""
    np.zeros(1)  # imported once here, not by every child
    ended: Counter[int] = Counter()
    wrong: list[int] = []
    for number in range(1, fault + 1):
        home = folder / "broken" / str(number)
        if (folder / "begun").exists():
            shutil.copytree(folder / "begun", home)
        before = fault - number
        status = in_a_child(partial(broken, folder, home, call, before, fault))
        if status == INTACT:
            break
        ended[status] += 1
        if in_a_child(partial(mended, folder, home, call, fault)) != DONE:
            wrong.append(number)
    return {
        "done": ended.pop(DONE, 0),
        "refused": ended.pop(REFUSED, 0),
        "otherwise": ended,
        "all": status == INTACT,
        "wrong": wrong,
    }


if __name__ == "__main__":
    _, folder, call, fault = sys.argv
    outcome = broken_everywhere(Path(folder), call, int(fault))
    os.write(1, json.dumps(outcome).encode())
