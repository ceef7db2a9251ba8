"""When the rules find more than they did, what is stored goes through them anew.

The newer rules of these tests are a person's own pattern, which comes to the settings
when the archive is there already.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from string import ascii_lowercase
from unittest.mock import patch

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    change,
    citations,
    claude_file,
    dump,
    found,
    interrupted_at,
    put,
    rows,
    synced,
    texts,
)
from tests.ingest.leaky import (
    MARK,
    OWN,
    OWN_KEYS,
    PLACES,
    RESUMED,
    a_leaky_history,
    a_leaky_session,
    every_byte,
    leaked,
    stored_without_rules,
)
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.model import Mode, Outcome, Progress
from quoth.store import _held

ROOT = Path(__file__).resolve().parents[2]
KILLED = Path(__file__).parent / "children" / "killed.py"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """Return an archive with keys in it, by the rules that are to hide them."""
    a_leaky_history(tmp_path)
    synced(tmp_path).close()
    with an_archive(tmp_path, patterns=OWN) as archive:
        yield archive


# What is stored


def test_before_that_the_keys_are_everywhere(archive: Archive) -> None:
    """Otherwise these tests would show nothing."""
    assert leaked(every_byte(archive.home)) == set(PLACES)


def test_no_byte_of_what_newer_rules_hide_is_left(archive: Archive) -> None:
    archive.sync()

    assert leaked(every_byte(archive.home)) == set()
    assert_consistent(archive.home)


def test_it_comes_to_what_reading_all_anew_comes_to(archive: Archive) -> None:
    archive.sync()

    folder = archive.home.parent
    fresh = folder / "fresh"
    an_archive(folder, home=fresh, patterns=OWN).sync()
    assert dump(archive.home) == dump(fresh)


def test_an_open_reader_does_not_keep_the_bytes(archive: Archive) -> None:
    with an_archive(archive.home.parent) as other:
        other.search("harbour")
        archive.search("harbour")

        archive.sync()

        assert leaked(every_byte(archive.home)) == set()


def test_each_message_that_changed_is_counted_once(archive: Archive) -> None:
    reports = [archive.sync(), archive.sync()]

    assert [report.reredacted for report in reports] == [7, 0]
    assert [report.messages_new for report in reports] == [0, 0]


def test_the_status_says_how_many_wait(archive: Archive) -> None:
    before = archive.status().waiting_for_rules

    archive.sync()

    total = rows(archive.home, "SELECT count(*) FROM message")[0][0]
    assert (before, archive.status().waiting_for_rules) == (total, 0)


def test_what_stays_of_a_message_is_found_and_the_key_is_not(archive: Archive) -> None:
    archive.sync()

    assert found(archive, "noted") == [f"I noted {MARK} for the harbour master."]
    assert found(archive, OWN_KEYS["answer"]) == []


def test_titles_are_found_by_what_stays_of_them(archive: Archive) -> None:
    archive.sync()

    (hit, *_) = archive.search("harbour").hits
    assert hit.title == f"The harbour's {MARK}"


def test_what_changed_gets_new_vectors_and_the_old_ones_go(archive: Archive) -> None:
    before = rows(archive.home, "SELECT count(*) FROM embedding")

    report = archive.sync()

    assert rows(archive.home, "SELECT count(*) FROM embedding") == before
    assert report.embedded == 3
    assert report.not_embedded == 0


def test_the_flat_copy_is_written_anew_each_time(archive: Archive) -> None:
    (copy,) = archive.home.glob("vectors/*/all.vec")
    copies = [copy.read_bytes()]

    for patterns in (OWN, {**OWN, "master": "harbour master"}):
        with an_archive(archive.home.parent, patterns=patterns) as newer:
            newer.sync()
        copies.append(copy.read_bytes())

    assert len({*copies}) == 3


def test_a_question_near_what_is_hidden_until_then_is_answered(tmp_path: Path) -> None:
    """What is hidden may be all that a window had."""
    keys = [f"hbrkey{letter * 24}" for letter in ascii_lowercase] * 3
    put(claude_file(tmp_path), a_transcript(f"these were the keys: {' '.join(keys)}"))
    synced(tmp_path).close()
    whole = {"all_of_them": "hbrkey[a-z ]{17,200}"}
    with an_archive(tmp_path, patterns=whole) as archive:
        page = archive.search(" ".join(keys[-30:]), mode=Mode.MEANING)

    assert [hit.marks for hit in page.hits] == [()]
    assert "hbrkey" not in page.hits[0].text


def test_two_folders_that_become_one_are_one(tmp_path: Path) -> None:
    for place in ("folder", "path"):
        own = {"cwd": f"/home/dev/{OWN_KEYS[place]}", "sessionId": place}
        record = claude.said(place, "where is it", **own)
        put(claude_file(tmp_path, place), claude.lines(record))
    synced(tmp_path).close()

    an_archive(tmp_path, patterns=OWN).sync()

    home = archive_in(tmp_path)
    assert rows(home, "SELECT DISTINCT cwd FROM context") == [(f"/home/dev/{MARK}",)]
    assert_consistent(home)


def test_rules_that_find_nothing_new_change_nothing(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    synced(tmp_path).close()
    before = dump(archive_in(tmp_path))

    with an_archive(tmp_path, patterns=OWN) as archive:
        report = archive.sync()

        assert report.reredacted == archive.status().waiting_for_rules == 0
    assert dump(archive_in(tmp_path)) == before


def test_rules_that_hide_less_bring_nothing_back(archive: Archive) -> None:
    archive.sync()

    with an_archive(archive.home.parent) as without:
        report = without.sync()

        assert report.reredacted == 0
        assert leaked(every_byte(archive.home)) == set()


# Reading on


def read_anew(path: Path) -> None:
    """Change a file so that it is read from its start and says the same."""
    put(path, b"\n" + path.read_bytes())


def test_a_file_read_again_from_its_start_says_nothing_new(
    tmp_path: Path, archive: Archive
) -> None:
    archive.sync()
    before = {key: texts(archive, key) for key in (KEY, f"claude_code:{RESUMED}")}
    cited = citations(archive, everything=True)
    for path in (claude_file(tmp_path), claude_file(tmp_path, RESUMED)):
        read_anew(path)

    report = archive.sync()

    assert report.units_read == 2
    assert (report.messages_new, report.messages_superseded) == (0, 0)
    assert {key: texts(archive, key) for key in before} == before
    assert citations(archive, everything=True) == cited
    assert leaked(every_byte(archive.home)) == set()
    assert_consistent(archive.home)


def test_a_session_that_grew_meanwhile_goes_on(
    tmp_path: Path, archive: Archive
) -> None:
    grown = a_leaky_session() + a_transcript("and on", ids="n")
    put(claude_file(tmp_path), grown)

    report = archive.sync()

    assert (report.reredacted, report.messages_new) == (7, 1)
    assert texts(archive)[-1] == "and on"
    assert leaked(every_byte(archive.home)) == set()


def test_a_record_that_is_hidden_in_another_way_when_read_whole_is_the_same(
    tmp_path: Path,
) -> None:
    """Newer rules find the words before a key only where the key still stands."""
    key = OWN_KEYS["prompt"]
    put(
        claude_file(tmp_path), a_transcript(f"the old pass {key} works", "yes, it does")
    )
    an_archive(tmp_path, patterns=OWN).sync()
    newer = {**OWN, "whole": "pass hbrkey[a-z]{24}"}
    with an_archive(tmp_path, patterns=newer) as archive:
        archive.sync()
        cited = citations(archive)
        outcome = archive.verify(cited[0]).outcome
        read_anew(claude_file(tmp_path))

        report = archive.sync()

        assert (report.messages_new, report.messages_superseded) == (0, 0)
        assert texts(archive) == [f"the old pass {MARK} works", "yes, it does"]
        assert citations(archive) == cited
        assert outcome is Outcome.VERIFIED
        assert archive.verify(cited[0]).outcome is Outcome.VERIFIED


def test_two_versions_that_differ_in_a_key_alone_stay_apart(tmp_path: Path) -> None:
    path = claude_file(tmp_path)
    for place in ("prompt", "answer"):
        put(path, a_transcript(f"it is {OWN_KEYS[place]}, I think", "noted"))
        synced(tmp_path).close()
    with an_archive(tmp_path, patterns=OWN) as archive:
        archive.sync()
        read_anew(path)

        report = archive.sync()

        assert (report.messages_new, report.messages_superseded) == (0, 0)
        assert texts(archive) == [f"it is {MARK}, I think", "noted"]
        assert len(texts(archive, everything=True)) == 3
    assert_consistent(archive_in(tmp_path))


# Bit by bit


def one_message_a_part() -> AbstractContextManager[object]:
    """Make many small commits: there are many places to stop at, then."""
    return patch.object(_held, "_MOST_MESSAGES", 1)


def test_it_may_be_killed_at_any_commit(tmp_path: Path) -> None:
    a_leaky_history(tmp_path)
    synced(tmp_path, home=tmp_path / "begun").close()
    homes = tmp_path / "homes"
    homes.mkdir()

    run = subprocess.run(
        [sys.executable, KILLED, tmp_path, homes, json.dumps(OWN)],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )

    assert json.loads(run.stdout) == {}
    clean, *resumed = sorted(homes.iterdir(), key=lambda home: int(home.name))
    assert len(resumed) > 15
    assert {home.name for home in resumed if dump(home) != dump(clean)} == set()
    assert {home.name for home in resumed if leaked(every_byte(home))} == set()
    for home in resumed:
        assert_consistent(home)


def test_syncs_without_time_come_to_an_end_and_read_on_then(
    tmp_path: Path, archive: Archive
) -> None:
    put(claude_file(tmp_path, "new"), a_transcript("something new"))

    with one_message_a_part():
        reports, waiting = [], []
        for _ in range(40):
            reports.append(archive.sync(budget_s=1e-9))
            waiting.append(archive.status().waiting_for_rules)

    assert sum(report.reredacted for report in reports) == 7
    first_read = next(n for n, report in enumerate(reports) if report.units_read)
    assert first_read >= 9
    assert waiting == [*range(8, -1, -1), *[0] * 31]
    archive.sync()
    assert leaked(every_byte(archive.home)) == set()
    assert_consistent(archive.home)


def test_a_search_before_that_is_over_does_its_part(archive: Archive) -> None:
    with one_message_a_part():
        archive.refresh(budget_s=1e-9)
        first = archive.status().waiting_for_rules
        archive.refresh(budget_s=1e-9)

    assert archive.status().waiting_for_rules == first - 1 > 0


def test_rules_that_change_again_meanwhile_begin_anew(
    tmp_path: Path, archive: Archive
) -> None:
    with one_message_a_part():
        archive.sync(budget_s=1e-9)
    other = {**OWN, "noted": "I noted"}
    with an_archive(tmp_path, patterns=other) as newest:
        newest.sync()

    assert leaked(every_byte(archive.home)) == set()
    assert found(newest, "master") == [
        f"[REDACTED:noted] {MARK} for the harbour master."
    ]
    assert_consistent(archive.home)


def test_an_interrupted_one_goes_on(archive: Archive) -> None:
    report = archive.sync(progress=interrupted_at(1))

    archive.sync()

    assert report.interrupted
    assert leaked(every_byte(archive.home)) == set()
    assert_consistent(archive.home)


def test_progress_tells_of_the_messages(archive: Archive) -> None:
    told: list[Progress] = []

    archive.sync(progress=told.append)

    total = rows(archive.home, "SELECT count(*) FROM message")[0][0]
    assert Progress(messages=total, messages_total=total) in told


def test_an_archive_from_before_there_were_rules_goes_through_them(
    tmp_path: Path,
) -> None:
    a_leaky_history(tmp_path)
    archive = stored_without_rules(tmp_path)
    change(archive.home, "DELETE FROM meta WHERE key = 'secret_rules'")

    with an_archive(tmp_path, patterns=OWN) as newer:
        report = newer.sync()

    assert report.reredacted == 7
    assert leaked(every_byte(archive.home)) == set()
