"""Builders of Claude Code records and transcripts, and how a test reads them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Replace,
    Rewind,
    Skipped,
    Unit,
    Usage,
)
from quoth.sources import Source
from quoth.sources.claude_code import ClaudeCode

SESSION = "00000000-0000-4000-8000-0000000000aa"


def envelope(kind: str, uuid: str, **fields: Any) -> dict[str, Any]:
    record = {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/home/dev/harbor",
        "sessionId": SESSION,
        "version": "2.1.200",
        "gitBranch": "main",
        "type": kind,
        "uuid": uuid,
        "timestamp": "2026-05-01T10:00:00.000Z",
    }
    return record | fields


def said(uuid: str, content: Any, **fields: Any) -> dict[str, Any]:
    """Return a user record, whoever really wrote it."""
    message = {"role": "user", "content": content}
    return envelope("user", uuid, message=message, **fields)


def answered(uuid: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
    """Return an assistant record; a bare text becomes a text block."""
    message = {
        "id": fields.pop("call", f"msg_{uuid}"),
        "role": "assistant",
        "model": fields.pop("model", "claude-test-1"),
        "content": [
            {"type": "text", "text": block} if isinstance(block, str) else block
            for block in blocks
        ],
    }
    if "usage" in fields:
        message["usage"] = fields.pop("usage")
    return envelope("assistant", uuid, message=message, **fields)


def tool_use(name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


def returned(uuid: str, output: Any, **fields: Any) -> dict[str, Any]:
    """Return a user record with one tool result."""
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": output}
    if "is_error" in fields:
        block["is_error"] = fields.pop("is_error")
    return said(uuid, [block], **fields)


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@dataclass
class Reading:
    """Everything one or several readings of a unit came to."""

    records: list[Message | Rewind] = field(default_factory=list)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    ignored: Counter[str] = field(default_factory=Counter)
    skipped: dict[int, str] = field(default_factory=dict)
    kinds: list[type[Append | Replace]] = field(default_factory=list)
    checkpoint: Checkpoint | None = None

    @property
    def messages(self) -> list[Message]:
        """The messages, each once, as an archive keeps them."""
        found: dict[str, Message] = {}
        for record in self.records:
            if isinstance(record, Message):
                found.setdefault(record.native_id, record)
        return list(found.values())

    @property
    def texts(self) -> list[tuple[str, str]]:
        return [(message.role.value, message.text) for message in self.messages]

    @property
    def conversation(self) -> Conversation:
        (only,) = self.conversations.values()
        return only


def unit_of(path: Path) -> Unit:
    return Unit(path=path, stamp="any", size=path.stat().st_size)


def read_on(reading: Reading, path: Path, *, source: Source | None = None) -> Reading:
    """Read what *path* holds now into *reading*, from where it stopped."""
    since = reading.checkpoint
    start = since.offset if since else 0
    reading.skipped = {at: why for at, why in reading.skipped.items() if at < start}
    for step in (source or ClaudeCode()).read(unit_of(path), since):
        if isinstance(step, Skipped):
            reading.skipped[step.offset] = step.reason
            continue
        reading.kinds.append(type(step))
        reading.records += step.records
        reading.conversations |= {c.native_id: c for c in step.conversations}
        reading.usage |= {usage.call_id: usage for usage in step.usage}
        reading.ignored.update(step.ignored)
        reading.checkpoint = step.checkpoint
    return reading


def read(folder: Path, *records: dict[str, Any], name: str = SESSION) -> Reading:
    """Write *records* as a transcript below *folder* and read it once."""
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*records))
    return read_on(Reading(), path)


def read_growing(path: Path, content: bytes, cuts: list[int]) -> Iterator[Reading]:
    """Read *content* as it grows over *cuts*, as an archive follows a live file."""
    reading = Reading()
    for cut in sorted({*cuts, len(content)}):
        path.write_bytes(content[:cut])
        yield read_on(reading, path)
