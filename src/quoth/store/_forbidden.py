"""What is recorded and a rule of the person's forbids: it goes, and stays out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from datetime import datetime

from quoth.model import Role

from ._change import Policy
from ._meta import meta, set_meta
from ._never_index import Forbidding, forbids_path, rules_number
from ._purge import going, remove, with_subagents
from ._reader import ArchiveReader
from ._rows import number, place, sound_rows, text, text_or_none
from ._times import milliseconds
from ._tombstones import (
    BY_RULE,
    Ban,
    active_entries,
    add_tombstones,
    lift,
    rule_entry,
)

__all__ = ["count_forbidden", "follow_rules", "have_changed", "purge_by_rule"]

_NOTE = "never_index"


def have_changed(connection: sqlite3.Connection, forbidding: Forbidding) -> bool:
    """Say whether the archive was last held against other rules."""
    return (meta(connection, _NOTE) or 0) != rules_number(forbidding.rules)


def follow_rules(
    connection: sqlite3.Connection, forbidding: Forbidding, *, now: datetime
) -> int:
    """Lift what earlier rules banned, remove what these forbid; return how many go.

    Within a transaction.
    """
    for entry in [*active_entries(connection)]:
        if entry.asked == (BY_RULE,):
            lift(connection, entry.entry, at=milliseconds(now))
    found = _forbidden(connection, forbidding)
    set_meta(connection, _NOTE, rules_number(forbidding.rules))
    return purge_by_rule(connection, found, now=now) if found else 0


def count_forbidden(reader: ArchiveReader, policy: Policy) -> int:
    """Return how many conversations are recorded that a person's rules forbid."""
    forbidding = Forbidding(rules=policy.never_index, repo_of=policy.repo_of)
    return len(_forbidden(reader.connection, forbidding))


def _forbidden(connection: sqlite3.Connection, forbidding: Forbidding) -> set[int]:
    """Return what is recorded and forbidden, with its subagents."""
    found = {
        *_by_place(connection, forbidding),
        *_by_folder(connection, forbidding),
        *_by_file(connection, forbidding),
        *_by_marker(connection, forbidding),
    }
    return with_subagents(connection, found)


def purge_by_rule(
    connection: sqlite3.Connection,
    conversations: Collection[int],
    *,
    now: datetime,
    new: int = 0,
) -> int:
    """Remove conversations with their subagents, ban them, and return how many.

    Args:
        new: How many others the rules ban that were never recorded.
    """
    entry = rule_entry(connection, at=milliseconds(now))
    with going(connection, with_subagents(connection, conversations)) as removal:
        rows = connection.execute(
            "SELECT key FROM conversation"
            " WHERE id IN (SELECT id FROM temp.going_conversation)"
        ).fetchall()
        with sound_rows(connection):
            keys = [text(key) for (key,) in rows]
        add_tombstones(connection, entry, Ban.CONVERSATION, keys)
        connection.execute(
            "UPDATE forgotten SET conversations = conversations + ?,"
            " messages = messages + ? WHERE id = ?",
            (len(keys) + new, removal.messages, entry),
        )
        if keys:
            remove(removal)
    return len(keys)


def _by_place(connection: sqlite3.Connection, forbidding: Forbidding) -> Iterator[int]:
    rows = connection.execute("SELECT id, repo, cwd FROM conversation").fetchall()
    with sound_rows(connection):
        for identity, repo, cwd in rows:
            if forbidding.place(text_or_none(repo), text_or_none(cwd)):
                yield number(identity)


def _by_folder(connection: sqlite3.Connection, forbidding: Forbidding) -> Iterator[int]:
    """Yield what went on in a folder at some time, whatever it was begun in."""
    contexts = connection.execute("SELECT id, cwd FROM context").fetchall()
    with sound_rows(connection):
        found = [number(each) for each, cwd in contexts if forbidding.folder(text(cwd))]
    rows = connection.execute(
        "SELECT DISTINCT conversation FROM message"
        " JOIN member ON member.message = message.id"
        " WHERE context IN (SELECT value FROM json_each(?))",
        (json.dumps(found),),
    )
    with sound_rows(connection):
        yield from (number(conversation) for (conversation,) in rows.fetchall())


def _by_file(connection: sqlite3.Connection, forbidding: Forbidding) -> Iterator[int]:
    rows = connection.execute(
        "SELECT conversation, path FROM told JOIN source_file ON id = file"
    ).fetchall()
    with sound_rows(connection):
        for conversation, path in rows:
            if forbids_path(forbidding.rules, place(path)):
                yield number(conversation)


def _by_marker(connection: sqlite3.Connection, forbidding: Forbidding) -> Iterator[int]:
    """Yield what holds a marker anywhere, superseded or not."""
    if not forbidding.rules.markers:
        return
    rows = connection.execute(
        "SELECT conversation, text FROM message JOIN body USING (id)"
        " JOIN member ON member.message = message.id"
        " WHERE noise IS NULL AND role IN (?, ?)",
        (Role.USER, Role.ASSISTANT),
    )
    with sound_rows(connection):
        for conversation, said in rows:
            if forbidding.text(text(said)):
                yield number(conversation)
