"""Forgetting from beginning to end: tables, the list beside them, every other file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

from quoth.model import ForgetPlan, Forgotten

from ._ban_file import BanFile, content_of, entries_in, mark_of, take_in
from ._forbidden import follow_rules, have_changed
from ._forget import Done, forget, purge_banned, undo
from ._meta import meta, set_meta
from ._never_index import Forbidding
from ._scrub import (
    Scrub,
    empty_log,
    is_for_lack_of_room,
    merge_word_indexes,
    prune_pages,
    remove_flat_copies,
    scrub_noted,
    settle_scrub,
    write_pages_anew,
)

__all__ = ["Forgetting"]

_MARK = "ban_file"


class Forgetting:
    """What an `ArchiveWriter` does to forget, and to keep out what was forgotten.

    Args:
        transaction: Begins one of the writer's, under the write lock.
        lock: Holds that lock alone.
    """

    def __init__(
        self,
        home: Path,
        connection: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[sqlite3.Connection]],
        lock: Callable[[], AbstractContextManager[None]],
        forbidding: Forbidding,
    ) -> None:
        self._home = home
        self._connection = connection
        self._transaction = transaction
        self._lock = lock
        self._forbidding = forbidding
        self._file = BanFile(home)

    def agree(self) -> None:
        """Make the archive and the list beside it ban the same, and hold none of it.

        One small read when they do. Else a backup was restored, or the archive or the
        list was removed: what either bans, both do from now on.

        Raises:
            ArchiveDamagedError: The list is damaged; it is left as it is.
            ArchiveTooNewError: A later quoth wrote it.
        """
        if self._file.mark() == meta(self._connection, _MARK):
            return
        with self._transaction() as connection:
            if take_in(connection, self._file.read()):
                purge_banned(connection)
            self._save(connection)

    def forget(self, plan: ForgetPlan, *, now: datetime) -> Done:
        """Remove the conversations of a plan from the tables, and ban them.

        Raises:
            ArchiveDamagedError: The list of what was forgotten is damaged.
        """
        self.agree()
        with self._transaction() as connection:
            done = forget(connection, plan, now=now)
            self._save(connection)
        return done

    def undo(self, entry: int, *, now: datetime) -> Forgotten:
        """Lift an entry, so that what it bans may be recorded again.

        Raises:
            NotRecordedError: There is none of that number.
            UsageError: A rule made it.
            ArchiveDamagedError: The list of what was forgotten is damaged.
        """
        self.agree()
        with self._transaction() as connection:
            lifted = undo(connection, entry, now=now)
            self._save(connection)
        return lifted

    def follow_rules(self, *, now: datetime) -> int:
        """Remove what the person's rules forbid, if those changed; say how many."""
        if not have_changed(self._connection, self._forbidding):
            return 0
        with self._transaction() as connection:
            return follow_rules(connection, self._forbidding, now=now)

    def finish(self, *, wait_s: float, alone: bool) -> bool:
        """Remove the last traces of what was removed; say whether none is left.

        Nothing is done when there is nothing to do. A crash within it, a full disk, or
        a program that reads for longer than *wait_s*, leaves the rest for later.

        Args:
            alone: No other process can be writing a copy of the vectors.
        """
        try:
            return self._finish(wait_s=wait_s, alone=alone)
        except sqlite3.OperationalError as exc:
            if not is_for_lack_of_room(exc):
                raise
        with suppress(sqlite3.OperationalError):  # that takes the least room
            empty_log(self._connection, wait_s=wait_s)
        return False

    def _finish(self, *, wait_s: float, alone: bool) -> bool:
        left = scrub_noted(self._connection)
        if left is Scrub.NOTHING:
            return True
        if left >= Scrub.WORDS:
            with self._transaction() as connection:
                merge_word_indexes(connection)
        if left >= Scrub.COPIES:
            remove_flat_copies(self._home, unfinished=alone)
            prune_pages(self._home, self._connection)
        if left >= Scrub.PAGES:
            with self._lock():
                write_pages_anew(self._connection, self._home)
        self._settle(Scrub.LOG)
        if not empty_log(self._connection, wait_s=wait_s):
            return False
        self._settle(Scrub.NOTHING)
        return True

    def finish_log(self) -> None:
        """Empty the log if that is all that is left to do and nobody reads."""
        if scrub_noted(self._connection) is Scrub.LOG:
            self.finish(wait_s=0.0, alone=False)

    def _settle(self, left: Scrub) -> None:
        with self._transaction() as connection:
            settle_scrub(connection, left)

    def _save(self, connection: sqlite3.Connection) -> None:
        """Write the list, before the transaction ends: of two, the stricter stays.

        Killed in between, the list bans more than the archive, which then follows.
        """
        entries = entries_in(connection)
        if not entries and self._file.mark() is None:
            return
        content = content_of(entries)
        set_meta(connection, _MARK, mark_of(content))
        self._file.write(content)
