"""Measure search quality through the front door, on data that lies outside.

    python benchmarks/evaluate.py FOLDER [--modes words,both] [--sets locomo,...]

FOLDER holds `retrieval/<set>/{sessions.jsonl.gz,questions.jsonl}`. Every library of a
set becomes an archive of its own (`haystack` questions: one a question), fed as
`generic` histories and searched with the product's defaults. Prints hit@k, R@10 and
MRR for messages and for sessions, beside the size of the pool.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import quoth
from quoth.model import Mode, SearchUnit

K = (1, 5, 10)
_ROLES = {"user": "user", "assistant": "assistant"}


@dataclass
class Score:
    """Sums of measures over questions."""

    questions: int = 0
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, gold: Sequence[str], ranked: Sequence[str]) -> None:
        """Score one ranking against what it should have found."""
        wanted = set(gold)
        self.questions += 1
        for k in K:
            found = len(wanted & set(ranked[:k]))
            self.sums[f"hit@{k}"] += found > 0
            self.sums[f"R@{k}"] += found / len(wanted)
        first = next((rank for rank, one in enumerate(ranked, 1) if one in wanted), 0)
        self.sums["MRR"] += 1 / first if first else 0.0

    def mean(self, measure: str) -> float:
        """Return a measure's mean over the questions."""
        return self.sums[measure] / max(self.questions, 1)

    def __str__(self) -> str:
        names = ("hit@1", "hit@5", "hit@10", "R@10", "MRR")
        figures = "  ".join(f"{name} {100 * self.mean(name):5.1f}" for name in names)
        return f"n {self.questions:4}  {figures}"


def write_history(folder: Path, sessions: Iterable[Mapping[str, Any]]) -> None:
    """Write sessions as generic histories, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, session in enumerate(sessions):
        with (folder / f"{number:06}.jsonl").open("w", encoding="utf-8") as file:
            for message in session["messages"]:
                record = {
                    "session_id": session["session"],
                    "id": message["id"],
                    "role": _ROLES.get(message["role"], "user"),
                    "content": message["text"],
                    "timestamp": session.get("date") or None,
                }
                file.write(json.dumps(record) + "\n")


def ranked_by(
    archive: quoth.Archive, question: str, *, mode: Mode, unit: SearchUnit
) -> list[str]:
    """Return native ids of what the archive finds, best first."""
    page = archive.search(question, mode=mode, unit=unit, limit=50)
    if unit is SearchUnit.CONVERSATION:
        return [hit.conversation.removeprefix("generic:") for hit in page.hits]
    return [native_id(hit.conversation, hit.seq) for hit in page.hits]


def native_id(key: str, seq: int) -> str:
    """Return the id a message had in its file: the order of the file is that of seq."""
    return f"{key.removeprefix('generic:')}\0{seq}"


def _read(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with gzip.open(folder / "sessions.jsonl.gz", "rt", encoding="utf-8") as file:
        sessions = {one["session"]: one for one in map(json.loads, file)}
    with (folder / "questions.jsonl").open(encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    return sessions, [one for one in questions if not one.get("abstention")]


def _libraries(
    sessions: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield (sessions, questions) of every library."""
    if "haystack" in questions[0]:
        for question in questions:
            names = dict.fromkeys(name for name, _ in question["haystack"])
            yield [sessions[name] for name in names], [question]
        return
    by_library: defaultdict[str, list[Any]] = defaultdict(list)
    for question in questions:
        by_library[question["library"]].append(question)
    for library, asked in by_library.items():
        yield [s for s in sessions.values() if s["library"] == library], asked


def evaluate(folder: Path, modes: Sequence[Mode]) -> Iterator[str]:
    """Yield a line of figures per mode and unit for the set in *folder*."""
    sessions, questions = _read(folder)
    scores: defaultdict[tuple[Mode, str], Score] = defaultdict(Score)
    pool: list[int] = []
    for library, asked in _libraries(sessions, questions):
        places = {
            message["id"]: f"{session['session']}\0{seq}"
            for session in library
            for seq, message in enumerate(
                (one for one in session["messages"] if one["text"].strip()), start=1
            )
        }
        pool.append(len(places))
        with tempfile.TemporaryDirectory() as scratch:
            write_history(Path(scratch, "in"), library)
            with quoth.open_archive(
                Path(scratch, "home"), roots={"generic": [Path(scratch, "in")]}
            ) as archive:
                archive.sync()
                for question in asked:
                    _score(archive, question, places, modes, scores)
    yield f"{folder.name}: {len(pool)} libraries of {sum(pool) // len(pool)} messages"
    for (mode, unit), score in sorted(scores.items()):
        yield f"  {mode:8} {unit:9} {score}"


def _score(
    archive: quoth.Archive,
    question: Mapping[str, Any],
    places: Mapping[str, str],
    modes: Sequence[Mode],
    scores: Mapping[tuple[Mode, str], Score],
) -> None:
    gold = [places[one] for one in question["gold"] if one in places]
    for mode in modes:
        for unit, wanted in (
            (SearchUnit.MESSAGE, gold),
            (SearchUnit.CONVERSATION, question["gold_sessions"]),
        ):
            if wanted:
                found = ranked_by(archive, question["question"], mode=mode, unit=unit)
                scores[mode, unit].add(wanted, found)


def main() -> None:
    """Print the figures of every set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--modes", default="words,meaning,both")
    parser.add_argument("--sets", default="locomo,beam-100k")
    arguments = parser.parse_args()
    modes = [Mode(mode) for mode in arguments.modes.split(",")]
    for name in arguments.sets.split(","):
        for line in evaluate(arguments.folder / "retrieval" / name, modes):
            print(line, flush=True)


if __name__ == "__main__":
    main()
