"""From what a person chose to what makes vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from quoth.loopback import Asker, LoopbackClient, LoopbackUrl
from quoth.model import EmbedderChoice, EmbedderKind

from ._default import DefaultEmbedder
from ._hash import HashEmbedder
from ._protocol import Embedder

__all__ = ["Connect", "Embedders", "connected", "embedder_of"]

Connect: TypeAlias = Callable[[LoopbackUrl], Asker]
"""Gives what asks the server at an endpoint. Nothing is sent by that."""

_PATIENCE_S = 120.0
"""A model that is not loaded yet may take a minute until its first answer."""

_MOST_BYTES = 64 << 20
"""In an answer: some 64 texts in 4,096 dimensions are 6 MB as JSON."""


def connected(url: LoopbackUrl) -> Asker:
    """Return a client of this process's own."""
    return LoopbackClient(url, timeout_s=_PATIENCE_S, most_bytes=_MOST_BYTES)


def embedder_of(
    choice: EmbedderChoice, *, models: Path, connect: Connect = connected
) -> Embedder:
    """Return the embedder of *choice*. Nothing is loaded, and no server asked, yet.

    Args:
        models: The folder of the model files that the person handed over.
        connect: Who asks a server.

    Raises:
        EndpointError: The endpoint is none, or not on this machine.
    """
    match choice.kind:
        case EmbedderKind.MINILM:
            from ._minilm import MiniLmEmbedder

            return MiniLmEmbedder(models / "minilm")
        case EmbedderKind.OLLAMA:
            from ._ollama import OllamaEmbedder

            return OllamaEmbedder(choice, connect=connect)
        case EmbedderKind.OPENAI:
            from ._openai import OpenAiEmbedder

            return OpenAiEmbedder(choice, connect=connect)
        case EmbedderKind.HASH:
            return HashEmbedder()
        case EmbedderKind.STATIC:
            return DefaultEmbedder()


class Embedders:
    """The embedder that was chosen, and others that an archive has vectors of.

    Args:
        make: Makes another of what the archive says of it.
    """

    def __init__(
        self, chosen: Embedder, *, make: Callable[[EmbedderChoice], Embedder]
    ) -> None:
        self.chosen = chosen
        self._make = make
        self._made = {chosen.choice: chosen}

    def of(self, choice: EmbedderChoice) -> Embedder:
        """Return the embedder of a choice, the same one each time."""
        if choice not in self._made:
            self._made[choice] = self._make(choice)
        return self._made[choice]
