"""Making everything that is derived anew, from rows that are not.

Each step is a part of the work for one transaction: it begins after an id and returns
the one the next part begins after, or None at its end. So it can be killed anywhere,
and what is done twice is done once. No step removes a message, a member, a tool call,
tokens, or what a file told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TypeAlias

from quoth.errors import ArchiveDamagedError
from quoth.model import Kind

from ._change import Policy
from ._checkpoints import checkpoint_from
from ._claims import (
    CONVERSATIONS,
    FACTS_MAKE_SENSE,
    NOTES,
    OWNERS,
    UNITS,
    VECTORS,
)
from ._connection import shadow_tables_writable
from ._conversations import show_again, words_of
from ._derived import owner_of, stored_messages
from ._doc_values import refresh_doc_values
from ._rows import sound_rows, text_or_none

__all__ = ["REBUILD_STEPS", "Step", "discard_vectors", "make_indexes_anew"]

Step: TypeAlias = Callable[[sqlite3.Connection, Policy, int], int | None]

_BATCH = 2_000


def make_indexes_anew(
    connection: sqlite3.Connection, _policy: Policy, _after: int
) -> None:
    """Make SQLite's own indexes from its tables again."""
    connection.execute("REINDEX")


def discard_vectors(
    connection: sqlite3.Connection, _policy: Policy, _after: int
) -> None:
    """Drop every vector, and how wide they were, to be made again from the texts."""
    connection.execute("DELETE FROM embedding")
    connection.execute("DELETE FROM embedder")


def _texts(connection: sqlite3.Connection, policy: Policy, after: int) -> int | None:
    """Derive from the texts what is stored beside them."""
    ids = [
        identity
        for (identity,) in connection.execute(
            "SELECT id FROM body WHERE id > ? ORDER BY id LIMIT ?", (after, _BATCH)
        )
    ]
    for message in stored_messages(connection, ids):
        anew = message.derived_anew(policy.embeddable)
        if anew == message.derived:
            continue
        connection.execute(
            "UPDATE body SET search_text = ?, tool_words = ?, names = ? WHERE id = ?",
            (anew.search_text, anew.tool_words, anew.names, message.id),
        )
        connection.execute(
            "UPDATE message SET text_hash = ? WHERE id = ?",
            (anew.text_hash, message.id),
        )
    return ids[-1] if ids else None


def _words(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    _make_index(connection, "words", "words_vocabulary")


def _make_index(connection: sqlite3.Connection, index: str, *views: str) -> None:
    """Make a word index again, with the views of its vocabulary, and fill it.

    A new one: FTS5 has to read the old one to empty or drop it, and that may be the
    damage. So its tables are first given the rows of an index that holds nothing.
    """
    names = (index, *views)
    made_by = [
        connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = ?", (name,)
        ).fetchone()[0]
        for name in names
    ]
    _empty(connection, index)
    for name in reversed(names):
        connection.execute(f"DROP TABLE {name}")
    for statement in made_by:
        connection.execute(statement)
    connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")


def _empty(connection: sqlite3.Connection, index: str) -> None:
    columns = len(connection.execute(f"PRAGMA table_info({_VIEWS[index]})").fetchall())
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as scratch,
        shadow_tables_writable(connection),
    ):
        names = ", ".join(f"column_{number}" for number in range(columns - 1))
        scratch.execute(f"CREATE VIRTUAL TABLE empty USING fts5 ({names})")
        for part, width in (("data", 2), ("idx", 3), ("docsize", 2), ("config", 2)):
            connection.execute(f"DELETE FROM {index}_{part}")
            connection.executemany(
                f"INSERT INTO {index}_{part} VALUES ({', '.join('?' * width)})",
                scratch.execute(f"SELECT * FROM empty_{part}").fetchall(),
            )


_VIEWS = {"words": "message_words", "titles": "conversation_words"}


def _told(connection: sqlite3.Connection, _policy: Policy, after: int) -> int | None:
    """Make the rows of conversations again from what their files tell."""
    if after == 0:
        _index_titles(connection)
    ids = [
        identity
        for (identity,) in connection.execute(
            "SELECT id FROM conversation WHERE id > ? AND (SELECT"
            f" min({FACTS_MAKE_SENSE}) FROM told WHERE conversation = conversation.id)"
            " ORDER BY id LIMIT ?",
            (after, _BATCH),
        )
    ]
    for identity in ids:
        try:
            show_again(connection, identity)
        except ArchiveDamagedError:
            continue  # what was told makes no sense: its row is all there is
    return ids[-1] if ids else None


def _index_titles(connection: sqlite3.Connection) -> None:
    """Index the titles there are: from then on a change of one finds the old one."""
    rows = connection.execute("SELECT id, title, title_words FROM conversation")
    with sound_rows(connection):
        wrong = [
            (anew, identity)
            for identity, title, words in rows
            if (anew := words_of(text_or_none(title))) != words
        ]
    connection.executemany(
        "UPDATE conversation SET title_words = ? WHERE id = ?", wrong
    )
    _make_index(connection, "titles")


