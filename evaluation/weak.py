"""Measure which hits are weak: what is shown for questions that nothing answers.

    python -m evaluation.weak FOLDER

Each library is asked its own questions, and questions that have nothing to do with it:
those of the other sets, and those of the probe that are about nothing in it. Printed is
for what share of the questions the best hit counts as good.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import quoth
from quoth.model import Mode

from .__main__ import KEPT
from .archives import opened
from .sets import Layout, QuestionSet, libraries_of, read_sets

SETS = ("locomo", "beam-100k", "longmemeval-s", "probe")
_SEED, _OWN, _OTHERS, _LIBRARIES = 3, 200, 60, 40


def is_good(archive: quoth.Archive, question: str, mode: Mode) -> bool:
    """Say whether the best hit is shown as one to count on."""
    page = archive.search(question, mode=mode, limit=1)
    return bool(page.hits) and not page.hits[0].weak


def measured(found: QuestionSet, others: Sequence[str], mode: Mode) -> dict[str, float]:
    """Return the share of best hits that count as good, by kind of question."""
    good: defaultdict[str, list[bool]] = defaultdict(list)
    chosen = random.Random(_SEED)
    libraries = list(libraries_of(found, Layout.APART))[:_LIBRARIES]
    each = max(_OTHERS // len(libraries), 2)
    for library in libraries:
        with opened(library.sessions, kept_in=KEPT / "archives") as archive:
            for question in library.questions[:_OWN]:
                kind = "on topic, no answer" if question.abstains else "answered"
                if question.kind == "off_topic":
                    kind = "off topic"
                good[kind].append(is_good(archive, question.text, mode))
            for text in chosen.sample(others, each):
                good["of another set"].append(is_good(archive, text, mode))
    return {kind: sum(rows) / len(rows) for kind, rows in sorted(good.items())}


def main() -> None:
    """Measure every set in every mode."""
    parser = argparse.ArgumentParser("python -m evaluation.weak", description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    sets = list(read_sets(given.folder, SETS))
    for mode in Mode:
        for each in sets:
            others = [
                question.text
                for other in sets
                for question in other.questions
                if other is not each and not question.abstains
            ]
            shares = measured(each, others, mode)
            told = ", ".join(f"{kind} {share:.2f}" for kind, share in shares.items())
            print(f"{each.name}, {mode}: {told}", flush=True)


if __name__ == "__main__":
    main()
