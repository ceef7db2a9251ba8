"""The default embedder, loaded when the first text comes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ._protocol import Quantised, QueryVector
from ._static import StaticEmbedder, load_static

__all__ = ["DefaultEmbedder"]


class DefaultEmbedder:
    """The table that ships with quoth. Naming it costs nothing; using it loads it."""

    identity = StaticEmbedder.identity
    dimensions = StaticEmbedder.dimensions
    choice = StaticEmbedder.choice
    probe = StaticEmbedder.probe
    floor = StaticEmbedder.floor
    is_quick = StaticEmbedder.is_quick

    @cached_property
    def _loaded(self) -> StaticEmbedder:
        return load_static()

    def embed(self, texts: Sequence[str]) -> Quantised:
        """Return one row per text, the whole text in it."""
        return self._loaded.embed(texts)

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return for each text one row per window."""
        return self._loaded.embed_messages(texts) if texts else []

    def embed_query(self, text: str) -> QueryVector | None:
        """Return a question's vector, or None when nothing in it is known."""
        return self._loaded.embed_query(text)
