"""The question sets, and the libraries that their questions are asked of."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = [
    "SETS",
    "Half",
    "Layout",
    "Library",
    "Question",
    "QuestionSet",
    "libraries_of",
    "moment",
    "read_sets",
]

SETS = ("locomo", "beam-100k", "longmemeval-s", "probe", "chinese")
OWN = Path(__file__).with_name("data")
"""The sets that are part of this repository: one library each."""


class Layout(StrEnum):
    """What a question is asked of."""

    APART = "apart"
    """Its own haystack, or the library it belongs to."""
    POOLED = "pooled"
    """All sessions of the set at once."""


class Half(StrEnum):
    """Which questions are asked: what is tuned on one half is reported on the other."""

    ALL = "all"
    TUNE = "tune"
    REPORT = "report"


def moment(told: str | None) -> str | None:
    """Return a set's date as ISO 8601, in UTC; each set writes it in its own way."""
    for form in ("%Y/%m/%d (%a) %H:%M", "%I:%M %p on %d %B, %Y"):
        try:
            return datetime.strptime(told or "", form).replace(tzinfo=UTC).isoformat()
        except ValueError:
            continue
    return told or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and what answers it: ids of messages, and of sessions."""

    id: str
    text: str
    kind: str
    messages: tuple[str, ...]
    sessions: tuple[str, ...]
    library: str
    haystack: tuple[tuple[str, str], ...] = ()
    """Session and date, where a question has sessions of its own."""
    abstains: bool = False
    """Whether nothing answers it."""
    date: str | None = None
    """When it was asked, as the set writes it."""

    @property
    def asked_at(self) -> datetime | None:
        """When it was asked; None for now."""
        told = moment(self.date)
        return None if told is None else datetime.fromisoformat(told)

    @property
    def half(self) -> Half:
        """The half it is in, by its id alone."""
        is_odd = sha256(self.id.encode()).digest()[0] % 2
        return Half.REPORT if is_odd else Half.TUNE


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Sessions that are searched together, and the questions asked of them."""

    name: str
    sessions: Sequence[Mapping[str, Any]]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """Sessions and questions of one set."""

    name: str
    sessions: Mapping[str, Mapping[str, Any]]
    questions: Sequence[Question]

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """The layouts that differ: with one library there is nothing to pool."""
        apart = {each.library for each in self.questions}
        is_one = len(apart) == 1 and not any(each.haystack for each in self.questions)
        return (Layout.APART,) if is_one else tuple(Layout)

    @classmethod
    def read(cls, folder: Path) -> QuestionSet:
        """Read `sessions.jsonl`, packed or not, and `questions.jsonl` in *folder*."""
        packed = folder / "sessions.jsonl.gz"
        with (
            gzip.open(packed, "rt", encoding="utf-8")
            if packed.exists()
            else packed.with_suffix("").open(encoding="utf-8")
        ) as file:
            sessions = {each["session"]: each for each in map(json.loads, file)}
        with (folder / "questions.jsonl").open(encoding="utf-8") as file:
            questions = [_question(each) for each in map(json.loads, file)]
        return cls(name=folder.name, sessions=sessions, questions=questions)


def read_sets(folder: Path, names: Sequence[str] = SETS) -> Iterator[QuestionSet]:
    """Read sets by their names, those of others from *folder*."""
    for name in names:
        own = OWN / name
        yield QuestionSet.read(own if own.exists() else folder / "retrieval" / name)


def libraries_of(
    found: QuestionSet, layout: Layout, *, half: Half = Half.ALL
) -> Iterator[Library]:
    """Yield what has to be searched, each library with its questions."""
    asked = [each for each in found.questions if half in (Half.ALL, each.half)]
    if layout is Layout.POOLED:
        sessions = list(found.sessions.values())
        yield Library(name="pooled", sessions=sessions, questions=asked)
        return
    by_library: defaultdict[str, list[Question]] = defaultdict(list)
    for question in asked:
        if question.haystack:
            yield _haystack(found, question)
        else:
            by_library[question.library].append(question)
    for name, questions in by_library.items():
        sessions = [each for each in found.sessions.values() if each["library"] == name]
        yield Library(name=name, sessions=sessions, questions=questions)


def _haystack(found: QuestionSet, question: Question) -> Library:
    """Return a question's own sessions, each once, with the dates told there."""
    dates = dict(question.haystack)
    sessions = [{**found.sessions[name], "date": dates[name]} for name in dates]
    return Library(name=question.id, sessions=sessions, questions=[question])


def _question(told: Mapping[str, Any]) -> Question:
    return Question(
        id=told["id"],
        text=told["question"],
        kind=told["type"],
        messages=tuple(told["gold"]),
        sessions=tuple(told["gold_sessions"]),
        library=told["library"],
        haystack=tuple((name, date) for name, date in told.get("haystack", [])),
        abstains=bool(told.get("abstention")),
        date=told.get("date"),
    )
