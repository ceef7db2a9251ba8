"""The index's own tokenizer, for questions and for marking what matched."""

from __future__ import annotations

import sqlite3

from ._index_text import split_cjk
from ._schema import TOKENIZER

__all__ = ["Tokenizer"]

_OPEN, _CLOSE = "\ue000", "\ue001"  # private use: no token, and put by nobody
_PRIVATE = str.maketrans({_OPEN: " ", _CLOSE: " "})


class Tokenizer:
    """Cuts text exactly as the archive's index does, in memory."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.executescript(
            f"CREATE VIRTUAL TABLE scratch USING fts5 (text, tokenize = '{TOKENIZER}');"
            "CREATE VIRTUAL TABLE seen USING fts5vocab (scratch, instance);"
        )

    def close(self) -> None:
        """Let the memory go."""
        self._connection.close()

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of *text* in order, folded and stemmed."""
        self._put(split_cjk(text))
        rows = self._connection.execute("SELECT term FROM seen ORDER BY offset")
        return [term for (term,) in rows]

    def marks(self, text: str, match: str) -> list[tuple[int, int]]:
        """Return (start, end) of what the expression *match* finds in *text*.

        CJK characters must be handled by the caller: *text* is not split here.
        """
        self._put(text.translate(_PRIVATE))
        row = self._connection.execute(
            "SELECT highlight(scratch, 0, ?, ?) FROM scratch WHERE scratch MATCH ?",
            (_OPEN, _CLOSE, match),
        ).fetchone()
        return _spans(row[0]) if row else []

    def _put(self, text: str) -> None:
        self._connection.execute("DELETE FROM scratch")
        self._connection.execute("INSERT INTO scratch (text) VALUES (?)", (text,))


def _spans(marked: str) -> list[tuple[int, int]]:
    spans = []
    position = start = 0
    for character in marked:
        if character == _OPEN:
            start = position
        elif character == _CLOSE:
            spans.append((start, position))
        else:
            position += 1
    return spans
