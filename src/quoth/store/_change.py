"""One batch on its way into the tables: who owns what, what is live, what is new."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from quoth.model import NOTHING_KEPT_OUT, Batch, Message, NeverIndex, Rewind

from ._citations import met_under_earlier_rules, newest_under_earlier_rules
from ._conversations import Conversations
from ._derived import derived_from, index_columns, owner_of
from ._keys import fingerprint
from ._times import milliseconds
from ._tools import Holder, add_usage, attach_results, attach_tools

__all__ = ["Applied", "Change", "Policy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the store is told from outside.

    `embeddable` says which texts get vectors; `repo_of` names the root of the
    repository above a working folder, if it still stands. `never_index` is what must
    not be stored.
    """

    embeddable: Callable[[str], bool]
    repo_of: Callable[[str], str | None]
    never_index: NeverIndex = NOTHING_KEPT_OUT


@dataclass(slots=True, kw_only=True)
class Applied:
    """What one batch changed."""

    new_conversations: set[str] = field(default_factory=set)
    changed_conversations: set[str] = field(default_factory=set)
    new_messages: int = 0
    superseded: int = 0
    reopened: bool = False  # other files have to be read again
    kept_out: int = 0
    purged: int = 0


_MANY_VERSIONS = 100


class Change:
    """One batch on its way into the tables."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        source: str,
        file: int,
        policy: Policy,
        now: datetime,
    ) -> None:
        self._connection = connection
        self._source = source
        self._file = file
        self._policy = policy
        self._applied = Applied()
        self._touched: set[int] = set()  # messages whose home or life may have changed
        self._gained: Counter[int] = Counter()  # visible messages, by conversation
        self._gained_texts: Counter[int] = Counter()  # those of them that get vectors
        self._reading: int = connection.execute(
            "SELECT reading FROM source_file WHERE id = ?", (file,)
        ).fetchone()[0]
        self._told = Conversations(connection, source, file, self._reading, now)
        self._positions: dict[int, int] = {}
        self._keys: dict[int, str] = {}
        self._words: list[tuple[int, str, str, str, str]] = []  # for the index
        self._contexts: dict[tuple[str, str, str], int] = {}
        self._gone: dict[int, bool] = {}
        self._newest_under_earlier_rules = newest_under_earlier_rules(connection)

    def add(self, batch: Batch) -> None:
        for conversation in batch.conversations:
            self._told.add(conversation, repo=self._repo(conversation.cwd))
        for record in batch.records:
            if isinstance(record, Rewind):
                self._rewind(record)
            else:
                self._add_message(record)
        for usage in batch.usage:
            owner = self._told.identity(usage.conversation)
            add_usage(self._connection, self._source, owner, usage)

    def end(self, *, was_whole: bool) -> None:
        """Draw the line under a reading: what it didn't repeat is no longer so.

        Args:
            was_whole: The reading had come to its end before and only went on.
        """
        if self._reading > 1 and not was_whole:
            self._supersede_unseen()
        self._told.forget_untold()
        for conversation, file in self._told.outdated():
            self._supersede(
                "conversation = ? AND file = ?", (conversation, file), conversation
            )
        for copy in self._told.copies():
            self._supersede("conversation = ?", (copy,), copy)

    def _supersede_unseen(self) -> None:
        """Supersede what this file's latest reading, now at its end, didn't repeat."""
        rows = self._connection.execute(
            "SELECT conversation FROM told WHERE file = ?", (self._file,)
        ).fetchall()
        for (conversation,) in rows:
            dropped = self._supersede(
                "conversation = ? AND file = ? AND reading < ?",
                (conversation, self._file, self._reading),
                conversation,
            )
            if dropped:
                self._reopen_others(conversation)

    def _reopen_others(self, conversation: int) -> None:
        """Have other files of a conversation read again: they may hold what is dropped.

        A message has one origin among the files that hold it, and that one let it go.
        """
        others = self._connection.execute(
            "UPDATE source_file SET stamp = '', checkpoint = NULL WHERE id IN"
            " (SELECT file FROM told WHERE conversation = ? AND file <> ?)",
            (conversation, self._file),
        )
        self._applied.reopened |= others.rowcount > 0

    def finish(self) -> Applied:
        """Settle where each touched message is at home and count what is visible."""
        self._connection.executemany(
            "UPDATE told SET position = ? WHERE conversation = ? AND file = ?",
            [
                (last, conversation, self._file)
                for conversation, last in self._positions.items()
            ],
        )
        self._look_again()
        for message in sorted(self._touched):
            self._settle(message)
        self._index_words()
        self._connection.executemany(
            "UPDATE conversation SET messages = messages + ?, texts = texts + ?"
            " WHERE id = ?",
            [
                (gain, self._gained_texts[home], home)
                for home, gain in self._gained.items()
                if gain or self._gained_texts[home]
            ],
        )
        self._applied.new_conversations = self._told.new
        self._applied.changed_conversations |= self._told.retitled
        self._applied.changed_conversations -= self._told.new
        return self._applied

    def _index_words(self) -> None:
        """Index what was added, all at once.

        Before a statement that can be undone by itself, FTS5 writes out what it holds:
        among the others that would be a segment a message, a tenth of a sync.
        """
        self._connection.executemany(
            "INSERT INTO words (rowid, prompt, reply, tool, names)"
            " VALUES (?, ?, ?, ?, ?)",
            self._words,
        )

    def _look_again(self) -> None:
        """Look at messages held elsewhere too: who owns them may have changed."""
        for conversation in self._told.reordered:
            rows = self._connection.execute(
                "SELECT message FROM member JOIN conversation ON conversation.id = ?"
                " WHERE member.conversation = ? AND shares = 1 AND EXISTS ("
                "  SELECT 1 FROM member AS other WHERE other.message = member.message"
                "  AND other.conversation <> member.conversation)",
                (conversation, conversation),
            )
            self._touched.update(message for (message,) in rows)

    # Messages

    def _add_message(self, message: Message) -> None:
        conversation = self._told.identity(message.conversation)
        print_of = fingerprint(self._source, message)
        row = self._connection.execute(
            "SELECT id FROM message WHERE native_id = ? AND fingerprint = ?",
            (message.native_id, print_of),
        ).fetchone()
        identity = row and row[0]
        if identity is None and self._newest_under_earlier_rules:
            identity = met_under_earlier_rules(
                self._connection,
                self._source,
                message,
                print_of,
                newest=self._newest_under_earlier_rules,
            )
        holder = Holder(conversation, self._file, self._reading)
        if identity is None:
            identity = self._insert_message(message, print_of, conversation)
            self._join(conversation, identity, message, is_new=True)
            repo_of = self._policy.repo_of
            attach_tools(self._connection, repo_of, identity, holder, message)
        else:
            self._join(conversation, identity, message, is_new=False)
            # What it answers may be new: a rewritten call, or one read again.
            attach_results(self._connection, identity, holder, message)
        self._supersede_versions(message.native_id, identity, conversation)

    def _supersede_versions(
        self, native_id: str, identity: int, conversation: int
    ) -> None:
        """Supersede what this file's record said before, if it says another thing now.

        Looked for by its id; where half the world has that id, in the conversation.
        """
        others = self._connection.execute(
            "SELECT id FROM message WHERE native_id = ? AND id <> ? LIMIT ?",
            (native_id, identity, _MANY_VERSIONS),
        ).fetchall()
        if len(others) == _MANY_VERSIONS:
            self._supersede(
                "conversation = ? AND file = ? AND message <> ? AND EXISTS (SELECT 1"
                "  FROM message AS m WHERE m.id = member.message AND native_id = ?)",
                (conversation, self._file, identity, native_id),
                conversation,
            )
            return
        for (other,) in others:
            self._supersede(
                "conversation = ? AND message = ? AND file = ?",
                (conversation, other, self._file),
                conversation,
            )

    def _insert_message(
        self, message: Message, print_of: bytes, conversation: int
    ) -> int:
        derived = derived_from(
            message.text,
            role=message.role,
            is_noise=message.noise is not None,
            calls=[(call.name, call.input) for call in message.calls],
            embeddable=self._policy.embeddable,
        )
        identity: int = self._connection.execute(
            "INSERT INTO message (home, live, role, noise, at, approximate_time,"
            " is_command, begins, context, text_hash, native_id, fingerprint, author)"
            " VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                conversation,
                message.role,
                message.noise,
                milliseconds(message.at),
                message.approximate_time,
                message.is_command,
                message.begins,
                self._context(message),
                derived.text_hash,
                message.native_id,
                print_of,
                message.author,
            ),
        ).fetchone()[0]
        self._connection.execute(
            "INSERT INTO body (id, text, search_text, tool_words, names, reasoning)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                identity,
                message.text,
                derived.search_text,
                derived.tool_words,
                derived.names,
                message.reasoning or None,
            ),
        )
        if message.noise is None:
            self._applied.new_messages += 1
            columns = index_columns(message.text, message.role, derived)
            self._words.append((identity, *columns))
            self._gained[conversation] += 1
            self._gained_texts[conversation] += derived.text_hash is not None
        return identity

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
            self._insert_member(conversation, identity, message, shared=not is_new)
            return
        live, file, reading = member
        if file == self._file:
            takes_over = reading != self._reading
        else:
            takes_over = self._is_left(
                file, reading, live=bool(live)
            ) or self._told.is_later_than(file, conversation)
            if not takes_over:  # the other file says where it stands and if it is live
                return
        if takes_over:
            self._move_member(conversation, identity, message)
        if not live:
            self._connection.execute(
                "UPDATE member SET live = 1 WHERE conversation = ? AND message = ?",
                (conversation, identity),
            )
            self._touched.add(identity)
            self._changed(conversation)

    def _is_left(self, file: int, reading: int, *, live: bool) -> bool:
        """Say whether another file has lost a message of which it was the origin."""
        if self._is_gone(file):
            return True
        if live:
            return False
        latest: int = self._connection.execute(
            "SELECT reading FROM source_file WHERE id = ?", (file,)
        ).fetchone()[0]
        return reading < latest

    def _is_gone(self, file: int) -> bool:
        known = self._gone.get(file)
        if known is None:
            known = self._gone[file] = bool(
                self._connection.execute(
                    "SELECT gone_at IS NOT NULL FROM source_file WHERE id = ?", (file,)
                ).fetchone()[0]
            )
        return known

    def _move_member(self, conversation: int, identity: int, message: Message) -> None:
        self._connection.execute(
            "UPDATE member SET file = ?, reading = ?, position = ?, offset = ?,"
            " length = ?, path = ? WHERE conversation = ? AND message = ?",
            (
                self._file,
                self._reading,
                self._next_position(conversation),
                message.origin.offset,
                message.origin.length,
                message.origin.path,
                conversation,
                identity,
            ),
        )

    def _insert_member(
        self, conversation: int, identity: int, message: Message, *, shared: bool
    ) -> None:
        self._connection.execute(
            "INSERT INTO member (conversation, seq, message, live, file, reading,"
            " position, offset, length, path)"
            " SELECT id, next_seq, ?, 1, ?, ?, ?, ?, ?, ?"
            " FROM conversation WHERE id = ?",
            (
                identity,
                self._file,
                self._reading,
                self._next_position(conversation),
                message.origin.offset,
                message.origin.length,
                message.origin.path,
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
            row = self._connection.execute(
                "SELECT position FROM told"
                " WHERE conversation = ? AND file = ? AND reading = ?",
                (conversation, self._file, self._reading),
            ).fetchone()
            last = row[0]
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
        conversation = self._told.identity(rewind.conversation)
        row = self._connection.execute(
            "SELECT file, reading, position, member.live FROM message"
            " CROSS JOIN member ON message.id = message"
            " WHERE conversation = ? AND native_id = ?"
            " ORDER BY member.file = ? AND reading = ? DESC, member.live DESC,"
            " position DESC LIMIT 1",
            (conversation, rewind.first, self._file, self._reading),
        ).fetchone()
        if row is None or self._is_decided_by(row[0], conversation):
            return
        file, reading, position, live = row
        if file == self._file or live:  # else the copy that holds it has gone back too
            self._supersede(
                "conversation = ? AND file = ? AND reading = ? AND position >= ?",
                (conversation, file, reading, position),
                conversation,
            )
        if file != self._file:  # a copy holds it; what only this file has is later
            self._supersede(
                "conversation = ? AND file = ? AND reading = ?",
                (conversation, self._file, self._reading),
                conversation,
            )

    def _is_decided_by(self, file: int, conversation: int) -> bool:
        """Say whether another file has the last word on what is live.

        What a later telling repeats becomes its own, so that of tellings a message is
        left to the file that told it last.
        """
        return file != self._file and self._told.is_snapshot(conversation)

    def _supersede(
        self, condition: str, values: tuple[Any, ...], conversation: int
    ) -> int:
        """Supersede the live members that meet a condition; return how many."""
        rows = self._connection.execute(
            f"UPDATE member SET live = 0 WHERE live = 1 AND {condition}"
            " RETURNING message",
            values,
        ).fetchall()
        if rows:
            self._touched.update(message for (message,) in rows)
            self._changed(conversation)
        return len(rows)

    def _settle(self, message: int) -> None:
        """Decide which conversation owns a message, and count what that changes."""
        home, live, noise, has_text = self._connection.execute(
            "SELECT home, live, noise, text_hash IS NOT NULL FROM message WHERE id = ?",
            (message,),
        ).fetchone()
        new_home, new_live = self._connection.execute(
            owner_of("?", "member.conversation, member.live"), (message,)
        ).fetchone()
        if noise is None:
            self._applied.superseded += live > new_live
            self._gained[home] -= live
            self._gained[new_home] += new_live
            self._gained_texts[home] -= live and has_text
            self._gained_texts[new_home] += new_live and has_text
        if (home, live) != (new_home, new_live):
            self._connection.execute(
                "UPDATE message SET home = ?, live = ? WHERE id = ?",
                (new_home, new_live, message),
            )
        if home != new_home:
            self._connection.execute(
                "UPDATE usage SET conversation = ? WHERE message = ?",
                (new_home, message),
            )

    # What the writer was told

    def _repo(self, cwd: str | None) -> str | None:
        return self._policy.repo_of(cwd) if cwd else None

    def _context(self, message: Message) -> int:
        """Return the id of the model, folder and branch a message was written under."""
        values = (message.model or "", message.cwd or "", message.branch or "")
        found = self._contexts.get(values)
        if found is None:
            found = self._contexts[values] = self._connection.execute(
                "INSERT INTO context (model, cwd, branch) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET model = model RETURNING id",
                values,
            ).fetchone()[0]
        return found
