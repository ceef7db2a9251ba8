"""Histories of an invented team, to try quoth on without one's own.

Everything in them is made up, the key in one of them too. They are written by
`benchmarks/make_demo.py`; edit the scripts it reads, not the histories.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from quoth.archive import Archive, open_archive

__all__ = [
    "HISTORIES",
    "QUESTIONS",
    "DemoQuestion",
    "another_question",
    "open_demo",
    "roots",
]

HISTORIES: Final = Path(str(files(__name__) / "histories"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """A question to the demo, and what should be found.

    `conversation` is the native id of the one that answers and `answer` stands word for
    word in a message of it. A question `by_meaning` shares no content word with that
    conversation.
    """

    question: str
    conversation: str
    answer: str
    by_meaning: bool


QUESTIONS: Final = (
    DemoQuestion(
        question="were buyers ever billed double?",
        conversation="5d0f2c1e-8a43-4f6b-9c27-1be0a7d4e601",
        answer="the posting is written a second time",
        by_meaning=True,
    ),
    DemoQuestion(
        question="RAM usage creeping upward",
        conversation="8e25f7b1-d3a0-4c64-b917-6a0c4de8f211",
        answer="It isn't a cache; it's a list that only gets longer.",
        by_meaning=True,
    ),
    DemoQuestion(
        question="why did Chrome distrust our website?",
        conversation="e8c5160d-4f2b-4c7a-95be-3d90a1f6b706",
        answer="the HTTP-01 challenge on port 80 is redirected to https",
        by_meaning=True,
    ),
    DemoQuestion(
        question="why were prices inflated in Tokyo?",
        conversation="b41e8f52-7d09-4a36-9e6d-c50f83d2a909",
        answer="multiply by `10 ** minor_units(currency)`: 0 for yen",
        by_meaning=True,
    ),
    DemoQuestion(
        question="speeding up continuous integration",
        conversation="019a1c40-7b2e-7d10-9f31-aa51c0de0021",
        answer="each push looks for an entry that cannot exist yet",
        by_meaning=True,
    ),
    DemoQuestion(
        question="keyset cursor",
        conversation="64d0a8e3-5b7c-4f19-a2c8-19f7e3b06d10",
        answer="A keyset cursor fixes it",
        by_meaning=False,
    ),
    DemoQuestion(
        question="BRIN or partial index",
        conversation="7a3d94f6-0b58-4e91-8d1c-e64f2a5b9305",
        answer="**BRIN** is small, but it prunes only if neighbouring rows are alike.",
        by_meaning=False,
    ),
    DemoQuestion(
        question="byte order mark in Excel",
        conversation="019a7be1-4d06-7f92-a6c9-dd84f3a10024",
        answer="Excel on Windows takes a CSV without a byte order mark",
        by_meaning=False,
    ),
)
"""Five that only meaning can answer, then three by their words."""


def another_question(asked: str) -> str:
    """Return a question that only meaning can answer, and not the one just asked."""
    questions = [each.question for each in QUESTIONS if each.by_meaning]
    following = questions.index(asked) + 1 if asked in questions else 0
    return questions[following % len(questions)]


def roots() -> dict[str, Path]:
    """Return the folder each source is to read, by the source's name."""
    return {
        "claude_code": HISTORIES / "claude" / "projects",
        "codex": HISTORIES / "codex" / "sessions",
    }


def open_demo(home: Path) -> Archive:
    """Return the archive of the demo histories in *home*, which `sync` fills."""
    return open_archive(
        home, roots={source: [folder] for source, folder in roots().items()}
    )
