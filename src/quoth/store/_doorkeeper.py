"""Who stands before the tables when a batch comes: what was forgotten stays out."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import datetime

from quoth.model import Batch, Unit

from ._admission import Admission, Admitted
from ._change import Policy
from ._checkpoints import ANEW, checkpoint_json
from ._forbidden import purge_by_rule
from ._kept_out_units import keep_out_unit
from ._keys import conversation_key
from ._never_index import Forbidding, forbids_path
from ._purge import drop_unit_if_unused, ids_of, untitle
from ._scrub import Scrub, note_scrub
from ._times import milliseconds
from ._tombstones import Bans, rule_entry

__all__ = ["Doorkeeper", "Entering"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entering:
    """A batch as it may be stored.

    Attributes:
        passed_over: Nothing of it is stored, not even what file it came from.
        begins_anew: The file's row was removed, or not made, since its reading began.
        is_thinned: Something of its unit was kept out, by this batch or one before.
        purged: Conversations that were recorded and fell under a rule by this batch.
    """

    admitted: Admitted
    passed_over: bool = False
    begins_anew: bool = False
    is_thinned: bool = False
    purged: int = 0

    @property
    def batch(self) -> Batch:
        """What is left of the batch."""
        return self.admitted.batch


class Doorkeeper:
    """Asks of every batch, within its transaction, what of it may be stored."""

    def __init__(self, connection: sqlite3.Connection, policy: Policy) -> None:
        self._connection = connection
        self._forbidding = Forbidding(rules=policy.never_index, repo_of=policy.repo_of)
        self._at: tuple[str, Unit] | None = None
        self._admission: Admission | None = None

    def admit(
        self, source: str, unit: Unit, batch: Batch, *, is_first: bool, now: datetime
    ) -> Entering:
        """Return what of a batch may be stored.

        Args:
            is_first: A reading of the unit begins with it.
        """
        bans = Bans(self._connection)
        if not (bans or self._forbidding):
            self._admission = None
            return Entering(admitted=Admitted(batch=batch))
        if is_first or self._admission is None or self._at != (source, unit):
            self._admission = self._new_admission(source, unit, now)
            self._at = (source, unit)
        if not is_first and self._has_lost(source, unit):
            self._admission.has_kept_out = True
        admitted = self._admission.admit(batch, bans)
        purged = self._purge(admitted, now)
        is_unknown = _row_of(self._connection, source, unit) is None
        has_kept_out = self._admission.has_kept_out
        return Entering(
            admitted=admitted,
            passed_over=admitted.is_empty and has_kept_out and is_unknown,
            begins_anew=is_unknown and not is_first,
            is_thinned=has_kept_out,
            purged=purged,
        )

    def leave(
        self, source: str, unit: Unit, *, parser_version: int, settled: bool
    ) -> None:
        """Forget a unit that was read to its end and of which nothing was stored."""
        if self._admission is None or not self._admission.has_kept_out:
            return
        row = _row_of(self._connection, source, unit)
        if row is not None:
            if not drop_unit_if_unused(self._connection, row[0]):
                return
            note_scrub(self._connection, Scrub.PAGES)  # that has the unit's name
        if settled:
            keep_out_unit(self._connection, source, unit, parser_version=parser_version)

    def take_titles(self, source: str, unit: Unit, admitted: Admitted) -> None:
        """Take from conversations that lost messages what this unit called them."""
        row = _row_of(self._connection, source, unit)
        keys = {conversation_key(source, each) for each in admitted.thinned}
        for conversation in sorted(ids_of(self._connection, keys)):
            untitle(self._connection, conversation, file=row and row[0])

    def _new_admission(self, source: str, unit: Unit, now: datetime) -> Admission:
        return Admission(
            source,
            forbidding=self._forbidding,
            is_forbidden=forbids_path(self._forbidding.rules, os.fspath(unit.path)),
            is_recorded=lambda key: bool(ids_of(self._connection, [key])),
            rule_entry=lambda: rule_entry(self._connection, at=milliseconds(now)),
        )

    def _has_lost(self, source: str, unit: Unit) -> bool:
        """Say whether something of a unit was kept out, or removed by a forget.

        Since the last batch, that is, by another process.
        """
        row = _row_of(self._connection, source, unit)
        return row is None or row[1] == checkpoint_json(ANEW)

    def _purge(self, admitted: Admitted, now: datetime) -> int:
        """Remove what is recorded of conversations that a rule forbids from now on."""
        if not admitted.forbidden:
            return 0
        found = ids_of(self._connection, admitted.forbidden)
        return purge_by_rule(
            self._connection, found, new=len(admitted.forbidden) - len(found), now=now
        )


def _row_of(
    connection: sqlite3.Connection, source: str, unit: Unit
) -> tuple[int, str | None] | None:
    """Return the id and the checkpoint of a unit that is known."""
    row: tuple[int, str | None] | None = connection.execute(
        "SELECT id, checkpoint FROM source_file"
        " WHERE source = ? AND path = ? AND part = ?",
        (source, os.fsencode(unit.path), unit.part),
    ).fetchone()
    return row
