"""Questions to the archive. A reader never writes and never waits for a writer."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quoth.errors import NotRecordedError
from quoth.model import Count, EmbedderChoice, Filters, Kind, Role
from quoth.redaction import Redactor

from ._citations import RULES
from ._connection import at_most, connect_reader
from ._doc_values import DocValues, read_doc_values
from ._embedders import (
    Embedded,
    KnownEmbedder,
    embedder_by_identity,
    embedder_of_choice,
    serving_embedder,
)
from ._kept_out_units import KeptOutUnits
from ._keys import quotation
from ._meta import meta, text_meta
from ._postings import (
    echoes,
    in_scope,
    listed_under,
    postings,
    titles_with,
    when_written,
)
from ._resolve import resolved
from ._rows import blob, damaged, number, sound_rows, text, text_or_none
from ._scope import WRITTEN, Scope, memberships, scope_of
from ._scrub import Scrub, scrub_noted
from ._times import moment
from ._units import KnownUnit, UnitKey, known_units
from ._vocabulary import words_like

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ArchiveReader", "Found", "HitRow", "sound_vectors"]


class Found(NamedTuple):
    """A message in scope that an embedding belongs to."""

    embedding: int
    message: int
    row: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRow:
    """A message with what a page says of it and of its conversation."""

    message: int
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
    quotation: str
    also_in: tuple[str, ...]
    superseded: bool
    source_gone: bool


_AT = f"CAST(coalesce({WRITTEN}, 0) AS INTEGER)"


class ArchiveReader:
    """One read-only connection to the archive in *home*.

    Raises:
        ArchiveNotFoundError: There is none.
        ArchiveTooNewError: A later quoth wrote it.
        ArchiveOutdatedError: An earlier quoth wrote it.
    """

    def __init__(self, home: Path) -> None:
        self._connection = connect_reader(home)
        self._redactor: Redactor | None = None

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

    def at_most(self, seconds: float) -> AbstractContextManager[None]:
        """Let what is asked within take *seconds* and no more.

        Raises:
            SearchTooLongError: It would have taken longer.
        """
        return at_most(seconds, self._connection)

    def look_through(self, redactor: Redactor) -> None:
        """Let what is shown pass *redactor*, if what is stored has not gone through it.

        Called before each answer: a sync may have redacted the archive anew since.
        """
        is_behind = text_meta(self._connection, RULES) != redactor.stamp
        self._redactor = redactor if is_behind else None

    @property
    def is_behind(self) -> bool:
        """Whether newer rules have not gone through the archive yet."""
        return self._redactor is not None

    @property
    def has_traces(self) -> bool:
        """Whether bytes of what was taken out may be in the files still."""
        return scrub_noted(self._connection) is not Scrub.NOTHING

    def waiting_for_rules(self, stamp: str) -> int:
        """Count the messages that the rules called *stamp* have not gone through."""
        # Imported here: a search has nothing to redact anew.
        from ._reredact import waiting_for_rules

        return waiting_for_rules(self._connection, stamp)

    def shown(self, text: str) -> str:
        """Return a text as it may be shown; see `look_through`."""
        return text if self._redactor is None else self._redactor.redact(text)

    def known_units(self) -> dict[UnitKey, KnownUnit]:
        """Return every unit the archive remembers, by source, path and part."""
        return known_units(self._connection)

    def kept_out_units(self) -> KeptOutUnits:
        """Return the units that need not be read: nothing in them may be recorded."""
        return KeptOutUnits(self._connection)

    def sources(self) -> list[str]:
        """Return the names of the sources that anything was read of."""
        rows = self._connection.execute(
            "SELECT DISTINCT source FROM source_file ORDER BY source"
        )
        with sound_rows(self._connection):
            return [text(name) for (name,) in rows]

    def places(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the folders that were worked in, and the repositories as named."""
        with sound_rows(self._connection):
            folders = self._connection.execute(
                "SELECT cwd FROM context UNION SELECT cwd FROM conversation"
            )
            remotes = self._connection.execute("SELECT DISTINCT repo FROM conversation")
            return (
                frozenset(text(cwd) for (cwd,) in folders if cwd),
                frozenset(text(repo) for (repo,) in remotes if repo),
            )

    # Scope

    def scope(self, filters: Filters) -> Scope:
        """Turn filters into conditions on messages; see `scope_of`.

        Raises:
            NotRecordedError: `within` or `exclude` names no conversation, or several.
        """
        return scope_of(self._connection, filters)

    # Counts

    def recorded(self, scope: Scope) -> Count:
        """Count the messages in scope and the conversations they are listed under."""
        if scope.narrows or scope.superseded:
            row = self._connection.execute(
                f"SELECT count(DISTINCT {scope.listed}), count(*)"
                " FROM message m JOIN conversation c ON c.id = m.home"
                f" WHERE {scope.searched}",
                scope.values,
            ).fetchone()
        else:
            row = self._connection.execute(
                f"SELECT count(DISTINCT {scope.listed}), total(messages)"
                " FROM conversation c WHERE messages > 0"
            ).fetchone()
        with sound_rows(self._connection):
            return Count(conversations=row[0], messages=int(row[1]))

    def embedded(self, scope: Scope, embedder: int) -> Embedded:
        """Count messages in scope by whether they have vectors.

        All lack them when the embedder has no vectors at all, whatever it once had.
        """
        wanted = self._wanting_vectors(scope)
        if not self.newest_embedding(embedder):
            return Embedded(lacking=wanted)
        lacking, refused = self._connection.execute(
            "SELECT (SELECT count(*) FROM message m"
            "   JOIN conversation c ON c.id = m.home"
            "  WHERE m.text_hash IS NOT NULL AND m.id >"
            "  coalesce((SELECT up_to FROM embedder WHERE id = ?1), 0)"
            "  AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedder = ?1"
            "   AND embedding.text_hash = m.text_hash)"
            f"  AND {scope.searched}),"
            " (SELECT count(*) FROM embedding e CROSS JOIN message m"
            "   ON m.text_hash = e.text_hash JOIN conversation c ON c.id = m.home"
            "  WHERE e.embedder = ?1 AND e.refused IS NOT NULL"
            f"  AND {scope.searched})",
            (embedder, *scope.values, *scope.values),
        ).fetchone()
        return Embedded(
            has=wanted - int(lacking) - int(refused),
            lacking=int(lacking),
            refused=int(refused),
        )

    def _wanting_vectors(self, scope: Scope) -> int:
        if scope.narrows or scope.superseded:
            row = self._connection.execute(
                "SELECT count(*) FROM message m JOIN conversation c ON c.id = m.home"
                f" WHERE m.text_hash IS NOT NULL AND {scope.searched}",
                scope.values,
            ).fetchone()
        else:
            row = self._connection.execute(
                "SELECT total(texts) FROM conversation"
            ).fetchone()
        with sound_rows(self._connection):
            return int(row[0])

    def meta(self, key: str) -> int | None:
        """Return one of the archive's own notes about itself."""
        return meta(self._connection, key)

    def last_sync(self) -> datetime | None:
        """Return when a sync last ended."""
        at = self.meta("last_sync")
        with sound_rows(self._connection):
            return moment(at)

    def unread(self) -> tuple[int, int]:
        """Count the records and the units of the sources that could not be read."""
        row = self._connection.execute(
            "SELECT (SELECT count(*) FROM skipped_record), (SELECT count(*)"
            " FROM source_file WHERE state = 'failed' AND gone_at IS NULL)"
        ).fetchone()
        return int(row[0]), int(row[1])

    # Words

    def doc_values(self) -> DocValues:
        """Return what ranking must know of every message."""
        return read_doc_values(self._connection)

    def postings(self, match: str) -> NDArray[np.int64]:
        """Return the ids, ascending, of all messages that match an expression."""
        return postings(self._connection, match)

    def words_like(self, word: str) -> list[tuple[str, int]]:
        """Return the terms that *word* may be a slip for, and who holds how many."""
        return words_like(self._connection, word)

    def titles_with(self, match: str) -> NDArray[np.int64]:
        """Return the ids of all conversations whose title matches an expression."""
        return titles_with(self._connection, match)

    def listed_under(self, scope: Scope, values: DocValues) -> NDArray[np.int32]:
        """Return under which conversation each one is listed, by its id."""
        return listed_under(self._connection, scope, values)

    def in_scope(
        self, scope: Scope, values: DocValues
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which messages a question is about, and which it may find."""
        return in_scope(self._connection, scope, values)

    def echoes(self) -> NDArray[np.int64]:
        """Return the messages that only echo others; see `_postings.echoes`."""
        return echoes(self._connection)

    def when_written(self, values: DocValues) -> NDArray[np.int64]:
        """Return when each message was written, in milliseconds, by its id."""
        return when_written(self._connection, values)

    def first_prompts(self, conversations: Sequence[int], scope: Scope) -> list[int]:
        """Return each conversation's first message in scope of a person.

        None for a conversation that has no such message, or no title but a prompt:
        that prompt speaks for itself, here or in what the conversation resumed.
        """
        rows = self._connection.execute(
            "SELECT m.id FROM json_each(?) AS wanted"
            " JOIN conversation c ON c.id = wanted.value"
            " JOIN message m ON m.id = ("
            "  SELECT m.id FROM member JOIN message m ON m.id = member.message"
            "  WHERE member.conversation = c.id AND m.home = c.id AND m.role = 'user'"
            f"  AND {scope.searched} ORDER BY member.seq LIMIT 1)"
            " WHERE c.title_origin <> 'prompt'",
            (json.dumps(list(conversations)), *scope.values),
        )
        return [message for (message,) in rows]

    def called(self, name: str) -> int | None:
        """Return the message that a citation, or a conversation's key, stands for.

        For a key, or the beginning of one, that is the first that can be found in it.
        """
        key, _, place = name.partition("#")
        number = place.partition("@")[0][:9]
        try:
            key = resolved(self._connection, key)
        except NotRecordedError:
            return None
        row = self._connection.execute(
            "SELECT m.id FROM conversation c JOIN member ON member.conversation = c.id"
            " JOIN message m ON m.id = member.message WHERE c.key = ?"
            " AND m.noise IS NULL AND member.live = 1 AND (? = '' OR member.seq = ?)"
            " ORDER BY m.role <> 'user', member.seq LIMIT 1",
            (key, number, int(number) if number[:9].isdecimal() else 0),
        ).fetchone()
        return int(row[0]) if row else None

    def searched_texts(self, messages: Sequence[int]) -> dict[int, str]:
        """Return what the word index holds of each message, before it was cut up."""
        rows = self._connection.execute(
            "SELECT id, text || char(10) || coalesce(tool_words, '') FROM body"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(messages)),),
        )
        with sound_rows(self._connection):
            return {message: text(searched) for message, searched in rows}

    # Meaning
    #
    # A `+` keeps SQLite from walking the whole index of an embedder: rows are wanted by
    # their id.

    def embedder(self, identity: str) -> KnownEmbedder | None:
        """Return the embedder of that identity, if anything used it yet."""
        return embedder_by_identity(self._connection, identity)

    def serving(self) -> KnownEmbedder | None:
        """Return the embedder that searches ask; None before the first sync."""
        return serving_embedder(self._connection)

    def embedder_of(self, choice: EmbedderChoice) -> KnownEmbedder | None:
        """Return the embedder that was made last of a choice, if one ever was."""
        return embedder_of_choice(self._connection, choice)

    def newest_embedding(self, embedder: int) -> int:
        """Return the highest id of an embedder's vectors, 0 when it has none."""
        row = self._connection.execute(
            "SELECT id FROM embedding WHERE +embedder = ? ORDER BY id DESC LIMIT 1",
            (embedder,),
        ).fetchone()
        return int(row[0]) if row else 0

    def embeddings_after(
        self, embedder: int, identity: int
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield (id, codes, scales) of the vectors stored after *identity*."""
        rows = self._connection.execute(
            "SELECT id, codes, scales FROM embedding"
            " WHERE +embedder = ? AND id > ? ORDER BY id",
            (embedder, identity),
        )
        yield from sound_vectors(self._connection, embedder, rows)

    def vectors_at(
        self, embedder: int, embeddings: Sequence[int]
    ) -> dict[int, tuple[bytes, bytes]]:
        """Return the codes and scales of those of *embeddings* that there are."""
        rows = self._connection.execute(
            "SELECT id, codes, scales FROM embedding"
            " WHERE +embedder = ? AND id IN (SELECT value FROM json_each(?))",
            (embedder, json.dumps(list(embeddings))),
        )
        return {identity: (codes, scales) for identity, codes, scales in rows}

    def embeddings_in(self, embedder: int, scope: Scope) -> list[int]:
        """Return the sorted ids of all vectors that belong to a message in scope."""
        rows = self._connection.execute(
            "SELECT DISTINCT e.id FROM message m JOIN conversation c ON c.id = m.home"
            " JOIN embedding e ON e.embedder = ? AND e.text_hash = m.text_hash"
            f" WHERE {scope.searched} ORDER BY e.id",
            (embedder, *scope.values),
        )
        return [identity for (identity,) in rows.fetchall()]

    def messages_of(self, embeddings: Sequence[int], scope: Scope) -> list[Found]:
        """Return the messages in scope that have one of *embeddings*."""
        rows = self._connection.execute(
            f"SELECT e.id, m.id, {scope.listed}, {_AT} FROM json_each(?) AS wanted"
            " CROSS JOIN embedding e ON e.id = wanted.value"
            " CROSS JOIN message m ON m.text_hash = e.text_hash"
            " CROSS JOIN conversation c ON c.id = m.home"
            f" WHERE {scope.searched}",
            (json.dumps(list(embeddings)), *scope.values),
        )
        return list(map(Found._make, rows))

    def embeddings_of(self, messages: Sequence[int], embedder: int) -> dict[int, int]:
        """Return the embedding of each of *messages* that has one, by an embedder."""
        rows = self._connection.execute(
            "SELECT m.id, e.id FROM json_each(?) AS wanted"
            " CROSS JOIN message m ON m.id = wanted.value"
            " CROSS JOIN embedding e ON e.embedder = ? AND e.text_hash = m.text_hash",
            (json.dumps(list(messages)), embedder),
        )
        return dict(rows.fetchall())

    # Pages

    def quotations(
        self, messages: Sequence[int], *, as_stored: bool = False
    ) -> dict[int, str]:
        """Return what a citation of each message vouches for.

        Args:
            as_stored: Even where that may not be shown.
        """
        shown = str if as_stored else self.shown
        wanted = json.dumps(list(messages))
        calls: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        for message, name, given in self._connection.execute(
            "SELECT message, name, input FROM tool_call"
            " WHERE message IN (SELECT value FROM json_each(?)) ORDER BY id",
            (wanted,),
        ):
            with sound_rows(self._connection):
                calls[message].append((shown(text(name)), shown(text(given))))
        rows = self._connection.execute(
            "SELECT id, text, reasoning FROM body"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (wanted,),
        )
        with sound_rows(self._connection):
            return {
                message: quotation(
                    shown(text(said)),
                    reasoning=shown(text_or_none(thought) or ""),
                    calls=calls[message],
                )
                for message, said, thought in rows
            }

    def hit_rows(self, messages: Sequence[int], scope: Scope) -> dict[int, HitRow]:
        """Return what a page says of each message, seen from its own conversation.

        A message in several conversations is shown in the one that owns it, or in one
        that *scope* is within.
        """
        rows = self._connection.execute(
            "SELECT m.id, c.key, coalesce(r.key, c.parent_key), c.kind,"
            " coalesce(c.title, r.title), c.source, coalesce(c.repo, c.cwd),"
            " x.model, c.started_at,"
            " member.seq, m.role, m.at, b.text, b.tool_words, member.live,"
            " c.source_gone_at"
            " FROM json_each(?) AS wanted"
            " JOIN message m ON m.id = wanted.value JOIN body b ON b.id = m.id"
            " JOIN member ON member.message = m.id AND member.conversation = coalesce("
            f"  ({memberships(scope.within, 'conversation')}"
            "    ORDER BY live DESC, conversation LIMIT 1), m.home)"
            " JOIN conversation c ON c.id = member.conversation"
            " JOIN context x ON x.id = m.context"
            " LEFT JOIN conversation r ON r.id = c.root AND r.id <> c.id",
            (json.dumps(list(messages)),),
        ).fetchall()
        quoted = self.quotations(messages)
        also_in = {row[0]: self._also_in(row[0], row[1]) for row in rows}
        with sound_rows(self._connection):
            found = {
                row[0]: _hit_row(row, quoted[row[0]], also_in[row[0]], self.shown)
                for row in rows
            }
        if len(found) < len({*messages}):  # one of them is nowhere at home
            raise damaged(self._connection)
        return found

    def _also_in(self, message: int, key: str) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT key FROM member JOIN conversation ON conversation.id = conversation"
            " WHERE message = ? AND key <> ? ORDER BY key",
            (message, key),
        )
        with sound_rows(self._connection):
            return tuple(text(other) for (other,) in rows)


def _hit_row(
    row: tuple[Any, ...],
    quoted: str,
    also_in: tuple[str, ...],
    shown: Callable[[str], str],
) -> HitRow:
    """Return a row of a page; a snippet of its texts is cut from what may be shown."""
    tool_words = text_or_none(row[13])
    return HitRow(
        message=row[0],
        quotation=quoted,
        conversation=text(row[1]),
        parent=text_or_none(row[2]),
        kind=Kind(row[3]),
        title=text_or_none(row[4]),
        source=text(row[5]),
        repo=text_or_none(row[6]),
        model=text(row[7]) or None,
        started_at=moment(row[8]),
        seq=number(row[9]),
        role=Role(row[10]),
        at=moment(row[11]),
        text=shown(text(row[12])),
        tool_words=None if tool_words is None else shown(tool_words),
        also_in=also_in,
        superseded=not row[14],
        source_gone=row[15] is not None,
    )


def sound_vectors(
    connection: sqlite3.Connection, embedder: int, rows: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield rows of (id, codes, scales) whose codes are as wide as they should be.

    Raises:
        ArchiveDamagedError: Those of one aren't.
    """
    known = connection.execute(
        "SELECT dimensions FROM embedder WHERE id = ?", (embedder,)
    ).fetchone()
    for identity, codes, scales in rows:
        with sound_rows(connection):
            windows, rest = divmod(len(blob(scales)), 4)
            if identity <= 0 or rest or len(blob(codes)) != windows * number(known[0]):
                raise ValueError
        yield identity, codes, scales
