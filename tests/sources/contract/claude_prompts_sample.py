"""Claude Code's list of prompts: one file for all sessions, without answers."""

from __future__ import annotations

from typing import Any

from quoth.model import Role
from quoth.sources.claude_prompts import ClaudePrompts

from .history import History, Said, Sample, Turn, Wish, lines, voyage

__all__ = ["CLAUDE_PROMPTS"]


def history(wish: Wish) -> History:
    """Return the list of every prompt, a session after the other."""
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    records = [
        _record(number, turn) for number, told in enumerate(turns) for turn in told
    ]
    if wish.strange:
        records = [{**record, "mood": ["calm"]} for record in records]
        records.append({"type": "hologram", "glow": [1]})
    return History(
        files={"history.jsonl": wish.edit(lines(records))},
        said=[
            [Said(role=Role.USER, text=turn.prompt, at=turn.asked) for turn in told]
            for told in turns
        ],
    )


def _record(number: int, turn: Turn) -> dict[str, Any]:
    return {
        "display": turn.prompt,
        "pastedContents": {},
        "timestamp": int(turn.asked.timestamp() * 1000),
        "project": "/home/dev/harbor",
        "sessionId": f"00000000-0000-4000-8000-{number:012}",
    }


CLAUDE_PROMPTS = Sample(
    source=ClaudePrompts(),
    root=".claude",
    history=history,
    copied=lambda name: f"copy/{name}",
    another="more/history.jsonl",
)
