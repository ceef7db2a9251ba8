"""Files that do not only grow: what is live is what a fresh archive would hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    codex_file,
    dump,
    found,
    plain_file,
    put,
    rows,
    synced,
    texts,
)
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth import Archive
from quoth.model import Outcome

FIRST = claude.said("u1", "root of the tree")
REPLY = claude.answered("u2", "reply one", parentUuid="u1")
SECOND = claude.said("u3", "second prompt", parentUuid="u2")
LAST = claude.answered("u4", "reply two", parentUuid="u3")

STAGES = {
    "as it began": claude.lines(FIRST, REPLY, SECOND, LAST),
    "one record taken out of the middle, two added": claude.lines(
        FIRST,
        SECOND,
        LAST,
        claude.said("u5", "added one " + "x" * 800, parentUuid="u4"),
        claude.said("u6", "added two", parentUuid="u5"),
    ),
    "cut off, and grown past its old size": claude.lines(
        FIRST,
        *(
            claude.said(f"v{n}", f"regrown {n} " + "y" * 600, parentUuid=f"v{n - 1}")
            for n in range(5)
        ),
    ),
    "taken up again from an old node": claude.lines(
        FIRST,
        REPLY,
        SECOND,
        LAST,
        claude.said("u7", "another second prompt", parentUuid="u1"),
    ),
    "a record whose parent is not there": claude.lines(
        FIRST, REPLY, SECOND, LAST, claude.said("u8", "orphan", parentUuid="nobody")
    ),
    "the same ids saying something else": claude.lines(
        FIRST, {**REPLY, **claude.answered("u2", "reply one, edited")}, SECOND, LAST
    ),
    "empty": b"",
}


def fresh_texts(folder: Path, content: bytes) -> list[str]:
    """Return what an archive shows that never knew another version of the file."""
    if not content:
        return []
    put(claude_file(folder), content)
    with synced(folder) as archive:
        return texts(archive)


def live_rows(found_rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Return a dump without tokens spent: they stay spent when a line is removed."""
    return [row for row in found_rows if row[0] not in ("usage", "conversation")]


@pytest.mark.parametrize("order", ["forwards", "backwards"])
def test_after_every_stage_what_is_live_is_what_a_fresh_archive_holds(
    tmp_path: Path, order: str
) -> None:
    stages = [*STAGES.values()]
    archive = an_archive(tmp_path)
    lived, expected = [], []

    for number, content in enumerate(stages if order == "forwards" else stages[::-1]):
        put(claude_file(tmp_path), content)
        archive.sync()
        known = rows(archive_in(tmp_path), "SELECT 1 FROM conversation")
        lived.append(texts(archive) if known else [])
        expected.append(fresh_texts(tmp_path / f"fresh{number}", content))

    assert lived == expected
    assert_consistent(archive_in(tmp_path))


def test_every_table_is_as_if_the_older_version_had_never_been(tmp_path: Path) -> None:
    path = claude_file(tmp_path)
    archive = an_archive(tmp_path)
    for content in STAGES.values():
        put(path, content)
        archive.sync()

    put(path, STAGES["as it began"])
    archive.sync()

    again = live_rows(dump(archive_in(tmp_path)))
    synced(tmp_path, home=tmp_path / "fresh").close()
    assert again == live_rows(dump(tmp_path / "fresh"))


