"""What holds for every embedder, the one for tests included."""

from __future__ import annotations

import subprocess
import sys
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.embedding import (
    HashEmbedder,
    Quantised,
    StaticEmbedder,
    load_static,
)
from quoth.passages import windows_of

Embedder: TypeAlias = StaticEmbedder | HashEmbedder

STATIC = load_static()
EMBEDDERS: list[Embedder] = [STATIC, HashEmbedder()]
LONG = " ".join(f"The vesting schedule of year {year} was moved." for year in range(60))
TEXTS = ["the cat sat on the mat", "", LONG, "😀 😀", "naïve café 数据", "a 1 . !"]
MEANINGLESS = ["", "  \n", "😀 \U0001f680"]

every_embedder = pytest.mark.parametrize(
    "embedder", EMBEDDERS, ids=[embedder.identity for embedder in EMBEDDERS]
)


def content(rows: Quantised) -> tuple[bytes, bytes]:
    return rows.codes.tobytes(), rows.scales.tobytes()


def dense(rows: Quantised) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return rows.codes.astype(np.float32) * rows.scales[:, None]


@every_embedder
def test_a_message_has_one_row_per_window(embedder: Embedder) -> None:
    (rows,) = embedder.embed_messages([LONG])

    assert len(rows) == len(windows_of(LONG)) > 5


@every_embedder
def test_rows_are_bytes_with_a_scale_each(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)

    assert (rows.codes.dtype, rows.codes.shape, rows.scales.dtype) == (
        np.dtype(np.int8),
        (len(TEXTS), embedder.dimensions),
        np.dtype(np.float32),
    )


@every_embedder
@given(texts=st.lists(st.text(max_size=300), max_size=5))
def test_a_text_alone_has_the_bytes_it_has_among_others(
    embedder: Embedder, texts: list[str]
) -> None:
    texts = [*TEXTS, *texts, *TEXTS]

    together = embedder.embed_messages(texts)

    alone = [embedder.embed_messages([text])[0] for text in texts]
    assert list(map(content, together)) == list(map(content, alone))


@every_embedder
def test_more_texts_than_one_group_keep_their_order(embedder: Embedder) -> None:
    texts = [f"message number {number} of many" for number in range(150)]

    together = embedder.embed_messages(texts)

    alone = [embedder.embed([text]) for text in texts]
    assert list(map(content, together)) == list(map(content, alone))


@every_embedder
def test_a_row_has_unit_length(embedder: Embedder) -> None:
    (rows,) = embedder.embed_messages([LONG])

    lengths = np.linalg.norm(dense(rows), axis=1)

    np.testing.assert_allclose(lengths, 1.0, rtol=1e-6)


@every_embedder
@pytest.mark.parametrize("text", MEANINGLESS)
def test_a_message_of_nothing_known_has_no_rows(embedder: Embedder, text: str) -> None:
    (rows,) = embedder.embed_messages([text])

    assert rows.codes.shape == (0, embedder.dimensions)


@every_embedder
@pytest.mark.parametrize("text", MEANINGLESS)
def test_a_text_of_nothing_known_has_scale_zero(embedder: Embedder, text: str) -> None:
    rows = embedder.embed([text])

    assert (rows.scales.tolist(), rows.codes.any()) == ([0.0], np.False_)


@every_embedder
@pytest.mark.parametrize("text", MEANINGLESS)
def test_a_question_of_nothing_known_has_no_vector(
    embedder: Embedder, text: str
) -> None:
    assert embedder.embed_query(text) is None


@every_embedder
def test_no_texts_have_no_rows(embedder: Embedder) -> None:
    assert (len(embedder.embed([])), embedder.embed_messages([])) == (0, [])


@every_embedder
def test_a_question_is_nearest_its_own_text(embedder: Embedder) -> None:
    texts = ["roast potatoes in the oven", "the vesting schedule", "a red bicycle"]
    query = embedder.embed_query("the vesting schedule")
    assert query is not None

    cosines = dense(embedder.embed(texts)) @ query

    assert (int(cosines.argmax()), round(float(cosines[1]), 2)) == (1, 1.0)


def test_the_embedder_for_tests_says_that_it_is_not_semantic() -> None:
    assert HashEmbedder.identity == "hash-not-semantic-64"


def test_importing_the_package_does_not_import_numpy() -> None:
    program = "import sys, quoth.embedding; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
