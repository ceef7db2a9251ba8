"""Turning the list of prompts into conversations of which only the prompts are left."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from quoth.model import Conversation, Message, Origin, Role, TitleOrigin

from ._bounds import title_line
from ._jsonl import Draft, Record
from ._moments import moment_of

__all__ = ["PromptParser", "is_listed", "sessions_beside"]

_MOST_SESSIONS = 500
"""Of which the first prompt is remembered; a session's prompts stand close together."""

_MOST_PASTED = 50
_LONGEST_ID = 200
_MOST_FOLDERS = 10_000


def is_listed(value: Mapping[str, Any]) -> bool:
    """Say whether a line is a prompt as Claude Code lists it."""
    return isinstance(value.get("display"), str) and "timestamp" in value


def sessions_beside(history: Path) -> frozenset[str]:
    """Return the sessions that have a transcript in the `projects` beside the list."""
    found: set[str] = set()
    try:
        with os.scandir(history.parent / "projects") as projects:
            folders = [each.path for each in projects if each.is_dir()][:_MOST_FOLDERS]
        for folder in folders:
            with os.scandir(folder) as files:
                names = [each.name for each in files]
            found |= {name[:-6] for name in names if name.endswith(".jsonl")}
    except OSError:  # none, or none that may be looked at
        pass
    return frozenset(found)


class PromptParser:
    """Reads the list; whatever it has to remember is in `state`.

    A session that has a transcript is left to that: it holds the prompts too.
    """

    by_conversation = "sessions"

    def __init__(self, state: dict[str, Any], kept: frozenset[str]) -> None:
        self.state = state
        self._kept = kept
        self._known: dict[str, dict[str, Any]] = state.setdefault("sessions", {})
        self._changed: dict[str, dict[str, Any]] = {}

    def feed(self, record: Record, draft: Draft) -> None:
        """Add the prompt that *record* holds, if only the list has it."""
        value = record.value
        session = value.get("sessionId")
        if not is_listed(value):
            draft.ignored["other"] += 1
        elif not isinstance(session, str) or not 0 < len(session) <= _LONGEST_ID:
            draft.ignored["prompt without a session"] += 1
        elif session in self._kept:
            draft.ignored["prompt in a transcript"] += 1
        elif (text := _text_of(value)).strip():
            self._add(record, session, text, draft)

    def settle(self, draft: Draft) -> None:
        """Add nothing: every line stands for itself."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield the sessions that changed since they were last asked for."""
        changed, self._changed = self._changed, {}
        for session, known in changed.items():
            yield Conversation(
                native_id=session,
                title=known["title"] or None,
                title_origin=TitleOrigin.PROMPT if known["title"] else None,
                cwd=known["cwd"],
                started_at=moment_of(known["first"]),
                ended_at=moment_of(known["last"]),
                copy_of=("claude_code", session),
            )

    def _add(self, record: Record, session: str, text: str, draft: Draft) -> None:
        at = moment_of(record.value["timestamp"])
        project = record.value.get("project")
        cwd = project if isinstance(project, str) and project else None
        is_command = text.startswith("/")
        stamp = at.isoformat() if at else None
        # By its time: the list may be rewritten shorter, and a place would then differ.
        own = stamp or record.place
        draft.records.append(
            Message(
                conversation=session,
                native_id=f"{session}#{own}",
                role=Role.USER,
                text=text,
                at=at,
                cwd=cwd,
                is_command=is_command,
                origin=Origin(offset=record.offset, length=record.length),
            )
        )
        known = self._known.pop(session, None) or {
            "title": "",
            "cwd": cwd,
            "first": stamp,
        }
        known["last"] = stamp
        if not known["title"] and not is_command:
            known["title"] = title_line(text)
        self._known[session] = self._changed[session] = known
        if len(self._known) > _MOST_SESSIONS:
            del self._known[next(iter(self._known))]


def _text_of(value: Mapping[str, Any]) -> str:
    """Return a prompt as it is listed, and what was pasted into it."""
    pasted = value.get("pastedContents")
    contents = [*pasted.values()] if isinstance(pasted, dict) else []
    texts = [
        each["content"]
        for each in contents[:_MOST_PASTED]
        if isinstance(each, dict) and isinstance(each.get("content"), str)
    ]
    return "\n\n".join([value["display"], *texts])
