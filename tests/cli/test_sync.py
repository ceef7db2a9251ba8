"""What `quoth sync` asks of the archive, and how it says what was done."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from quoth.cli._progress import ProgressLine
from quoth.cli._sync_text import progress_text
from quoth.cli._terminal import Terminal
from quoth.errors import ArchiveBusyError
from quoth.model import FailedUnit, Progress, SkippedRecords

from .fakes import Shell, a_report, a_troubled_report


def progress_at(done: int, *, total: int = 1_000_000) -> Progress:
    return Progress(
        source="claude_code",
        units=1,
        units_total=2,
        bytes=done,
        bytes_total=total,
        messages=1200,
    )


def test_paths_are_made_absolute(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "export.zip").touch()
    monkeypatch.chdir(tmp_path)

    shell.run("sync", "export.zip")

    assert shell.asked("sync")["paths"] == [tmp_path / "export.zip"]


def test_a_path_that_is_not_there_is_wrong_usage(shell: Shell, tmp_path: Path) -> None:
    result = shell.run("sync", str(tmp_path / "nothing"))

    assert result.exit_code == 2
    assert "does not exist" in " ".join(result.stderr.split())


def test_a_clean_sync_says_what_is_new(shell: Shell) -> None:
    result = shell.run("sync")

    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == """\
12 new conversations, 1,204 new messages.
Read 14 of 230 files, 12.4 MB.
Took 2.3 s.
"""
    )


def test_a_sync_that_changed_nothing_says_so(shell: Shell) -> None:
    shell.archive.report = a_report(conversations_new=0, messages_new=0)

    assert shell.run("sync").stdout.startswith("Nothing new.\n")


def test_everything_that_went_wrong_is_said_and_the_status_tells(shell: Shell) -> None:
    shell.archive.report = a_troubled_report()

    result = shell.run("sync")

    assert result.exit_code == 3
    assert (
        result.stdout
        == """\
12 new conversations, 3 changed, 1,204 new messages, 8 kept apart as superseded.
Read 14 of 230 files, 12.4 MB.
Embedded 1,204 texts, 120 messages left.
2 texts could not be embedded, and are found by words alone:
  2: its vector is not a number
No more could be embedded: The server at http://127.0.0.1:9 was given up.
2 conversations gone at the source and kept here, 1 of them newly.
Redacted 3 secrets: 2 aws-access-key, 1 jwt.
412 bookkeeping records passed over.
Skipped 3 records:
  /h/a.jsonl
    3 records: not JSON
Could not read 1 file:
  /h/b.jsonl: no permission
The source paper of the package quoth-paper can't be used: ImportError: no such
module
Held history before and cannot be reached now (what was read is kept):
  /mnt/disk
Took 2.3 s.
"""
    )


def test_what_was_kept_out_and_taken_out_is_said(shell: Shell) -> None:
    shell.archive.report = a_report(kept_out=1204, purged=1)

    lines = shell.run("sync").stdout.splitlines()

    assert "1,204 messages kept out, as forgotten or under a never_index rule." in lines
    assert "Forgot 1 conversation under a never_index rule." in lines


@pytest.mark.parametrize(
    ("units", "said"),
    [
        (1, "1 file not opened: all it told"),
        (7, "7 files not opened: all they told"),
    ],
)
def test_files_that_are_not_opened_are_counted(
    shell: Shell, units: int, said: str
) -> None:
    """Without it, "nothing new" would leave open why a file isn't there."""
    shell.archive.report = a_report(units_kept_out=units)

    printed = " ".join(shell.run("sync").stdout.split())

    assert f"{said} is forgotten or under a never_index rule." in printed


def test_what_newer_rules_took_out_is_said(shell: Shell) -> None:
    shell.archive.report = a_report(reredacted=1)

    lines = shell.run("sync").stdout.splitlines()

    assert "Newer rules found secrets in 1 stored message and took them out." in lines


def test_the_reasons_of_a_file_stand_below_it_the_most_frequent_first(
    shell: Shell,
) -> None:
    reasons = {"a string is not closed": 1, "not an object": 3}
    skipped = SkippedRecords(source="codex", path=Path("/h/c"), reasons=reasons)
    shell.archive.report = a_report(skipped=(skipped,))

    result = shell.run("sync")

    assert (
        "Skipped 4 records:\n"
        "  /h/c\n"
        "    3 records: not an object\n"
        "    1 record: a string is not closed\n"
    ) in result.stdout


def test_files_that_no_source_can_read_are_listed(shell: Shell) -> None:
    shell.archive.report = a_report(unrecognised=(Path("/h/notes.txt"),))

    result = shell.run("sync")

    assert (
        "Passed over 1 file not recognised as a history:\n  /h/notes.txt\n"
    ) in result.stdout


def test_a_report_is_filled_at_word_boundaries(shell: Shell) -> None:
    shell.archive.report = a_troubled_report()
    shell.environ = {"COLUMNS": "24"}

    result = shell.run("sync")

    assert [line for line in result.stdout.splitlines() if len(line) > 24] == []
    assert "  /h/b.jsonl: no\n  permission\n" in result.stdout


