"""Reading compressed files: the bytes they were made from, in bounded memory."""

from __future__ import annotations

import hashlib
import io
import sys
import tracemalloc
from collections import deque
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sources.codex_records import packed

from quoth.errors import UnreadableUnitError
from quoth.sources import _unpacking
from quoth.sources._unpacking import open_unpacked

WORDS = b"".join(b"%d halyards and a capstan\n" % n for n in range(30_000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.zst"


def unpacked(path: Path) -> bytes:
    with open_unpacked(path) as file:
        return file.read()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(packed(WORDS), id="one frame"),
        pytest.param(packed(WORDS[:100_000], b"", WORDS[100_000:]), id="several"),
        pytest.param(b"\x50\x2a\x4d\x18\x02\0\0\0no" + packed(WORDS), id="a note"),
    ],
)
def test_a_file_is_what_it_was_made_from(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    assert unpacked(path) == WORDS


def test_an_empty_file_is_empty(path: Path) -> None:
    path.touch()

    assert unpacked(path) == b""


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(places=st.lists(st.integers(0, len(WORDS) + 100), max_size=6))
def test_any_place_can_be_gone_to(path: Path, places: list[int]) -> None:
    path.write_bytes(packed(WORDS[:300_000], WORDS[300_000:]))

    with open_unpacked(path) as file:
        for place in places:
            file.seek(place)
            assert file.read(50) == WORDS[place : place + 50]


def test_its_end_is_not_known_before_it_is_reached(path: Path) -> None:
    path.write_bytes(packed(WORDS))

    with open_unpacked(path) as file, pytest.raises(io.UnsupportedOperation):
        file.seek(0, io.SEEK_END)


def test_lines_that_came_out_before_it_breaks_off_can_be_read(path: Path) -> None:
    path.write_bytes(packed(b"one\ntwo\n", b"three\n")[:-3])

    with open_unpacked(path) as file:
        assert [file.readline(), file.readline()] == [b"one\n", b"two\n"]
        with pytest.raises(OSError, match="breaks off"):
            file.readline()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"no frame at all", id="something else"),
        pytest.param(packed(b"one\n") + b"more", id="something else behind it"),
        pytest.param(packed(WORDS).replace(b"\n", b"\r"), id="altered"),
    ],
)
def test_what_cannot_be_unpacked_is_an_error(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(OSError, match="can't be unpacked from here on"):
        unpacked(path)


def test_what_would_take_too_much_memory_is_refused(path: Path) -> None:
    wide = zstandard.ZstdCompressionParameters.from_level(3, window_log=26)
    frame = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    path.write_bytes(frame.compress(WORDS) + frame.flush())

    with pytest.raises(OSError, match="can't be unpacked"):
        unpacked(path)


def test_a_bomb_is_refused_before_it_fills_the_memory(path: Path) -> None:
    path.write_bytes(packed(bytes(2**27)))
    tracemalloc.start()

    with open_unpacked(path) as file, pytest.raises(OSError, match="500 times its"):
        deque(iter(lambda: file.read(2**16), b""), maxlen=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 40 * 2**20


def test_a_file_may_only_come_to_so_much(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_unpacking, "LARGEST", 100_000)
    path.write_bytes(packed(hashlib.shake_128(b"").digest(150_000)))

    with open_unpacked(path) as file, pytest.raises(OSError, match="more than 0 GB"):
        file.read()


def test_what_is_needed_is_said_where_nothing_can_unpack(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path.write_bytes(packed(WORDS))

    with pytest.raises(UnreadableUnitError, match="pip install zstandard"):
        open_unpacked(path)
