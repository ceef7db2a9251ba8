"""How fast the static embedder and the flat scan are, and what bytes cost in recall.

    python benchmarks/vector_recall.py SESSIONS.jsonl.gz [--windows 100000]

SESSIONS is LongMemEval-S pooled, a JSON object a line: {"messages": [{"text": ...}]}.
Every 200th message's first 12 words are the questions. Times are of the processor, on
one core; those of a start are of the clock.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # Read when numpy is imported.

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from quoth.embedding import Quantised, StaticEmbedder, load_static
from quoth.store._flat import FlatVectors

P = ParamSpec("P")
T = TypeVar("T")

DEPTH = 50
SCANS = 21
STARTS = 7
QUESTION_WORDS = 12

COLD_START = """
from time import perf_counter
begun = perf_counter()
import numpy
imported = perf_counter()
from quoth.embedding import load_static
embedder = load_static()
loaded = perf_counter()
embedder.embed_query("what did I say about the vesting schedule?")
print(imported - begun, loaded - imported, perf_counter() - loaded)
"""


def main() -> int:
    """Print the figures, or that there is nothing to measure on."""
    arguments = parsed()
    if not arguments.sessions.is_file():
        print(f"{arguments.sessions} is absent: nothing measured.")
        return 0
    embedder = load_static()
    texts = enough(arguments.sessions, arguments.windows, embedder)
    report_start()
    messages = report_embedding(texts)
    with tempfile.TemporaryDirectory() as folder:
        vectors = flat(Path(folder) / "vectors", messages)
        queries = questions(embedder, texts)
        report_scan(vectors, queries)
        report_recall(vectors, queries, exact(embedder, texts))
    return 0


def parsed() -> argparse.Namespace:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--windows", type=int, default=100_000)
    return parser.parse_args()


def texts_of(path: Path) -> Iterator[str]:
    """Yield the text of every message."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from (message["text"] for message in json.loads(line)["messages"])


def enough(path: Path, windows: int, embedder: StaticEmbedder) -> list[str]:
    """Return the first messages that make at least so many windows."""
    texts: list[str] = []
    count = 0
    for text in texts_of(path):
        if count >= windows:
            break
        texts.append(text)
        count += len(embedder.embed_passages(text))
    return texts


def report_start() -> None:
    """Print what a fresh process pays before its first question has a vector."""
    command = [sys.executable, "-c", COLD_START]
    runs = [subprocess.check_output(command, text=True).split() for _ in range(STARTS)]
    columns = zip(*runs, strict=True)
    numpy, load, first = (1000 * median(map(float, column)) for column in columns)
    print(f"start: numpy {numpy:.1f} ms, load {load:.1f} ms, question {first:.2f} ms")


def report_embedding(texts: Sequence[str]) -> list[Quantised]:
    """Print the speed with no word known yet, and after; return the vectors."""
    size = sum(len(text.encode()) for text in texts) / 1e6
    embedder = load_static()
    for name in ("fresh", "again"):
        spent, messages = timed(embedder.embed_messages, texts)
        print(
            f"embed ({name}): {len(texts)} texts, {size:.1f} MB in {spent:.2f} s:"
            f" {len(texts) / spent:.0f} texts/s, {size / spent:.2f} MB/s"
        )
    return messages


def flat(path: Path, messages: Sequence[Quantised]) -> FlatVectors:
    """Return the vectors of *messages* as a flat copy, and print what that took."""
    rows = [
        (number, rows.codes.tobytes(), rows.scales.tobytes())
        for number, rows in enumerate(messages, start=1)
    ]
    write, _ = timed(
        FlatVectors.write,
        path,
        identity=StaticEmbedder.identity,
        dimensions=StaticEmbedder.dimensions,
        generation=1,
        rows=rows,
    )
    opening, vectors = timed(FlatVectors.open, path)
    assert vectors is not None  # noqa: S101 - It was written a moment ago.
    print(
        f"flat copy: {vectors.count} vectors, {path.stat().st_size / 1e6:.1f} MB,"
        f" written in {write * 1000:.0f} ms, opened in {opening * 1000:.2f} ms"
    )
    return vectors


def questions(
    embedder: StaticEmbedder, texts: Sequence[str]
) -> list[NDArray[np.float32]]:
    """Return the vectors of the beginnings of every 200th message."""
    beginnings = (" ".join(text.split()[:QUESTION_WORDS]) for text in texts[::200])
    vectors = map(embedder.embed_query, beginnings)
    return [vector for vector in vectors if vector is not None]


def report_scan(vectors: FlatVectors, queries: Sequence[NDArray[np.float32]]) -> None:
    """Print the median of the scan alone, and with the first 1,000 owners in order."""
    some = queries[:SCANS]
    scan = median(timed(vectors.scores, query)[0] for query in some)
    first = median(
        timed(lambda q: next(vectors.scored(q).ranked()), query)[0] for query in some
    )
    every = median(
        timed(lambda q: list(vectors.scored(q).ranked()), query)[0] for query in some
    )
    print(
        f"scan of {vectors.count}: {scan * 1000:.1f} ms; first chunk ranked"
        f" {first * 1000:.1f} ms; all ranked {every * 1000:.1f} ms"
        f" (medians of {len(some)})"
    )


def exact(embedder: StaticEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the window vectors before they become bytes, unit length, in float32."""
    sums = np.concatenate([embedder._sums(text, windowed=True) for text in texts])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    sums /= np.where(lengths > 0, lengths, 1.0)
    return sums.astype(np.float32)


def report_recall(
    vectors: FlatVectors,
    queries: Sequence[NDArray[np.float32]],
    reference: NDArray[np.float32],
) -> None:
    """Print how many of the nearest windows in float32 the scan of bytes finds."""
    shared = sum(
        len(np.intersect1d(highest(reference @ query), highest(vectors.scores(query))))
        for query in queries
    )
    recall = shared / (DEPTH * len(queries))
    print(f"recall_at_{DEPTH} against float32: {recall:.4f} ({len(queries)} questions)")


def highest(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the places of the highest scores, the first of equals."""
    return np.argsort(-scores, kind="stable")[:DEPTH]


def timed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[float, T]:
    """Return how many seconds of processor time *work* took, and what it gave."""
    begun = process_time()
    result = work(*args, **kwargs)
    return process_time() - begun, result


if __name__ == "__main__":
    sys.exit(main())
