"""Files that vanish, come back or move: what was read outlives them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.builders import (
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    citations,
    claude_file,
    codex_file,
    dump,
    found,
    plain_file,
    put,
    rows,
    synced,
    texts,
)
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth import Archive
from quoth.errors import UnknownFormatError
from quoth.model import Outcome, SyncReport

SESSIONS = [f"00000000-0000-4000-8000-00000000014{n}" for n in range(8)]
COPY = "00000000-0000-4000-8000-0000000000bb"


@pytest.fixture
def eight(tmp_path: Path) -> Archive:
    """Return an archive of eight sessions that all say luffwire."""
    for n, name in enumerate(SESSIONS):
        record = claude.said(f"p{n}", f"luffwire number {n}", sessionId=name)
        put(claude_file(tmp_path, name), claude.lines(record))
    return synced(tmp_path)


def told(report: SyncReport) -> tuple[int, int, tuple[Path, ...]]:
    return report.gone, report.newly_gone, report.unavailable


def test_what_was_deleted_is_counted_as_gone_and_found_all_the_same(
    tmp_path: Path, eight: Archive
) -> None:
    for name in SESSIONS[:6]:
        claude_file(tmp_path, name).unlink()

    first, second = eight.sync(), eight.sync()

    assert (told(first), told(second)) == ((6, 6, ()), (6, 0, ()))
    assert len(found(eight, "luffwire")) == 8
    assert_consistent(archive_in(tmp_path))


def test_a_gone_conversation_is_shown_whole_with_the_time_it_was_missed(
    tmp_path: Path, eight: Archive
) -> None:
    claude_file(tmp_path, SESSIONS[0]).unlink()
    eight.sync()

    shown = eight.show(f"claude_code:{SESSIONS[0]}")

    assert [message.text for message in shown.messages] == ["luffwire number 0"]
    assert shown.source_gone_at is not None


def test_a_place_that_is_missing_as_a_whole_says_nothing_of_its_files(
    tmp_path: Path, eight: Archive
) -> None:
    """A disk that isn't mounted is not a history that was deleted."""
    projects = tmp_path / "projects"
    projects.rename(tmp_path / "elsewhere")

    report = eight.sync()

    assert told(report) == (0, 0, (projects,))
    assert len(found(eight, "luffwire")) == 8


def test_a_place_that_is_a_link_to_nowhere_is_missing_as_a_whole(
    tmp_path: Path, eight: Archive
) -> None:
    projects = tmp_path / "projects"
    projects.rename(tmp_path / "elsewhere")
    projects.symlink_to(tmp_path / "not mounted")

    assert told(eight.sync()) == (0, 0, (projects,))


def test_a_place_that_is_back_is_not_read_again(tmp_path: Path, eight: Archive) -> None:
    projects = tmp_path / "projects"
    projects.rename(tmp_path / "elsewhere")
    eight.sync()
    (tmp_path / "elsewhere").rename(projects)

    report = eight.sync()

    assert (told(report), report.units_read) == ((0, 0, ()), 0)


def test_a_file_that_is_back_is_no_longer_gone(tmp_path: Path, eight: Archive) -> None:
    path = claude_file(tmp_path, SESSIONS[0])
    path.rename(tmp_path / "aside")
    eight.sync()
    (tmp_path / "aside").rename(path)

    report = eight.sync()

    assert told(report) == (0, 0, ())
    assert eight.show(f"claude_code:{SESSIONS[0]}").source_gone_at is None
    assert_consistent(archive_in(tmp_path))


def test_a_file_that_came_back_with_more_in_it_is_read_on(
    tmp_path: Path, eight: Archive
) -> None:
    path = claude_file(tmp_path, SESSIONS[0])
    content = path.read_bytes()
    path.unlink()
    eight.sync()

    put(path, content + claude.lines(claude.answered("more", "luffwire answered")))
    eight.sync()

    assert texts(eight, f"claude_code:{SESSIONS[0]}") == [
        "luffwire number 0",
        "luffwire answered",
    ]
    assert_consistent(archive_in(tmp_path))


