"""README: what a person forgets is gone from every byte, and stays gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    assert_consistent,
    claude_file,
    codex_file,
    found,
    put,
    synced,
)
from tests.ingest.forgetting import CANARY, forget, left_of
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth import Archive
from quoth.health import repair
from quoth.store import DATABASE

AGAIN = "00000000-0000-4000-8000-0000000000bb"
OTHER = "00000000-0000-4000-8000-0000000000ee"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive in which a word stands in every place it can stand in."""
    own = {"cwd": f"/home/dev/{CANARY}", "gitBranch": CANARY}
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.said("m1", f"please forget this {CANARY} as soon as you can", **own),
            claude.answered(
                "m2",
                {"type": "thinking", "thinking": f"The {CANARY} it is."},
                claude.tool_use("Bash", command=f"grep -r {CANARY} ."),
                parentUuid="m1",
                **own,
            ),
            claude.returned("m3", f"./a: {CANARY}", parentUuid="m2", **own),
            claude.answered("m4", f"The {CANARY} was noted.", parentUuid="m3", **own),
            {"type": "ai-title", "aiTitle": f"The {CANARY}", "sessionId": KEY[-36:]},
            *(
                claude.said(f"n{number}", f"{CANARY} in the {number}. place", **own)
                for number in range(250)
            ),
        ),
    )
    put(claude_file(tmp_path, OTHER), a_transcript("other work stays", ids="o"))
    put(codex_file(tmp_path, codex.NAME), codex.lines_of(codex_history()))
    archive = synced(tmp_path)
    assert left_of(archive.home) != []
    forget(archive, KEY)
    return archive


def codex_history() -> list[dict[str, object]]:
    return [
        codex.meta(timestamp="2026-05-01T10:00:00Z"),
        codex.typed("Other work stays in Codex, too.", 1),
        codex.written("user", "Other work stays in Codex, too.", second=1),
    ]


def assert_it_stays_gone(archive: Archive) -> None:
    archive.sync()
    assert found(archive, CANARY) == []
    assert found(archive, "stays") == [
        "Other work stays in Codex, too.",
        "other work stays",
    ]
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def test_it_is_gone_at_once(archive: Archive) -> None:
    assert left_of(archive.home) == []


def test_it_stays_gone_when_all_is_read_again(archive: Archive) -> None:
    for file in archive.home.parent.rglob("*.jsonl"):
        file.write_bytes(file.read_bytes() + b"\n")

    assert_it_stays_gone(archive)


def test_it_stays_gone_when_the_archive_is_repaired(archive: Archive) -> None:
    repair(archive, home_named_by="a test")

    assert left_of(archive.home) == []
    assert_it_stays_gone(archive)


def test_it_stays_gone_when_the_archive_is_made_anew(archive: Archive) -> None:
    archive.close()
    for file in archive.home.glob(f"{DATABASE}*"):
        file.unlink()

    assert_it_stays_gone(archive)


def test_it_stays_gone_when_the_list_of_it_is_lost(archive: Archive) -> None:
    (archive.home / "forgotten").unlink()

    assert_it_stays_gone(archive)


def test_it_stays_gone_when_it_comes_in_another_file(
    archive: Archive, tmp_path: Path
) -> None:
    session = claude_file(tmp_path)
    moved = tmp_path / "projects" / "-moved" / session.name
    put(moved, session.read_bytes())
    resumed = session.read_bytes().replace(KEY[-36:].encode(), AGAIN.encode())
    put(claude_file(tmp_path, AGAIN), resumed)

    assert_it_stays_gone(archive)


@pytest.mark.usefixtures("archive")
def test_its_source_is_left_as_it_is(tmp_path: Path) -> None:
    assert CANARY in claude_file(tmp_path).read_text()


def test_another_archive_of_the_same_history_has_it(
    archive: Archive, tmp_path: Path
) -> None:
    other = an_archive(tmp_path, home=tmp_path / "other")
    other.sync()

    assert len(found(other, CANARY)) == 100
    assert found(archive, CANARY) == []
