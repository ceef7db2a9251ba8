"""What `quoth show` asks of the archive, and how it prints a conversation."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from quoth.errors import NotRecordedError
from quoth.model import Include, Kind, Role

from .fakes import (
    KEY,
    NOW,
    Shell,
    a_call,
    a_citation,
    a_hit,
    a_page,
    a_shown_message,
    a_transcript,
)


@pytest.mark.parametrize(
    ("args", "seq", "around"),
    [
        ([KEY], None, None),
        ([f"{KEY}#12"], 12, 5),
        ([f"{KEY}#12", "--around", "0"], 12, 0),
        ([a_citation(12)], 12, 5),
    ],
)
def test_a_key_is_shown_whole_and_a_message_with_what_is_around_it(
    shell: Shell, args: list[str], seq: int | None, around: int | None
) -> None:
    shell.run("show", *args)

    assert shell.asked("show") == {
        "key": KEY,
        "seq": seq,
        "around": around,
        "include": frozenset(),
    }


def test_superseded_messages_are_shown_on_request(shell: Shell) -> None:
    shell.run("show", KEY, "--include", "superseded")

    assert shell.asked("show")["include"] == frozenset({Include.SUPERSEDED})


def test_a_number_is_a_hit_of_the_last_page(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(), a_hit(conversation="codex:7", seq=4))
    shell.run("search", "x")

    shell.run("show", "2")

    assert shell.asked("show") == {
        "key": "codex:7",
        "seq": 4,
        "around": 5,
        "include": frozenset(),
    }


def test_hits_of_a_later_page_keep_the_numbers_they_were_shown_with(
    shell: Shell,
) -> None:
    shell.archive.page = a_page(a_hit(conversation="codex:7"))
    page = shell.run("search", "x", "--offset", "10").stdout

    shell.run("show", "11")

    assert page.startswith("11. ")
    assert shell.asked("show")["key"] == "codex:7"


@pytest.mark.parametrize(
    ("hits", "hint"), [((a_hit(),), "It has only 1."), ((), "It has none.")]
)
def test_a_number_the_last_page_lacks_is_refused(
    shell: Shell, hits: tuple[object, ...], hint: str
) -> None:
    shell.archive.page = a_page(*hits)  # type: ignore[arg-type] # hits, by parameter
    shell.run("search", "x")

    result = shell.run("show", "3")

    assert result.exit_code == 1
    assert result.stderr == (
        f"quoth: The last page of this terminal has no hit 3.\n{hint}\n"
    )


def test_a_number_without_a_page_is_refused(shell: Shell) -> None:
    result = shell.run("show", "3")

    assert result.exit_code == 1
    assert result.stderr.startswith("quoth: This terminal has no page of hits")


def test_what_is_no_key_is_refused(shell: Shell) -> None:
    result = shell.run("show", "two words", "--json")

    assert (result.exit_code, result.stdout) == (2, "")


def test_around_needs_a_message(shell: Shell) -> None:
    result = shell.run("show", KEY, "--around", "3")

    assert result.exit_code == 2
    assert result.stderr == (
        "quoth: --around needs a message to be around.\nName one: KEY#SEQ.\n"
    )


def test_a_key_that_is_not_recorded_is_an_error(shell: Shell) -> None:
    shell.archive.transcript = NotRecordedError("Nothing has that key.")

    result = shell.run("show", KEY)

    assert (result.exit_code, result.stderr) == (1, "quoth: Nothing has that key.\n")


def test_a_part_is_printed_with_the_message_that_was_named(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(
        a_shown_message(11, role=Role.USER, model=None),
        a_shown_message(12, text="def f():\n    return 1\n", calls=(a_call(),)),
        messages_total=120,
        superseded_total=3,
    )

    result = shell.run("show", f"{KEY}#12")

    assert (
        result.stdout
        == f"""\
Moving the vesting cliff
claude_code · git@example.com:ada/harbor.git · main · claude-test-1 · 2026-05-09
10:00 to 10:42
{KEY}
/home/ada/.claude/projects/harbor/112.jsonl

#11 user · 2026-05-09 10:03
Message 11.

> #12 assistant · 2026-05-09 10:03 · claude-test-1
{a_citation(12)}
def f():
    return 1
  $ pytest -q
    write src/vesting.py
    1 failed
    (exit 1)

2 of 120 messages. The whole conversation:
  quoth show {KEY}
