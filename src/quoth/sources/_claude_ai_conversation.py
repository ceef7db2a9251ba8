"""Making one conversation of what a Claude.ai export says of it.

Its messages are a tree: editing a prompt or asking for another answer begins a branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from quoth.model import (
    Conversation,
    Message,
    Origin,
    Rewind,
    Role,
    Skipped,
    TitleOrigin,
)

from ._bounds import title_line
from ._branches import Node, branches_of
from ._claude_ai_content import content_of, id_at
from ._export_reading import Told
from ._json_items import Item
from ._moments import moment_of

__all__ = ["told_by"]

_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent of the first messages of a tree."""

_ROLES = {
    "human": Role.USER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
}
_LONGEST_MODEL = 100
_MOST_MODELS = 20


def told_by(item: Item) -> Told | Skipped:
    """Return the conversation that an item of an export is, or why it is none."""
    value = item.value
    if not isinstance(value, dict):
        return _skipped(item, "is no object")
    native_id = id_at(value, "uuid") or id_at(value, "id")
    messages = value.get("chat_messages")
    if not native_id:
        return _skipped(item, "has no id")
    if not isinstance(messages, list | None):
        return _skipped(item, "has no list of messages")
    teller = _Teller(value, native_id, item)
    records = [*teller.records(messages or [])]
    return Told(
        conversation=teller.conversation(),
        records=records,
        ignored=teller.ignored,
    )


def _skipped(item: Item, why: str) -> Skipped:
    return Skipped(offset=item.offset, reason=f"conversation {item.number} {why}")


class _Teller:
    """Tells one conversation, and what was learnt of it on the way."""

    def __init__(self, value: Mapping[str, Any], native_id: str, item: Item) -> None:
        self.ignored: Counter[str] = Counter()
        self._value = value
        self._native_id = native_id
        self._item = item
        self._at = _moment_at(value, "created_at", "updated_at")
        self._prompt = ""
        self._times: list[datetime] = []
        self._models: list[str] = []

    def records(self, messages: Sequence[Any]) -> Iterator[Message | Rewind]:
        """Yield the live messages in order, and what was left for them in between."""
        if not messages:
            self.ignored["without messages"] += 1
        found = self._by_id(messages)
        current = id_at(self._value, "current_leaf_message_uuid")
        nodes = _nodes({identity: message for identity, (_, message) in found.items()})
        for branch in branches_of(nodes, current=current or None):
            made = [
                message
                for identity in branch.ids
                for message in self._made(identity, *found[identity])
            ]
            yield from made
            if branch.is_live:
                self._note(made)
            elif made:
                yield Rewind(conversation=self._native_id, first=made[0].native_id)

    def conversation(self) -> Conversation:
        """Return the conversation, once all of its messages were told."""
        given = title_line(_text_at(self._value, "name"))
        title = given or self._prompt
        origin = TitleOrigin.MODEL if given else TitleOrigin.PROMPT
        ended_at = max(self._times, default=self._at)
        return Conversation(
            native_id=self._native_id,
            title=title or None,
            title_origin=origin if title else None,
            started_at=min(self._times, default=self._at),
            ended_at=ended_at,
            models=tuple(self._models) or _model_in(self._value),
            snapshot_at=_moment_at(self._value, "updated_at") or ended_at,
        )

    def _by_id(self, messages: Sequence[Any]) -> dict[str, tuple[int, dict[str, Any]]]:
        """Return the messages and their places by their ids, each once."""
        found: dict[str, tuple[int, dict[str, Any]]] = {}
        for place, message in enumerate(messages):
            if not isinstance(message, dict):
                self.ignored["no message"] += 1
                continue
            identity = id_at(message, "uuid") or f"@{place}"
            if identity in found:
                self.ignored["doubled"] += 1
            else:
                found[identity] = (place, message)
        return found

    def _made(
        self, identity: str, place: int, message: Mapping[str, Any]
    ) -> Iterator[Message]:
        native_id = f"{self._native_id}/{identity}"
        role = _ROLES.get(_text_at(message, "sender"))
        content = content_of(message, native_id=native_id)
        self.ignored += content.ignored
        has_words = content.texts or content.thoughts or content.calls
        if role is None or not (has_words or content.results):
            self.ignored["empty" if role else "of an unknown sender"] += 1
            return
        at = _moment_at(message, "created_at", "updated_at")
        blank = Message(
            conversation=self._native_id,
            native_id=native_id,
            role=role,
            at=at or self._at,
            approximate_time=at is None and self._at is not None,
            origin=self._origin(f"$.chat_messages[{place}]"),
        )
        if has_words:
            yield replace(
                blank,
                text=content.text,
                reasoning="\n\n".join(content.thoughts),
                model=next(iter(_model_in(message)), None),
                calls=tuple(content.calls),
            )
        if content.results:
            yield replace(
                blank,
                native_id=f"{native_id}/results",
                role=Role.TOOL,
                text="\n".join(result.output for result in content.results),
                results=tuple(content.results),
                origin=self._origin(f"$.chat_messages[{place}].content"),
            )

    def _origin(self, path: str) -> Origin:
        return Origin(offset=self._item.offset, length=self._item.length, path=path)

    def _note(self, messages: Sequence[Message]) -> None:
        """Take in what live messages tell of the conversation."""
        for message in messages:
            if message.at:
                self._times.append(message.at)
            if message.model and message.model not in self._models:
                self._models[_MOST_MODELS - 1 :] = [message.model]
            if message.role is Role.USER and not self._prompt:
                self._prompt = title_line(message.text)


def _nodes(messages: Mapping[str, Mapping[str, Any]]) -> list[Node]:
    """Return messages as a tree; without parents each follows the one before it.

    So does one whose parent is missing, or that names none: what led up to it is told
    all the same.
    """
    parents = {
        identity: id_at(message, "parent_message_uuid")
        for identity, message in messages.items()
    }
    is_tree = any(parent in messages for parent in parents.values())
    nodes: list[Node] = []
    for identity, message in messages.items():
        parent: str | None = parents[identity]
        is_said = bool(parent) or "parent_message_uuid" in message
        is_root = is_said and parent in ("", _ROOT)
        is_lost = not is_root and parent not in messages
        if nodes and (is_lost or not is_tree):
            parent = nodes[-1].id
        at = _moment_at(message, "created_at")
        nodes.append(Node(id=identity, parent=parent or None, at=at))
    return nodes


def _model_in(value: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the model that is named: only what browser extensions export does."""
    model = _text_at(value, "model")
    return (model,) if model and len(model) <= _LONGEST_MODEL else ()


def _moment_at(value: Mapping[str, Any], *keys: str) -> datetime | None:
    moments = (moment_of(value.get(key)) for key in keys)
    return next((moment for moment in moments if moment), None)


def _text_at(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) and found.strip() else ""
