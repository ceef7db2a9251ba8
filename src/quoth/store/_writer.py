"""Every change to the archive: a batch of a unit, its vectors, what a source dropped."""

from __future__ import annotations

import json
import os
import posixpath
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from quoth.model import (
    Batch,
    Checkpoint,
    Conversation,
    Message,
    RedactedBatch,
    Replace,
    Rewind,
    Role,
    Skipped,
    ToolCall,
    ToolResult,
    Unit,
    Usage,
)

from ._connection import connect_writer
from ._files import private_folder
from ._flat import FlatVectors
from ._index_text import identifier_parts, split_cjk
from ._keys import conversation_key, fingerprint, text_hash
from ._lock import hold
from ._units import KnownUnit, known_units

__all__ = ["Applied", "ArchiveWriter", "PendingText", "flat_path"]

WRITE_LOCK = "lock"
SYNC_LOCK = "sync.lock"
_WAIT_S = 10.0


@dataclass(slots=True, kw_only=True)
class Applied:
    """What one batch changed."""

    new_conversations: set[str] = field(default_factory=set)
    changed_conversations: set[str] = field(default_factory=set)
    new_messages: int = 0
    superseded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingText:
    """A text that has no vectors yet of the embedder that was asked for."""

    text_hash: bytes
    text: str


def flat_path(home: Path, folder: str) -> Path:
    """Return where the flat copy of an embedder's vectors is."""
    return home / "vectors" / folder / "all.vec"


def milliseconds(moment: datetime | None) -> int | None:
    """Return *moment* as the archive stores it: milliseconds since the epoch."""
    return None if moment is None else round(moment.timestamp() * 1000)


