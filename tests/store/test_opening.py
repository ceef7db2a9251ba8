"""Opening an archive: private, ours, of this version, and whole; or a clear refusal."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import (
    USES,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    change,
    claude_file,
    dump,
    put,
    rows,
    synced,
    texts,
)

from quoth.errors import (
    ArchiveDamagedError,
    ArchiveNotFoundError,
    ArchiveOutdatedError,
    ArchiveTooNewError,
    ArchiveUnsafeError,
)
from quoth.store import DATABASE, _schema

READS = [name for name in USES if name != "sync"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return where an archive of one conversation is, and nobody has it open."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    synced(tmp_path).close()
    return archive_in(tmp_path)


def modes(home: Path) -> set[str]:
    return {
        f"{'folder' if path.is_dir() else 'file'} {stat.S_IMODE(path.stat().st_mode):o}"
        for path in (home, *home.rglob("*"))
    }


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777], ids=oct)
def test_everything_is_its_owners_alone_under_any_umask(
    tmp_path: Path, umask: int
) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    before = os.umask(umask)
    try:
        archive = synced(tmp_path)
    finally:
        os.umask(before)

    assert modes(archive_in(tmp_path)) == {"folder 700", "file 600"}
    archive.close()


def test_what_came_back_wider_from_a_backup_is_made_private_again(
    tmp_path: Path, home: Path
) -> None:
    home.chmod(0o755)
    (home / DATABASE).chmod(0o644)

    synced(tmp_path).close()

    assert modes(home) == {"folder 700", "file 600"}


def test_a_data_folder_that_is_a_link_is_refused(tmp_path: Path, home: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home)

    with pytest.raises(ArchiveUnsafeError, match="is no folder of its own"):
        an_archive(tmp_path, home=link).sync()


def test_a_data_folder_that_is_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")

    with pytest.raises(ArchiveUnsafeError):
        an_archive(tmp_path, home=link).sync()

    assert not (tmp_path / "nowhere").exists()


def test_a_database_that_is_a_link_is_refused(tmp_path: Path, home: Path) -> None:
    (home / DATABASE).rename(tmp_path / "elsewhere.db")
    (home / DATABASE).symlink_to(tmp_path / "elsewhere.db")

    with pytest.raises(ArchiveUnsafeError, match="is a link"):
        an_archive(tmp_path).sync()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder away")
def test_a_data_folder_of_another_user_is_refused(tmp_path: Path, home: Path) -> None:
    os.chown(home, 65534, 65534)

    with pytest.raises(ArchiveUnsafeError, match="belongs to another user"):
        an_archive(tmp_path).sync()


@pytest.mark.parametrize("use", USES)
def test_an_archive_of_a_newer_quoth_is_refused_and_left_alone(
    tmp_path: Path, home: Path, use: str
) -> None:
    change(home, "PRAGMA user_version = 999")
    before = (home / DATABASE).read_bytes()

    with pytest.raises(ArchiveTooNewError, match=r"its schema is 999.*left untouched"):
        USES[use](an_archive(tmp_path))

    assert (home / DATABASE).read_bytes() == before


@pytest.mark.parametrize("use", READS)
def test_an_archive_of_an_older_quoth_is_not_migrated_by_reading_it(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, use: str
) -> None:
    newer = _schema.SCHEMA_VERSION + 1
    monkeypatch.setattr(_schema, "SCHEMA_VERSION", newer)

    with pytest.raises(ArchiveOutdatedError):
        USES[use](an_archive(tmp_path))

    assert rows(home, "PRAGMA user_version") == [(newer - 1,)]


@pytest.mark.parametrize("use", USES)
def test_a_file_that_is_no_database_is_damaged(
    tmp_path: Path, home: Path, use: str
) -> None:
    put(home / DATABASE, b"no database at all " * 500)

    with pytest.raises(ArchiveDamagedError, match="not a database"):
        USES[use](an_archive(tmp_path))


def test_a_folder_in_the_place_of_the_database_is_refused(
    tmp_path: Path,
) -> None:
    (archive_in(tmp_path) / DATABASE).mkdir(parents=True)

    archive_in(tmp_path).chmod(0o700)

    with pytest.raises(ArchiveUnsafeError, match="is no regular file"):
        an_archive(tmp_path).sync()


@pytest.mark.parametrize("use", ["show", "verify"])
def test_where_no_sync_has_been_there_is_no_archive(tmp_path: Path, use: str) -> None:
    with pytest.raises(ArchiveNotFoundError):
        USES[use](an_archive(tmp_path))

    assert not archive_in(tmp_path).exists()


def test_a_first_sync_that_was_killed_before_it_made_a_table_left_no_archive(
    tmp_path: Path,
) -> None:
    put(archive_in(tmp_path) / DATABASE, b"")

    assert an_archive(tmp_path).status().exists is False


def test_a_first_sync_goes_on_from_an_empty_file(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    put(archive_in(tmp_path) / DATABASE, b"")

    assert texts(synced(tmp_path)) == ["a question", "an answer"]


# Migrations

NEXT = "ALTER TABLE meta ADD COLUMN added TEXT;"
LOSES_ALL = "DELETE FROM body;"
FAILS = "INSERT INTO nowhere VALUES (1);"


@pytest.fixture
def with_next_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that appends a step to the schema's history."""

    def append(step: str) -> None:
        steps = (*_schema._MIGRATIONS, step)
        monkeypatch.setattr(_schema, "_MIGRATIONS", steps)
        monkeypatch.setattr(_schema, "SCHEMA_VERSION", len(steps))

    return append


def test_a_sync_migrates_and_loses_nothing(
    tmp_path: Path, home: Path, with_next_step: Callable[[str], None]
) -> None:
    before = dump(home)
    with_next_step(NEXT)

    synced(tmp_path).close()

    assert dump(home) == before
    assert rows(home, "PRAGMA user_version") == [(_schema.SCHEMA_VERSION,)]
    assert_consistent(home)


def test_a_migration_that_fails_leaves_the_archive_as_it_was(
    tmp_path: Path, home: Path, with_next_step: Callable[[str], None]
) -> None:
    version = rows(home, "PRAGMA user_version")
    schema = rows(home, "SELECT sql FROM sqlite_schema ORDER BY name")
    with_next_step(f"{NEXT} {LOSES_ALL} {FAILS}")

    with pytest.raises(ArchiveDamagedError, match=r"SQLITE_ERROR"):
        an_archive(tmp_path).sync()

    assert rows(home, "PRAGMA user_version") == version
    assert rows(home, "SELECT sql FROM sqlite_schema ORDER BY name") == schema
    assert rows(home, "SELECT count(*) FROM body") == [(2,)]


def test_a_migration_that_was_interrupted_is_done_by_the_next_sync(
    tmp_path: Path, home: Path, with_next_step: Callable[[str], None]
) -> None:
    """As a kill leaves it: the write-ahead log holds half of a step."""
    connection = sqlite3.connect(home / DATABASE, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(NEXT)
    connection.execute(LOSES_ALL)
    copy = tmp_path / "killed"
    shutil.copytree(home, copy)
    connection.close()
    with_next_step(NEXT)

    synced(tmp_path, home=copy).close()

    assert rows(copy, "SELECT count(*) FROM body") == [(2,)]
    assert rows(copy, "PRAGMA user_version") == [(_schema.SCHEMA_VERSION,)]
    assert_consistent(copy)
