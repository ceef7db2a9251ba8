"""Taking conversations and messages out of every table, and what only they used.

All of it belongs in one transaction. What follows it (see `_scrub`) is noted in `meta`,
so that whoever writes next can finish what a crash cut short.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from quoth.model import Kind, Unit

from ._checkpoints import ANEW, checkpoint_json
from ._conversations import show_again
from ._derived import owner_of
from ._kept_out_units import keep_out_unit
from ._meta import meta, set_meta
from ._remembered import files_that_remember
from ._rows import sound_rows, text
from ._scrub import Scrub, note_scrub

__all__ = [
    "Removal",
    "drop_unit_if_unused",
    "going",
    "ids_of",
    "remove",
    "untitle",
    "with_subagents",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What is about to be removed; its ids are in the temporary tables of `going`.

    `messages` counts without noise.
    """

    connection: sqlite3.Connection
    conversations: int
    messages: int


@contextmanager
def going(
    connection: sqlite3.Connection,
    conversations: Collection[int],
    messages: Collection[int] = (),
) -> Iterator[Removal]:
    """Note in `going_conversation` and `going_message` all that *conversations* take.

    A message that a conversation which stays holds too is not among them, unless it is
    one of *messages*.
    """
    for table in ("going_conversation", "going_message"):
        connection.execute(f"CREATE TEMP TABLE {table} (id INTEGER PRIMARY KEY)")
    try:
        connection.execute(
            "INSERT INTO going_conversation SELECT value FROM json_each(?)",
            (json.dumps([*conversations]),),
        )
        connection.execute(
            "INSERT INTO going_message SELECT value FROM json_each(?)"
            " UNION SELECT message FROM member"
            f" WHERE conversation IN {_CONVERSATIONS} AND NOT EXISTS ("
            "  SELECT 1 FROM member AS other WHERE other.message = member.message"
            f"  AND other.conversation NOT IN {_CONVERSATIONS})",
            (json.dumps([*messages]),),
        )
        visible = connection.execute(
            f"SELECT count(*) FROM message WHERE id IN {_MESSAGES} AND noise IS NULL"
        ).fetchone()[0]
        yield Removal(
            connection=connection,
            conversations=len(conversations),
            messages=int(visible),
        )
    finally:
        for table in ("going_conversation", "going_message"):
            connection.execute(f"DROP TABLE IF EXISTS temp.{table}")


_CONVERSATIONS = "(SELECT id FROM temp.going_conversation)"
_MESSAGES = "(SELECT id FROM temp.going_message)"


def with_subagents(
    connection: sqlite3.Connection, conversations: Collection[int]
) -> set[int]:
    """Return *conversations* and every subagent that worked for one of them."""
    rows = connection.execute(
        "WITH RECURSIVE found (id) AS (SELECT value FROM json_each(?)"
        " UNION SELECT child.id FROM found"
        "  JOIN conversation AS above ON above.id = found.id"
        "  JOIN conversation AS child ON child.parent_key = above.key"
        f"  WHERE child.kind = '{Kind.SUBAGENT}')"
        " SELECT id FROM found",
        (json.dumps([*conversations]),),
    )
    return {identity for (identity,) in rows.fetchall()}


def ids_of(connection: sqlite3.Connection, keys: Collection[str]) -> set[int]:
    """Return the ids of those conversations that the archive has."""
    rows = connection.execute(
        "SELECT id FROM conversation WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps([*keys]),),
    )
    return {identity for (identity,) in rows.fetchall()}


