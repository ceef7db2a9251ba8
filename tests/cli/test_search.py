"""What `quoth search` asks of the archive, and how it prints a page."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from tests.literals import LITERALS

from quoth.model import (
    Count,
    DateRead,
    EmptyReason,
    Filters,
    FoundIn,
    Freshness,
    Include,
    Kind,
    Mode,
    Reason,
    Role,
    SearchUnit,
    Withheld,
)

from .fakes import KEY, NOW, Shell, a_citation, a_hit, a_page


def test_several_arguments_are_one_question(shell: Shell) -> None:
    shell.run("search", "vesting", "schedule")

    assert shell.asked("search") == {
        "question": "vesting schedule",
        "mode": Mode.BOTH,
        "unit": SearchUnit.CONVERSATION,
        "limit": 10,
        "offset": 0,
        "filters": Filters(),
        "read_dates": True,
        "asked_at": NOW,
        "explain": False,
    }


@pytest.mark.parametrize("literal", LITERALS)
def test_text_is_never_taken_for_syntax(shell: Shell, literal: str) -> None:
    shell.run("search", literal)

    assert shell.asked("search")["question"] == literal


def test_after_two_dashes_everything_is_the_question(shell: Shell) -> None:
    shell.run("search", "--", "--error-on-warnings", "--json")

    assert shell.asked("search")["question"] == "--error-on-warnings --json"


@pytest.mark.parametrize(
    "question", ["several words", "--error-on warnings", "a\u3000b", "show me"]
)
def test_one_argument_of_several_words_is_a_question(
    shell: Shell, question: str
) -> None:
    shell.run(question)

    assert shell.asked("search")["question"] == question


def test_a_question_of_several_words_may_follow_two_dashes(shell: Shell) -> None:
    shell.run("--", "several words")

    assert shell.asked("search")["question"] == "several words"


@pytest.mark.parametrize("args", [["search"], ["search", ""], ["search", " "], [" \t"]])
def test_without_a_question_there_is_a_usage_message(
    shell: Shell, args: list[str]
) -> None:
    result = shell.run(*args)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "quoth: There is no question to search for.\nUsage:"
    )


def test_bytes_the_terminal_could_not_decode_are_replaced(shell: Shell) -> None:
    shell.run("search", "caf\udce9 au lait")

    assert shell.asked("search")["question"] == "caf\ufffd au lait"


def test_every_option_reaches_the_archive(shell: Shell) -> None:
    shell.run(
        *("search", "x", "-n", "3", "--offset", "6", "--unit", "message"),
        *("--mode", "words", "--source", "codex", "--repo", "harbor"),
        *("--role", "user", "--since", "2026-05-01", "--until", "2026-05-01"),
        *("--within", KEY, "--exclude", "a:1", "--exclude", "a:2"),
        *("--include", "subagents", "--include", "superseded"),
        *("--include", "echoes"),
        *("--not", "a b", "--not", "c", "--any-time", "--explain"),
    )

    assert shell.asked("search") == {
        "question": "x",
        "mode": Mode.WORDS,
        "unit": SearchUnit.MESSAGE,
        "limit": 3,
        "offset": 6,
        "filters": Filters(
            within=KEY,
            exclude=("a:1", "a:2"),
            source="codex",
            repo="harbor",
            role=Role.USER,
            since=datetime(2026, 5, 1, tzinfo=UTC),
            until=datetime(2026, 5, 2, tzinfo=UTC),
            without=("a b", "c"),
            include=frozenset(Include),
        ),
        "read_dates": False,
        "asked_at": NOW,
        "explain": True,
    }


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--limit", "0"], "0 is less than 1."),
        (["--limit", "many"], "'many' is no whole number."),
        (["--since", "soon"], "'soon' is neither a day"),
        (["--since", "99999d"], None),
        (["--mode", "magic"], "'magic' is not one of"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(
    shell: Shell, args: list[str], complaint: str | None
) -> None:
    result = shell.run("search", "x", *args)

    assert result.exit_code == (2 if complaint else 0)
    assert (complaint or "") in result.stderr


def test_a_range_that_holds_nothing_is_refused(shell: Shell) -> None:
    result = shell.run("search", "x", "--since", "today", "--until", "7d")

    assert result.exit_code == 2
    assert result.stderr.startswith("quoth: The range is empty")


def test_a_short_sync_comes_before_the_search(shell: Shell) -> None:
    shell.run("search", "x")

    names = [name for name, _ in shell.archive.asked]
    assert names == ["open", "refresh", "search", "close"]
    assert shell.asked("refresh") == {"budget_s": 0.3}


def test_no_sync_searches_at_once(shell: Shell) -> None:
    shell.run("search", "x", "--no-sync")

    assert [name for name, _ in shell.archive.asked] == ["open", "search", "close"]


def test_a_setting_turns_the_short_sync_off(shell: Shell) -> None:
    (shell.home / "config.toml").write_text("sync_before_search = false\n")

    shell.run("search", "x")

    assert [name for name, _ in shell.archive.asked] == ["open", "search", "close"]


def test_a_hit_is_printed_with_all_a_person_needs(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(others=3, also_in=("a:1", "a:2"), kind=Kind.SUBAGENT, superseded=True),
        a_hit(title=None, source_gone=True, matched_by=("meaning",), at=None),
        all_words=Count(conversations=1, messages=1),
        some_words=Count(conversations=1, messages=1),
        by_meaning_only=1,
    )

    result = shell.run("search", "vesting", "schedule")

    assert (
        result.stdout
        == f"""\