def test_of_many_files_ten_are_listed(shell: Shell) -> None:
    shell.archive.report = a_report(
        failed=tuple(
            FailedUnit(
                source="codex", path=Path(f"/h/{number}"), reason="no permission"
            )
            for number in range(13)
        )
    )

    result = shell.run("sync")

    assert result.stdout.count("no permission") == 10
    assert "  and 3 more files: --json lists all\n" in result.stdout


def test_files_that_could_not_be_used_are_enough_for_status_three(shell: Shell) -> None:
    skipped = SkippedRecords(source="codex", path=Path("/h"), reasons={"not JSON": 1})
    shell.archive.report = a_report(skipped=(skipped,))

    assert shell.run("sync", "--json").exit_code == 3


def test_where_there_is_no_history_the_places_are_named(shell: Shell) -> None:
    shell.archive.report = a_report(
        units=0, conversations_new=0, places=(Path("/home/ada/.claude"),), took_s=0.012
    )

    result = shell.run("sync")

    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
Found no history to read.
  looked in /home/ada/.claude
Take in an export, a file or a folder: quoth import PATH
Took 12 ms.
"""
    )


def test_an_interrupted_sync_says_what_was_done_and_how_to_go_on(shell: Shell) -> None:
    shell.archive.report = a_report(interrupted=True)

    result = shell.run("sync")

    assert result.exit_code == 130
    assert result.stdout.startswith("12 new conversations")
    assert result.stderr == "\nquoth: Interrupted. Run it again to go on.\n"


def test_a_report_begins_a_line_after_what_the_terminal_wrote_for_ctrl_c(
    shell: Shell,
) -> None:
    shell.archive.report = a_report(interrupted=True)

    assert shell.run("sync").output.startswith("\n12 new conversations")


def test_an_interruption_elsewhere_has_no_traceback(shell: Shell) -> None:
    shell.archive.report = KeyboardInterrupt()

    result = shell.run("sync")

    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.strip() == "quoth: Interrupted."


def test_a_busy_archive_is_an_error_with_a_hint(shell: Shell) -> None:
    shell.archive.report = ArchiveBusyError(holder="process 7\x1b[2J", waited_s=5)

    result = shell.run("sync")

    assert result.exit_code == 1
    assert result.stderr.endswith("\nTry again when it has finished.\n")
    assert "\x1b" not in result.stderr


def test_json_lists_every_file(shell: Shell) -> None:
    shell.archive.report = a_troubled_report()

    report = json.loads(shell.run("sync", "--json").stdout)

    assert report["skipped"] == [
        {
            "source": "claude_code",
            "path": "/h/a.jsonl",
            "part": "",
            "reasons": {"not JSON": 3},
        }
    ]
    assert report["unavailable"] == ["/mnt/disk"]


def test_without_a_terminal_no_progress_is_shown(shell: Shell) -> None:
    result = shell.run("sync")

    assert shell.asked("sync") == {"paths": [], "progress": None}
    assert result.stderr == ""


def test_progress_is_one_line_that_is_gone_at_the_end() -> None:
    stream, seconds = io.StringIO(), iter([0.0, 0.0, 0.0, 0.05, 2.0, 2.0])
    line = ProgressLine(
        stream, Terminal(width=80), lambda: next(seconds), progress_text
    )

    line.update(progress_at(0))
    line.update(progress_at(1))
    line.update(progress_at(250_000))
    line.clear()

    before, drawn, again, cleared, end = stream.getvalue().split("\r")
    assert before == ""
    assert drawn == "claude_code 0% · 0 bytes of 1.0 MB · 1,200 messages"
    assert again == (
        "claude_code 25% · 250.0 kB of 1.0 MB · 1,200 messages · 6.0 s left"
    )
    assert cleared == " " * len(again)
    assert end == ""


def test_progress_of_newer_rules_is_of_stored_messages() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream, Terminal(width=80), lambda: 0.0, progress_text)

    line.update(Progress(messages=300, messages_total=1200))

    assert stream.getvalue() == "\rnewer secret rules 25% · 1,200 stored messages"


def test_progress_never_wraps() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream, Terminal(width=20), lambda: 0.0, progress_text)

    line.update(progress_at(0, total=0))

    assert stream.getvalue() == "\rclaude_code 100% ·"


def test_a_line_that_was_never_drawn_needs_no_clearing() -> None:
    stream = io.StringIO()

    ProgressLine(stream, Terminal(), lambda: 0.0, progress_text).clear()

    assert stream.getvalue() == ""


def test_of_very_many_reasons_the_first_are_listed_and_the_rest_counted(
    shell: Shell,
) -> None:
    reasons = {f"conversation {number} is no object": 1 for number in range(100, 125)}
    skipped = SkippedRecords(source="chatgpt", path=Path("/h/c"), reasons=reasons)
    shell.archive.report = a_report(skipped=(skipped,))

    said = shell.run("sync").stdout

    assert said.count("is no object") == 10
    assert "15 records: for other reasons, which --json lists" in said
