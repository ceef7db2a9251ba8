"""How a source hands over what it read: units, checkpoints and batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ._conversation import Conversation, Message, Rewind, Usage

__all__ = [
    "Append",
    "Batch",
    "Checkpoint",
    "Fact",
    "RedactedBatch",
    "Replace",
    "Unit",
]


class Fact(StrEnum):
    """What a source's format can tell at all, beside who said what."""

    TIMES = "times"
    """When each message was written, not only the conversation."""
    TITLES = "titles"
    """A title that a person or the program gave, not only the first prompt."""
    MODELS = "models"
    FOLDERS = "folders"
    """The folder that was worked in."""
    BRANCHES = "branches"
    """The branch that was checked out there."""
    TOOLS = "tools"
    """Calls of tools, with what came back."""
    EXIT_CODES = "exit codes"
    """How a command ended."""
    FILES = "files"
    """Paths that tools read or wrote."""
    TOKENS = "tokens"
    """What a call to the model cost."""
    REASONING = "reasoning"
    """What the model thought before it answered."""
    SUBAGENTS = "subagents"
    """Which conversation a subagent worked for."""
    REWINDS = "rewinds"
    """What was edited, taken back or answered again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The smallest thing that is read and remembered on its own.

    A file that grows, a file rewritten whole, one member of a zip, or one row of a
    database: `part` names the member or row and is empty for a file of its own.
    `stamp` changes whenever the content may have changed and is only ever compared
    for equality. `size` is in bytes, for progress. `changed_at` is
    the latest of all the times it carries, in seconds since the epoch.
    """

    path: Path
    stamp: str
    part: str = ""
    size: int = 0
    changed_at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where reading stopped in a unit, with all that is needed to go on from there.

    `offset` is the byte after the last whole record, `head` and `tail` are hashes that
    tell whether the bytes before it are still the same. `state` belongs to the source:
    plain JSON values. Text in it is redacted like any other text. `by_conversation`
    names the entry of it in which, by the native id of a conversation, stands all that
    it repeats of any; empty where there is no such entry. It is not stored.
    """

    offset: int = 0
    head: str = ""
    tail: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    by_conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A bounded part of a unit, in file order, and the checkpoint after it.

    `ignored` counts records that hold no conversation, by type, in this batch only.
    """

    conversations: tuple[Conversation, ...] = ()
    records: tuple[Message | Rewind, ...] = ()
    usage: tuple[Usage, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    checkpoint: Checkpoint = Checkpoint()


@dataclass(frozen=True, slots=True, kw_only=True)
class Append(Batch):
    """Follows what was read before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(Batch):
    """Begins the unit anew: what this reading doesn't repeat is superseded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedBatch:
    """A batch that has been through redaction: the only form that can be stored.

    Only `quoth.redaction.redact` makes one.
    """

    batch: Batch
    rules_version: int
    replacements: Mapping[str, int]
