"""From what a person chose to what makes vectors."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from quoth.model import EmbedderChoice, EmbedderKind

from ._connect import Connect, connected
from ._default import DefaultEmbedder
from ._hash import HashEmbedder
from ._protocol import Embedder

__all__ = ["Embedders", "embedder_of"]


def embedder_of(
    choice: EmbedderChoice,
    *,
    models: Path,
    connect: Connect = connected,
    environ: Mapping[str, str] | None = None,
) -> Embedder:
    """Return the embedder of *choice*. Nothing is loaded, and no server asked, yet.

    Args:
        models: The folder of the model files that the person handed over.
        connect: Who asks a server.
        environ: Where `OLLAMA_HOST` is looked for; by default the environment.
    """
    known = os.environ if environ is None else environ
    match choice.kind:
        case EmbedderKind.MINILM:
            from ._minilm import MiniLmEmbedder

            return MiniLmEmbedder(models / "minilm")
        case EmbedderKind.OLLAMA | EmbedderKind.OPENAI:
            from ._server import server_embedder

            return server_embedder(choice, connect=connect, environ=known)
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
