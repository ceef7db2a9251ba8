"""Codex: rollouts that were compressed or moved to the archive are what they were."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import archive_in, assert_consistent, citations, found, later, put
from tests.sources.codex_records import (
    NAME,
    THREAD,
    lines_of,
    meta,
    packed,
    read,
    said,
    tokens,
    typed,
    unit_of,
)

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import UnreadableUnitError
from quoth.model import Append, Outcome, SyncReport
from quoth.sources.codex import Codex

KEY = f"codex:{THREAD}"
TALK = lines_of(
    [
        meta(),
        typed("where is the mizzenfold?", 1),
        said("Under the boom.", 2),
        tokens(100, 100),
        typed("and the other mizzenfold?", 10),
        said("Aft of it.", 11),
    ]
)


def long_talk() -> bytes:
    """Return a talk that compresses to more than a few blocks."""
    words = (hashlib.shake_128(b"%d" % n).hexdigest(600) for n in range(500))
    return lines_of([meta(), *(said(text, n) for n, text in enumerate(words))])


def compressed(folder: Path, content: bytes) -> Path:
    return put(folder / f"{NAME}.zst", content)


# One file


def test_a_compressed_rollout_says_what_the_plain_one_says(tmp_path: Path) -> None:
    plain = read(put(tmp_path / NAME, TALK))

    assert read(compressed(tmp_path, packed(TALK))) == plain


def test_a_rollout_of_several_frames_is_one(tmp_path: Path) -> None:
    plain = read(put(tmp_path / NAME, TALK))

    frames = packed(TALK[:70], TALK[70:71], b"", TALK[71:])

    assert read(compressed(tmp_path, frames)) == plain


def test_every_message_of_a_compressed_rollout_is_found_again(tmp_path: Path) -> None:
    path = compressed(tmp_path, packed(TALK))

    for message in read(path).messages:
        (again,) = Codex().read_at(unit_of(path), message.origin)
        assert (again.native_id, again.text) == (message.native_id, message.text)


def test_reading_a_compressed_rollout_goes_on_from_any_checkpoint(
    tmp_path: Path,
) -> None:
    path = compressed(tmp_path, packed(long_talk()))
    _, second, *rest = read(path).batches

    again = read(path, second.checkpoint)

    assert rest
    assert again.batches == tuple(rest)


def test_a_compressed_rollout_that_says_something_else_is_read_from_its_start(
    tmp_path: Path,
) -> None:
    path = compressed(tmp_path, packed(TALK))
    before = read(path).checkpoint
    compressed(tmp_path, packed(TALK.replace(b"boom", b"sail") + TALK))

    assert not isinstance(read(path, before).batches[0], Append)


# Damage


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        pytest.param(lambda p: p[: len(p) // 2], "breaks off", id="truncated"),
        pytest.param(
            lambda p: p[: len(p) // 2] + b"\xff" * 5_000 + p[len(p) // 2 :],
            "can't be unpacked",
            id="damaged",
        ),
    ],
)
def test_damage_costs_what_follows_it(tmp_path: Path, broken: object, why: str) -> None:
    assert callable(broken)
    content = long_talk()
    whole = read(put(tmp_path / NAME, content))

    reading = read(compressed(tmp_path, broken(packed(content))))

    kept = len(reading.messages)
    assert 0 < kept < 500
    assert reading.messages == whole.messages[:kept]
    (skipped,) = reading.skipped
    assert (skipped.offset, why in skipped.reason) == (reading.checkpoint.offset, True)


def test_a_rollout_of_which_nothing_can_be_unpacked_is_unreadable(
    tmp_path: Path,
) -> None:
    path = compressed(tmp_path, packed(TALK)[:-20])

    with pytest.raises(UnreadableUnitError, match="breaks off"):
        read(path)


def test_a_message_beyond_the_damage_cannot_be_checked(tmp_path: Path) -> None:
    path = compressed(tmp_path, packed(TALK))
    message = read(path).messages[-1]
    compressed(tmp_path, packed(TALK)[:-20])

    with pytest.raises(UnreadableUnitError, match="breaks off"):
        Codex().read_at(unit_of(path), message.origin)


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    start=st.integers(0, 400), end=st.integers(0, 400), between=st.binary(max_size=20)
)
def test_no_bytes_make_it_fail(
    tmp_path: Path, start: int, end: int, between: bytes
) -> None:
    content = packed(TALK[:300], TALK[300:])
    path = compressed(tmp_path, content[:start] + between + content[end:])

    with suppress(UnreadableUnitError):
        assert read(path).batches


# In an archive


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".codex"


@pytest.fixture
def archive(tmp_path: Path, home: Path) -> Archive:
    roots = [home / "sessions", home / "archived_sessions"]
    return Archive(
        archive_in(tmp_path),
        roots={"codex": roots},
        sources=(Codex(),),
        embedder=HashEmbedder(),
        clock=later,
    )


def current(home: Path, name: str = NAME) -> Path:
    return home / "sessions" / "2026" / "05" / "01" / name


def archived(home: Path, name: str = NAME) -> Path:
    return home / "archived_sessions" / name


def changes(report: SyncReport) -> tuple[int, ...]:
    return (
        report.conversations_new,
        report.messages_new,
        report.messages_superseded,
        report.gone,
        len(report.failed),
    )


@pytest.mark.parametrize(
    ("moved", "pack"),
    [
        pytest.param(lambda home: current(home, f"{NAME}.zst"), True, id="compressed"),
        pytest.param(archived, False, id="archived"),
        pytest.param(lambda home: archived(home, f"{NAME}.zst"), True, id="both"),
    ],
)
def test_a_rollout_that_is_compressed_or_archived_stays_the_same_conversation(
    tmp_path: Path, home: Path, archive: Archive, moved: object, pack: bool
) -> None:
    assert callable(moved)
    put(current(home), TALK)
    archive.sync()
    shown, cited = archive.show(KEY), citations(archive)
    current(home).unlink()
    put(moved(home), packed(TALK) if pack else TALK)

    report = archive.sync()

    assert changes(report) == (0, 0, 0, 0, 0)
    assert archive.show(KEY).messages == shown.messages
    assert archive.show(KEY).source_gone_at is None
    assert citations(archive) == cited
    verdicts = [archive.verify(citation) for citation in cited]
    assert {verdict.outcome for verdict in verdicts} == {Outcome.VERIFIED}
    assert {verdict.path for verdict in verdicts} == {moved(home)}
    assert len(found(archive, "mizzenfold")) == 2
    assert_consistent(archive_in(tmp_path))


def test_a_rollout_that_is_plain_and_compressed_is_one_conversation(
    tmp_path: Path, home: Path, archive: Archive
) -> None:
    """The compressed one may be older: what only the plain one held outlives it."""
    put(current(home), TALK)
    put(current(home, f"{NAME}.zst"), packed(TALK[: TALK.index(b'{"timestamp', 700)]))

    first = archive.sync()
    current(home).unlink()
    second = archive.sync()

    assert (changes(first), changes(second)) == ((1, 4, 0, 0, 0), (0, 0, 0, 0, 0))
    assert len(archive.show(KEY).messages) == 4
    assert_consistent(archive_in(tmp_path))


def test_a_rollout_that_was_unpacked_to_go_on_is_the_same_conversation(
    tmp_path: Path, home: Path, archive: Archive
) -> None:
    put(current(home, f"{NAME}.zst"), packed(TALK))
    archive.sync()
    current(home, f"{NAME}.zst").unlink()
    put(current(home), TALK + lines_of([typed("and now?", 20)]))

    report = archive.sync()

    assert changes(report) == (0, 1, 0, 0, 0)
    assert [message.text for message in archive.show(KEY).messages][-2:] == [
        "Aft of it.",
        "and now?",
    ]
    assert_consistent(archive_in(tmp_path))


def test_compressed_rollouts_are_said_to_be_unread_where_nothing_can_unpack(
    home: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    put(current(home, f"{NAME}.zst"), packed(TALK))
    put(archived(home, NAME.replace("001.jsonl", "009.jsonl")), TALK)

    report = archive.sync()

    (failed,) = report.failed
    assert "pip install zstandard" in failed.reason
    assert report.messages_new == 4


def test_compressed_rollouts_are_read_once_something_can_unpack(
    home: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(current(home, f"{NAME}.zst"), packed(TALK))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "zstandard", None)
        archive.sync()

    report = archive.sync()

    assert changes(report) == (1, 4, 0, 0, 0)
    assert archive.sync().units_read == 0


def test_a_damaged_rollout_is_counted_with_what_could_be_read(
    home: Path, archive: Archive
) -> None:
    content = packed(long_talk())
    put(current(home, f"{NAME}.zst"), content[: len(content) // 2])

    report = archive.sync()

    (skipped,) = report.skipped
    assert dict(skipped.reasons) == {"the compressed data breaks off": 1}
    assert 0 < report.messages_new < 500
