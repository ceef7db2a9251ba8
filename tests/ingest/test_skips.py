"""What can't be read is counted, said once and tried again when it changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.builders import (
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    codex_file,
    found,
    plain_file,
    put,
    rows,
    synced,
    texts,
)
from tests.redaction.secrets_made_here import ISSUED
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth.model import FailedUnit, SkippedRecords

OTHER = "00000000-0000-4000-8000-0000000000bb"
TORN = claude.lines(claude.said("torn", "never finished"))[:80] + b"\n"


def skips(folder: Path) -> list[tuple[int, str]]:
    return [
        (offset, reason)
        for offset, reason in rows(
            archive_in(folder), "SELECT offset, reason FROM skipped_record ORDER BY 1"
        )
    ]


def test_one_bad_line_costs_that_line(tmp_path: Path) -> None:
    first, second = a_transcript("quill one"), a_transcript("quill two", ids="o")
    content = b"".join(
        (
            b"\xef\xbb\xbf",
            first,
            TORN,
            b'\nnull\n42\n"text"\n[]\n{}\r\n',
            TORN[:-1] + claude.lines(claude.said("glued", "quill three")),
            claude.lines(claude.said("odd", "quill four")).replace(b"four", b"f\xffur"),
            b"\0" * 300,
        )
    )
    put(claude_file(tmp_path), content)
    put(claude_file(tmp_path, OTHER), second)
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert found(archive, "quill") == [
        "quill f\ufffdur",
        "quill one",
        "quill three",
        "quill two",
    ]
    assert report.skipped == (
        SkippedRecords(
            source="claude_code",
            path=claude_file(tmp_path),
            reasons={
                "a string is not closed": 1,
                "not an object": 4,
                "cut short; 1 glued to it recovered": 1,
            },
        ),
    )
    assert_consistent(archive_in(tmp_path))


def test_an_empty_file_is_no_conversation_and_no_fault(tmp_path: Path) -> None:
    put(claude_file(tmp_path), b"")
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert (report.units_read, report.skipped, report.failed) == (1, (), ())
    assert rows(archive_in(tmp_path), "SELECT count(*) FROM conversation") == [(0,)]


def test_a_torn_line_counts_once_however_often_the_file_is_read(tmp_path: Path) -> None:
    path = claude_file(tmp_path)
    archive = an_archive(tmp_path)
    content = b""
    for n in range(4):
        content += a_transcript(f"turn {n}", ids=f"n{n}-")
        content += TORN if n == 1 else b""
        put(path, content)
        archive.sync()
        archive.sync()

    (skipped,) = archive.status().skipped
    assert skipped.reasons == {"a string is not closed": 1}


def test_a_line_that_was_completed_is_no_longer_skipped(tmp_path: Path) -> None:
    """Lines are completed in the middle of a file by whoever repairs it."""
    path = put(claude_file(tmp_path), TORN + a_transcript("a question"))
    archive = synced(tmp_path)
    before = skips(tmp_path)

    whole = claude.lines(claude.said("torn", "never finished"))
    put(path, whole + a_transcript("a question"))
    archive.sync()

    assert (before, skips(tmp_path)) == ([(0, "a string is not closed")], [])
    assert texts(archive) == ["never finished", "a question"]


def test_a_line_in_flight_is_no_fault(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question") + TORN[:-1])
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert (report.skipped, skips(tmp_path)) == ((), [])


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """Return where a file is that can't be read, beside one that can."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    return claude_file(tmp_path, OTHER)


def failed(path: Path, reason: str) -> tuple[FailedUnit, ...]:
    return (FailedUnit(source="claude_code", path=path, reason=reason),)


def test_a_pipe_is_a_failure_and_the_rest_is_read(tmp_path: Path, beside: Path) -> None:
    os.mkfifo(beside)
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert report.failed == failed(beside, "it is no regular file")
    assert texts(archive) == ["a question", "an answer"]


