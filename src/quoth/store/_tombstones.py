"""What keeps out what was forgotten: digests, and the entries they belong to.

A digest is the first 16 bytes of an HMAC-SHA256 over the kind and the name of what is
banned, under a random key of 32 bytes that stands with the entry. Whoever has the
archive can ask whether a text they hold was forgotten; nobody can read it from there.
"""

from __future__ import annotations

import hmac
import os
import sqlite3
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import partial

from quoth.model import Forgotten

from ._checkpoints import ANEW, checkpoint_json
from ._keys import normalised
from ._rows import blob, number, sound_rows, text
from ._times import moment

__all__ = [
    "BY_RULE",
    "SHORTEST_TEXT",
    "Ban",
    "Bans",
    "active_entries",
    "add_entry",
    "add_tombstones",
    "conversations_forgotten",
    "digest_of",
    "lift",
    "message_name",
    "own_key",
    "rule_entry",
    "text_name",
]

BY_RULE = "rule"
"""How an entry was asked for that a `never_index` rule made."""

SHORTEST_TEXT = 40
"""Characters. What is shorter may be said again without being the same."""

_KEY_SIZE = 32
_DIGEST_SIZE = 16
_UID_SIZE = 16


class Ban(StrEnum):
    """What a tombstone is for."""

    CONVERSATION = "conversation"
    MESSAGE = "message"
    TEXT = "text"


def digest_of(key: bytes, kind: str, name: str) -> bytes:
    """Return the 16 bytes that stand for *name* among all of its kind."""
    # Paths hold half characters where the system's are no text.
    named = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
    return hmac.digest(key, named, "sha256")[:_DIGEST_SIZE]


def message_name(source: str, native_id: str) -> str:
    """Return what a message is banned by, whatever conversation holds it."""
    return f"{source}\0{native_id}"


def text_name(said: str) -> str | None:
    """Return what a text is banned by; None when it is too short to be told apart."""
    name = normalised(said)
    return name if len(name) >= SHORTEST_TEXT else None


class Bans:
    """What may not be recorded now, asked for by name."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._keys = _active_keys(connection)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def conversation(self, key: str) -> int | None:
        """Return the entry that bans a conversation, by its key, if one does."""
        return self._entry(Ban.CONVERSATION, key)

    def message(self, source: str, native_id: str) -> bool:
        """Say whether a message is banned by the id its source gave it."""
        return self._entry(Ban.MESSAGE, message_name(source, native_id)) is not None

    def text(self, said: str) -> bool:
        """Say whether what a person or an assistant said is banned, whoever says it."""
        name = text_name(said)
        return name is not None and self._entry(Ban.TEXT, name) is not None

    def add_conversation(self, entry: int, key: str) -> None:
        """Ban a conversation as well, for as long as *entry* is not lifted."""
        add_tombstones(self._connection, entry, Ban.CONVERSATION, [key])
        self._keys = _active_keys(self._connection)

    def _entry(self, kind: Ban, name: str) -> int | None:
        for key in self._keys:
            row = self._connection.execute(
                "SELECT min(entry) FROM tombstone WHERE digest = ?",
                (digest_of(key, kind, name),),
            ).fetchone()
            if row[0] is not None:
                return int(row[0])
        return None


def _active_keys(connection: sqlite3.Connection) -> list[bytes]:
    rows = connection.execute(
        "SELECT DISTINCT key FROM forgotten WHERE lifted_at IS NULL"
    ).fetchall()
    with sound_rows(connection):
        return [blob(key) for (key,) in rows]


def own_key(connection: sqlite3.Connection) -> bytes:
    """Return the key that this archive makes digests with; empty without an entry."""
    row = connection.execute("SELECT key FROM forgotten ORDER BY id LIMIT 1").fetchone()
    with sound_rows(connection):
        return blob(row[0]) if row else b""


def add_entry(
    connection: sqlite3.Connection,
    *,
    at: int,
    asked: Iterable[str],
    conversations: int,
    messages: int,
) -> int:
    """Add an entry to the list of what is forgotten, and return its number."""
    row = connection.execute(
        "INSERT INTO forgotten (uid, key, at, asked, conversations, messages)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (
            os.urandom(_UID_SIZE),
            own_key(connection) or os.urandom(_KEY_SIZE),
            at,
            " ".join(asked),
            conversations,
            messages,
        ),
    ).fetchone()
    return int(row[0])


def rule_entry(connection: sqlite3.Connection, *, at: int) -> int:
    """Return the entry that rules add to, made with the first that they ban."""
    row = connection.execute(
        "SELECT id FROM forgotten WHERE asked = ? AND lifted_at IS NULL", (BY_RULE,)
    ).fetchone()
    if row:
        return int(row[0])
    return add_entry(connection, at=at, asked=[BY_RULE], conversations=0, messages=0)


def add_tombstones(
    connection: sqlite3.Connection, entry: int, kind: Ban, names: Iterable[str]
) -> None:
    """Ban what is named, for as long as *entry* is not lifted."""
    key = connection.execute(
        "SELECT key FROM forgotten WHERE id = ?", (entry,)
    ).fetchone()[0]
    digest = partial(digest_of, key, kind)
    connection.executemany(
        "INSERT OR IGNORE INTO tombstone (digest, entry, kind) VALUES (?, ?, ?)",
        ((digest(name), entry, kind) for name in names),
    )


def lift(connection: sqlite3.Connection, entry: int, *, at: int) -> None:
    """Let what *entry* bans be recorded again, from files that are read once more.

    Its row stays, so that copies of the list get to know.
    """
    connection.execute("UPDATE forgotten SET lifted_at = ? WHERE id = ?", (at, entry))
    connection.execute("DELETE FROM tombstone WHERE entry = ?", (entry,))
    connection.execute("DELETE FROM kept_out_unit")
    connection.execute(
        "UPDATE source_file SET thinned = 0, stamp = '', checkpoint = ?"
        " WHERE thinned = 1",
        (checkpoint_json(ANEW),),
    )


def conversations_forgotten(connection: sqlite3.Connection) -> int:
    """Count the conversations that are forgotten and kept out."""
    row = connection.execute(
        "SELECT total(conversations) FROM forgotten WHERE lifted_at IS NULL"
    ).fetchone()
    return int(row[0])


def active_entries(connection: sqlite3.Connection) -> Iterator[Forgotten]:
    """Yield what is forgotten and kept out, the oldest first."""
    rows = connection.execute(
        "SELECT id, at, asked, conversations, messages FROM forgotten"
        " WHERE lifted_at IS NULL ORDER BY id"
    ).fetchall()
    with sound_rows(connection):
        for entry, at, asked, conversations, messages in rows:
            yield Forgotten(
                entry=number(entry),
                at=moment(number(at)),
                asked=tuple(text(asked).split()),
                conversations=number(conversations),
                messages=number(messages),
            )