def test_a_conversation_that_moved_follows_its_file(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("luffwire one", "luffwire two"))
    archive = synced(tmp_path)
    moved = tmp_path / "projects" / "-home-dev-elsewhere" / path.name
    moved.parent.mkdir()
    path.rename(moved)

    report = archive.sync()

    verdicts = [archive.verify(each) for each in citations(archive)]
    assert (told(report), report.messages_new) == ((0, 0, ()), 0)
    assert {(verdict.outcome, verdict.path) for verdict in verdicts} == {
        (Outcome.VERIFIED, moved)
    }
    assert archive.show(f"claude_code:{SESSION}").path == moved
    assert_consistent(archive_in(tmp_path))


def test_an_archive_of_what_moved_equals_one_that_only_knew_the_new_place(
    tmp_path: Path,
) -> None:
    path = put(claude_file(tmp_path), a_transcript("luffwire", "aye") + b"{torn\n")
    archive = synced(tmp_path)
    moved = tmp_path / "projects" / "-aaa" / path.name
    moved.parent.mkdir()
    path.rename(moved)

    archive.sync()

    synced(tmp_path, home=tmp_path / "fresh").close()
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "fresh")


def test_a_skip_moves_with_its_file_and_counts_once(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("luffwire", "aye") + b"{torn\n")
    archive = synced(tmp_path)
    moved = tmp_path / "projects" / "-aaa" / path.name
    moved.parent.mkdir()
    path.rename(moved)

    archive.sync()

    assert [
        (each.path, sum(each.reasons.values())) for each in archive.status().skipped
    ] == [(moved, 1)]


def test_a_thread_that_codex_archived_is_still_the_same_thread(tmp_path: Path) -> None:
    lines = codex.lines_of([codex.meta(), codex.typed("belay"), codex.said("belayed")])
    path = put(codex_file(tmp_path, codex.NAME), lines)
    archive = synced(tmp_path)
    archived = tmp_path / "sessions" / "archived_sessions" / path.name
    archived.parent.mkdir()
    path.rename(archived)

    report = archive.sync()

    assert told(report) == (0, 0, ())
    assert [archive.verify(each).outcome for each in citations(archive)] == [
        Outcome.VERIFIED,
        Outcome.VERIFIED,
    ]


def test_a_copy_that_outlives_the_original_still_proves_what_it_holds(
    tmp_path: Path,
) -> None:
    """A resumed session begins with the messages of the one before."""
    content = a_transcript("luffwire one", "luffwire two")
    original = put(claude_file(tmp_path), content)
    put(claude_file(tmp_path, COPY), content + claude.lines(claude.said("m3", "more")))
    archive = synced(tmp_path)
    original.unlink()
    archive.sync()

    outcomes = {
        key: [archive.verify(each.citation).outcome for each in shown.messages]
        for key in (f"claude_code:{SESSION}", f"claude_code:{COPY}")
        for shown in [archive.show(key)]
    }

    assert outcomes == {
        f"claude_code:{SESSION}": [Outcome.ARCHIVE_ONLY] * 2,
        f"claude_code:{COPY}": [Outcome.VERIFIED] * 3,
    }


def test_a_conversation_in_two_files_is_gone_when_both_are(tmp_path: Path) -> None:
    """A backup beside the history holds the same conversation."""
    path = put(claude_file(tmp_path), a_transcript("luffwire one", "luffwire two"))
    backup = put(tmp_path / "projects" / "backup" / path.name, path.read_bytes())
    archive = synced(tmp_path)

    path.unlink()
    one = archive.sync()
    backup.unlink()
    two = archive.sync()

    assert (told(one), told(two)) == ((0, 0, ()), (1, 1, ()))
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize("backup", ["-aaa", "-zzz"])
def test_an_older_backup_takes_nothing_back(tmp_path: Path, backup: str) -> None:
    """Neither the end nor the title, nor life into what was rewound."""
    content = claude.lines(
        claude.said("u1", "root", timestamp="2026-05-01T10:00:00Z"),
        claude.said("u2", "one way", parentUuid="u1", timestamp="2026-05-01T10:01:00Z"),
    )
    rest = claude.lines(
        claude.said(
            "u3", "no, this", parentUuid="u1", timestamp="2026-05-01T10:02:00Z"
        ),
        {"type": "ai-title", "aiTitle": "Ways", "sessionId": SESSION},
    )
    put(claude_file(tmp_path), content + rest)
    archive = synced(tmp_path)
    before = archive.show(f"claude_code:{SESSION}")

    put(tmp_path / "projects" / backup / f"{SESSION}.jsonl", content)
    archive.sync()

    after = archive.show(f"claude_code:{SESSION}")
    assert [(m.seq, m.text) for m in after.messages] == [
        (m.seq, m.text) for m in before.messages
    ]
    assert (after.title, after.ended_at) == (before.title, before.ended_at)
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize("backup", ["-aaa", "-zzz"])
def test_a_rewind_reaches_what_a_backup_was_read_for_first(
    tmp_path: Path, backup: str
) -> None:
    content = claude.lines(
        claude.said("u1", "root", timestamp="2026-05-01T09:00:00Z"),
        claude.said("u2", "one way", parentUuid="u1"),
    )
    put(tmp_path / "projects" / backup / f"{SESSION}.jsonl", content)
    archive = synced(tmp_path)

    rest = claude.lines(claude.said("u3", "no, this", parentUuid="u1"))
    put(claude_file(tmp_path), content + rest)
    archive.sync()

    assert texts(archive, f"claude_code:{SESSION}") == ["root", "no, this"]


