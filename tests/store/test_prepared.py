"""An archive somebody prepared, or a disk spoiled: refused in quoth's own words."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    USES,
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    put,
    synced,
)

from quoth.errors import (
    ArchiveBusyError,
    ArchiveDamagedError,
    ArchiveInaccessibleError,
    ArchiveUnsafeError,
    NotRecordedError,
)
from quoth.store import DATABASE
from quoth.store._lock import hold

uses = pytest.mark.parametrize("use", USES)

WORD = "brindlewick"
TURNS = (
    "a question about the tides in the northern harbor this spring",
    "an answer that names the moorings of the southern port instead",
)
MAGIC = bytes.fromhex("d9d505f920a163d7")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return where an archive of one conversation is, and nobody has it open."""
    put(claude_file(tmp_path), a_transcript(*TURNS))
    synced(tmp_path).close()
    return archive_in(tmp_path)


# Files that SQLite would open


def journal_of(database: bytes, victim: Path) -> bytes:
    """Return a hot journal of one page, which says that *victim* is its super-journal.

    When SQLite has played it back it removes that file, whatever it is.
    """
    size = struct.unpack(">H", database[16:18])[0]
    page = database[:size]
    checksum = sum(page[place] for place in range(size - 200, 0, -200))
    header = MAGIC + struct.pack(">5I", 1, 0, len(database) // size, 512, size)
    name = os.fsencode(victim)
    return b"".join(
        (
            header.ljust(512, b"\0"),
            struct.pack(">I", 1) + page + struct.pack(">I", checksum),
            struct.pack(">I", 0x40000000 // size + 1) + name,
            struct.pack(">II", len(name), sum(name)),
            MAGIC,
        )
    )


def prepare_journal(home: Path, victim: Path) -> None:
    database = bytearray((home / DATABASE).read_bytes())
    database[18] = database[19] = 1  # no write-ahead log
    put(home / DATABASE, bytes(database))
    put(home / f"{DATABASE}-journal", journal_of(bytes(database), victim))


def test_sqlite_removes_what_a_prepared_journal_names(
    tmp_path: Path, home: Path
) -> None:
    """If it no longer did, the next test would prove nothing."""
    victim = put(tmp_path / "thesis.txt", b"ten years of work")
    prepare_journal(home, victim)

    connection = sqlite3.connect(home / DATABASE)
    connection.execute("SELECT count(*) FROM message").fetchone()
    connection.close()

    assert not victim.exists()


@uses
def test_a_journal_that_names_a_file_is_refused(
    tmp_path: Path, home: Path, use: str
) -> None:
    victim = put(tmp_path / "thesis.txt", b"ten years of work")
    prepare_journal(home, victim)

    with pytest.raises(ArchiveUnsafeError, match=r"quoth\.db-journal was not written"):
        USES[use](an_archive(tmp_path))

    assert victim.read_bytes() == b"ten years of work"


def test_a_journal_that_names_no_other_is_played_back(
    tmp_path: Path, home: Path
) -> None:
    """As a first sync leaves it that was killed."""
    put(home / f"{DATABASE}-journal", b"")

    assert an_archive(tmp_path).status().exists


def _link(path: Path) -> None:
    moved = path.with_name("moved")
    if path.exists():
        path.rename(moved)
    else:
        moved.touch()
    path.symlink_to(moved)


def _second_name(path: Path) -> None:
    path.touch()
    path.with_name("second").hardlink_to(path)


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


SPOILED: dict[str, tuple[Callable[[Path], None], str]] = {
    "link": (_link, "is a link"),
    "second name": (_second_name, "has a second name elsewhere"),
    "pipe": (_pipe, "is no regular file"),
}


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("how", SPOILED)
@pytest.mark.parametrize("use", ["sync", "status"])
def test_a_file_that_is_not_the_archives_alone_is_refused(
    tmp_path: Path, home: Path, use: str, how: str, ending: str
) -> None:
    spoil, complaint = SPOILED[how]
    spoil(home / f"{DATABASE}{ending}")

    with pytest.raises(ArchiveUnsafeError, match=f"{DATABASE}{ending} {complaint}"):
        USES[use](an_archive(tmp_path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
@pytest.mark.parametrize("use", ["sync", "status"])
def test_a_database_of_another_user_is_refused(
    tmp_path: Path, home: Path, use: str
) -> None:
    os.chown(home / DATABASE, 65534, 65534)

    with pytest.raises(ArchiveUnsafeError, match="belongs to another user"):
        USES[use](an_archive(tmp_path))


@pytest.mark.parametrize("lock", ["lock", "sync.lock"])
@pytest.mark.parametrize("how", SPOILED)
def test_a_lock_that_is_not_the_archives_alone_is_refused_and_left_alone(
    tmp_path: Path, home: Path, how: str, lock: str
) -> None:
    spoil, complaint = SPOILED[how]
    put(home / lock, b"precious")
    spoil(home / lock)

    with pytest.raises(ArchiveUnsafeError, match=f"{lock} {complaint}"):
        an_archive(tmp_path).sync()

    if how != "pipe":
        assert (home / lock).read_bytes() == b"precious"


def test_the_holder_of_a_lock_is_named_in_no_words_but_ours(tmp_path: Path) -> None:
    lock = tmp_path / "lock"

    with hold(lock, wait_s=0):
        lock.write_bytes(WORD.encode())
        second = hold(lock, wait_s=0)

        with pytest.raises(ArchiveBusyError, match="written by another process"):
            second.__enter__()


# The folder


@uses
def test_a_file_in_the_place_of_the_data_folder_is_no_archive_to_come(
    tmp_path: Path, use: str
) -> None:
    put(archive_in(tmp_path), b"")

    with pytest.raises(ArchiveInaccessibleError):
        USES[use](an_archive(tmp_path))


def test_a_file_above_the_data_folder_is_said_to_be_in_the_way(tmp_path: Path) -> None:
    put(tmp_path / "file", b"")

    with pytest.raises(ArchiveInaccessibleError, match="not a directory"):
        an_archive(tmp_path, home=tmp_path / "file" / "archive").sync()


def test_a_folder_of_other_things_is_refused_and_stays_open(tmp_path: Path) -> None:
    put(tmp_path / "shared" / "notes.txt", b"")
    (tmp_path / "shared").chmod(0o755)

    with pytest.raises(ArchiveUnsafeError, match="holds something else"):
        an_archive(tmp_path, home=tmp_path / "shared").sync()

    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in (tmp_path / "shared").iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir(mode=0o755)

    synced(tmp_path, home=tmp_path / "fresh").close()

    assert (tmp_path / "fresh").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("umask", [0o000, 0o777], ids=oct)
def test_folders_above_it_that_were_missing_are_private(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        synced(tmp_path, home=tmp_path / "a" / "b" / "archive").close()
    finally:
        os.umask(before)

    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a/b")]
    assert modes == [0o700, 0o700]


# Rows


def loosened(home: Path, *statements: str) -> None:
    """Change rows as a prepared file has them: no column keeps its type."""
    connection = sqlite3.connect(home / DATABASE)
    connection.execute("PRAGMA writable_schema = 1")
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(replace(sql,"
        " ') STRICT, WITHOUT ROWID', ') WITHOUT ROWID'), ') STRICT', ')')"
    )
    connection.execute("PRAGMA writable_schema = RESET")
    connection.commit()
    connection.close()
    connection = sqlite3.connect(home / DATABASE)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


BAD_ROWS = {
    "role": "UPDATE message SET role = 'brindlewick'",
    "time": "UPDATE message SET at = 'brindlewick'",
    "far time": "UPDATE message SET at = 9223372036854775807",
    "kind": "UPDATE conversation SET kind = 'brindlewick'",
    "title": "UPDATE conversation SET title = x'62'",
    "models": "UPDATE conversation SET models = '[\"brindlewick\"'",
    "models too deep": "UPDATE conversation SET models ="
    " replace(hex(zeroblob(100000)), '00', '[')",
    "models of no text": "UPDATE conversation SET models = '[1]'",
    "began": "UPDATE conversation SET started_at = 'brindlewick'",
    "source": "UPDATE conversation SET source = x'62'",
    "root": "UPDATE conversation SET root = 'brindlewick'",
    "text": "UPDATE body SET text = x'62'",
    "model": "UPDATE context SET model = x'62' WHERE id = 1",
    "place": "UPDATE source_file SET path = 'brindlewick'",
    "place of no name": "UPDATE source_file SET path = x'00'",
    "stamp": "UPDATE source_file SET stamp = x'62'",
    "last sync": "UPDATE meta SET value = 'brindlewick' WHERE key = 'last_sync'",
    "codes": "UPDATE embedding SET codes = x'62'",
    "scales": "UPDATE embedding SET scales = 'brindlewick'",
    "dimensions": "UPDATE embedder SET dimensions = 'brindlewick'",
    "generation": "INSERT INTO meta VALUES ('generation', 'brindlewick')",
    "doc values": "UPDATE doc_values SET packed = CAST('brindlewick' AS BLOB)",
    "facts": "UPDATE told SET facts = '\"brindlewick\"'",
    "no member": "DELETE FROM member",
    "no text": "DELETE FROM body",
    "no file": "DELETE FROM source_file",
}


@pytest.mark.parametrize("bad", BAD_ROWS)
@uses
def test_a_row_that_quoth_never_writes_is_an_error_that_quotes_nothing(
    tmp_path: Path, home: Path, bad: str, use: str
) -> None:
    """Whatever a use does not look at, it may do without."""
    for copy in home.glob("vectors/*/*"):
        copy.unlink()
    loosened(home, BAD_ROWS[bad])
    archive = an_archive(tmp_path)

    said = ""
    try:
        USES[use](archive)
    except (ArchiveDamagedError, NotRecordedError) as error:
        said = f"{error} {error.hint}"

    assert WORD not in said


@pytest.mark.parametrize(
    ("bad", "use"),
    [
        ("role", "search"),
        ("role", "show"),
        ("far time", "show"),
        ("kind", "search"),
        ("models", "show"),
        ("title", "search"),
        ("text", "verify"),
        ("place", "status"),
        ("last sync", "status"),
        ("codes", "search"),
        ("scales", "search"),
        ("codes", "sync"),
        ("generation", "sync"),
        ("no member", "search"),
    ],
)
def test_a_row_that_is_needed_is_said_to_be_damaged(
    tmp_path: Path, home: Path, bad: str, use: str
) -> None:
    for copy in home.glob("vectors/*/*"):
        copy.unlink()
    loosened(home, BAD_ROWS[bad])

    with pytest.raises(ArchiveDamagedError, match=r"what quoth never writes\.$"):
        USES[use](an_archive(tmp_path))


def test_facts_that_are_none_are_damage_to_a_sync_that_needs_them(
    tmp_path: Path, home: Path
) -> None:
    loosened(home, BAD_ROWS["facts"])
    told_by = claude_file(tmp_path)
    put(told_by.parent.with_name("-copied") / told_by.name, told_by.read_bytes())

    with pytest.raises(ArchiveDamagedError):
        an_archive(tmp_path).sync()


def test_text_that_is_no_utf8_is_shown_as_far_as_it_is_text(
    tmp_path: Path, home: Path
) -> None:
    loosened(home, "UPDATE body SET text = CAST(x'62ff62' AS TEXT) WHERE id = 1")

    first = an_archive(tmp_path).show(KEY).messages[0]

    assert first.text == "b\ufffdb"


@pytest.mark.parametrize(
    "checkpoint",
    [
        "{",
        "[]",
        '{"offset": -1}',
        '{"offset": "x", "head": "", "tail": ""}',
        "[" * 9000,
    ],
    ids=["torn", "list", "before the file", "text", "deep"],
)
def test_a_bad_checkpoint_counts_as_none(
    tmp_path: Path, home: Path, checkpoint: str
) -> None:
    connection = sqlite3.connect(home / DATABASE)
    connection.execute("UPDATE source_file SET checkpoint = ?", (checkpoint,))
    connection.commit()
    connection.close()
    longer = a_transcript(*TURNS, "another question")
    put(claude_file(tmp_path), longer)

    report = synced(tmp_path)

    shown = [message.text for message in report.show(KEY).messages]
    assert shown == [*TURNS, "another question"]


def test_what_sqlite_says_of_damage_is_not_quoted(tmp_path: Path, home: Path) -> None:
    loosened(home, f"DROP TABLE titles; -- {WORD}")

    with pytest.raises(ArchiveDamagedError) as caught:
        an_archive(tmp_path).search("question")

    assert str(caught.value).endswith("SQLite can't make sense of it (SQLITE_ERROR).")


def test_vectors_a_killed_sync_left_half_written_go_with_the_next(
    tmp_path: Path, home: Path
) -> None:
    (copy,) = home.glob("vectors/*/all.vec")
    left = put(copy.with_name(".all.vec.0123456789abcdef.new"), b"half a copy")

    synced(tmp_path).close()

    assert not left.exists()
    assert copy.exists()
