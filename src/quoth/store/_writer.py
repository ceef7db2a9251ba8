"""Every change to the archive: a batch of a unit, its vectors, what is gone."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from quoth.model import (
    Batch,
    Checkpoint,
    RedactedBatch,
    Replace,
    Skipped,
    Unit,
)
from quoth.redaction import Redactor

from ._change import Applied, Change, Policy
from ._checkpoints import ANEW, checkpoint_from, checkpoint_json
from ._citations import RULES
from ._connection import WRITE_LOCK, connect_writer
from ._conversations import show_again
from ._doc_values import refresh_doc_values
from ._doorkeeper import Doorkeeper, Entering
from ._forgetting import Forgetting
from ._kept_out_units import KeptOutUnits, is_place_kept_out
from ._lock import hold
from ._meta import set_meta, text_meta
from ._never_index import Forbidding
from ._times import milliseconds
from ._units import KnownUnit, UnitKey, known_units
from ._vectors import VectorWriter

if TYPE_CHECKING:
    from ._reredact import Part

__all__ = ["SYNC_LOCK", "ArchiveWriter"]

SYNC_LOCK = "sync.lock"
_WAIT_S = 10.0


class ArchiveWriter:
    """The one connection that may change the archive, a transaction and lock at a time.

    Args:
        home: The data folder, made if need be.
        policy: Which texts get vectors, and what repository a folder belongs to.
    """

    def __init__(self, home: Path, *, policy: Policy) -> None:
        self._home = home
        self._connection = connect_writer(home)
        self._policy = policy
        self._doorkeeper = Doorkeeper(self._connection, policy)
        self.vectors = VectorWriter(home, self._connection, self._transaction)
        self.forgetting = Forgetting(
            home,
            self._connection,
            self._transaction,
            self._lock,
            Forbidding(rules=policy.never_index, repo_of=policy.repo_of),
        )

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

    def _lock(self) -> AbstractContextManager[None]:
        return hold(self._home / WRITE_LOCK, wait_s=_WAIT_S)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise

    # Units

    def known_units(self) -> dict[UnitKey, KnownUnit]:
        """Return every unit the archive remembers, by source, path and part."""
        return known_units(self._connection)

    def kept_out_units(self) -> KeptOutUnits:
        """Return the units that need not be read: nothing in them may be recorded."""
        return KeptOutUnits(self._connection)

    def checkpoint_of(self, unit: KnownUnit) -> Checkpoint | None:
        """Return where reading *unit* stopped, if it ever began and we can tell."""
        row = self._connection.execute(
            "SELECT checkpoint FROM source_file"
            " WHERE id = ? AND source = ? AND path = ? AND part = ?",
            (unit.id, unit.source, os.fsencode(unit.place), unit.part),
        ).fetchone()
        found = checkpoint_from(row[0]) if row else None
        return None if found == ANEW else found

    def fail(
        self,
        source: str,
        unit: Unit,
        reason: str,
        *,
        parser_version: int,
        settled: bool,
        now: datetime,
    ) -> None:
        """Remember that *unit* could not be opened; what was read before stays.

        One of which nothing may be recorded is not remembered at all.
        """
        with self._transaction() as connection:
            if is_place_kept_out(connection, source, unit):
                return
            file = _file_id(connection, source, unit)
            connection.execute(
                "UPDATE source_file SET state = 'failed', error = ?, stamp = ?,"
                " settled = ?, size = ?, read_at = ?, parser_version = iif("
                "  checkpoint IS NULL, ?, parser_version), gone_at = NULL"
                " WHERE id = ?",
                (
                    reason,
                    unit.stamp,
                    settled,
                    unit.size,
                    milliseconds(now),
                    parser_version,
                    file,
                ),
            )

    def drop_failures(self, units: Sequence[KnownUnit]) -> None:
        """Drop what could not be opened, was never read and is looked for no more."""
        with self._transaction() as connection:
            connection.executemany(
                "DELETE FROM source_file"
                " WHERE id = ? AND state = 'failed' AND checkpoint IS NULL",
                [(unit.id,) for unit in units],
            )

    def mark_gone(self, units: Sequence[KnownUnit], *, now: datetime) -> set[int]:
        """Mark units whose file disappeared; return the conversations that lost theirs.

        Nothing is removed: what was read outlives its source.
        """
        with self._transaction() as connection:
            kept = _gone_conversations(connection)
            for unit in units:
                connection.execute(
                    "UPDATE source_file SET gone_at = ? WHERE id = ?",
                    (milliseconds(now), unit.id),
                )
            _show_told(connection, units)
            return _gone_conversations(connection) - kept

    def mark_back(self, units: Sequence[KnownUnit]) -> None:
        """Take the mark of `mark_gone` off units that were found again."""
        with self._transaction() as connection:
            for unit in units:
                connection.execute(
                    "UPDATE source_file SET gone_at = NULL WHERE id = ?", (unit.id,)
                )
            _show_told(connection, units)

    # Newer rules

    def reredact(self, redactor: Redactor) -> Part:
        """Let the next part of what is stored go through rules that are new to it."""
        # Imported here: nearly every sync has nothing to redact anew.
        from ._reredact import reredact_part

        with self._transaction() as connection:
            return reredact_part(
                connection, redactor, embeddable=self._policy.embeddable
            )

    def went_through(self, redactor: Redactor) -> bool:
        """Say whether all that is stored went through these very rules."""
        return text_meta(self._connection, RULES) == redactor.stamp

    def waiting_for_rules(self, stamp: str) -> int:
        """Count the messages that the rules called *stamp* have not gone through."""
        from ._reredact import waiting_for_rules

        return waiting_for_rules(self._connection, stamp)

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
            entering = self._doorkeeper.admit(
                source,
                unit,
                redacted.batch,
                is_first=resumed_at is not None,
                now=now,
            )
            applied = Applied()
            if not entering.passed_over:
                applied = self._add(
                    connection,
                    source,
                    unit,
                    entering,
                    skipped=skipped,
                    resumed_at=resumed_at,
                    parser_version=parser_version,
                    ends_unit=ends_unit,
                    settled=settled,
                    now=now,
                )
                self._doorkeeper.take_titles(source, unit, entering.admitted)
            if ends_unit:
                self._doorkeeper.leave(
                    source, unit, parser_version=parser_version, settled=settled
                )
            applied.kept_out = entering.admitted.kept_out
            applied.purged = entering.purged
            return applied

    def _add(
        self,
        connection: sqlite3.Connection,
        source: str,
        unit: Unit,
        entering: Entering,
        *,
        skipped: Sequence[Skipped],
        resumed_at: int | None,
        parser_version: int,
        ends_unit: bool,
        settled: bool,
        now: datetime,
    ) -> Applied:
        """Store what may be stored of a batch; see `apply`."""
        file = _file_id(connection, source, unit)
        batch = entering.batch
        was_whole = _is_whole(connection, file)
        if isinstance(batch, Replace) or entering.begins_anew:
            was_whole = False
            _begin_anew(connection, file)
        elif resumed_at is not None:
            connection.execute(
                "DELETE FROM skipped_record WHERE file = ? AND offset >= ?",
                (file, resumed_at),
            )
        change = Change(connection, source, file, self._policy, now)
        change.add(batch)
        _count_unused(connection, file, batch, skipped)
        if ends_unit:
            change.end(was_whole=was_whole)
        applied = change.finish()
        connection.execute(
            "UPDATE source_file SET checkpoint = ?, parser_version = ?, state = ?,"
            " stamp = ?, settled = ?, size = ?, error = NULL, gone_at = NULL,"
            " read_at = ?, thinned = iif(?, 1, thinned) WHERE id = ?",
            (
                checkpoint_json(batch.checkpoint),
                parser_version,
                "done" if ends_unit else "open",
                unit.stamp if ends_unit else "",
                settled,
                unit.size,
                milliseconds(now),
                entering.is_thinned,
                file,
            ),
        )
        return applied

    # Repair

    def rebuild(
        self, step: Callable[[sqlite3.Connection, Policy, int], int | None]
    ) -> None:
        """Do a step of `REBUILD_STEPS` to its end, one transaction for each part."""
        after: int | None = 0
        while after is not None:
            with self._transaction() as connection:
                after = step(connection, self._policy, after)

    # The end of a sync

    def finish_sync(self, *, now: datetime) -> None:
        """Record when the sync ended and refresh what derives from all messages."""
        with self._transaction() as connection:
            set_meta(connection, "last_sync", milliseconds(now))
            refresh_doc_values(connection)
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def listed(self, keys: Iterable[str]) -> tuple[int, int]:
        """Count those of *keys* that hold messages: conversations, then subagents."""
        row = self._connection.execute(
            "SELECT total(root = id), total(root <> id) FROM conversation"
            " WHERE key IN (SELECT value FROM json_each(?)) AND messages > 0",
            (json.dumps(list(keys)),),
        ).fetchone()
        return int(row[0]), int(row[1])

    def gone_conversations(self) -> set[int]:
        """Return the conversations that are kept though their source is gone."""
        return _gone_conversations(self._connection)


def _file_id(connection: sqlite3.Connection, source: str, unit: Unit) -> int:
    row = connection.execute(
        "INSERT INTO source_file (source, path, part) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET source = source RETURNING id",
        (source, os.fsencode(unit.path), unit.part),
    ).fetchone()
    return int(row[0])


def _is_whole(connection: sqlite3.Connection, file: int) -> bool:
    """Say whether the latest reading of a file has come to its end before."""
    row = connection.execute(
        "SELECT state = 'done' FROM source_file WHERE id = ?", (file,)
    ).fetchone()
    return bool(row[0])


def _gone_conversations(connection: sqlite3.Connection) -> set[int]:
    rows = connection.execute(
        "SELECT id FROM conversation WHERE source_gone_at IS NOT NULL"
    )
    return {identity for (identity,) in rows.fetchall()}


def _show_told(connection: sqlite3.Connection, units: Sequence[KnownUnit]) -> None:
    """Make the rows of the conversations anew that *units* tell of."""
    told = {
        conversation
        for unit in units
        for (conversation,) in connection.execute(
            "SELECT conversation FROM told WHERE file = ?", (unit.id,)
        )
    }
    for conversation in sorted(told):
        show_again(connection, conversation)


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