def _owners(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    """Settle where each message is at home, and whether it is shown."""
    misplaced = " UNION ".join(list(OWNERS.values())[:2])
    connection.execute(
        f"UPDATE message AS m SET (home, live) ="
        f" ({owner_of('m.id', 'member.conversation, member.live')})"
        f" WHERE m.id IN ({misplaced})"
        " AND EXISTS (SELECT 1 FROM member WHERE message = m.id)"
    )
    connection.execute(
        "UPDATE usage SET conversation = (SELECT home FROM message WHERE id = message)"
        " WHERE message IS NOT NULL AND conversation <>"
        " (SELECT home FROM message WHERE id = message)"
    )


def _counts(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    """Count again what a conversation holds, shares and has numbered."""
    connection.execute(
        "UPDATE conversation SET messages = counted.messages, texts = counted.texts"
        " FROM (SELECT c.id, count(m.id) AS messages, count(m.text_hash) AS texts"
        "  FROM conversation c LEFT JOIN message m"
        "  ON m.home = c.id AND m.live = 1 AND m.noise IS NULL"
        "  GROUP BY c.id) AS counted"
        " WHERE counted.id = conversation.id AND (conversation.messages <>"
        " counted.messages OR conversation.texts <> counted.texts)"
    )
    connection.execute(
        "UPDATE conversation SET next_seq = 1 +"
        "  (SELECT max(seq) FROM member WHERE conversation = conversation.id)"
        " WHERE next_seq <="
        "  (SELECT max(seq) FROM member WHERE conversation = conversation.id)"
    )
    connection.execute(
        f"UPDATE conversation SET shares = 1 WHERE id IN ({CONVERSATIONS[_SHARING]})"
    )


_SHARING = "conversations that don't know what they share"


def _roots(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    """List every subagent under the conversation it worked for."""
    rows = connection.execute(
        "SELECT id, root, iif(kind = ?, (SELECT above.id FROM conversation AS above"
        "  WHERE above.key = conversation.parent_key), NULL) FROM conversation",
        (Kind.SUBAGENT,),
    ).fetchall()
    above = {identity: parent for identity, _, parent in rows}
    connection.executemany(
        "UPDATE conversation SET root = ? WHERE id = ?",
        [
            (anew, identity)
            for identity, root, _ in rows
            if (anew := _root_of(identity, above)) != root
        ],
    )


def _root_of(identity: int, above: Mapping[int, int | None]) -> int:
    """Return where going up ends: at the top, or with the first of those in a ring."""
    passed: dict[int, None] = {}
    at = identity
    while at not in passed:
        passed[at] = None
        parent = above[at]
        if parent is None:
            return at
        at = parent
    order = [*passed]
    return min(order[order.index(at) :])


def _doc_values(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    connection.execute("DELETE FROM doc_values")
    refresh_doc_values(connection)


def _vectors(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    """Drop vectors of nothing, and have every text looked at again for its own.

    Another generation is another flat copy: the one there is counts no longer.
    """
    for what in ("vectors that belong to no text", "vectors of a wrong width"):
        connection.execute(f"DELETE FROM embedding WHERE id IN ({VECTORS[what]})")
    connection.execute("UPDATE embedder SET up_to = 0, copied = 0")
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('generation', 1)"
        " ON CONFLICT DO UPDATE SET"
        "  value = iif(typeof(value) = 'integer', value, 0) + 1"
    )


def _units(connection: sqlite3.Connection, _policy: Policy, _after: int) -> None:
    """Have files read from their start at the next sync whose place in them is lost."""
    rows = connection.execute(
        "SELECT id, checkpoint FROM source_file WHERE checkpoint IS NOT NULL"
    )
    senseless = [(identity,) for identity, at in rows if checkpoint_from(at) is None]
    connection.executemany(
        "UPDATE source_file SET checkpoint = NULL, stamp = '' WHERE id = ?", senseless
    )
    for query in UNITS.values():
        connection.execute(
            "UPDATE source_file SET checkpoint = NULL, stamp = ''"
            f" WHERE id IN ({query})"
        )
    connection.execute(f"DELETE FROM meta WHERE key IN ({NOTES[_SENSELESS]})")


_SENSELESS = "notes of the archive about itself that make no sense"


REBUILD_STEPS: Mapping[str, Step] = {
    "texts": _texts,
    "word index": _words,
    "titles": _told,
    "lists": _roots,
    "homes": _owners,
    "counts": _counts,
    "values of messages": _doc_values,
    "vectors": _vectors,
    "checkpoints": _units,
}
"""Every step in its order: each rests on what those before it made."""
