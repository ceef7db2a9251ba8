"""MiniLM in numpy: its files, its arithmetic, and what it does with long texts."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from quoth.embedding import _model_files
from quoth.embedding._bert import Bert
from quoth.embedding._minilm import MiniLmEmbedder
from quoth.embedding._model_files import (
    WEIGHTS,
    add_minilm,
    installed_minilm,
    remove_minilm,
)
from quoth.embedding._protocol import Quantised
from quoth.embedding._safetensors import NotSafetensorsError, tensors_in
from quoth.embedding._static import VOCABULARY
from quoth.errors import EmbeddingError, ModelMissingError
from quoth.passages import windows_of

Arrays = Mapping[str, NDArray[Any]]

WIDTH, LAYERS, WIDE = 64, 2, 96
HARBOUR = "the harbour master closed the northern lock at noon"
LONG = " ".join(f"sentence {n} of a long message about tides." for n in range(60))
REAL = os.environ.get("QUOTH_MINILM", "")


# A small model of random numbers


def made_up(words: int = 30_522) -> Arrays:
    rng = np.random.default_rng(7)

    def some(*shape: int) -> NDArray[Any]:
        return rng.normal(0, 0.2, shape).astype(np.float32)

    def pair(name: str, *shape: int) -> dict[str, NDArray[Any]]:
        return {f"{name}.weight": some(*shape), f"{name}.bias": some(shape[0])}

    found: dict[str, NDArray[Any]] = {
        "embeddings.word_embeddings.weight": some(words, WIDTH),
        "embeddings.position_embeddings.weight": some(512, WIDTH),
        "embeddings.token_type_embeddings.weight": some(2, WIDTH),
        **pair("embeddings.LayerNorm", WIDTH),
    }
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            found |= pair(f"{name}.attention.self.{part}", WIDTH, WIDTH)
        found |= pair(f"{name}.attention.output.dense", WIDTH, WIDTH)
        found |= pair(f"{name}.attention.output.LayerNorm", WIDTH)
        found |= pair(f"{name}.intermediate.dense", WIDE, WIDTH)
        found |= pair(f"{name}.output.dense", WIDTH, WIDE)
        found |= pair(f"{name}.output.LayerNorm", WIDTH)
    return found


def as_file(arrays: Arrays, **changes: object) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, array in arrays.items():
        content = array.tobytes()
        header[name] = {
            "dtype": {"f4": "F32", "f2": "F16", "i8": "I64"}[array.dtype.str[1:]],
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(content)],
        }
        data += content
    packed = json.dumps({**header, **changes}).encode()
    return struct.pack("<Q", len(packed)) + packed + data


class Reference:
    """The same arithmetic, slow, in float64, one text and one head at a time."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}

    def encode(self, ids: list[int]) -> NDArray[np.float64]:
        words = self.arrays["embeddings.word_embeddings.weight"][ids]
        places = self.arrays["embeddings.position_embeddings.weight"][: len(ids)]
        kind = self.arrays["embeddings.token_type_embeddings.weight"][0]
        rows = self._normal(words + places + kind, "embeddings.LayerNorm")
        for number in range(LAYERS):
            rows = self._layer(rows, f"encoder.layer.{number}")
        mean: NDArray[np.float64] = rows.mean(axis=0)
        return mean

    def _layer(self, rows: NDArray[Any], name: str) -> NDArray[Any]:
        query, key, value = (
            self._linear(rows, f"{name}.attention.self.{part}")
            for part in ("query", "key", "value")
        )
        seen = np.zeros_like(rows)
        for head in range(0, WIDTH, 32):
            part = slice(head, head + 32)
            scores = query[:, part] @ key[:, part].T / math.sqrt(32)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            seen[:, part] = weights @ value[:, part]
        out = self._linear(seen, f"{name}.attention.output.dense") + rows
        out = self._normal(out, f"{name}.attention.output.LayerNorm")
        raised = self._linear(out, f"{name}.intermediate.dense")
        gelu = np.vectorize(lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2)
        lowered = self._linear(gelu(raised), f"{name}.output.dense") + out
        return self._normal(lowered, f"{name}.output.LayerNorm")

    def _linear(self, rows: NDArray[Any], name: str) -> NDArray[Any]:
        return rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]

    def _normal(self, rows: NDArray[Any], name: str) -> NDArray[Any]:
        mean = rows.mean(axis=1, keepdims=True)
        spread = np.sqrt(((rows - mean) ** 2).mean(axis=1, keepdims=True) + 1e-12)
        weight, bias = self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"]
        return np.asarray((rows - mean) / spread * weight + bias)


class Small(MiniLmEmbedder):
    dimensions = WIDTH


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("small")
    (found / WEIGHTS).write_bytes(as_file(made_up()))
    return found