class ArchiveWriter:
    """The one connection that may change the archive, a transaction and lock at a time.

    Args:
        home: The data folder, made if need be.
        embeddable: Says which texts get vectors.
        repo_of: Names the repository root above a working folder, if it still stands.
    """

    def __init__(
        self,
        home: Path,
        *,
        embeddable: Callable[[str], bool],
        repo_of: Callable[[str], str | None],
    ) -> None:
        self._home = home
        self._connection = connect_writer(home)
        self._embeddable = embeddable
        self._repo_of = repo_of
        self._contexts: dict[tuple[str, str, str], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()

    @contextmanager
    def exclusive(self, *, wait_s: float) -> Iterator[None]:
        """Keep other syncs out, while notes and forgets may still pass between batches.

        Raises:
            ArchiveBusyError: Another sync was still running after *wait_s* seconds.
        """
        with hold(self._home / SYNC_LOCK, wait_s=wait_s):
            yield

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with hold(self._home / WRITE_LOCK, wait_s=_WAIT_S):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                self._contexts.clear()
                raise
            self._connection.execute("COMMIT")

    # Units

    def known_units(self) -> dict[tuple[str, Path, str], KnownUnit]:
        """Return every unit the archive remembers, by source, path and part."""
        return known_units(self._connection)

    def checkpoint_of(self, unit: KnownUnit) -> Checkpoint | None:
        """Return where reading *unit* stopped, if it ever began."""
        row = self._connection.execute(
            "SELECT checkpoint FROM source_file WHERE id = ?", (unit.id,)
        ).fetchone()
        return Checkpoint(**json.loads(row[0])) if row and row[0] else None

    def fail(self, source: str, unit: Unit, reason: str, *, now: datetime) -> None:
        """Remember that *unit* could not be opened. What was read of it before stays."""
        with self._transaction() as connection:
            file = _file_id(connection, source, unit)
            connection.execute(
                "UPDATE source_file SET state = 'failed', error = ?, stamp = ?,"
                " settled = 1, size = ?, read_at = ? WHERE id = ?",
                (reason, unit.stamp, unit.size, milliseconds(now), file),
            )

    def mark_gone(self, units: Sequence[KnownUnit], *, now: datetime) -> int:
        """Mark units whose file disappeared; return how many conversations lost theirs.

        Nothing is removed: what was read outlives its source.
        """
        with self._transaction() as connection:
            for unit in units:
                connection.execute(
                    "UPDATE source_file SET gone_at = ? WHERE id = ?",
                    (milliseconds(now), unit.id),
                )
            return sum(
                connection.execute(
                    "UPDATE conversation SET source_gone_at = ?"
                    " WHERE file = ? AND source_gone_at IS NULL",
                    (milliseconds(now), unit.id),
                ).rowcount
                for unit in units
            )

    def mark_back(self, units: Sequence[KnownUnit]) -> None:
        """Take the mark of `mark_gone` off units that were found again."""
        with self._transaction() as connection:
            for unit in units:
                connection.execute(
                    "UPDATE source_file SET gone_at = NULL WHERE id = ?", (unit.id,)
                )
                connection.execute(
                    "UPDATE conversation SET source_gone_at = NULL WHERE file = ?",
                    (unit.id,),
                )

    # Batches

    def apply(
        self,
        source: str,
        unit: Unit,
        redacted: RedactedBatch,
        *,
        skipped: Sequence[Skipped],
        resumed_at: int | None,
        parser_version: int,
        ends_unit: bool,
        settled: bool,
        now: datetime,
    ) -> Applied:
        """Store a batch and its checkpoint, all or nothing.

        Args:
            resumed_at: The offset reading began at, on the first batch of a reading:
                what was skipped from there on is about to be met again.
            ends_unit: The unit was read to its end by this batch.
            settled: The unit's stamp can be trusted (see `quoth.ingest`).
        """
        with self._transaction() as connection:
            file = _file_id(connection, source, unit)
            batch = redacted.batch
            if isinstance(batch, Replace):
                _begin_anew(connection, file)
            elif resumed_at is not None:
                connection.execute(
                    "DELETE FROM skipped_record WHERE file = ? AND offset >= ?",
                    (file, resumed_at),
                )
            change = _Change(connection, source, file, self)
            change.add(batch)
            _count_unused(connection, file, batch, skipped)
            if ends_unit:
                change.supersede_unseen()
            applied = change.finish()
            connection.execute(
                "UPDATE source_file SET checkpoint = ?, parser_version = ?, state = ?,"
                " stamp = ?, settled = ?, size = ?, error = NULL, gone_at = NULL,"
                " read_at = ? WHERE id = ?",
                (
                    _checkpoint_json(batch.checkpoint),
                    parser_version,
                    "done" if ends_unit else "open",
                    unit.stamp if ends_unit else "",
                    settled,
                    unit.size,
                    milliseconds(now),
                    file,
                ),
            )
            return applied

    def context_id(self, model: str, cwd: str, branch: str) -> int:
        """Return the id of what a message was written under."""
        found = self._contexts.get((model, cwd, branch))
        if found is None:
            row = self._connection.execute(
                "INSERT INTO context (model, cwd, branch) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET model = model RETURNING id",
                (model, cwd, branch),
            ).fetchone()
            found = self._contexts[model, cwd, branch] = row[0]
        return found

    def embeddable(self, message: Message) -> bool:
        """Say whether a message's text gets vectors."""
        return (
            message.noise is None
            and message.role in (Role.USER, Role.ASSISTANT)
            and self._embeddable(message.text)
        )

    def repo_of(self, cwd: str | None) -> str | None:
        """Return the root of the repository that *cwd* lies in, if it still stands."""
        return self._repo_of(cwd) if cwd else None

    # Vectors

    def embedder_id(self, identity: str, dimensions: int) -> int:
        """Return the id of an embedder's identity, known from now on."""
        with self._transaction() as connection:
            row = connection.execute(
                "INSERT INTO embedder (identity, dimensions) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET identity = identity RETURNING id",
                (identity, dimensions),
            ).fetchone()
            return int(row[0])

    def pending_texts(
        self, embedder: int, *, limit: int
    ) -> tuple[list[PendingText], int, bool]:
        """Return texts that lack vectors, the message they reach to, and if that's all.

        Oldest first, at most those of *limit* messages.
        """
        up_to = self._connection.execute(
            "SELECT up_to FROM embedder WHERE id = ?", (embedder,)
        ).fetchone()[0]
        rows = self._connection.execute(
            "SELECT message.id, text_hash, text FROM message JOIN body USING (id)"
            " WHERE message.id > ? AND text_hash IS NOT NULL AND NOT EXISTS ("
            "  SELECT 1 FROM embedding WHERE embedder = ?"
            "  AND embedding.text_hash = message.text_hash)"
            " ORDER BY message.id LIMIT ?",
            (up_to, embedder, limit),
        ).fetchall()
        texts = {row[1]: PendingText(text_hash=row[1], text=row[2]) for row in rows}
        if len(rows) == limit:
            return list(texts.values()), int(rows[-1][0]), False
        newest = self._connection.execute("SELECT max(id) FROM message").fetchone()[0]
        return list(texts.values()), int(newest or 0), True

    def add_vectors(
        self,
        embedder: int,
        vectors: Sequence[tuple[bytes, bytes, bytes]],
        *,
        up_to: int,
    ) -> None:
        """Store (text hash, codes, scales) and that messages *up_to* are all embedded."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO embedding (embedder, text_hash, codes, scales)"
                " VALUES (?, ?, ?, ?)",
                [(embedder, *vector) for vector in vectors],
            )
            connection.execute(
                "UPDATE embedder SET up_to = max(up_to, ?) WHERE id = ?",
                (up_to, embedder),
            )

    def refresh_flat_copy(
        self, embedder: int, *, identity: str, folder: str, dimensions: int
    ) -> None:
        """Write the copy of all vectors anew when searches read too many beside it."""
        path = flat_path(self._home, folder)
        copy = FlatVectors.open(path)
        generation = _meta(self._connection, "generation") or 0
        newest, after = self._connection.execute(
            "SELECT coalesce(max(id), 0), count(*) FILTER (WHERE id > ?)"
            " FROM embedding WHERE embedder = ?",
            (copy.last_id if copy else 0, embedder),
        ).fetchone()
        if (
            copy is not None
            and (copy.identity, copy.generation) == (identity, generation)
            and copy.last_id <= newest
            and after <= _FLAT_LAG
        ):
            return
        for parent in (path.parent.parent, path.parent):
            private_folder(parent)
        FlatVectors.write(
            path,
            identity=identity,
            dimensions=dimensions,
            generation=generation,
            rows=self._connection.execute(
                "SELECT id, codes, scales FROM embedding WHERE embedder = ? ORDER BY id",
                (embedder,),
            ),
        )

    # The end of a sync

    def finish_sync(self, *, now: datetime) -> None:
        """Record when the sync ended and refresh what derives from all messages."""
        with self._transaction() as connection:
            _set_meta(connection, "last_sync", milliseconds(now))
            _refresh_terms(connection)
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for reading within this package."""
        return self._connection


    def gone_conversations(self) -> int:
        """Count conversations that are kept though their source is gone."""
        row = self._connection.execute(
            "SELECT count(*) FROM conversation WHERE source_gone_at IS NOT NULL"
        ).fetchone()
        return int(row[0])


_FLAT_LAG = 2_000
"""Texts whose vectors a search reads from the database, some 5 ms, before the flat
copy, 80 MB at 100,000 messages, is worth writing again."""

_TERM_SHARE = 0.002
_TERM_LEAST = 200


def _refresh_terms(connection: sqlite3.Connection) -> None:
    """Note how many messages hold each frequent term, when that may have changed.

    One walk of the vocabulary costs 0.17 s at 100,000 messages, a look-up of one term
    at question time up to 38 ms at a million: so frequent terms are kept, and a term
    that isn't is rare. Refreshed when the archive grew by a tenth.
    """
    indexed = connection.execute("SELECT count(*) FROM words_docsize").fetchone()[0]
    counted = _meta(connection, "terms_counted_at") or 0
    if abs(indexed - counted) * 10 <= counted and (counted or not indexed):
        return
    connection.execute("DELETE FROM term")
    connection.execute(
        "INSERT INTO term (term, documents)"
        " SELECT term, doc FROM words_vocabulary WHERE doc > max(?, ? * ?)",
        (_TERM_LEAST, _TERM_SHARE, indexed),
    )
    _set_meta(connection, "terms_counted_at", indexed)


def _meta(connection: sqlite3.Connection, key: str) -> Any:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def _set_meta(connection: sqlite3.Connection, key: str, value: Any) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        (key, value),
    )


