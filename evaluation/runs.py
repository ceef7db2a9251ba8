"""Asking every question of a set, and what came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quoth.model import Mode, SearchUnit

from .archives import asked, opened, places_of
from .baseline import Baseline
from .measures import measured
from .sets import Half, Layout, Library, Question, QuestionSet, libraries_of

__all__ = ["BASELINE", "Answered", "Run", "evaluate"]

BASELINE = "FTS5"
UNITS = ("messages", "sessions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What one ranker found for a question: ids, best first."""

    question: Question
    messages: Sequence[str]
    sessions: Sequence[str]

    def measures(self, unit: str) -> dict[str, float] | None:
        """Return the measures of a unit; None where nothing of that unit is wanted."""
        wanted = getattr(self.question, unit)
        if self.question.abstains or not wanted:
            return None
        return measured(wanted, getattr(self, unit))


@dataclass(slots=True)
class Run:
    """All questions of a set in one layout, by ranker."""

    name: str
    layout: Layout
    half: Half
    pool: list[int] = field(default_factory=list)
    answers: dict[str, list[Answered]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    """Of each search in the product's default mode, the mean of both units."""

    def rows(
        self, ranker: str, unit: str, *, kind: str | None = None
    ) -> list[dict[str, float]]:
        """Return the measures of every question that counts, in one order."""
        found = (
            each.measures(unit)
            for each in self.answers.get(ranker, [])
            if kind in (None, each.question.kind)
        )
        return [row for row in found if row is not None]

    def kinds(self) -> list[str]:
        """Return the kinds of questions, sorted."""
        return sorted({each.question.kind for each in self.answers[BASELINE]})

    def write(self, folder: Path) -> None:
        """Write one file for each ranker, as a scorer from outside reads it."""
        folder.mkdir(parents=True, exist_ok=True)
        for ranker, answers in self.answers.items():
            path = folder / f"{self.name}-{self.layout}-{ranker}.jsonl"
            with path.open("w", encoding="utf-8") as file:
                for each in answers:
                    told: Mapping[str, object] = {
                        "id": each.question.id,
                        "messages": [*each.messages],
                        "sessions": [*each.sessions],
                    }
                    file.write(json.dumps(told) + "\n")


def evaluate(
    found: QuestionSet,
    layout: Layout,
    *,
    modes: Sequence[Mode],
    half: Half,
    kept_in: Path,
) -> Run:
    """Ask every question of its library, in each mode and of the baseline."""
    run = Run(name=found.name, layout=layout, half=half)
    for library in libraries_of(found, layout, half=half):
        places = places_of(library.sessions)
        run.pool.append(len(places))
        _ask_baseline(run, library)
        with opened(library.sessions, kept_in=kept_in) as archive:
            for question in library.questions:
                for mode in modes:
                    began = time.perf_counter()
                    by_message, by_session = (
                        asked(
                            archive,
                            question.text,
                            mode=mode,
                            unit=unit,
                            asked_at=question.asked_at,
                        )
                        for unit in (SearchUnit.MESSAGE, SearchUnit.CONVERSATION)
                    )
                    if mode is Mode.BOTH:
                        run.seconds.append((time.perf_counter() - began) / 2)
                    answered = Answered(
                        question=question,
                        messages=[places[place] for place in by_message],
                        sessions=by_session,
                    )
                    run.answers.setdefault(mode.value, []).append(answered)
    return run


def _ask_baseline(run: Run, library: Library) -> None:
    baseline = Baseline(library.sessions)
    for question in library.questions:
        messages, sessions = baseline.asked(question.text)
        answered = Answered(question=question, messages=messages, sessions=sessions)
        run.answers.setdefault(BASELINE, []).append(answered)
    baseline.close()
