"""Who asks a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from quoth.loopback import Asker, LoopbackUrl

__all__ = ["Connect", "connected"]

Connect: TypeAlias = "Callable[[LoopbackUrl], Asker]"
"""Gives what asks the server at an endpoint. Nothing is sent by that."""

_PATIENCE_S = 120.0
"""A model that is not loaded yet may take a minute until its first answer."""

_MOST_BYTES = 64 << 20
"""In an answer: 64 texts in 4,096 dimensions are 6 MB as JSON."""


def connected(url: LoopbackUrl) -> Asker:
    """Return a client of this process's own."""
    from quoth.loopback import LoopbackClient  # most people have no server

    return LoopbackClient(url, timeout_s=_PATIENCE_S, most_bytes=_MOST_BYTES)
