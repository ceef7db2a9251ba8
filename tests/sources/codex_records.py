"""Lines of rollouts, as Codex writes them, and what reading them comes to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

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
from quoth.sources._protocol import Source
from quoth.sources.codex import Codex

THREAD = "019c0000-1000-7000-8000-000000000001"
PARENT = "019c0000-0000-7000-8000-000000000002"
NAME = f"rollout-2026-05-01T10-00-00-{THREAD}.jsonl"


def envelope(
    kind: str, payload: Mapping[str, Any], second: float = 0
) -> dict[str, Any]:
    minutes, seconds = divmod(second, 60)
    at = f"2026-05-01T10:{minutes:02.0f}:{seconds:06.3f}Z"
    return {"timestamp": at, "type": kind, "payload": dict(payload)}


def meta(identifier: str = THREAD, **fields: Any) -> dict[str, Any]:
    return envelope("session_meta", {"id": identifier, "cwd": "/home/dev", **fields})


def context(second: float = 0, /, **fields: Any) -> dict[str, Any]:
    return envelope("turn_context", {"model": "gpt-test", **fields}, second)


def item(kind: str, second: float = 0, /, **fields: Any) -> dict[str, Any]:
    return envelope("response_item", {"type": kind, **fields}, second)


def event(kind: str, second: float = 0, /, **fields: Any) -> dict[str, Any]:
    return envelope("event_msg", {"type": kind, **fields}, second)


def written(role: str, *texts: str, second: float = 0, **more: Any) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return item("message", second, role=role, content=content, **more)


def typed(text: str, second: float = 0) -> dict[str, Any]:
    return event("user_message", second, message=text)


def said(text: str, second: float = 0) -> dict[str, Any]:
    return event("agent_message", second, message=text)


def tokens(
    total: int, last: int | None, *, cached: int = 0, second: float = 0
) -> dict[str, Any]:
    info = {"total_token_usage": counts(total, cached)}
    if last is not None:
        info["last_token_usage"] = counts(last, cached)
    return event("token_count", second, info=info)


def counts(tokens_in: int, cached: int) -> dict[str, int]:
    return {
        "input_tokens": tokens_in,
        "cached_input_tokens": cached,
        "output_tokens": tokens_in // 10,
        "reasoning_output_tokens": tokens_in // 100,
    }


def lines_of(records: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def packed(*contents: bytes) -> bytes:
    """Return contents as a zstd file of as many frames."""
    compressor = zstandard.ZstdCompressor()
    return b"".join(compressor.compress(content) for content in contents)


def continued(rollout: str, thread: str = THREAD) -> str:
    """Return the name of a file that goes on with a thread."""
    return f"rollout-2026-05-02T10-00-00-{thread}_{rollout}.jsonl"


def based(on: str, identifier: str = THREAD, **fields: Any) -> dict[str, Any]:
    """Return the head of a file that begins where one of the thread *on* ends."""
    base = {"thread_id": on, "end_ordinal_exclusive": 7, "end_byte_offset": 1903}
    return meta(identifier, history_mode="paginated", history_base=base, **fields)


def unit_of(path: Path) -> Unit:
    return Unit(path=path, stamp="", size=path.stat().st_size)


@dataclass(frozen=True)
class Reading:
    """Everything a unit came to, later versions in the place of earlier ones."""

    batches: tuple[Append | Replace, ...]
    skipped: tuple[Skipped, ...]

    @property
    def messages(self) -> list[Message]:
        records = [record for batch in self.batches for record in batch.records]
        newest = {r.native_id: r for r in records if isinstance(r, Message)}
        return [*newest.values()]

    @property
    def rewinds(self) -> list[Rewind]:
        records = [record for batch in self.batches for record in batch.records]
        return [record for record in records if isinstance(record, Rewind)]

    @property
    def usage(self) -> list[Usage]:
        newest = {u.call_id: u for batch in self.batches for u in batch.usage}
        return [*newest.values()]

    @property
    def conversation(self) -> Conversation:
        newest = {c.native_id: c for b in self.batches for c in b.conversations}
        (conversation,) = newest.values()
        return conversation

    @property
    def ignored(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        for batch in self.batches:
            for name, count in batch.ignored.items():
                totals[name] = totals.get(name, 0) + count
        return totals

    @property
    def checkpoint(self) -> Checkpoint:
        return self.batches[-1].checkpoint

    @property
    def turns(self) -> list[tuple[str, str]]:
        """Who said what, without what is nobody's words."""
        spoken = [m for m in self.messages if m.noise is None and m.text]
        return [(message.role.value, message.text) for message in spoken]

    @property
    def noise(self) -> list[tuple[str, str]]:
        noisy = [m for m in self.messages if m.noise is not None]
        return [(m.noise.value, m.text) for m in noisy if m.noise]


def read(
    path: Path, since: Checkpoint | None = None, *, by: Source | None = None
) -> Reading:
    parts = [*(by or Codex()).read(unit_of(path), since)]
    return Reading(
        batches=tuple(part for part in parts if not isinstance(part, Skipped)),
        skipped=tuple(part for part in parts if isinstance(part, Skipped)),
    )


def read_records(
    folder: Path, *records: Mapping[str, Any], name: str = NAME
) -> Reading:
    path = folder / name
    path.write_bytes(lines_of(records))
    return read(path)


def read_in_pieces(path: Path, content: bytes, cuts: Iterable[int]) -> Reading:
    """Read a file as it grows: cut off at each of *cuts*, then whole."""
    readings: list[Reading] = []
    for cut in [*sorted(cuts), len(content)]:
        path.write_bytes(content[:cut])
        since = readings[-1].checkpoint if readings else None
        readings.append(read(path, since))
    batches = [batch for reading in readings for batch in reading.batches]
    began = max(n for n, batch in enumerate(batches) if isinstance(batch, Replace))
    return Reading(batches=tuple(batches[began:]), skipped=readings[-1].skipped)
