"""Sync as a process of its own, in one of several ways.

Usage: syncing.py FOLDER WAY

once    wait for a line on standard input, then sync
held    sync, and stop after the first batch until standard input ends
opens   sync, and print how often each source file was opened
grow    sync over and over while the history grows, and print how often
memory  sync, and print how much more memory that took at most, in KB
"""

import json
import resource
import sys
from contextlib import suppress
from pathlib import Path

from tests.builders import a_transcript, an_archive, claude_file, put

TIMES = 25


def once(folder: Path) -> object:
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()
    with an_archive(folder) as archive:
        return archive.sync().messages_new


def held(folder: Path) -> object:
    def hold(_: object) -> None:
        print("syncing", flush=True)  # noqa: T201
        sys.stdin.read()

    with an_archive(folder) as archive:
        return archive.sync(progress=hold).messages_new


def opens(folder: Path) -> object:
    opened: dict[str, int] = {}
    archive = an_archive(folder)
    archive.status()

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path = str(arguments[0])
            if path.startswith(str(folder)) and "/archive/" not in path:
                opened[path] = opened.get(path, 0) + 1

    sys.addaudithook(note)
    archive.sync()
    return opened


def grow(folder: Path) -> object:
    turns: list[str] = []
    with an_archive(folder) as archive:
        for number in range(TIMES):
            turns += [f"marlinspike question {number}", f"knot answer {number}"]
            put(claude_file(folder), a_transcript(*turns))
            archive.sync()
    return len(turns)


def most_memory() -> int:
    """Return the most memory this program took yet, in KB.

    Where /proc tells it: the figure that every system has goes on counting from the
    process that started this one, however large that was.
    """
    with suppress(FileNotFoundError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    per_kb = 1024 if sys.platform == "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // per_kb


def memory(folder: Path) -> object:
    before = most_memory()
    with an_archive(folder) as archive:
        archive.sync()
    return most_memory() - before


WAYS = {"once": once, "held": held, "opens": opens, "grow": grow, "memory": memory}

if __name__ == "__main__":
    print(json.dumps(WAYS[sys.argv[2]](Path(sys.argv[1]))))  # noqa: T201
