"""One measurement in a process of its own; `speed.py` runs this and reads the JSON.

    python benchmarks/speed_steps.py STEP HISTORY ARCHIVE

A process each, so that the peak of memory is the step's own and nothing is warm.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the `quoth` command does

import json
import resource
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final
from uuid import UUID

import numpy as np

from quoth.archive import Archive
from quoth.model import Mode

if TYPE_CHECKING:
    from benchmarks import english_words as words
    from benchmarks.made_up_prose import nouns_drawn
else:  # run by path, this folder is the first place imports are looked for in
    import english_words as words
    from made_up_prose import nouns_drawn

QUESTIONS_EACH: Final = 20
ROUNDS: Final = 3


@dataclass(slots=True)
class Took:
    """Seconds by the clock and of the processor."""

    wall_s: float = 0.0
    cpu_s: float = 0.0


@contextmanager
def timed() -> Iterator[Took]:
    """Fill in what the block took, once it has ended."""
    took = Took()
    wall, cpu = time.perf_counter(), time.process_time()
    yield took
    took.wall_s, took.cpu_s = time.perf_counter() - wall, time.process_time() - cpu


def archive_of(history: Path, folder: Path) -> Archive:
    """Return the archive in *folder* that is fed from the home folder *history*."""
    return Archive(
        folder,
        roots={
            "claude_code": [history / ".claude" / "projects"],
            "codex": [history / ".codex" / "sessions"],
        },
    )


def sync(history: Path, folder: Path) -> dict[str, object]:
    """Sync once. The peak is the most memory that was resident at one time."""
    with timed() as took, archive_of(history, folder) as archive:
        report = archive.sync()
    return {
        "wall_s": took.wall_s,
        "cpu_s": took.cpu_s,
        "bytes": report.bytes_read,
        "messages": report.messages_new,
        "files": report.units,
        "peak_bytes": peak_bytes(),
    }


def append(history: Path, folder: Path) -> dict[str, object]:
    """Add a prompt to the longest Claude conversation and sync; some times over."""
    files = (history / ".claude" / "projects").rglob("*.jsonl")
    path = max(files, key=lambda file: (file.stat().st_size, file.name))
    size = path.stat().st_size
    random = Random(size)
    times = []
    try:
        for _ in range(ROUNDS):
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(another_prompt(path, random)) + "\n")
            with timed() as took, archive_of(history, folder) as archive:
                new = archive.sync().messages_new
            times.append(took)
    finally:
        os.truncate(path, size)
    return {
        "wall_s": median(took.wall_s for took in times),
        "cpu_s": median(took.cpu_s for took in times),
        "messages": new,
    }


def another_prompt(path: Path, random: Random) -> dict[str, object]:
    """Return a prompt as the first one in *path*, under another id, saying more."""
    with path.open(encoding="utf-8") as file:
        records = (json.loads(line) for line in file)
        record: dict[str, object] = next(
            record for record in records if record.get("type") == "user"
        )
    text = f"and now the {natural(random, nouns_drawn(random))}"
    identity = str(UUID(int=random.getrandbits(128), version=4))
    return {**record, "uuid": identity, "message": {"role": "user", "content": text}}


def warm(history: Path, folder: Path) -> dict[str, object]:
    """Ask each question some times in one process; return its median milliseconds.

    Raises:
        RuntimeError: An identifier was not found: a fast answer that is wrong.
    """
    planted = identifiers(history)
    with archive_of(history, folder) as archive:
        archive.search("before anything is timed")
        if lost := [one for one in planted if not archive.search(one).hits]:
            raise RuntimeError(f"{len(lost)} of {len(planted)} were not found")
        return {
            mode.value: [
                milliseconds(archive, question, mode)
                for question in (*planted, *made_up_questions())
            ]
            for mode in (Mode.WORDS, Mode.BOTH)
        }


def milliseconds(archive: Archive, question: str, mode: Mode) -> float:
    times = []
    for _ in range(ROUNDS):
        with timed() as took:
            archive.search(question, mode=mode)
        times.append(took.wall_s * 1000)
    return median(times)


def identifiers(history: Path) -> list[str]:
    """Return some of the identifiers that stand in one message each."""
    with (history / "truth.jsonl").open(encoding="utf-8") as truth:
        known = [json.loads(line)["identifier"] for line in truth]
    return Random(1).sample(known, min(QUESTIONS_EACH, len(known)))


def made_up_questions() -> Iterator[str]:
    """Yield questions of three words, and as many in whole sentences.

    Their words are as frequent as those of the text they are asked of.
    """
    random = Random(1)
    nouns = nouns_drawn(random)
    for _ in range(QUESTIONS_EACH):
        yield " ".join(islice(nouns, 3))
        yield natural(random, nouns)


def natural(random: Random, nouns: Iterator[str]) -> str:
    first, second, third = islice(nouns, 3)
    return (
        f"what did we decide about the {first} when the {second}"
        f" was {random.choice(words.ADJECTIVES)} and the {third} had to wait?"
    )


def size(history: Path, folder: Path) -> dict[str, object]:  # noqa: ARG001 - as the others
    """Return the bytes on disk: of every table and index, and beside the database."""
    database = folder / "quoth.db"
    tables: dict[str, int] = {}
    with closing(sqlite3.connect(database)) as connection:
        messages = connection.execute(
            "SELECT count(*) FROM message WHERE noise IS NULL"
        ).fetchone()[0]
        with suppress(sqlite3.OperationalError):  # not every SQLite has the table
            tables = dict(
                connection.execute(
                    "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC"
                ).fetchall()
            )
    copies = (folder / "vectors").rglob("*.vec")
    flat = sum(file.stat().st_size for file in copies)
    parts = {**tables, "the flat copy of the vectors": flat}
    return {
        "messages": messages,
        "bytes": database.stat().st_size + flat,
        "parts": parts,
    }


def versions(history: Path, folder: Path) -> dict[str, object]:  # noqa: ARG001 - as the others
    """Return what else was at work."""
    return {
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "numpy": np.__version__,
    }


def peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


STEPS: Final = {step.__name__: step for step in (sync, append, warm, size, versions)}


if __name__ == "__main__":
    step, history, folder = sys.argv[1:]
    print(json.dumps(STEPS[step](Path(history), Path(folder))))
