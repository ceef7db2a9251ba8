"""The default embedder and the table it reads."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import quoth.embedding
from quoth.embedding import StaticEmbedder, load_static
from quoth.embedding._pooling import TokenTable, flat_ids, quantised
from quoth.errors import EmbeddingError, ModelMissingError
from quoth.passages import words_of

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(quoth.embedding.__file__).parent / "static_v1"


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return load_static()


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "hatch_build", ROOT / "hatch_build.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cosine(embedder: StaticEmbedder, one: str, other: str) -> float:
    query, rows = embedder.embed_query(one), embedder.embed([other])
    assert query is not None
    return float(rows.codes[0] @ query * rows.scales[0])


def test_the_identity_names_model_window_rule_and_version() -> None:
    assert StaticEmbedder.identity == "static-s2-256/w40o8/1"


def test_a_paraphrase_is_nearer_than_another_subject(embedder: StaticEmbedder) -> None:
    question = "how do I deploy the web server?"

    near = cosine(embedder, question, "steps to publish the site to production hosts")
    far = cosine(embedder, question, "the cake needs two eggs and some butter")

    assert near > far


def test_one_passage_call_is_a_message_call_of_one(embedder: StaticEmbedder) -> None:
    text = "to be or not to be " * 40

    rows, (same,) = embedder.embed_passages(text), embedder.embed_messages([text])

    assert rows.codes.tobytes() == same.codes.tobytes()


def test_a_window_of_unknown_words_keeps_its_place(embedder: StaticEmbedder) -> None:
    """So that a row's number is its window's number, for the snippet."""
    text = "known words " * 20 + "😀 " * 80 + "known words " * 20

    rows = embedder.embed_passages(text)

    assert [bool(scale) for scale in rows.scales] == [True, True, False, True, True]


def test_a_word_said_twice_weighs_twice(embedder: StaticEmbedder) -> None:
    rows = embedder.embed(["cat cat dog", "cat dog cat", "cat dog"])

    equal = [bool((rows.codes[0] == row).all()) for row in rows.codes]
    assert equal == [True, True, False]


def test_sums_do_not_depend_on_the_order_of_words(embedder: StaticEmbedder) -> None:
    """They are exact, so neither a batch nor a machine can change a stored byte."""
    words = words_of(" the vesting schedule was moved to another year" * 300)

    there, back = embedder.embed([" ".join(words), " ".join(reversed(words))]).codes

    assert there.tobytes() == back.tobytes()


def test_coverage_is_the_share_of_known_tokens(embedder: StaticEmbedder) -> None:
    texts = ["hello world", "hello 😀", "😀", ""]

    assert [embedder.coverage(text) for text in texts] == [1.0, 0.5, 0.0, 0.0]


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=str(tmp_path)):
        load_static(tmp_path)


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    for name in ("vocab.txt", "scales.npy"):
        shutil.copy(TABLE / name, tmp_path)
    (tmp_path / "vectors.npy").write_bytes(b"not an array")

    with pytest.raises(EmbeddingError, match="is damaged"):
        load_static(tmp_path)


def test_the_table_is_mapped_and_not_read() -> None:
    table = load_static()._table

    assert isinstance(table.codes.base, np.memmap)


def test_rows_of_the_table_are_whole_numbers() -> None:
    """Which is what makes their sums exact."""
    weights = load_static()._table.weights

    assert (weights == np.rint(weights)).all()


def test_a_long_window_is_summed_in_parts_to_the_same() -> None:
    table = TokenTable.of(np.array([[3, -1]], np.int8), np.array([0.5], np.float16))
    ids, ends = flat_ids([(0,)] * 5_000)

    sums = table.sums(ids, [(0, ends[-1])])

    assert sums.tolist() == [[3 * 5_000 * 2.0**23, -5_000 * 2.0**23]]


def test_vectors_that_cancel_out_are_no_candidates() -> None:
    rows = quantised(np.zeros((1, 4)))

    assert (rows.scales.tolist(), rows.codes.tolist()) == ([0.0], [[0, 0, 0, 0]])


def test_the_table_is_the_one_that_was_checked(hatch_build: ModuleType) -> None:
    assert hatch_build.differing(TABLE) == []


def test_a_build_notices_what_is_altered_or_missing(
    hatch_build: ModuleType, tmp_path: Path
) -> None:
    for name in ("SHA256SUMS", "vocab.txt", "vectors.npy"):
        shutil.copy(TABLE / name, tmp_path)
    (tmp_path / "vocab.txt").write_bytes(b"another")

    assert hatch_build.differing(tmp_path) == ["scales.npy", "vocab.txt"]


def test_a_build_with_another_table_is_refused(
    hatch_build: ModuleType, tmp_path: Path
) -> None:
    folder = tmp_path / hatch_build.TABLE
    folder.mkdir(parents=True)
    shutil.copy(TABLE / "SHA256SUMS", folder)
    hook = hatch_build.WeightsHook(str(tmp_path), {}, None, None, "", "wheel")

    with pytest.raises(RuntimeError, match=r"scales\.npy, vectors\.npy, vocab\.txt in"):
        hook.initialize("standard", {})
