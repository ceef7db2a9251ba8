"""Records of sessions, as Gemini CLI writes them, and what reading them comes to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quoth.model import (
    Append,
    Conversation,
    Message,
    Replace,
    Rewind,
    Skipped,
    Unit,
    Usage,
)
from quoth.sources.gemini_cli import GeminiCli

SESSION = "00000000-0000-4000-8000-0000000000aa"
NAME = "session-2026-05-01T10-00-00000000"
START = "2026-05-01T10:00:00.000Z"


def at(second: int) -> str:
    return f"2026-05-01T10:{second // 60:02}:{second % 60:02}.000Z"


def header(**more: Any) -> dict[str, Any]:
    return {"sessionId": SESSION, "projectHash": "ab" * 32, "startTime": START} | more


def said(identifier: str, content: Any, second: int = 1, **more: Any) -> dict[str, Any]:
    about = {"id": identifier, "timestamp": at(second), "type": "user"}
    return about | {"content": content} | more


def answered(
    identifier: str, content: Any = "", second: int = 2, **more: Any
) -> dict[str, Any]:
    return said(identifier, content, second, **{"model": "gemini-test", **more}) | {
        "type": "gemini"
    }


def tokens(output: int, **more: int) -> dict[str, int]:
    return {"input": 0, "output": output, "cached": 0, "thoughts": 0, "tool": 0} | more


def call(name: str, output: Any = None, **more: Any) -> dict[str, Any]:
    """Return a call in `toolCalls`; with an output, one that has come to its end."""
    made: dict[str, Any] = {
        "id": f"{name}-1",
        "name": name,
        "args": {},
        "timestamp": at(9),
    }
    if output is not None:
        response = {"id": f"{name}-1", "name": name, "response": {"output": output}}
        made |= {"status": "success", "result": [{"functionResponse": response}]}
    return made | more


def change(**facts: Any) -> dict[str, Any]:
    return {"$set": facts}


def rewind(identifier: str) -> dict[str, Any]:
    return {"$rewindTo": identifier}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def chats(folder: Path, project: str = "harbor") -> Path:
    path = folder / ".gemini" / "tmp" / project / "chats"
    path.mkdir(parents=True, exist_ok=True)
    return path


def log(folder: Path, *records: Any, name: str = NAME, start: Any = None) -> Path:
    """Write a log that begins with a header, and return where."""
    path = chats(folder) / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(start or header(), *records))
    return path


def document(folder: Path, *messages: Any, name: str = NAME, **more: Any) -> Path:
    """Write a session as one document, and return where."""
    path = chats(folder) / f"{name}.json"
    path.write_text(json.dumps(header(messages=messages, **more), indent=2))
    return path


def unit_of(path: Path) -> Unit:
    return Unit(path=path, stamp="", size=path.stat().st_size)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one reading of a file yields."""

    steps: tuple[Append | Replace | Skipped, ...]

    @property
    def batches(self) -> list[Append | Replace]:
        return [step for step in self.steps if not isinstance(step, Skipped)]

    @property
    def skipped(self) -> list[Skipped]:
        return [step for step in self.steps if isinstance(step, Skipped)]

    @property
    def records(self) -> list[Message | Rewind]:
        return [record for batch in self.batches for record in batch.records]

    @property
    def messages(self) -> list[Message]:
        return [record for record in self.records if isinstance(record, Message)]

    @property
    def usage(self) -> list[Usage]:
        return [usage for batch in self.batches for usage in batch.usage]

    @property
    def conversation(self) -> Conversation:
        return [each for batch in self.batches for each in batch.conversations][-1]

    @property
    def live(self) -> list[str]:
        """The texts that are live at the end, as a store would have it."""
        texts: dict[str, str] = {}
        for record in self.records:
            if isinstance(record, Rewind):
                keys = [*texts]
                for key in keys[keys.index(record.first) :]:
                    del texts[key]
            else:
                texts[record.native_id] = record.text
        return [*texts.values()]


def read(path: Path) -> Reading:
    return Reading(tuple(GeminiCli().read(unit_of(path), None)))


def found(*roots: Path) -> Sequence[Path]:
    return [unit.path for unit in GeminiCli().discover(roots)]