def remove(removal: Removal) -> None:
    """Remove all that `going` has noted. The order matters: see each step."""
    connection = removal.connection
    files = _files_of(connection)
    shared = _column(
        connection,
        f"SELECT DISTINCT message FROM member WHERE conversation IN {_CONVERSATIONS}"
        f" AND message NOT IN {_MESSAGES}",
    )
    homes = _column(
        connection,
        f"SELECT DISTINCT conversation FROM member WHERE message IN {_MESSAGES}"
        f" AND conversation NOT IN {_CONVERSATIONS}",
    )
    thinned = set(homes)
    _reopen_copies(connection)
    _remove_words(connection)
    _remove_answers(connection)
    texts = _column(
        connection,
        f"SELECT DISTINCT text_hash FROM message WHERE id IN {_MESSAGES}"
        " AND text_hash IS NOT NULL",
    )
    connection.execute(
        f"DELETE FROM usage WHERE conversation IN {_CONVERSATIONS}"
        f" AND (message IS NULL OR message IN {_MESSAGES})"
    )
    connection.execute(f"DELETE FROM member WHERE conversation IN {_CONVERSATIONS}")
    connection.execute(f"DELETE FROM message WHERE id IN {_MESSAGES}")
    homes |= _rehome(connection, shared)
    connection.execute(f"DELETE FROM conversation WHERE id IN {_CONVERSATIONS}")
    for conversation in thinned:
        untitle(connection, conversation)
    _count_again(connection, homes)
    _remove_vectors(connection, texts)
    connection.execute(
        "DELETE FROM context WHERE id NOT IN (SELECT context FROM message)"
    )
    for file in files:
        _leave_file(connection, file)
    note_scrub(connection, Scrub.WORDS)


def _column(connection: sqlite3.Connection, statement: str) -> set[int]:
    return {value for (value,) in connection.execute(statement).fetchall()}


def _files_of(connection: sqlite3.Connection) -> set[int]:
    """Return the files that tell of what goes, or remember something of it."""
    telling = _column(
        connection,
        f"SELECT file FROM told WHERE conversation IN {_CONVERSATIONS}"
        f" UNION SELECT file FROM conversation WHERE id IN {_CONVERSATIONS}"
        f" UNION SELECT file FROM member WHERE conversation IN {_CONVERSATIONS}"
        f" OR message IN {_MESSAGES}",
    )
    rows = connection.execute(
        "SELECT source, m.native_id FROM message AS m"
        f" JOIN conversation AS c ON c.id = home WHERE m.id IN {_MESSAGES}"
    )
    names: defaultdict[str, set[str]] = defaultdict(set)
    with sound_rows(connection):
        for source, native_id in rows:
            names[text(source)].add(text(native_id))
    return telling | files_that_remember(connection, names)


def _reopen_copies(connection: sqlite3.Connection) -> None:
    """Have copies read again that stay: they were superseded by what goes."""
    connection.execute(
        "UPDATE source_file SET stamp = '', checkpoint = ? WHERE state = 'done'"
        " AND id IN (SELECT told.file FROM told"
        "  JOIN conversation AS copy ON copy.id = told.conversation"
        "  JOIN conversation AS original ON original.key = copy.copy_of"
        f"  WHERE original.id IN {_CONVERSATIONS} AND copy.id NOT IN {_CONVERSATIONS})",
        (checkpoint_json(ANEW),),
    )


def _remove_words(connection: sqlite3.Connection) -> None:
    """Take messages and titles out of the word indexes.

    Before their rows go: FTS5 takes out what those say now.
    """
    connection.execute(
        "DELETE FROM words WHERE rowid IN"
        f" (SELECT id FROM message WHERE id IN {_MESSAGES} AND noise IS NULL)"
    )
    connection.execute(
        "DELETE FROM titles WHERE rowid IN (SELECT id FROM conversation"
        f" WHERE id IN {_CONVERSATIONS} AND title IS NOT NULL)"
    )


def _remove_answers(connection: sqlite3.Connection) -> None:
    """Take from calls that stay what a message that goes had answered."""
    connection.execute(
        "UPDATE tool_call SET exit_code = NULL, is_error = NULL, output = NULL,"
        " output_size = NULL, result_message = NULL"
        f" WHERE result_message IN {_MESSAGES} AND message NOT IN {_MESSAGES}"
    )


