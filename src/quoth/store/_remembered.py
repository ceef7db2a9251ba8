"""What sources remember between two readings of messages that are in no file of theirs.

Claude Code writes into a session's file what it calls another session, under the id of
a message there. Until such a message comes, which may be never, the text waits in the
checkpoint, where it belongs to no conversation.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping

from ._checkpoints import checkpoint_from
from ._rows import number, sound_rows, text

__all__ = ["files_that_remember", "ids_in"]


def ids_in(state: object) -> Iterator[str]:
    """Yield every name that a text, or more, stands under in a checkpoint's state."""
    left = [state]
    while left:
        each = left.pop()
        if isinstance(each, Mapping):
            left += each.values()
            yield from (
                name
                for name, value in each.items()
                if not isinstance(value, int | float | None)
            )
        elif isinstance(each, list):
            left += each


def files_that_remember(
    connection: sqlite3.Connection, names: Mapping[str, set[str]]
) -> set[int]:
    """Return the files whose checkpoint has something of a message, or can't be read.

    Args:
        names: The ids of messages, by their source.
    """
    rows = connection.execute(
        "SELECT id, source, checkpoint FROM source_file WHERE checkpoint IS NOT NULL"
        " AND source IN (SELECT value FROM json_each(?))",
        (json.dumps([*names]),),
    )
    with sound_rows(connection):
        return {
            number(file)
            for file, source, stored in rows
            if (checkpoint := checkpoint_from(stored)) is None
            or not names[text(source)].isdisjoint(ids_in(checkpoint.state))
        }
