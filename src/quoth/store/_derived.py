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

__all__ = [
    "Derived",
    "Stored",
    "derived_from",
    "index_columns",
    "owner_of",
    "stored_messages",
]


def owner_of(message: str, wanted: str) -> str:
    """Return the statement for the conversation that a message is at home in.

    By what does not depend on the order of reading: a live member before a superseded
    one, an original before a fork; then the one that ended first, since a copy goes on
    from where the original stopped.

    Args:
        message: The message's id, as SQL.
        wanted: The columns of `member` to return.
    """
    return (
        f"SELECT {wanted} FROM member JOIN conversation AS holder"
        f" ON holder.id = member.conversation WHERE member.message = {message}"
        " ORDER BY member.live DESC, holder.kind = 'fork', holder.ended_at IS NULL,"
        " holder.ended_at, holder.key LIMIT 1"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """All of a message that can be made again from what it says and calls."""

    search_text: str | None
    tool_words: str | None
    names: str | None
    text_hash: bytes | None


def derived_from(
    text: str,
    *,
    role: str,
    is_noise: bool,
    calls: Sequence[tuple[str, str]],
    embeddable: Callable[[str], bool],
) -> Derived:
    """Return what is stored beside a text and the (name, input) of its calls."""
    tools = "\n".join(f"{name} {given}" if given else name for name, given in calls)
    gets_vectors = (
        not is_noise and role in (Role.USER, Role.ASSISTANT) and embeddable(text)
    )
    return Derived(
        search_text=words_of(text),
        tool_words=split_cjk(tools) or None,
        names=identifier_parts(f"{text}\n{tools}") or None,
        text_hash=text_hash(text) if gets_vectors else None,
    )


def index_columns(text: str, role: str, derived: Derived) -> tuple[str, str, str, str]:
    """Return what the word index is given of a message: prompt, reply, tool, names."""
    words = text if derived.search_text is None else derived.search_text
    return (
        words if role == Role.USER else "",
        words if role == Role.ASSISTANT else "",
        words if role == Role.TOOL else derived.tool_words or "",
        derived.names or "",
    )


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
        return derived_from(
            self.text,
            role=self.role,
            is_noise=self.is_noise,
            calls=self.calls,
            embeddable=embeddable,
        )

    def columns(self) -> tuple[str, str, str, str]:
        """Return what the word index is given of it."""
        return index_columns(self.text, self.role, self.derived)


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