def _file_id(connection: sqlite3.Connection, source: str, unit: Unit) -> int:
    row = connection.execute(
        "INSERT INTO source_file (source, path, part) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET source = source RETURNING id",
        (source, os.fsencode(unit.path), unit.part),
    ).fetchone()
    return int(row[0])


def _begin_anew(connection: sqlite3.Connection, file: int) -> None:
    connection.execute(
        "UPDATE source_file SET reading = reading + 1 WHERE id = ?", (file,)
    )
    connection.execute("DELETE FROM skipped_record WHERE file = ?", (file,))
    connection.execute("DELETE FROM ignored_record WHERE file = ?", (file,))


def _count_unused(
    connection: sqlite3.Connection,
    file: int,
    batch: Batch,
    skipped: Sequence[Skipped],
) -> None:
    connection.executemany(
        "INSERT INTO skipped_record (file, offset, reason) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET reason = excluded.reason",
        [(file, skip.offset, skip.reason) for skip in skipped],
    )
    connection.executemany(
        "INSERT INTO ignored_record (file, kind, count) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET count = count + excluded.count",
        [(file, kind, count) for kind, count in batch.ignored.items()],
    )


def _checkpoint_json(checkpoint: Checkpoint) -> str:
    return json.dumps(
        {
            "offset": checkpoint.offset,
            "head": checkpoint.head,
            "tail": checkpoint.tail,
            "state": checkpoint.state,
        },
        separators=(",", ":"),
    )


