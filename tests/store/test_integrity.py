"""What this SQLite can do, who holds a lock, and the numbers an index is packed in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import a_transcript, archive_in, claude_file, put, synced

from quoth.errors import ArchiveUnsafeError, SqliteTooOldError
from quoth.passages import is_worth_embedding
from quoth.store import ArchiveReader, Policy
from quoth.store._integrity import _numbers_in, word_faults
from quoth.store._lock import hold, holder_of
from quoth.store._sqlite import lacking_features, require_features


def test_a_sample_of_a_healthy_archive_has_no_fault(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript(*(f"turn {n} of many" for n in range(40))))
    synced(tmp_path).close()
    policy = Policy(embeddable=is_worth_embedding, repo_of=lambda _: None)
    reader = ArchiveReader(archive_in(tmp_path))

    faults = [word_faults(reader.connection, policy, most=most) for most in (1, 7, 39)]

    reader.close()
    assert faults == [[], [], []]


def test_this_sqlite_lacks_nothing() -> None:
    assert lacking_features() == ()


def test_a_feature_that_does_not_work_is_lacking() -> None:
    probes = {"one that is there": "SELECT 1", "another": "SELECT no_such_thing()"}

    assert lacking_features(probes) == ("another",)


def test_a_sqlite_that_lacks_something_is_refused_in_one_sentence() -> None:
    with pytest.raises(SqliteTooOldError, match=r"which lacks FTS5, RETURNING\.$"):
        require_features(("FTS5", "RETURNING"))


def test_a_lock_nobody_made_is_held_by_nobody(tmp_path: Path) -> None:
    assert holder_of(tmp_path / "lock") is None
    assert not (tmp_path / "lock").exists()


def test_who_holds_a_lock_is_said_until_it_is_let_go(tmp_path: Path) -> None:
    with hold(tmp_path / "lock", wait_s=0):
        held_by = holder_of(tmp_path / "lock")

    assert held_by is not None
    assert held_by.startswith("process ")
    assert holder_of(tmp_path / "lock") is None


def test_a_look_at_a_lock_follows_no_link(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", b"")
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ArchiveUnsafeError):
        holder_of(tmp_path / "lock")


@pytest.mark.parametrize(
    ("packed", "numbers"),
    [
        ("", []),
        ("00017f", [0, 1, 127]),
        ("8100", [128]),
        ("ff7f05", [16383, 5]),
        ("818000", [16384]),
        ("ffffffffffffffffff", [2**64 - 1]),
        ("ffffffffffffffffff01", [2**64 - 1, 1]),
        ("81", []),
    ],
)
def test_numbers_are_unpacked_as_sqlite_packs_them(
    packed: str, numbers: list[int]
) -> None:
    assert _numbers_in(bytes.fromhex(packed)) == numbers
