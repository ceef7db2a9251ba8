"""What a row becomes when newer rules go through it, in cases that are rare."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.builders import (
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    change,
    claude_file,
    plain_file,
    put,
    rows,
    synced,
    texts,
)
from tests.ingest.leaky import MARK, OWN, OWN_KEYS, every_byte, leaked
from tests.sources import claude_records as claude

from quoth.errors import ArchiveDamagedError
from quoth.model import Outcome
from quoth.redaction import secrets
from quoth.store import _held


def redacted_anew(folder: Path) -> Path:
    """Let `OWN` go through the archive of *folder*, and return where that is."""
    with an_archive(folder, patterns=OWN) as archive:
        archive.sync()
    home = archive_in(folder)
    assert leaked(every_byte(home)) == set()
    assert_consistent(home)
    return home


def test_two_kinds_of_records_that_become_one_are_counted_together(
    tmp_path: Path,
) -> None:
    kinds = [{"type": f"odd-{OWN_KEYS[place]}"} for place in ("kind", "path", "path")]
    put(claude_file(tmp_path), claude.lines(claude.said("m1", "ahoy"), *kinds))
    synced(tmp_path).close()

    home = redacted_anew(tmp_path)

    assert rows(home, "SELECT kind, count FROM ignored_record") == [(f"odd-{MARK}", 3)]


def test_two_paths_that_become_one_are_one(tmp_path: Path) -> None:
    calls = [
        {
            "type": "tool_use",
            "id": f"toolu_{place}",
            "name": "Write",
            "input": {"file_path": f"/x/{OWN_KEYS[place]}"},
        }
        for place in ("path", "folder")
    ]
    put(claude_file(tmp_path), claude.lines(claude.answered("m1", *calls)))
    synced(tmp_path).close()

    home = redacted_anew(tmp_path)

    assert rows(home, "SELECT path, action FROM file_touch") == [
        (f"/x/{MARK}", "write")
    ]


def test_the_place_of_a_message_in_its_source_is_redacted(tmp_path: Path) -> None:
    said = claude.said("m1", f"it is {OWN_KEYS['prompt']}")
    put(claude_file(tmp_path), claude.lines(said))
    synced(tmp_path).close()
    home = archive_in(tmp_path)
    change(home, "UPDATE member SET path = (SELECT text FROM body WHERE id = 1)")

    redacted_anew(tmp_path)

    assert rows(home, "SELECT path FROM member") == [(f"it is {MARK}",)]


def test_long_messages_make_short_parts(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("one", "two", "three"))
    synced(tmp_path).close()

    with (
        patch.object(_held, "_MOST_CHARACTERS", 3),
        an_archive(tmp_path, patterns=OWN) as archive,
    ):
        archive.sync(budget_s=1e-9)

        assert archive.status().waiting_for_rules == 1


def test_what_came_back_is_redacted_though_the_answer_is_gone(tmp_path: Path) -> None:
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.answered("m1", claude.tool_use("Bash", command="ls")),
            claude.returned("m2", f"it is {OWN_KEYS['result']}"),
        ),
    )
    synced(tmp_path).close()
    home = archive_in(tmp_path)
    change(
        home,
        "UPDATE tool_call SET output = (SELECT text FROM body WHERE id = 2)",
        "UPDATE tool_call SET result_message = NULL",
    )

    redacted_anew(tmp_path)

    assert rows(home, "SELECT output FROM tool_call") == [(f"it is {MARK}",)]


def test_an_answer_kept_beside_its_call_is_redacted_there(tmp_path: Path) -> None:
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.answered("m1", claude.tool_use("Bash", command="ls")),
            claude.returned("m2", f"it is {OWN_KEYS['result']}"),
        ),
    )
    synced(tmp_path).close()
    home = archive_in(tmp_path)
    change(home, "UPDATE tool_call SET output = (SELECT text FROM body WHERE id = 2)")

    redacted_anew(tmp_path)

    assert rows(home, "SELECT output FROM tool_call") == [(f"it is {MARK}",)]


@pytest.mark.parametrize(
    ("said", "patterns", "had", "has"),
    [
        (OWN_KEYS["prompt"], OWN, 0, 1),
        ("say open sesame now", {"x": "open sesame now"}, 1, 0),
    ],
)
def test_what_is_left_decides_whether_a_text_gets_vectors(
    tmp_path: Path, said: str, patterns: dict[str, str], had: int, has: int
) -> None:
    put(claude_file(tmp_path), claude.lines(claude.said("m1", said)))
    synced(tmp_path).close()
    home = archive_in(tmp_path)
    before = rows(home, "SELECT texts FROM conversation")

    an_archive(tmp_path, patterns=patterns).sync()

    assert before == [(had,)]
    assert rows(home, "SELECT texts FROM conversation") == [(has,)]
    assert rows(home, "SELECT count(*) FROM embedding") == [(has,)]
    assert_consistent(home)


def test_a_superseded_text_counts_for_no_conversation(tmp_path: Path) -> None:
    for said in ("say open sesame now", "say something else then"):
        put(claude_file(tmp_path), claude.lines(claude.said("m1", said)))
        synced(tmp_path).close()
    home = archive_in(tmp_path)

    an_archive(tmp_path, patterns={"x": "open sesame now"}).sync()

    assert rows(home, "SELECT texts FROM conversation") == [(1,)]
    assert rows(home, "SELECT count(*) FROM embedding") == [(1,)]
    assert_consistent(home)


def test_a_file_that_could_not_be_read_has_nothing_to_redact(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), claude.lines(claude.said("m1", "ahoy")))
    path.with_name("11111111-0000-4000-8000-000000000000.jsonl").symlink_to("nowhere")
    synced(tmp_path).close()

    redacted_anew(tmp_path)

    states = "SELECT state, checkpoint IS NULL FROM source_file ORDER BY state"
    assert rows(archive_in(tmp_path), states) == [("done", 0), ("failed", 1)]


def test_a_message_that_another_one_answers_for_is_found_again(tmp_path: Path) -> None:
    """An answer whose row was taken over by another: its record can't be made again."""
    path = claude_file(tmp_path)
    call = claude.answered("m1", claude.tool_use("Bash", command="ls"))
    put(
        path,
        claude.lines(
            call,
            claude.returned("m2", f"it is {OWN_KEYS['result']}"),
            claude.returned("m3", "and once more"),
        ),
    )
    synced(tmp_path).close()
    of_answer = "SELECT fingerprint FROM message WHERE native_id = 'm2'"
    before = rows(archive_in(tmp_path), of_answer)
    redacted_anew(tmp_path)
    after = rows(archive_in(tmp_path), of_answer)
    put(path, b"\n" + path.read_bytes())

    with an_archive(tmp_path, patterns=OWN) as archive:
        report = archive.sync()

        assert before != after  # it was made from the key, too
        assert texts(archive) == ["", f"it is {MARK}", "and once more"]
    assert (report.messages_new, report.messages_superseded) == (1, 1)
    assert_consistent(archive_in(tmp_path))