3 superseded messages withheld (--include superseded).
"""
    )


def test_a_whole_conversation_has_no_foot(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(
        a_shown_message(1, text="That is all."), title=None, ended_at=None
    )

    result = shell.run("show", KEY)

    assert result.stdout.startswith("(no title)\n")
    assert result.stdout.endswith(
        "\n\n#1 assistant · 2026-05-09 10:03 · claude-test-1\nThat is all.\n"
    )


def test_a_message_without_words_says_so(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(a_shown_message(1, text=""))

    result = shell.run("show", KEY)

    assert result.stdout.endswith(
        "claude-test-1\n(no words: thinking, or nothing that is kept)\n"
    )


def test_relatives_and_a_gone_source_are_named(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(
        a_shown_message(1, superseded=True, at=None),
        kind=Kind.SUBAGENT,
        parent="a:parent",
        subagents=tuple(f"a:{number}" for number in range(7)),
        path=None,
        models=(),
        started_at=None,
        source_gone_at=NOW,
        messages_total=0,
        superseded_total=1,
    )

    result = shell.run("show", KEY)

    assert (
        result.stdout
        == f"""\
Moving the vesting cliff
claude_code · subagent · git@example.com:ada/harbor.git · main
{KEY}
part of a:parent
subagent a:0
subagent a:1
subagent a:2
subagent a:3
subagent a:4
and 2 more subagents
Its source is gone since 2026-05-12: this is the archive's copy.

#1 assistant · no date · claude-test-1 · (superseded)
Message 1.
"""
    )


def test_what_a_fork_or_a_copy_came_from_is_named(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(
        kind=Kind.FORK, parent="a:parent", copy_of="b:original"
    )

    result = shell.run("show", KEY)

    assert "\nforked from a:parent\nwritten out from b:original\n" in result.stdout


def test_a_conversation_over_two_days_shows_both(shell: Shell) -> None:
    ended = datetime(2026, 5, 11, 8, 0, tzinfo=UTC)
    shell.archive.transcript = a_transcript(ended_at=ended, repo=None, models=())

    result = shell.run("show", KEY)

    assert "/home/ada/harbor · main · 2026-05-09 10:00 to 2026-05-11 08:00" in (
        result.stdout
    )


def test_long_output_is_cut_and_says_so(shell: Shell) -> None:
    output = "\n".join(f"line {number}" for number in range(1, 21))
    call = a_call(command=None, output=output, exit_code=None, touches=())
    shell.archive.transcript = a_transcript(a_shown_message(1, calls=(call,)))

    lines = shell.run("show", KEY).stdout.splitlines()

    assert lines[-4:] == [
        "    line 11",
        "    line 12",
        "    (8 more lines: --json has what is kept)",
        "    (error)",
    ]
    assert '  Bash {"command": "pytest -q"}' in lines


def test_a_call_that_left_no_result_is_named(shell: Shell) -> None:
    call = a_call(output=None, exit_code=None, is_error=None, touches=())
    shell.archive.transcript = a_transcript(a_shown_message(1, calls=(call,)))

    assert shell.run("show", KEY).stdout.endswith("\nMessage 1.\n  $ pytest -q\n")


def test_lines_of_another_system_are_lines(shell: Shell) -> None:
    call = a_call(output="one\r\n\ttwo\r", exit_code=None, is_error=None, touches=())
    shell.archive.transcript = a_transcript(
        a_shown_message(1, text="first\r\nsecond\r\n", calls=(call,))
    )

    assert shell.run("show", KEY).stdout.endswith(
        "\nfirst\nsecond\n  $ pytest -q\n    one\n        two\n"
    )


def test_a_transcript_cannot_steer_the_terminal(shell: Shell) -> None:
    evil = "a\x1b[2J\x1b]0;title\x07b\x00c\r\nd"
    call = a_call(command=evil, output=evil)
    shell.archive.transcript = a_transcript(
        a_shown_message(1, text=evil, model=evil, calls=(call,)),
        title=evil,
        branch=evil,
        models=(evil,),
    )

    result = shell.run("show", KEY)

    assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", result.stdout) == []


def test_the_command_to_paste_is_quoted(shell: Shell) -> None:
    """An id is the name of a file or worse, and could run something in a shell."""
    shell.archive.transcript = a_transcript(key="a:$(reboot)", messages_total=1)

    result = shell.run("show", KEY)

    assert "quoth show 'a:$(reboot)'" in result.stdout


def test_json_has_what_text_leaves_out(shell: Shell) -> None:
    shell.archive.transcript = a_transcript(a_shown_message(1, calls=(a_call(),)))

    result = shell.run("show", KEY, "--json")

    message = json.loads(result.stdout)["messages"][0]
    assert message["calls"][0]["touches"] == [
        {"path": "src/vesting.py", "action": "write"}
    ]
    assert message["citation"] == a_citation(1)
