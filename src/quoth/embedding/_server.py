"""The servers that quoth knows how to ask."""

from __future__ import annotations

from collections.abc import Mapping

from quoth.loopback import LoopbackUrl
from quoth.model import EmbedderChoice, EmbedderKind, FoundModel

from ._connect import Connect
from ._dialect import Dialect
from ._endpoints import endpoint_of
from ._ollama import Ollama, pull, refuse_cloud_name
from ._openai import OpenAi
from ._server_embedder import ServerEmbedder

__all__ = ["endpoint_of", "pulled", "refuse_cloud_name", "served_by", "server_embedder"]


def server_embedder(
    choice: EmbedderChoice, *, connect: Connect, environ: Mapping[str, str]
) -> ServerEmbedder:
    """Return the embedder of a choice of a server. Nothing is asked yet."""
    return ServerEmbedder(
        choice, _dialect_of(choice.kind), connect=connect, environ=environ
    )


def served_by(
    kind: EmbedderKind, url: LoopbackUrl, *, connect: Connect
) -> tuple[FoundModel, ...]:
    """Return the models that a server says it has.

    Raises:
        ServerError: The server can't be used.
    """
    return _dialect_of(kind).listed(connect(url), url, timeout_s=_LIST_S)


def pulled(name: str, url: LoopbackUrl, *, connect: Connect) -> FoundModel:
    """Have an Ollama download a model, and return it.

    Raises:
        EmbeddingError: It can't be downloaded, or would not run on this machine.
        ServerError: The server can't be used.
    """
    return pull(connect(url), url, name)


_LIST_S = 10.0


def _dialect_of(kind: EmbedderKind) -> Dialect:
    return Ollama() if kind is EmbedderKind.OLLAMA else OpenAi()
