"""What turns text into vectors, as a person chose it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "CheckedEmbedder",
    "ComingEmbedder",
    "EmbedProgress",
    "EmbedReport",
    "EmbedderChoice",
    "EmbedderKind",
    "FoundModel",
    "FoundModels",
]


class EmbedderKind(StrEnum):
    """Where vectors come from."""

    STATIC = "static"
    """The table that ships with quoth."""
    MINILM = "minilm"
    """all-MiniLM-L6-v2, from files that the person handed over."""
    OLLAMA = "ollama"
    """A server on this machine that speaks Ollama's own protocol."""
    OPENAI = "openai"
    """A server on this machine that speaks OpenAI's: llama.cpp, LM Studio, ..."""

    HASH = "hash"
    """Bags of words, without any meaning: for tests, and not to be chosen."""

    @property
    def is_server(self) -> bool:
        """Whether a server is asked for them."""
        return self in (EmbedderKind.OLLAMA, EmbedderKind.OPENAI)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChoice:
    """Everything that is needed to make an embedder again.

    Attributes:
        model: As the server names it; empty where the kind has only one.
        endpoint: The server's address, on this machine; empty for none, or for where
            that kind of server usually is.
        query_prefix: What goes before a question; None for what the model's family
            is known to need.
        document_prefix: The same, before what is searched.
    """

    kind: EmbedderKind = EmbedderKind.STATIC
    model: str = ""
    endpoint: str = ""
    query_prefix: str | None = None
    document_prefix: str | None = None

    @property
    def name(self) -> str:
        """What a person calls it: `static`, or `ollama nomic-embed-text`."""
        return f"{self.kind} {self.model}" if self.model else str(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModel:
    """A model that can be chosen, or could be.

    Attributes:
        name: As the server names it; empty where the kind has only one.
        is_there: Whether it can be used now.
        size: In bytes; None when it isn't told.
        digest: Of its weights; None when it isn't told.
        is_remote: Whether the server on this machine would send text away for it: such
            a one is refused.
        embeds: Whether it makes vectors, where the server tells.
    """

    kind: EmbedderKind
    name: str = ""
    is_there: bool = True
    size: int | None = None
    digest: str | None = None
    is_remote: bool = False
    embeds: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModels:
    """Every model that is there, and why a server's are not among them.

    Attributes:
        endpoint: The server that was asked, if one was.
        problem: Why it could not be used.
    """

    models: tuple[FoundModel, ...]
    endpoint: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedEmbedder:
    """An embedder that was asked for a vector and gave one."""

    choice: EmbedderChoice
    identity: str
    dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingEmbedder:
    """An embedder that was chosen and doesn't serve yet.

    Searches ask the one before until no message in the archive lacks its vectors.
    """

    name: str
    embedded: int
    lacking: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedProgress:
    """How far embedding is: messages done, of those that lacked vectors."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedReport:
    """What making vectors did.

    Attributes:
        identity: Of the vectors.
        embedded: Texts that got vectors.
        refused: Texts that got none, by why.
        left: Messages that still lack vectors.
        serves: Whether searches ask this embedder now.
        pruned: The identities whose vectors were removed.
    """

    identity: str
    embedded: int
    refused: Mapping[str, int]
    left: int
    serves: bool
    pruned: tuple[str, ...] = ()
    interrupted: bool = False
    took_s: float = 0.0
