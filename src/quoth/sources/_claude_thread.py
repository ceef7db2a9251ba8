"""What is known of one conversation so far, as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from quoth.model import Conversation, Kind, TitleOrigin

from ._claude_records import SYNTHETIC, branch_of, text_at
from ._claude_text import title_of
from ._files import spelled

__all__ = ["Place", "Thread", "new_thread"]

_TITLES = (
    ("person", TitleOrigin.PERSON),
    ("model", TitleOrigin.MODEL),
    ("summary", TitleOrigin.MODEL),
    ("prompt", TitleOrigin.PROMPT),
)
"""Which title is shown, the strongest first."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a file's path says of the conversation in it.

    `parent` is None for a session, and for an agent whose records have to name it.
    """

    stem: str
    is_agent: bool
    parent: str | None

    @classmethod
    def of(cls, path: Path) -> Place:
        """Read `<session>.jsonl`, `<session>/subagents/**/agent-x.jsonl`, `agent-x`."""
        path = Path(spelled(path))
        folders = path.parts[:-1]
        is_agent = path.stem.startswith("agent-")
        parent = None
        if is_agent and "subagents" in folders:
            place = len(folders) - 1 - folders[::-1].index("subagents")
            parent = folders[place - 1] if place > 0 else None
        return cls(path.stem, is_agent, parent)


class Thread:
    """One conversation, kept in a part of the parser's state."""

    def __init__(self, native_id: str, state: dict[str, Any]) -> None:
        self.native_id = native_id
        self.state = state

    @property
    def is_subagent(self) -> bool:
        return bool(self.state["kind"] == Kind.SUBAGENT)

    def note(self, record: Mapping[str, Any], at: datetime | None) -> None:
        """Take up what a record of this conversation says about it."""
        state = self.state
        if state["kind"] is None:
            self._place(record)
        for key, value in (
            ("version", text_at(record, "version")),
            ("branch", branch_of(record)),
        ):
            if value is not None:
                state[key] = value
        if state["cwd"] is None:
            state["cwd"] = text_at(record, "cwd")
        if at is not None:
            stamp = at.isoformat()  # of one zone, so the text sorts as the time does
            state["start"] = min(state["start"] or stamp, stamp)
            state["end"] = max(state["end"] or stamp, stamp)

    def _place(self, record: Mapping[str, Any]) -> None:
        """Tell copies and programs' sessions from a person's, by the first record."""
        origin = record.get("forkedFrom")
        if record.get("sessionKind") == "bg" or isinstance(origin, Mapping):
            self.state["kind"] = Kind.FORK.value
            self.state["parent"] = text_at(origin, "sessionId")
        elif (text_at(record, "entrypoint") or "").startswith("sdk"):
            self.state["kind"] = Kind.HEADLESS.value
        else:
            self.state["kind"] = Kind.MAIN.value

    def model(self, name: str | None) -> None:
        if name and name != SYNTHETIC and name not in self.state["models"]:
            self.state["models"].append(name)

    def title(self, origin: str, text: str, *, again: bool = True) -> None:
        """Remember a title: the last of its origin, or the first if not *again*."""
        if not again and origin in self.state["titles"]:
            return
        if title := title_of(text):
            self.state["titles"][origin] = title

    def conversation(self) -> Conversation:
        state = self.state
        titles = ((state["titles"].get(key), origin) for key, origin in _TITLES)
        title, title_origin = next((pair for pair in titles if pair[0]), (None, None))
        return Conversation(
            native_id=self.native_id,
            kind=Kind(state["kind"] or Kind.MAIN),
            parent=state["parent"],
            title=title,
            title_origin=title_origin,
            cwd=state["cwd"],
            repo=state["repo"],
            branch=state["branch"],
            started_at=_time(state["start"]),
            ended_at=_time(state["end"]),
            models=tuple(state["models"]),
            app_version=state["version"],
        )


def new_thread(kind: Kind | None, parent: str | None) -> dict[str, Any]:
    """Return the state of a conversation nothing is known about yet."""
    return {
        "kind": kind.value if kind else None,
        "parent": parent,
        "titles": {},
        "cwd": None,
        "repo": None,
        "branch": None,
        "version": None,
        "start": None,
        "end": None,
        "models": [],
        "spoken": False,
    }


def _time(stamp: str | None) -> datetime | None:
    return datetime.fromisoformat(stamp) if stamp else None
