"""Which sources there are."""

from __future__ import annotations

from ._protocol import Source
from .claude_code import ClaudeCode
from .codex import Codex
from .generic import Generic

__all__ = ["BUILTIN_SOURCES", "installed_sources"]

BUILTIN_SOURCES: tuple[Source, ...] = (ClaudeCode(), Codex(), Generic())


def installed_sources() -> tuple[Source, ...]:
    """Return the built-in sources."""
    return BUILTIN_SOURCES
