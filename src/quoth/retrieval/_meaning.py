"""Candidates by meaning: every vector has a distance, the nearest are candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quoth.embedding import Embedder, QueryVector, is_same_model
from quoth.errors import (
    EmbeddingError,
    EndpointError,
    OtherModelError,
    QuothError,
    ServerError,
    VectorWidthError,
)
from quoth.store import ArchiveReader, FlatVectors, KnownEmbedder, Scope, flat_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from quoth.store import Nearest, Scored

__all__ = [
    "Asked",
    "MeaningMatch",
    "Nearness",
    "Vectors",
    "ask",
    "find_by_meaning",
    "learned_floor",
]

ENOUGH = 2_000
"""Messages that a page of conversations is chosen from, 3 µs each."""

WALK = 4_000
"""Vectors looked up one by one before a filter itself is turned into a list."""


_USUAL_FLOOR = 0.3
_FEW = 500
"""Vectors. Fewer are of too few subjects to tell what is unrelated."""

_SAMPLE = 200
"""Vectors that are each compared with as many others: a few milliseconds."""


class MeaningMatch(NamedTuple):
    """A message near the question. `score` is a cosine, `window` the nearest one."""

    message: int
    score: float
    row: int
    """The conversation it is listed under."""
    at: int
    window: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Nearness:
    """How near messages are to a question: those that are candidates, and any other.

    What is below the floor is as far as can be: `closeness` is 0.0 there, and 1.0 for
    the nearest candidate.
    """

    matches: Mapping[int, MeaningMatch] = field(default_factory=dict)
    """The candidates by their ids, nearest first."""
    floor: float = 0.0
    embedder: int = 0
    scored: Scored | None = None

    @property
    def messages(self) -> NDArray[np.int64]:
        """The candidates."""
        import numpy as np

        return np.fromiter(self.matches, np.int64, len(self.matches))

    def among(self, messages: NDArray[np.bool_]) -> Nearness:
        """Return the same with only those candidates that *messages* is true for."""
        kept = {one: match for one, match in self.matches.items() if messages[one]}
        return replace(self, matches=kept)

    def closeness(self, messages: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return how near some messages are, by ids that ascend and hold all there are.

        What is no candidate is taken for far.
        """
        import numpy as np

        close = np.zeros(len(messages), np.float32)
        places = np.searchsorted(messages, self.messages)
        close[places] = self._above([each.score for each in self.matches.values()])
        return close

    def looked_up(
        self, reader: ArchiveReader, messages: Sequence[int]
    ) -> NDArray[np.float64]:
        """Return how near any messages are; 0.0 for one without vectors."""
        if self.scored is None:
            return self._above([self.floor] * len(messages))
        has = reader.embeddings_of(messages, self.embedder)
        found = self.scored.best_of(sorted(set(has.values())))
        return self._above(
            [found.get(has.get(message, 0), self.floor) for message in messages]
        )

    def above_floor(self, closeness: float) -> float:
        """Return how far above the floor the cosine of a closeness is."""
        return closeness * self._best

    @property
    def _best(self) -> float:
        """How far above the floor the nearest candidate is."""
        nearest = next(iter(self.matches.values()), None)
        return max(nearest.score - self.floor, 1e-6) if nearest else 1e-6

    def _above(self, scores: Sequence[float]) -> NDArray[np.float64]:
        """Return how near cosines are, 0.0 at the floor and 1.0 at the nearest's."""
        import numpy as np

        above: NDArray[np.float64] = np.array(scores, np.float64) - self.floor
        return np.clip(above / self._best, 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """A question, as the embedder that serves put it; and why not, where it didn't.

    `vector` is None when nothing in the question is known, or meaning is off.
    """

    known: KnownEmbedder | None = None
    vector: QueryVector | None = None
    floor: float | None = None
    error: QuothError | None = None


def ask(embedder: Embedder, text: str, serving: KnownEmbedder | None) -> Asked:
    """Return the vector of a question, of the identity that the archive has.

    Nothing is raised: without meaning there are still words. A vector of another
    identity, or another width, is never compared with those that are stored.
    """
    if serving is None:
        return Asked()
    try:
        vector = embedder.embed_query(text)
        is_same = is_same_model(serving.probe, embedder.probe)
        if embedder.identity != serving.identity or not is_same:
            raise OtherModelError(embedder.choice.name)
        if vector is not None and len(vector) != serving.dimensions:
            raise VectorWidthError(query=len(vector), stored=serving.dimensions)
    except (EmbeddingError, EndpointError, ServerError) as error:
        return Asked(known=serving, error=error)
    return Asked(known=serving, vector=vector, floor=embedder.floor)


def learned_floor(vectors: FlatVectors) -> float:
    """Return below what cosine a message is not near, for vectors nobody measured.

    Models differ: unrelated texts have cosines of about 0.2 in one and 0.6 in another.
    The floor of the table that ships with quoth was chosen by its answers and lies 0.4
    standard deviations above the mean cosine of its unrelated windows (LongMemEval-S:
    0.252 and 0.117); here it is put at the same place among the archive's own.
    """
    if vectors.count < _FEW:
        return _USUAL_FLOOR
    mean, deviation = vectors.cosines_among(_SAMPLE)
    return mean + 0.4 * deviation


class Vectors:
    """Every vector of an embedder in the archive in *home*, scanned from a flat copy.

    The copy serves what it holds; what it lacks, or all when it is not this archive's,
    is read from the database: a copy can be missing or old, an answer not. It stays
    mapped between two questions, until another takes its place.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._stamp: tuple[Path, int, int, int] | None = None
        self._copy: FlatVectors | None = None

    def at(self, reader: ArchiveReader, known: KnownEmbedder) -> FlatVectors:
        """Return the vectors of an embedder as of *reader*'s moment."""
        copy = self._mapped(flat_path(self._home, known.identity))
        if copy is None or not _is_copy(copy, reader, known):
            copy = FlatVectors.of(
                [], identity=known.identity, dimensions=known.dimensions
            )
        return copy.with_rows(list(reader.embeddings_after(known.id, copy.last_id)))

    def _mapped(self, path: Path) -> FlatVectors | None:
        try:
            status = path.lstat()
        except OSError:
            return None
        stamp = (path, status.st_ino, status.st_size, status.st_mtime_ns)
        if stamp != self._stamp:
            self._stamp, self._copy = stamp, FlatVectors.open(path)
        return self._copy


def _is_copy(copy: FlatVectors, reader: ArchiveReader, known: KnownEmbedder) -> bool:
    """Say whether *copy* holds what *reader* would read, up to its last id.

    Two archives count alike, so some of the vectors themselves are compared.
    """
    if (copy.identity, copy.dimensions, copy.generation) != (
        known.identity,
        known.dimensions,
        reader.meta("generation") or 0,
    ) or copy.last_id > reader.newest_embedding(known.id):
        return False
    places = sorted({0, copy.count // 2, copy.count - 1}) if copy.count else []
    owners = [int(copy.owners[place]) for place in places]
    stored = reader.vectors_at(known.id, owners)
    return all(stored.get(owner) == _rows_of(copy, owner) for owner in owners)


def _rows_of(copy: FlatVectors, owner: int) -> tuple[bytes, bytes]:
    start, end = copy.owners.searchsorted([owner, owner + 1])
    return copy.codes[start:end].tobytes(), copy.scales[start:end].tobytes()


def find_by_meaning(
    reader: ArchiveReader,
    vectors: FlatVectors,
    question: QueryVector,
    scope: Scope,
    *,
    embedder: int,
    floor: float,
    depth: int,
) -> Nearness:
    """Return the nearest messages of *depth* conversations in scope, nearest first.

    The scope is applied before the cut: what is out of it never takes a place. Most
    questions are answered by looking up the nearest few; when the scope is so narrow
    that this finds too little, the scope is listed and only that is ranked.
    """
    scored = vectors.scored(question)
    limit = WALK if scope.narrows else None
    found, is_complete = _walk(
        reader, scored.ranked(), scope, floor=floor, depth=depth, limit=limit
    )
    if not is_complete:
        allowed = reader.embeddings_in(embedder, scope)
        ranked = scored.ranked(allowed=allowed)
        found, _ = _walk(reader, ranked, scope, floor=floor, depth=depth, limit=None)
    return Nearness(
        matches={match.message: match for match in found},
        floor=floor,
        embedder=embedder,
        scored=scored,
    )


def _walk(
    reader: ArchiveReader,
    chunks: Iterator[Nearest],
    scope: Scope,
    *,
    floor: float,
    depth: int,
    limit: int | None,
) -> tuple[list[MeaningMatch], bool]:
    """Follow the ranking until there is enough; say whether it was, or ended."""
    found: list[MeaningMatch] = []
    rows: set[int] = set()
    walked = 0
    for chunk in chunks:
        near = int((chunk.scores >= floor).sum())
        for match in _messages(reader, chunk, near, scope):
            rows.add(match.row)
            if len(rows) > depth or len(found) == ENOUGH:
                return found, True
            found.append(match)
        if near < len(chunk.scores):
            return found, True
        walked += near
        if limit is not None and walked >= limit:
            return found, False
    return found, True


def _messages(
    reader: ArchiveReader, chunk: Nearest, near: int, scope: Scope
) -> Iterator[MeaningMatch]:
    owners = chunk.owners[:near].tolist()
    holders: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for owner, message, row, at in reader.messages_of(owners, scope):
        holders[owner].append((message, row, at))
    scores, windows = chunk.scores.tolist(), chunk.windows.tolist()
    for owner, score, window in zip(owners, scores, windows, strict=False):
        for message, row, at in sorted(holders[owner]):
            yield MeaningMatch(message, score, row, at, window)
