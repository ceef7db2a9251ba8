"""Words that the archive knows and that begin almost like a given one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from string import ascii_lowercase

from ._rows import number, sound_rows, text

__all__ = ["words_like"]

_LONG = 8
"""Letters from which on a word shares its first four with what it was to be; a shorter
one may end in its stem's fifth letter already."""

_LONGEST_ENDING = 8
"""Letters that a stem may lack: `-izations`."""

_END = "\U0010ffff"
_ITSELF = "\x01"
"""What a range ends with that holds what begins so, or one term alone."""

# Each range is found by the index, in 10 µs; what is walked is what stands in it.
_WITHIN = (
    "SELECT DISTINCT v.term, v.doc FROM json_each(?) AS range"
    " CROSS JOIN words_vocabulary v"
    " ON v.term >= range.value ->> 0 AND v.term < range.value ->> 1"
    " WHERE length(v.term) BETWEEN ? AND ? AND v.term NOT GLOB '*[0-9]*'"
    " ORDER BY v.term"
)


def words_like(connection: sqlite3.Connection, word: str) -> list[tuple[str, int]]:
    """Return the terms that *word* may be a slip for, with how many messages hold each.

    They are stems, by their spelling: those that begin as the word does, and those that
    would if one of its first letters were wrong, missing, too much or swapped with the
    next. How they go on is not compared. 4 to 15 ms with a million terms.

    Args:
        word: As the index folds it, but not stemmed.
    """
    ranges = json.dumps([*dict.fromkeys(_ranges(word))])
    lengths = (len(word) - _LONGEST_ENDING, len(word) + 2)
    rows = connection.execute(_WITHIN, (ranges, *lengths)).fetchall()
    with sound_rows(connection):
        return [(text(term), number(documents)) for term, documents in rows]


def _ranges(word: str) -> Iterator[tuple[str, str]]:
    """Yield from where to where to look: a letter further where the slip is early.

    A stem that ends before that letter is looked for where it costs little.
    """
    shared = 4 if len(word) >= _LONG else 3
    start = word[:shared]
    yield start, start + _END
    for index in range(min(shared, len(word))):
        head, tail = word[:index], word[index:]
        slips = [head + tail[1:], head + tail[1:2] + tail[:1] + tail[2:]]
        yield from ((slip[:shared], slip[:shared] + _ITSELF) for slip in slips)
        slips += [head + letter + tail for letter in ascii_lowercase]
        slips += [head + letter + tail[1:] for letter in ascii_lowercase]
        beginnings = [slip[: shared + 1] for slip in slips]
        yield from ((one, one + _END) for one in beginnings if one[:shared] != start)
