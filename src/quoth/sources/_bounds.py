"""Keeping what a tool was given and gave back within bounds, head and tail."""

from __future__ import annotations

__all__ = ["INPUT_LIMIT", "OUTPUT_LIMIT", "bounded"]

INPUT_LIMIT = 4_000
OUTPUT_LIMIT = 2_400
"""Characters. Errors and results stand at the two ends; the middle is bulk."""


def bounded(text: str, limit: int) -> str:
    """Return *text*, or its first two thirds and last third of *limit* characters."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return (
        f"{text[:head]}\n[... {len(text) - head - tail} characters ...]\n{text[-tail:]}"
    )
