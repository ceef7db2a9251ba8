"""Some of the archive, spread over all of it, to compare with where it came from."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from ._keys import citation_hash
from ._reader import ArchiveReader
from ._rows import blob, number, place, sound_rows, text

__all__ = ["StoredVectors", "sampled_citations", "sampled_vectors"]

_Item = TypeVar("_Item")


class StoredVectors(NamedTuple):
    """A text and the vectors that are stored for it."""

    text: str
    codes: bytes
    scales: bytes


def sampled_citations(
    reader: ArchiveReader, *, most: int | None, rules_version: int
) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield citations of live messages with the unit each came from.

    At most *most*, taken alike from conversations far apart; every one when it is None.
    """
    connection = reader.connection
    conversations = [
        identity
        for (identity,) in connection.execute(
            "SELECT id FROM conversation WHERE EXISTS (SELECT 1 FROM member"
            " WHERE conversation = conversation.id AND live = 1) ORDER BY id"
        )
    ]
    if most is not None:
        conversations = _spread(conversations, most)
    share = None if most is None else max(1, most // max(len(conversations), 1))
    for conversation in conversations:
        yield from _citations(reader, conversation, share, rules_version=rules_version)


def _citations(
    reader: ArchiveReader, conversation: int, share: int | None, *, rules_version: int
) -> Iterator[tuple[str, tuple[str, str, str]]]:
    rows = reader.connection.execute(
        "SELECT c.key, seq, message, f.source, f.path, f.part FROM member"
        " JOIN conversation c ON c.id = conversation"
        " JOIN source_file f ON f.id = member.file"
        " JOIN message m ON m.id = message"
        " WHERE conversation = ? AND member.live = 1 AND noise IS NULL ORDER BY seq",
        (conversation,),
    ).fetchall()
    chosen = rows if share is None else _spread(rows, share)
    quoted = reader.quotations([row[2] for row in chosen])
    with sound_rows(reader.connection):
        for key, seq, message, source, path, part in chosen:
            hash12 = citation_hash(quoted[message], rules_version=rules_version)
            unit = (text(source), place(path), text(part))
            yield f"{text(key)}#{number(seq)}@{hash12}", unit


def sampled_vectors(
    connection: sqlite3.Connection, embedder: int, *, most: int
) -> list[StoredVectors]:
    """Return at most *most* texts with their vectors, spread over all there are."""
    ids = [
        identity
        for (identity,) in connection.execute(
            "SELECT id FROM embedding WHERE +embedder = ? ORDER BY id", (embedder,)
        )
    ]
    rows = connection.execute(
        "SELECT (SELECT text FROM message m JOIN body b ON b.id = m.id"
        "  WHERE m.text_hash = e.text_hash LIMIT 1), codes, scales FROM embedding e"
        " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(_spread(ids, most)),),
    ).fetchall()
    with sound_rows(connection):
        return [
            StoredVectors(said, blob(codes), blob(scales))
            for said, codes, scales in rows
            if said is not None
        ]


def _spread(items: list[_Item], most: int) -> list[_Item]:
    """Return at most *most* of *items*, as far apart as they can be."""
    step = max(1, -(-len(items) // most))
    return items[step // 2 :: step]
