"""Questions to the archive. A reader never writes and never waits for a writer."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from quoth.model import Count, Filters, Kind, Role

from ._connection import connect_reader
from ._times import milliseconds, moment
from ._units import KnownUnit, known_units

__all__ = ["ArchiveReader", "HitRow", "Scope", "WordMatch"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which messages a question is about, as SQL over `message m`, `conversation c`.

    `narrows` is false when it is everything that is live.
    """

    condition: str
    values: tuple[Any, ...]
    narrows: bool


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A message that holds words of the question. Higher scores are better."""

    message: int
    score: float
    root: int
    conversation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRow:
    """A message with what a page says of it and of its conversation."""

    message: int
    root: int
    conversation: str
    parent: str | None
    kind: Kind
    title: str | None
    source: str
    repo: str | None
    model: str | None
    started_at: datetime | None
    seq: int
    role: Role
    at: datetime | None
    text: str
    tool_words: str | None
    also_in: tuple[str, ...]
    superseded: bool
    source_gone: bool


# How much a word weighs by where it stands. Prompts are short and say what it was
# about; tool output is long and repeats itself.
_WEIGHTS = "1.2, 1.0, 0.5, 0.6"


class ArchiveReader:
    """One read-only connection to the archive in *home*.

    Raises:
        ArchiveNotFoundError: There is none.
        ArchiveTooNewError: A later quoth wrote it.
        ArchiveOutdatedError: An earlier quoth wrote it.
    """

    def __init__(self, home: Path) -> None:
        self._connection = connect_reader(home)

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for the other readers of this package."""
        return self._connection

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def begin(self) -> None:
        """Make everything read until `end` come from one moment."""
        self._connection.execute("BEGIN")

    def end(self) -> None:
        """Let the moment of `begin` go."""
        self._connection.execute("ROLLBACK")

    def known_units(self) -> dict[tuple[str, Path, str], KnownUnit]:
        """Return every unit the archive remembers, by source, path and part."""
        return known_units(self._connection)

    # Scope

    def scope(self, filters: Filters) -> Scope:
        """Turn filters into a condition on messages; liveness is not part of it."""
        conditions: list[str] = ["m.noise IS NULL"]
        values: list[Any] = []
        if filters.role is not None:
            conditions.append("m.role = ?")
            values.append(filters.role)
        for bound, comparison in ((filters.since, ">="), (filters.until, "<")):
            if bound is not None:
                conditions.append(f"coalesce(m.at, c.started_at) {comparison} ?")
                values.append(milliseconds(bound))
        if filters.source is not None or filters.repo is not None:
            homes = self._homes(filters)
            conditions.append("m.home IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(homes))
        if filters.within is not None:
            conditions.append(
                "m.id IN (SELECT message FROM member WHERE conversation IN"
                " (SELECT id FROM conversation WHERE key = ? OR root ="
                " (SELECT id FROM conversation WHERE key = ?)))"
            )
            values += [filters.within, filters.within]
        if filters.exclude:
            conditions.append(
                "c.root NOT IN (SELECT root FROM conversation WHERE key IN"
                " (SELECT value FROM json_each(?)))"
            )
            values.append(json.dumps(filters.exclude))
        return Scope(" AND ".join(conditions), tuple(values), len(conditions) > 1)

    def _homes(self, filters: Filters) -> list[int]:
        rows = self._connection.execute(
            "SELECT id, source, repo, cwd FROM conversation"
        )
        return [
            identity
            for identity, source, repo, cwd in rows
            if (filters.source is None or source == filters.source)
            and (filters.repo is None or _names_repo(filters.repo, repo, cwd))
        ]

    # Counts

    def recorded(self, scope: Scope, *, superseded: bool = False) -> Count:
        """Count the messages in scope and the conversations they are listed under."""
        if not scope.narrows and not superseded:
            row = self._connection.execute(
                "SELECT count(DISTINCT root), total(messages) FROM conversation"
                " WHERE messages > 0"
            ).fetchone()
        else:
            row = self._connection.execute(
                "SELECT count(DISTINCT c.root), count(*)"
                " FROM message m JOIN conversation c ON c.id = m.home"
                f" WHERE {_alive(superseded)} AND {scope.condition}",
                scope.values,
            ).fetchone()
        return Count(conversations=row[0], messages=int(row[1]))

    def embedded(self, scope: Scope, embedder: int) -> tuple[int, int]:
        """Count messages in scope that have vectors, and those that still lack them."""
        if scope.narrows:
            wanted = self._connection.execute(
                "SELECT count(*) FROM message m JOIN conversation c ON c.id = m.home"
                " WHERE m.live = 1 AND m.text_hash IS NOT NULL"
                f" AND {scope.condition}",
                scope.values,
            ).fetchone()[0]
        else:
            wanted = self._connection.execute(
                "SELECT total(texts) FROM conversation"
            ).fetchone()[0]
        lacking = self._connection.execute(
            "SELECT count(*) FROM message m JOIN conversation c ON c.id = m.home"
            " WHERE m.live = 1 AND m.text_hash IS NOT NULL AND m.id >"
            " coalesce((SELECT up_to FROM embedder WHERE id = ?), 0)"
            " AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedder = ?"
            "  AND embedding.text_hash = m.text_hash)"
            f" AND {scope.condition}",
            (embedder, embedder, *scope.values),
        ).fetchone()[0]
        return int(wanted) - int(lacking), int(lacking)

    def meta(self, key: str) -> Any:
        """Return one of the archive's own notes about itself."""
        row = self._connection.execute(
            "SELECT value FROM meta WHERE key = ?", (key,)
        ).fetchone()
        return row[0] if row else None

    def last_sync(self) -> datetime | None:
        """Return when a sync last ended."""
        return moment(self.meta("last_sync"))

    # Words

    def documents(self, tokens: Iterable[str]) -> dict[str, int]:
        """Return in how many messages each of the frequent tokens stands."""
        rows = self._connection.execute(
            "SELECT term, documents FROM term WHERE term IN"
            " (SELECT value FROM json_each(?))",
            (json.dumps(list(tokens)),),
        )
        return dict(rows.fetchall())

    def any_holds(self, match: str) -> bool:
        """Say whether any message matches an expression of the word index."""
        row = self._connection.execute(
            "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (match,)
        ).fetchone()
        return row is not None

    def word_matches(
        self, match: str, scope: Scope, *, superseded: bool
    ) -> list[WordMatch]:
        """Return every message in scope that matches, with its BM25 score."""
        rows = self._connection.execute(
            f"SELECT m.id, -bm25(words, {_WEIGHTS}), c.root, c.id"
            " FROM words CROSS JOIN message m ON m.id = words.rowid"
            " CROSS JOIN conversation c ON c.id = m.home"
            f" WHERE words MATCH ? AND {_alive(superseded)} AND {scope.condition}",
            (match, *scope.values),
        )
        return [WordMatch(*row) for row in rows.fetchall()]

    def matching(
        self, match: str, scope: Scope, *, superseded: bool
    ) -> list[tuple[int, int]]:
        """Return (message, root) of all that match, without scores."""
        return self._connection.execute(
            "SELECT m.id, c.root"
            " FROM words CROSS JOIN message m ON m.id = words.rowid"
            " CROSS JOIN conversation c ON c.id = m.home"
            f" WHERE words MATCH ? AND {_alive(superseded)}"
            f" AND {scope.condition}",
            (match, *scope.values),
        ).fetchall()

    def superseded_matching(self, match: str, scope: Scope) -> int:
        """Count messages that match and are withheld because they are superseded."""
        row = self._connection.execute(
            "SELECT count(*) FROM words CROSS JOIN message m ON m.id = words.rowid"
            " CROSS JOIN conversation c ON c.id = m.home"
            f" WHERE words MATCH ? AND m.live = 0 AND {scope.condition}",
            (match, *scope.values),
        ).fetchone()
        return int(row[0])

    def title_scores(self, match: str) -> dict[int, float]:
        """Return the BM25 score of each conversation whose title matches."""
        rows = self._connection.execute(
            "SELECT rowid, -bm25(titles) FROM titles WHERE titles MATCH ?", (match,)
        )
        return dict(rows.fetchall())

    def first_prompts(
        self, conversations: Sequence[int], scope: Scope, *, superseded: bool
    ) -> list[WordMatch]:
        """Return the first message of a person in each conversation, with score 0."""
        rows = self._connection.execute(
            "SELECT m.id, 0.0, c.root, c.id, min(member.seq)"
            " FROM json_each(?) AS wanted"
            " JOIN conversation c ON c.id = wanted.value"
            " JOIN member ON member.conversation = c.id"
            " JOIN message m ON m.id = member.message AND m.home = c.id"
            f" WHERE m.role = 'user' AND {_alive(superseded)}"
            f" AND {scope.condition} GROUP BY c.id",
            (json.dumps(list(conversations)), *scope.values),
        )
        return [WordMatch(*row[:4]) for row in rows.fetchall()]

    def searched_texts(self, messages: Sequence[int]) -> dict[int, str]:
        """Return what the word index holds of each message, before it was cut up."""
        rows = self._connection.execute(
            "SELECT id, text || char(10) || coalesce(tool_words, '') FROM body"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(messages)),),
        )
        return dict(rows.fetchall())

    # Meaning

    def embedder(self, identity: str) -> tuple[int, int] | None:
        """Return the id and the dimensions of an embedder, if anything used it yet."""
        row: tuple[int, int] | None = self._connection.execute(
            "SELECT id, dimensions FROM embedder WHERE identity = ?", (identity,)
        ).fetchone()
        return row

    def newest_embedding(self, embedder: int) -> int:
        """Return the highest id of an embedder's vectors, 0 when it has none."""
        row = self._connection.execute(
            "SELECT max(id) FROM embedding WHERE embedder = ?", (embedder,)
        ).fetchone()
        return int(row[0] or 0)

    def embeddings_after(
        self, embedder: int, identity: int
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield (id, codes, scales) of the vectors stored after *identity*."""
        yield from self._connection.execute(
            "SELECT id, codes, scales FROM embedding"
            " WHERE embedder = ? AND id > ? ORDER BY id",
            (embedder, identity),
        )

    def embeddings_in(
        self, embedder: int, scope: Scope, *, superseded: bool
    ) -> list[int]:
        """Return the sorted ids of all vectors that belong to a message in scope."""
        rows = self._connection.execute(
            "SELECT DISTINCT e.id FROM message m JOIN conversation c ON c.id = m.home"
            " JOIN embedding e ON e.embedder = ? AND e.text_hash = m.text_hash"
            f" WHERE {_alive(superseded)} AND {scope.condition}"
            " ORDER BY e.id",
            (embedder, *scope.values),
        )
        return [identity for (identity,) in rows.fetchall()]

    def messages_of(
        self, embeddings: Sequence[int], scope: Scope, *, superseded: bool
    ) -> list[tuple[int, int, int]]:
        """Return (embedding, message, root) of those in scope."""
        return self._connection.execute(
            "SELECT e.id, m.id, c.root FROM json_each(?) AS wanted"
            " CROSS JOIN embedding e ON e.id = wanted.value"
            " CROSS JOIN message m ON m.text_hash = e.text_hash"
            " CROSS JOIN conversation c ON c.id = m.home"
            f" WHERE {_alive(superseded)} AND {scope.condition}"
            " ORDER BY e.id, m.id",
            (json.dumps(list(embeddings)), *scope.values),
        ).fetchall()

    def embedding_of(self, embedder: int, messages: Sequence[int]) -> dict[int, int]:
        """Return the vectors' id of each message that has any."""
        rows = self._connection.execute(
            "SELECT m.id, e.id FROM json_each(?) AS wanted"
            " CROSS JOIN message m ON m.id = wanted.value"
            " CROSS JOIN embedding e ON e.embedder = ? AND e.text_hash = m.text_hash",
            (json.dumps(list(messages)), embedder),
        )
        return dict(rows.fetchall())

    # Pages

    def homes(self, messages: Sequence[int]) -> dict[int, int]:
        """Return the conversation that owns each message, subagents on their own."""
        rows = self._connection.execute(
            "SELECT m.id, m.home FROM json_each(?) AS wanted"
            " JOIN message m ON m.id = wanted.value",
            (json.dumps(list(messages)),),
        )
        return dict(rows.fetchall())

    def ages(self, messages: Sequence[int]) -> dict[int, int]:
        """Return when each message was written, in milliseconds; 0 when unknown."""
        rows = self._connection.execute(
            "SELECT m.id, coalesce(m.at, c.started_at, 0) FROM json_each(?) AS wanted"
            " JOIN message m ON m.id = wanted.value"
            " JOIN conversation c ON c.id = m.home",
            (json.dumps(list(messages)),),
        )
        return dict(rows.fetchall())

    def hit_rows(
        self, messages: Sequence[int], *, within: str | None = None
    ) -> dict[int, HitRow]:
        """Return what a page says of each message, seen from its own conversation.

        A message in several conversations is shown in the one that owns it, or in
        *within* when it is a member of that one.
        """
        rows = self._connection.execute(
            "SELECT m.id, c.root, c.key, coalesce(r.key, c.parent_key), c.kind,"
            " coalesce(c.title, r.title), c.source, c.repo, x.model, c.started_at,"
            " member.seq, m.role, m.at, b.text, b.tool_words, m.live, member.live,"
            " c.source_gone_at"
            " FROM json_each(?) AS wanted"
            " JOIN message m ON m.id = wanted.value JOIN body b ON b.id = m.id"
            " JOIN member ON member.message = m.id AND member.conversation = coalesce("
            "  (SELECT inner.conversation FROM member AS inner"
            "    JOIN conversation AS asked ON asked.id = inner.conversation"
            "    WHERE inner.message = m.id AND asked.key = ?), m.home)"
            " JOIN conversation c ON c.id = member.conversation"
            " JOIN context x ON x.id = m.context"
            " LEFT JOIN conversation r ON r.id = c.root AND r.id <> c.id",
            (json.dumps(list(messages)), within),
        ).fetchall()
        return {row[0]: self._hit_row(row) for row in rows}

    def _hit_row(self, row: tuple[Any, ...]) -> HitRow:
        return HitRow(
            message=row[0],
            root=row[1],
            conversation=row[2],
            parent=row[3],
            kind=Kind(row[4]),
            title=row[5],
            source=row[6],
            repo=row[7],
            model=row[8] or None,
            started_at=moment(row[9]),
            seq=row[10],
            role=Role(row[11]),
            at=moment(row[12]),
            text=row[13],
            tool_words=row[14],
            also_in=self._also_in(row[0], row[2]),
            superseded=not row[16],
            source_gone=row[17] is not None,
        )

    def _also_in(self, message: int, key: str) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT key FROM member JOIN conversation ON conversation.id = conversation"
            " WHERE message = ? AND key <> ? ORDER BY key",
            (message, key),
        )
        return tuple(other for (other,) in rows)


def _alive(superseded: bool) -> str:
    return "m.live IN (0, 1)" if superseded else "m.live = 1"


def _names_repo(wanted: str, *places: str | None) -> bool:
    """Say whether *wanted* is a place, or one whole segment of it, ignoring case."""
    wanted = wanted.lower().rstrip("/")
    for place in places:
        if not place:
            continue
        folded = place.lower().rstrip("/").removesuffix(".git")
        segments = folded.replace(":", "/").replace("\\", "/").split("/")
        if wanted == folded or wanted in segments or folded.endswith(f"/{wanted}"):
            return True
    return False
