"""What ranking knows of messages: packed, and never out of date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.builders import archive_in, rows, synced
from tests.retrieval.builders import a_talk, write

from quoth.errors import ArchiveDamagedError
from quoth.store import DATABASE, ArchiveReader, DocValues
from quoth.store._doc_values import wrong_blocks

CHANGES = {
    "superseded": "UPDATE message SET live = 0 WHERE id = 2",
    "elsewhere": "UPDATE message SET home = 2 WHERE id = 1",
    "another time": "UPDATE message SET at = 5 WHERE id = 3",
    "noise": "UPDATE message SET noise = 'hook' WHERE id = 1",
    "gone": "DELETE FROM message WHERE id = 3",
    "another text": "UPDATE body SET names = 'more' WHERE id = 1",
    "new": (
        "INSERT INTO message (id, home, live, role, context, native_id, fingerprint)"
        " SELECT 9000, home, live, role, context, 'new', fingerprint FROM message"
        " WHERE id = 1"
    ),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write(tmp_path, a_talk("one", "a gaff", "and a jib"), a_talk("two", "the keel"))
    synced(tmp_path).close()
    return archive_in(tmp_path)


def values_in(home: Path) -> DocValues:
    with closing(ArchiveReader(home)) as reader:
        return reader.doc_values()


def blocks(home: Path) -> list[tuple[object, ...]]:
    return rows(home, "SELECT block FROM doc_values")


def test_a_sync_packs_what_it_stored(home: Path) -> None:
    assert blocks(home) == [(0,)]


@pytest.mark.parametrize("how", CHANGES)
def test_a_block_is_right_or_absent(home: Path, how: str) -> None:
    with closing(sqlite3.connect(home / DATABASE)) as connection:
        connection.execute(CHANGES[how])
        connection.commit()

        assert wrong_blocks(connection) == 0

    fresh = values_in(home)
    stored = rows(home, "SELECT id FROM message WHERE noise IS NULL ORDER BY id")
    assert fresh.is_there.nonzero()[0].tolist() == [number for (number,) in stored]


def test_without_any_block_the_messages_tell_the_same(home: Path) -> None:
    packed = values_in(home)
    with closing(sqlite3.connect(home / DATABASE)) as connection:
        connection.execute("DELETE FROM doc_values")
        connection.commit()

    made = values_in(home)

    for name in DocValues.__slots__:
        assert (getattr(made, name) == getattr(packed, name)).all()


def test_a_wrong_block_is_counted(home: Path) -> None:
    with closing(sqlite3.connect(home / DATABASE)) as connection:
        connection.execute("UPDATE doc_values SET packed = zeroblob(length(packed))")

        assert wrong_blocks(connection) == 1


def test_a_message_with_an_id_beyond_all_reason_is_damage(home: Path) -> None:
    with closing(sqlite3.connect(home / DATABASE)) as connection:
        connection.execute("UPDATE message SET id = ? WHERE id = 3", (2**60,))
        connection.commit()

    with pytest.raises(ArchiveDamagedError):
        values_in(home)
