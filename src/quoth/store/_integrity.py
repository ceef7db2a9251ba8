"""Does the archive contradict itself? Questions to a reader; nothing is written.

FTS5's own check is a statement that writes: it needs the lock, and a folder one may
write to. What it would find is found here by reading: a walk of the whole vocabulary
decodes every page of the index, and three sums that are kept apart (of the index, of
its rows, of its header) have to agree. Only a sample is compared with the texts
themselves, unless all is asked for.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from ._change import Policy
from ._checkpoints import checkpoint_from
from ._claims import (
    CONVERSATIONS,
    NOTES,
    OWNERS,
    ROWS,
    TITLES,
    UNITS,
    VECTORS,
    WORDS,
)
from ._conversations import words_of
from ._derived import Stored, stored_messages
from ._doc_values import wrong_blocks
from ._rows import blob, sound_rows, text_or_none
from ._schema import TOKENIZER, objects_in, objects_made

__all__ = [
    "Fault",
    "conversation_faults",
    "doc_value_faults",
    "file_faults",
    "has_log",
    "owner_faults",
    "row_faults",
    "title_faults",
    "unit_faults",
    "vector_faults",
    "word_faults",
]

_BATCH = 2_000
_ASKED_FOR = 500
"""Messages that are looked for by their words, some ms each at 100,000."""

_FIRST_CHARACTERS = 400
_LONGEST_WORDS = 3
_COLUMNS = ("prompt", "reply", "tool", "names")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that contradicts something else: what it is called, and how many."""

    what: str
    count: int


