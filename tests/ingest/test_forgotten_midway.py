"""Forgetting beside other programs, and cut short: in the end nothing is left."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    put,
    rows,
    synced,
    texts,
)
from tests.ingest.forgetting import (
    CANARY,
    OTHER,
    forget,
    left_of,
    of_source,
    recorded,
    said,
    titled,
)
from tests.ingest.scripted import Scripted, Step, lay_down

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Append, Checkpoint, Progress, Replace, Selection
from quoth.store import DATABASE

if TYPE_CHECKING:
    from quoth.embedding._protocol import Quantised

CHILDREN = Path(__file__).parent / "children"
ROOT = Path(__file__).resolve().parents[2]


def a_history(folder: Path) -> None:
    put(
        claude_file(folder),
        a_transcript(*(f"turn {n} of the {CANARY}" for n in range(9))),
    )
    put(claude_file(folder, OTHER), a_transcript("other work stays", ids="o"))


def test_forgetting_may_be_killed_at_any_step(tmp_path: Path) -> None:
    a_history(tmp_path)
    synced(tmp_path, home=tmp_path / "begun").close()
    homes = tmp_path / "homes"
    homes.mkdir()

    run = subprocess.run(
        [sys.executable, CHILDREN / "killed_forgetting.py", tmp_path, homes],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {}
    killed = sorted(homes.iterdir())
    assert len(killed) >= 6
    assert {home.name: left_of(home) for home in killed} == {
        home.name: [] for home in killed
    }
    for home in killed:
        assert_consistent(home)


@pytest.mark.parametrize("goes_on", [True, False], ids=["goes on", "is through"])
def test_a_sync_that_runs_keeps_to_what_was_forgotten_meanwhile(
    tmp_path: Path, goes_on: bool
) -> None:
    """Between two batches of one unit; what its reader remembers knows of both."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    told = (titled("c", CANARY), titled("d", "Kept"))
    first = (said("1", CANARY), said("2", "stays", "d"))
    second = (said("4", "as well", "d"), *([said("3", CANARY)] if goes_on else []))
    whole: list[Step] = [
        Replace(conversations=told, records=first),
        Append(records=second, checkpoint=Checkpoint(offset=9, head=CANARY)),
    ]
    lay_down(tmp_path, source, whole)

    report = archive.sync(progress=forgetting_once(of_source(tmp_path, source)))

    assert report.kept_out == goes_on
    assert recorded(archive) == ["scripted:d"]
    assert texts(archive, "scripted:d") == ["stays", "as well"]
    archive.sync()
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def test_a_unit_that_was_forgotten_while_it_was_read_begins_anew(
    tmp_path: Path,
) -> None:
    """Or what its next reading leaves out would not be superseded."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    begun: list[Step] = [
        Replace(records=(said("1", CANARY),)),
        Append(records=(said("2", "left out later", "d"),)),
    ]
    rewritten = [Replace(records=(said("3", "stays", "d"),))]
    lay_down(tmp_path, source, begun, rewritten)

    archive.sync(progress=forgetting_once(of_source(tmp_path, source)))
    assert texts(archive, "scripted:d") == ["left out later"]
    archive.sync()

    assert texts(archive, "scripted:d") == ["stays"]
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def forgetting_once(archive: Archive) -> Callable[[Progress], None]:
    """Return what forgets a conversation after the first batch of a sync."""
    left = [archive]

    def between(_: Progress) -> None:
        if left:
            forget(left.pop(), "scripted:c")

    return between


@pytest.mark.parametrize("key", [KEY, f"claude_code:{OTHER}"], ids=["first", "last"])
def test_vectors_made_meanwhile_belong_to_no_forgotten_text(
    tmp_path: Path, key: str
) -> None:
    """And what gets the number of a forgotten message has its own."""
    a_history(tmp_path)

    an_archive(tmp_path, embedder=Meanwhile(tmp_path, key)).sync()

    assert key not in recorded(an_archive(tmp_path))
    assert rows(archive_in(tmp_path), ORPHANS) == []
    more = (f"harbour turn {number} of all the turns taken" for number in range(15))
    put(claude_file(tmp_path, "new"), a_transcript(*more, ids="x"))
    an_archive(tmp_path).sync()
    assert_consistent(archive_in(tmp_path))


ORPHANS = (
    "SELECT id FROM embedding WHERE text_hash NOT IN"
    " (SELECT text_hash FROM message WHERE text_hash IS NOT NULL)"
)


class Meanwhile(HashEmbedder):
    """Makes vectors, and a conversation is forgotten while it does."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder, self._key = folder, key

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return what any other would, a little later."""
        forget(an_archive(self._folder), self._key)
        return super().embed_messages(texts)


def test_a_program_that_reads_keeps_the_log_and_the_report_says_so(
    tmp_path: Path,
) -> None:
    a_history(tmp_path)
    archive = synced(tmp_path)
    plan = archive.plan_forget(Selection(keys=(KEY,)))
    with closing(sqlite3.connect(archive.home / DATABASE)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM message").fetchone()

        report = archive.forget(plan)

        assert report.remains
        assert left_of(archive.home) != []

    assert archive.refresh(budget_s=5) is not None
    archive.close()
    assert left_of(archive.home) == []
