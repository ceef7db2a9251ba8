"""What ranking must know of every message, packed so that it is read in one go.

Row by row, 190,000 messages take 100 ms to read; packed 256 to a row they take 3.
Search engines call it doc values. Triggers throw away the block of whatever changes, so
that a block is right or absent; one that is absent is made from the messages, by a
search for itself and by the end of a sync for good.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quoth.model import Role

from ._rows import sound_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "NO_TIME",
    "DocValues",
    "read_doc_values",
    "refresh_doc_values",
    "wrong_blocks",
]

_BITS = 8
_BLOCK = 1 << _BITS
"""Messages. The schema's triggers shift by the same."""

_MOST_BLOCKS = 400_000
"""100 million messages, 1.5 GB. A higher id is none that quoth gave."""

NO_TIME = -(2**63)
"""In the place of the time of a message that tells none."""

_LONGEST = 65_535
_ROLES = {role: number for number, role in enumerate(Role)}
_LIVE, _ROLE = 0x80, 0x7F
_COLUMNS = (("home", "<i4"), ("at", "<i8"), ("length", "<u2"), ("state", "<u1"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DocValues:
    """Columns of all messages, each indexed by a message's id.

    `home` int32 is the conversation it is at home in, 0 where there is no message that
    could be found; `at` int64 milliseconds, or `NO_TIME`; `length` uint16 tokens, of
    all it says and of what its tools were given; `state` uint8 holds its role, and
    whether it is live.
    """

    home: NDArray[np.int32]
    at: NDArray[np.int64]
    length: NDArray[np.uint16]
    state: NDArray[np.uint8]

    @property
    def is_there(self) -> NDArray[np.bool_]:
        """Which ids are messages that can be found, superseded ones too."""
        return self.home > 0

    @property
    def is_live(self) -> NDArray[np.bool_]:
        """Which messages are live."""
        return self.state >= _LIVE

    def has_role(self, role: Role) -> NDArray[np.bool_]:
        """Which messages a role wrote."""
        import numpy as np

        wrote: NDArray[np.bool_] = (self.state & _ROLE) == np.uint8(_ROLES[role])
        return wrote


def read_doc_values(connection: sqlite3.Connection) -> DocValues:
    """Return the columns as of the connection's moment."""
    import numpy as np

    newest = connection.execute("SELECT max(id) FROM message").fetchone()[0] or 0
    packed = dict(connection.execute("SELECT block, packed FROM doc_values").fetchall())
    with sound_rows(connection):
        wanted = range(_blocks(newest))
        parts = [packed.get(b) or _packed(connection, b) for b in wanted]
        layout = np.dtype([(name, kind, _BLOCK) for name, kind in _COLUMNS])
        if any(len(part) != layout.itemsize for part in parts):
            raise ValueError("a block of another size")
        blocks = np.frombuffer(b"".join(parts), layout)
    return DocValues(**{name: blocks[name].reshape(-1) for name, _ in _COLUMNS})


def _blocks(newest: object) -> int:
    if not isinstance(newest, int) or not 0 <= newest >> _BITS < _MOST_BLOCKS:
        raise ValueError(newest)
    return (newest >> _BITS) + 1


def refresh_doc_values(connection: sqlite3.Connection) -> None:
    """Make the blocks that are absent. Called within a transaction."""
    newest = connection.execute("SELECT max(id) FROM message").fetchone()[0] or 0
    there = {block for (block,) in connection.execute("SELECT block FROM doc_values")}
    with sound_rows(connection):
        absent = [block for block in range(_blocks(newest)) if block not in there]
    for block in absent:
        connection.execute(
            "INSERT INTO doc_values VALUES (?, ?)", (block, _packed(connection, block))
        )


def wrong_blocks(connection: sqlite3.Connection) -> int:
    """Count the blocks that are not what the messages say."""
    kept = connection.execute("SELECT block, packed FROM doc_values").fetchall()
    return sum(packed != _packed(connection, block) for block, packed in kept)


def _packed(connection: sqlite3.Connection, block: int) -> bytes:
    """Make a block from the messages in it."""
    import numpy as np

    home, at, length, state = columns = [np.zeros(_BLOCK, kind) for _, kind in _COLUMNS]
    rows = connection.execute(
        "SELECT m.id, m.home, m.live, m.role, m.at, d.sz FROM message m"
        " LEFT JOIN words_docsize d ON d.id = m.id"
        " WHERE m.id >= ? AND m.id < ? AND m.noise IS NULL",
        (block << _BITS, (block + 1) << _BITS),
    )
    with sound_rows(connection):
        for identity, conversation, live, role, moment, sizes in rows:
            place = identity & (_BLOCK - 1)
            home[place] = conversation
            at[place] = NO_TIME if moment is None else moment
            length[place] = min(_tokens(sizes or b""), _LONGEST)
            state[place] = _ROLES.get(role, 0) | (_LIVE if live else 0)
    return b"".join(column.tobytes() for column in columns)


def _tokens(sizes: Iterable[int]) -> int:
    """Return how many tokens a row of FTS5 has, but for those of its last column.

    One SQLite varint a column; the last holds parts of names that stand in the others.
    """
    counts, value = [], 0
    for byte in sizes:
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            counts.append(value)
            value = 0
    return sum(counts[:-1])
