"""Citations: what the source still says is verified, and nothing else is."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    citations,
    claude_file,
    codex_file,
    plain_file,
    put,
    synced,
)
from tests.ingest.histories import a_history
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth import Archive
from quoth.demo import open_demo
from quoth.errors import NotRecordedError, UsageError
from quoth.model import Outcome
from quoth.store import DATABASE

SHARED = Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    return synced(tmp_path)


def outcomes(archive: Archive) -> list[Outcome]:
    return [archive.verify(each).outcome for each in citations(archive)]


def unverified(archive: Archive) -> list[str]:
    """Return the citations of everything ever said that don't hold."""
    return [
        citation
        for citation in citations(archive, everything=True)
        if archive.verify(citation).outcome is not Outcome.VERIFIED
    ]


def test_a_verdict_says_where_the_source_says_it(
    tmp_path: Path, archive: Archive
) -> None:
    content = claude_file(tmp_path).read_bytes()
    second = content.index(b"\n") + 1

    verdict = archive.verify(citations(archive)[1])

    assert (verdict.outcome, verdict.path, verdict.offset, verdict.length) == (
        Outcome.VERIFIED,
        claude_file(tmp_path),
        second,
        len(content) - second - 1,
    )


def test_every_message_of_a_history_is_verified(tmp_path: Path) -> None:
    """What was rewound stands in the source as well."""
    for path, content in a_history(tmp_path).items():
        put(path, content)

    assert unverified(synced(tmp_path)) == []


def test_every_message_of_the_demo_is_verified(tmp_path: Path) -> None:
    archive = open_demo(tmp_path)
    archive.sync()

    assert unverified(archive) == []


def test_a_changed_source_is_seen(tmp_path: Path, archive: Archive) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an edited answer"))

    assert outcomes(archive) == [Outcome.VERIFIED, Outcome.CHANGED]


def test_a_message_that_only_moved_in_its_file_is_still_said(
    tmp_path: Path, archive: Archive
) -> None:
    """Before the next sync the archive knows the old place alone."""
    before = claude.lines(claude.said("m0", "an earlier question"))
    put(claude_file(tmp_path), before + a_transcript("a question", "an answer"))

    verdict = archive.verify(citations(archive)[0])

    assert (verdict.outcome, verdict.offset) == (Outcome.VERIFIED, len(before))


def test_another_message_that_says_the_same_proves_nothing(
    tmp_path: Path, archive: Archive
) -> None:
    others = [claude.said("m0", "ahoy"), claude.said("other", "a question")]
    put(claude_file(tmp_path), claude.lines(*others))

    assert outcomes(archive) == [Outcome.CHANGED, Outcome.CHANGED]


def test_a_source_that_is_gone_leaves_the_archive(
    tmp_path: Path, archive: Archive
) -> None:
    claude_file(tmp_path).unlink()

    assert outcomes(archive) == [Outcome.ARCHIVE_ONLY] * 2


def test_an_archive_that_was_edited_is_seen(tmp_path: Path, archive: Archive) -> None:
    cited = citations(archive)
    connection = sqlite3.connect(archive_in(tmp_path) / DATABASE)
    connection.execute("UPDATE body SET text = 'never said' WHERE id = 1")
    connection.commit()
    connection.close()

    assert [archive.verify(each).outcome for each in cited] == [
        Outcome.CHANGED,
        Outcome.VERIFIED,
    ]


def test_an_edited_archive_cannot_vouch_for_itself(
    tmp_path: Path, archive: Archive
) -> None:
    connection = sqlite3.connect(archive_in(tmp_path) / DATABASE)
    connection.execute("UPDATE body SET text = 'never said' WHERE id = 1")
    connection.commit()
    connection.close()

    assert outcomes(archive) == [Outcome.CHANGED, Outcome.VERIFIED]