class _Change:
    """One batch on its way into the tables."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        source: str,
        file: int,
        writer: ArchiveWriter,
    ) -> None:
        self._connection = connection
        self._source = source
        self._file = file
        self._writer = writer
        self._applied = Applied()
        self._ids: dict[str, int] = {}
        self._touched: set[int] = set()  # messages whose home or life may have changed
        self._gained: Counter[int] = Counter()  # visible messages, by conversation
        self._gained_texts: Counter[int] = Counter()  # those of them that get vectors
        self._reading: int = connection.execute(
            "SELECT reading FROM source_file WHERE id = ?", (file,)
        ).fetchone()[0]
        self._positions: dict[int, int] = {}
        self._keys: dict[int, str] = {}
        self._gone = {
            row[0]
            for row in connection.execute(
                "SELECT id FROM source_file WHERE gone_at IS NOT NULL"
            )
        }

    def add(self, batch: Batch) -> None:
        for conversation in batch.conversations:
            self._add_conversation(conversation)
        for record in batch.records:
            if isinstance(record, Rewind):
                self._rewind(record)
            else:
                self._add_message(record)
        for usage in batch.usage:
            self._add_usage(usage)

    def supersede_unseen(self) -> None:
        """Supersede what this file's latest reading, now at its end, didn't repeat."""
        if self._reading == 1:
            return
        rows = self._connection.execute(
            "SELECT DISTINCT conversation FROM member"
            " WHERE file = ? AND live = 1 AND reading < ?",
            (self._file, self._reading),
        ).fetchall()
        for (conversation,) in rows:
            self._supersede(
                "conversation = ? AND file = ? AND reading < ?",
                (conversation, self._file, self._reading),
                conversation,
            )

    def finish(self) -> Applied:
        """Settle where each touched message is at home and count what is visible."""
        for message in sorted(self._touched):
            self._settle(message)
        self._connection.executemany(
            "UPDATE conversation SET messages = messages + ?, texts = texts + ?"
            " WHERE id = ?",
            [
                (gain, self._gained_texts[home], home)
                for home, gain in self._gained.items()
                if gain or self._gained_texts[home]
            ],
        )
        self._applied.changed_conversations -= self._applied.new_conversations
        return self._applied

    # Conversations

    def _add_conversation(self, conversation: Conversation) -> None:
        key = conversation_key(self._source, conversation.native_id)
        parent = conversation.parent and conversation_key(
            self._source, conversation.parent
        )
        values = {
            "key": key,
            "source": self._source,
            "native_id": conversation.native_id,
            "kind": conversation.kind,
            "parent_key": parent,
            "title": conversation.title,
            "title_origin": conversation.title_origin,
            "title_words": _words_of(conversation.title),
            "cwd": conversation.cwd,
            "repo": conversation.repo or self._writer.repo_of(conversation.cwd),
            "branch": conversation.branch,
            "started_at": milliseconds(conversation.started_at),
            "ended_at": milliseconds(conversation.ended_at),
            "models": json.dumps(conversation.models),
            "app_version": conversation.app_version,
        }
        row = self._connection.execute(
            "SELECT id, title, coalesce(title_words, title), ended_at, kind, file"
            " FROM conversation WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            self._insert_conversation(key, parent, values)
        else:
            self._update_conversation(row, values)

    def _insert_conversation(
        self, key: str, parent: str | None, values: Mapping[str, Any]
    ) -> None:
        columns = ", ".join(values)
        marks = ", ".join(f":{column}" for column in values)
        identity = self._connection.execute(
            f"INSERT INTO conversation ({columns}, file)"  # noqa: S608 - own column names
            f" VALUES ({marks}, :file) RETURNING id",
            {**values, "file": self._file},
        ).fetchone()[0]
        self._ids[key] = identity
        self._applied.new_conversations.add(key)
        self._index_title(identity, values["title_words"] or values["title"])
        self._connection.execute(
            "UPDATE conversation SET root = coalesce("
            " (SELECT root FROM conversation AS above WHERE above.key = ?), id)"
            " WHERE id = ?",
            (parent, identity),
        )
        self._adopt(key, identity)

    def _adopt(self, key: str, identity: int) -> None:
        """List subagents that were read before their parent under it."""
        root = self._connection.execute(
            "SELECT root FROM conversation WHERE id = ?", (identity,)
        ).fetchone()[0]
        children = self._connection.execute(
            "SELECT id, key FROM conversation WHERE parent_key = ? AND root <> ?",
            (key, root),
        ).fetchall()
        for child, child_key in children:
            self._connection.execute(
                "UPDATE conversation SET root = ? WHERE id = ?", (root, child)
            )
            self._adopt(child_key, child)

    def _update_conversation(
        self, row: tuple[Any, ...], values: Mapping[str, Any]
    ) -> None:
        identity, title, words, ended_at, kind, file = row
        self._ids[values["key"]] = identity
        assignments = ", ".join(
            f"{column} = :{column}" for column in values if column != "key"
        )
        self._connection.execute(
            f"UPDATE conversation SET {assignments} WHERE key = :key",  # noqa: S608
            values,
        )
        if file in self._gone:
            self._connection.execute(
                "UPDATE conversation SET file = ?, source_gone_at = NULL WHERE id = ?",
                (self._file, identity),
            )
        if title != values["title"]:
            if words:
                self._connection.execute(
                    "INSERT INTO titles (titles, rowid, title) VALUES ('delete', ?, ?)",
                    (identity, words),
                )
            self._index_title(identity, values["title_words"] or values["title"])
            self._applied.changed_conversations.add(values["key"])
        if (ended_at, kind) != (values["ended_at"], values["kind"]):
            self._touch_shared(identity)

    def _index_title(self, identity: int, words: str | None) -> None:
        if words:
            self._connection.execute(
                "INSERT INTO titles (rowid, title) VALUES (?, ?)", (identity, words)
            )

    def _touch_shared(self, conversation: int) -> None:
        """Look again at messages held elsewhere too: who owns them may have changed."""
        rows = self._connection.execute(
            "SELECT message FROM member JOIN conversation ON conversation.id = ?"
            " WHERE member.conversation = ? AND shares = 1 AND EXISTS ("
            "  SELECT 1 FROM member AS other WHERE other.message = member.message"
            "  AND other.conversation <> member.conversation)",
            (conversation, conversation),
        )
        self._touched.update(message for (message,) in rows)

    def _conversation(self, native_id: str) -> int:
        key = conversation_key(self._source, native_id)
        found = self._ids.get(key)
        if found is None:
            row = self._connection.execute(
                "SELECT id FROM conversation WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                self._add_conversation(Conversation(native_id=native_id))
                return self._ids[key]
            found = self._ids[key] = row[0]
        return found

    # Messages

    def _add_message(self, message: Message) -> None:
        conversation = self._conversation(message.conversation)
        print_of = fingerprint(self._source, message)
        versions = dict(
            self._connection.execute(
                "SELECT fingerprint, id FROM message WHERE native_id = ?",
                (message.native_id,),
            ).fetchall()
        )
        identity = versions.pop(print_of, None)
        if identity is None:
            identity = self._insert_message(message, print_of, conversation)
            self._join(conversation, identity, message, is_new=True)
            self._attach(identity, conversation, message)
        else:
            self._join(conversation, identity, message, is_new=False)
            self._update_origin(identity, message)
        for older in versions.values():  # the same record, saying something else now
            self._supersede(
                "conversation = ? AND message = ? AND file = ?",
                (conversation, older, self._file),
                conversation,
            )

    def _update_origin(self, identity: int, message: Message) -> None:
        """Follow a record that moved: inside its file, or to the file that is left."""
        file, offset = self._connection.execute(
            "SELECT file, offset FROM message WHERE id = ?", (identity,)
        ).fetchone()
        moved = file == self._file and offset != message.origin.offset
        if moved or file in self._gone:
            self._connection.execute(
                "UPDATE message SET file = ?, offset = ?, length = ?, path = ?"
                " WHERE id = ?",
                (
                    self._file,
                    message.origin.offset,
                    message.origin.length,
                    message.origin.path,
                    identity,
                ),
            )

    def _insert_message(
        self, message: Message, print_of: bytes, conversation: int
    ) -> int:
        identity: int = self._connection.execute(
            "INSERT INTO message (home, live, role, noise, at, approximate_time,"
            " is_command, context, text_hash, file, offset, length, path, native_id,"
            " fingerprint, author)"
            " VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                conversation,
                message.role,
                message.noise,
                milliseconds(message.at),
                message.approximate_time,
                message.is_command,
                self._writer.context_id(
                    message.model or "", message.cwd or "", message.branch or ""
                ),
                text_hash(message.text) if self._writer.embeddable(message) else None,
                self._file,
                message.origin.offset,
                message.origin.length,
                message.origin.path,
                message.native_id,
                print_of,
                message.author,
            ),
        ).fetchone()[0]
        self._insert_body(identity, message)
        self._applied.new_messages += message.noise is None
        return identity

    def _insert_body(self, identity: int, message: Message) -> None:
        search_text = _words_of(message.text)
        tools = "\n".join(
            f"{call.name} {call.input}" if call.input else call.name
            for call in message.calls
        )
        tool_words = split_cjk(tools) or None
        names = identifier_parts(f"{message.text}\n{tools}") or None
        self._connection.execute(
            "INSERT INTO body (id, text, search_text, tool_words, names, reasoning)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                identity,
                message.text,
                search_text,
                tool_words,
                names,
                message.reasoning or None,
            ),
        )
        if message.noise is not None:
            return
        words = search_text if search_text is not None else message.text
        is_tool = message.role is Role.TOOL
        self._connection.execute(
            "INSERT INTO words (rowid, prompt, reply, tool, names)"
            " VALUES (?, ?, ?, ?, ?)",
            (
                identity,
                words if message.role is Role.USER else "",
                words if message.role is Role.ASSISTANT else "",
                words if is_tool else tool_words or "",
                names or "",
            ),
        )

    def _join(
        self, conversation: int, identity: int, message: Message, *, is_new: bool
    ) -> None:
        """Make the message a live member of the conversation, at its place in order."""
        member = None
        if not is_new:
            member = self._connection.execute(
                "SELECT live, file, reading FROM member"
                " WHERE conversation = ? AND message = ?",
                (conversation, identity),
            ).fetchone()
        if member is None:
            self._insert_member(conversation, identity, shared=not is_new)
            if is_new and message.noise is None:
                self._gained[conversation] += 1
                self._gained_texts[conversation] += self._writer.embeddable(message)
            return
        live, file, reading = member
        repeated = file == self._file and reading != self._reading
        if repeated or (file != self._file and file in self._gone):
            self._connection.execute(
                "UPDATE member SET file = ?, reading = ?, position = ?"
                " WHERE conversation = ? AND message = ?",
                (
                    self._file,
                    self._reading,
                    self._next_position(conversation),
                    conversation,
                    identity,
                ),
            )
        if not live:
            self._connection.execute(
                "UPDATE member SET live = 1 WHERE conversation = ? AND message = ?",
                (conversation, identity),
            )
            self._touched.add(identity)
            self._changed(conversation)

    def _insert_member(
        self, conversation: int, identity: int, *, shared: bool
    ) -> None:
        self._connection.execute(
            "INSERT INTO member"
            " (conversation, seq, message, live, file, reading, position)"
            " SELECT id, next_seq, ?, 1, ?, ?, ? FROM conversation WHERE id = ?",
            (
                identity,
                self._file,
                self._reading,
                self._next_position(conversation),
                conversation,
            ),
        )
        self._connection.execute(
            "UPDATE conversation SET next_seq = next_seq + 1 WHERE id = ?",
            (conversation,),
        )
        self._changed(conversation)
        if shared:
            self._touched.add(identity)
            self._connection.execute(
                "UPDATE conversation SET shares = 1 WHERE shares = 0 AND id IN"
                " (SELECT conversation FROM member WHERE message = ?)",
                (identity,),
            )

    def _next_position(self, conversation: int) -> int:
        last = self._positions.get(conversation)
        if last is None:
            last = self._connection.execute(
                "SELECT coalesce(max(position), 0) FROM member"
                " WHERE conversation = ? AND file = ? AND reading = ?",
                (conversation, self._file, self._reading),
            ).fetchone()[0]
        self._positions[conversation] = last + 1
        return int(last) + 1

    def _changed(self, conversation: int) -> None:
        key = self._keys.get(conversation)
        if key is None:
            key = self._keys[conversation] = self._connection.execute(
                "SELECT key FROM conversation WHERE id = ?", (conversation,)
            ).fetchone()[0]
        self._applied.changed_conversations.add(key)

    def _rewind(self, rewind: Rewind) -> None:
        conversation = self._conversation(rewind.conversation)
        row = self._connection.execute(
            "SELECT max(position) FROM member JOIN message ON message.id = message"
            " WHERE conversation = ? AND member.file = ? AND reading = ?"
            " AND native_id = ?",
            (conversation, self._file, self._reading, rewind.first),
        ).fetchone()
        if row[0] is None:
            return
        self._supersede(
            "conversation = ? AND file = ? AND reading = ? AND position >= ?",
            (conversation, self._file, self._reading, row[0]),
            conversation,
        )

    def _supersede(
        self, condition: str, values: tuple[Any, ...], conversation: int
    ) -> None:
        rows = self._connection.execute(
            f"UPDATE member SET live = 0 WHERE live = 1 AND {condition}"  # noqa: S608
            " RETURNING message",
            values,
        ).fetchall()
        if rows:
            self._touched.update(message for (message,) in rows)
            self._applied.superseded += len(rows)
            self._changed(conversation)

    def _settle(self, message: int) -> None:
        """Decide which conversation owns a message, by what does not depend on order.

        A live member before a superseded one, an original before a fork; then the one
        that ended first, since a copy goes on from where the original stopped.
        """
        home, live, noise, has_text = self._connection.execute(
            "SELECT home, live, noise, text_hash IS NOT NULL FROM message WHERE id = ?",
            (message,),
        ).fetchone()
        new_home, new_live = self._connection.execute(
            "SELECT conversation, live FROM member"
            " JOIN conversation ON conversation.id = conversation"
            " WHERE message = ?"
            " ORDER BY live DESC, kind = 'fork', ended_at IS NULL, ended_at, key"
            " LIMIT 1",
            (message,),
        ).fetchone()
        if noise is None:
            self._gained[home] -= live
            self._gained[new_home] += new_live
            self._gained_texts[home] -= live and has_text
            self._gained_texts[new_home] += new_live and has_text
        if (home, live) != (new_home, new_live):
            self._connection.execute(
                "UPDATE message SET home = ?, live = ? WHERE id = ?",
                (new_home, new_live, message),
            )

    # Tools

    def _attach(self, identity: int, conversation: int, message: Message) -> None:
        for call in message.calls:
            self._add_call(identity, call)
        for result in message.results:
            self._add_result(identity, conversation, message, result)

    def _add_call(self, identity: int, call: ToolCall) -> None:
        self._connection.execute(
            "INSERT INTO tool_call (message, call_id, name, input, command)"
            " VALUES (?, ?, ?, ?, ?)",
            (identity, call.call_id, call.name, call.input, call.command),
        )
        self._add_touches(identity, call)

    def _add_result(
        self, identity: int, conversation: int, message: Message, result: ToolResult
    ) -> None:
        values = {
            "exit_code": result.exit_code,
            "is_error": result.is_error,
            "output": None if result.output == message.text else result.output,
            "size": result.size,
            "answer": identity,
        }
        asked = self._connection.execute(
            "SELECT tool_call.id FROM tool_call JOIN member USING (message)"
            " WHERE call_id = ? AND conversation = ? ORDER BY tool_call.id DESC LIMIT 1",
            (result.call_id, conversation),
        ).fetchone()
        if asked:
            self._connection.execute(
                "UPDATE tool_call SET exit_code = :exit_code, is_error = :is_error,"
                " output = :output, output_size = :size, result_message = :answer"
                " WHERE id = :id",
                {**values, "id": asked[0]},
            )
        else:  # the question was cut off, or came from a file that is gone
            self._connection.execute(
                "INSERT INTO tool_call (message, call_id, exit_code, is_error, output,"
                " output_size, result_message)"
                " VALUES (:answer, :call_id, :exit_code, :is_error, :output, :size,"
                " :answer)",
                {**values, "call_id": result.call_id},
            )
        self._add_touches(identity, result)

    def _add_touches(self, identity: int, call: ToolCall | ToolResult) -> None:
        if not call.touches:
            return
        cwd = self._connection.execute(
            "SELECT cwd FROM message JOIN context ON context.id = context"
            " WHERE message.id = ?",
            (identity,),
        ).fetchone()[0]
        root = self._writer.repo_of(cwd) or cwd
        for touch in call.touches:
            absolute = posixpath.normpath(posixpath.join(cwd, touch.path))
            inside = root and absolute.startswith(f"{root}/")
            self._connection.execute(
                "INSERT OR IGNORE INTO file_touch (message, path, relative, action)"
                " VALUES (?, ?, ?, ?)",
                (
                    identity,
                    absolute,
                    absolute[len(root) + 1 :] if inside else None,
                    touch.action,
                ),
            )

    # Usage

    def _add_usage(self, usage: Usage) -> None:
        message = usage.message and self._connection.execute(
            "SELECT max(id) FROM message WHERE native_id = ?", (usage.message,)
        ).fetchone()[0]
        self._connection.execute(
            "INSERT INTO usage (source, call_id, conversation, message, model, tier, at,"
            " input, output, cache_read, cache_write_5m, cache_write_1h, reasoning,"
            " lines, counted_by)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET"
            " message = coalesce(message, excluded.message),"
            " input = max(input, excluded.input),"
            " output = max(output, excluded.output),"
            " cache_read = max(cache_read, excluded.cache_read),"
            " cache_write_5m = max(cache_write_5m, excluded.cache_write_5m),"
            " cache_write_1h = max(cache_write_1h, excluded.cache_write_1h),"
            " reasoning = max(reasoning, excluded.reasoning),"
            " lines = max(lines, excluded.lines)",
            (
                self._source,
                usage.call_id,
                self._conversation(usage.conversation),
                message or None,
                usage.model,
                usage.tier,
                milliseconds(usage.at),
                usage.input,
                usage.output,
                usage.cache_read,
                usage.cache_write_5m,
                usage.cache_write_1h,
                usage.reasoning,
                usage.lines,
                usage.counted_by,
            ),
        )


def _words_of(text: str | None) -> str | None:
    """Return what the index sees of *text* when that differs from it."""
    if not text:
        return None
    words = split_cjk(text)
    return None if words == text else words