@pytest.fixture(scope="module")
def small(folder: Path) -> Small:
    return Small(folder)


def cosine(one: NDArray[Any], other: NDArray[Any]) -> float:
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return float(one @ other / lengths)


def dense(rows: Quantised) -> NDArray[Any]:
    return rows.codes.astype(np.float64) * rows.scales[:, None]


# Its arithmetic


@pytest.mark.parametrize("lengths", [[1], [3, 3, 3], [2, 5, 5, 40], [254]])
def test_it_computes_what_the_slow_way_does(lengths: list[int]) -> None:
    arrays = made_up(words=200)
    rng = np.random.default_rng(3)
    texts = [rng.integers(0, 200, length).tolist() for length in lengths]

    rows = Bert(arrays).encode(texts)

    slow = [Reference(arrays).encode(text) for text in texts]
    np.testing.assert_allclose(rows, np.stack(slow), atol=1e-4)


def test_a_text_has_its_marks_around_it(small: Small) -> None:
    words = VOCABULARY.read_text(encoding="utf-8").split()
    ids = [words.index(word) for word in ("[CLS]", "the", "harbour", "[SEP]")]

    found = small.embed_query("The harbour")

    assert found is not None
    assert cosine(found, Reference(made_up()).encode(ids)) == pytest.approx(1, abs=1e-6)


def test_alone_or_among_others_is_the_same(small: Small) -> None:
    texts = [HARBOUR, LONG, "short", "naïve café 数据", HARBOUR.upper()]

    together = small.embed_messages(texts * 30)[: len(texts)]

    for text, rows in zip(texts, together, strict=True):
        (alone,) = small.embed_messages([text])
        assert len(rows) == len(alone) == len(windows_of(text))
        for one, other in zip(dense(rows), dense(alone), strict=True):
            assert cosine(one, other) > 0.999


def test_what_is_longer_than_the_model_takes_counts_to_its_end(small: Small) -> None:
    rare = " ".join(f"{number:x}" * 12 for number in range(4096, 4136))
    ids = small._wordpiece.encode(rare)
    assert len(windows_of(rare)) == 1
    assert len(ids) > 1000

    parts = small._parts_of(rare)
    found = small.embed_query(rare)

    assert [number for part in parts for number in part[1:-1]] == ids
    assert max(map(len, parts)) <= 256
    slow = sum(len(part) * Reference(made_up()).encode(part) for part in parts)
    assert found is not None
    assert cosine(found, np.asarray(slow)) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("text", ["", " \n", "😀 \U0001f680"])
def test_nothing_known_has_no_vector(small: Small, text: str) -> None:
    (rows,) = small.embed_messages([text])

    assert (len(rows), small.embed_query(text)) == (0, None)


def test_a_window_of_unknown_words_keeps_its_place(small: Small) -> None:
    text = " ".join([*["😀"] * 40, *HARBOUR.split()])

    (rows,) = small.embed_messages([text])

    assert len(rows) == len(windows_of(text))


def test_it_costs_nothing_until_it_is_used(tmp_path: Path) -> None:
    found = MiniLmEmbedder(tmp_path)

    assert (found.identity, found.dimensions) == ("minilm-l6-v2-384/w40o8/1", 384)


# Its files


def test_without_its_files_it_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError) as caught:
        MiniLmEmbedder(tmp_path / "minilm").embed_query(HARBOUR)

    assert "MiniLM is missing at" in str(caught.value)
    assert "quoth models add PATH" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 7,
        b"\x00" * 100,
        b"\xff" * 100,
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 2) + b"{}",
        struct.pack("<Q", 1 << 40) + b"{}",
        as_file({"a": np.zeros(3, np.float32)}, a={"dtype": "F32"}),
        as_file({"a": np.zeros(3, np.float32)}, a=7),
        as_file(
            {"a": np.zeros(3, np.float32)},
            a={"dtype": "F32", "shape": [3], "data_offsets": [0, 4000]},
        ),
        as_file(
            {"a": np.zeros(3, np.float32)},
            a={"dtype": "F32", "shape": [-1], "data_offsets": [0, 12]},
        ),
        as_file(
            {"a": np.zeros(3, np.float32)},
            a={"dtype": "BF16", "shape": [6], "data_offsets": [0, 12]},
        ),
        as_file({"embeddings.word_embeddings.weight": np.zeros((3, 4), np.float32)}),
    ],
)
def test_a_damaged_file_is_an_error_that_says_so(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / WEIGHTS).write_bytes(content)

    with pytest.raises(EmbeddingError, match="are damaged"):
        MiniLmEmbedder(tmp_path).embed_query(HARBOUR)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("embeddings.word_embeddings.weight", (9,)),
        ("embeddings.word_embeddings.weight", (200, WIDTH)),
        ("embeddings.token_type_embeddings.weight", (0, WIDTH)),
        ("embeddings.LayerNorm.bias", (WIDTH + 1,)),
        ("encoder.layer.1.attention.self.key.bias", (WIDTH + 1,)),
        ("encoder.layer.1.intermediate.dense.weight", (WIDE, WIDTH + 1)),
        ("encoder.layer.1.output.dense.bias", (1,)),
        ("encoder.layer.1.output.LayerNorm.weight", (WIDTH + 1,)),
    ],
)
def test_weights_that_do_not_fit_each_other_are_damaged(
    tmp_path: Path, name: str, shape: tuple[int, ...]
) -> None:
    arrays = {**made_up(), name: np.zeros(shape, np.float32)}
    (tmp_path / WEIGHTS).write_bytes(as_file(arrays))

    with pytest.raises(EmbeddingError, match="are damaged"):
        Small(tmp_path).embed_query(HARBOUR)


