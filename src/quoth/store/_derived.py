"""What the rows of a message imply: its words, its vectors' key, whose it is."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quoth.model import Role

from ._conversations import words_of
from ._index_text import identifier_parts, split_cjk
from ._keys import text_hash
from ._rows import sound_rows, text, text_or_none

__all__ = ["OWNER", "Derived", "Stored", "stored_messages"]

OWNER = (
    "SELECT {wanted} FROM member JOIN conversation AS holder"
    " ON holder.id = member.conversation WHERE member.message = m.id"
    " ORDER BY member.live DESC, holder.kind = 'fork', holder.ended_at IS NULL,"
    " holder.ended_at, holder.key LIMIT 1"
)
"""Of the conversations that hold message `m`, the one it is at home in: the rule of
`Change` for one message, as part of a statement about many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """All of a message that can be made again from what it says and calls."""

    search_text: str | None
    tool_words: str | None
    names: str | None
    text_hash: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A message as it is stored, with what was derived from it then.

    `size` is what the word index says of its length, None when it isn't in there.
    """

    id: int
    role: str
    is_noise: bool
    text: str
    calls: tuple[tuple[str, str], ...]
    derived: Derived
    size: bytes | None

    def derived_anew(self, embeddable: Callable[[str], bool]) -> Derived:
        """Return what is to be stored beside what it says."""
        tools = "\n".join(
            f"{name} {given}" if given else name for name, given in self.calls
        )
        gets_vectors = (
            not self.is_noise
            and self.role in (Role.USER, Role.ASSISTANT)
            and embeddable(self.text)
        )
        return Derived(
            search_text=words_of(self.text),
            tool_words=split_cjk(tools) or None,
            names=identifier_parts(f"{self.text}\n{tools}") or None,
            text_hash=text_hash(self.text) if gets_vectors else None,
        )

    def columns(self) -> tuple[str, str, str, str]:
        """Return what the word index is given of it: prompt, reply, tool, names."""
        said = self.derived.search_text
        words = self.text if said is None else said
        called = self.derived.tool_words or ""
        return (
            words if self.role == Role.USER else "",
            words if self.role == Role.ASSISTANT else "",
            words if self.role == Role.TOOL else called,
            self.derived.names or "",
        )


def stored_messages(
    connection: sqlite3.Connection, messages: Sequence[int]
) -> Iterator[Stored]:
    """Yield those of *messages* that have a text, by their id."""
    wanted = json.dumps(list(messages))
    calls = _calls(connection, wanted)
    for row in connection.execute(
        "SELECT m.id, m.role, m.noise IS NOT NULL, b.text, b.search_text,"
        " b.tool_words, b.names, m.text_hash, w.sz FROM json_each(?) AS wanted"
        " JOIN message m ON m.id = wanted.value JOIN body b ON b.id = m.id"
        " LEFT JOIN words_docsize w ON w.id = m.id ORDER BY m.id",
        (wanted,),
    ):
        with sound_rows(connection):
            yield Stored(
                id=row[0],
                role=text(row[1]),
                is_noise=bool(row[2]),
                text=text(row[3]),
                calls=tuple(calls[row[0]]),
                derived=Derived(
                    search_text=text_or_none(row[4]),
                    tool_words=text_or_none(row[5]),
                    names=text_or_none(row[6]),
                    text_hash=row[7],
                ),
                size=row[8],
            )


def _calls(
    connection: sqlite3.Connection, wanted: str
) -> defaultdict[int, list[tuple[str, str]]]:
    """Return (name, input) of what each message calls: no orphaned answers."""
    calls: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for message, name, given in connection.execute(
        "SELECT message, name, input FROM tool_call WHERE message IN"
        " (SELECT value FROM json_each(?)) AND result_message IS NOT message"
        " ORDER BY id",
        (wanted,),
    ):
        with sound_rows(connection):
            calls[message].append((text(name), text(given)))
    return calls