def test_a_file_that_is_known_but_may_no_longer_be_listed_is_not_gone(
    tmp_path: Path,
) -> None:
    """The plain rollout is read in the place of its archived double."""
    lines = codex.lines_of([codex.meta(), codex.typed("belay"), codex.said("belayed")])
    archived = tmp_path / "sessions" / "archived_sessions" / codex.NAME
    put(archived, lines)
    archive = synced(tmp_path)

    put(codex_file(tmp_path, codex.NAME), lines)

    assert told(archive.sync()) == (0, 0, ())
    assert_consistent(archive_in(tmp_path))


def test_what_a_person_named_is_left_alone_by_an_ordinary_sync(tmp_path: Path) -> None:
    """It lies outside the places that are looked through, so nobody knows."""
    aside = put(
        tmp_path / "aside" / "talk.jsonl", b'{"role":"user","content":"ahoy"}\n'
    )
    archive = an_archive(tmp_path)
    archive.sync([aside])
    shutil.rmtree(aside.parent)

    assert told(archive.sync()) == (0, 0, ())


def test_a_file_named_in_two_spellings_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(plain_file(tmp_path), b'{"role": "user", "content": "ahoy there"}\n')
    archive = synced(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    archive.sync([Path("..", "plain", path.name)])

    assert rows(archive_in(tmp_path), "SELECT count(*) FROM source_file") == [(1,)]


def test_a_named_path_that_holds_no_history_is_listed_among_others(
    tmp_path: Path,
) -> None:
    photo = put(tmp_path / "photo.jpg", b"\xff\xd8")
    empty = tmp_path / "empty"
    empty.mkdir()
    talk = put(plain_file(tmp_path), b'{"role": "user", "content": "hoist the jib"}\n')

    report = an_archive(tmp_path).sync([photo, empty, talk])

    assert report.messages_new == 1
    assert report.unrecognised == (empty, photo)


def test_where_nothing_named_is_a_history_the_first_name_is_said(
    tmp_path: Path,
) -> None:
    put(tmp_path / "photos" / "about.json", b'{"camera": 1}')

    with pytest.raises(UnknownFormatError, match=r"/photos "):
        an_archive(tmp_path).sync([tmp_path / "photos"])


def test_a_broken_file_that_was_taken_away_fails_no_longer(tmp_path: Path) -> None:
    talk = put(plain_file(tmp_path), b'{"role": "user", "content": "hoist the jib"}\n')
    broken = put(talk.with_name("export.zip"), b"PK\x03\x04 and no more")
    archive = an_archive(tmp_path)
    failed = archive.sync([talk.parent]).failed
    broken.unlink()

    archive.sync()

    assert ([each.path for each in failed], archive.status().failed) == ([broken], ())


def test_a_backup_of_a_configuration_folder_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "claude-2025" / "projects" / "-home-dev" / "an odd name.jsonl"
    put(path, a_transcript("what a person said"))

    archive = an_archive(tmp_path)
    archive.sync([tmp_path / "claude-2025"])

    (source,) = archive.status().sources
    assert (source.source, source.messages) == ("claude_code", 1)
