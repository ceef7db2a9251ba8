"""Which conversation is meant by a key, or by as much of one as a person types."""

from __future__ import annotations

import sqlite3

from quoth.errors import NotRecordedError

from ._rows import sound_rows, text

__all__ = ["resolved"]

_LEAST = 4
"""Characters after the source's name. Fewer would soon mean another conversation."""


def resolved(connection: sqlite3.Connection, key: str) -> str:
    """Return the one key in the archive that is *key* or begins with it.

    What lies under a conversation (its subagents have its key and more) does not make
    its key ambiguous. The whole id an assistant gave a conversation names it, too.

    Raises:
        NotRecordedError: There is none, or more than one.
    """
    # A broken command line brings halves of characters, which SQLite takes none of.
    wanted = key.encode("utf-8", "backslashreplace").decode()
    if _is_key(connection, wanted):
        return wanted
    if own := _with_id(connection, wanted):
        return own
    source, _, beginning = wanted.partition(":")
    if source and len(beginning) >= _LEAST:
        candidates = _beginning_with(connection, wanted)
        first = [each for each in candidates if not _is_under(each, candidates)]
        if len(first) == 1:
            return first[0]
        if first:
            raise NotRecordedError(
                f"{len(first):,} conversations have a key that begins with {key!a}.",
                hint="Give more of it.",
            )
    if source and beginning and len(beginning) < _LEAST:
        raise NotRecordedError(
            f"{key!a} is too short to tell which conversation is meant.",
            hint=f"Give {_LEAST} characters or more behind the colon.",
        )
    raise NotRecordedError(
        f"There is no conversation {key!a} in the archive.",
        hint="`quoth search` shows the key of every conversation it finds.",
    )


def _is_key(connection: sqlite3.Connection, key: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM conversation WHERE key = ?", (key,)
    ).fetchone()
    return row is not None


def _with_id(connection: sqlite3.Connection, native_id: str) -> str | None:
    """Return the key of the only conversation that an assistant calls so."""
    rows = connection.execute(
        "SELECT key FROM conversation WHERE native_id = ? LIMIT 2", (native_id,)
    ).fetchall()
    with sound_rows(connection):
        return text(rows[0][0]) if len(rows) == 1 else None


def _beginning_with(connection: sqlite3.Connection, key: str) -> set[str]:
    rows = connection.execute(
        "SELECT key FROM conversation WHERE key >= ? AND key < ?",
        (key, f"{key}\U0010ffff"),
    )
    with sound_rows(connection):
        return {text(found) for (found,) in rows}


def _is_under(key: str, others: set[str]) -> bool:
    """Say whether one of *others* is a folder of *key*'s."""
    parts = key.split("/")
    return any("/".join(parts[:count]) in others for count in range(1, len(parts)))
