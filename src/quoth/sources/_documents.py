"""Reading JSON files that are one document and are rewritten whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError
from quoth.model import Append, Message, Origin, Replace, Unit

from ._decoding import decoded
from ._files import open_read_only

__all__ = [
    "LARGEST_DOCUMENT",
    "LARGEST_FOUND",
    "is_document",
    "messages_among",
    "read_document",
]

LARGEST_DOCUMENT = 64 * 1024 * 1024
"""Bytes. A document cannot be streamed: decoded it takes several times its size."""

LARGEST_FOUND = 16 * 1024 * 1024
"""The same for a file nobody pointed at: of `[],[],` it takes 27 times its size."""


def is_document(unit: Unit) -> bool:
    """Say from its name whether a unit is one document, not lines."""
    return unit.path.name.endswith(".json")


def read_document(path: Path, *, largest: int = LARGEST_DOCUMENT) -> Any:
    """Return the value a JSON file holds.

    Args:
        largest: How many bytes it may have.

    Raises:
        UnreadableUnitError: It cannot be opened, is too large or is no JSON.
    """
    with open_read_only(path) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        why = f"it is one document larger than {largest // 2**20} MB"
        raise UnreadableUnitError(path, why=why)
    try:
        # A crash may leave a file as long as it was to be, with nothing in its end.
        whole = content.rstrip(b"\0")
        return decoded(whole.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as exc:
        raise UnreadableUnitError(path, why="it is not valid JSON") from exc


def messages_among(
    batches: Iterable[Append | Replace], origin: Origin
) -> tuple[Message, ...]:
    """Return the messages that come from one place in a document."""
    return tuple(
        record
        for batch in batches
        for record in batch.records
        if isinstance(record, Message) and record.origin == origin
    )
