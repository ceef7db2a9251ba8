"""Exports tell a conversation whole, again and again; copies tell what others told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from tests.builders import (
    archive_in,
    assert_consistent,
    change,
    later,
)
from tests.ingest.scripted import Scripted, lay_down

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import (
    Conversation,
    Include,
    Kind,
    Message,
    Replace,
    Role,
)

OLD, MIDDLE, NEW = (datetime(2026, 5, day, tzinfo=UTC) for day in (1, 2, 3))


def told(
    *numbers: int,
    snapshot_at: datetime | None = None,
    title: str | None = None,
    copy_of: tuple[str, str] | None = None,
    native_id: str = "c",
) -> Replace:
    conversation = Conversation(
        native_id=native_id, title=title, snapshot_at=snapshot_at, copy_of=copy_of
    )
    return Replace(
        conversations=(conversation,),
        records=tuple(
            Message(
                conversation=native_id,
                native_id=f"{native_id}{number}",
                role=Role.USER,
                text=f"message {number}",
            )
            for number in numbers
        ),
    )


def archive_of(tmp_path: Path, *sources: Scripted) -> Archive:
    for source in sources:
        (tmp_path / source.name).mkdir(exist_ok=True)
    return Archive(
        archive_in(tmp_path),
        roots={source.name: [tmp_path / source.name] for source in sources},
        sources=sources,
        embedder=HashEmbedder(),
        clock=later,
    )


def texts(archive: Archive, key: str = "scripted:c", *include: Include) -> list[str]:
    shown = archive.show(key, include=frozenset(include)).messages
    return sorted(each.text for each in shown)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_the_latest_telling_decides_in_whatever_order_they_are_read(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    tellings = [
        told(1, 2, snapshot_at=OLD, title="as it began"),
        told(1, 3, snapshot_at=MIDDLE, title="in between"),
        told(1, 2, 4, snapshot_at=NEW, title="at last"),
    ]
    source = Scripted()
    archive = archive_of(tmp_path, source)

    for number in order:
        lay_down(tmp_path, source, [tellings[number]], name=f"file {number}")
        archive.sync()

    assert texts(archive) == ["message 1", "message 2", "message 4"]
    assert archive.show("scripted:c").title == "at last"
    assert_consistent(archive_in(tmp_path))


def test_what_a_later_telling_leaves_out_is_kept_and_superseded(tmp_path: Path) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    lay_down(tmp_path, source, [told(1, 2, snapshot_at=OLD)], name="a")
    lay_down(tmp_path, source, [told(1, snapshot_at=NEW)], name="b")

    archive.sync()

    assert texts(archive) == ["message 1"]
    everything = texts(archive, "scripted:c", Include.SUPERSEDED)
    assert everything == ["message 1", "message 2"]


def test_a_telling_read_again_stays_as_old_as_it_is(tmp_path: Path) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    old = told(1, 2, snapshot_at=OLD)
    lay_down(tmp_path, source, [old], [old], name="a")
    lay_down(tmp_path, source, [told(1, 3, snapshot_at=NEW)], name="b")

    archive.sync()
    archive.sync()

    assert texts(archive) == ["message 1", "message 3"]
    assert_consistent(archive_in(tmp_path))


def test_a_telling_from_the_future_has_not_the_last_word(tmp_path: Path) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    future = later() + timedelta(days=2)
    lay_down(tmp_path, source, [told(1, 2, snapshot_at=future, title="a")], name="a")
    lay_down(tmp_path, source, [told(1, 3, snapshot_at=OLD, title="b")], name="b")

    archive.sync()

    assert texts(archive) == ["message 1", "message 3"]
    assert archive.show("scripted:c").title == "b"


def test_two_tellings_of_one_moment_are_taken_together(tmp_path: Path) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    lay_down(tmp_path, source, [told(1, 2, snapshot_at=OLD)], name="a")
    lay_down(tmp_path, source, [told(1, 3, snapshot_at=OLD)], name="b")

    archive.sync()

    assert texts(archive) == ["message 1", "message 2", "message 3"]


@pytest.mark.parametrize("first", ["copy", "original"])
def test_a_copy_gives_way_to_its_original_whichever_is_read_first(
    tmp_path: Path, first: str
) -> None:
    original, copy = Scripted(), Scripted()
    original.name, copy.name = "original", "copy"
    of = told(1, 2, copy_of=("original", "o"))
    archive = archive_of(tmp_path, original, copy)
    laying = {
        "copy": lambda: lay_down(tmp_path, copy, [of], [of]),
        "original": lambda: lay_down(tmp_path, original, [told(7, native_id="o")]),
    }

    for name in sorted(laying, key=lambda name: name != first):
        laying[name]()
        archive.sync()
    archive.sync()

    assert texts(archive, "original:o") == ["message 7"]
    assert texts(archive, "copy:c") == []
    assert texts(archive, "copy:c", Include.SUPERSEDED) == ["message 1", "message 2"]
    assert archive.status().recorded.conversations == 1
    assert_consistent(archive_in(tmp_path))


def test_a_copy_stands_for_itself_where_the_original_is_not_recorded(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    lay_down(tmp_path, source, [told(1, copy_of=("elsewhere", "o"))])

    archive.sync()

    assert texts(archive) == ["message 1"]


def test_an_archive_from_before_copies_were_known_goes_on(tmp_path: Path) -> None:
    source = Scripted()
    archive = archive_of(tmp_path, source)
    lay_down(tmp_path, source, [told(1)], [told(1, 2)])
    archive.sync()
    archive.close()
    home = archive_in(tmp_path)
    change(
        home,
        *(
            f"DROP TRIGGER {each}"
            for each in (
                *("message_came", "message_changed", "message_went"),
                "body_changed",
            )
        ),
        *(
            f"DROP TABLE {each}"
            for each in (
                *("citation_alias", "tombstone", "kept_out_unit", "forgotten"),
                "doc_values",
            )
        ),
        "CREATE TABLE term (term TEXT PRIMARY KEY, documents INTEGER NOT NULL)",
        "DROP INDEX tool_call_echo",
        "DROP INDEX source_file_known",
        "DROP INDEX embedding_refused",
        "ALTER TABLE embedding DROP COLUMN refused",
        "ALTER TABLE embedder DROP COLUMN serves",
        "ALTER TABLE embedder DROP COLUMN choice",
        "ALTER TABLE embedder DROP COLUMN probe",
        "DROP INDEX conversation_by_original",
        "ALTER TABLE conversation DROP COLUMN copy_of",
        "ALTER TABLE source_file DROP COLUMN thinned",
        "ALTER TABLE message DROP COLUMN begins",
        "UPDATE told SET facts = json_remove(facts, '$.copy_of', '$.snapshot_at')",
        "PRAGMA user_version = 1",
    )

    archive.sync()

    assert texts(archive) == ["message 1", "message 2"]
    assert_consistent(home)


def test_a_file_that_leaves_things_out_takes_nothing_back(tmp_path: Path) -> None:
    """A thread may go on in a second file that names no repository."""
    source = Scripted()
    archive = archive_of(tmp_path, source)
    began = Conversation(
        native_id="c",
        kind=Kind.FORK,
        parent="p",
        cwd="/home/dev",
        repo="git@example.com:dev/harbor.git",
        branch="main",
        app_version="1.0",
        ended_at=OLD,
    )
    goes_on = Conversation(native_id="c", ended_at=NEW, app_version="2.0")
    lay_down(tmp_path, source, [Replace(conversations=(began,))], name="a")
    lay_down(tmp_path, source, [Replace(conversations=(goes_on,))], name="b")

    archive.sync()

    shown = archive.show("scripted:c")
    assert (shown.kind, shown.parent) == (Kind.FORK, "scripted:p")
    assert (shown.cwd, shown.repo) == ("/home/dev", "git@example.com:dev/harbor.git")
    assert (shown.branch, shown.ended_at) == ("main", NEW)
