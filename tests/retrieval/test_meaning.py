"""Search by meaning helps where it can, and words are found when it cannot."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.builders import an_archive, archive_in
from tests.retrieval.builders import a_call, a_talk, answer, key, sessions, write

from quoth.embedding import (
    DefaultEmbedder,
    HashEmbedder,
    Quantised,
    QueryVector,
)
from quoth.errors import VectorWidthError
from quoth.model import EmptyReason, Filters, Freshness, Mode, Page
from quoth.retrieval import Vectors, _meaning
from quoth.retrieval._meaning import learned_floor
from quoth.store import DATABASE, ArchiveReader, FlatVectors, flat_path

TALKS = [
    a_talk(f"s{number}", f"the gooseneck question number {number} of the harbour")
    for number in range(10)
]
FOLDER = flat_path(Path(), HashEmbedder.identity).parent.name

Damage = Callable[[Path], None]


class OtherWidth(HashEmbedder):
    """Says one thing and gives another."""

    def embed_query(self, text: str) -> QueryVector | None:
        vector = super().embed_query(text)
        return None if vector is None else vector[:32]


class Nameless(HashEmbedder):
    """An embedder nobody has used yet."""

    identity = "hash-of-another-name"


class Half(HashEmbedder):
    """Knows no text that has an odd number in it."""

    identity = "hash-half"

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        return [
            self.embed([]) if set(text) & set("13579") else rows
            for text, rows in zip(texts, super().embed_messages(texts), strict=True)
        ]


def executed(*statements: str) -> Damage:
    def damage(home: Path) -> None:
        connection = sqlite3.connect(home / DATABASE)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return damage


def synced(folder: Path) -> Path:
    write(folder, *TALKS)
    with an_archive(folder) as archive:
        archive.sync()
    return archive_in(folder)


def told(page: Page) -> str:
    return " ".join(page.notices)


# What is missing


@pytest.mark.parametrize(
    ("damage", "embedded", "notice"),
    [
        (executed(), 10, ""),
        (
            executed("DELETE FROM embedding", "UPDATE embedder SET up_to = 0"),
            0,
            "Search by meaning is off: nothing is embedded yet. Run `quoth sync`.",
        ),
        (
            executed("DELETE FROM embedding"),
            0,
            "Search by meaning is off: nothing is embedded yet. Run `quoth sync`.",
        ),
        (
            executed("DELETE FROM embedding", "DELETE FROM embedder"),
            0,
            "Search by meaning is off: nothing is embedded yet. Run `quoth sync`.",
        ),
        (
            executed(
                "DELETE FROM embedding WHERE id < 10", "UPDATE embedder SET up_to = 1"
            ),
            1,
            "9 messages have no vectors yet; `quoth sync` makes them.",
        ),
        (lambda home: shutil.rmtree(home / "vectors"), 10, ""),
    ],
    ids=["whole", "not yet", "emptied", "no embedder", "partial", "no flat copy"],
)
def test_words_find_everything_and_a_notice_says_what_meaning_lacks(
    tmp_path: Path, damage: Damage, embedded: int, notice: str
) -> None:
    home = synced(tmp_path)
    damage(home)

    page = an_archive(tmp_path).search("gooseneck", limit=20)

    assert (len(page.hits), page.embedded, told(page)) == (10, embedded, notice)


@pytest.mark.parametrize(
    "damage", [executed(), executed("DELETE FROM embedding")], ids=["whole", "emptied"]
)
def test_a_search_by_words_alone_misses_no_vectors(
    tmp_path: Path, damage: Damage
) -> None:
    damage(synced(tmp_path))

    page = an_archive(tmp_path).search("gooseneck", mode=Mode.WORDS)

    assert (len(page.hits), page.notices) == (10, ())


def test_without_vectors_a_search_by_meaning_finds_nothing_and_says_why(
    tmp_path: Path,
) -> None:
    executed("DELETE FROM embedding")(synced(tmp_path))

    page = an_archive(tmp_path).search("gooseneck", mode=Mode.MEANING)

    assert (page.hits, page.empty_reason, "off" in told(page)) == (
        (),
        EmptyReason.NO_MATCH,
        True,
    )


def test_another_embedder_finds_none_of_the_vectors(tmp_path: Path) -> None:
    synced(tmp_path)

    page = an_archive(tmp_path, embedder=Nameless()).search("gooseneck", limit=20)

    assert (len(page.hits), page.by_meaning_only, page.meaning_off) == (
        10,
        0,
        "other-model",
    )


def test_a_message_none_of_whose_words_are_known_has_no_vector(tmp_path: Path) -> None:
    write(tmp_path, *TALKS)
    archive = an_archive(tmp_path, embedder=Half())
    archive.sync()

    page = archive.search("gooseneck question", mode=Mode.MEANING, limit=20)

    assert sorted(sessions(page)) == ["s0", "s2", "s4", "s6", "s8"]


@pytest.mark.parametrize("mode", [Mode.BOTH, Mode.MEANING])
def test_a_question_of_unknown_words_says_so(tmp_path: Path, mode: Mode) -> None:
    write(tmp_path, a_talk("s", "我们讨论了用户身份验证的问题"))
    archive = an_archive(tmp_path, embedder=DefaultEmbedder())
    archive.sync()

    page = archive.search("身份验证", mode=mode)

    found = ["s"] if mode is Mode.BOTH else []
    assert (sessions(page), told(page)) == (
        found,
        "Search by meaning knows no word of this question.",
    )


def test_vectors_of_another_width_are_never_compared(tmp_path: Path) -> None:
    synced(tmp_path)
    archive = an_archive(tmp_path, embedder=OtherWidth())

    page = archive.search("gooseneck question", limit=20)

    assert (len(page.hits), page.meaning_off) == (10, "vector-width")
    with pytest.raises(VectorWidthError):
        archive.search("gooseneck question", mode=Mode.MEANING)


def test_what_is_found_by_meaning_only_is_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_talk("s", answer("We chose the cheapest mortgage with a fixed rate.")),
        a_talk("t", answer("The harbour has a gaffrig and a jib.")),
    )
    archive = an_archive(tmp_path, embedder=DefaultEmbedder())
    archive.sync()

    page = archive.search("home loan interest")

    assert (sessions(page), page.by_meaning_only, page.some_words.messages) == (
        ["s"],
        1,
        0,
    )


def test_a_hit_by_meaning_shows_the_window_that_is_near(tmp_path: Path) -> None:
    filler = " ".join(f"filler{number}" for number in range(200))
    text = f"{filler} the gooseneck of the harbour {filler}"
    write(tmp_path, a_talk("s", answer(text)))
    archive = an_archive(tmp_path)
    archive.sync()

    (hit,) = archive.search("gooseneck harbour", mode=Mode.MEANING).hits

    assert "gooseneck" in hit.snippet


def test_a_message_near_the_question_is_shown_by_its_text_and_not_by_its_tools(
    tmp_path: Path,
) -> None:
    text = "We chose the cheapest mortgage with a fixed rate."
    call = a_call("Bash", command="ls")
    call["content"].insert(0, {"type": "text", "text": text})
    write(tmp_path, a_talk("s", call))
    archive = an_archive(tmp_path, embedder=DefaultEmbedder())
    archive.sync()

    page = archive.search("home loan interest")

    assert [hit.snippet for hit in page.hits] == [text]


@pytest.mark.parametrize(
    ("bound", "hits"), [("ENOUGH", 3), ("WALK", 10)], ids=["enough", "walk"]
)
def test_the_ranking_is_followed_until_there_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, hits: int
) -> None:
    synced(tmp_path)
    monkeypatch.setattr(_meaning, bound, 3)

    page = an_archive(tmp_path).search(
        "the harbour question",
        mode=Mode.MEANING,
        limit=20,
        filters=Filters(source="generic"),
    )

    assert len(page.hits) == hits


# The flat copy


def rows_of(home: Path) -> list[tuple[int, bytes, bytes]]:
    connection = sqlite3.connect(home / DATABASE)
    rows = connection.execute("SELECT id, codes, scales FROM embedding ORDER BY id")
    found = rows.fetchall()
    connection.close()
    return found


def rewritten(
    *,
    identity: str = HashEmbedder.identity,
    dimensions: int = HashEmbedder.dimensions,
    generation: int | None = None,
    change: Callable[[list[tuple[int, bytes, bytes]]], object] = len,
) -> Damage:
    """Write another copy, in all but what is given like the one that is there."""

    def damage(home: Path) -> None:
        path = flat_path(home, FOLDER)
        old = FlatVectors.open(path)
        assert old is not None
        rows = rows_of(home)
        change(rows)
        FlatVectors.write(
            path,
            identity=identity,
            dimensions=dimensions,
            generation=old.generation if generation is None else generation,
            rows=rows,
        )

    return damage


def cut_short(home: Path) -> None:
    path = flat_path(home, FOLDER)
    os.truncate(path, path.stat().st_size - 64)


def filled_with_noise(home: Path) -> None:
    path = flat_path(home, FOLDER)
    path.write_bytes(np.random.default_rng(3).bytes(path.stat().st_size))


def reversed_vectors(rows: list[tuple[int, bytes, bytes]]) -> None:
    vectors = [row[1:] for row in rows]
    rows[:] = [
        (row[0], *vector) for row, vector in zip(rows, vectors[::-1], strict=True)
    ]


def one_too_many(rows: list[tuple[int, bytes, bytes]]) -> None:
    rows.append((rows[-1][0] + 1, *rows[0][1:]))


def halved(rows: list[tuple[int, bytes, bytes]]) -> None:
    rows[:] = [
        (number, codes[: len(codes) // 2], scales) for number, codes, scales in rows
    ]


def without_the_last(rows: list[tuple[int, bytes, bytes]]) -> None:
    del rows[5:]


def answered(folder: Path) -> Page:
    page = an_archive(folder).search(
        "question number 7 of the harbour", mode=Mode.MEANING, limit=20
    )
    return replace(page, took_ms=0.0, freshness=Freshness())


@pytest.mark.parametrize(
    "damage",
    [
        lambda home: flat_path(home, FOLDER).unlink(),
        cut_short,
        filled_with_noise,
        lambda home: flat_path(home, FOLDER).write_bytes(b""),
        rewritten(identity="another"),
        rewritten(generation=99),
        rewritten(dimensions=32, change=halved),
        rewritten(change=one_too_many),
        rewritten(change=reversed_vectors),
        rewritten(change=without_the_last),
    ],
    ids=[
        "gone",
        "cut short",
        "noise",
        "empty",
        "another identity",
        "another generation",
        "another width",
        "newer than the archive",
        "of another archive",
        "older than the archive",
    ],
)
def test_a_copy_that_is_not_this_archives_changes_no_answer(
    tmp_path: Path, damage: Damage
) -> None:
    home = synced(tmp_path)
    right = answered(tmp_path)

    damage(home)

    assert answered(tmp_path) == right


def test_a_copy_that_took_the_place_of_another_is_mapped(tmp_path: Path) -> None:
    """Else every later question would read from the database what is in the file."""
    home = synced(tmp_path)
    newest = len(rows_of(home))
    vectors, reader = Vectors(home), ArchiveReader(home)
    known = reader.embedder(HashEmbedder.identity)
    assert known is not None
    rewritten(change=without_the_last)(home)
    before = vectors.at(reader, known).last_id

    rewritten()(home)

    assert (before, vectors.at(reader, known).last_id) == (5, newest)
    reader.close()


# The floor


def in_directions(*, spread: float, count: int) -> FlatVectors:
    """Return vectors around one direction, each *spread* away from it by chance."""
    rng = np.random.default_rng(1)
    points = np.eye(1, 64) + spread * rng.standard_normal((count, 64))
    codes = np.rint(points / np.abs(points).max() * 127).astype(np.int8)
    scales = (1 / np.linalg.norm(codes, axis=1)).astype("<f4")
    rows = [
        (number, row.tobytes(), scale.tobytes())
        for number, (row, scale) in enumerate(zip(codes, scales, strict=True), start=1)
    ]
    return FlatVectors.of(rows, identity="made up", dimensions=64)


def test_the_floor_of_a_model_lies_where_its_unrelated_texts_do() -> None:
    """A model all of whose cosines are high needs a higher one."""
    near = learned_floor(in_directions(spread=0.1, count=600))
    apart = learned_floor(in_directions(spread=1.0, count=600))

    assert 0.55 < near < 0.7
    assert -0.1 < apart < 0.2


def test_a_few_vectors_tell_no_floor() -> None:
    assert learned_floor(in_directions(spread=0.1, count=100)) == 0.3


# Filters


def test_the_nearest_out_of_scope_takes_no_place(tmp_path: Path) -> None:
    synced(tmp_path)

    page = an_archive(tmp_path).search(
        "question number 7 of the harbour",
        mode=Mode.MEANING,
        filters=Filters(exclude=(key("s7"), key("s3"))),
        limit=20,
    )

    assert set(sessions(page)) == {f"s{number}" for number in (0, 1, 2, 4, 5, 6, 8, 9)}


def test_a_phrase_must_stand_in_what_is_found_by_meaning(tmp_path: Path) -> None:
    synced(tmp_path)

    page = an_archive(tmp_path).search('"number 7 of"', mode=Mode.MEANING, limit=20)

    assert sessions(page) == ["s7"]
