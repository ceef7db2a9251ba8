"""What a search answers: hits, counts, and what is missing and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from ._conversation import Kind, Role

__all__ = [
    "NO_FILTERS",
    "PAGE_SCHEMA",
    "Count",
    "DateRead",
    "EmptyReason",
    "Filters",
    "FoundIn",
    "Freshness",
    "Hit",
    "Include",
    "Mode",
    "Page",
    "RankingChoice",
    "Reason",
    "Respelled",
    "SearchUnit",
    "Withheld",
]

PAGE_SCHEMA = 1


class Mode(StrEnum):
    """Which rankings take part."""

    WORDS = "words"
    MEANING = "meaning"
    BOTH = "both"


class SearchUnit(StrEnum):
    """What one row of a page stands for."""

    CONVERSATION = "conversation"
    MESSAGE = "message"


class Include(StrEnum):
    """What is searched or listed on request only."""

    SUBAGENTS = "subagents"
    """Subagents as conversations of their own, not under their parent."""
    SUPERSEDED = "superseded"
    """What a source rewrote, rewound or dropped."""
    ECHOES = "echoes"
    """What an assistant asked a memory for, and what that answered."""


class FoundIn(StrEnum):
    """What of a message a snippet is taken from."""

    TEXT = "text"
    TOOL_INPUT = "tool_input"
    TOOL_OUTPUT = "tool_output"


class EmptyReason(StrEnum):
    """Why a page has no hits: three different answers."""

    NO_TERMS = "no_searchable_terms"
    NO_MATCH = "nothing_matches"
    NOTHING_RECORDED = "nothing_recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What narrows a search before anything is ranked or cut.

    Names match ignoring case; `repo` matches a whole path segment of the repository
    or the working folder. `since` is inclusive, `until` exclusive. `without` are words,
    or phrases, that a message must not hold.
    """

    within: str | None = None
    exclude: tuple[str, ...] = ()
    source: str | None = None
    repo: str | None = None
    role: Role | None = None
    since: datetime | None = None
    until: datetime | None = None
    without: tuple[str, ...] = ()
    include: frozenset[Include] = frozenset()


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A number of messages and of the conversations they are in.

    `exact` is false when a work budget stopped the count: then it is a lower bound.
    """

    conversations: int = 0
    messages: int = 0
    exact: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """Messages that match but are not shown on purpose, and how to see them."""

    reason: str
    messages: int
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How far the archive is behind the sources, as far as a short look could tell.

    `changed_files` is None when nobody looked. `complete` is false when the look ran
    out of its time budget. `unavailable` are places that held history when they were
    last read and can't be reached now.
    """

    changed_files: int | None = None
    oldest_change_s: float | None = None
    complete: bool = True
    last_sync: datetime | None = None
    unavailable: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRead:
    """Words of a question that name a time, and what they were taken for.

    A span, `since` inclusive and `until` exclusive, either open; or the conversation
    that was the last but so many.
    """

    text: str
    since: datetime | None = None
    until: datetime | None = None
    sessions_ago: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Respelled:
    """A word that no message holds, and the one that was looked for instead."""

    typed: str
    taken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingChoice:
    """What a person may choose of how a score is made; the rest was learned.

    `recency` is what it counts to be as new as the newest message, and half of that
    `half_life_days` before; `tools` what it counts that a tool wrote the message.
    """

    recency: float = 0.0
    half_life_days: float = 90.0
    tools: float = -0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One part of a hit's score: a feature from 0 to 1, times what it counts."""

    feature: str
    value: float
    weight: float

    @property
    def adds(self) -> float:
        """What it adds to the score."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One row of a page: a message, and the conversation it stands for.

    `marks` are (start, end) character positions in `snippet`. `repo` is the
    working folder where no repository is known. `others` counts further
    matching messages of the same row. `citation` is `key#seq@hash12`. `weak`: as likely
    as not, it has nothing to do with the question. Where an explanation was asked for,
    `ranks` is the place each ranking gave it, and `made_of` what its score is made of.
    """

    conversation: str
    parent: str | None
    kind: Kind
    title: str | None
    source: str
    repo: str | None
    model: str | None
    started_at: datetime | None
    seq: int
    role: Role
    at: datetime | None
    snippet: str
    marks: tuple[tuple[int, int], ...]
    found_in: FoundIn
    text: str
    matched_by: tuple[str, ...]
    score: float
    others: int
    citation: str
    also_in: tuple[str, ...] = ()
    superseded: bool = False
    source_gone: bool = False
    weak: bool = False
    ranks: tuple[tuple[str, int], ...] = ()
    made_of: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of an answer, with every count a person needs to trust it.

    `meaning_off` is the code of the error that kept meaning out of the search. `dates`
    are times that the question names, `from_then` how many messages that match are from
    one of them: those come first. `respelled` are words that were looked for otherwise.
    """

    question: str
    terms: tuple[str, ...]
    filters: Filters
    unit: SearchUnit
    mode: Mode
    shown: Count
    all_words: Count
    some_words: Count
    by_meaning_only: int
    recorded: Count
    embedded: int
    meaning_off: str | None = None
    dates: tuple[DateRead, ...] = ()
    from_then: int = 0
    respelled: tuple[Respelled, ...] = ()
    withheld: tuple[Withheld, ...]
    freshness: Freshness
    empty_reason: EmptyReason | None
    notices: tuple[str, ...]
    next_offset: int | None
    took_ms: float
    hits: tuple[Hit, ...]
