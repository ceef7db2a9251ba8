"""Reading one file of SpecStory: messages, what tools did, and of whose conversation.

Messages carry no ids. One is named by what it says and which of its like it is, so that
it is the same message in every file its session was ever written to, and stays the same
when something is written before it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Kind,
    Message,
    Origin,
    Replace,
    Role,
    Skipped,
    TitleOrigin,
    ToolCall,
    ToolResult,
    Unit,
)

from ._bounds import title_line
from ._documents import messages_among
from ._files import open_read_only, spelled
from ._jsonl import BATCH_BYTES, BATCH_RECORDS, Draft
from ._specstory_blocks import Use, use_of
from ._specstory_heads import Header, time_in_name
from ._specstory_sections import (
    LONGEST_SECTION,
    Part,
    PartKind,
    Section,
    header_of,
    sections_of,
    survey_of,
)
from ._specstory_speech import speech_of
from ._tools import without_base64

__all__ = ["is_specstory", "read_again", "read_file"]

_UNKNOWN = "it has no SpecStory header"
_FOLDER = ".specstory"
_MOST_MODELS = 20
_RULERS = ("", "---")

_SOURCES = {
    "claude code": "claude_code",
    "claude-code": "claude_code",
    "codex": "codex",
    "codex cli": "codex",
    "cursor": "cursor",
    "cursor ide": "cursor",
    "cursor cli": "cursor",
    "cursor-agent": "cursor",
    "gemini": "gemini_cli",
    "gemini cli": "gemini_cli",
}
"""Which source the conversations of a provider are originals in."""


def is_specstory(unit: Unit) -> bool:
    """Say whether the first lines are a SpecStory header or a message's head."""
    with open_read_only(unit.path) as file:
        return header_of(file).is_known


def read_again(unit: Unit, origin: Origin) -> Sequence[Message]:
    """Return what one message of a file says."""
    steps = read_file(unit)
    batches = (step for step in steps if not isinstance(step, Skipped))
    return messages_among(batches, origin)


def read_file(unit: Unit) -> Iterator[Append | Replace | Skipped]:
    """Yield a file in batches from its start.

    Raises:
        UnreadableUnitError: It cannot be opened or is not SpecStory's.
    """
    with open_read_only(unit.path) as file:
        header = header_of(file)
        if not header.is_known:
            raise UnreadableUnitError(unit.path, why=_UNKNOWN)
        survey = survey_of(file)
        session = _Session(header, unit.path, latest=survey.latest)
        kind: type[Append | Replace] = Replace
        draft, length = Draft(), 0
        for section in sections_of(file, survey):
            if len(draft.records) >= BATCH_RECORDS or length >= BATCH_BYTES:
                yield _batch(kind, draft, session, Checkpoint())
                kind, draft, length = Append, Draft(), 0
            length += section.length
            if section.is_whole:
                session.add(section, draft)
            else:
                why = f"message longer than {LONGEST_SECTION // 2**20} MB"
                yield Skipped(offset=section.offset, reason=why)
        yield _batch(kind, draft, session, Checkpoint(offset=unit.size))


def _batch(
    kind: type[Append | Replace],
    draft: Draft,
    session: _Session,
    checkpoint: Checkpoint,
) -> Append | Replace:
    return kind(
        conversations=session.conversations(),
        records=tuple(draft.records),
        ignored=dict(draft.ignored),
        checkpoint=checkpoint,
    )


@dataclass(slots=True)
class _Thread:
    """What is known of a conversation so far: the main one, or that of its agents."""

    native_id: str
    kind: Kind = Kind.MAIN
    parent: str | None = None
    messages: int = 0
    prompt: str = ""
    first: datetime | None = None
    last: datetime | None = None
    models: list[str] = field(default_factory=list)

    def note(self, message: Message) -> None:
        """Take in what a message tells of its conversation."""
        self.messages += 1
        if message.role is Role.USER and not message.is_command and not self.prompt:
            self.prompt = title_line(message.text)
        if message.at:
            self.first = min(message.at, self.first or message.at)
            self.last = max(message.at, self.last or message.at)
        if message.model and message.model not in self.models:
            self.models[_MOST_MODELS - 1 :] = [message.model]


