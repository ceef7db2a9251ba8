"""A history of no particular program: lines of turns, and a document of them."""

from __future__ import annotations

import json
from typing import Any

from quoth.sources.generic import Generic

from .history import (
    History,
    Sample,
    Turn,
    Wish,
    lines,
    stamp,
    voyage,
    words,
)

__all__ = ["GENERIC"]

MACHINE = ("You are a harbour master.",)


def history(wish: Wish) -> History:
    """Return lines for every conversation but the last, which is a document.

    The first has a tool and what a program told the model.
    """
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    *talks, last = [_records(number, told, wish) for number, told in enumerate(turns)]
    document = {"id": "conversation-of-piers-9", "title": "The piers", "messages": last}
    return History(
        files={
            **{
                f"talk-{n}.jsonl": wish.edit(lines(each))
                for n, each in enumerate(talks)
            },
            "last.json": wish.edit(json.dumps(document, indent=1).encode()),
        },
        said=[words(told) for told in turns],
        machine=MACHINE,
    )


def _records(number: int, turns: list[Turn], wish: Wish) -> list[dict[str, Any]]:
    records = [line for turn in turns for line in _turn(turn)]
    if number == 0:
        records[1:1] = _work(turns[0])
    session = f"conversation-of-voyage-{number}"
    own: dict[str, Any] = {"session_id": session, "cwd": "/home/dev", "model": "test-1"}
    if wish.strange:
        own |= {"version": "99.0.0", "brand": {}}
        records.append({"type": "hologram", "glow": [1]})
    return [
        {"id": f"record-{number}-{place:012}", **own, **record}
        for place, record in enumerate(records)
    ]


def _turn(turn: Turn) -> list[dict[str, Any]]:
    prompt = {"content": turn.prompt, "timestamp": stamp(turn.asked)}
    answer = {"content": turn.answer, "timestamp": stamp(turn.answered)}
    return [{"role": "user"} | prompt, {"role": "assistant"} | answer]


def _work(turn: Turn) -> list[dict[str, Any]]:
    at = {"timestamp": stamp(turn.asked)}
    thought = {"type": "thinking", "thinking": "Count the piers."}
    call = {"type": "tool_use", "id": "t1", "name": "read_file"}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "none"}
    asked = [thought, call | {"input": {"path": "/home/dev/pier.py"}}]
    return [
        {"role": "system", "content": MACHINE[0], **at},
        {"role": "assistant", "content": asked, **at},
        {"role": "tool", "content": [result], **at},
    ]


GENERIC = Sample(
    source=Generic(),
    root="plain",
    history=history,
    copied=lambda name: f"copy/{name}",
    another="another.jsonl",
)
