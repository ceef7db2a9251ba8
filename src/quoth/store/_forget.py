"""Forgetting, in the tables: what goes, what it is banned by, what is lifted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from quoth.errors import NotRecordedError, UsageError
from quoth.model import ForgetPlan, Forgotten, Role

from ._family import parts_of
from ._forget_plan import criteria
from ._purge import going, ids_of, remove, with_subagents
from ._rows import number, sound_rows, text
from ._times import milliseconds
from ._tombstones import (
    BY_RULE,
    SHORTEST_TEXT,
    Ban,
    Bans,
    active_entries,
    add_entry,
    add_tombstones,
    lift,
    message_name,
    text_name,
)

__all__ = ["Done", "forget", "purge_banned", "undo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was removed, under which entry; `messages` counts without noise."""

    entry: int | None
    conversations: int
    messages: int


def forget(connection: sqlite3.Connection, plan: ForgetPlan, *, now: datetime) -> Done:
    """Remove the conversations of a plan that are still there, and ban them.

    Within a transaction. What came to them since the plan goes too.
    """
    conversations, messages = _all_of(connection, plan)
    if not conversations:
        return Done(entry=None, conversations=0, messages=0)
    with going(connection, conversations, messages) as removal:
        entry = add_entry(
            connection,
            at=milliseconds(now),
            asked=criteria(plan.selection),
            conversations=removal.conversations,
            messages=removal.messages,
        )
        for kind, names in (
            (
                Ban.CONVERSATION,
                _going_conversations(connection, family=plan.selection.family),
            ),
            (Ban.MESSAGE, _going_messages(connection)),
            (Ban.TEXT, _going_texts(connection)),
        ):
            add_tombstones(connection, entry, kind, names)
        remove(removal)
    return Done(
        entry=entry,
        conversations=removal.conversations,
        messages=removal.messages,
    )


def _all_of(
    connection: sqlite3.Connection, plan: ForgetPlan
) -> tuple[set[int], list[int]]:
    """Return the conversations of a plan, and what goes from those that stay."""
    keys = {leaving.key for leaving in plan.conversations if not leaving.stay}
    copies = {leaving.key for leaving in plan.conversations if leaving.stay}
    whole = with_subagents(connection, ids_of(connection, keys))
    parts = parts_of(connection, ids_of(connection, copies) - whole, whole)
    return whole, [message for part in parts.values() for message in part.goes]


def undo(connection: sqlite3.Connection, entry: int, *, now: datetime) -> Forgotten:
    """Lift an entry, and return what it was.

    Raises:
        NotRecordedError: There is none of that number, or it was lifted.
        UsageError: A rule made it.
    """
    found = next(
        (each for each in active_entries(connection) if each.entry == entry), None
    )
    if found is None:
        raise NotRecordedError(
            f"Nothing is kept out by an entry {entry}.",
            hint="`quoth forget --list` shows the entries there are.",
        )
    if found.asked == (BY_RULE,):
        raise UsageError(
            f"Entry {entry} was made by a rule, and would be made again.",
            hint="Change the rule: see `quoth config list`.",
        )
    lift(connection, entry, at=milliseconds(now))
    return found


def purge_banned(connection: sqlite3.Connection) -> None:
    """Remove from an archive what it bans and holds all the same.

    Within a transaction. A backup that was restored holds what was forgotten since.
    """
    bans = Bans(connection)
    conversations = with_subagents(
        connection, {*_banned_conversations(connection, bans)}
    )
    messages = {*_banned_messages(connection, bans)}
    if conversations or messages:
        with going(connection, conversations, messages) as removal:
            remove(removal)


def _going_conversations(
    connection: sqlite3.Connection, *, family: bool
) -> Iterator[str]:
    """Yield the keys of what goes; of its family also originals that aren't there."""
    rows = connection.execute(
        "WITH going AS (SELECT key, copy_of FROM conversation"
        "  WHERE id IN (SELECT id FROM temp.going_conversation))"
        " SELECT key FROM going UNION SELECT copy_of FROM going"
        "  WHERE ? AND copy_of IS NOT NULL"
        "  AND copy_of NOT IN (SELECT key FROM conversation)",
        (family,),
    )
    with sound_rows(connection):
        for (key,) in rows:
            yield text(key)


def _going_messages(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the names of what goes, but for ids that something which stays has too."""
    rows = connection.execute(
        "SELECT c.source, m.native_id FROM message m JOIN conversation c ON c.id = home"
        " WHERE m.id IN (SELECT id FROM temp.going_message) AND NOT EXISTS ("
        "  SELECT 1 FROM message AS other JOIN conversation AS o ON o.id = other.home"
        "  WHERE other.native_id = m.native_id AND o.source = c.source"
        "  AND other.id NOT IN (SELECT id FROM temp.going_message))"
    )
    with sound_rows(connection):
        for source, native_id in rows:
            yield message_name(text(source), text(native_id))


_SPOKEN = f"noise IS NULL AND role IN ('{Role.USER}', '{Role.ASSISTANT}')"


def _going_texts(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what was said and is said nowhere else."""
    with_vectors = connection.execute(
        "SELECT DISTINCT text FROM message AS m JOIN body USING (id)"
        " WHERE id IN (SELECT id FROM temp.going_message) AND text_hash IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM message AS other"
        "  WHERE other.text_hash = m.text_hash"
        "  AND other.id NOT IN (SELECT id FROM temp.going_message))"
    )
    with sound_rows(connection):
        for (said,) in with_vectors:
            if (name := text_name(text(said))) is not None:
                yield name
    others = _names_of_others(connection, "IN")
    yield from others - (_names_of_others(connection, "NOT IN") if others else set())


def _names_of_others(connection: sqlite3.Connection, among: str) -> set[str]:
    """Return the names of texts without vectors that go, or that don't."""
    rows = connection.execute(
        f"SELECT text FROM message JOIN body USING (id) WHERE {_SPOKEN}"
        f" AND text_hash IS NULL AND id {among} (SELECT id FROM temp.going_message)"
        " AND length(text) >= ?",
        (SHORTEST_TEXT,),
    )
    with sound_rows(connection):
        names = (text_name(text(said)) for (said,) in rows)
        return {name for name in names if name is not None}


def _banned_conversations(connection: sqlite3.Connection, bans: Bans) -> Iterator[int]:
    rows = connection.execute("SELECT id, key FROM conversation")
    with sound_rows(connection):
        for identity, key in rows:
            if bans.conversation(text(key)) is not None:
                yield number(identity)


def _banned_messages(connection: sqlite3.Connection, bans: Bans) -> Iterator[int]:
    rows = connection.execute(
        f"SELECT m.id, c.source, m.native_id, iif({_SPOKEN}, text, NULL)"
        " FROM message m JOIN body USING (id) JOIN conversation c ON c.id = home"
    )
    with sound_rows(connection):
        for identity, source, native_id, said in rows:
            if bans.message(text(source), text(native_id)) or (
                said is not None and bans.text(text(said))
            ):
                yield number(identity)
