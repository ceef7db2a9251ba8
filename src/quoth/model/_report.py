"""What the other questions answer: a sync, a status, a transcript, a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from ._conversation import FileTouch, Kind, Role
from ._embedding import ComingEmbedder
from ._page import Count, Freshness
from ._reading import Fact

__all__ = [
    "FailedUnit",
    "Outcome",
    "PlaceState",
    "Progress",
    "ShownCall",
    "ShownMessage",
    "SkippedRecords",
    "SourceOverview",
    "SourcePlace",
    "SourceStatus",
    "Sources",
    "Status",
    "SyncReport",
    "Transcript",
    "UnloadedSource",
    "Verdict",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a sync is: units and bytes done, of those that have to be read.

    `messages_total` is set while newer rules go through stored messages, before that.
    """

    source: str = ""
    units: int = 0
    units_total: int = 0
    bytes: int = 0
    bytes_total: int = 0
    messages: int
    messages_total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedUnit:
    """A unit that could not be read at all, and why."""

    source: str
    path: Path
    part: str = ""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRecords:
    """Records of one unit that could not be used: how many, and why, by reason."""

    source: str
    path: Path
    part: str = ""
    reasons: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnloadedSource:
    """A source that another package registers and that can't be used, and why."""

    name: str
    package: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync changed, and everything it could not do.

    `gone` counts conversations kept whose source disappeared, by this sync or before;
    `newly_gone` those of them that this sync found. `reredacted` counts stored messages
    in which newer rules found something. `ignored` counts records without
    conversation, by `source:type`. `unavailable` are places that held history before
    and cannot be reached now; `unrecognised` are files that a person named, or that lie
    under a folder they named, and that no source can read. `unloaded` are sources that
    other packages register and that can't be used. `not_embedded` counts messages that
    still lack vectors, `refused` texts that an embedder could not take, by why, and
    `meaning_off` says why no more were made. `kept_out` counts messages that were
    read and not recorded, since they were forgotten or a rule keeps them out,
    `units_kept_out` units that were not opened for that reason, `purged` conversations
    that were recorded and fell under such a rule.
    """

    units: int = 0
    units_read: int = 0
    bytes_read: int = 0
    conversations_new: int = 0
    subagents_new: int = 0
    conversations_changed: int = 0
    messages_new: int = 0
    messages_superseded: int = 0
    reredacted: int = 0
    gone: int = 0
    newly_gone: int = 0
    embedded: int = 0
    not_embedded: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    meaning_off: str | None = None
    kept_out: int = 0
    units_kept_out: int = 0
    purged: int = 0
    redacted: Mapping[str, int]
    ignored: Mapping[str, int]
    skipped: tuple[SkippedRecords, ...] = ()
    failed: tuple[FailedUnit, ...] = ()
    unavailable: tuple[Path, ...] = ()
    unrecognised: tuple[Path, ...] = ()
    unloaded: tuple[UnloadedSource, ...] = ()
    places: tuple[Path, ...] = ()
    interrupted: bool = False
    took_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStatus:
    """What the archive holds of one source."""

    source: str
    conversations: int
    subagents: int
    messages: int
    units: int
    gone: int
    failed: int
    skipped: int
    newest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the archive holds, how large it is and how fresh. `size` is in bytes.

    `identity` is that of the embedder that searches ask, of which `embedded` messages
    have vectors, of the `embeddable`; `refused` of them it could not take, and `coming`
    is the one that serves next. `forgotten` counts the conversations that were
    forgotten and are kept out, `waiting_for_rules` the messages that newer rules go
    through at the next sync.
    """

    home: Path
    exists: bool
    size: int
    schema: int
    recorded: Count
    superseded: int
    noise: int
    forgotten: int = 0
    embedded: int
    embeddable: int
    refused: int = 0
    identity: str | None
    coming: ComingEmbedder | None = None
    rules_version: int
    waiting_for_rules: int = 0
    sources: tuple[SourceStatus, ...]
    ignored: Mapping[str, int]
    skipped: tuple[SkippedRecords, ...]
    failed: tuple[FailedUnit, ...]
    freshness: Freshness


class PlaceState(StrEnum):
    """What became of looking into a place."""

    FOUND = "found"
    MISSING = "missing"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """A place where a source's history is looked for; `size` is in bytes."""

    path: Path
    state: PlaceState
    units: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOverview:
    """A source: what it can tell, where it looks, and what the archive holds of it.

    `package` is the package that brings it, None for quoth itself. `imported` are the
    files that a person named, with their number where there are more.
    """

    name: str
    package: str | None
    facts: frozenset[Fact]
    places: tuple[SourcePlace, ...]
    imported: tuple[Path, ...]
    imported_total: int
    recorded: SourceStatus | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Every source there is, and those that couldn't be loaded."""

    sources: tuple[SourceOverview, ...]
    unloaded: tuple[UnloadedSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCall:
    """A tool call in a transcript, with what came back from it."""

    name: str
    input: str
    command: str | None
    output: str | None
    output_size: int | None
    exit_code: int | None
    is_error: bool | None
    touches: tuple[FileTouch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    """One message of a transcript, in its conversation's order."""

    seq: int
    role: Role
    text: str
    at: datetime | None
    model: str | None
    calls: tuple[ShownCall, ...]
    superseded: bool
    citation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation, or a part of it. `messages_total` counts the live ones.

    `copy_of` is the conversation it was written out from, recorded or not.
    """

    key: str
    parent: str | None
    copy_of: str | None
    subagents: tuple[str, ...]
    kind: Kind
    source: str
    title: str | None
    repo: str | None
    cwd: str | None
    branch: str | None
    models: tuple[str, ...]
    started_at: datetime | None
    ended_at: datetime | None
    path: Path | None
    source_gone_at: datetime | None
    messages_total: int
    superseded_total: int
    messages: tuple[ShownMessage, ...]


class Outcome(StrEnum):
    """What checking a citation came to."""

    VERIFIED = "verified_against_source"
    ARCHIVE_ONLY = "source_gone_verified_against_archive"
    CHANGED = "changed"
    NEVER_SAID = "never_said"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of checking a citation, with what was compared."""

    citation: str
    outcome: Outcome
    path: Path | None
    part: str = ""
    offset: int | None
    length: int | None
    detail: str
