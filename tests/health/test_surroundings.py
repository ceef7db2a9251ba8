"""What the doctor says of the data folder, of this Python and of the sources."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.builders import a_transcript, an_archive, archive_in, claude_file, put
from tests.health.place import Place, a_place, bad, says

from quoth.archive import Archive
from quoth.embedding import HashEmbedder, QueryVector
from quoth.errors import ModelMissingError
from quoth.health import examine
from quoth.model import Finding, Health, HealthState, Selection
from quoth.store import DATABASE


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return a_place(tmp_path)


def found_by(health: Health, check: str) -> list[Finding]:
    return [finding for finding in health.findings if finding.check == check]


# The data folder


def test_without_an_archive_nothing_is_made(tmp_path: Path) -> None:
    health = Place(tmp_path).examined()

    assert bad(health) == {}
    assert not archive_in(tmp_path).exists()


def test_the_folder_is_named_with_the_setting_that_names_it(place: Place) -> None:
    assert says(place.examined(), "data-folder") == (
        f"{place.home} (a test), for you alone."
    )


def _link(home: Path) -> None:
    home.rename(home.with_name("moved"))
    home.symlink_to("moved")


def _file(home: Path) -> None:
    home.rename(home.with_name("moved"))
    home.touch()


FOLDERS: dict[str, tuple[Callable[[Path], None], str]] = {
    "open to others": (lambda home: home.chmod(0o750), "its mode is 0750"),
    "a link": (_link, "is a link"),
    "a file": (_file, "is no folder"),
}


@pytest.mark.parametrize("how", FOLDERS)
def test_a_data_folder_that_is_not_ones_own_is_a_problem(
    place: Place, how: str
) -> None:
    spoil, complaint = FOLDERS[how]
    spoil(place.home)

    (finding,) = found_by(place.examined(), "data-folder")

    assert finding.state is HealthState.PROBLEM
    assert complaint in finding.says


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
@pytest.mark.parametrize("what", ["", DATABASE])
def test_what_belongs_to_another_user_is_a_problem(place: Place, what: str) -> None:
    os.chown(place.home / what, 65534, 65534)

    found = [*bad(place.examined()).values()]

    assert place.examined().count(HealthState.PROBLEM) > 0
    assert found


def _second_name(path: Path) -> None:
    (path.parent / "vectors" / "second").hardlink_to(path)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "readable for others": (lambda path: path.chmod(0o644), "has mode 0644."),
    "second name": (_second_name, "has a second name elsewhere."),
    "pipe": (_pipe, "is no regular file."),
}


@pytest.mark.parametrize("how", FILES)
def test_a_file_that_is_not_ones_own_is_a_problem(place: Place, how: str) -> None:
    spoil, complaint = FILES[how]
    spoil(place.home / "lock")

    named = bad(place.examined())

    assert named["file-permissions"] == (f"{place.home / 'lock'} {complaint}",)


def test_what_a_killed_sync_left_is_a_warning(place: Place) -> None:
    (copy,) = place.home.glob("vectors/*/all.vec")
    left = put(copy.with_name(".all.vec.0123456789abcdef.new"), b"half a copy")
    left.chmod(0o600)

    (finding,) = found_by(place.examined(), "leftovers")

    assert (finding.state, finding.details) == (HealthState.WARNING, (str(left),))


def test_the_list_of_what_was_forgotten_is_quoths_own(place: Place) -> None:
    """Whoever tidied it away would let back in what they had forgotten."""
    with an_archive(place.folder) as archive:
        archive.forget(archive.plan_forget(Selection(phrase="ferry schedule")))

    assert (place.home / "forgotten").exists()
    assert "strange-files" not in bad(place.examined())


def test_what_quoth_did_not_make_is_named(place: Place) -> None:
    put(place.home / "quoth.db.old", b"").chmod(0o600)

    named = bad(place.examined())

    assert named == {"strange-files": (str(place.home / "quoth.db.old"),)}


def test_a_repair_makes_files_private_and_leaves_links_alone(place: Place) -> None:
    put(place.folder / "elsewhere", b"").chmod(0o644)
    (place.home / "linked").symlink_to(place.folder / "elsewhere")
    (place.home / "lock").chmod(0o644)

    place.repaired()

    assert (place.home / "lock").stat().st_mode & 0o777 == 0o600
    assert (place.folder / "elsewhere").stat().st_mode & 0o777 == 0o644


# Archives that can't be opened


def _of_version(version: int) -> Callable[[Place], None]:
    return lambda place: place.broken_by(f"PRAGMA user_version = {version}")


UNOPENED: dict[str, tuple[Callable[[Place], object], HealthState, str]] = {
    "newer": (_of_version(99), HealthState.PROBLEM, "written by a newer quoth"),
    "older": (_of_version(1), HealthState.WARNING, "written by an earlier quoth"),
    "no database": (
        lambda place: place.database.write_bytes(b"no database" * 900),
        HealthState.PROBLEM,
        "is damaged",
    ),
    "emptied": (
        lambda place: place.database.write_bytes(b""),
        HealthState.PROBLEM,
        "is missing or empty",
    ),
}


@pytest.mark.parametrize("how", UNOPENED)
def test_an_archive_that_cannot_be_opened_is_one_finding(
    place: Place, how: str
) -> None:
    spoil, state, complaint = UNOPENED[how]
    spoil(place)

    (finding,) = found_by(place.examined(), "archive")

    assert finding.state is state
    assert complaint in finding.says
    assert finding.advice is not None


@pytest.mark.parametrize("how", ["newer", "no database", "emptied"])
def test_a_repair_touches_no_archive_that_it_cannot_open(
    place: Place, how: str
) -> None:
    UNOPENED[how][0](place)
    before = place.database.read_bytes()

    health = place.repaired()

    assert place.database.read_bytes() == before
    assert health.repair is not None
    assert health.repair.failed == (
        "The archive can't be opened, so nothing in it was touched.",
    )


def test_a_repair_makes_no_archive(tmp_path: Path) -> None:
    Place(tmp_path).repaired()

    assert not archive_in(tmp_path).exists()


def test_a_file_system_without_a_log_is_a_warning(place: Place) -> None:
    place.broken_by("PRAGMA journal_mode = DELETE")

    health = place.examined()

    assert [*bad(health)] == ["log"]
    assert health.count(HealthState.PROBLEM) == 0


# This Python


class NoTable(HashEmbedder):
    """An embedder whose weights are not there."""

    def embed_query(self, text: str) -> QueryVector | None:  # noqa: ARG002
        raise ModelMissingError(Path("/nowhere/table.npy"))


def test_an_embedder_without_its_table_is_a_problem(tmp_path: Path) -> None:
    with an_archive(tmp_path, embedder=NoTable()) as archive:
        health = examine(archive, home_named_by="a test")

    assert [*bad(health)] == ["embedder"]
    assert "table is missing" in says(health, "embedder")


def test_what_vectors_are_searched_with_is_said(tmp_path: Path) -> None:
    assert "scanned exactly, with numpy" in says(Place(tmp_path).examined(), "embedder")


# The sources


def _aged(path: Path, *, days: int) -> Path:
    at = datetime.now(UTC).timestamp() - days * 86_400
    os.utime(path, (at, at))
    return path


def _later(days: int) -> Callable[[], datetime]:
    """Return a clock that runs ahead: what changed just now is old by it."""
    return lambda: datetime.now(UTC) + timedelta(days=days)


def deletion(folder: Path, *, days: int, synced: bool) -> Finding:
    with an_archive(folder, clock=_later(days)) as archive:
        if synced:
            archive.sync()
        health = examine(archive, home_named_by="a test")
    (finding,) = found_by(health, "claude-code-deletes")
    return finding


def test_a_transcript_due_for_deletion_that_is_not_recorded_is_named(
    tmp_path: Path,
) -> None:
    path = put(claude_file(tmp_path), a_transcript("a question", "an answer"))

    finding = deletion(tmp_path, days=21, synced=False)

    assert finding.state is HealthState.WARNING
    assert "Soon due and not in the archive yet: 1 file." in finding.says
    assert "cleanupPeriodDays" in (finding.advice or "")
    assert finding.details == (str(path),)


def test_a_transcript_that_is_not_due_yet_is_not_named(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))

    assert deletion(tmp_path, days=19, synced=False).state is HealthState.OK


def test_what_was_synced_in_time_is_kept(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))

    finding = deletion(tmp_path, days=21, synced=True)

    assert finding.state is HealthState.OK
    assert "1 file soon due: quoth has all of that and keeps it." in finding.says


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        (b'{"cleanupPeriodDays": 365}', "365 days (set in its settings)"),
        (b'{"cleanupPeriodDays": "x"}', "30 days (its default)"),
        (b'{"cleanupPeriodDays": true}', "30 days (its default)"),
        (b'{"cleanupPeriodDays": 1e400}', "30 days (its default)"),
        (b"[" * 99_000, "30 days (its default)"),
        (b"\xff", "30 days (its default)"),
        (json.dumps([1]).encode(), "30 days (its default)"),
    ],
    ids=["set", "text", "truth", "far", "deep", "no text", "list"],
)
def test_how_long_transcripts_are_kept_is_read_from_the_settings(
    tmp_path: Path, settings: bytes, kept: str
) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    put(tmp_path / "settings.json", settings)

    assert kept in deletion(tmp_path, days=1, synced=False).says


def test_settings_that_are_a_pipe_hold_nobody_up(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    os.mkfifo(tmp_path / "settings.json")

    assert "30 days (its default)" in deletion(tmp_path, days=1, synced=False).says


def test_what_could_not_be_used_is_counted_by_reason(place: Place) -> None:
    with claude_file(place.folder).open("ab") as file:
        file.write(b"no json\nnone either\n")
    with an_archive(place.folder) as archive:
        archive.sync()

    (finding,) = found_by(place.examined(), "skipped-records")

    assert finding.says == "2 records in 1 file could not be used."
    assert finding.details[0].startswith("claude_code, 2: ")


def test_a_place_that_went_away_with_what_is_recorded_is_a_warning(
    place: Place,
) -> None:
    (place.folder / "projects").rename(place.folder / "unmounted")

    (finding,) = found_by(place.examined(), "places-claude_code")

    assert finding.state is HealthState.WARNING
    assert finding.says == (
        "claude_code: 0 files found, 2 recorded. What is recorded is kept."
    )


def test_a_source_without_places_is_not_said_to_have_none_of_its_files(
    tmp_path: Path,
) -> None:
    with Archive(tmp_path / "home", roots={}, embedder=HashEmbedder()) as archive:
        health = examine(archive, home_named_by="a test")

    (finding,) = found_by(health, "places-chatgpt")

    assert finding.says == "chatgpt: looks nowhere by itself; 0 files recorded."


def test_each_place_is_said_to_be_there_or_missing(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    roots = {"claude_code": [tmp_path / "projects", tmp_path / "none"]}
    with Archive(tmp_path / "home", roots=roots, embedder=HashEmbedder()) as archive:
        health = examine(archive, home_named_by="a test")

    (finding,) = found_by(health, "places-claude_code")

    assert finding.details == (
        f"{tmp_path / 'projects'}: 0 files",
        f"{tmp_path / 'none'}: missing",
    )
