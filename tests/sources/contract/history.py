"""What a sample has to tell the contract suite, and what it may be asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from quoth.model import Role
from quoth.sources import Source

__all__ = [
    "History",
    "Said",
    "Sample",
    "Turn",
    "Wish",
    "a_task",
    "lines",
    "stamp",
    "voyage",
    "words",
]


@dataclass(frozen=True, kw_only=True)
class Wish:
    """Which history a test wants. A sample heeds all of it.

    `first` is the first prompt of the first conversation. In a `strange` history there
    are records, fields and a version that nobody knows, and the last answer of the last
    conversation was given in the year 2199. `edit` is done to the bytes of every file,
    in an archive to those of every member.
    """

    conversations: int = 2
    turns: int = 2
    first: str = "Which quay is free tonight?"
    strange: bool = False
    edit: Callable[[bytes], bytes] = bytes


@dataclass(frozen=True, kw_only=True)
class Said:
    """Words of a person or a model that are live, and when they were said.

    `at` is None where the format has no time for them, or none that can be true.
    """

    role: Role
    text: str
    at: datetime | None


@dataclass(frozen=True, kw_only=True)
class History:
    """Files, and what must be in an archive once they have been read.

    Attributes:
        files: The bytes of every file, by its path below the root.
        said: Of each conversation, subagents too, what it shows, in order.
        machine: Texts that stand in the person's place and are a program's.
        usage: What all calls to models cost, by class; empty if it isn't told.
    """

    files: Mapping[str, bytes]
    said: Sequence[Sequence[Said]]
    machine: Sequence[str] = ()
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One source and how to lay out a history for it.

    Attributes:
        root: The last name of the folder that the source is given as its root.
        history: Lays one out as it is wished for.
        copied: Says where a file may lie a second time, as it does after a backup or
            when a project is moved.
        another: Where one more file of the source could lie.
        side_files: Names of other files that `read` may open: those the source's
            section in docs/sources.md names.
        may_look_at: Whether it may open this file to read another one, of which it is
            told in that section.
    """

    source: Source
    root: str
    history: Callable[[Wish], History]
    copied: Callable[[str], str]
    another: str
    side_files: tuple[str, ...] = ()
    may_look_at: Callable[[Path], bool] = lambda _: False


# What all samples tell


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A prompt and its answer, as every sample tells them in its own way."""

    number: int
    prompt: str
    answer: str
    asked: datetime
    answered: datetime

    @property
    def said(self) -> list[Said]:
        """Return what an archive has to show of it."""
        is_true = self.answered.year < 2100
        at = self.answered if is_true else None
        return [
            Said(role=Role.USER, text=self.prompt, at=self.asked),
            Said(role=Role.ASSISTANT, text=self.answer, at=at),
        ]


def voyage(wish: Wish, conversation: int) -> list[Turn]:
    """Return the turns of the conversation of that number."""
    return [_turn(wish, conversation, number) for number in range(wish.turns)]


def words(turns: Sequence[Turn]) -> list[Said]:
    """Return what has to be told of these turns."""
    return [each for turn in turns for each in turn.said]


def a_task(at: datetime) -> list[Said]:
    """Return what a subagent was told to do, and what it answered."""
    return [
        Said(role=Role.USER, text="Survey all moorings of the harbour.", at=at),
        Said(role=Role.ASSISTANT, text="The moorings are sound.", at=at),
    ]


def _turn(wish: Wish, conversation: int, number: int) -> Turn:
    asked = datetime(2026, 5, 1 + conversation, 10, number, tzinfo=UTC)
    answered = asked + timedelta(seconds=30)
    is_last = (conversation, number) == (wish.conversations - 1, wish.turns - 1)
    is_first = (conversation, number) == (0, 0)
    prompt = f"What about pier {number} on voyage {conversation}?"
    return Turn(
        number=number,
        prompt=wish.first if is_first else prompt,
        answer=f"Pier {number} was told of on voyage {conversation}.",
        asked=asked,
        answered=answered.replace(year=2199) if wish.strange and is_last else answered,
    )


def stamp(at: datetime) -> str:
    """Return a time as most programs write it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def lines(records: Sequence[Mapping[str, Any]]) -> bytes:
    """Return records as JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
