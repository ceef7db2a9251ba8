"""Giving stored texts their vectors, some at a time."""

from __future__ import annotations

from quoth.embedding import Embedder
from quoth.store import ArchiveWriter

__all__ = ["embed_some"]


def embed_some(
    writer: ArchiveWriter, embedder: Embedder, number: int, *, limit: int
) -> tuple[int, bool]:
    """Give the next texts their vectors; return how many, and whether those were all.

    Args:
        number: The archive's id of the embedder.
        limit: Of how many messages at most.
    """
    pending, up_to, is_all = writer.pending_texts(number, limit=limit)
    vectors = embedder.embed_messages([each.text for each in pending])
    writer.add_vectors(
        number,
        [
            (each.text_hash, rows.codes.tobytes(), rows.scales.tobytes())
            for each, rows in zip(pending, vectors, strict=True)
        ],
        up_to=up_to,
    )
    return len(pending), is_all