def _rehome(connection: sqlite3.Connection, shared: Collection[int]) -> set[int]:
    """Settle where messages that stay are at home now; return those conversations."""
    wanted = json.dumps([*shared])
    connection.execute(
        f"UPDATE message AS m SET (home, live) ="
        f" ({owner_of('m.id', 'member.conversation, member.live')})"
        " WHERE m.id IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    connection.execute(
        "UPDATE usage SET conversation = (SELECT home FROM message WHERE id = message)"
        " WHERE message IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    rows = connection.execute(
        "SELECT DISTINCT home FROM message"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    return {home for (home,) in rows.fetchall()}


def _count_again(
    connection: sqlite3.Connection, conversations: Collection[int]
) -> None:
    connection.execute(
        "UPDATE conversation SET messages = counted.messages, texts = counted.texts"
        " FROM (SELECT c.value AS id, count(m.id) AS messages,"
        "   count(m.text_hash) AS texts FROM json_each(?) AS c"
        "  LEFT JOIN member ON member.conversation = c.value"
        "  LEFT JOIN message m ON m.id = member.message AND m.home = c.value"
        "   AND m.live = 1 AND m.noise IS NULL"
        "  GROUP BY c.value) AS counted WHERE counted.id = conversation.id",
        (json.dumps([*conversations]),),
    )


def _remove_vectors(connection: sqlite3.Connection, texts: Collection[int]) -> None:
    """Drop vectors whose text no message holds any more, and every flat copy's worth.

    Ids of messages and vectors are given again: another generation says so.
    """
    connection.executemany(
        "DELETE FROM embedding WHERE text_hash = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM message WHERE message.text_hash = ?1)",
        [(each,) for each in texts],
    )
    connection.execute(
        "UPDATE embedder SET copied = 0,"
        " up_to = min(up_to, coalesce((SELECT max(id) FROM message), 0))"
    )
    set_meta(connection, "generation", (meta(connection, "generation") or 0) + 1)


def _leave_file(connection: sqlite3.Connection, file: int) -> None:
    """Forget a file that tells of nothing else, or where reading it had come to.

    What is remembered for going on with it may hold what was said.
    """
    source, path, part, stamp, state, settled, parser_version = connection.execute(
        "SELECT source, path, part, stamp, state, settled, parser_version"
        " FROM source_file WHERE id = ?",
        (file,),
    ).fetchone()
    if drop_unit_if_unused(connection, file):
        if state == "done" and settled and stamp:
            unit = Unit(path=Path(os.fsdecode(path)), part=part, stamp=stamp)
            keep_out_unit(connection, source, unit, parser_version=parser_version)
        return
    connection.execute(
        "UPDATE source_file SET checkpoint = ?, thinned = 1 WHERE id = ?",
        (checkpoint_json(ANEW), file),
    )


def drop_unit_if_unused(connection: sqlite3.Connection, file: int) -> bool:
    """Remove the row of a file that nothing recorded comes from; say whether it was."""
    dropped = connection.execute(
        "DELETE FROM source_file WHERE id = :file"
        " AND NOT EXISTS (SELECT 1 FROM told WHERE file = :file)"
        " AND NOT EXISTS (SELECT 1 FROM conversation WHERE file = :file)"
        " AND NOT EXISTS (SELECT 1 FROM member WHERE file = :file)",
        {"file": file},
    )
    return dropped.rowcount > 0


def untitle(
    connection: sqlite3.Connection, conversation: int, *, file: int | None = None
) -> None:
    """Take from a conversation the title that *file*, or any, tells of it."""
    changed = connection.execute(
        "UPDATE told SET facts ="
        " json_set(facts, '$.title', NULL, '$.title_origin', NULL)"
        " WHERE conversation = ? AND file = coalesce(?, file)"
        " AND facts ->> 'title' IS NOT NULL",
        (conversation, file),
    )
    if changed.rowcount:
        show_again(connection, conversation)
        note_scrub(connection, Scrub.WORDS)
