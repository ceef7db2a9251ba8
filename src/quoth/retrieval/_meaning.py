"""Candidates by meaning: every vector has a distance, the nearest are candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.embedding import Embedder, QueryVector, folder_name
from quoth.store import ArchiveReader, FlatVectors, Scope, flat_path

if TYPE_CHECKING:
    from quoth.store import Nearest

__all__ = ["MeaningMatch", "find_by_meaning", "vectors_of"]

FLOOR = 0.3
"""Cosine below which a message is not offered: see `docs/ranking.md` for the curve."""

WALK = 4_000
"""Vectors looked up one by one before the filter itself is turned into a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningMatch:
    """A message near the question. `score` is a cosine, `window` the nearest one."""

    message: int
    root: int
    score: float
    window: int


def vectors_of(home: Path, reader: ArchiveReader, embedder: Embedder) -> FlatVectors:
    """Return every vector of *embedder* in the archive as of *reader*'s moment.

    The flat copy serves what it holds; what it lacks, or all when it is not this
    archive's, is read from the database: a copy can be missing or old, an answer not.
    """
    known = reader.embedder(embedder.identity)
    number = known[0] if known else 0
    copy = FlatVectors.open(flat_path(home, folder_name(embedder.identity)))
    if (
        copy is None
        or copy.identity != embedder.identity
        or copy.generation != (reader.meta("generation") or 0)
        or copy.last_id > reader.newest_embedding(number)
    ):
        copy = FlatVectors.of(
            [], identity=embedder.identity, dimensions=embedder.dimensions
        )
    return copy.with_rows(list(reader.embeddings_after(number, copy.last_id)))


def find_by_meaning(
    reader: ArchiveReader,
    vectors: FlatVectors,
    question: QueryVector,
    scope: Scope,
    *,
    embedder: int,
    superseded: bool,
    depth: int,
) -> list[MeaningMatch]:
    """Return the nearest messages of *depth* conversations in scope, nearest first.

    The scope is applied before the cut: what is out of it never takes a place. Most
    questions are answered by looking up the nearest few; when the scope is so narrow
    that this finds too little, the scope is listed and only that is ranked.
    """
    scored = vectors.scored(question)
    found, is_complete = _walk(
        reader, scored.ranked(), scope, superseded=superseded, depth=depth, limit=WALK
    )
    if is_complete:
        return found
    allowed = reader.embeddings_in(embedder, scope, superseded=superseded)
    return _walk(
        reader,
        scored.ranked(allowed=allowed),
        scope,
        superseded=superseded,
        depth=depth,
        limit=None,
    )[0]


def _walk(
    reader: ArchiveReader,
    chunks: Iterator[Nearest],
    scope: Scope,
    *,
    superseded: bool,
    depth: int,
    limit: int | None,
) -> tuple[list[MeaningMatch], bool]:
    """Follow the ranking until there is enough; say whether it was, or ended."""
    found: list[MeaningMatch] = []
    roots: set[int] = set()
    walked = 0
    for chunk in chunks:
        near = int((chunk.scores >= FLOOR).sum())
        for match in _messages(reader, chunk, near, scope, superseded=superseded):
            roots.add(match.root)
            if len(roots) > depth:
                return found, True
            found.append(match)
        if near < len(chunk.scores):
            return found, True
        walked += near
        if limit is not None and walked >= limit:
            return found, False
    return found, True


def _messages(
    reader: ArchiveReader,
    chunk: Nearest,
    near: int,
    scope: Scope,
    *,
    superseded: bool,
) -> Iterator[MeaningMatch]:
    owners = chunk.owners[:near].tolist()
    holders: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for owner, message, root in reader.messages_of(
        owners, scope, superseded=superseded
    ):
        holders[owner].append((message, root))
    scores, windows = chunk.scores.tolist(), chunk.windows.tolist()
    for owner, score, window in zip(owners, scores, windows, strict=False):
        for message, root in holders[owner]:
            yield MeaningMatch(message=message, root=root, score=score, window=window)
