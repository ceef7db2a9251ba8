"""An SQLite without something: a statement with the word in LACKING is no statement."""

import functools
import os
import sqlite3
from typing import Any

_LACKING = os.environ["LACKING"]


class Connection(sqlite3.Connection):
    """A connection that answers as an SQLite that never heard of that word."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(_unheard_of(statement), *values)

    def executescript(self, statements: str) -> sqlite3.Cursor:
        return super().executescript(_unheard_of(statements))


def _unheard_of(statement: str) -> str:
    return statement.replace(_LACKING, "unheard_of unheard_of")


connect = functools.partial(sqlite3.connect, factory=Connection)
sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]
