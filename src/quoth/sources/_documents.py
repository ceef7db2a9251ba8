"""Reading JSON files that are one document and are rewritten whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError

from ._files import open_read_only
from ._jsonl import _decode

__all__ = ["LARGEST_DOCUMENT", "read_document"]

LARGEST_DOCUMENT = 64 * 1024 * 1024
"""Bytes. A document cannot be streamed: decoded it takes several times its size."""


def read_document(path: Path) -> Any:
    """Return the value a JSON file holds.

    Raises:
        UnreadableUnitError: It cannot be opened, is too large or is no JSON.
    """
    with open_read_only(path) as file:
        content = file.read(LARGEST_DOCUMENT + 1)
    if len(content) > LARGEST_DOCUMENT:
        why = f"it is one document larger than {LARGEST_DOCUMENT // 2**20} MB"
        raise UnreadableUnitError(path, why=why)
    try:
        return _decode(content.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as exc:
        raise UnreadableUnitError(path, why="it is not valid JSON") from exc
