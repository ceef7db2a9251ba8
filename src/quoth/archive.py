"""The front door: everything a surface can do is a method here."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from quoth.embedding import (
    Connect,
    DefaultEmbedder,
    Embedder,
    Embedders,
    ModelShelf,
    connected,
    embedder_of,
)
from quoth.errors import (
    ArchiveBusyError,
    ArchiveNotFoundError,
    UnknownSourceError,
    UsageError,
)
from quoth.ingest import (
    embed_all,
    kept_out_by,
    look_for_changes,
    names_of_person,
    nearest_repository,
    places_of,
    sync,
)
from quoth.ingest import verify as verify_citation
from quoth.model import (
    NO_FILTERS,
    NOTHING_KEPT_OUT,
    Count,
    EmbedderChoice,
    EmbedProgress,
    EmbedReport,
    Filters,
    ForgetPlan,
    ForgetReport,
    Forgotten,
    Freshness,
    Hit,
    Include,
    Leaving,
    Mode,
    NeverIndex,
    Page,
    Progress,
    RankingChoice,
    SearchUnit,
    Selection,
    ShownMessage,
    SourceOverview,
    Sources,
    Status,
    SyncReport,
    Transcript,
    Verdict,
)
from quoth.passages import is_worth_embedding
from quoth.redaction import (
    RULES_VERSION,
    Names,
    Redactor,
    Walk,
    check_leaving,
    everything,
    in_force,
    leaving,
    secrets,
)
from quoth.retrieval import SearchRequest, Vectors, empty_page, search
from quoth.sources import Installed, Source, installed
from quoth.store import (
    DATABASE,
    ArchiveReader,
    ArchiveWriter,
    KnownEmbedder,
    Policy,
    Tokenizer,
    count_forbidden,
    disk_usage,
    explained,
    forgotten_entries,
    plan_forget,
    private_folder,
    read_status,
    transcript,
)

__all__ = ["Archive", "Connect", "open_archive", "source_names"]

_LOOK_EVERY_S = 1.0
"""A look at 1,400 files takes as long as the search itself."""

_MOST_IMPORTED = 20
"""Paths. A folder of small exports may have thousands."""

_EMPTYING_S = 5.0
"""How long to wait for programs that read, before what they may see stays a while."""

_KEPT: Mapping[type, frozenset[str]] = {
    Page: frozenset({"question", "terms", "filters"}),
    Hit: frozenset({"conversation", "parent", "citation", "also_in", "snippet"}),
    Transcript: frozenset({"key", "parent", "copy_of", "subagents"}),
    ShownMessage: frozenset({"citation"}),
    Verdict: frozenset({"citation"}),
    Status: frozenset({"home"}),
    ForgetPlan: frozenset({"selection"}),
    Leaving: frozenset({"key"}),
}
"""What `_shown` leaves as it is: keys and citations, and what a person has said just
now. A snippet is cut from a text that was redacted as a whole."""

_LOOK_S = 0.05
"""How long a search may look for files that changed; it never reads them."""


_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")


def _on_this_archive(
    method: Callable[Concatenate[Archive, _P], _R],
) -> Callable[Concatenate[Archive, _P], _R]:
    """Let a method work by what is this archive's own.

    Its errors say what SQLite says of a damaged archive, and the sources that it asks
    redact by the archive's rules whatever they have to cut.
    """

    @wraps(method)
    def asked(self: Archive, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with explained(self.home), in_force(self._redactor):
            return method(self, *args, **kwargs)

    return asked


class Archive:
    """A person's conversations, searchable. Every surface calls these methods.

    Args:
        home: The data folder. It need not exist: only `sync` makes it.
        roots: Where each source's history lies, by the source's name.
        sources: The adapters that are asked, in this order.
        embedder: Turns text into vectors; by default the table quoth ships with.
        connect: Who asks a server on this machine; by default this process itself.
        clock: Tells the time, with a time zone.
        never_index: What a sync keeps out, and forgets where it is recorded already.
        patterns: What is a secret besides what quoth knows for one, by its rule's name.
        environ: Where names of the person are looked for; by default the environment.
    """

    def __init__(
        self,
        home: Path,
        *,
        roots: Mapping[str, Sequence[Path]],
        sources: Sequence[Source] | None = None,
        embedder: Embedder | None = None,
        connect: Connect = connected,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        never_index: NeverIndex = NOTHING_KEPT_OUT,
        patterns: Mapping[str, str] | None = None,
        environ: Mapping[str, str] | None = None,
        ranking: RankingChoice | None = None,
    ) -> None:
        self._home = home
        self._ranking = ranking or RankingChoice()
        self._roots = roots
        self._installed = (
            installed()
            if sources is None
            else Installed(sources=tuple(sources), packages={}, unloaded=())
        )
        self._sources = self._installed.sources
        self._embedders = Embedders(
            embedder or DefaultEmbedder(),
            make=partial(
                embedder_of,
                models=models_folder(home),
                connect=connect,
                environ=environ,
            ),
        )
        self.models = ModelShelf(
            models_folder(home),
            make_folder=_make_private,
            connect=connect,
            environ=os.environ if environ is None else environ,
        )
        self._clock = clock
        self._never_index = never_index
        self._patterns = dict(patterns or {})
        self._redactor = secrets(self._patterns)
        self._environ = os.environ if environ is None else environ
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
    def redactor(self) -> Redactor:
        """What takes secrets out of all that is stored here."""
        return self._redactor

    @property
    def embedder(self) -> Embedder:
        """What turns text into vectors here, by the person's choice."""
        return self._embedders.chosen

    def embedder_asked(self, serving: KnownEmbedder | None) -> Embedder:
        """Return the embedder that searches ask: *serving*, as long as it does."""
        if serving is None:
            return self._embedders.chosen
        return self._embedders.of(serving.choice)

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
        return Vectors(self._home)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer()

    def _read(self) -> ArchiveReader:
        if self._reader is None:
            self._reader = ArchiveReader(self._home)
        self._reader.look_through(self._redactor)
        return self._reader

    def _shown(self, answer: _T) -> _T:
        """Return an answer without what today's rules hide, whatever is stored.

        Once a sync has redacted the archive anew, that is the answer as it is.
        """
        if self._reader is None or not self._reader.is_behind:
            return answer
        return Walk(self._redactor, kept=_KEPT).redacted(answer)

    @_on_this_archive
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

    @_on_this_archive
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
        with self._writer() as writer:
            report = sync(
                writer,
                self._sources,
                self._roots_for(paths),
                named=bool(paths),
                embedders=self._at_work(writer),
                clock=self._clock,
                progress=progress,
                redactor=self._redactor,
                deadline=deadline,
                wait_s=wait_s,
                never_index=self._never_index,
            )
        return replace(report, unloaded=self._installed.unloaded)

    def _at_work(self, writer: ArchiveWriter) -> list[Embedder]:
        """Return the embedder that serves, then the one chosen if it is another."""
        asked = self.embedder_asked(writer.vectors.serving())
        chosen = self._embedders.chosen
        return [asked] if asked is chosen else [asked, chosen]

    @_on_this_archive
    def embed(
        self,
        *,
        retry: bool = False,
        prune: bool = False,
        progress: Callable[[EmbedProgress], None] | None = None,
    ) -> EmbedReport:
        """Make every vector of the chosen embedder that lacks; then it serves.

        Until then the one before does. Run it again after an interruption.

        Args:
            retry: Ask again for the texts that it refused before.
            prune: Remove the vectors of every other embedder afterwards.
            progress: Called after every few messages.

        Raises:
            ArchiveNotFoundError: There is no archive yet.
            EmbeddingError: The model isn't there, or is none.
            ServerError: The server can't be used now.
            ArchiveBusyError: A sync, or another such call, was running for too long.
        """
        self._read()  # it makes no archive where there is none
        with self._writer() as writer:
            return embed_all(
                writer,
                self._embedders.chosen,
                redactor=self._redactor,
                retry=retry,
                prune=prune,
                progress=progress,
            )

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

    @_on_this_archive
    def search(
        self,
        question: str,
        *,
        mode: Mode = Mode.BOTH,
        unit: SearchUnit = SearchUnit.CONVERSATION,
        limit: int = 10,
        offset: int = 0,
        filters: Filters = NO_FILTERS,
        read_dates: bool = True,
        asked_at: datetime | None = None,
        explain: bool = False,
    ) -> Page:
        """Find the messages that answer *question*, best first, with honest counts.

        Nothing is written and no source is read. Where there is no archive yet, the
        page says so. Within one conversation every row is a message.

        Args:
            read_dates: Let what is from a time that the question names come first.
            asked_at: From when that is counted back, aware; None: from now, here.
            explain: Let each hit say what its score is made of.

        Raises:
            UsageError: *limit* or *offset* is out of range, or a filter names a source
                that there is not.
            NotRecordedError: A filter names a conversation there is not.
            SearchTooLongError: The archive took too long to answer.
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
            asked_at=self._asked_at(asked_at) if read_dates else None,
            explain=explain,
            ranking=self._ranking,
        )
        try:
            reader = self._read()
        except ArchiveNotFoundError:
            self._check_source(filters.source, None)
            return empty_page(request, freshness=Freshness())
        self._check_source(filters.source, reader)
        page = search(
            reader,
            request,
            embedder=self.embedder_asked(reader.serving()),
            vectors=self._vectors,
            tokenizer=self._tokenizer,
            rules_version=RULES_VERSION,
            freshness=self._freshness(reader),
        )
        return self._shown(page)

    def _asked_at(self, moment: datetime | None) -> datetime:
        """Return a moment in its own zone, or now in that of this machine."""
        return moment if moment is not None else self._clock().astimezone()

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
                is_kept_out=kept_out_by(reader.kept_out_units(), self._never_index),
                now=self._clock(),
                last_sync=reader.last_sync(),
                budget_s=_LOOK_S,
            )
            self._looked_at = time.monotonic()
        return self._looked

    @_on_this_archive
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
        conversation = transcript(
            self._read(),
            key,
            seq=seq,
            around=around,
            superseded=Include.SUPERSEDED in include,
            rules_version=RULES_VERSION,
        )
        return self._shown(conversation)

    @_on_this_archive
    def status(self) -> Status:
        """Return what the archive holds, how large it is and how fresh."""
        try:
            reader = self._read()
        except ArchiveNotFoundError:
            return self._empty_status()
        status = read_status(
            reader,
            home=self._home,
            chosen=self._embedders.chosen.choice,
            rules_version=RULES_VERSION,
            rules=self._redactor.stamp,
            freshness=self._freshness(reader),
            size=disk_usage(self._home),
        )
        return self._shown(status)

    @_on_this_archive
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
        found = Sources(sources=tuple(overviews), unloaded=self._installed.unloaded)
        return self._shown(found)

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
            identity=None,
            rules_version=RULES_VERSION,
            sources=(),
            ignored={},
            skipped=(),
            failed=(),
            freshness=Freshness(),
        )

    @_on_this_archive
    def verify(self, citation: str) -> Verdict:
        """Check a citation against its source, or against the archive if that is gone.

        Raises:
            UsageError: It is no citation.
            ArchiveNotFoundError: There is no archive yet.
            NotRecordedError: The archive holds no such message.
        """
        verdict = verify_citation(
            self._read(), citation, self._sources, redactor=self._redactor
        )
        return self._shown(verdict)

    @_on_this_archive
    def names(self) -> Names:
        """Return the names of the person, this machine, and what they work on.

        They come from the environment, from git's settings and from what is recorded.
        """
        try:
            folders, remotes = self._read().places()
        except ArchiveNotFoundError:
            folders = remotes = frozenset()
        return names_of_person(
            self._environ, home_dir=Path.home(), folders=folders, remotes=remotes
        )

    def redact(
        self, text: str, *, identity: bool = True
    ) -> tuple[str, Mapping[str, int]]:
        """Return *text* redacted, and the number of replacements by rule.

        Args:
            identity: Replace names, addresses and home folders too, not only secrets.
        """
        redactor = self._everything() if identity else self._redactor
        return redactor.redact_counted(text)

    def leaving(self, value: _T) -> tuple[_T, Mapping[str, int]]:
        """Return an answer as it may leave this machine, and the replacements by rule.

        Every text in it is redacted, keys and citations too. A snippet of a page in
        which anything was replaced has no marks: they are places in what it was.
        """
        redacted, counts = leaving(value, self._everything())
        if isinstance(value, Page) and isinstance(redacted, Page):
            redacted = replace(redacted, hits=_without_stale_marks(value, redacted))
        return redacted, counts

    def check_leaving(self, output: str) -> None:
        """Look at finished output, text or JSON, before it leaves this machine.

        Raises:
            LeakError: It still holds something to hide.
        """
        check_leaving(output, self._everything())

    def _everything(self) -> Redactor:
        return everything(self.names(), self._patterns)

    @_on_this_archive
    def plan_forget(self, selection: Selection) -> ForgetPlan:
        """Return what forgetting would take away. Nothing is changed.

        Raises:
            UsageError: *selection* chooses by nothing at all, or by a source there is
                not.
            ArchiveNotFoundError: There is no archive yet.
            NotRecordedError: A key names no conversation; if it was forgotten already,
                the error says when.
        """
        reader = self._read()
        self._check_source(selection.source, reader)
        return self._shown(plan_forget(reader, selection))

    @_on_this_archive
    def forget(self, plan: ForgetPlan) -> ForgetReport:
        """Remove the conversations of a plan from every file, and keep them out.

        The keys of the plan decide, with all that came to those conversations since.
        The assistants' own files are left as they are.

        Raises:
            ArchiveBusyError: The archive was being written for too long.
            ArchiveDamagedError: The list of what was forgotten beside it is damaged.
        """
        began = time.monotonic()
        self.close()  # a reader would keep the write-ahead log from being emptied
        with self._writer() as writer:
            done = writer.forgetting.forget(plan, now=self._clock())
            remains = not _finish_forgetting(writer)
        return ForgetReport(
            entry=done.entry,
            conversations=done.conversations,
            messages=done.messages,
            remains=remains,
            took_s=time.monotonic() - began,
        )

    @_on_this_archive
    def forgotten(self) -> tuple[Forgotten, ...]:
        """Return the list of what was forgotten and is kept out, the oldest first."""
        try:
            return forgotten_entries(self._read())
        except ArchiveNotFoundError:
            return ()

    @_on_this_archive
    def undo_forget(self, entry: int) -> Forgotten:
        """Let what an entry of that list keeps out be recorded again.

        Nothing is restored by that: the next sync reads what is still there.

        Raises:
            ArchiveNotFoundError: There is no archive yet.
            NotRecordedError: There is no such entry.
            ArchiveBusyError: The archive was being written for too long.
            ArchiveDamagedError: The list beside the archive is damaged.
        """
        self._read()  # it makes no archive where there is none
        with self._writer() as writer:
            return writer.forgetting.undo(entry, now=self._clock())

    @_on_this_archive
    def count_forbidden(self) -> int:
        """Return how many recorded conversations the next sync forgets by a rule."""
        try:
            return count_forbidden(self._read(), self._policy)
        except ArchiveNotFoundError:
            return 0

    @property
    def _policy(self) -> Policy:
        return Policy(
            embeddable=is_worth_embedding,
            repo_of=nearest_repository,
            never_index=self._never_index,
        )

    def _writer(self) -> ArchiveWriter:
        return ArchiveWriter(self._home, policy=self._policy)


def open_archive(
    home: Path,
    *,
    roots: Mapping[str, Sequence[Path]] | None = None,
    extra_roots: Mapping[str, Sequence[Path]] | None = None,
    environ: Mapping[str, str] | None = None,
    never_index: NeverIndex = NOTHING_KEPT_OUT,
    patterns: Mapping[str, str] | None = None,
    embedding: EmbedderChoice | None = None,
    ranking: RankingChoice | None = None,
    connect: Connect | None = None,
) -> Archive:
    """Return the archive in *home*; nothing is opened or made before it is needed.

    Args:
        roots: Where each source's history lies, by the source's name; by default where
            the assistants keep it.
        extra_roots: Where else it lies, by the source's name.
        environ: What is asked for those default places, and for the person's names; by
            default the environment.
        never_index: What is kept out.
        patterns: What is a secret besides what quoth knows for one, by its rule's name.
        embedding: What turns text into vectors; by default what quoth ships with.
        ranking: What counts in a score besides what was learned.
        connect: Who asks a server on this machine; by default this process itself.

    Raises:
        UnknownSourceError: *extra_roots* names a source that isn't installed.
    """
    if roots is None:
        known = os.environ if environ is None else environ
        roots = {
            source.name: tuple(source.default_roots(known, home=Path.home()))
            for source in installed().sources
        }
    return Archive(
        home,
        roots=_joined(roots, extra_roots or {}),
        never_index=never_index,
        patterns=patterns,
        environ=environ,
        embedder=embedder_of(
            embedding or EmbedderChoice(),
            models=models_folder(home),
            connect=connect or connected,
            environ=environ,
        ),
        ranking=ranking,
        connect=connect or connected,
    )


def models_folder(home: Path) -> Path:
    """Return where the model files are that the person handed over."""
    return home / "models"


def _make_private(folder: Path) -> None:
    """Make a folder in the data folder, and that too, for their owner alone."""
    private_folder(folder.parent, marked_by=DATABASE)
    private_folder(folder)


def _finish_forgetting(writer: ArchiveWriter) -> bool:
    """Remove the last traces, with what a killed sync left; say whether all went."""
    try:
        with writer.exclusive(wait_s=0.0):
            return writer.forgetting.finish(wait_s=_EMPTYING_S, alone=True)
    except ArchiveBusyError:  # a sync runs, and what is half written is its own
        return writer.forgetting.finish(wait_s=_EMPTYING_S, alone=False)


def _without_stale_marks(page: Page, redacted: Page) -> tuple[Hit, ...]:
    return tuple(
        new if new.snippet == old.snippet else replace(new, marks=())
        for old, new in zip(page.hits, redacted.hits, strict=True)
    )


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