def test_a_link_is_a_failure_and_the_rest_is_read(tmp_path: Path, beside: Path) -> None:
    beside.symlink_to(claude_file(tmp_path))
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert report.failed == failed(beside, "it is a link")
    assert texts(archive) == ["a question", "an answer"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_is_a_failure(tmp_path: Path, beside: Path) -> None:
    put(beside, a_transcript("hidden")).chmod(0)

    assert synced(tmp_path).status().failed == failed(beside, "permission denied")


def test_a_folder_that_is_named_like_a_file_is_walked(
    tmp_path: Path, beside: Path
) -> None:
    beside.mkdir()
    archive = an_archive(tmp_path)

    report = archive.sync()

    assert (report.units, report.failed) == (1, ())


def test_a_failure_is_said_in_the_status_until_it_is_mended(
    tmp_path: Path, beside: Path
) -> None:
    os.mkfifo(beside)
    archive = synced(tmp_path)
    before = archive.status().failed

    beside.unlink()
    put(beside, claude.lines(claude.said("n1", "mended")))
    archive.sync()

    assert before == failed(beside, "it is no regular file")
    assert archive.status().failed == ()
    assert texts(archive, f"claude_code:{OTHER}") == ["mended"]


def test_a_failure_that_has_not_changed_is_not_tried_again(
    tmp_path: Path, beside: Path
) -> None:
    """Else every look would call the file changed, for ever."""
    os.mkfifo(beside)
    archive = synced(tmp_path)

    report = archive.sync()

    assert (report.units_read, report.failed) == (0, ())
    assert archive.status().freshness.changed_files == 0


def test_what_was_read_of_a_file_stays_when_it_fails(
    tmp_path: Path, beside: Path
) -> None:
    put(beside, claude.lines(claude.said("n1", "was read")))
    archive = synced(tmp_path)

    beside.unlink()
    os.mkfifo(beside)
    archive.sync()

    assert texts(archive, f"claude_code:{OTHER}") == ["was read"]
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize(
    "place",
    [
        claude_file(Path(), "caf\udce9"),
        plain_file(Path(), "caf\udce9.jsonl"),
        plain_file(Path(), "caf\udce9.json"),
        codex_file(Path(), "rollout-2026-05-01T10-00-00-caf\udce9.jsonl"),
    ],
    ids=lambda path: path.parts[0] + path.suffix,
)
def test_a_file_whose_name_is_no_text_is_read_like_any_other(
    tmp_path: Path, place: Path
) -> None:
    """Linux file names are bytes; SQLite refuses what stands for those in Python."""
    content = {
        "projects": a_transcript("ahoy"),
        "plain": b'{"role": "user", "content": "ahoy"}',
        "sessions": codex.lines_of([codex.typed("ahoy")]),
    }[place.parts[0]]
    put(tmp_path / place, content)

    archive = synced(tmp_path)

    assert found(archive, "ahoy") == ["ahoy"]


def test_a_number_too_large_for_sqlite_costs_that_number(tmp_path: Path) -> None:
    huge = 10**30
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.answered(
                "t1",
                claude.tool_use("Bash", command="ls"),
                usage={"input_tokens": huge},
            ),
            claude.returned("t2", "ok", toolUseResult={"exitCode": huge}),
        ),
    )
    put(
        codex_file(tmp_path, codex.NAME),
        codex.lines_of([codex.meta(), codex.typed("ahoy"), codex.tokens(huge, huge)]),
    )

    archive = synced(tmp_path)

    (call,) = archive.show(f"claude_code:{SESSION}").messages[0].calls
    assert (call.output, call.exit_code) == ("ok", None)


def test_a_lone_surrogate_becomes_a_replacement_character(tmp_path: Path) -> None:
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.said("g1", "cut emoji \ud83d here gaffrig"),
            claude.answered("g2", "braille \udeaa art gaffrig"),
            claude.said("g3", "whole \ud83d\ude00 emoji gaffrig"),
            {"type": "ai-title", "aiTitle": "broken \ud83d title"},
        ),
    )
    archive = synced(tmp_path)

    shown = archive.show(f"claude_code:{SESSION}")

    assert (shown.title, [message.text for message in shown.messages]) == (
        "broken \ufffd title",
        [
            "cut emoji \ufffd here gaffrig",
            "braille \ufffd art gaffrig",
            "whole \N{GRINNING FACE} emoji gaffrig",
        ],
    )
    assert len(found(archive, "gaffrig")) == 3


def test_what_stands_after_a_nul_is_found(tmp_path: Path) -> None:
    put(
        claude_file(tmp_path),
        claude.lines(
            claude.returned("n1", "before\0after catheadword"),
            claude.returned("n2", "left " + "\0" * 10_000 + " right catheadword"),
            claude.answered("n3", "screen \x1b[2J\x1b]0;owned\x07 catheadword"),
        ),
    )
    archive = synced(tmp_path)

    counts = [len(found(archive, word)) for word in ("after", "right", "catheadword")]

    assert counts == [1, 1, 3]
    assert_consistent(archive_in(tmp_path))


def test_a_secret_in_the_place_of_a_records_type_is_not_reported(
    tmp_path: Path,
) -> None:
    (secret, *_) = ISSUED["anthropic_api_key"]
    record = claude.lines({"type": secret, "sessionId": SESSION})
    put(claude_file(tmp_path), a_transcript("a question") + record)

    report = an_archive(tmp_path).sync()

    assert len(report.ignored) == 1
    assert secret not in str(report)