def test_what_was_dropped_is_kept_and_can_be_shown(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    for content in STAGES.values():
        put(claude_file(tmp_path), content)
        archive.sync()

    kept = texts(archive, everything=True)

    said = {text.split(" x")[0].split(" y")[0] for text in kept}
    assert said == {
        "root of the tree",
        "reply one",
        "reply one, edited",
        "second prompt",
        "reply two",
        "added one",
        "added two",
        *(f"regrown {n}" for n in range(5)),
        "another second prompt",
        "orphan",
    }


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    numbered: dict[str, set[int]] = {}
    for content in [*STAGES.values(), *STAGES.values()]:
        put(claude_file(tmp_path), content)
        archive.sync()
        for seq, text in rows(
            archive_in(tmp_path),
            "SELECT seq, text FROM member JOIN body ON body.id = message",
        ):
            numbered.setdefault(text, set()).add(seq)

    assert {len(numbers) for numbers in numbered.values()} == {1}
    assert len(set().union(*numbered.values())) == len(numbered)


def test_a_change_that_size_and_mtime_hide_is_seen(tmp_path: Path) -> None:
    path = claude_file(tmp_path)
    fixed = (1_777_629_600, 1_777_629_600)
    steps: list[list[str]] = []

    def step(content: bytes, times: tuple[int, int]) -> None:
        put(path, content)
        os.utime(path, times)
        archive.sync()
        steps.append(found(archive, "marlinspike"))

    old = claude.lines(claude.said("a1", "aaaa marlinspike"))
    new = claude.lines(claude.said("b1", "bbbb marlinspike"))
    more = claude.lines(claude.said("b2", "cccc marlinspike"))
    archive = an_archive(tmp_path)
    step(old, fixed)
    step(new, fixed)
    step(new + more, fixed)
    step(old, (1_700_000_000, 1_700_000_000))

    assert steps == [
        ["aaaa marlinspike"],
        ["bbbb marlinspike"],
        ["bbbb marlinspike", "cccc marlinspike"],
        ["aaaa marlinspike"],
    ]


def test_a_change_under_the_same_stamp_is_seen_right_after_the_first(
    tmp_path: Path,
) -> None:
    """With the real clock: a file that has just changed is looked at once more."""
    path = put(claude_file(tmp_path), claude.lines(claude.said("a1", "aaaa knot")))
    archive = Archive(
        archive_in(tmp_path), roots={"claude_code": [tmp_path / "projects"]}
    )
    archive.sync()

    put(path, claude.lines(claude.said("a1", "bbbb knot")))
    archive.sync()

    assert texts(archive) == ["bbbb knot"]


def test_a_file_that_was_only_touched_changes_nothing(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    archive = synced(tmp_path)
    before = dump(archive_in(tmp_path))
    os.utime(path, (1_700_000_000, 1_700_000_000))

    report = archive.sync()

    assert (report.units_read, report.messages_new, report.messages_superseded) == (
        1,
        0,
        0,
    )
    assert dump(archive_in(tmp_path)) == before


def test_a_line_that_is_still_being_written_is_used_once_it_is_whole(
    tmp_path: Path,
) -> None:
    path = claude_file(tmp_path)
    one, two, three = (
        claude.lines(record)
        for record in (
            claude.said("h1", "first half-hitch"),
            claude.answered("h2", "second half-hitch"),
            claude.said("h3", "third half-hitch"),
        )
    )
    archive = an_archive(tmp_path)
    counts = []
    for content in (
        one + two[:30],
        one + two,
        one + two + three[:-1],
        one + two + three,
    ):
        put(path, content)
        archive.sync()
        counts.append(len(texts(archive)))

    assert counts == [1, 2, 3, 3]


def test_an_edited_message_can_be_found_by_its_new_words_alone(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("cleatword one", "cleatword two"))
    archive = synced(tmp_path)

    put(path, a_transcript("changed one", "cleatword two"))
    archive.sync()

    assert (found(archive, "cleatword"), found(archive, "changed")) == (
        ["cleatword two"],
        ["changed one"],
    )
    assert_consistent(archive_in(tmp_path))


def test_a_superseded_message_is_found_on_request_only(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("cleatword one", "cleatword two"))
    archive = synced(tmp_path)
    put(path, a_transcript("changed one", "cleatword two"))
    archive.sync()

    messages = archive.show(KEY).messages_total, archive.show(KEY).superseded_total

    assert messages == (2, 1)
    assert texts(archive, everything=True) == [
        "cleatword one",
        "changed one",
        "cleatword two",
    ]


# Tools


def a_call(command: str, output: str, *, edited: str = "") -> bytes:
    return claude.lines(
        claude.answered("t1", edited, claude.tool_use("Bash", command=command)),
        claude.returned("t2", output, is_error=True),
    )


def answers(archive: Archive) -> list[tuple[str | None, int | None]]:
    return [
        (call.output, call.exit_code)
        for message in archive.show(KEY).messages
        for call in message.calls
    ]


def test_a_rewritten_call_keeps_the_answer_that_was_not_rewritten(
    tmp_path: Path,
) -> None:
    """So it is when a later quoth reads the same call in another way."""
    path = put(claude_file(tmp_path), a_call("make", "Exit code 2\nno rule"))
    archive = synced(tmp_path)

    put(path, a_call("make", "Exit code 2\nno rule", edited="I run it."))
    archive.sync()

    assert answers(archive) == [("Exit code 2\nno rule", 2)]


def test_a_restored_file_brings_back_what_its_tools_answered(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_call("make", "Exit code 2\nno rule"))
    archive = synced(tmp_path)
    put(path, a_call("make", "Exit code 1\nno target"))
    archive.sync()

    put(path, a_call("make", "Exit code 2\nno rule"))
    archive.sync()

    assert answers(archive) == [("Exit code 2\nno rule", 2)]


def test_an_answer_whose_call_is_missing_is_kept_once(tmp_path: Path) -> None:
    path = claude_file(tmp_path)
    archive = an_archive(tmp_path)
    for content in (b"", claude.lines(FIRST), b""):
        put(path, content + claude.lines(claude.returned("t2", "an orphaned answer")))
        archive.sync()

    assert found(archive, "orphaned") == ["an orphaned answer"]
    assert_consistent(archive_in(tmp_path))


# Other sources


def test_a_rollout_that_is_rewritten_shows_what_it_says_now(tmp_path: Path) -> None:
    path = codex_file(tmp_path, codex.NAME)
    put(path, codex.lines_of([codex.meta(), codex.typed("one buoy"), codex.said("a")]))
    archive = synced(tmp_path)

    put(path, codex.lines_of([codex.meta(), codex.typed("two buoys"), codex.said("a")]))
    archive.sync()

    assert texts(archive, f"codex:{codex.THREAD}") == ["two buoys", "a"]
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize("name", ["talk.json", "talk.jsonl"])
def test_a_plain_file_that_is_rewritten_shows_what_it_says_now(
    tmp_path: Path, name: str
) -> None:
    path = plain_file(tmp_path, name)
    put(path, b'{"role": "user", "content": "one buoy", "session_id": "s"}\n')
    archive = synced(tmp_path)

    put(path, b'{"role": "user", "content": "two buoys", "session_id": "s"}\n')
    archive.sync()

    assert texts(archive, "generic:s") == ["two buoys"]
    assert archive.verify(archive.show("generic:s").messages[0].citation).outcome is (
        Outcome.VERIFIED
    )
    assert_consistent(archive_in(tmp_path))


def test_a_sync_counts_as_superseded_what_the_status_counts(tmp_path: Path) -> None:
    """Nobody's words are left out of both."""
    meta = claude.said(
        "m0", "<system-reminder>Be brief.</system-reminder>", isMeta=True
    )
    put(
        claude_file(tmp_path),
        claude.lines(meta) + a_transcript("a question", "an answer", "another one"),
    )
    archive = synced(tmp_path)
    put(claude_file(tmp_path), a_transcript("a question"))

    report = archive.sync()

    assert (report.messages_superseded, archive.status().superseded) == (2, 2)
