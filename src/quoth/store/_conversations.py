"""Conversations on their way into the tables: what each file tells of them, as one."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from quoth.model import Conversation, Kind

from ._index_text import split_cjk
from ._keys import conversation_key
from ._rows import sound_rows
from ._times import milliseconds

__all__ = ["Conversations", "show_again", "words_of"]

_FACTS = (
    "kind",
    "parent_key",
    "title",
    "title_origin",
    "cwd",
    "repo",
    "branch",
    "started_at",
    "ended_at",
    "models",
    "app_version",
    "copy_of",
)

_CLOCKS_DIFFER = timedelta(days=1)

_FILLED = ("parent_key", "cwd", "repo", "branch", "app_version", "copy_of")
"""What one file may leave out that another tells, as a continuation does."""


def words_of(text: str | None) -> str | None:
    """Return what the index sees of *text* when that differs from it."""
    if not text:
        return None
    words = split_cjk(text)
    return None if words == text else words


class Conversations:
    """The conversations that one file tells of, during one batch of it.

    A conversation may be told by several files: a copy in a backup, a thread that goes
    on in a second one. Each file's facts are kept, and what is shown is made from all
    of them, so that it does not depend on which was read last.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        source: str,
        file: int,
        reading: int,
        now: datetime,
    ) -> None:
        self._connection = connection
        self._source = source
        self._file = file
        self._reading = reading
        self._now = now
        self._ids: dict[str, int] = {}
        self._snapshots: dict[tuple[int, int], int | None] = {}
        self.new: set[str] = set()
        self.retitled: set[str] = set()
        self.reordered: set[int] = set()  # see `Change._settle`

    def identity(self, native_id: str) -> int:
        """Return the id of a conversation, which nothing may be known of yet."""
        key = conversation_key(self._source, native_id)
        found = self._ids.get(key)
        if found is None:
            row = self._connection.execute(
                "SELECT id FROM conversation WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                return self.add(Conversation(native_id=native_id), repo=None)
            found = self._ids[key] = self._told_again(row[0], native_id)
        return found

    def _told_again(self, identity: int, native_id: str) -> int:
        """Make a conversation count as told by this file, which holds some of it."""
        row = self._connection.execute(
            "SELECT reading FROM told WHERE conversation = ? AND file = ?",
            (identity, self._file),
        ).fetchone()
        if row is None:
            return self.add(Conversation(native_id=native_id), repo=None)
        if row[0] != self._reading:
            self._connection.execute(
                "UPDATE told SET reading = ?, position = 0"
                " WHERE conversation = ? AND file = ?",
                (self._reading, identity, self._file),
            )
        return identity

    def add(self, conversation: Conversation, *, repo: str | None) -> int:
        """Take in what the file tells of a conversation, and return its id."""
        key = conversation_key(self._source, conversation.native_id)
        row = self._connection.execute(
            "SELECT id FROM conversation WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            row = self._connection.execute(
                "INSERT INTO conversation (key, source, native_id, kind, file)"
                " VALUES (?, ?, ?, '', ?) RETURNING id",
                (key, self._source, conversation.native_id, self._file),
            ).fetchone()
            self.new.add(key)
        identity: int = row[0]
        self._ids[key] = identity
        self._snapshots.clear()
        facts = self._facts(key, conversation, repo)
        self._connection.execute(
            "INSERT INTO told (conversation, file, reading, facts) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET facts = excluded.facts, position ="
            " iif(reading = excluded.reading, position, 0), reading = excluded.reading",
            (identity, self._file, self._reading, json.dumps(facts)),
        )
        self._show(identity)
        return identity

    def is_snapshot(self, conversation: int) -> bool:
        """Say whether this file tells a conversation as it was at some moment."""
        return self._snapshot(self._file, conversation) is not None

    def is_later_than(self, file: int, conversation: int) -> bool:
        """Say whether this file tells a conversation as it was after *file* did."""
        own = self._snapshot(self._file, conversation)
        if own is None:
            return False
        other = self._snapshot(file, conversation)
        return other is None or other < own

    def _snapshot(self, file: int, conversation: int) -> int | None:
        place = (file, conversation)
        if place not in self._snapshots:
            row = self._connection.execute(
                "SELECT facts ->> 'snapshot_at' FROM told"
                " WHERE file = ? AND conversation = ?",
                place,
            ).fetchone()
            self._snapshots[place] = row and row[0]
        return self._snapshots[place]

    def outdated(self) -> list[tuple[int, int]]:
        """Return (conversation, file) of what was told before the latest snapshot.

        Only of conversations that this file tells too.
        """
        return self._connection.execute(
            "WITH snapshot AS (SELECT conversation, file,"
            "  coalesce(facts ->> 'snapshot_at', -1) AS at FROM told"
            "  WHERE conversation IN (SELECT conversation FROM told WHERE file = ?))"
            " SELECT conversation, file FROM snapshot AS one WHERE at <"
            "  (SELECT max(at) FROM snapshot WHERE conversation = one.conversation)",
            (self._file,),
        ).fetchall()

    def copies(self) -> list[int]:
        """Return the conversations whose original is recorded too.

        Only those that this file tells, or tells the original of.
        """
        pairs = self._connection.execute(
            "SELECT copy.id, original.id FROM told"
            " JOIN conversation AS copy ON copy.id = conversation"
            " JOIN conversation AS original ON original.key = copy.copy_of"
            " WHERE told.file = :file"
            " UNION SELECT copy.id, original.id FROM told"
            " JOIN conversation AS original ON original.id = conversation"
            " JOIN conversation AS copy ON copy.copy_of = original.key"
            " WHERE told.file = :file",
            {"file": self._file},
        ).fetchall()
        return [copy for copy, original in pairs if self._has_words(original)]

    def _has_words(self, conversation: int) -> bool:
        found = self._connection.execute(
            "SELECT 1 FROM member JOIN message ON message.id = message"
            " WHERE member.conversation = ? AND member.live = 1 AND noise IS NULL"
            " LIMIT 1",
            (conversation,),
        ).fetchone()
        return found is not None

    def forget_untold(self) -> None:
        """Drop what this file told of conversations that it no longer mentions.

        Also what a file told that is gone, when all it held of a conversation was
        found in this one: it moved. What only one file told stays.
        """
        outdated = self._connection.execute(
            "SELECT conversation, file FROM told WHERE file = ? AND reading < ?"
            " UNION SELECT moved.conversation, moved.file FROM told"
            " JOIN told AS moved USING (conversation)"
            " JOIN source_file ON source_file.id = moved.file"
            " WHERE told.file = ? AND moved.file <> told.file AND gone_at IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM member WHERE live = 1"
            "  AND member.conversation = told.conversation"
            "  AND member.file = moved.file)",
            (self._file, self._reading, self._file),
        ).fetchall()
        for identity, file in outdated:
            dropped = self._connection.execute(
                "DELETE FROM told WHERE conversation = :id AND file = :file"
                " AND EXISTS (SELECT 1 FROM told AS other"
                "  WHERE other.conversation = :id AND other.file <> :file)",
                {"id": identity, "file": file},
            ).rowcount
            if dropped:
                self._show(identity)

    def _facts(
        self, key: str, conversation: Conversation, repo: str | None
    ) -> dict[str, Any]:
        parent = conversation.parent and conversation_key(
            self._source, conversation.parent
        )
        return {
            "kind": conversation.kind,
            "parent_key": parent if parent != key else None,
            "title": conversation.title or None,
            "title_origin": conversation.title_origin,
            "cwd": conversation.cwd,
            "repo": conversation.repo or repo,
            "branch": conversation.branch,
            "started_at": milliseconds(conversation.started_at),
            "ended_at": milliseconds(conversation.ended_at),
            "models": conversation.models,
            "app_version": conversation.app_version,
            "copy_of": conversation.copy_of and conversation_key(*conversation.copy_of),
            "snapshot_at": milliseconds(self._believed(conversation.snapshot_at)),
        }

    def _believed(self, snapshot_at: datetime | None) -> datetime | None:
        """Return when a telling was made; none was made in the future.

        Or an export that says so would have the last word for good.
        """
        if snapshot_at is None or snapshot_at > self._now + _CLOCKS_DIFFER:
            return None
        return snapshot_at

    def _show(self, identity: int) -> None:
        change = show_again(self._connection, identity)
        if change.retitled:
            self.retitled.add(change.key)
        if change.reordered:
            self.reordered.add(identity)


@dataclass(frozen=True, slots=True)
class Shown:
    """What making a conversation's row anew has changed in it."""

    key: str
    retitled: bool
    reordered: bool


def show_again(connection: sqlite3.Connection, identity: int) -> Shown:
    """Make the row of a conversation from all that its files tell of it."""
    key, file, gone, *old = connection.execute(
        f"SELECT key, file, source_gone_at, {', '.join(_FACTS)}"
        " FROM conversation WHERE id = ?",
        (identity,),
    ).fetchone()
    told = connection.execute(
        "SELECT facts, file, gone_at FROM told JOIN source_file f ON f.id = file"
        " WHERE conversation = ? ORDER BY coalesce(facts ->> 'snapshot_at', -1) DESC,"
        " gone_at IS NOT NULL, coalesce(facts ->> 'ended_at', -1) DESC, f.path, f.part",
        (identity,),
    ).fetchall()
    with sound_rows(connection):
        facts = _merged([_facts_in(each[0]) for each in told])
    gone_at = [each[2] for each in told]
    source_gone = None if None in gone_at else max(gone_at)
    before = dict(zip(_FACTS, old, strict=True))
    if (facts, told[0][1], source_gone) != (before, file, gone):
        connection.execute(
            f"UPDATE conversation SET {', '.join(f'{n} = :{n}' for n in _FACTS)},"
            " title_words = :title_words, file = :file, source_gone_at = :gone"
            " WHERE id = :id",
            {
                **facts,
                "title_words": words_of(facts["title"]),
                "file": told[0][1],
                "gone": source_gone,
                "id": identity,
            },
        )
    retitled = before["title"] != facts["title"]
    if retitled:
        _index_title(connection, identity, before["title"], facts["title"])
    if any(before[name] != facts[name] for name in ("kind", "parent_key")):
        _list_under_root(connection, identity)
    return Shown(key, retitled, _has_passed_another(connection, before, facts))


def _has_passed_another(
    connection: sqlite3.Connection, before: dict[str, Any], now: dict[str, Any]
) -> bool:
    """Say whether the order of conversations that hold the same messages changed.

    They stand by kind and end. Most ends move on without meeting another.
    """
    if before["kind"] != now["kind"]:
        return True
    ends = (before["ended_at"], now["ended_at"])
    if None in ends or ends[0] == ends[1]:
        return bool(ends[0] != ends[1])
    met = connection.execute(
        "SELECT 1 FROM conversation WHERE shares = 1 AND ended_at BETWEEN ? AND ?"
        " LIMIT 2",
        sorted(ends),
    ).fetchall()
    return len(met) > 1  # one is the conversation itself


def _facts_in(stored: str) -> dict[str, Any]:
    facts = json.loads(stored)
    if not isinstance(facts, dict):
        raise TypeError
    return facts


def _merged(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Make one of what several files tell, the one that leads first."""
    merged: dict[str, Any] = {name: told[0].get(name) for name in _FACTS}
    for other in told[1:]:
        if merged["title"] is None:
            merged["title"] = other["title"]
            merged["title_origin"] = other["title_origin"]
        for name in _FILLED:
            if merged[name] is None:
                merged[name] = other.get(name)
        if merged["kind"] == Kind.MAIN:
            merged["kind"] = other["kind"]
        merged["models"] = [*dict.fromkeys([*merged["models"], *other["models"]])]
    for name, furthest in (("started_at", min), ("ended_at", max)):
        times = [each[name] for each in told if each[name] is not None]
        merged[name] = furthest(times) if times else None
    merged["models"] = json.dumps(merged["models"])
    return merged


def _index_title(
    connection: sqlite3.Connection, identity: int, old: str | None, new: str | None
) -> None:
    if old:
        connection.execute(
            "INSERT INTO titles (titles, rowid, title) VALUES ('delete', ?, ?)",
            (identity, words_of(old) or old),
        )
    if new:
        connection.execute(
            "INSERT INTO titles (rowid, title) VALUES (?, ?)",
            (identity, words_of(new) or new),
        )


def _list_under_root(connection: sqlite3.Connection, identity: int) -> None:
    """List a subagent under its parent, if that is known, and its own under that.

    A fork has a parent too, and is a conversation of its own all the same.
    """
    connection.execute(
        "UPDATE conversation SET root = coalesce((SELECT above.root"
        " FROM conversation AS above WHERE above.key = conversation.parent_key"
        f" AND conversation.kind = '{Kind.SUBAGENT}' AND above.root <> 0), id)"
        " WHERE id = ?",
        (identity,),
    )
    children = connection.execute(
        "SELECT child.id FROM conversation AS child JOIN conversation AS above"
        " ON child.parent_key = above.key"
        f" WHERE above.id = ? AND child.kind = '{Kind.SUBAGENT}'"
        " AND child.root <> above.root AND child.id <> above.root",
        (identity,),
    ).fetchall()
    for (child,) in children:
        _list_under_root(connection, child)
