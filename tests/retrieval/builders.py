"""Small libraries that a test writes, and short ways to ask them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.builders import plain_file

from quoth.model import Hit, Page

START = datetime(2026, 5, 1, 10, tzinfo=UTC)

Record = dict[str, Any]


def key(session: str) -> str:
    """Return the key of a session of `a_talk`."""
    return f"generic:{session}"


def at(minute: int) -> datetime:
    """Return a moment some minutes after everything began."""
    return START + timedelta(minutes=minute)


def a_talk(session: str, *turns: str | Record, minute: int = 0) -> list[Record]:
    """Return a conversation, a turn a minute; a bare text is said by the person."""
    return [
        {
            "session_id": session,
            "id": f"{session}-{number}",
            "role": "user",
            "timestamp": at(minute + number).isoformat(),
            **(turn if isinstance(turn, dict) else {"content": turn}),
        }
        for number, turn in enumerate(turns)
    ]


def answer(text: str, **fields: Any) -> Record:
    """Return a turn of the assistant."""
    return {"role": "assistant", "content": text, **fields}


def a_call(name: str, **arguments: Any) -> Record:
    """Return a turn of the assistant that only uses a tool."""
    block = {"type": "tool_use", "id": "call_1", "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def write(folder: Path, *talks: Iterable[Record], name: str = "talk.jsonl") -> None:
    """Write conversations into one file of no particular program."""
    lines = "".join(json.dumps(record) + "\n" for talk in talks for record in talk)
    path = plain_file(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines, encoding="utf-8")


def sessions(page: Page) -> list[str]:
    """Return the sessions of the hits, in order."""
    return [hit.conversation.removeprefix("generic:") for hit in page.hits]


def texts(page: Page) -> list[str]:
    """Return the texts of the hits, in order."""
    return [hit.text for hit in page.hits]


def marked(hit: Hit) -> list[str]:
    """Return what is marked in a snippet."""
    return [hit.snippet[start:end] for start, end in hit.marks]


def slices(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the parts of *text* that *spans* name."""
    return [text[start:end] for start, end in spans]
