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
from quoth.store import ArchiveReader, Embedded, WordMatch


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


def ids(matches: list[WordMatch]) -> list[int]:
    return [match.message for match in matches]


def test_there_is_nothing_to_read_without_an_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveNotFoundError):
        ArchiveReader(tmp_path)


def test_matches_are_those_of_the_stem_with_where_and_when(
    reader: ArchiveReader,
) -> None:
    shown, withheld = reader.word_matches('"gaff"', reader.scope(NO_FILTERS))

    places = [(match.message, match.row, match.conversation) for match in shown]
    assert (places, [match.at for match in shown], withheld) == (
        [(1, 1, 1), (2, 1, 1)],
        [at(minute).timestamp() * 1000 for minute in (0, 1)],
        [],
    )


def test_a_word_weighs_more_in_a_prompt_than_in_a_longer_answer(
    reader: ArchiveReader,
) -> None:
    (prompt, reply), _ = reader.word_matches('"gaff"', reader.scope(NO_FILTERS))

    assert prompt.score > reply.score > 0


def test_matches_can_begin_after_a_message(reader: ArchiveReader) -> None:
    shown, _ = reader.word_matches('"gaff"', reader.scope(NO_FILTERS), after=1)

    assert ids(shown) == [2]


def test_what_matches_is_listed_up_to_a_limit(reader: ArchiveReader) -> None:
    scope = reader.scope(NO_FILTERS)

    found = [reader.matching('"gaff"', scope, limit=limit) for limit in (1, 9)]

    assert found == [[(1, 1)], [(1, 1), (2, 1)]]


def test_the_index_counts_what_matches(reader: ArchiveReader) -> None:
    assert reader.count_matching('"keel"') == 2


def test_whether_anything_matches_is_told(reader: ArchiveReader) -> None:
    assert [reader.any_holds(f'"{word}"') for word in ("jib", "mast")] == [True, False]


def test_a_rare_word_is_not_among_the_frequent(reader: ArchiveReader) -> None:
    assert reader.documents(["gaff", "no such"]) == {}


def test_the_newest_message_is_the_last_one_stored(reader: ArchiveReader) -> None:
    assert reader.newest_message() == 6


def test_a_title_matches_apart_from_messages(reader: ArchiveReader) -> None:
    scores = reader.title_scores('"rig"')

    assert [*scores] == [3]


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
    assert ids(reader.first_prompts([1, 2, 3], reader.scope(filters))) == found


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
