"""What a source reads: conversations, messages, tool calls and usage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

__all__ = [
    "Conversation",
    "FileTouch",
    "Kind",
    "Message",
    "Noise",
    "Origin",
    "Rewind",
    "Role",
    "Skipped",
    "TitleOrigin",
    "ToolCall",
    "ToolResult",
    "Touch",
    "Usage",
]


class Role(StrEnum):
    """Who wrote a message."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What sort of thread a conversation is."""

    MAIN = "main"
    SUBAGENT = "subagent"
    FORK = "fork"
    HEADLESS = "headless"


class Noise(StrEnum):
    """Why a message is kept but is nobody's words: not counted, searched or shown."""

    INJECTED = "injected"
    """Reminders, environment blocks, instructions, skill bodies, hook output."""
    COMMAND_OUTPUT = "command_output"
    """What a local slash command printed."""
    SUMMARY = "summary"
    """A compaction or recap that a program or model wrote of the conversation."""
    META = "meta"
    """Error notices and other records the assistant program made for itself."""


class TitleOrigin(StrEnum):
    """Who gave a conversation its title, the strongest first."""

    PERSON = "person"
    MODEL = "model"
    PROMPT = "prompt"


class Touch(StrEnum):
    """What a tool call did to a file."""

    READ = "read"
    WRITE = "write"
    CREATE = "create"
    DELETE = "delete"
    MOVE = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a message's bytes are in its unit: what a citation is checked against.

    `offset` and `length` are bytes in the unit's file; `path` is a JSON path inside a
    document or a row id inside a database, for sources that have no byte position.
    """

    offset: int = 0
    length: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One thread with an assistant, as far as its source has been read.

    A source sends it again whenever a field changes; the newest one replaces the last.
    `repo` is a remote address or a root folder, whichever the records name.

    `snapshot_at` is set by sources whose every file tells a conversation whole, such as
    exports: when this telling was made. Of several, the latest says which messages are
    live. `copy_of` is the (source, native id) of the conversation that this one was
    written out from: once that is recorded too, the copy is superseded.
    """

    native_id: str
    kind: Kind = Kind.MAIN
    parent: str | None = None
    title: str | None = None
    title_origin: TitleOrigin | None = None
    cwd: str | None = None
    repo: str | None = None
    branch: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    models: tuple[str, ...] = ()
    app_version: str | None = None
    snapshot_at: datetime | None = None
    copy_of: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTouch:
    """A path that a tool call named, as it was written, and what happened to it."""

    path: str
    action: Touch


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One use of a tool. `input` is bounded text; `command` is set for shells only."""

    call_id: str
    name: str
    input: str = ""
    command: str | None = None
    touches: tuple[FileTouch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What came back from a tool call.

    `output` is bounded (head and tail); `size` is the length of the whole in
    characters. `exit_code` is set only when it was captured, never guessed.
    """

    call_id: str
    output: str = ""
    size: int = 0
    exit_code: int | None = None
    is_error: bool | None = None
    touches: tuple[FileTouch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn, or one step of a turn, by one author.

    `native_id` is unique in its source: the same id met in two files is one message.
    `approximate_time` says that `at` was taken from the conversation or the file.
    `begins` says that, by its source, nothing said before leads up to it.
    """

    conversation: str
    native_id: str
    role: Role
    text: str = ""
    reasoning: str = ""
    at: datetime | None = None
    approximate_time: bool = False
    author: str | None = None
    model: str | None = None
    cwd: str | None = None
    branch: str | None = None
    noise: Noise | None = None
    is_command: bool = False
    begins: bool = False
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind:
    """The person went back: from message `first` on, what came before is superseded."""

    conversation: str
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call to a model.

    `call_id` is unique in its source. `input` leaves out what came from a cache;
    `output` includes `reasoning`. Each number is for the whole call so far, not a
    difference, so sending it again changes nothing. `lines` counts the records that
    repeated this call in one file: what adding them all up would have multiplied.
    """

    conversation: str
    call_id: str
    message: str | None = None
    model: str | None = None
    tier: str | None = None
    at: datetime | None = None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    reasoning: int = 0
    lines: int = 1
    counted_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something a source met and could not use, kept so that it can be counted.

    `offset` is the byte, or the number of the row or item, where it begins in its unit.
    `reason` never quotes what stood there.
    """

    offset: int
    reason: str
