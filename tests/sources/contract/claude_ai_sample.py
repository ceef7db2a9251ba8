"""A history of Claude.ai: the zip of an export, with one file of conversations."""

from __future__ import annotations

import json
from typing import Any

from quoth.sources.claude_ai import ClaudeAi

from .history import (
    History,
    Sample,
    Turn,
    Wish,
    stamp,
    voyage,
    words,
)
from .zips import zipped

__all__ = ["CLAUDE_AI"]

ROOT = "00000000-0000-4000-8000-000000000000"


def history(wish: Wish) -> History:
    """Return an export; the first conversation has a tool and a branch."""
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    told = [_told(each, number, wish) for number, each in enumerate(turns)]
    content = json.dumps(told, indent=1).encode()
    return History(
        files={
            "data-2026-05-09.zip": zipped({"conversations.json": wish.edit(content)})
        },
        said=[words(told) for told in turns],
    )


def _told(turns: list[Turn], number: int, wish: Wish) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for turn in turns:
        parent = messages[-1]["uuid"] if messages else ROOT
        messages += _turn(turn, number, parent)
    last = messages[-1]["uuid"]
    if number == 0:
        messages[1]["content"][:0] = _work()
        messages += _branch(messages[1]["uuid"], stamp(turns[0].answered))
    if wish.strange:
        messages = [{**each, "brand": {}} for each in messages]
        glowing = {"uuid": "h1", "sender": "hologram", "content": [{"type": "glow"}]}
        messages.append(glowing | {"parent_message_uuid": last})
    return {
        "uuid": f"{number:04}ffff-0000-4000-8000-000000000000",
        "name": "The piers",
        "created_at": stamp(turns[0].asked),
        "updated_at": stamp(turns[-1].asked),
        "current_leaf_message_uuid": last,
        "model": "claude-test-1",
        "chat_messages": messages,
    }


def _turn(turn: Turn, number: int, parent: str) -> list[dict[str, Any]]:
    own = f"{number:04}{turn.number:04}-0000-4000-8000-00000000000"
    return [
        _message(f"{own}1", "human", turn.prompt, stamp(turn.asked), parent),
        _message(f"{own}2", "assistant", turn.answer, stamp(turn.answered), f"{own}1"),
    ]


def _message(own: str, sender: str, text: str, at: str, parent: str) -> dict[str, Any]:
    block = {"type": "text", "text": text, "citations": []}
    times = {"created_at": at, "updated_at": at}
    tree = {"uuid": own, "parent_message_uuid": parent}
    return tree | {"sender": sender, "text": text, "content": [block], **times}


def _work() -> list[dict[str, Any]]:
    given = {"path": "/home/dev/pier.py", "file_text": "pier = 1"}
    result = [{"type": "text", "text": "File created."}]
    return [
        {"type": "thinking", "thinking": "Count the piers."},
        {"type": "tool_use", "id": "t1", "name": "create_file", "input": given},
        {"type": "tool_result", "tool_use_id": "t1", "content": result},
        {"type": "token_budget"},
    ]


def _branch(answer: str, at: str) -> list[dict[str, Any]]:
    """Return a prompt and its answer that were left for another prompt."""
    return [
        _message("d1", "human", "No, the other pier.", at, answer),
        _message("d2", "assistant", "The other pier it is.", at, "d1"),
    ]


CLAUDE_AI = Sample(
    source=ClaudeAi(),
    root="exports",
    history=history,
    copied=lambda name: f"again-{name}",
    another="conversations-099.json",
)
