"""Storing vectors: what lacks them, those that were made, and who serves."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from quoth.model import EmbedderChoice

from ._embedders import (
    KnownEmbedder,
    choice_json,
    embedder_by_identity,
    serving_embedder,
)
from ._files import explained_os_errors, private_folder
from ._flat import FlatVectors, flat_path
from ._lock import hold
from ._meta import meta
from ._reader import sound_vectors

__all__ = ["MadeVectors", "Pending", "PendingText", "VectorWriter"]

EMBED_LOCK = "embed.lock"

_FLAT_LAG = 2_000
"""Texts whose vectors a search reads from the database, some 5 ms, before the flat
copy, 80 MB at 100,000 messages, is worth writing again."""

_LACKING = (
    "text_hash IS NOT NULL AND id > (SELECT up_to FROM embedder WHERE id = ?1)"
    " AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedder = ?1"
    "  AND embedding.text_hash = message.text_hash)"
)


class PendingText(NamedTuple):
    """A text that has no vectors yet of the embedder that was asked for."""

    text_hash: bytes
    text: str


class MadeVectors(NamedTuple):
    """What became of a text: int8 codes and float32 scales, or why there are none."""

    text_hash: bytes
    codes: bytes = b""
    scales: bytes = b""
    refused: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """The messages that lack vectors, newest first, up to the message `up_to`."""

    messages: array[int]
    up_to: int


class VectorWriter:
    """The part of the archive's one writer that has to do with vectors."""

    def __init__(
        self,
        home: Path,
        connection: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._home = home
        self._connection = connection
        self._transaction = transaction

    @contextmanager
    def making(self) -> Iterator[None]:
        """Keep others from making the same vectors; a sync may still run.

        Raises:
            ArchiveBusyError: Another `quoth embed` is at work.
        """
        with hold(self._home / EMBED_LOCK, wait_s=0.0):
            yield

    def serving(self) -> KnownEmbedder | None:
        """Return the embedder that searches ask; None before the first sync."""
        return serving_embedder(self._connection)

    def known(self, identity: str) -> KnownEmbedder | None:
        """Return the embedder of that identity, if anything used it yet."""
        return embedder_by_identity(self._connection, identity)

    def register(
        self,
        identity: str,
        dimensions: int,
        choice: EmbedderChoice,
        *,
        probe: bytes | None = None,
    ) -> KnownEmbedder:
        """Return an embedder, known from now on, and how to make it again.

        The first one there is serves at once.
        """
        known = embedder_by_identity(self._connection, identity)
        if known is None or (known.choice, known.probe) != (choice, probe):
            with self._transaction() as connection:
                connection.execute(
                    "INSERT INTO embedder (identity, dimensions, choice, probe, serves)"
                    " VALUES (?, ?, ?, ?, NOT EXISTS (SELECT 1 FROM embedder))"
                    " ON CONFLICT DO UPDATE"
                    " SET choice = excluded.choice, probe = excluded.probe",
                    (identity, dimensions, choice_json(choice), probe),
                )
            known = embedder_by_identity(self._connection, identity)
            if known is None:  # pragma: no cover - it was inserted above
                raise LookupError(identity)
        return known

    def serve(self, embedder: int) -> None:
        """Let searches ask that embedder from now on, and no other."""
        with self._transaction() as connection:
            connection.execute("UPDATE embedder SET serves = (id = ?)", (embedder,))

    def pending(self, embedder: int) -> Pending:
        """Return the messages that lack vectors of an embedder, the newest first."""
        newest = self._connection.execute("SELECT max(id) FROM message").fetchone()[0]
        rows = self._connection.execute(
            f"SELECT id FROM message WHERE {_LACKING} ORDER BY at DESC, id DESC",
            (embedder,),
        )
        return Pending(
            messages=array("q", [identity for (identity,) in rows]),
            up_to=int(newest or 0),
        )

    def texts_of(self, embedder: int, messages: Sequence[int]) -> list[PendingText]:
        """Return the texts of *messages* that lack vectors, each once."""
        rows = self._connection.execute(
            "SELECT message.text_hash, body.text FROM json_each(?2) AS wanted"
            " CROSS JOIN message ON message.id = wanted.value"
            " CROSS JOIN body ON body.id = message.id"
            " WHERE message.text_hash IS NOT NULL AND NOT EXISTS ("
            "  SELECT 1 FROM embedding WHERE embedder = ?1"
            "  AND embedding.text_hash = message.text_hash)",
            (embedder, json.dumps(list(messages))),
        )
        return list(map(PendingText._make, dict(rows).items()))

    def add(
        self, embedder: int, made: Sequence[MadeVectors], *, up_to: int = 0
    ) -> None:
        """Store what was made, and that no message up to *up_to* lacks vectors.

        A text that was forgotten since it was asked for gets none.
        """
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO embedding"
                " (embedder, text_hash, codes, scales, refused)"
                " SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS"
                "  (SELECT 1 FROM message WHERE text_hash = ?2)",
                [(embedder, *each) for each in made],
            )
            connection.execute(
                "UPDATE embedder SET up_to = min(max(up_to, ?),"
                "  coalesce((SELECT max(id) FROM message), 0)) WHERE id = ?",
                (up_to, embedder),
            )

    def settle(self, embedder: int, pending: Pending) -> None:
        """Note that nothing lacks vectors, unless that is noted already."""
        noted = self._connection.execute(
            "SELECT up_to FROM embedder WHERE id = ?", (embedder,)
        ).fetchone()[0]
        if noted < pending.up_to:
            self.add(embedder, [], up_to=pending.up_to)

    def lacking(self, embedder: int) -> int:
        """Count the messages that should have vectors and don't yet."""
        row = self._connection.execute(
            f"SELECT count(*) FROM message WHERE {_LACKING} AND live = 1", (embedder,)
        ).fetchone()
        return int(row[0])

    def discard(self, known: KnownEmbedder) -> None:
        """Remove all vectors of an embedder whose model is another now.

        They can be compared with no question any more.
        """
        with explained_os_errors(self._home):
            flat_path(self._home, known.identity).unlink(missing_ok=True)
        with self._transaction() as connection:
            connection.execute("DELETE FROM embedding WHERE embedder = ?", (known.id,))
            connection.execute(
                "UPDATE embedder SET up_to = 0, copied = 0 WHERE id = ?", (known.id,)
            )

    def retry_refused(self, embedder: int) -> int:
        """Let the texts that an embedder refused be asked of it again; count them."""
        with self._transaction() as connection:
            count = connection.execute(
                "DELETE FROM embedding WHERE embedder = ? AND refused IS NOT NULL",
                (embedder,),
            ).rowcount
            if count:
                connection.execute(
                    "UPDATE embedder SET up_to = 0 WHERE id = ?", (embedder,)
                )
        return count

    def prune(self) -> list[str]:
        """Remove all vectors but those of the embedder that serves.

        Called within `exclusive`. Returns the identities that went. Their flat copies
        go first, so that a kill leaves none that no row knows of.

        Raises:
            ArchiveInaccessibleError: A copy can't be removed.
        """
        import shutil  # 2 ms, which nothing else here needs

        rows = self._connection.execute(
            "SELECT identity FROM embedder WHERE NOT serves ORDER BY id"
        )
        gone = [identity for (identity,) in rows.fetchall()]
        for identity in gone:
            folder = flat_path(self._home, identity).parent
            with explained_os_errors(folder):
                if folder.exists():
                    shutil.rmtree(folder)
            with self._transaction() as connection:
                connection.execute(
                    "DELETE FROM embedding WHERE embedder ="
                    " (SELECT id FROM embedder WHERE identity = ?)",
                    (identity,),
                )
                connection.execute(
                    "DELETE FROM embedder WHERE identity = ?", (identity,)
                )
        return gone

    def refresh_flat_copy(self, known: KnownEmbedder) -> None:
        """Write the copy of all vectors anew when searches read too many beside it.

        Called within `exclusive`: what another writer left unfinished is removed.

        Raises:
            ArchiveInaccessibleError: It can't be written; nothing else is lost by that.
        """
        path = flat_path(self._home, known.identity)
        for parent in (path.parent.parent, path.parent):
            private_folder(parent)
        with explained_os_errors(path):
            FlatVectors.remove_unfinished(path)
        generation = meta(self._connection, "generation") or 0
        copied, copied_generation, after, newest = self._connection.execute(
            "SELECT copied, generation,"
            " (SELECT count(*) FROM embedding"
            "   WHERE +embedder = embedder.id AND embedding.id > copied),"
            " coalesce((SELECT embedding.id FROM embedding"
            "   WHERE +embedder = embedder.id ORDER BY embedding.id DESC LIMIT 1), 0)"
            " FROM embedder WHERE id = ?",
            (known.id,),
        ).fetchone()
        is_current = copied_generation == generation and path.exists()
        if not newest or (is_current and copied <= newest and after <= _FLAT_LAG):
            return
        with explained_os_errors(path):
            FlatVectors.write(
                path,
                identity=known.identity,
                dimensions=known.dimensions,
                generation=generation,
                rows=sound_vectors(
                    self._connection,
                    known.id,
                    self._connection.execute(
                        "SELECT id, codes, scales FROM embedding"
                        " WHERE +embedder = ? ORDER BY id",
                        (known.id,),
                    ),
                ),
            )
        with self._transaction() as connection:
            if (meta(connection, "generation") or 0) != generation:
                path.unlink(missing_ok=True)  # it has what was forgotten meanwhile
                return
            connection.execute(
                "UPDATE embedder SET copied = ?, generation = ? WHERE id = ?",
                (newest, generation, known.id),
            )