1. Moving the vesting cliff
   claude_code · harbor · 2026-05-01 · claude-test-1
   assistant, 3 days ago: the vesting schedule starts at signing
   +3 more in this conversation · also in 2 other conversations · (subagent) ·
   (superseded)
   {a_citation()}

2. So the vesting schedule starts at signing, not at payroll.
   claude_code · harbor · 2026-05-01 · claude-test-1
   assistant: the vesting schedule starts at signing
   by meaning · (source gone)
   {a_citation()}

2 shown: 1 by words (of 1), 1 by meaning only; 1 message matches some words, 1
all words; 5,210 messages in 311 conversations recorded.
34 ms
"""
    )


def test_what_is_missing_and_why_is_said_below_the_hits(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(),
        question="what about vesting?",
        terms=("vesting",),
        filters=Filters(
            repo="harbor", exclude=("a:1",), since=datetime(2026, 5, 1, tzinfo=UTC)
        ),
        withheld=(
            Withheld(reason="superseded", messages=4, hint="--include superseded"),
        ),
        freshness=Freshness(changed_files=2, oldest_change_s=90.0, complete=False),
        notices=("A notice.",),
        next_offset=10,
    )

    result = shell.run("search", "what", "about", "vesting?")

    assert (
        result.stdout.partition("\n\n")[2]
        == """\
