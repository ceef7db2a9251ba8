"""A Python whose SQLite can't load extensions, as macOS and many builds bring it."""

import functools
import sqlite3
from typing import Any

_HIDDEN = ("enable_load_extension", "load_extension")


class Connection(sqlite3.Connection):
    """A connection without the methods that load an extension."""

    def __getattribute__(self, name: str) -> Any:
        if name in _HIDDEN:
            raise AttributeError(f"no attribute {name!r}")
        return super().__getattribute__(name)


connect = functools.partial(sqlite3.connect, factory=Connection)
sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]
