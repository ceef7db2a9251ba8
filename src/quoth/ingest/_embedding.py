"""Giving stored texts their vectors, some at a time."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from quoth.embedding import Embedder, Refused, is_same_model, packed
from quoth.errors import EmbeddingError, EndpointError, ServerError
from quoth.model import EmbedProgress, EmbedReport
from quoth.redaction import Redactor
from quoth.store import (
    ArchiveWriter,
    KnownEmbedder,
    MadeVectors,
    Pending,
    PendingText,
)

from ._reredaction import redact_anew

__all__ = ["CANNOT_EMBED", "Embedding", "Embeddings", "embed_all"]

CANNOT_EMBED = (EmbeddingError, EndpointError, ServerError)
"""What keeps an embedder from being used, for now or for good."""

_SLOW_S = 10.0
"""How long a sync makes vectors with an embedder that is not quick."""

_QUICK, _SLOW = 512, 32
"""Messages whose vectors are stored at once. What a kill loses is made again."""


class Embeddings:
    """The embedders that a sync gives texts vectors of.

    One that can't be used keeps no other from it, and nothing from being read: words
    are found without vectors.

    Args:
        embedders: The one that searches ask, then the one that was chosen instead.
    """

    def __init__(self, writer: ArchiveWriter, embedders: Sequence[Embedder]) -> None:
        self._writer = writer
        self._embedders = embedders
        self._work: list[Embedding] = []
        self._met: set[int] = set()
        self.problem: str | None = None
        """Why one of them could not be used, if so."""

    @property
    def embedded(self) -> int:
        """How many texts got vectors."""
        return sum(work.embedded for work in self._work)

    @property
    def refused(self) -> Mapping[str, int]:
        """How many texts got none, by why."""
        refused: Counter[str] = Counter()
        for work in self._work:
            refused.update(work.refused)
        return dict(refused)

    def embed_pending(
        self, *, is_late: Callable[[], bool], only_quick: bool = False
    ) -> None:
        """Give every stored text its vectors, as far as there is time for it.

        Args:
            only_quick: Leave those that take longer than reading until all is read.
        """
        for index, embedder in enumerate(self._embedders):
            if index in self._met or (only_quick and not embedder.is_quick):
                continue
            try:
                self._embed_pending(embedder, is_late)
            except CANNOT_EMBED as error:
                self.problem = str(error)
                self._met.add(index)

    def serve(self) -> None:
        """Let searches ask the last of them that every text has vectors of.

        The copies that are scanned are written anew where they lag behind.
        """
        for work in self._work:
            work.serve()

    def lacking(self) -> int:
        """Count the messages that a search can't find by meaning yet."""
        serving = self._writer.vectors.serving()
        return self._writer.vectors.lacking(serving.id) if serving else 0

    def _embed_pending(self, embedder: Embedder, is_late: Callable[[], bool]) -> None:
        if self._has_all(embedder):
            return
        known = (each for each in self._work if each.embedder is embedder)
        work = next(known, None) or Embedding(self._writer, embedder)
        if work not in self._work:
            self._work.append(work)
        end = math.inf if embedder.is_quick else time.monotonic() + _SLOW_S
        work.embed_pending(is_late=lambda: is_late() or time.monotonic() > end)

    def _has_all(self, embedder: Embedder) -> bool:
        """Say whether an embedder that serves and takes its time has nothing to do.

        Then it isn't even asked who it is: no server hears of a sync without news.
        """
        vectors = self._writer.vectors
        serving = vectors.serving()
        if embedder.is_quick or serving is None or serving.choice != embedder.choice:
            return False
        return not vectors.pending(serving.id).messages