def test_the_live_one_of_two_versions_is_the_message(tmp_path: Path) -> None:
    """They differed in a key alone; the older one, read later, was the live one."""
    path = claude_file(tmp_path)
    for place in ("prompt", "answer", "prompt"):
        put(path, claude.lines(claude.said("m1", f"it is {OWN_KEYS[place]}, I think")))
        synced(tmp_path).close()
    home = redacted_anew(tmp_path)
    put(path, b"\n" + path.read_bytes())

    with an_archive(tmp_path, patterns=OWN) as archive:
        report = archive.sync()

    assert (report.messages_new, report.messages_superseded) == (0, 0)
    assert rows(home, "SELECT id FROM message WHERE live = 1") == [(1,)]


def test_plain_files_and_their_checkpoints_are_redacted(tmp_path: Path) -> None:
    turn = {"role": "user", "content": f"it is {OWN_KEYS['prompt']}", "session_id": "s"}
    put(plain_file(tmp_path), json.dumps(turn).encode() + b"\n")
    synced(tmp_path).close()

    redacted_anew(tmp_path)

    with an_archive(tmp_path, patterns=OWN) as archive:
        put(plain_file(tmp_path), json.dumps(turn).encode() + b"\n" * 2)
        assert archive.sync().messages_new == 0
        (hit,) = archive.search("it").hits
        assert archive.verify(hit.citation).outcome is Outcome.VERIFIED


@pytest.mark.parametrize("facts", ["no facts", "[]", "7"])
def test_facts_that_make_no_sense_stop_it(tmp_path: Path, facts: str) -> None:
    """What can't be read can't be redacted: until then answers are, as given."""
    put(claude_file(tmp_path), claude.lines(claude.said("m1", "ahoy")))
    synced(tmp_path).close()
    change(archive_in(tmp_path), f"UPDATE told SET facts = '{facts}'")  # noqa: S608

    with (
        an_archive(tmp_path, patterns=OWN) as archive,
        pytest.raises(ArchiveDamagedError),
    ):
        archive.sync()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE source_file SET checkpoint = 'hbrkey without sense'",
        "INSERT INTO meta VALUES ('secret_rules_progress', '{}')",
        "INSERT INTO meta VALUES ('secret_rules_progress', json_object("  # noqa: S608
        f"'stamp', '{secrets(OWN).stamp}', 'step', -1, 'after', 7))",
    ],
)
def test_what_can_be_made_anew_is(tmp_path: Path, damage: str) -> None:
    put(
        claude_file(tmp_path),
        claude.lines(claude.said("m1", f"it is {OWN_KEYS['prompt']}")),
    )
    synced(tmp_path).close()
    change(archive_in(tmp_path), damage)

    redacted_anew(tmp_path)

    assert texts(synced(tmp_path)) == [f"it is {MARK}"]