1 of 42 conversations (131 messages match, 12 in full); 5,210 messages in 311
conversations recorded.
Searched for: vesting. Only repo harbor, from 2026-05-01, without a:1.
4 superseded messages withheld (--include superseded).
at least 2 files changed since the last sync, the oldest 1 min 30 s ago: quoth
sync
A notice.
34 ms; next page: --offset 10
"""
    )


def test_a_count_that_was_cut_short_is_a_lower_bound(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(), some_words=Count(conversations=42, messages=131, exact=False)
    )

    result = shell.run("search", "x")

    assert "1 of at least 42 conversations (at least 131 messages match" in (
        " ".join(result.stdout.split())
    )


def test_one_word_is_neither_some_nor_all_of_them(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(), terms=("vesting",), all_words=Count(conversations=42, messages=131)
    )

    result = shell.run("search", "vesting")

    assert "\n1 of 42 conversations (131 messages match); 5,210" in result.stdout


def test_words_and_meaning_are_counted_apart(shell: Shell) -> None:
    shell.archive.page = a_page(
        *(a_hit(), a_hit()),
        some_words=Count(conversations=24, messages=131, exact=False),
        by_meaning_only=1,
    )

    result = shell.run("search", "x")

    assert "\n2 shown: 1 by words (of at least 24), 1 by meaning only; at least" in (
        result.stdout
    )


@pytest.mark.parametrize(
    ("question", "terms", "searched"),
    [
        ("RAM usage", ("RAM", "usage"), ""),
        ("the  RAM", ("RAM",), "Searched for: RAM."),
        ('"dead letter"', ("dead letter",), ""),
        (
            'what "dead letter" queue',
            ("queue", "dead letter"),
            'Searched for: queue, "dead letter".',
        ),
        (
            '"dead letter" a 3" disk',
            ("3", "disk", "dead letter"),
            'Searched for: 3, disk, "dead letter".',
        ),
    ],
)
def test_what_was_searched_for_is_said_where_it_is_not_obvious(
    shell: Shell, question: str, terms: tuple[str, ...], searched: str
) -> None:
    shell.archive.page = a_page(a_hit(), question=question, terms=terms)

    foot = shell.run("search", question).stdout.rpartition("recorded.\n")[2]

    assert foot == (f"{searched}\n34 ms\n" if searched else "34 ms\n")


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        ({}, "Leave the quotes off, or use other words."),
        (
            {"filters": Filters(source="codex")},
            "Leave a filter or the quotes off, or use other words.",
        ),
        ({"mode": Mode.MEANING}, "Use fewer or other words."),
    ],
)
def test_where_a_phrase_finds_nothing_the_quotes_may_be_why(
    shell: Shell, changes: dict[str, object], advice: str
) -> None:
    shell.archive.page = a_page(
        question='"vesting cliff"',
        terms=("vesting cliff",),
        empty_reason=EmptyReason.NO_MATCH,
        **changes,
    )

    result = shell.run("search", '"vesting cliff"')

    assert advice in " ".join(result.stdout.split())


def test_hits_by_meaning_alone_are_not_called_matches(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(), all_words=Count(), some_words=Count(), by_meaning_only=1
    )

    result = shell.run("search", "x")

    assert "\n1 conversation by meaning only;" in result.stdout


def test_messages_are_counted_when_a_hit_is_a_message(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(), unit=SearchUnit.MESSAGE)

    result = shell.run("search", "x", "--unit", "message")

    assert "\n1 of 131 messages (131 messages match some words" in result.stdout


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        (
            {"empty_reason": EmptyReason.NO_TERMS},
            "There is nothing to search for: the question has no searchable word. "
            "Ask with a word that was said.",
        ),
        (
            {"empty_reason": EmptyReason.NO_MATCH},
            "Nothing matches among 5,210 messages in 311 conversations. "
            "Use fewer or other words.",
        ),
        (
            {"empty_reason": EmptyReason.NO_MATCH, "mode": Mode.WORDS},
            "Nothing matches among 5,210 messages in 311 conversations. "
            "Use fewer or other words, or --mode both to find by meaning too.",
        ),
        (
            {"empty_reason": EmptyReason.NO_MATCH, "filters": Filters(source="codex")},
            "Nothing matches among 5,210 messages in 311 conversations. "
            "Leave a filter off, or use other words. Only source codex.",
        ),
        (
            {"empty_reason": EmptyReason.NOTHING_RECORDED},
            "Nothing is recorded yet. "
            "Read the histories on this machine with: quoth sync",
        ),
        (
            {
                "empty_reason": EmptyReason.NOTHING_RECORDED,
                "filters": Filters(source="codex"),
            },
            "Nothing is recorded in this scope. Leave a filter off, or see what "
            "there is with: quoth status Only source codex.",
        ),
        ({}, "There are no more hits. Start again without --offset."),
    ],
)
def test_an_empty_answer_says_why_and_what_to_do(
    shell: Shell, changes: dict[str, object], answer: str
) -> None:
    shell.archive.page = a_page(**changes)

    result = shell.run("search", "vesting", "schedule")

    assert result.exit_code == 0
    assert " ".join(result.stdout.split()) == f"{answer} 34 ms"


def test_matches_stand_out_where_colour_is_taken(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit())
    shell.environ = {"FORCE_COLOR": "1"}

    result = shell.run("search", "x")

    assert "the \x1b[1;4mvesting\x1b[0m \x1b[1;4mschedule\x1b[0m starts" in (
        result.stdout
    )


def test_white_space_around_marks_is_one_space(shell: Shell) -> None:
    snippet = " the\r\n vesting \t schedule "
    shell.archive.page = a_page(a_hit(snippet=snippet, marks=((6, 15), (16, 26))))

    assert ": the vesting schedule\n" in shell.run("search", "x").stdout


def test_marks_that_make_no_sense_are_left_out(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(marks=((4, 11), (6, 20), (30, 900))))
    shell.environ = {"FORCE_COLOR": "1"}

    result = shell.run("search", "x")

    assert "the \x1b[1;4mvesting\x1b[0m schedule starts at signing" in result.stdout


def test_a_transcript_cannot_steer_the_terminal(shell: Shell) -> None:
    evil = "a\x1b[2J\x1b]0;title\x07b\x00c\r\nd"
    shell.archive.page = a_page(
        a_hit(title=evil, snippet=evil, repo=evil, source=evil, model=evil, marks=()),
        a_hit(title=None, text=evil, snippet=evil, marks=((0, 3), (5, 9))),
        notices=(evil,),
    )

    result = shell.run("search", "x")

    assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", result.stdout) == []


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_no_line_but_a_citation_is_wider_than_the_terminal(
    shell: Shell, columns: int
) -> None:
    words = "the vesting schedule, 潮汐表在哪里。https://example.com/" + "x" * 300
    shell.archive.page = a_page(a_hit(title=words, snippet=words, others=2))
    shell.environ = {"COLUMNS": str(columns)}

    lines = shell.run("search", "x").stdout.splitlines()

    too_wide = [line for line in lines if len(line) > columns and KEY not in line]
    assert too_wide == []


def test_json_is_one_document_in_ascii(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(title="潮汐表 \x1b[2J"))

    result = shell.run("search", "x", "--json")

    assert result.stdout.isascii()
    assert result.stdout.endswith("}\n")
    assert json.loads(result.stdout)["hits"][0]["title"] == "潮汐表 \x1b[2J"


@pytest.mark.parametrize("charset", ["cp1252", "ascii", "utf-8"])
def test_no_encoding_makes_printing_fail(shell: Shell, charset: str) -> None:
    shell.archive.page = a_page(a_hit(title="潮汐表 \U0001f600 é"))

    result = shell.run("search", "x", charset=charset)

    assert result.exit_code == 0
    assert a_citation() in result.stdout


def test_near_days_are_told_by_how_near_they_are(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(at=NOW),
        a_hit(at=datetime(2026, 5, 11, 23, 59, tzinfo=UTC)),
        a_hit(at=datetime(2026, 4, 1, tzinfo=UTC)),
        a_hit(at=datetime(2026, 5, 13, tzinfo=UTC)),
    )

    result = shell.run("search", "x")

    assert re.findall(r"assistant, ([^:]+(?::\d\d)?):", result.stdout) == [
        "today 14:30",
        "yesterday 23:59",
        "2026-04-01",
        "2026-05-13",
    ]


def test_what_is_from_a_tool_is_not_put_in_a_mouth(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(found_in=FoundIn.TOOL_INPUT, at=None, snippet="rm -rf build", marks=())
    )

    result = shell.run("search", "x")

    assert "\n   tool input: rm -rf build\n" in result.stdout


def test_weak_hits_stand_below_a_line_and_are_marked(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(weak=True), a_hit(), a_hit(weak=True))

    printed = shell.run("search", "x").stdout

    above, _, below = printed.partition("Below this line, matches are weak")
    assert (above.count("\n   weak"), below.count("\n   weak")) == (1, 1)


def test_where_all_hits_are_weak_that_is_said_first(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(weak=True))

    assert shell.run("search", "x").stdout.startswith("No good match: what follows")


def test_where_only_a_weak_meaning_is_near_no_word_is_there(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(weak=True), some_words=Count(), all_words=Count())

    assert shell.run("search", "x").stdout.startswith("Nothing holds these words;")


def test_an_explanation_says_what_a_score_is_the_sum_of(shell: Shell) -> None:
    part = Reason(feature="in_order", value=0.5, weight=1.5)
    shell.archive.page = a_page(
        a_hit(score=0.75, ranks=(("words", 2), ("meaning", 1)), made_of=(part,))
    )

    printed = shell.run("search", "x", "--explain").stdout

    said = "Score 0.75: number 2 by words and number 1 by meaning. in order +0.75"
    assert said in re.sub(r"\s+", " ", printed)


def test_a_page_says_what_a_time_in_the_question_was_taken_for(shell: Shell) -> None:
    shell.archive.page = a_page(
        a_hit(),
        dates=(
            DateRead(
                text="last week",
                since=datetime(2026, 5, 4, tzinfo=UTC),
                until=datetime(2026, 5, 11, tzinfo=UTC),
            ),
            DateRead(text="three sessions ago", sessions_ago=3),
        ),
        from_then=4,
    )

    printed = re.sub(r"\s+", " ", shell.run("search", "x").stdout)

    assert "\u201clast week\u201d: from 2026-05-04 through 2026-05-10." in printed
    assert "\u201cthree sessions ago\u201d: the last conversation but 2." in printed
    assert "4 messages from then come first (--any-time" in printed


def test_a_page_says_what_was_left_out(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit(), filters=Filters(without=("rm -rf", "b")))

    printed = re.sub(r"\s+", " ", shell.run("search", "x").stdout)

    assert "Nothing with \u201crm -rf\u201d. Nothing with \u201cb\u201d." in printed