@dataclass(slots=True, eq=False)
class Embedding:
    """One embedder at work on an archive: what was made, and what could not be.

    Making one asks the embedder who it is, which a server may have to be asked for.
    """

    writer: ArchiveWriter
    embedder: Embedder
    embedded: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    known: KnownEmbedder = field(init=False)
    is_complete: bool = False

    def __post_init__(self) -> None:
        """Make the embedder known to the archive.

        What another model of that name has made is of no use any more, and removed.
        """
        vectors, embedder = self.writer.vectors, self.embedder
        before = vectors.known(embedder.identity)
        is_same = before is None or is_same_model(before.probe, embedder.probe)
        if before is not None and not is_same:
            vectors.discard(before)
        kept = before.probe if before is not None and is_same else None
        self.known = vectors.register(
            embedder.identity,
            embedder.dimensions,
            embedder.choice,
            probe=kept or packed(embedder.probe),
        )

    def embed_pending(
        self,
        *,
        is_late: Callable[[], bool],
        progress: Callable[[EmbedProgress], None] | None = None,
    ) -> None:
        """Give every stored text its vectors, the newest first.

        Raises:
            EmbeddingError: The model isn't there, or is none.
            ServerError: The server can't be used now.
        """
        vectors = self.writer.vectors
        self.is_complete = False
        pending = vectors.pending(self.known.id)
        together = _QUICK if self.embedder.is_quick else _SLOW
        for start in range(0, len(pending.messages), together):
            if is_late():
                return
            some = pending.messages[start : start + together]
            texts = vectors.texts_of(self.known.id, some)
            is_last = start + together >= len(pending.messages)
            self._store(texts, pending, is_last=is_last)
            if progress is not None:
                done = start + len(some)
                progress(EmbedProgress(done=done, total=len(pending.messages)))
        if not pending.messages:
            vectors.settle(self.known.id, pending)
        self.is_complete = True

    def serve(self) -> None:
        """Let searches ask this embedder if all is made. Called within `exclusive`.

        The copy that is scanned is written first: the first search is to be quick, too.
        """
        self.writer.vectors.refresh_flat_copy(self.known)
        serving = self.writer.vectors.serving()
        if self.is_complete and serving is not None and serving.id != self.known.id:
            self.writer.vectors.serve(self.known.id)

    def _store(
        self, texts: list[PendingText], pending: Pending, *, is_last: bool
    ) -> None:
        rows = self.embedder.embed_messages([each.text for each in texts])
        made = [
            MadeVectors(each.text_hash, refused=row.why)
            if isinstance(row, Refused)
            else MadeVectors(each.text_hash, row.codes.tobytes(), row.scales.tobytes())
            for each, row in zip(texts, rows, strict=True)
        ]
        up_to = pending.up_to if is_last else 0
        self.writer.vectors.add(self.known.id, made, up_to=up_to)
        why = [each.refused for each in made if each.refused is not None]
        self.refused.update(why)
        self.embedded += len(made) - len(why)


def embed_all(
    writer: ArchiveWriter,
    embedder: Embedder,
    *,
    redactor: Redactor,
    retry: bool = False,
    prune: bool = False,
    wait_s: float = 30.0,
    progress: Callable[[EmbedProgress], None] | None = None,
) -> EmbedReport:
    """Make every vector that lacks, then let searches ask this embedder.

    Interrupting it loses nothing that was stored, and a sync may run meanwhile.

    Args:
        redactor: Goes through what is stored first, where its rules are newer.
        retry: Ask again for the texts that were refused before.
        prune: Remove the vectors of every other embedder afterwards.
        wait_s: How long to wait for a sync to end.

    Raises:
        EmbeddingError: The model isn't there, or is none.
        ServerError: The server can't be used now.
        ArchiveBusyError: A sync was running for too long, or another such call is.
    """
    began = time.monotonic()
    work = Embedding(writer, embedder)
    if not writer.went_through(redactor):
        with writer.exclusive(wait_s=wait_s):
            redact_anew(writer, redactor, is_late=lambda: False, progress=None)
    if retry:
        writer.vectors.retry_refused(work.known.id)
    pruned: list[str] = []
    interrupted = False
    try:
        with writer.vectors.making():
            is_all = False
            while not is_all:
                work.embed_pending(is_late=lambda: False, progress=progress)
                is_all = not writer.vectors.lacking(work.known.id)
        with writer.exclusive(wait_s=wait_s):
            work.serve()
            if prune:
                pruned = writer.vectors.prune()
    except KeyboardInterrupt:
        interrupted = True
    serving = writer.vectors.serving()
    return EmbedReport(
        identity=work.known.identity,
        embedded=work.embedded,
        refused=dict(work.refused),
        left=writer.vectors.lacking(work.known.id),
        serves=serving is not None and serving.id == work.known.id,
        pruned=tuple(pruned),
        interrupted=interrupted,
        took_s=time.monotonic() - began,
    )
