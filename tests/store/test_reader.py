"""Questions to the archive, below the front door."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import archive_in, synced
from tests.retrieval.builders import a_talk, answer, at, key, write

from quoth.embedding import HashEmbedder
from quoth.errors import ArchiveNotFoundError, NotRecordedError
from quoth.model import NO_FILTERS, Count, Filters, Include, Role
from quoth.store import NO_TIME, ArchiveReader, Embedded


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[ArchiveReader]:
    write(
        tmp_path,
        a_talk("one", "a gaff and a jib", answer("the gaffs, once more with a keel")),
        a_talk("two", {"content": "the keel", "timestamp": None}),
        [
            {
                "id": "three",
                "title": "Gaff rig",
                "messages": a_talk("three", answer("hello"), "first", "second"),
            }
        ],
    )
    synced(tmp_path).close()
    reader = ArchiveReader(archive_in(tmp_path))
    yield reader
    reader.close()


def test_there_is_nothing_to_read_without_an_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveNotFoundError):
        ArchiveReader(tmp_path)


def test_a_word_is_held_by_the_messages_with_its_stem(reader: ArchiveReader) -> None:
    found = [reader.postings(f'"{word}"').tolist() for word in ("gaff", "mast")]

    assert found == [[1, 2], []]


def test_a_title_is_found_apart_from_messages(reader: ArchiveReader) -> None:
    assert reader.titles_with('"rig"').tolist() == [3]


def test_what_ranking_knows_of_messages_is_what_they_are(reader: ArchiveReader) -> None:
    values = reader.doc_values()

    there = values.is_there.nonzero()[0].tolist()
    roles = [values.has_role(role)[there].tolist() for role in (Role.USER, Role.TOOL)]
    assert (there, values.home[there].tolist(), roles) == (
        [1, 2, 3, 4, 5, 6],
        [1, 1, 2, 3, 3, 3],
        [[True, False, True, False, True, True], [False] * 6],
    )
    assert values.length[there].tolist() == [5, 7, 2, 1, 1, 1]
    assert values.at[there[:3]].tolist() == [
        at(0).timestamp() * 1000,
        at(1).timestamp() * 1000,
        NO_TIME,
    ]


@pytest.mark.parametrize(
    ("filters", "about"),
    [
        (NO_FILTERS, [1, 2, 3, 4, 5, 6]),
        (Filters(role=Role.ASSISTANT), [2, 4]),
        (Filters(since=at(1)), [2, 5, 6]),
        (Filters(until=at(1)), [1, 4]),
        (Filters(within=key("one")), [1, 2]),
        (Filters(exclude=(key("one"), key("two"))), [4, 5, 6]),
        (Filters(source="claude_code"), []),
    ],
    ids=["all", "role", "since", "until", "within", "exclude", "source"],
)
def test_a_scope_is_the_same_as_columns_and_as_sql(
    reader: ArchiveReader, filters: Filters, about: list[int]
) -> None:
    scope = reader.scope(filters)

    inside, searched = reader.in_scope(scope, reader.doc_values())

    assert inside.nonzero()[0].tolist() == searched.nonzero()[0].tolist() == about
    assert reader.recorded(scope).messages == len(about)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (NO_FILTERS, [5]),
        (Filters(since=at(2)), [6]),
        (Filters(role=Role.ASSISTANT), []),
    ],
    ids=["all", "since", "role"],
)
def test_the_first_prompt_in_scope_stands_for_a_title(
    reader: ArchiveReader, filters: Filters, found: list[int]
) -> None:
    assert reader.first_prompts([1, 2, 3], reader.scope(filters)) == found


def test_a_title_that_is_a_prompt_has_nobody_to_stand_for_it(
    reader: ArchiveReader,
) -> None:
    assert reader.first_prompts([1, 2], reader.scope(NO_FILTERS)) == []


@pytest.mark.parametrize(
    ("filters", "narrows"),
    [
        (NO_FILTERS, False),
        (Filters(include=frozenset(Include)), False),
        (Filters(role=Role.USER), True),
        (Filters(exclude=(key("two"),)), True),
    ],
    ids=["all", "more", "role", "exclude"],
)
def test_a_scope_knows_whether_it_narrows(
    reader: ArchiveReader, filters: Filters, narrows: bool
) -> None:
    assert reader.scope(filters).narrows is narrows


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        (NO_FILTERS, Count(conversations=3, messages=6)),
        (Filters(role=Role.ASSISTANT), Count(conversations=2, messages=2)),
        (Filters(within=key("one")), Count(conversations=1, messages=2)),
        (Filters(since=at(0)), Count(conversations=2, messages=5)),
        (Filters(until=at(1)), Count(conversations=2, messages=2)),
    ],
    ids=["all", "role", "within", "since", "until"],
)
def test_what_is_recorded_is_counted_in_scope(
    reader: ArchiveReader, filters: Filters, count: Count
) -> None:
    """A message of no known time is in no span of time."""
    assert reader.recorded(reader.scope(filters)) == count


def test_within_nothing_is_an_error_that_quotes_the_key_safely(
    reader: ArchiveReader,
) -> None:
    with pytest.raises(NotRecordedError, match=r"'generic:\\udcff'"):
        reader.scope(Filters(within="generic:\udcff"))


def test_vectors_are_counted_and_so_is_what_lacks_them(reader: ArchiveReader) -> None:
    known = reader.embedder(HashEmbedder.identity)
    scope = reader.scope(NO_FILTERS)

    assert known == reader.serving()
    assert known is not None
    assert (known.id, known.dimensions) == (1, 64)
    assert [reader.embedded(scope, embedder) for embedder in (1, 2)] == [
        Embedded(has=2),
        Embedded(lacking=2),
    ]


def test_vectors_are_read_from_where_one_likes(reader: ArchiveReader) -> None:
    rows = list(reader.embeddings_after(1, 0))

    assert reader.vectors_at(1, [1, 7]) == {1: rows[0][1:]}
    assert list(reader.embeddings_after(1, 1)) == rows[1:]


def test_a_vector_belongs_to_the_messages_in_scope(reader: ArchiveReader) -> None:
    everything, nothing = reader.scope(NO_FILTERS), reader.scope(Filters(source="x"))

    assert [found.message for found in reader.messages_of([1], everything)] == [2]
    assert reader.messages_of([1], nothing) == []
    assert reader.embeddings_in(1, everything) == [1, 2]
    assert reader.embeddings_in(1, nothing) == []


def test_a_moment_does_not_see_what_is_written_later(
    reader: ArchiveReader, tmp_path: Path
) -> None:
    reader.begin()
    before = reader.recorded(reader.scope(NO_FILTERS))

    write(tmp_path, a_talk("four", "something new"), name="more.jsonl")
    synced(tmp_path).close()
    during = reader.recorded(reader.scope(NO_FILTERS))
    reader.end()

    after = reader.recorded(reader.scope(NO_FILTERS))
    assert (before == during, after.messages) == (True, before.messages + 1)
