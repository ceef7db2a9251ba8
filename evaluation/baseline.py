"""What plain SQLite finds: FTS5, Porter stemming, any word, without stop words.

It already equals most public claims, so it runs beside everything that is measured. The
best message stands for its session.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["Baseline"]

_DEPTH = 50

_STOP_WORDS = """
    a about above after again against all also am an and any are as at be because been
    before being below between both but by can could did do does doing don down during
    each few for from further had has have having he her here hers him his how i if in
    into is it its just me more most my no nor not now of off on once only or other our
    out over own same she should so some such than that the their them then there these
    they this those through to too under until up very was we were what when where which
    while who whom why will with would you your
"""


class Baseline:
    """A word index over the messages of a library."""

    def __init__(self, sessions: Iterable[Mapping[str, Any]]) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE messages USING fts5"
            " (text, id UNINDEXED, session UNINDEXED, tokenize = 'porter unicode61')"
        )
        self._connection.executemany(
            "INSERT INTO messages VALUES (?, ?, ?)",
            [
                (message["text"], message["id"], session["session"])
                for session in sessions
                for message in session["messages"]
                if message["text"].strip()
            ],
        )

    def asked(self, question: str) -> tuple[list[str], list[str]]:
        """Return messages and sessions, best first."""
        stop_words = _STOP_WORDS.split()
        words = dict.fromkeys(re.findall(r"\w+", question.lower()))
        kept = [word for word in words if word not in stop_words] or [*words]
        rows = self._connection.execute(
            "SELECT id, session FROM messages WHERE messages MATCH ?"
            " ORDER BY bm25(messages) LIMIT 2000",
            (" OR ".join(f'"{word}"' for word in kept),),
        ).fetchall()
        sessions = list(dict.fromkeys(session for _, session in rows))
        return [message for message, _ in rows[:_DEPTH]], sessions[:_DEPTH]

    def close(self) -> None:
        """Let it go."""
        self._connection.close()
