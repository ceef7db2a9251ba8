"""Digests, and the list of them beside the archive."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    put,
    rows,
    synced,
)
from tests.ingest.forgetting import CANARY, SAID, forget

from quoth import Archive
from quoth.errors import ArchiveDamagedError, ArchiveTooNewError, ArchiveUnsafeError
from quoth.store._ban_file import BanFile, Entry, content_of, mark_of
from quoth.store._tombstones import Ban, digest_of, text_name


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive of which all was forgotten."""
    put(claude_file(tmp_path), a_transcript(SAID, f"{CANARY}."))
    archive = synced(tmp_path)
    forget(archive, KEY)
    return archive


def an_entry(number: int = 1, **more: int) -> Entry:
    return Entry(
        uid=bytes([number]) * 16,
        number=number,
        key=b"k" * 32,
        at=1_700_000_000_000,
        asked="key",
        conversations=1,
        messages=2,
        digests={Ban.TEXT: (b"t" * 16,), Ban.MESSAGE: (b"m" * 16, b"n" * 16)},
        **more,
    )


def test_a_digest_depends_on_key_kind_and_name() -> None:
    digests = {
        digest_of(key, kind, name)
        for key in (b"a" * 32, b"b" * 32)
        for kind in Ban
        for name in ("x", "y", "\udce9")
    }

    assert len(digests) == 2 * len(Ban) * 3
    assert {len(digest) for digest in digests} == {16}


def test_only_texts_of_forty_characters_have_a_name() -> None:
    assert text_name(" " * 9 + "x" * 39) is None
    assert text_name("x" * 40 + "\r\n") == "x" * 40


def test_every_message_is_banned_by_its_id_and_long_ones_by_what_they_say(
    archive: Archive,
) -> None:
    kinds = rows(archive.home, "SELECT kind, count(*) FROM tombstone GROUP BY 1")

    assert dict(kinds) == {"conversation": 1, "message": 2, "text": 1}


def test_two_archives_make_other_digests_of_the_same(
    archive: Archive, tmp_path: Path
) -> None:
    other = synced(tmp_path, home=tmp_path / "other")
    forget(other, KEY)

    digests = [
        rows(each.home, "SELECT digest FROM tombstone") for each in (archive, other)
    ]
    assert not {*digests[0]} & {*digests[1]}


# The list beside it


def test_the_list_is_private_and_says_what_the_archive_bans(archive: Archive) -> None:
    file = archive.home / "forgotten"

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (entry,) = BanFile(archive.home).read()
    banned = {bytes(each) for digests in entry.digests.values() for each in digests}
    assert banned == {
        digest for (digest,) in rows(archive.home, "SELECT digest FROM tombstone")
    }


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file, entries = BanFile(tmp_path), (an_entry(), an_entry(2, lifted_at=5))
    content = content_of(entries)

    file.write(content)

    assert file.read() == entries
    assert file.mark() == mark_of(content)


def test_what_a_killed_process_left_of_a_list_goes(tmp_path: Path) -> None:
    put(tmp_path / ".forgotten.0123456789abcdef.new", b"half")

    BanFile(tmp_path).write(content_of([an_entry()]))

    assert [path.name for path in tmp_path.iterdir()] == ["forgotten"]


def test_where_there_is_no_list_nothing_is_banned(tmp_path: Path) -> None:
    assert BanFile(tmp_path).mark() is None
    assert BanFile(tmp_path).read() == ()


def test_a_list_that_was_changed_is_damaged(tmp_path: Path) -> None:
    BanFile(tmp_path).write(content_of([an_entry()]))
    path = tmp_path / "forgotten"
    path.write_bytes(path.read_bytes().replace(b'"messages": 2', b'"messages": 3'))

    with pytest.raises(ArchiveDamagedError, match="no longer the list") as caught:
        BanFile(tmp_path).read()
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    "told", [[], {}, {"entries": 1}, {"entries": [{}]}, {"entries": [{"uid": "zz"}]}]
)
def test_a_list_that_makes_no_sense_is_damaged(tmp_path: Path, told: object) -> None:
    BanFile(tmp_path).write(json.dumps(told).encode())

    with pytest.raises(ArchiveDamagedError):
        BanFile(tmp_path).read()


def test_a_list_of_a_later_quoth_is_left_alone(archive: Archive) -> None:
    file = archive.home / "forgotten"
    content = file.read_bytes().replace(b'"format": 1', b'"format": 2')
    file.write_bytes(content)

    with pytest.raises(ArchiveTooNewError):
        archive.sync()
    assert file.read_bytes() == content


def test_a_list_that_is_a_link_is_refused(archive: Archive, tmp_path: Path) -> None:
    file = archive.home / "forgotten"
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ArchiveUnsafeError):
        archive.sync()


def test_no_list_is_made_before_something_is_forgotten(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("hello"))
    synced(tmp_path).close()

    assert not (archive_in(tmp_path) / "forgotten").exists()


def test_an_entry_whose_number_is_taken_gets_the_next(
    archive: Archive, tmp_path: Path
) -> None:
    """As when an archive was made anew and something forgotten from it elsewhere."""
    archive.close()
    other = synced(tmp_path, home=tmp_path / "other")
    forget(other, KEY)
    file = other.home / "forgotten"
    (archive.home / "forgotten").write_bytes(file.read_bytes())

    archive.sync()

    assert [each.entry for each in archive.forgotten()] == [1, 2]
    assert len(BanFile(archive.home).read()) == 2
    assert an_archive(tmp_path).status().forgotten == 2
    assert SESSION not in str(rows(archive.home, "SELECT * FROM source_file"))
