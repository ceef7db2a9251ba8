"""Archives of laid out histories, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.builders import rows

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Fact, Role, SyncReport

from .history import History, Said, Sample

__all__ = [
    "an_archive",
    "files_in",
    "in_order",
    "lay_out",
    "passed_over",
    "put",
    "seen_facts",
    "spent",
    "synced",
    "told",
]

CLASSES = (
    "input",
    "output",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "reasoning",
)


def lay_out(sample: Sample, folder: Path, history: History) -> Path:
    """Write a history below *folder*, nothing else there, and return its root."""
    root = folder / sample.root
    for path in files_in(root):
        path.unlink()
    for name, content in history.files.items():
        put(root / name, content)
    return root


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def files_in(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def later() -> datetime:
    """Return a time at which no file was changed a moment ago."""
    return datetime.now(UTC) + timedelta(hours=1)


@contextmanager
def an_archive(
    sample: Sample, folder: Path, *, name: str = "archive"
) -> Iterator[Archive]:
    """Give an archive, of that name, of the history of *sample* in *folder*."""
    with Archive(
        folder / name,
        roots={sample.source.name: [folder / sample.root]},
        sources=[sample.source],
        embedder=HashEmbedder(),
        clock=later,
    ) as archive:
        yield archive


def synced(sample: Sample, folder: Path, *, name: str = "archive") -> SyncReport:
    """Sync that archive, and return the report."""
    with an_archive(sample, folder, name=name) as archive:
        return archive.sync()


def told(sample: Sample, folder: Path, *, name: str = "archive") -> list[list[Said]]:
    """Return what each conversation shows of persons and models.

    In an order of its own; a time that is only near the truth counts as none.
    """
    home = folder / name
    near = {
        text
        for (text,) in rows(
            home, "SELECT text FROM message JOIN body USING (id) WHERE approximate_time"
        )
    }
    keys = [key for (key,) in rows(home, "SELECT key FROM conversation ORDER BY key")]
    with an_archive(sample, folder, name=name) as archive:
        shown = [
            [
                Said(
                    role=message.role,
                    text=message.text,
                    at=None if message.text in near else message.at,
                )
                for message in archive.show(key).messages
                if message.text and message.role in (Role.USER, Role.ASSISTANT)
            ]
            for key in keys
        ]
    return in_order(shown)


def in_order(said: Any) -> list[list[Said]]:
    """Return conversations in an order that does not hang on their ids."""
    return sorted(([*each] for each in said if each), key=repr)


def spent(folder: Path, *, name: str = "archive") -> dict[str, int]:
    """Add up what all calls to models cost."""
    sums = ", ".join(f"sum({each})" for each in CLASSES)
    (totals,) = rows(folder / name, f"SELECT {sums} FROM usage")  # noqa: S608
    return {each: n for each, n in zip(CLASSES, totals, strict=True) if n}


def passed_over(folder: Path, path: Path | None = None) -> int:
    """Return how much of a file, or of all, was counted as unread or without words."""
    found = rows(
        folder / "archive",
        "SELECT path, (state = 'failed')"
        " + (SELECT count(*) FROM skipped_record WHERE file = id)"
        " + (SELECT coalesce(sum(count), 0) FROM ignored_record WHERE file = id)"
        " FROM source_file",
    )
    return sum(n for name, n in found if path is None or name == os.fsencode(path))


_EVIDENCE = {
    Fact.TIMES: "message WHERE at IS NOT NULL AND NOT approximate_time",
    Fact.TITLES: "conversation WHERE title_origin IN ('person', 'model')",
    Fact.MODELS: "conversation WHERE models <> '[]'",
    Fact.FOLDERS: "conversation WHERE cwd IS NOT NULL",
    Fact.BRANCHES: "conversation WHERE branch IS NOT NULL",
    Fact.TOOLS: "tool_call WHERE name <> '' AND result_message IS NOT NULL",
    Fact.EXIT_CODES: "tool_call WHERE exit_code IS NOT NULL",
    Fact.FILES: "file_touch",
    Fact.TOKENS: "usage",
    Fact.REASONING: "body WHERE reasoning <> ''",
    Fact.SUBAGENTS: (
        "conversation WHERE kind = 'subagent'"
        " AND parent_key IN (SELECT key FROM conversation)"
    ),
    Fact.REWINDS: "message WHERE NOT live",
}


def seen_facts(folder: Path) -> set[Fact]:
    """Return which facts something in the archive tells."""
    home = folder / "archive"
    return {
        fact
        for fact, place in _EVIDENCE.items()
        if rows(home, f"SELECT count(*) FROM {place}") != [(0,)]  # noqa: S608
    }