def test_weights_of_another_width_are_damaged(folder: Path) -> None:
    with pytest.raises(EmbeddingError, match="are damaged"):
        MiniLmEmbedder(folder).embed_query(HARBOUR)


_PLACE = '{"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}'


@pytest.mark.parametrize(
    "header", [f'{{"a": {_PLACE}, "b": {_PLACE}}}', f'{{"a": {_PLACE}, "a": {_PLACE}}}']
)
def test_no_two_arrays_share_a_place_or_a_name(tmp_path: Path, header: str) -> None:
    path = tmp_path / "some.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + bytes(12))

    with pytest.raises(NotSafetensorsError):
        tensors_in(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(where=st.integers(0, 200), byte=st.integers(0, 255), cut=st.integers(0, 300))
def test_no_byte_makes_the_reader_fail_otherwise(
    tmp_path: Path, where: int, byte: int, cut: int
) -> None:
    content = bytearray(as_file({"a": np.arange(6, dtype=np.float32).reshape(2, 3)}))
    content[where % len(content)] = byte
    path = tmp_path / "some.safetensors"
    path.write_bytes(bytes(content[: max(len(content) - cut, 0)]))

    try:
        found = tensors_in(path)
    except (NotSafetensorsError, ValueError):
        return
    for array in found.values():
        assert array.nbytes <= len(content)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Let a few bytes be what was published, instead of 90 million."""
    content = b"the published weights" * 1000
    monkeypatch.setattr(_model_files, "_SIZE", len(content))
    monkeypatch.setattr(_model_files, "_DIGEST", sha256(content).hexdigest())
    return content


def in_a_folder(place: Path, content: bytes) -> Path:
    below = place / "snapshots" / "c9745ed1"
    below.mkdir(parents=True)
    (below / WEIGHTS).write_bytes(content)
    return place


def in_a_zip(place: Path, content: bytes) -> Path:
    place.mkdir()
    path = place / "some_model-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("some_model/__init__.py", "raise SystemExit")
        archive.writestr(f"some_model/model/{WEIGHTS}", content)
    return path


def at_the_top_of_a_zip(place: Path, content: bytes) -> Path:
    place.mkdir()
    path = place / "model.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(WEIGHTS, content)
    return path


def itself(place: Path, content: bytes) -> Path:
    place.mkdir()
    path = place / "weights.bin"
    path.write_bytes(content)
    return path


WAYS: list[Callable[[Path, bytes], Path]] = [
    in_a_folder,
    in_a_zip,
    at_the_top_of_a_zip,
    itself,
]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir(mode=0o700)
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_the_published_weights_are_taken_in(
    tmp_path: Path, models: Path, published: bytes, way: Callable[[Path, bytes], Path]
) -> None:
    added = add_minilm(way(tmp_path / "given", published), models=models)

    file = models / "minilm" / WEIGHTS
    assert added == installed_minilm(models)
    assert (added.is_there, added.digest) == (True, sha256(published).hexdigest())
    assert file.read_bytes() == published
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [path.name for path in models.iterdir()] == ["minilm"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:-1],
        lambda content: content + b"x",
        lambda content: b"X" + content[1:],
        lambda content: content * 1000,
    ],
)
def test_others_are_refused_and_nothing_is_written(
    tmp_path: Path,
    models: Path,
    published: bytes,
    way: Callable[[Path, bytes], Path],
    change: Callable[[bytes], bytes],
) -> None:
    with pytest.raises(EmbeddingError, match="not those that were published") as caught:
        add_minilm(way(tmp_path / "given", change(published)), models=models)

    assert sha256(published).hexdigest() in (caught.value.hint or "")
    assert list(models.iterdir()) == []


def test_what_was_there_is_replaced(
    tmp_path: Path, models: Path, published: bytes
) -> None:
    add_minilm(itself(tmp_path / "one", published), models=models)
    (models / "minilm" / WEIGHTS).write_bytes(b"broken")
    assert not installed_minilm(models).is_there

    add_minilm(itself(tmp_path / "other", published), models=models)

    assert installed_minilm(models).is_there


def test_nothing_is_written_through_a_link(
    tmp_path: Path, models: Path, published: bytes
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (models / "minilm").symlink_to(elsewhere)

    add_minilm(itself(tmp_path / "given", published), models=models)

    assert list(elsewhere.iterdir()) == []
    assert not (models / "minilm").is_symlink()


@pytest.mark.parametrize("holds", ["nothing", "a folder too deep", "a zip of others"])
def test_where_there_are_none_it_says_so(
    tmp_path: Path, models: Path, published: bytes, holds: str
) -> None:
    given = tmp_path / "given"
    if holds == "a folder too deep":
        in_a_folder(given.joinpath(*"abcdefg"), published)
    elif holds == "nothing":
        given.mkdir()
    else:
        given.mkdir()
        given = given / "some.zip"
        with zipfile.ZipFile(given, "w") as archive:
            archive.writestr("README.md", "no weights")

    with pytest.raises(EmbeddingError, match=f"There is no {WEIGHTS}"):
        add_minilm(given, models=models)


@pytest.mark.parametrize("damage", ["middle", "start"])
def test_a_broken_zip_is_an_error(
    tmp_path: Path, models: Path, published: bytes, damage: str
) -> None:
    path = in_a_zip(tmp_path / "given", published)
    content = bytearray(path.read_bytes())
    start = len(content) // 3 if damage == "middle" else 130
    content[start : start + 20] = bytes(20)
    path.write_bytes(content)

    with pytest.raises(EmbeddingError):
        add_minilm(path, models=models)

    assert list(models.iterdir()) == []


@pytest.mark.parametrize(
    "packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=st.dictionaries(st.integers(0, 400), st.integers(0, 255), min_size=1))
def test_no_byte_of_a_zip_makes_taking_it_in_fail_otherwise(
    models: Path, published: bytes, packed: int, changes: dict[int, int]
) -> None:
    path = models.parent / "given.zip"
    with zipfile.ZipFile(path, "w", packed) as archive:
        archive.writestr(f"some/{WEIGHTS}", sha256(published).digest() * 9)
    content = bytearray(path.read_bytes())
    for place, byte in changes.items():
        content[place % len(content)] = byte
    path.write_bytes(content)

    with pytest.raises(EmbeddingError):
        add_minilm(path, models=models)

    assert list(models.iterdir()) == []


def test_a_disk_that_is_full_is_not_a_broken_zip(
    tmp_path: Path, models: Path, published: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_a_zip(tmp_path / "given", published)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        add_minilm(path, models=models)

    assert list(models.iterdir()) == []


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_in_a_folder_is_not_waited_for(
    tmp_path: Path, models: Path, published: bytes, linked: bool
) -> None:
    assert published
    given = tmp_path / "given"
    given.mkdir()
    os.mkfifo(tmp_path / "pipe" if linked else given / WEIGHTS)
    if linked:
        (given / WEIGHTS).symlink_to(tmp_path / "pipe")

    with pytest.raises(EmbeddingError, match="There is no"):
        add_minilm(given, models=models)


def test_a_pipe_is_not_waited_for(
    tmp_path: Path, models: Path, published: bytes
) -> None:
    assert published
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(EmbeddingError, match="There is no"):
        add_minilm(tmp_path / "pipe", models=models)


def test_removing_removes_it(tmp_path: Path, models: Path, published: bytes) -> None:
    add_minilm(itself(tmp_path / "given", published), models=models)

    assert [remove_minilm(models), remove_minilm(models)] == [True, False]
    assert list(models.iterdir()) == []


# The real weights


@pytest.fixture(scope="module")
def real() -> MiniLmEmbedder:
    if not REAL:
        pytest.skip("the weights of MiniLM are not here: set QUOTH_MINILM")
    return MiniLmEmbedder(Path(REAL))


@pytest.mark.parametrize(
    ("one", "other", "cosine"),
    [
        ("how long do we keep bills?", "We store invoices for seven years.", 0.60445),
        ("how long do we keep bills?", "The ferry leaves at noon.", 0.08839),
        ("a cat on a mat", "a kitten lies on the rug", 0.57648),
    ],
)
def test_the_real_one_finds_as_near_what_the_prototype_does(
    real: MiniLmEmbedder, one: str, other: str, cosine: float
) -> None:
    a, b = real.embed_query(one), real.embed_query(other)

    assert a is not None
    assert b is not None
    assert float(a @ b) == pytest.approx(cosine, abs=1e-4)