def test_a_superseded_message_is_checked_like_any_other(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    archive = synced(tmp_path)
    put(path, a_transcript("a question", "another answer"))
    archive.sync()

    verdicts = {
        message.text: archive.verify(message.citation).outcome
        for message in archive.show(KEY).messages
    }
    (_, old, _) = citations(archive, everything=True)

    assert verdicts == {
        "a question": Outcome.VERIFIED,
        "another answer": Outcome.VERIFIED,
    }
    assert archive.verify(old).outcome is Outcome.CHANGED


@pytest.mark.parametrize(
    "citation", [f"{KEY}#9@0123456789ab", "codex:nobody#1@0123456789ab"]
)
def test_what_names_nothing_is_refused(archive: Archive, citation: str) -> None:
    with pytest.raises(NotRecordedError):
        archive.verify(citation)


@pytest.mark.parametrize("citation", [KEY, f"{KEY}#1", f"{KEY}#1@xyz"])
def test_what_has_no_hash_is_refused(archive: Archive, citation: str) -> None:
    with pytest.raises(UsageError):
        archive.verify(citation)


def test_a_message_with_a_secret_is_verified_by_what_is_left_of_it(
    tmp_path: Path,
) -> None:
    key = "AKIA" + "Z7QX" * 4
    put(claude_file(tmp_path), a_transcript(f"the key is {key}, keep it"))
    archive = synced(tmp_path)

    (shown,) = archive.show(KEY).messages

    assert key not in shown.text
    assert archive.verify(shown.citation).outcome is Outcome.VERIFIED


def test_a_prompt_that_waited_long_is_verified(tmp_path: Path) -> None:
    """It stands in the record that queued it, hundreds before the one that tells."""
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.said("u1", "begin"),
            {"type": "queue-operation", "operation": "enqueue", "content": "hurry up"},
            claude.answered("t1", claude.tool_use("Read", file_path="/home/dev/long")),
            *(claude.returned(f"r{n}", f"line {n}") for n in range(120)),
            {"type": "queue-operation", "operation": "remove"},
            claude.answered("u9", "done"),
        ),
    )
    archive = synced(tmp_path)

    assert "hurry up" in [message.text for message in archive.show(KEY).messages]
    assert unverified(archive) == []


@pytest.mark.parametrize("name", ["talk.json", "talk.jsonl"])
def test_plain_files_are_checked_too(tmp_path: Path, name: str) -> None:
    path = plain_file(tmp_path, name)
    put(path, b'{"role": "user", "content": "one buoy", "session_id": "s"}')
    archive = synced(tmp_path)
    before = outcomes(archive)

    put(path, b'{"role": "user", "content": "two buoy", "session_id": "s"}')

    assert (before, outcomes(archive)) == ([Outcome.VERIFIED], [Outcome.CHANGED])


@pytest.mark.parametrize("ending", ["", ".json"])
def test_rollouts_are_checked_too(tmp_path: Path, ending: str) -> None:
    lines = [codex.meta(), codex.typed("one buoy"), codex.said("a buoy")]
    path = codex_file(tmp_path, codex.NAME)
    content = codex.lines_of(lines)
    if ending:
        path = codex_file(tmp_path, f"rollout-2025-05-01-{codex.THREAD}.json")
        items = [
            codex.written("user", "one buoy"),
            codex.written("assistant", "a buoy"),
        ]
        content = codex.lines_of(
            [
                {
                    "session": {
                        "id": codex.THREAD,
                        "timestamp": "2025-05-01T10:00:00Z",
                    },
                    "items": [item["payload"] for item in items],
                }
            ]
        )
    put(path, content)
    archive = synced(tmp_path)
    before = outcomes(archive)

    put(path, content.replace(b"one buoy", b"two buoy"))

    assert (before, outcomes(archive)) == (
        [Outcome.VERIFIED] * 2,
        [Outcome.CHANGED, Outcome.VERIFIED],
    )


@pytest.mark.parametrize("source", ["claude_code", "codex", "generic"])
def test_every_message_of_real_files_is_verified(tmp_path: Path, source: str) -> None:
    if not (SHARED / "samples" / "lay_out.py").is_file():
        pytest.skip("samples of real files are not here")
    subprocess.run(
        [sys.executable, SHARED / "samples" / "lay_out.py", tmp_path / "person"],
        check=True,
        capture_output=True,
    )
    places = {
        "claude_code": tmp_path / "person" / ".claude" / "projects",
        "codex": tmp_path / "person" / ".codex",
        "generic": SHARED / "samples" / "generic",
    }
    archive = an_archive(tmp_path)
    archive.sync([places[source]])

    cited = citations(archive, everything=True)
    verdicts = Counter(archive.verify(each).outcome for each in cited)

    assert set(verdicts) == {Outcome.VERIFIED}
