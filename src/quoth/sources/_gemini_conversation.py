"""The conversation that a session is: its id, its folder, what its messages tell."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from quoth.model import Conversation, Kind, Message, Role, TitleOrigin, Usage

from ._bounds import title_line
from ._gemini_fold import Entry, Fold, Place, key_of
from ._gemini_lines import origin_of
from ._gemini_messages import messages_of
from ._gemini_project import folder_of
from ._gemini_usage import usage_of

__all__ = ["Session"]

_MOST_MODELS = 20
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""What Gemini CLI gives its messages; another id may begin anew in every session."""


@dataclass(slots=True)
class _Seen:
    """What the messages so far tell of their conversation."""

    prompt: str = ""
    models: list[str] = field(default_factory=list)
    first: datetime | None = None
    last: datetime | None = None


class Session:
    """One conversation: its id, its folder, and what its messages tell of it."""

    def __init__(self, path: Path, fold: Fold) -> None:
        self._fold = fold
        folder = path.parent
        self._parent = folder.name if folder.parent.name == "chats" else None
        own = fold.session_id
        # A subagent may name its parent's session for its own.
        self.id = own if own and own != self._parent else path.stem
        self._cwd = folder_of(
            path, project_hash=fold.project_hash, directories=fold.directories
        )
        self._seen = _Seen()
        self._told: Conversation | None = None

    def messages(self, record: dict[str, Any], place: Place) -> list[Message]:
        """Return what a record comes to, as messages of this session."""
        own = self._native_id(key_of(record, place))
        origin = origin_of(place)
        fallback = self._fold.started_at
        return [
            replace(
                message,
                at=message.at or fallback,
                approximate_time=message.at is None and fallback is not None,
                cwd=self._cwd,
                origin=origin,
            )
            for message in messages_of(record, conversation=self.id, own=own)
        ]

    def _native_id(self, key: str) -> str:
        return key if _UUID.fullmatch(key) else f"{self.id}#{key}"

    def note(self, messages: list[Message]) -> None:
        """Take in what messages tell of the conversation, the live ones first."""
        seen = self._seen
        for message in messages:
            is_prompt = message.role is Role.USER and not message.is_command
            if is_prompt and not seen.prompt:
                seen.prompt = title_line(message.text)
            if message.at is not None and message.noise is None:
                seen.first = min(message.at, seen.first or message.at)
                seen.last = max(message.at, seen.last or message.at)
            if message.model and message.model not in seen.models:
                seen.models[_MOST_MODELS - 1 :] = [message.model]

    def usage(self, key: str, entry: Entry, messages: list[Message]) -> Usage | None:
        """Return what the call behind a message cost, be it live or dropped."""
        if entry.tokens is None:
            return None
        return usage_of(
            entry.tokens,
            conversation=self.id,
            native_id=self._native_id(key),
            message=messages[0].native_id if messages else None,
            model=entry.model or None,
            at=entry.called_at or self._fold.started_at,
        )

    def conversations(self) -> tuple[Conversation, ...]:
        """Return the conversation, if more is known of it than was told before."""
        now = self._conversation()
        if now == self._told or not self._fold.entries:
            return ()
        self._told = now
        return (now,)

    def _conversation(self) -> Conversation:
        fold, seen = self._fold, self._seen
        title = fold.summary or seen.prompt
        origin = TitleOrigin.MODEL if fold.summary else TitleOrigin.PROMPT
        is_subagent = self._parent is not None or fold.is_subagent
        return Conversation(
            native_id=self.id,
            kind=Kind.SUBAGENT if is_subagent else Kind.MAIN,
            parent=self._parent,
            title=title or None,
            title_origin=origin if title else None,
            cwd=self._cwd,
            started_at=fold.started_at or seen.first,
            ended_at=seen.last or fold.updated_at,
            models=tuple(seen.models),
            snapshot_at=fold.updated_at,
        )