def has_log(connection: sqlite3.Connection) -> bool:
    """Say whether changes go through a write-ahead log, past those who read."""
    return bool(connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal")


def file_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Ask SQLite whether its file is whole. Never in its words: they may quote rows."""
    said = connection.execute("PRAGMA integrity_check").fetchall()
    broken = 0 if said == [("ok",)] else len(said)
    dangling = len(connection.execute("PRAGMA foreign_key_check").fetchall())
    found, made = objects_in(connection), objects_made()
    return _met(
        {
            "contradictions that SQLite found in its file": broken,
            "rows that belong to a row that is gone": dangling,
            "tables, views, indexes or triggers that quoth never makes": len(
                found - made
            ),
            "tables, views or indexes that are missing": len(made - found),
        }
    )


def row_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for rows that are lost or make no sense, which nothing can make again."""
    return _counted(connection, ROWS)


def owner_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for messages that are at home, or shown, where they should not be."""
    return _counted(connection, OWNERS)


def conversation_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for conversations that say something else than their rows."""
    rows = connection.execute("SELECT title, title_words FROM conversation")
    with sound_rows(connection):
        wrong = sum(words_of(text_or_none(title)) != words for title, words in rows)
    return [
        *_counted(connection, CONVERSATIONS),
        *_met({"titles with other words than they have": wrong}),
    ]


def unit_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for checkpoints that nobody can go on from."""
    stored = connection.execute(
        "SELECT checkpoint FROM source_file WHERE checkpoint IS NOT NULL"
    )
    senseless = sum(checkpoint_from(row[0]) is None for row in stored)
    return [
        *_counted(connection, UNITS),
        *_counted(connection, NOTES),
        *_met({"files whose checkpoint makes no sense": senseless}),
    ]


def vector_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for vectors of nothing, of a wrong width, and those that will never come."""
    return _counted(connection, VECTORS)


def doc_value_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Compare what ranking knows of each message with the message."""
    return _met({"blocks of values that messages don't have": wrong_blocks(connection)})


# The word indexes


def title_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Look for titles that can't be found, and found ones that are none."""
    sums = _disagreeing_sums(connection, "titles", columns=1)
    return [
        *_counted(connection, TITLES),
        *_met({"sums of the title index that disagree": sums}),
    ]


def word_faults(
    connection: sqlite3.Connection, policy: Policy, *, most: int | None
) -> list[Fault]:
    """Look for messages that can't be found by their words, or by others.

    Args:
        most: How many messages are compared with the index, text by text; None for all.
    """
    sums = _disagreeing_sums(connection, "words", columns=len(_COLUMNS))
    return [
        *_counted(connection, WORDS),
        *_met({"sums of the word index that disagree": sums}),
        *_text_faults(connection, policy, most=most),
    ]


def _sampled(connection: sqlite3.Connection, *, most: int | None) -> list[int]:
    """Return the ids of at most *most* messages, as far apart as they can be."""
    last = connection.execute("SELECT max(id) FROM message").fetchone()[0] or 0
    if most is None or last <= most:
        rows = connection.execute("SELECT id FROM message ORDER BY id").fetchall()
        return [identity for (identity,) in rows]
    found = (
        connection.execute(
            "SELECT id FROM message WHERE id >= ? ORDER BY id LIMIT 1", (first,)
        ).fetchone()
        for first in range(1, last + 1, -(-last // most))
    )
    return sorted({row[0] for row in found if row})


def _disagreeing_sums(
    connection: sqlite3.Connection, index: str, *, columns: int
) -> int:
    """Count the sums of tokens that differ: in the index, its rows and its header."""
    walked = _walked(connection, index)
    by_row, rows = [0] * columns, 0
    with sound_rows(connection):
        for (size,) in connection.execute(f"SELECT sz FROM {index}_docsize"):
            rows += 1
            lengths = _numbers_in(blob(size))
            by_row = [one + more for one, more in zip(by_row, lengths, strict=True)]
        header = connection.execute(
            f"SELECT block FROM {index}_data WHERE id = 1"
        ).fetchone()
        kept = _numbers_in(blob(header[0])) if header and header[0] else []
    kept += [0] * (columns + 1 - len(kept))  # an index without rows has no header
    return (kept != [rows, *by_row]) + (walked != sum(by_row))


def _walked(connection: sqlite3.Connection, index: str) -> int:
    """Return how many tokens an index holds, having decoded all of it."""
    # The walk is a table of its own, in memory: the archive's file is open to be read
    # only, and stays so.
    connection.execute("PRAGMA query_only = OFF")
    try:
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.walked USING fts5vocab (main, {index}, 'row')"
        )
        try:
            row = connection.execute("SELECT total(cnt) FROM temp.walked").fetchone()
        finally:
            connection.execute("DROP TABLE temp.walked")
    finally:
        connection.execute("PRAGMA query_only = ON")
    return int(row[0])


def _numbers_in(packed: bytes) -> list[int]:
    """Return the whole numbers in *packed*, seven bits a byte as SQLite writes them."""
    numbers, value, length = [], 0, 0
    for byte in packed:
        length += 1
        if length < 9:
            value = value << 7 | byte & 0x7F
        if length == 9:
            value = value << 8 | byte
        if length == 9 or byte < 0x80:
            numbers.append(value)
            value = length = 0
    return numbers


def _text_faults(
    connection: sqlite3.Connection, policy: Policy, *, most: int | None
) -> list[Fault]:
    """Compare what is stored of messages with what their texts give."""
    messages = _sampled(connection, most=most)
    recorded = connection.execute("SELECT count(*) FROM message").fetchone()[0]
    is_all = len(messages) == recorded
    asked_for = {*messages[:: max(1, len(messages) // _ASKED_FOR)]}
    misderived = misindexed = 0
    held: Counter[str] = Counter()  # how many messages hold each word
    for start in range(0, len(messages), _BATCH):
        some = [*stored_messages(connection, messages[start : start + _BATCH])]
        misderived += sum(
            each.derived != each.derived_anew(policy.embeddable) for each in some
        )
        indexed = [each for each in some if not each.is_noise and each.size is not None]
        with closing(_scratch_index(indexed)) as scratch:
            misindexed += _misindexed(connection, scratch, indexed, asked_for)
            if is_all:
                held.update(dict(scratch.execute(_VOCABULARY).fetchall()))
    return _met(
        {
            "messages with other words than their text has": misderived,
            "messages indexed with other words than they have": misindexed,
            "words that the index has in other messages": (
                _misheld(connection, held) if is_all else 0
            ),
        }
    )


_VOCABULARY = "SELECT term, doc FROM words_vocabulary"


def _scratch_index(messages: Sequence[Stored]) -> sqlite3.Connection:
    """Return an index of *messages* alone, made here and now, in memory."""
    scratch = sqlite3.connect(":memory:", isolation_level=None)
    scratch.execute(
        "CREATE VIRTUAL TABLE words USING fts5"
        f" ({', '.join(_COLUMNS)}, content = '', tokenize = '{TOKENIZER}')"
    )
    scratch.execute(
        "CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab (words, row)"
    )
    scratch.execute("BEGIN")
    scratch.executemany(
        "INSERT INTO words (rowid, prompt, reply, tool, names) VALUES (?, ?, ?, ?, ?)",
        [(each.id, *each.columns()) for each in messages],
    )
    scratch.execute("COMMIT")
    return scratch


def _misindexed(
    connection: sqlite3.Connection,
    scratch: sqlite3.Connection,
    messages: Sequence[Stored],
    asked_for: Collection[int],
) -> int:
    """Count messages that the index made here holds in another way."""
    sizes = dict(scratch.execute("SELECT id, sz FROM words_docsize").fetchall())
    return sum(
        each.size != sizes[each.id]
        or any(
            _holds(connection, each.id, asked) != _holds(scratch, each.id, asked)
            for asked in (_questions(each) if each.id in asked_for else ())
        )
        for each in messages
    )


def _misheld(connection: sqlite3.Connection, held: Counter[str]) -> int:
    """Count words that the index has in more or fewer messages than there are."""
    left = Counter(held)
    left.subtract(dict(connection.execute(_VOCABULARY).fetchall()))
    return sum(map(bool, left.values()))


def _questions(message: Stored) -> Iterator[str]:
    """Yield what finds a message in each column: the longest of its first words.

    Those are rare: to find one message among many by frequent words takes 4 ms each.
    """
    for column, words in zip(_COLUMNS, message.columns(), strict=True):
        first = words[:_FIRST_CHARACTERS].replace('"', " ").replace("\0", " ").split()
        longest = sorted({*first}, key=lambda word: (-len(word), word))[:_LONGEST_WORDS]
        if longest:
            asked = " AND ".join(f'"{word}"' for word in longest)
            yield f"{column} : ({asked})"


def _holds(connection: sqlite3.Connection, message: int, match: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?", (match, message)
    ).fetchone()
    return row is not None


def _counted(connection: sqlite3.Connection, claims: Mapping[str, str]) -> list[Fault]:
    """Return how often each claim is broken, of those that are."""
    return _met(
        {
            what: connection.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
            for what, query in claims.items()
        }
    )


def _met(counts: Mapping[str, int]) -> list[Fault]:
    return [Fault(what, count) for what, count in counts.items() if count]
