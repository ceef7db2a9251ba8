"""Measure MiniLM: texts a core-second, with two processes, and a cold search.

    python benchmarks/minilm.py FOLDER [--messages 100000]

FOLDER holds `model.safetensors` of all-MiniLM-L6-v2. Short texts have 30 tokens, long
ones 200, both drawn at random; an archive of made-up histories is searched by a process
of its own, with a cold start. The goals are what a first sketch of
this in numpy once did: 121 short and 16 long texts in a second of one core of an AMD
EPYC. A core is not equally fast every day: compare engines only in one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from quoth.embedding._minilm import MiniLmEmbedder

GOALS = {30: 121, 200: 16.1}
TOGETHER = 512
QUESTION = "how long do we keep the invoices"


def texts_of(length: int, count: int) -> list[list[int]]:
    """Return lists of ids as the embedder would make them."""
    random = Random(length)
    return [
        [101, *(random.randrange(2_000, 20_000) for _ in range(length - 2)), 102]
        for _ in range(count)
    ]


def rate(folder: Path, length: int, count: int) -> tuple[float, float]:
    """Return texts in a second of this core, and how long that took by the clock."""
    embedder = MiniLmEmbedder(folder)
    texts = texts_of(length, count)
    together = TOGETHER // length
    embedder.embed_query(QUESTION)
    began, busy = time.perf_counter(), time.process_time()
    for at in range(0, count, together):
        embedder._bert.encode(texts[at : at + together])
    return count / (time.process_time() - busy), time.perf_counter() - began


def scaling(folder: Path) -> float:
    """Return how many times as many texts two processes get through."""
    alone = rate(folder, 30, 300)[1]
    with ProcessPoolExecutor(2) as pool:
        both = [pool.submit(rate, folder, 30, 300) for _ in range(2)]
        together = max(each.result()[1] for each in both)
    return 2 * alone / together


def cold_search(folder: Path, messages: int) -> None:
    """Print how long a first search takes, by what it does."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        made = Path(__file__).with_name("generate_history.py")
        subprocess.run(
            [sys.executable, made, home, "--messages", str(messages)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        environ = {
            "HOME": str(home),
            "QUOTH_HOME": str(Path(scratch) / "quoth"),
            "PATH": os.environ["PATH"],
        }

        def quoth(*arguments: str) -> float:
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "quoth", *arguments],
                check=True,
                env=environ,
                stdout=subprocess.DEVNULL,
            )
            return time.perf_counter() - began

        quoth("sync")
        quoth("models", "add", str(folder))
        quoth("models", "use", "minilm")
        print(f"embedding {messages:,} messages: {quoth('embed'):.0f} s")
        for mode in ("words", "both"):
            taken = [
                quoth("search", "--no-sync", "--mode", mode, QUESTION) for _ in range(9)
            ]
            print(f"cold search, {mode}: {1000 * statistics.median(taken):.0f} ms")


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--messages", type=int, default=0)
    given = parser.parse_args()
    for length, goal in GOALS.items():
        rates = [rate(given.folder, length, 9_000 // length)[0] for _ in range(5)]
        found = statistics.median(rates)
        print(
            f"{length} tokens: {found:.1f} a core-second, {found / goal:.2f} of {goal}"
        )
    print(f"two processes: {scaling(given.folder):.2f} times as many")
    if given.messages:
        cold_search(given.folder, given.messages)


if __name__ == "__main__":
    main()
