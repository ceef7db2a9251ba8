"""One conversation of a ChatGPT export: a tree of messages, told in order."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from quoth.model import Message, Origin, Rewind, Role, Skipped
from quoth.redaction import rules_in_force

from ._branches import Branch
from ._chatgpt_content import kind_of
from ._chatgpt_facts import conversation_of
from ._chatgpt_message import Said, said_in
from ._chatgpt_tree import Tree
from ._export_reading import Told
from ._json_items import Item
from ._moments import moment_of

__all__ = ["told_by"]

_LONGEST_ID = 200

_HARMLESS = re.compile(r"[\w-]{1,64}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def told_by(item: Item) -> Told | Skipped:
    """Return the conversation that an item is, or why it is none."""
    if not isinstance(item.value, dict):
        return _skipped(item, "", "is no object")
    native_id = _id_in(item.value)
    mapping = item.value.get("mapping")
    if not isinstance(mapping, dict):
        return _skipped(item, native_id, "has no messages")
    native_id = native_id or _made_id(item.value, mapping)
    return _Conversation(item, native_id, Tree(mapping)).told()


def _skipped(item: Item, native_id: str, why: str) -> Skipped:
    """Name a conversation by its place, and by its id if that is harmless to show."""
    named = f" ({native_id})" if _is_harmless(native_id) else ""
    reason = f"conversation {item.number}{named} {why}"
    return Skipped(offset=item.offset, reason=reason)


def _is_harmless(native_id: str) -> bool:
    is_plain = _HARMLESS.fullmatch(native_id) is not None
    return is_plain and rules_in_force().redact(native_id) == native_id


def _id_in(value: Mapping[str, Any]) -> str:
    ids = (value.get(key) for key in ("conversation_id", "id"))
    texts = (text.strip() for text in ids if isinstance(text, str))
    return next((text for text in texts if 0 < len(text) <= _LONGEST_ID), "")


def _made_id(value: Mapping[str, Any], mapping: Mapping[str, Any]) -> str:
    """Return an id for a conversation without one, the same in every export."""
    known_by = f"{value.get('create_time')!r}\n{next(iter(mapping), '')}"
    return f"unnamed-{_digest(known_by)[:16]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _short(identity: str) -> str:
    return identity if len(identity) <= _LONGEST_ID else _digest(identity)


class _Conversation:
    """Takes one conversation apart, a message after the other."""

    def __init__(self, item: Item, native_id: str, tree: Tree) -> None:
        self._item = item
        self._value: Mapping[str, Any] = item.value
        self._native_id = native_id
        self._tree = tree
        self._ids: set[str] = set()  # of messages
        self._calls: dict[str, str] = {}  # of a tool, by the nodes it is answered in
        self._times: dict[str, datetime] = {}  # of a node, or the nearest above it
        self._ignored: Counter[str] = Counter()
        self._started = moment_of(self._value.get("create_time")) or moment_of(
            self._value.get("update_time")
        )

    def told(self) -> Told:
        """Return all of it: what is shown, and other branches where they left that."""
        records: list[Message | Rewind] = []
        shown: list[Message] = []
        for branch in self._tree.branches(self._value.get("current_node")):
            messages = [*self._messages(branch)]
            records += messages
            if branch.is_live:
                shown += messages
            elif messages:
                first = messages[0].native_id
                records.append(Rewind(conversation=self._native_id, first=first))
        return Told(
            conversation=conversation_of(self._value, self._native_id, shown),
            records=records,
            ignored=self._ignored,
        )

    def _messages(self, branch: Branch) -> Iterator[Message]:
        for node in branch.ids:
            value = self._tree.message(node)
            self._inherit(node)
            if not value:
                continue
            said = said_in(value)
            native_id = self._message_id(node, value)
            call_id = self._call_id(node, said, native_id)
            if said.is_empty:
                self._ignored[kind_of(value.get("content"))] += 1
            else:
                yield self._message(node, said, native_id, call_id)

    def _inherit(self, node: str) -> None:
        """Take over what a node has from the one above: its time, and who is asked."""
        parent = self._tree.parent(node)
        if nearest := self._tree.time(node) or self._times.get(parent):
            self._times[node] = nearest
        if parent in self._calls:
            self._calls[node] = self._calls[parent]

    def _call_id(self, node: str, said: Said, native_id: str) -> str:
        """Return the call a message makes or answers: other words end it."""
        if said.is_call:
            self._calls[node] = native_id
        elif said.role is not Role.TOOL and said.content.text:
            self._calls.pop(node, None)
        return self._calls.get(node, "")

    def _message_id(self, node: str, value: Mapping[str, Any]) -> str:
        """Return an id that is no other message's, here or in other conversations."""
        given = value.get("id")
        own = given if isinstance(given, str) and given else node
        if own in self._ids:
            own = node
        self._ids.add(own)
        return own if _UUID.fullmatch(own) else f"{self._native_id}#{_short(own)}"

    def _message(self, node: str, said: Said, native_id: str, call_id: str) -> Message:
        at = self._times.get(node) or self._started
        return Message(
            conversation=self._native_id,
            native_id=native_id,
            role=said.role,
            text=said.text(),
            reasoning=said.content.reasoning,
            at=at,
            approximate_time=at is not None and self._tree.time(node) is None,
            model=said.model,
            noise=said.noise,
            calls=said.calls(call_id),
            results=said.results(call_id),
            origin=Origin(
                offset=self._item.offset,
                length=self._item.length,
                path=_short(node),
            ),
        )
