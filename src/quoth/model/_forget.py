"""What a person wants forgotten, what that would take away, and what was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

__all__ = [
    "NOTHING_KEPT_OUT",
    "ForgetPlan",
    "ForgetReport",
    "Forgotten",
    "Kinship",
    "Leaving",
    "NeverIndex",
    "Selection",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which conversations are to be forgotten: those that meet all that is given.

    Attributes:
        keys: Conversations by their key, or by a beginning of it that is unique.
        repo: As `Filters.repo`: a whole path segment, ignoring case.
        since: Something in them was said at or after this moment,
        until: and before this one.
        phrase: It occurs in anything they hold, ignoring case and runs of white space.
        family: Take with them what goes with them: resumed and forked copies, with what
            was said in these after that, and what was written out from them. What was
            begun anew in a copy stays. Subagents go in any case.
    """

    keys: tuple[str, ...] = ()
    repo: str | None = None
    source: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    phrase: str | None = None
    family: bool = True


class Kinship(StrEnum):
    """Why a conversation is among those that are to go."""

    CHOSEN = "chosen"
    SUBAGENT = "subagent"
    COPY = "copy"
    """Resumed, forked or written out: it holds messages of one that was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A conversation that is to be forgotten, or a copy that a part of is.

    `messages` counts those that go from it, superseded ones too, but no noise. `stay`
    counts those that stay, in a copy in which something was begun anew. `path` is the
    file it was read from, which quoth leaves as it is.
    """

    key: str
    title: str | None
    kinship: Kinship
    messages: int
    stay: int = 0
    started_at: datetime | None
    ended_at: datetime | None
    path: Path
    source_gone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What forgetting would take away. Nothing has happened yet.

    Attributes:
        messages: Those that would be gone; what another conversation holds too stays.
        kept_elsewhere: Those that stay, since conversations that stay hold them.
        recorded: Conversations there are in all.
    """

    selection: Selection
    conversations: tuple[Leaving, ...]
    messages: int
    kept_elsewhere: int
    recorded: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was forgotten, as entry `entry` of the list; None when nothing was.

    `remains` is true while traces of it are left in the archive's files, since another
    program was reading or the disk is full; the next sync removes them.
    """

    entry: int | None
    conversations: int
    messages: int
    remains: bool = False
    took_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """An entry of the list of what was forgotten, which holds nothing that was said.

    Attributes:
        asked: By what it was chosen: "key", "repo", "source", "dates", "phrase", or
            several of them; "rule" when a `never_index` rule did.
    """

    entry: int
    at: datetime
    asked: tuple[str, ...]
    conversations: int
    messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverIndex:
    """What is never to be recorded, and what of it is recorded to be forgotten.

    Attributes:
        paths: Patterns as of a shell (`*`, `?`, `[...]`; `*` also matches `/`) for the
            transcript's path or the conversation's working folder.
        repositories: As `Filters.repo`.
        markers: A text that a user or the assistant said somewhere in the conversation.
    """

    paths: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()


NOTHING_KEPT_OUT = NeverIndex()
