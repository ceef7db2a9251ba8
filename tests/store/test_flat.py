"""The flat copy of the vectors: what is written, what is refused, who is nearest."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from quoth.errors import VectorWidthError
from quoth.store._flat import HEADER_SIZE, FlatVectors, Row, flat_path
from quoth.store._nearest import Nearest
from quoth.store._scan import best_per_owner

EAST = np.array([1, 0], np.float32)


def a_row(number: int, *vectors: Sequence[int]) -> Row:
    """Return an embedding of those windows, each scaled to unit length."""
    codes = np.array(vectors, np.int8).reshape(len(vectors), -1)
    lengths = np.linalg.norm(codes.astype(float), axis=1)
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return number, codes.tobytes(), scales.astype(np.float32).tobytes()


def write(
    path: Path, *rows: Row, identity: str = "model/rule/1", dimensions: int = 2
) -> None:
    FlatVectors.write(
        path, identity=identity, dimensions=dimensions, generation=7, rows=rows
    )


def opened(path: Path, *rows: Row, dimensions: int = 2) -> FlatVectors:
    write(path, *rows, dimensions=dimensions)
    vectors = FlatVectors.open(path)
    assert vectors is not None
    return vectors


def walked(chunks: Iterator[Nearest]) -> list[tuple[int, float, int]]:
    return [
        (owner, round(score, 3), window)
        for chunk in chunks
        for owner, score, window in zip(*(part.tolist() for part in chunk), strict=True)
    ]


def owners_of(chunks: Iterator[Nearest]) -> list[int]:
    return [owner for owner, _, _ in walked(chunks)]


def many(seed: int, *, count: int, dimensions: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(count, dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def rows_of(vectors: NDArray[np.float32]) -> list[Row]:
    codes = np.rint(vectors * 127 / np.abs(vectors).max(axis=1, keepdims=True))
    return [a_row(number, row) for number, row in enumerate(codes.tolist(), start=1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


def test_a_copy_reads_back_what_was_written(path: Path) -> None:
    vectors = opened(path, a_row(3, (1, 0), (0, 2)), a_row(9, (5, 5)))

    assert (
        (vectors.identity, vectors.dimensions, vectors.generation, vectors.last_id),
        vectors.codes.tolist(),
        vectors.scales.tolist(),
        vectors.owners.tolist(),
    ) == (
        ("model/rule/1", 2, 7, 9),
        [[1, 0], [0, 2], [5, 5]],
        [1.0, 0.5, pytest.approx(0.1414, abs=1e-4)],
        [3, 3, 9],
    )


def test_an_empty_copy_has_nobody_near(path: Path) -> None:
    vectors = opened(path)

    assert (vectors.count, vectors.last_id, walked(vectors.scored(EAST).ranked())) == (
        0,
        0,
        [],
    )


def test_the_last_id_counts_also_without_vectors(path: Path) -> None:
    """Or it would be read from the database again at every question."""
    assert opened(path, a_row(1, (1, 0)), (8, b"", b"")).last_id == 8


def test_a_copy_can_be_read_by_its_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        write(path)
    finally:
        os.umask(before)

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_in_the_place_of_a_copy_is_replaced_and_not_followed(
    path: Path, tmp_path: Path
) -> None:
    path.symlink_to(tmp_path / "elsewhere")

    write(path)

    assert (path.is_symlink(), (tmp_path / "elsewhere").exists()) == (False, False)


def test_a_writer_that_fails_leaves_the_old_copy_alone(path: Path) -> None:
    write(path, a_row(1, (1, 0)))
    before = path.read_bytes()

    with pytest.raises(ValueError, match="embedding 2 is out of order"):
        write(path, a_row(5, (1, 0)), a_row(2, (1, 0)))

    assert [file.read_bytes() for file in path.parent.iterdir()] == [before]


def test_codes_of_another_width_are_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="embedding 1 is out of order or of another"):
        write(path, a_row(1, (1, 0, 0)))


def test_an_identity_that_does_not_fit_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="an identity of 600 bytes"):
        write(path, identity="x" * 600)


def test_what_a_killed_writer_left_is_removed_whatever_its_age(path: Path) -> None:
    write(path)
    path.with_name(".vectors.0123456789abcdef.new").write_bytes(b"half a copy")

    FlatVectors.remove_unfinished(path)

    assert list(path.parent.iterdir()) == [path]


def test_a_copy_that_is_replaced_stays_readable_where_it_is_open(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0)))

    write(path, a_row(2, (0, 1)), a_row(3, (0, 1)))

    assert walked(vectors.scored(EAST).ranked()) == [(1, 1.0, 0)]


@pytest.mark.parametrize("size", [0, HEADER_SIZE - 1, HEADER_SIZE, -1])
def test_a_copy_that_was_cut_short_is_none(path: Path, size: int) -> None:
    write(path, a_row(1, (1, 0)))
    path.write_bytes(path.read_bytes()[:size])

    assert FlatVectors.open(path) is None


@pytest.mark.parametrize(
    "change",
    [
        (0, b"x"),
        (8, struct.pack("<I", 2)),
        (24, struct.pack("<q", -1)),
        (40, struct.pack("<I", 4) + b"\xff\xff\xff\xff"),
    ],
    ids=["magic", "version", "count", "identity"],
)
def test_another_format_is_none(path: Path, change: tuple[int, bytes]) -> None:
    write(path, a_row(1, (1, 0)))
    at, content = change
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(data)

    assert FlatVectors.open(path) is None


def test_no_copy_is_none(path: Path) -> None:
    assert FlatVectors.open(path) is None


def test_a_link_to_a_copy_is_none(path: Path) -> None:
    write(path)
    link = path.with_name("link")
    link.symlink_to(path)

    assert FlatVectors.open(link) is None


def test_a_pipe_in_its_place_is_none(path: Path) -> None:
    os.mkfifo(path)

    assert FlatVectors.open(path) is None


def test_scores_are_cosines(path: Path) -> None:
    vectors = opened(path, a_row(1, (3, 0), (1, 1), (0, 9), (-2, 0)))

    scores = vectors.scores(EAST * 20)

    np.testing.assert_allclose(scores, [1, 0.7071, 0, -1], atol=1e-4)


def test_an_owner_stands_where_its_best_window_puts_it(path: Path) -> None:
    vectors = opened(
        path,
        a_row(1, (0, 1), (1, 1), (0, 1)),
        a_row(2, (-1, 0), (0, 1), (1, 0)),
        a_row(3, (0, 1)),
    )

    assert walked(vectors.scored(EAST).ranked()) == [
        (2, 1.0, 2),
        (1, 0.707, 1),
        (3, 0.0, 0),
    ]


def test_equal_scores_go_to_the_smaller_id_and_the_earlier_window(path: Path) -> None:
    vectors = opened(path, a_row(4, (1, 0), (1, 0)), a_row(6, (1, 0)))

    ranked = (
        vectors.with_rows([a_row(9, (1, 0)), a_row(8, (1, 0))]).scored(EAST).ranked()
    )

    assert walked(ranked) == [(4, 1.0, 0), (6, 1.0, 0), (8, 1.0, 0), (9, 1.0, 0)]


def test_a_vector_of_scale_zero_is_no_candidate(path: Path) -> None:
    vectors = opened(path, a_row(1, (0, 0)), a_row(2, (-1, 0), (0, 0)))

    assert walked(vectors.scored(EAST).ranked()) == [(2, -1.0, 0)]


def test_vectors_that_are_not_in_the_file_are_ranked_with_it(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 1)), a_row(2, (0, 1)))

    ranked = (
        vectors.with_rows([a_row(5, (0, 1), (1, 0)), (6, b"", b"")])
        .scored(EAST)
        .ranked()
    )

    assert walked(ranked) == [(5, 1.0, 1), (1, 0.707, 0), (2, 0.0, 0)]


def test_a_ranking_can_be_walked_again_with_a_filter(path: Path) -> None:
    scored = opened(path, a_row(1, (1, 0)), a_row(2, (0, 1))).scored(EAST)

    assert [owners_of(scored.ranked()), owners_of(scored.ranked(allowed=[2]))] == [
        [1, 2],
        [2],
    ]


def test_vectors_beside_the_file_count_but_are_not_in_it(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0))).with_rows([a_row(2, (0, 1), (1, 0))])

    assert (vectors.count, vectors.last_id) == (3, 1)


def test_vectors_without_a_file_are_ranked_like_those_of_one(path: Path) -> None:
    rows = [a_row(3, (1, 1)), a_row(1, (0, 1)), a_row(2, (1, 0), (0, 1))]

    loose = FlatVectors.of(rows, identity="model/rule/1", dimensions=2)

    filed = opened(path, *sorted(rows))
    assert walked(loose.scored(EAST).ranked()) == walked(filed.scored(EAST).ranked())


def test_no_rows_are_vectors_of_nobody() -> None:
    nobody = FlatVectors.of([], identity="model/rule/1", dimensions=2)

    assert (nobody.count, nobody.last_id) == (0, 0)


def test_only_allowed_owners_are_ranked(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0)), a_row(2, (1, 1)), a_row(3, (0, 1)))

    ranked = (
        vectors.with_rows([a_row(9, (1, 0))]).scored(EAST).ranked(allowed=[2, 3, 77])
    )

    assert owners_of(ranked) == [2, 3]


def test_nobody_allowed_is_nobody_ranked(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0)))

    assert owners_of(vectors.scored(EAST).ranked(allowed=[])) == []


def test_the_only_allowed_owner_is_found_when_it_ranks_last_of_50_000(
    path: Path,
) -> None:
    rows = [a_row(number, (100, number % 50)) for number in range(1, 50_001)]
    rows[30_000] = a_row(30_001, (-100, 0))
    vectors = opened(path, *rows)

    assert walked(vectors.scored(EAST).ranked(allowed=[30_001])) == [(30_001, -1.0, 0)]


def test_walking_to_the_end_meets_everyone_once_in_order(path: Path) -> None:
    rows = rows_of(many(1, count=5_000, dimensions=16))
    vectors = opened(path, *rows, dimensions=16)
    query = many(2, count=1, dimensions=16)[0]

    met = owners_of(vectors.scored(query).ranked())

    scores = vectors.scores(query)
    assert met == sorted(range(1, 5_001), key=lambda owner: (-scores[owner - 1], owner))


def test_chunks_begin_with_a_thousand_and_double(path: Path) -> None:
    rows = rows_of(many(1, count=4_000, dimensions=16))
    vectors = opened(path, *rows, dimensions=16)

    chunks = vectors.scored(many(2, count=1, dimensions=16)[0]).ranked()

    assert [len(chunk.owners) for chunk in chunks] == [1_000, 2_000, 1_000]


@given(st.lists(st.integers(-3, 3), max_size=40), st.integers(1, 4))
def test_each_owner_is_ranked_by_its_best(scores: list[int], windows: int) -> None:
    owners = np.arange(len(scores), dtype=np.int64) // windows

    chunks = best_per_owner(np.array(scores, np.float32), owners)

    best: dict[int, list[int]] = {}
    for owner, score in zip(owners.tolist(), scores, strict=True):
        best.setdefault(owner, []).append(score)
    expected = [(o, max(own), own.index(max(own))) for o, own in best.items()]
    assert walked(chunks) == sorted(expected, key=lambda hit: (-hit[1], hit[0]))


def test_equal_vectors_score_equal_bits_wherever_they_stand(path: Path) -> None:
    """Plain float32 adds in another order at the end of a block: ties would flip."""
    row = rows_of(many(3, count=1, dimensions=256))[0]
    rows = [(number, row[1], row[2]) for number in range(1, 8_300)]
    vectors = opened(path, *rows, dimensions=256)

    scores = vectors.scores(many(4, count=1, dimensions=256)[0])

    assert len(set(scores.tolist())) == 1


def test_a_question_of_another_width_is_refused(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0)))

    with pytest.raises(VectorWidthError, match="has 3 dimensions, the stored ones 2"):
        vectors.scored(np.ones(3, np.float32))


def test_a_question_of_zeros_is_equally_far_from_everyone(path: Path) -> None:
    vectors = opened(path, a_row(1, (1, 0)), a_row(2, (0, 1)))

    assert walked(vectors.scored(EAST * 0).ranked()) == [(1, 0.0, 0), (2, 0.0, 0)]


def test_bytes_find_what_float32_finds(path: Path) -> None:
    """recall_at_50 at least 0.99, with vectors of which no two are alike by design."""
    exact = many(5, count=1_000, dimensions=256)
    vectors = opened(path, *rows_of(exact), dimensions=256)
    queries = many(6, count=40, dimensions=256)

    found = [next(vectors.scored(query).ranked()).owners[:50] for query in queries]

    nearest = np.argsort(-(queries @ exact.T), axis=1)[:, :50] + 1
    shared = [len(np.intersect1d(*pair)) for pair in zip(found, nearest, strict=True)]
    assert sum(shared) / (50 * len(queries)) >= 0.99


def test_importing_the_module_does_not_import_numpy() -> None:
    program = "import sys, quoth.store._flat; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("identity", "folder"),
    [
        ("static-s2-256/w40o8/1", "static-s2-256_w40o8_1"),
        ("../../etc", "_._.._etc"),
        (".", "_"),
    ],
)
def test_an_identity_becomes_one_folder(
    tmp_path: Path, identity: str, folder: str
) -> None:
    assert flat_path(tmp_path, identity) == tmp_path / "vectors" / folder / "all.vec"


def test_a_long_identity_is_no_longer_than_a_name_may_be(tmp_path: Path) -> None:
    """A server calls a model as it likes."""
    one, other = (flat_path(tmp_path, "model" * 100 + end) for end in "ab")

    assert one != other
    assert len(one.parent.name) < 128
