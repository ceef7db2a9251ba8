"""Cut the slice of LongMemEval-S that the quality tests use.

    python tests/quality/data/longmemeval/make_slice.py FOLDER

FOLDER holds the whole set as `questions.jsonl`, `sessions.jsonl.gz` and `LICENSE`. The
questions are taken by the hash of their ids, so that nobody chose them, and as many of
each type as its share of the set. Text is verbatim.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
QUESTIONS: Final = 25


def records_in(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)


def lines_of(records: Iterator[dict[str, Any]]) -> str:
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def seats(sizes: dict[str, int], total: int) -> dict[str, int]:
    """Share *total* places among groups of these sizes, by largest remainder."""
    whole = sum(sizes.values())
    exact = {name: total * size / whole for name, size in sizes.items()}
    given = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (given[name] - exact[name], name))
    for name in by_remainder[: total - sum(given.values())]:
        given[name] += 1
    return given


def chosen(questions: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the slice's questions, those that have an answer only."""
    by_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in questions:
        if not question.get("abstention"):
            by_type[question["type"]].append(question)
    places = seats({name: len(group) for name, group in by_type.items()}, QUESTIONS)
    return [
        question
        for name, group in sorted(by_type.items())
        for question in sorted(
            group, key=lambda q: sha256(q["id"].encode()).hexdigest()
        )[: places[name]]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut the slice of LongMemEval-S.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    questions = chosen(records_in(folder / "questions.jsonl"))
    keys = ("id", "question", "type", "date", "gold", "gold_sessions", "haystack")
    kept = ({key: question[key] for key in keys} for question in questions)
    (HERE / "questions.jsonl").write_text(lines_of(kept), encoding="utf-8")
    wanted = {session for q in questions for session, _ in q["haystack"]}
    sessions = (
        {key: session[key] for key in ("session", "date", "messages")}
        for session in records_in(folder / "sessions.jsonl.gz")
        if session["session"] in wanted
    )
    packed = gzip.compress(lines_of(sessions).encode(), compresslevel=9, mtime=0)
    (HERE / "sessions.jsonl.gz").write_bytes(packed)
    shutil.copyfile(folder / "LICENSE", HERE / "LICENSE")


if __name__ == "__main__":
    main()
