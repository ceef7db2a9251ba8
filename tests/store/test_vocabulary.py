"""The words that begin almost like a given one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import archive_in, synced
from tests.retrieval.builders import a_talk, answer, write

from quoth.errors import ArchiveDamagedError
from quoth.store import ArchiveReader
from quoth.store._vocabulary import words_like


@pytest.fixture(scope="module")
def connection(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("archive")
    write(
        folder,
        a_talk(
            "one",
            "a redrive of the queue",
            answer("Redriving queues, Café, кафе"),
            "configuration: redirect redirect2 red, and rediscoveries, no business",
        ),
    )
    synced(folder).close()
    reader = ArchiveReader(archive_in(folder))
    yield reader.connection
    reader.close()


def test_what_begins_alike_is_listed_with_how_many_messages_hold_it(
    connection: sqlite3.Connection,
) -> None:
    """Stems by spelling, without accents; nothing with digits, nothing longer."""
    assert words_like(connection, "redirve") == [
        ("red", 1),
        ("redirect", 1),
        ("redriv", 2),
    ]


@pytest.mark.parametrize(
    "typed",
    [
        *("erdrive", "rerdive", "rdrive", "edrive", "redrvie", "rredrive", "xredrive"),
        *("tedrive", "rwdrive", "redeive", "redrivee", "redriv", "reddrive", "redrvi"),
    ],
)
def test_one_slip_in_any_place_leads_there(
    connection: sqlite3.Connection, typed: str
) -> None:
    assert ("redriv", 2) in words_like(connection, typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("ocnfiguration", "cnofiguration", "cofniguration", "confgiuration"),
        *("onfiguration", "xonfiguration", "cponfiguration", "conffiguration"),
        *("cofnigruation", "cnfiguratoin", "configuraitno", "confogirution"),
    ],
)
def test_a_long_word_may_have_a_second_slip_further_on(
    connection: sqlite3.Connection, typed: str
) -> None:
    assert ("configur", 1) in words_like(connection, typed)


@pytest.mark.parametrize("typed", ["buisness", "bsuiness", "bussiness", "ubsinesses"])
def test_a_stem_may_end_where_the_slip_does(
    connection: sqlite3.Connection, typed: str
) -> None:
    assert ("busi", 1) in words_like(connection, typed)


def test_other_alphabets_are_looked_for_by_their_own_letters(
    connection: sqlite3.Connection,
) -> None:
    assert words_like(connection, "акфе") == [("кафе", 1)]


def test_nothing_begins_so(connection: sqlite3.Connection) -> None:
    assert words_like(connection, "zzyzx") == []


def test_no_walk_of_all_terms_answers(connection: sqlite3.Connection) -> None:
    """A million terms take 0.3 s to walk."""
    steps: list[str] = []
    connection.set_trace_callback(steps.append)

    words_like(connection, "redirve")
    connection.set_trace_callback(None)

    (plan,) = (
        detail
        for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {steps[0]}")
        if " v " in detail
    )
    assert not plan.endswith("INDEX 0:"), plan


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_word_has_an_answer(word: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE VIRTUAL TABLE words USING fts5 (text);"
        "CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab (words, row);"
    )

    assert words_like(connection, word) == []
    connection.close()


def test_a_term_that_is_no_text_is_damage() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE words_vocabulary (term, doc)")
    connection.execute("INSERT INTO words_vocabulary VALUES ('redriv', 'many')")

    with pytest.raises(ArchiveDamagedError):
        words_like(connection, "redirve")
    connection.close()
