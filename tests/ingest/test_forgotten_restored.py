"""Backups, archives made anew, and what a person takes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    assert_consistent,
    claude_file,
    dump,
    found,
    plain_file,
    put,
    synced,
    texts,
)
from tests.ingest.forgetting import (
    CANARY,
    OTHER,
    SAID,
    a_forgetful_archive,
    a_secret,
    another,
    assert_gone,
    forget,
    left_of,
    recorded,
)
from tests.ingest.histories import a_history

from quoth import Archive
from quoth.errors import ArchiveDamagedError
from quoth.health import repair
from quoth.store import DATABASE


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive in which one conversation of two was forgotten."""
    return a_forgetful_archive(tmp_path)


def restored(archive: Archive, backup: bytes) -> None:
    archive.close()
    for path in archive.home.glob(f"{DATABASE}*"):
        path.unlink()
    if backup:
        put(archive.home / DATABASE, backup)
        (archive.home / DATABASE).chmod(0o600)


@pytest.mark.parametrize("is_restored", [True, False])
def test_it_stays_out_when_a_backup_is_restored_or_the_archive_made_anew(
    tmp_path: Path, is_restored: bool
) -> None:
    a_secret(tmp_path)
    another(tmp_path)
    archive = synced(tmp_path)
    archive.close()
    backup = (archive.home / DATABASE).read_bytes()
    forget(archive, KEY)

    restored(archive, backup if is_restored else b"")
    archive.sync()

    assert_gone(archive)
    assert found(archive, "work") == ["other work stays"]
    assert [each.conversations for each in archive.forgotten()] == [1]


def test_a_repair_of_a_restored_backup_keeps_to_the_list_too(tmp_path: Path) -> None:
    a_secret(tmp_path)
    another(tmp_path)
    archive = synced(tmp_path)
    archive.close()
    backup = (archive.home / DATABASE).read_bytes()
    forget(archive, KEY)

    restored(archive, backup)
    repair(archive, home_named_by="a test")

    assert recorded(archive) == [f"claude_code:{OTHER}"]


def test_both_lists_are_joined_when_a_backup_knows_other_entries(
    tmp_path: Path,
) -> None:
    a_secret(tmp_path)
    another(tmp_path)
    archive = synced(tmp_path)
    forget(archive, KEY)
    archive.close()
    backup = (archive.home / DATABASE).read_bytes()
    forget(archive, f"claude_code:{OTHER}")

    restored(archive, backup)
    archive.sync()

    assert recorded(archive) == []
    assert [each.entry for each in archive.forgotten()] == [1, 2]


def test_an_archive_brings_the_list_back_where_that_is_lost(archive: Archive) -> None:
    (archive.home / "forgotten").unlink()

    archive.sync()

    assert (archive.home / "forgotten").is_file()


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"no list\n", b"cut"])
def test_a_damaged_list_is_an_error_and_left_as_it_is(
    archive: Archive, damage: bytes
) -> None:
    file = archive.home / "forgotten"
    content = file.read_bytes()[:-40] if damage == b"cut" else damage
    archive.close()
    (archive.home / DATABASE).unlink()
    file.write_bytes(content)

    with pytest.raises(ArchiveDamagedError):
        archive.sync()

    assert file.read_bytes() == content


# Taken back


def test_what_is_taken_back_is_read_again_at_the_next_sync(archive: Archive) -> None:
    lifted = archive.undo_forget(1)

    assert lifted.conversations == 1
    assert archive.forgotten() == ()
    assert KEY not in recorded(archive)
    archive.sync()
    assert texts(archive) == [SAID, f"{CANARY} it is then."]
    assert_consistent(archive.home)


def test_what_is_taken_back_may_lie_in_a_file_with_others(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)
    before = dump(archive.home)
    forget(archive, "generic:one")
    archive.sync()

    archive.undo_forget(1)
    archive.sync()

    assert dump(archive.home) == before
    assert_consistent(archive.home)


def test_what_is_taken_back_may_have_come_in_another_file_since(
    archive: Archive, tmp_path: Path
) -> None:
    turns = [{"role": "user", "content": text} for text in (SAID, "and something else")]
    put(plain_file(tmp_path), "\n".join(map(json.dumps, turns)).encode())
    archive.sync()
    assert found(archive, "something") == ["and something else"]

    archive.undo_forget(1)
    archive.sync()

    assert found(archive, "forget") == [SAID, SAID]
    assert_consistent(archive.home)


def test_taking_back_is_not_undone_by_a_backup(archive: Archive) -> None:
    archive.close()
    backup = (archive.home / DATABASE).read_bytes()
    archive.undo_forget(1)

    restored(archive, backup)
    archive.sync()

    assert archive.forgotten() == ()
    assert KEY in recorded(archive)


def test_an_entry_that_was_taken_back_is_known_in_an_archive_made_anew(
    archive: Archive,
) -> None:
    archive.undo_forget(1)

    restored(archive, b"")
    archive.sync()

    assert archive.forgotten() == ()
    assert KEY in recorded(archive)


@pytest.mark.parametrize(
    "secret", [SAID, f"https://{CANARY}/" + "4" * 30], ids=["words", "none"]
)
def test_a_restored_message_goes_from_a_conversation_that_stays(
    tmp_path: Path, secret: str
) -> None:
    """Both said it; the one was forgotten, then the other, and the first taken back."""
    put(claude_file(tmp_path), a_transcript(secret))
    another(tmp_path, secret, "something of its own")
    other = f"claude_code:{OTHER}"
    archive = synced(tmp_path)
    archive.close()
    backup = (archive.home / DATABASE).read_bytes()
    forget(archive, other)
    forget(archive, KEY)
    archive.undo_forget(1)

    restored(archive, backup)
    archive.sync()

    assert texts(archive, other) == ["something of its own"]
    assert archive.show(other).title is None
    archive.close()
    assert left_of(archive.home) == []
