"""Conversations that two files hold: a backup beside the original, a copied session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.builders import (
    SESSION,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    plain_file,
    put,
    texts,
)
from tests.sources import claude_records as claude

from quoth.model import Mode

SHARED = "11111111-2222-4333-8444-555555555555"


def a_turn(session: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": session, "role": "user", "content": text, **fields}


def test_what_one_file_lost_is_live_again_once_the_other_repeats_it(
    tmp_path: Path,
) -> None:
    turns = [a_turn("s", text, id=f"{text}-{SHARED}") for text in ("one", "two")]
    first, second = plain_file(tmp_path, "a.jsonl"), plain_file(tmp_path, "b.jsonl")
    archive = an_archive(tmp_path)
    for path in (first, second):
        put(path, claude.lines(*turns))
        archive.sync()
    put(first, claude.lines(turns[0], {"type": "a longer tail"}, {"type": "of it"}))
    archive.sync()

    put(second, claude.lines({"type": "a new head"}, *turns))
    archive.sync()

    assert texts(archive, "generic:s") == ["one", "two"]
    assert_consistent(archive_in(tmp_path))


def test_a_message_is_at_home_where_the_end_is_known(tmp_path: Path) -> None:
    """A conversation without times can't say that it went on from the other."""
    shared = {"id": SHARED, "content": "the harbour master"}
    untimed = [a_turn("a", "", **shared)]
    timed = [a_turn("b", "", **shared, timestamp="2026-05-01T10:00:00Z")]
    for name, turns in (("a.jsonl", untimed), ("b.jsonl", timed)):
        put(plain_file(tmp_path, name), "".join(map(json.dumps, turns)).encode())
    archive = an_archive(tmp_path)
    archive.sync()

    (hit,) = archive.search("harbour", mode=Mode.WORDS).hits

    assert (hit.conversation, hit.also_in) == ("generic:b", ("generic:a",))


def test_going_back_past_a_copy_supersedes_what_only_this_file_said(
    tmp_path: Path,
) -> None:
    began = [
        claude.said("u0", "root"),
        claude.answered("a0", "reply", parentUuid="u0"),
        claude.said("u1", "first way", parentUuid="a0"),
        claude.answered("a1", "first reply", parentUuid="u1"),
    ]
    went_on = [
        claude.said("u2", "further", parentUuid="a1"),
        claude.answered("a2", "further reply", parentUuid="u2"),
        claude.said("u3", "another way", parentUuid="a0"),
    ]
    put(claude_file(tmp_path), claude.lines(*began))
    archive = an_archive(tmp_path)
    archive.sync()

    put(claude_file(tmp_path, f"copy/{SESSION}"), claude.lines(*began, *went_on))
    archive.sync()

    assert texts(archive) == ["root", "reply", "another way"]
    assert_consistent(archive_in(tmp_path))


def test_what_one_file_drops_stays_live_while_another_still_holds_it(
    tmp_path: Path,
) -> None:
    """The second file is untouched, and is read again all the same."""
    turns = [a_turn("s", text, id=f"{text}-{SHARED}") for text in ("one", "two")]
    first, second = plain_file(tmp_path, "a.jsonl"), plain_file(tmp_path, "b.jsonl")
    for path in (first, second):
        put(path, claude.lines(*turns))
    archive = an_archive(tmp_path)
    archive.sync()

    put(first, claude.lines(turns[0], {"type": "a longer tail"}, {"type": "of it"}))
    archive.sync()

    assert texts(archive, "generic:s") == ["one", "two"]
    assert archive.sync().units_read == 0
    assert_consistent(archive_in(tmp_path))


def test_a_deleted_backup_does_not_bring_back_what_the_original_dropped(
    tmp_path: Path,
) -> None:
    turns = [a_turn("s", text, id=f"{text}-{SHARED}") for text in ("one", "two")]
    first, second = plain_file(tmp_path, "a.jsonl"), plain_file(tmp_path, "b.jsonl")
    for path in (first, second):
        put(path, claude.lines(*turns))
    archive = an_archive(tmp_path)
    archive.sync()
    second.unlink()

    put(first, claude.lines(turns[0], {"type": "a longer tail"}, {"type": "of it"}))
    archive.sync()

    assert texts(archive, "generic:s") == ["one"]