@dataclass(slots=True)
class _Answer:
    """What an assistant's message says, thinks and does."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)


class _Session:
    """Turns the sections of one file into messages, and knows their conversations."""

    def __init__(self, header: Header, path: Path, *, latest: datetime | None) -> None:
        native_id = header.session or _id_in(path)
        self._header = header
        self._folder = _repository(path)
        self._cwd = spelled(self._folder) if self._folder else None
        self._at = header.at or time_in_name(path)
        self._told_at = latest or self._at
        self._main = _Thread(native_id)
        self._side = _Thread(f"{native_id}/sidechain", Kind.SUBAGENT, native_id)
        self._met: Counter[str] = Counter()

    def conversations(self) -> tuple[Conversation, ...]:
        """Return the session and, if they said anything, its agents' conversation."""
        threads = (self._main, self._side)
        return tuple(self._told(thread) for thread in threads if thread.messages)

    def add(self, section: Section, draft: Draft) -> None:
        """Add the messages that a section holds to *draft*."""
        self._at = section.head.at or self._at
        made = self._said(section) if section.head.is_user else self._answered(section)
        if not made:
            draft.ignored["empty"] += 1
        thread = self._side if section.head.is_sidechain else self._main
        for message in made:
            thread.note(message)
            draft.records.append(message)

    def _said(self, section: Section) -> list[Message]:
        text = _text_in(section.parts[0].lines)
        if not text:
            return []
        speech = speech_of(text)
        message = replace(
            self._blank(section),
            role=Role.USER if speech.noise is None else Role.SYSTEM,
            text=speech.text,
            noise=speech.noise,
            is_command=speech.is_command,
        )
        return [replace(message, native_id=self._native_id(message))]

    def _answered(self, section: Section) -> list[Message]:
        answer = _answer_in(section.parts)
        if not (answer.texts or answer.thoughts or answer.uses):
            return []
        blank = self._blank(section)
        message = replace(
            blank,
            text=without_base64("\n\n".join(answer.texts)),
            reasoning="\n\n".join(answer.thoughts),
            model=section.head.model,
            calls=tuple(use.call for use in answer.uses),
        )
        native_id = self._native_id(message)
        calls, results = _numbered(answer.uses, native_id)
        message = replace(message, native_id=native_id, calls=calls)
        if not results:
            return [message]
        came_back = replace(
            blank,
            native_id=f"{native_id}/results",
            role=Role.TOOL,
            text="\n".join(result.output for result in results),
            results=results,
        )
        return [message, came_back]

    def _blank(self, section: Section) -> Message:
        """Return a message with what its head says, and nothing of its own yet."""
        thread = self._side if section.head.is_sidechain else self._main
        return Message(
            conversation=thread.native_id,
            native_id="",
            role=Role.ASSISTANT,
            at=self._at,
            approximate_time=section.head.at is None and self._at is not None,
            cwd=self._cwd,
            origin=Origin(offset=section.offset, length=section.length),
        )

    def _native_id(self, message: Message) -> str:
        """Return a name for what a message says, and its number among its like."""
        calls = [part for call in message.calls for part in (call.name, call.input)]
        said = [message.conversation, message.role, message.text, message.reasoning]
        digest = hashlib.sha256("\0".join([*said, *calls]).encode()).hexdigest()[:16]
        self._met[digest] += 1
        nth = self._met[digest]
        return f"{self._main.native_id}#{digest}" + (f".{nth}" if nth > 1 else "")

    def _told(self, thread: _Thread) -> Conversation:
        header = self._header
        given = header.title if thread is self._main else ""
        title = given or thread.prompt
        origin = TitleOrigin.MODEL if given else TitleOrigin.PROMPT
        original = _SOURCES.get(header.provider.lower()) if header.session else None
        return Conversation(
            native_id=thread.native_id,
            kind=thread.kind,
            parent=thread.parent,
            title=title or None,
            title_origin=origin if title else None,
            cwd=self._cwd,
            repo=self._cwd,
            started_at=thread.first,
            ended_at=thread.last,
            models=tuple(thread.models),
            snapshot_at=self._told_at,
            copy_of=(original, header.session) if original else None,
        )


def _answer_in(parts: Sequence[Part]) -> _Answer:
    answer = _Answer()
    is_after_use = False
    for part in parts:
        if part.kind is PartKind.TEXT:
            text = _text_in(part.lines)
            answer.texts += [text] if text else []
            is_after_use &= not text
        elif part.kind is PartKind.THOUGHT:
            thought = _thought_in(part.lines)
            answer.thoughts += [thought] if thought else []
        else:
            use = use_of(part.lines, call_id="")
            # An editor's block is followed by an empty one that SpecStory made of it.
            is_echo = is_after_use and use.is_bare
            if not (is_echo and use.call.name == answer.uses[-1].call.name):
                answer.uses.append(use)
            is_after_use = True
    return answer


def _numbered(
    uses: Sequence[Use], native_id: str
) -> tuple[tuple[ToolCall, ...], tuple[ToolResult, ...]]:
    """Return calls and results, by ids that occur once in the conversation."""
    calls: list[ToolCall] = []
    results: list[ToolResult] = []
    for nth, use in enumerate(uses, start=1):
        call_id = f"{native_id}/{nth}"
        calls.append(replace(use.call, call_id=call_id))
        if use.result is not None:
            results.append(replace(use.result, call_id=call_id))
    return tuple(calls), tuple(results)


def _text_in(lines: Sequence[str]) -> str:
    """Return a message's own text, without rulers around it and SpecStory's id."""
    first, last = 0, len(lines)
    while first < last and _is_frame(lines[first]):
        first += 1
    while first < last and lines[last - 1].strip() in _RULERS:
        last -= 1
    return "\n".join(lines[first:last])


def _is_frame(line: str) -> bool:
    return line.strip() in _RULERS or line.startswith("<!-- message-id: ")


def _thought_in(lines: Sequence[str]) -> str:
    text = "\n".join(lines).removeprefix("<think>").removeprefix("<details>")
    text = text.removeprefix("<summary>Thought Process</summary>").rstrip()
    return text.removesuffix("</think>").removesuffix("</details>").strip()


def _repository(path: Path) -> Path | None:
    """Return the folder that holds the `.specstory` a file is in."""
    parents = path.absolute().parents
    return next((place.parent for place in parents if place.name == _FOLDER), None)


def _id_in(path: Path) -> str:
    """Return a name for a file's session that has none, the same in every clone."""
    repository = _repository(path)
    folder = spelled(Path(repository.name)) if repository else ""
    stem = spelled(Path(path.stem))
    return f"{folder}/{stem}" if folder else stem
