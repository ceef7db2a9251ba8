"""The front door: everything a surface can do is a method here."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, wraps
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from quoth.embedding import DefaultEmbedder, Embedder
from quoth.errors import (
    ArchiveBusyError,
    ArchiveNotFoundError,
    UnknownSourceError,
    UsageError,
)
from quoth.ingest import look_for_changes, nearest_repository, places_of, sync
from quoth.ingest import verify as verify_citation
from quoth.model import (
    NO_FILTERS,
    Count,
    Filters,
    Freshness,
    Include,
    Mode,
    Page,
    Progress,
    SearchUnit,
    SourceOverview,
    Sources,
    Status,
    SyncReport,
    Transcript,
    Verdict,
)
from quoth.passages import is_worth_embedding
from quoth.redaction import RULES_VERSION
from quoth.retrieval import SearchRequest, Vectors, empty_page, search
from quoth.sources import Installed, Source, installed
from quoth.store import (
    ArchiveReader,
    ArchiveWriter,
    Policy,
    Tokenizer,
    disk_usage,
    explained,
    read_status,
    transcript,
)

__all__ = ["Archive", "open_archive", "source_names"]

_LOOK_EVERY_S = 1.0
"""A look at 1,400 files takes as long as the search itself."""

_MOST_IMPORTED = 20
"""Paths. A folder of small exports may have thousands."""

_LOOK_S = 0.05
"""How long a search may look for files that changed; it never reads them."""


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _explaining(
    method: Callable[Concatenate[Archive, _P], _R],
) -> Callable[Concatenate[Archive, _P], _R]:
    """Let a method say in its own errors what SQLite says of a damaged archive."""

    @wraps(method)
    def explaining(self: Archive, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with explained(self.home):
            return method(self, *args, **kwargs)

    return explaining


class Archive:
    """A person's conversations, searchable. Every surface calls these methods.

    Args:
        home: The data folder. It need not exist: only `sync` makes it.
        roots: Where each source's history lies, by the source's name.
        sources: The adapters that are asked, in this order.
        embedder: Turns text into vectors; by default the table quoth ships with.
        clock: Tells the time, with a time zone.
    """

    def __init__(
        self,
        home: Path,
        *,
        roots: Mapping[str, Sequence[Path]],
        sources: Sequence[Source] | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._home = home
        self._roots = roots
        self._installed = (
            installed()
            if sources is None
            else Installed(sources=tuple(sources), packages={}, unloaded=())
        )
        self._sources = self._installed.sources
        self._embedder: Embedder = embedder or DefaultEmbedder()
        self._clock = clock
        self._reader: ArchiveReader | None = None
        self._looked_at = -math.inf
        self._looked = Freshness()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def home(self) -> Path:
        """The data folder."""
        return self._home

    @property
    def roots(self) -> Mapping[str, Sequence[Path]]:
        """Where each source's history lies, by the source's name."""
        return self._roots

    @property
    def installed(self) -> Installed:
        """The adapters that are asked, and those that couldn't be loaded."""
        return self._installed

    @property
    def embedder(self) -> Embedder:
        """What turns text into vectors here."""
        return self._embedder

    def now(self) -> datetime:
        """Return the time, as the archive's own clock tells it."""
        return self._clock()

    def close(self) -> None:
        """Let the archive go. Using it again opens it again."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        tokenizer = self.__dict__.pop("_tokenizer", None)
        if tokenizer is not None:
            tokenizer.close()

    @cached_property
    def _vectors(self) -> Vectors:
        return Vectors(self._home, self._embedder)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer()

    def _read(self) -> ArchiveReader:
        if self._reader is None:
            self._reader = ArchiveReader(self._home)
        return self._reader

    @_explaining
    def sync(
        self,
        paths: Sequence[Path] = (),
        *,
        progress: Callable[[Progress], None] | None = None,
        budget_s: float | None = None,
    ) -> SyncReport:
        """Bring the archive up to date with its sources, or with *paths* alone.

        Args:
            progress: Called after every batch.
            budget_s: Stop after the batch in which this many seconds are over.

        Raises:
            UsageError: One of *paths* does not exist.
            UnknownFormatError: Nothing under *paths* is a history quoth can read.
            ArchiveBusyError: Another sync is running.
            ArchiveTooNewError: A later quoth wrote the archive.
        """
        return self._sync(paths, progress=progress, budget_s=budget_s, wait_s=5.0)

    @_explaining
    def refresh(self, *, budget_s: float) -> SyncReport | None:
        """Sync for a moment, if nobody else does. None when somebody else does."""
        began = time.monotonic()
        try:
            report = self._sync((), progress=None, budget_s=budget_s, wait_s=0.0)
        except ArchiveBusyError:
            return None
        if time.monotonic() - began < budget_s and not report.interrupted:
            self._looked_at = began
            self._looked = Freshness(
                changed_files=0,
                last_sync=self._clock(),
                unavailable=report.unavailable,
            )
        return report

    def _sync(
        self,
        paths: Sequence[Path],
        *,
        progress: Callable[[Progress], None] | None,
        budget_s: float | None,
        wait_s: float,
    ) -> SyncReport:
        deadline = None if budget_s is None else time.monotonic() + budget_s
        self._looked_at = -math.inf
        policy = Policy(embeddable=is_worth_embedding, repo_of=nearest_repository)
        with ArchiveWriter(self._home, policy=policy) as writer:
            report = sync(
                writer,
                self._sources,
                self._roots_for(paths),
                named=bool(paths),
                embedder=self._embedder,
                clock=self._clock,
                progress=progress,
                deadline=deadline,
                wait_s=wait_s,
            )
        return replace(report, unloaded=self._installed.unloaded)

    def _roots_for(self, paths: Sequence[Path]) -> Mapping[str, Sequence[Path]]:
        if not paths:
            return self._roots
        for path in paths:
            if not path.exists():
                raise UsageError(f"There is nothing at {path}.")
        # One file must not get in twice, by two spellings of where it is.
        places = [
            path.resolve() if ".." in path.parts else path.absolute() for path in paths
        ]
        return {source.name: places for source in self._sources}

    @_explaining
    def search(
        self,
        question: str,
        *,
        mode: Mode = Mode.BOTH,
        unit: SearchUnit = SearchUnit.CONVERSATION,
        limit: int = 10,
        offset: int = 0,
        filters: Filters = NO_FILTERS,
    ) -> Page:
        """Find the messages that answer *question*, best first, with honest counts.

        Nothing is written and no source is read. Where there is no archive yet, the
        page says so. Within one conversation every row is a message.

        Raises:
            UsageError: *limit* or *offset* is out of range, or a filter names a source
                that there is not.
            NotRecordedError: A filter names a conversation there is not.
            ArchiveTooNewError: A later quoth wrote the archive.
            ArchiveOutdatedError: An earlier quoth wrote it; sync brings it up to date.
        """
        if limit < 1 or offset < 0:
            raise UsageError("A page needs a limit of 1 or more and an offset from 0.")
        request = SearchRequest(
            question=question,
            mode=mode,
            unit=SearchUnit.MESSAGE if filters.within else unit,
            limit=limit,
            offset=offset,
            filters=filters,
        )
        try:
            reader = self._read()
        except ArchiveNotFoundError:
            self._check_source(filters.source, None)
            return empty_page(request, freshness=Freshness())
        self._check_source(filters.source, reader)
        return search(
            reader,
            request,
            vectors=self._vectors,
            tokenizer=self._tokenizer,
            rules_version=RULES_VERSION,
            freshness=self._freshness(reader),
        )

    def _check_source(self, wanted: str | None, reader: ArchiveReader | None) -> None:
        """Refuse the name of a source that is neither installed nor recorded."""
        names = [source.name for source in self._sources]
        if wanted is None or wanted.lower() in names:
            return
        names += reader.sources() if reader else []
        if wanted.lower() not in names:
            raise UsageError(
                f"There is no source {wanted!r}.",
                hint=f"Sources: {', '.join(dict.fromkeys(names))}.",
            )

    def _freshness(self, reader: ArchiveReader) -> Freshness:
        if time.monotonic() - self._looked_at >= _LOOK_EVERY_S:
            self._looked = look_for_changes(
                self._sources,
                self._roots,
                reader.known_units(),
                now=self._clock(),
                last_sync=reader.last_sync(),
                budget_s=_LOOK_S,
            )
            self._looked_at = time.monotonic()
        return self._looked

    @_explaining
    def show(
        self,
        key: str,
        *,
        seq: int | None = None,
        around: int | None = None,
        include: frozenset[Include] = frozenset(),
    ) -> Transcript:
        """Return a conversation, or the messages *around* one of its messages.

        Raises:
            ArchiveNotFoundError: There is no archive yet.
            NotRecordedError: It holds no such conversation or message.
        """
        return transcript(
            self._read(),
            key,
            seq=seq,
            around=around,
            superseded=Include.SUPERSEDED in include,
            rules_version=RULES_VERSION,
        )

    @_explaining
    def status(self) -> Status:
        """Return what the archive holds, how large it is and how fresh."""
        try:
            reader = self._read()
        except ArchiveNotFoundError:
            return self._empty_status()
        return read_status(
            reader,
            home=self._home,
            identity=self._embedder.identity,
            rules_version=RULES_VERSION,
            freshness=self._freshness(reader),
            size=disk_usage(self._home),
        )

    @_explaining
    def sources(self) -> Sources:
        """Return every source: what it can tell, where it looks, what is recorded."""
        recorded = {each.source: each for each in self.status().sources}
        places = places_of(self._sources, self._roots)
        overviews = []
        for source in self._sources:
            imported = self._imported(source.name)
            overviews.append(
                SourceOverview(
                    name=source.name,
                    package=self._installed.packages.get(source.name),
                    facts=source.facts,
                    places=places[source.name],
                    imported=tuple(imported[:_MOST_IMPORTED]),
                    imported_total=len(imported),
                    recorded=recorded.get(source.name),
                )
            )
        return Sources(sources=tuple(overviews), unloaded=self._installed.unloaded)

    def _imported(self, source: str) -> list[Path]:
        """Return the files of a source that lie in none of its places."""
        try:
            known = self._read().known_units().values()
        except ArchiveNotFoundError:
            return []
        places = [place.parts for place in self._roots.get(source, ())]
        paths = {unit.path for unit in known if unit.source == source}
        return sorted(
            path
            for path in paths
            if not any(path.parts[: len(place)] == place for place in places)
        )

    def _empty_status(self) -> Status:
        return Status(
            home=self._home,
            exists=False,
            size=0,
            schema=0,
            recorded=Count(),
            superseded=0,
            noise=0,
            embedded=0,
            embeddable=0,
            identity=self._embedder.identity,
            rules_version=RULES_VERSION,
            sources=(),
            ignored={},
            skipped=(),
            failed=(),
            freshness=Freshness(),
        )

    @_explaining
    def verify(self, citation: str) -> Verdict:
        """Check a citation against its source, or against the archive if that is gone.

        Raises:
            UsageError: It is no citation.
            ArchiveNotFoundError: There is no archive yet.
            NotRecordedError: The archive holds no such message.
        """
        return verify_citation(
            self._read(), citation, self._sources, rules_version=RULES_VERSION
        )


def open_archive(
    home: Path,
    *,
    roots: Mapping[str, Sequence[Path]] | None = None,
    extra_roots: Mapping[str, Sequence[Path]] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Archive:
    """Return the archive in *home*; nothing is opened or made before it is needed.

    Args:
        roots: Where each source's history lies, by the source's name; by default where
            the assistants keep it.
        extra_roots: Where else it lies, by the source's name.
        environ: What is asked for those default places; by default the environment.

    Raises:
        UnknownSourceError: *extra_roots* names a source that isn't installed.
    """
    if roots is None:
        known = os.environ if environ is None else environ
        roots = {
            source.name: tuple(source.default_roots(known, home=Path.home()))
            for source in installed().sources
        }
    return Archive(home, roots=_joined(roots, extra_roots or {}))


def source_names() -> tuple[str, ...]:
    """Return the names of the sources that are installed, in the order of asking."""
    return tuple(source.name for source in installed().sources)


def _joined(
    roots: Mapping[str, Sequence[Path]], extra: Mapping[str, Sequence[Path]]
) -> Mapping[str, Sequence[Path]]:
    for name in extra:
        if name not in source_names():
            raise UnknownSourceError(name, known=source_names())
    return {
        name: (*roots.get(name, ()), *extra.get(name, ()))
        for name in dict.fromkeys((*roots, *extra))
    }
