"""The index's own tokenizer, for questions and for marking what matched."""

from __future__ import annotations

import re
import sqlite3

from ._index_text import split_cjk, split_names
from ._schema import TOKENIZER

__all__ = ["Tokenizer"]

_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # never characters, so never part of a token
_PRIVATE = str.maketrans({_OPEN: " ", _CLOSE: " ", "\0": " "})
_UNSTEMMED = TOKENIZER.removeprefix("porter ")
_MARKED = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")

Span = tuple[int, int]


class Tokenizer:
    """Cuts text exactly as the archive's index does, in memory."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.executescript(
            "CREATE VIRTUAL TABLE scratch USING fts5"
            f" (text, names, tokenize = '{TOKENIZER}');"
            "CREATE VIRTUAL TABLE seen USING fts5vocab (scratch, instance);"
            f"CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = '{_UNSTEMMED}');"
            "CREATE VIRTUAL TABLE read USING fts5vocab (plain, instance);"
        )

    def close(self) -> None:
        """Let the memory go."""
        self._connection.close()

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of *text* in order, folded and stemmed."""
        self._put(split_cjk(text))
        rows = self._connection.execute("SELECT term FROM seen ORDER BY offset")
        return [term for (term,) in rows]

    def words(self, text: str) -> list[str]:
        """Return the tokens of *text* in order, folded but not stemmed.

        A stem is not a word one could look for: stemmed again, it may become shorter.
        """
        self._connection.execute("DELETE FROM plain")
        self._connection.execute(
            "INSERT INTO plain (text) VALUES (?)", (split_cjk(text),)
        )
        rows = self._connection.execute("SELECT term FROM read ORDER BY offset")
        return [term for (term,) in rows]

    def marks(self, text: str, match: str) -> list[Span]:
        """Return (start, end) of what *match* finds in *text*, in order of its columns.

        The expression may name the column `names`: it holds the parts of names here
        too. Spans of the two columns may overlap.
        """
        text = text.translate(_PRIVATE)
        split = split_cjk(text)
        parted = split_names(split)
        self._put(split, parted if parted != split else "")
        row = self._connection.execute(
            "SELECT highlight(scratch, 0, ?, ?), highlight(scratch, 1, ?, ?)"
            " FROM scratch WHERE scratch MATCH ?",
            (_OPEN, _CLOSE, _OPEN, _CLOSE, match),
        ).fetchone()
        return [span for marked in row or () for span in _spans(marked, text)]

    def _put(self, text: str, names: str = "") -> None:
        self._connection.execute("DELETE FROM scratch")
        self._connection.execute(
            "INSERT INTO scratch (text, names) VALUES (?, ?)", (text, names)
        )


def _spans(marked: str, text: str) -> list[Span]:
    """Return the marked places of *text*, of which *marked* has more spaces."""
    if _OPEN not in marked:
        return []
    if len(marked) - 2 * marked.count(_OPEN) == len(text):
        return [
            (match.start() - 2 * index, match.end() - 2 * index - 2)
            for index, match in enumerate(_MARKED.finditer(marked))
        ]
    return _aligned(marked, text)


def _aligned(marked: str, text: str) -> list[Span]:
    spans = []
    position = start = 0
    for character in marked:
        if character == _OPEN:
            start = position
        elif character == _CLOSE:
            spans.append((start, position))
        elif text[position : position + 1] == character:
            position += 1
    return spans
