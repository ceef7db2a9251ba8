"""What a connection to the archive refuses, and how long a question may take."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from itertools import chain, repeat
from pathlib import Path

import pytest
from tests.builders import a_transcript, archive_in, change, claude_file, put, synced

from quoth.errors import SearchTooLongError
from quoth.retrieval import _search
from quoth.store import DATABASE, _connection
from quoth.store._connection import at_most, connect_reader, connect_writer

Connect = Callable[[Path], sqlite3.Connection]

connections = pytest.mark.parametrize(
    "connect", [connect_reader, connect_writer], ids=["reader", "writer"]
)

ENDLESS = (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    " SELECT count(*) FROM n"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return where an archive of one conversation is, and nobody has it open."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    synced(tmp_path).close()
    return archive_in(tmp_path)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """Return a connection to nothing."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        yield made


# What is refused


@connections
def test_every_connection_is_on_its_guard(home: Path, connect: Connect) -> None:
    names = ("trusted_schema", "cell_size_check", "mmap_size", "temp_store")

    with closing(connect(home)) as opened:
        values = [opened.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert values == [0, 1, 0, 2]


def test_a_reader_writes_nothing_not_even_beside_the_archive(home: Path) -> None:
    with closing(connect_reader(home)) as reader:
        for statement in ("DELETE FROM body", "CREATE TEMP TABLE t (a)"):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader.execute(statement)


@connections
def test_a_prepared_view_calls_no_function_of_ours(
    home: Path, connect: Connect
) -> None:
    change(home, "CREATE VIEW prepared AS SELECT ours()")

    with closing(connect(home)) as opened:
        opened.create_function("ours", 0, lambda: "called")

        with pytest.raises(sqlite3.OperationalError, match="unsafe use of ours"):
            opened.execute("SELECT * FROM prepared")


@connections
def test_no_statement_loads_a_library(home: Path, connect: Connect) -> None:
    with (
        closing(connect(home)) as opened,
        pytest.raises(sqlite3.OperationalError, match="not authorized"),
    ):
        opened.execute("SELECT load_extension('prepared')")


def test_the_parts_of_the_index_are_out_of_reach_where_python_can_see_to_it(
    home: Path,
) -> None:
    """Python 3.11 has no way to it; `docs/security.md` says so."""
    is_refused = sys.version_info >= (3, 12)
    refused = pytest.raises(sqlite3.OperationalError, match="may not be modified")

    with (
        closing(connect_writer(home)) as writer,
        refused if is_refused else nullcontext(),
    ):
        writer.execute("DELETE FROM words_data WHERE id < 0")


def spilled(connection: sqlite3.Connection) -> list[str]:
    """Sort more than a small cache holds; return which files that opened."""
    connection.execute("PRAGMA cache_size = 10")
    sorting = connection.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)"
        " SELECT hex(randomblob(100)) FROM n ORDER BY 1"
    )
    next(sorting)
    with os.scandir("/proc/self/fd") as opened:
        names = [str(Path(each).readlink()) for each in opened]
    return [name for name in names if "etilqs" in name]


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="no list of open files here"
)


@needs_proc
@connections
def test_nothing_is_sorted_in_a_file_outside_the_data_folder(
    home: Path, connect: Connect
) -> None:
    with closing(connect(home)) as opened:
        assert spilled(opened) == []


@needs_proc
def test_sqlite_left_alone_would_sort_in_such_a_file(tmp_path: Path) -> None:
    """If it didn't, the test before would prove nothing."""
    with closing(sqlite3.connect(tmp_path / "plain.db")) as plain:
        assert spilled(plain) != []


def test_what_lies_beside_the_database_is_made_private_again(home: Path) -> None:
    """As a backup may bring it back: with what was written last still in the log."""
    with closing(sqlite3.connect(home / DATABASE)) as other:
        other.execute("INSERT INTO meta VALUES ('a', 1)")
        other.commit()
        beside = [home / f"{DATABASE}-wal", home / f"{DATABASE}-shm"]
        for file in beside:
            file.chmod(0o644)

        connect_writer(home).close()

        assert [oct(file.stat().st_mode & 0o777) for file in beside] == ["0o600"] * 2


# How long a question may take


def clock(*told: float) -> Callable[[], float]:
    """Return a clock that tells these times, then the last of them for ever."""
    return chain(told, repeat(told[-1])).__next__


def test_a_question_without_end_is_given_up(connection: sqlite3.Connection) -> None:
    with (
        pytest.raises(SearchTooLongError, match="after 30 seconds"),
        at_most(30, connection, clock=clock(0, 29, 31)),
    ):
        connection.execute(ENDLESS)


def test_what_comes_after_has_as_long_as_it_takes(
    connection: sqlite3.Connection,
) -> None:
    with at_most(30, connection, clock=clock(0, 31)):
        connection.execute("SELECT 1")

    many = ENDLESS.replace("FROM n)", "FROM n LIMIT 100000)")
    assert connection.execute(many).fetchone() == (100_000,)


def test_an_interruption_is_not_taken_for_the_end_of_time(
    connection: sqlite3.Connection,
) -> None:
    times = iter([0.0, None, 1.0])

    def interrupted() -> float:
        if (time := next(times)) is None:
            raise KeyboardInterrupt
        return time

    with (
        pytest.raises(KeyboardInterrupt),
        at_most(30, connection, clock=interrupted),
    ):
        connection.execute(ENDLESS)


def test_what_else_goes_wrong_is_said_as_it_is(connection: sqlite3.Connection) -> None:
    with (
        pytest.raises(sqlite3.OperationalError, match="no such table"),
        at_most(30, connection),
    ):
        connection.execute("SELECT * FROM nowhere")


def test_a_search_that_takes_too_long_says_so_and_the_next_one_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    archive = synced(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(_connection, "_STEPS", 1)
        patch.setattr(_search, "LONGEST_S", -1.0)
        with pytest.raises(SearchTooLongError):
            archive.search("question")

    page = archive.search("question")

    assert len(page.hits) == 1
    archive.close()
