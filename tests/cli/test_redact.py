"""`quoth redact`, `--redact`, and that no complaint says a secret."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import cast

import pytest
from tests.redaction.secrets_made_here import ISSUED

from quoth.archive import Archive
from quoth.cli._app import app
from quoth.cli._runtime import Runtime
from quoth.errors import NotRecordedError
from quoth.model import Filters
from quoth.redaction import Redactor
from quoth.redaction._rule import Found, Rule

from .fakes import KEY, NOW, Shell, a_hit, a_page, a_shown_message, a_transcript

TOKEN = ISSUED["github_token"][0]
MAIL = "ada" + "@" + "harbor-freight.org"
FLOOR = "A floor, not a promise."


def words_of(text: str) -> str:
    return " ".join(text.split())


def test_secrets_and_names_are_replaced_and_all_else_stays(shell: Shell) -> None:
    text = f"caf\xe9\r\nkey {TOKEN}\r\n\tto {MAIL}\n\n"

    result = shell.run("redact", typed=text)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.decode() == (
        "caf\xe9\r\nkey [REDACTED:github_token]\r\n\tto [REDACTED:email_address]\n\n"
    )


def test_bytes_that_are_no_text_survive(shell: Shell) -> None:
    result = shell.run("redact", typed=b"\xff\xfe\x00 " + TOKEN.encode() + b"\x80")

    assert result.stdout_bytes == b"\xff\xfe\x00 [REDACTED:github_token]\x80"


STEERS = b"\x1b]52;c;ZXZpbA==\x07 a\rb \x9b \xe2\x80\xae\n"


def test_a_pipe_gets_what_steers_a_terminal_as_it_is(shell: Shell) -> None:
    assert shell.run("redact", typed=STEERS).stdout_bytes == STEERS


def test_a_terminal_gets_it_written_out(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = TOKEN.encode() + b" " + STEERS

    shown = shown_on_a_terminal(shell, "redact", typed=typed, patch=monkeypatch)

    assert shown == (
        "[REDACTED:github_token] \\x1b]52;c;ZXZpbA==\\x07 a\\x0db \\x9b \\u{202e}\n"
    )


def test_nothing_in_is_nothing_out(shell: Shell) -> None:
    result = shell.run("redact", typed=b"")

    assert (result.exit_code, result.stdout_bytes) == (0, b"")


def test_only_secrets_are_replaced_on_request(shell: Shell) -> None:
    result = shell.run("redact", "--secrets-only", typed=f"{TOKEN} {MAIL}")

    assert result.stdout == f"[REDACTED:github_token] {MAIL}"
    assert shell.asked("redact") == {"identity": False}


def test_a_report_counts_by_rule_and_prints_no_text(shell: Shell) -> None:
    result = shell.run("redact", "--report", typed=f"word {TOKEN} {TOKEN}x {MAIL}")

    assert result.stdout == (
        "rule           replaced\n"
        "github_token          2\n"
        "email_address         1\n"
        f"{FLOOR}\n"
    )


def test_a_report_of_nothing_promises_nothing(shell: Shell) -> None:
    result = shell.run("redact", "--report", typed="nothing here")

    assert result.stdout == f"Nothing was found to redact. {FLOOR}\n"


@pytest.mark.parametrize(
    ("args", "text"), [([], "[REDACTED:github_token]\ufffd"), (["--report"], None)]
)
def test_the_document_has_the_counts_and_the_text_unless_only_a_report(
    shell: Shell, args: list[str], text: str | None
) -> None:
    result = shell.run("redact", "--json", *args, typed=TOKEN.encode() + b"\xff")

    assert json.loads(result.stdout) == {
        "schema": 1,
        "redacted": {"github_token": 1},
        "text": text,
    }


def test_whoever_types_is_told_that_it_waits(shell: Shell) -> None:
    result = shell.run("redact", typed="a\n", asks=True)

    assert result.stderr == "quoth: Reading what you type. Ctrl-D ends it.\n"
    assert result.stdout == "a\n"


def test_what_is_too_much_work_is_not_printed(shell: Shell) -> None:
    shell.archive.redactor = Redactor(lambda: [a_rule(work=1 << 30)])

    result = shell.run("redact", typed="see canary1 here")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "would take too much work" in words_of(result.stderr)


def test_more_than_can_be_looked_at_whole_is_refused(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quoth.cli.redact._MOST_BYTES", 10)

    fits, refused = (shell.run("redact", typed="x" * size) for size in (10, 11))

    assert (fits.exit_code, fits.stdout) == (0, "x" * 10)
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_the_help_promises_nothing(shell: Shell) -> None:
    said = words_of(shell.run("redact", "--help").stdout)

    assert "a floor, not a promise" in said


def test_a_page_that_leaves_is_redacted_and_says_what_was(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(title=f"Mail {MAIL}", snippet=f"to {MAIL} now", marks=((0, 2),)),
        filters=Filters(within=KEY),
    )

    result = shell.run("search", "x", "--redact")

    assert result.exit_code == 0
    assert MAIL not in result.stdout
    assert "Mail [REDACTED:email_address]" in result.stdout
    assert words_of(result.stderr) == (
        f"quoth: Redacted 3 places: 2 email_address, 1 repository_identity. {FLOOR}"
    )


def test_the_number_of_a_redacted_hit_means_the_real_conversation(
    shell: Shell,
) -> None:
    key = f"codex:{MAIL}".replace("@", "%40")
    shell.archive.page = a_page(a_hit(conversation=key, seq=4))
    shell.run("search", "x", "--redact")

    shell.run("show", "1")

    assert shell.asked("show")["key"] == key


def test_a_transcript_that_leaves_is_redacted(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(
        a_shown_message(text=f"write to {MAIL}"), cwd="/home/adalove/harbor", repo=None
    )

    result = shell.run("show", KEY, "--redact")

    assert "write to [REDACTED:email_address]" in result.stdout
    assert "/home/[REDACTED:linux_home_path]/harbor" in result.stdout
    assert "1 email_address" in result.stderr


def test_what_was_replaced_when_it_was_stored_is_not_counted(shell: Shell) -> None:
    text = f"[REDACTED:jwt_token] and {MAIL}"
    shell.archive.transcript = a_transcript(
        a_shown_message(text=text), cwd=None, repo=None, path=None
    )

    said = words_of(shell.run("show", KEY, "--redact").stderr)

    assert said == f"quoth: Redacted 1 place: 1 email_address. {FLOOR}"


@pytest.mark.parametrize("command", [["search", "x"], ["show", KEY]])
def test_a_document_that_leaves_has_its_own_counts(
    shell: Shell, command: list[str]
) -> None:
    shell.archive.page = a_page(a_hit(text=MAIL, snippet="", marks=()))
    shell.archive.transcript = a_transcript(a_shown_message(text=MAIL))

    stays, leaves = (
        shell.run(*command, "--json", *args) for args in ([], ["--redact"])
    )

    assert (MAIL in stays.stdout, MAIL in leaves.stdout) == (True, False)
    assert json.loads(stays.stdout)["redacted"] is None
    assert json.loads(leaves.stdout)["redacted"]["email_address"] == 1
    assert leaves.stderr == ""


@pytest.mark.parametrize("command", [["search", "x"], ["show", KEY]])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_what_still_holds_something_is_not_printed(
    shell: Shell, command: list[str], form: list[str]
) -> None:
    """The second look finds what only the finished output has, here the source."""
    shell.archive.page = a_page(a_hit(source="canarybird", title="x"))
    shell.archive.transcript = a_transcript(source="canarybird")
    rule = a_rule(key="canarybird")
    shell.archive.redactor = Redactor(lambda: [rule])
    shell.archive.leaving = lambda value: (value, {})  # type: ignore[method-assign]

    result = shell.run(*command, "--redact", *form)

    assert (result.exit_code, result.stdout) == (1, "")
    assert words_of(result.stderr).startswith(
        "quoth: Nothing was printed: the finished output still holds what the rule"
        " canary finds."
    )


@pytest.mark.parametrize("args", [["show", KEY], ["search", "x"], ["status"]])
def test_a_complaint_says_no_secret(shell: Shell, args: list[str]) -> None:
    error = NotRecordedError(f"Nothing at /srv/{TOKEN}/x.", hint=f"See {TOKEN}.")
    shell.archive.page = shell.archive.transcript = error
    shell.environ["QUOTH_HOME"] = str(shell.home)

    result = shell.run(*args, *([] if args != ["status"] else [f"--{TOKEN}"]))

    assert result.exit_code in {1, 2}
    assert TOKEN not in result.stderr
    assert "[REDACTED:github_token]" in result.stderr


def shown_on_a_terminal(
    shell: Shell, *args: str, typed: bytes, patch: pytest.MonkeyPatch
) -> str:
    """Return what quoth writes to a terminal that is one."""
    runtime = Runtime(
        environ={"QUOTH_HOME": str(shell.home), "TERM": "dumb"},
        home_dir=shell.home.parent,
        now=lambda: NOW,
        open_archive=lambda _: cast(Archive, shell.archive),
        program=lambda: "quoth",
    )
    ours, its = os.openpty()
    with os.fdopen(its, "w", encoding="utf-8") as terminal, patch.context() as streams:
        streams.setattr(sys, "stdout", terminal)
        streams.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        with pytest.raises(SystemExit):
            app.main(list(args), obj=runtime)
        terminal.flush()
        written = os.read(ours, 4096)
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def a_rule(*, key: str = "canary1", work: int = 1) -> Rule:
    """Return a rule that finds a word, at whatever price."""

    def find(_: str, start: int) -> Found:
        return Found(start, start + len(key), work)

    return Rule(name="canary", keys=(key,), find=find)
