"""Messages on their way through newer rules, with all that is stored beside them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from quoth.redaction import Walk

from ._citations import keep_citations
from ._derived import Derived, index_columns
from ._held import Answer, Call, Held, Said, Touched, next_messages

__all__ = ["KEPT", "reredact_messages"]

_T = TypeVar("_T")

KEPT = {Call: frozenset({"call_id"}), Answer: frozenset({"call_id"})}
"""What a walk leaves as it is, as on the way in."""


@dataclass(slots=True)
class _Index:
    """What the word index has to forget and to learn, as (id, *columns)."""

    deleted: list[tuple[int | str, ...]] = field(default_factory=list)
    added: list[tuple[int | str, ...]] = field(default_factory=list)

    def write(self, connection: sqlite3.Connection) -> None:
        connection.executemany(
            "INSERT INTO words (words, rowid, prompt, reply, tool, names)"
            " VALUES ('delete', ?, ?, ?, ?, ?)",
            self.deleted,
        )
        connection.executemany(
            "INSERT INTO words (rowid, prompt, reply, tool, names)"
            " VALUES (?, ?, ?, ?, ?)",
            self.added,
        )


def reredact_messages(
    connection: sqlite3.Connection,
    walk: Walk,
    after: int,
    *,
    embeddable: Callable[[str], bool],
    rules_version: int,
) -> tuple[int | None, int, int]:
    """Redact the next messages after an id anew; return the last one, and two counts.

    None for the last one when there are no more. How many were looked at, and how many
    of them changed.
    """
    stored = next_messages(connection, after)
    if not stored:
        return None, 0, 0
    index = _Index()
    lacking: list[int] = []
    changed = 0
    for message in stored:
        said = walk.redacted(message.said)
        if said is message.said:
            continue
        changed += 1
        derived = message.derived_of(said, embeddable)
        _update_texts(connection, message, said)
        _update_derived(connection, message, said, derived, index)
        _update_fingerprint(connection, message, said)
        keep_citations(
            connection,
            message.id,
            message.said.quoted(),
            said.quoted(),
            rules_version=rules_version,
        )
        if derived.text_hash not in (None, message.derived.text_hash):
            lacking.append(message.id)
    index.write(connection)
    if lacking:
        connection.execute(
            "UPDATE embedder SET up_to = min(up_to, ?)", (lacking[0] - 1,)
        )
    return stored[-1].id, len(stored), changed


def _update_texts(connection: sqlite3.Connection, message: Held, said: Said) -> None:
    connection.execute(
        "UPDATE body SET text = ?, reasoning = ? WHERE id = ?",
        (said.text, said.reasoning, message.id),
    )
    connection.execute(
        "UPDATE message SET author = ? WHERE id = ?", (said.author, message.id)
    )
    connection.executemany(
        "UPDATE tool_call SET name = ?, input = ?, command = ?,"
        " output = iif(result_message IS NULL, ?, output) WHERE id = ?",
        [
            (call.name, call.input, call.command, call.result, call.id)
            for call in _differing(message.said.calls, said.calls)
        ],
    )
    connection.executemany(
        "UPDATE tool_call SET output = ? WHERE id = ?",
        [
            (answer.output, answer.id)
            for answer in _differing(message.said.answers, said.answers)
        ],
    )
    connection.executemany(
        "UPDATE member SET path = ? WHERE message = ? AND conversation = ?",
        [
            (path, message.id, conversation)
            for conversation, path in _differing(message.said.places, said.places)
        ],
    )
    if said.touches is not message.said.touches:
        _write_touches(connection, message.id, said.touches)


def _differing(old: Sequence[_T], new: Sequence[_T]) -> Iterable[_T]:
    return (after for before, after in zip(old, new, strict=True) if after != before)


def _write_touches(
    connection: sqlite3.Connection, message: int, touches: Iterable[Touched]
) -> None:
    """Write the touches of a message anew: two paths may have become one."""
    connection.execute("DELETE FROM file_touch WHERE message = ?", (message,))
    connection.executemany(
        "INSERT OR IGNORE INTO file_touch (message, path, relative, action)"
        " VALUES (?, ?, ?, ?)",
        [(message, each.path, each.relative, each.action) for each in touches],
    )


def _update_derived(
    connection: sqlite3.Connection,
    message: Held,
    said: Said,
    derived: Derived,
    index: _Index,
) -> None:
    if message.noise is None:
        old = index_columns(message.said.text, message.role, message.derived)
        new = index_columns(said.text, message.role, derived)
        if message.is_indexed:
            index.deleted.append((message.id, *old))
        index.added.append((message.id, *new))
    if derived == message.derived:
        return
    connection.execute(
        "UPDATE body SET search_text = ?, tool_words = ?, names = ? WHERE id = ?",
        (derived.search_text, derived.tool_words, derived.names, message.id),
    )
    connection.execute(
        "UPDATE message SET text_hash = ? WHERE id = ?", (derived.text_hash, message.id)
    )
    had, has = (each.text_hash is not None for each in (message.derived, derived))
    if message.live and had != has:
        connection.execute(
            "UPDATE conversation SET texts = texts + ? WHERE id = ?",
            (has - had, message.home),
        )


def _update_fingerprint(
    connection: sqlite3.Connection, message: Held, said: Said
) -> None:
    """Let a record that is read again under the newer rules find its message.

    Where rows don't hold all that the record said, as of an answer that another one has
    replaced, `met_under_earlier_rules` finds it. The old fingerprint goes in any case:
    from it and the rest of the text a short secret could be guessed.
    """
    print_of = message.fingerprint_of(said)
    if message.fingerprint_of(message.said) != message.fingerprint:
        print_of = _no_record(print_of, message.id)
    holder = connection.execute(
        "SELECT id, live FROM message"
        " WHERE native_id = ? AND fingerprint = ? AND id <> ?",
        (message.native_id, print_of, message.id),
    ).fetchone()
    if holder:
        # Two versions differed in nothing but a secret: the live one is the message.
        identity, is_live = holder
        given_up = message.id if is_live or not message.live else identity
        connection.execute(
            "UPDATE message SET fingerprint = ? WHERE id = ?",
            (_no_record(print_of, given_up), given_up),
        )
        if given_up == message.id:
            return
    connection.execute(
        "UPDATE message SET fingerprint = ? WHERE id = ?", (print_of, message.id)
    )


def _no_record(print_of: bytes, message: int) -> bytes:
    """Return a fingerprint that no record has, one for each message."""
    return hashlib.sha256(print_of + b"%d" % message).digest()[:16]
