"""What each source tells is forgotten whole, whichever of its fields a word is in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.builders import a_transcript, archive_in, assert_consistent, later, put
from tests.ingest.forgetting import CANARY, SAID, forget, left_of
from tests.sources import chatgpt_records as chatgpt
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex
from tests.sources import gemini_records as gemini

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Selection
from quoth.sources import installed_sources
from quoth.store import DATABASE

PLACE = f"/home/dev/{CANARY}"
AGENT = "agent-a1b2c3"
NOON = "2026-05-01T12:00:00Z"


def claude_code(folder: Path) -> None:
    """Write a session, a fork of it, an agent's work and what another calls it."""
    own = {"cwd": PLACE, "gitBranch": CANARY}
    session = claude.lines(
        claude.said("m1", SAID, **own),
        claude.answered(
            "m2",
            {"type": "thinking", "thinking": f"The {CANARY} it is."},
            claude.tool_use("Write", file_path=f"{PLACE}/{CANARY}.txt", content=CANARY),
            model=CANARY,
            parentUuid="m1",
            **own,
        ),
        claude.returned("m3", f"wrote {CANARY}", parentUuid="m2", **own),
        claude.said("m4", CANARY, parentUuid="m3", isCompactSummary=True, **own),
        {"type": "queue-operation", "operation": "enqueue", "content": CANARY},
        {"type": "custom-title", "customTitle": CANARY, "sessionId": claude.SESSION},
    )
    put(folder / f"-home-dev-{CANARY}" / f"{claude.SESSION}.jsonl", session)
    forked = session.replace(claude.SESSION.encode(), b"f" * 36)
    put(folder / "-fork" / f"{'f' * 36}.jsonl", forked)
    agents = folder / f"-home-dev-{CANARY}" / claude.SESSION / "subagents"
    sidechain = a_transcript(CANARY, f"{CANARY} found", ids="a")
    put(agents / f"{AGENT}.jsonl", sidechain)
    put(agents / f"{AGENT}.meta.json", json.dumps({"description": CANARY}).encode())
    summary = {"type": "summary", "summary": CANARY, "leafUuid": "m3"}
    put(folder / "-other" / "empty.jsonl", claude.lines(summary))


def claude_prompts(folder: Path) -> None:
    told = {
        "display": SAID,
        "timestamp": 1_770_000_000_000,
        "project": PLACE,
        "sessionId": claude.SESSION,
        "pastedContents": {"1": {"id": 1, "type": "text", "content": CANARY}},
    }
    put(folder / "history.jsonl", json.dumps(told).encode() + b"\n")


def rollout() -> bytes:
    git = {"branch": CANARY, "repository_url": f"https://example.org/{CANARY}.git"}
    return codex.lines_of(
        [
            codex.meta(cwd=PLACE, git=git),
            codex.context(cwd=PLACE, model=CANARY),
            codex.typed(SAID, 1),
            codex.written("user", SAID, second=1),
            codex.item("reasoning", 2, summary=[{"text": CANARY}]),
            codex.item(
                "function_call",
                3,
                name="shell",
                call_id="1",
                arguments=json.dumps({"command": ["cat", CANARY]}),
            ),
            codex.item("function_call_output", 4, call_id="1", output=f"a {CANARY}"),
            codex.written("assistant", f"{CANARY}.", second=5),
        ]
    )


def codex_plain(folder: Path) -> None:
    put(folder / "2026" / "05" / "01" / codex.NAME, rollout())


def codex_compressed(folder: Path) -> None:
    put(folder / "2026" / "05" / "01" / f"{codex.NAME}.zst", codex.packed(rollout()))


def gemini_talk() -> list[dict[str, Any]]:
    thought = {"subject": CANARY, "description": CANARY, "timestamp": gemini.at(2)}
    call = gemini.call("run", CANARY, args={"command": f"cat {CANARY}"})
    return [
        gemini.said("1", SAID),
        gemini.answered(
            "2", f"{CANARY}.", thoughts=[thought], toolCalls=[call], model=CANARY
        ),
    ]


def gemini_log(folder: Path) -> None:
    summary = gemini.change(summary=CANARY, directories=[PLACE])
    gemini.log(folder, *gemini_talk(), summary, name=f"{gemini.NAME}-{CANARY}")


def gemini_document(folder: Path) -> None:
    gemini.document(folder, *gemini_talk(), summary=CANARY, directories=[PLACE])


