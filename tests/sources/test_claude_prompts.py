"""Claude Code's list of prompts: what is left when a transcript is gone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import (
    a_transcript,
    archive_in,
    assert_consistent,
    later,
    put,
)

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Outcome
from quoth.sources.claude_code import ClaudeCode
from quoth.sources.claude_prompts import ClaudePrompts

GONE = "00000000-0000-4000-8000-000000000001"
KEPT = "00000000-0000-4000-8000-0000000000aa"


def listed(text: str, session: str = GONE, **fields: Any) -> bytes:
    prompt = {
        "display": text,
        "pastedContents": {},
        "timestamp": 1777629600000 + len(text),
        "project": "/home/dev/harbor",
        "sessionId": session,
        **fields,
    }
    return json.dumps(prompt).encode() + b"\n"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    folder = tmp_path / ".claude"
    return Archive(
        archive_in(tmp_path),
        roots={
            "claude_code": [folder / "projects"],
            "claude_prompts": [folder / "history.jsonl"],
        },
        sources=[ClaudeCode(), ClaudePrompts()],
        embedder=HashEmbedder(),
        clock=later,
    )


def transcript_of(folder: Path, session: str) -> Path:
    return folder / ".claude" / "projects" / "-home-dev" / f"{session}.jsonl"


def prompts(archive: Archive, session: str = GONE) -> list[str]:
    return [each.text for each in archive.show(f"claude_prompts:{session}").messages]


def test_the_prompts_of_a_session_without_a_transcript_are_kept(
    tmp_path: Path, archive: Archive
) -> None:
    content = listed("/clear") + listed("where is the capstan?")
    put(tmp_path / ".claude" / "history.jsonl", content)

    archive.sync()

    shown = archive.show(f"claude_prompts:{GONE}")
    assert prompts(archive) == ["/clear", "where is the capstan?"]
    assert (shown.title, shown.cwd) == ("where is the capstan?", "/home/dev/harbor")
    assert shown.copy_of == f"claude_code:{GONE}"
    verdicts = [archive.verify(each.citation).outcome for each in shown.messages]
    assert verdicts == [Outcome.VERIFIED] * 2


def test_what_was_pasted_into_a_prompt_belongs_to_it(
    tmp_path: Path, archive: Archive
) -> None:
    pasted = {"1": {"id": 1, "type": "text", "content": "line one"}, "2": {"id": 2}}
    content = listed("see [Pasted text #1]", pastedContents=pasted)
    put(tmp_path / ".claude" / "history.jsonl", content)

    archive.sync()

    assert prompts(archive) == ["see [Pasted text #1]\n\nline one"]


def test_a_session_that_has_a_transcript_is_left_to_it(
    tmp_path: Path, archive: Archive
) -> None:
    put(transcript_of(tmp_path, KEPT), a_transcript("hoist the jib"))
    put(tmp_path / ".claude" / "history.jsonl", listed("hoist the jib", KEPT))

    report = archive.sync()

    assert report.messages_new == 1
    assert report.ignored["claude_prompts:prompt in a transcript"] == 1


def test_prompts_give_way_to_a_transcript_that_comes_later(
    tmp_path: Path, archive: Archive
) -> None:
    put(tmp_path / ".claude" / "history.jsonl", listed("hoist the jib", KEPT))
    archive.sync()
    put(transcript_of(tmp_path, KEPT), a_transcript("hoist the jib"))

    archive.sync()

    assert prompts(archive, KEPT) == []
    assert archive.status().recorded.messages == 1
    assert_consistent(archive_in(tmp_path))


def test_what_the_list_has_no_longer_is_kept_as_superseded(
    tmp_path: Path, archive: Archive
) -> None:
    path = tmp_path / ".claude" / "history.jsonl"
    put(path, listed("a first prompt") + listed("and a second one"))
    archive.sync()
    put(path, listed("and a second one"))

    archive.sync()

    assert prompts(archive) == ["and a second one"]
    assert archive.show(f"claude_prompts:{GONE}").superseded_total == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"sessionId": None}, "prompt without a session"),
        ({"sessionId": "x" * 300}, "prompt without a session"),
        ({"display": 7}, "other"),
    ],
)
def test_a_line_that_tells_no_session_or_prompt_is_counted(
    tmp_path: Path, archive: Archive, fields: dict[str, Any], reason: str
) -> None:
    content = listed("a prompt", **fields) + listed("a whole prompt")
    put(tmp_path / ".claude" / "history.jsonl", content)

    report = archive.sync()

    assert prompts(archive) == ["a whole prompt"]
    assert report.ignored == {f"claude_prompts:{reason}": 1}


def test_the_list_lies_in_each_folder_of_configuration(tmp_path: Path) -> None:
    source = ClaudePrompts()

    named = source.default_roots({"CLAUDE_CONFIG_DIR": "/a, ~/b"}, home=tmp_path)
    usual = source.default_roots({}, home=tmp_path)

    assert named == (Path("/a/history.jsonl"), tmp_path / "b" / "history.jsonl")
    assert usual == (tmp_path / ".claude" / "history.jsonl",)
