"""Which thread a rollout belongs to, and what its records say about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from quoth.model import Conversation, Kind, Message, Role, TitleOrigin

from ._bounds import title_line
from ._codex_lines import Line, dict_at, text_at
from ._codex_name import FileName
from ._moments import moment_of

__all__ = ["Thread"]

_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>|^Current working directory: (.+)$", re.M)

_MOST_MODELS = 20


class Thread:
    """A thread as far as its rollout has been read; all of it is in *state*."""

    def __init__(
        self, state: dict[str, Any], name: FileName, indexed: Callable[[str], str]
    ) -> None:
        self._state = state
        self._name = name
        self._indexed = indexed

    @property
    def id(self) -> str:
        return self._state.get("id") or self._name.thread

    @property
    def prefix(self) -> str:
        """What the ids of messages begin with: places repeat in continuations."""
        key = self._name.key
        return key if key.startswith(f"{self.id}_") else self.id

    @property
    def parent(self) -> str | None:
        return self._state.get("parent")

    @property
    def continues(self) -> bool:
        """Whether it goes on where another file stopped, its own thread's or not."""
        return "base" in self._state

    @property
    def is_continuation(self) -> bool:
        """Whether its own thread began in another file."""
        if self.continues:
            return bool(self._state["base"] == self.id)
        return self.prefix != self.id

    @property
    def began(self) -> datetime | None:
        """When the thread began, as its head says."""
        return moment_of(self._state.get("begun"))

    @property
    def is_known(self) -> bool:
        return bool(self._state)

    @property
    def has_spoken(self) -> bool:
        return bool(self._state.get("spoken"))

    @property
    def model(self) -> str | None:
        return self._state.get("model")

    @property
    def cwd(self) -> str | None:
        return self._state.get("cwd")

    @property
    def branch(self) -> str | None:
        return self._state.get("branch")

    @property
    def fallback_time(self) -> datetime | None:
        """When the thread began, for records that bring no time of their own."""
        return self.began or self._name.begun

    def read_meta(self, payload: dict[str, Any]) -> bool:
        """Take in a `session_meta`; say whether it is the copy of another thread's.

        The first one is the file's own, unless the file's name has the id of a later
        one and nothing was said yet.
        """
        inner = payload.get("meta")
        meta = inner if isinstance(inner, dict) else payload
        found = text_at(meta, "id", "session_id") or self._name.thread
        known = self._state.get("id")
        renamed = found == self._name.thread and not self.has_spoken
        if known is not None and (known == found or not renamed):
            return bool(known != found)
        for key, value in _of_meta(meta, found).items():
            if value:
                self._state[key] = value
            else:
                self._state.pop(key, None)
        return False

    def read_context(self, payload: dict[str, Any]) -> None:
        """Take in what a turn was begun with: its model and folder."""
        if model := text_at(payload, "model"):
            self._state["model"] = model
            models = self._state.setdefault("models", [])
            if model not in models and len(models) < _MOST_MODELS:
                models.append(model)
        if cwd := text_at(payload, "cwd"):
            self._state["cwd"] = cwd
            self._state.setdefault("first_cwd", cwd)

    def inherit_model(self, payload: dict[str, Any]) -> None:
        """Take the parent's model for the one in use until another turn names one."""
        if model := text_at(payload, "model"):
            self._state["model"] = model

    def read_environment(self, text: str) -> None:
        """Take the folder from an environment block, where nothing else names one."""
        if self.cwd is None and (found := _CWD.search(text)) is not None:
            self.read_context({"cwd": (found[1] or found[2]).strip()})

    def read_name(self, line: Line) -> None:
        """Take in a title; the records don't say whether a person gave it."""
        if text_at(line.payload, "thread_id") in ("", self.id):
            name = text_at(line.payload, "thread_name", "name")
            self._state["name"] = title_line(name)

    def note(self, message: Message) -> None:
        """Take in what a message that is now part of the thread tells about it."""
        self._state["spoken"] = True
        if message.at is not None and not message.approximate_time:
            self.note_time(message.at)
        is_prompt = message.role is Role.USER and not message.is_command
        if is_prompt and message.noise is None and "prompt" not in self._state:
            self._state["prompt"] = title_line(message.text)

    def note_time(self, at: datetime) -> None:
        """Take in a time at which something happened in the thread."""
        stamp = at.astimezone(UTC).isoformat()
        self._state.setdefault("first", stamp)
        self._state["last"] = max(stamp, self._state.get("last", stamp))

    def conversation(self) -> Conversation:
        """Return the conversation as far as it is known."""
        state = self._state
        title, origin = self._title()
        started = self.began or moment_of(state.get("first"))
        return Conversation(
            native_id=self.id,
            kind=Kind(state.get("kind", Kind.MAIN)),
            parent=self.parent,
            title=title,
            title_origin=origin,
            cwd=state.get("first_cwd"),
            repo=state.get("repo"),
            branch=self.branch,
            started_at=started or self._name.begun,
            ended_at=moment_of(state.get("last")),
            models=tuple(state.get("models", ())),
            app_version=state.get("version"),
        )

    def _title(self) -> tuple[str, TitleOrigin] | tuple[None, None]:
        """Return the title; the first prompt of a continuation is none."""
        if name := self._state.get("name") or title_line(self._indexed(self.id)):
            return name, TitleOrigin.MODEL
        prompt = self._state.get("prompt")
        if prompt and not self.is_continuation:
            return prompt, TitleOrigin.PROMPT
        return None, None


def _of_meta(meta: dict[str, Any], found: str) -> dict[str, Any]:
    git = meta.get("git")
    git = git if isinstance(git, dict) else {}
    base = text_at(dict_at(meta, "history_base"), "thread_id")
    parent = _parent(meta) or (base if base != found else "") or None
    begun = moment_of(meta.get("timestamp"))
    return {
        "id": found,
        "kind": _kind(meta, parent).value,
        "parent": parent,
        "base": base,
        "cwd": text_at(meta, "cwd"),
        "first_cwd": text_at(meta, "cwd"),
        "branch": text_at(git, "branch"),
        "repo": text_at(git, "repository_url"),
        "version": text_at(meta, "cli_version"),
        "begun": begun.isoformat() if begun else None,
    }


def _parent(meta: dict[str, Any]) -> str | None:
    spawned = _subagent(meta).get("thread_spawn")
    spawned = spawned if isinstance(spawned, dict) else {}
    return (
        text_at(meta, "forked_from_id", "parent_thread_id")
        or text_at(spawned, "parent_thread_id")
        or None
    )


def _subagent(meta: dict[str, Any]) -> dict[str, Any]:
    source = meta.get("source")
    inner = source.get("subagent") if isinstance(source, dict) else None
    return inner if isinstance(inner, dict) else {}


def _kind(meta: dict[str, Any], parent: str | None) -> Kind:
    source = meta.get("source")
    if isinstance(source, dict) and "subagent" in source:
        return Kind.SUBAGENT
    if text_at(meta, "thread_source") == "subagent":
        return Kind.SUBAGENT
    if parent and text_at(meta, "parent_thread_id") and not meta.get("forked_from_id"):
        return Kind.SUBAGENT
    if parent:
        return Kind.FORK
    return Kind.HEADLESS if source == "exec" else Kind.MAIN