def chatgpt_export(folder: Path) -> None:
    tool = {"content_type": "execution_output", "text": CANARY}
    nodes = [
        chatgpt.node("s1", None, content=SAID, metadata={"model_slug": CANARY}),
        chatgpt.node("s2", "s1", "tool", tool),
        chatgpt.node("s3", "s2", "assistant", f"{CANARY}."),
    ]
    secret = chatgpt.conversation("secret", *nodes, title=CANARY)
    chatgpt.a_zip(folder / f"{CANARY}.zip", {"conversations.json": [secret]})


def claude_ai_export(folder: Path) -> None:
    attachment = {"file_name": f"{CANARY}.txt", "extracted_content": CANARY}
    told = {
        "uuid": "chat",
        "name": CANARY,
        "summary": CANARY,
        "created_at": "2026-05-01T09:00:00.250000Z",
        "updated_at": "2026-05-01T09:59:00.250000Z",
        "account": {"uuid": "a"},
        "chat_messages": [
            {
                "uuid": "m1",
                "text": "",
                "content": [{"type": "text", "text": SAID}],
                "sender": "human",
                "created_at": "2026-05-01T09:01:00.250000Z",
                "attachments": [attachment],
                "files": [{"file_name": f"{CANARY}.png"}],
            }
        ],
    }
    chatgpt.a_zip(folder / "export.zip", {"conversations.json": [told]})


def specstory(folder: Path) -> None:
    text = (
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n"
        f"# {CANARY} 2026-05-01 10:00:00Z\n\n"
        f"<!-- Claude Code Session {claude.SESSION} (2026-05-01 10:00:00Z) -->\n\n"
        f"_**User (2026-05-01 10:00:00Z)**_\n\n{SAID}\n\n---\n\n"
        f"_**Agent (claude-opus-4-6 2026-05-01 10:00:05Z)**_\n\n{CANARY}!\n"
    )
    history = folder / CANARY / ".specstory" / "history"
    put(history / f"2026-05-01_10-00-00Z-{CANARY}.md", text.encode())


def generic(folder: Path) -> None:
    turns = [
        {"role": "user", "content": SAID, "title": CANARY, "cwd": PLACE, "time": NOON},
        {"role": "assistant", "content": CANARY, "model": CANARY, "reasoning": CANARY},
        {"role": "tool", "content": CANARY},
    ]
    put(folder / f"{CANARY}.jsonl", "\n".join(map(json.dumps, turns)).encode())


WRITERS: tuple[tuple[str, Callable[[Path], None]], ...] = (
    ("claude_code", claude_code),
    ("claude_prompts", claude_prompts),
    ("codex", codex_plain),
    ("codex", codex_compressed),
    ("gemini_cli", gemini_log),
    ("gemini_cli", gemini_document),
    ("chatgpt", chatgpt_export),
    ("claude_ai", claude_ai_export),
    ("specstory", specstory),
    ("generic", generic),
)


@pytest.fixture(params=WRITERS, ids=[write.__name__ for _, write in WRITERS])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    """Return an archive in which all of one source's history holds the canary."""
    source, write = request.param
    write(tmp_path / "histories")
    archive = Archive(
        archive_in(tmp_path),
        roots={source: [tmp_path / "histories"]},
        embedder=HashEmbedder(),
        clock=later,
    )
    archive.sync()
    archive.close()
    assert left_of(archive.home) != []
    return archive


def assert_nothing_is_left(archive: Archive) -> None:
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def test_every_source_has_its_history_here() -> None:
    assert {name for name, _ in WRITERS} == {each.name for each in installed_sources()}


@pytest.mark.parametrize(
    "selection",
    [Selection(phrase=CANARY.upper()), Selection(until=later())],
    ids=["phrase", "time"],
)
def test_no_byte_of_it_is_left(archive: Archive, selection: Selection) -> None:
    archive.forget(archive.plan_forget(selection))

    assert_nothing_is_left(archive)
    archive.sync()
    assert_nothing_is_left(archive)


def test_it_stays_out_of_an_archive_made_anew(archive: Archive) -> None:
    forget(archive, phrase=CANARY)
    archive.close()
    for file in archive.home.glob(f"{DATABASE}*"):
        file.unlink()

    archive.sync()

    assert_nothing_is_left(archive)


def test_it_stays_out_when_its_files_are_written_anew(
    archive: Archive, tmp_path: Path
) -> None:
    forget(archive, phrase=CANARY)

    for file in (tmp_path / "histories").rglob("*.*"):
        if file.is_file():
            content = file.read_bytes()
            file.unlink()
            put(file, content)
    archive.sync()

    assert_nothing_is_left(archive)
