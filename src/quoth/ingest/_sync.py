"""One pass over the sources: read what changed, redact it, store it, embed it."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from quoth.embedding import Embedder
from quoth.errors import UnknownFormatError, UnreadableUnitError
from quoth.model import (
    NOTHING_KEPT_OUT,
    Append,
    Checkpoint,
    FailedUnit,
    NeverIndex,
    Progress,
    Replace,
    Skipped,
    SkippedRecords,
    SyncReport,
    Unit,
)
from quoth.redaction import SECRETS, Redactor, redact
from quoth.sources import OutOfTimeError, Source, looking_until
from quoth.store import ArchiveWriter, KnownUnit, UnitKey

from ._changes import (
    Found,
    Recogniser,
    failures_passed,
    gone_from,
    is_settled,
    is_unchanged,
    kept_out_by,
    units_of,
    unreachable_places,
)
from ._embedding import Embeddings
from ._reading import reading
from ._reredaction import redact_anew

__all__ = ["sync"]

_EMBED_EVERY = 512
"""Messages. Text and vectors are two commits; in between, words are found already."""

_EMPTYING_S = 1.0
"""How long a sync waits for programs that read what was forgotten before."""

_SHORTEST_LOOK_S = 0.1
"""However little time there is, some is taken to see what there is to read."""


@dataclass(slots=True)
class _Tally:
    """What a sync has done so far."""

    units: int = 0
    units_read: int = 0
    bytes_read: int = 0
    new: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    messages: int = 0
    superseded: int = 0
    reredacted: int = 0
    reopened: bool = False
    kept_out: int = 0
    units_kept_out: int = 0
    purged: int = 0
    lost: set[int] = field(default_factory=set)
    redacted: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    skipped: list[SkippedRecords] = field(default_factory=list)
    failed: list[FailedUnit] = field(default_factory=list)
    unavailable: list[Path] = field(default_factory=list)
    unrecognised: list[Path] = field(default_factory=list)
    interrupted: bool = False


def sync(
    writer: ArchiveWriter,
    sources: Sequence[Source],
    roots: Mapping[str, Sequence[Path]],
    *,
    embedders: Sequence[Embedder],
    clock: Callable[[], datetime],
    redactor: Redactor = SECRETS,
    named: bool = False,
    progress: Callable[[Progress], None] | None = None,
    deadline: float | None = None,
    wait_s: float = 5.0,
    never_index: NeverIndex = NOTHING_KEPT_OUT,
) -> SyncReport:
    """Bring the archive up to date with what lies under *roots*.

    Interrupting it at any point loses nothing that was committed, and running it again
    gives what one uninterrupted run gives.

    Args:
        embedders: What makes vectors: the one that searches ask, then the one that a
            person chose instead, if that is another.
        redactor: Takes out of every text what may not be stored.
        named: A person named *roots*: they may hold anything, so ask who knows it.
        deadline: A `time.monotonic` moment after which no further batch is begun.
        wait_s: How long to wait for another sync to end.
        never_index: The rules that *writer* keeps to: what they forbid isn't opened.

    Raises:
        ArchiveBusyError: Another sync was still running after *wait_s* seconds.
        ArchiveDamagedError: The list of what was forgotten is damaged.
    """
    began = time.monotonic()
    tally = _Tally()
    with writer.exclusive(wait_s=wait_s):
        writer.forgetting.agree()
        run = _Run(
            writer, embedders, clock, redactor, tally, progress, deadline, never_index
        )
        try:
            run.forget_what_rules_forbid()
            run.finish_forgetting()
            if run.redact_anew():
                run.read_all(sources, roots, named=named)
            run.embeddings.embed_pending(is_late=run.is_late)
            if not run.is_late():
                writer.finish_sync(now=clock())
            run.finish_forgetting()
            run.embeddings.serve()
        except KeyboardInterrupt:
            tally.interrupted = True
    return _report(
        tally,
        roots,
        embeddings=run.embeddings,
        new=writer.listed(tally.new),
        changed=writer.listed(tally.changed - tally.new),
        gone=writer.gone_conversations(),
        began=began,
    )


class _Run:
    """A sync on its way: the writer, the clock, and what was done."""

    def __init__(
        self,
        writer: ArchiveWriter,
        embedders: Sequence[Embedder],
        clock: Callable[[], datetime],
        redactor: Redactor,
        tally: _Tally,
        progress: Callable[[Progress], None] | None,
        deadline: float | None,
        never_index: NeverIndex,
    ) -> None:
        self._writer = writer
        self._never_index = never_index
        self.embeddings = Embeddings(
            writer, [each for each in embedders if each.is_quick or deadline is None]
        )
        self._clock = clock
        self._redactor = redactor
        self._tally = tally
        self._progress = progress
        self._deadline = deadline
        self._unembedded = 0
        self._bytes_total = 0
        self._units_total = 0

    def is_late(self) -> bool:
        """Say whether no further batch may be begun."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def forget_what_rules_forbid(self) -> None:
        """Remove what is recorded and new rules forbid. A short look leaves that."""
        if self._deadline is None:
            self._tally.purged += self._writer.forgetting.follow_rules(
                now=self._clock()
            )

    def finish_forgetting(self) -> None:
        """Remove the traces of what was removed, as far as there is time for it."""
        if self._deadline is None:
            self._writer.forgetting.finish(wait_s=_EMPTYING_S, alone=True)
        else:
            self._writer.forgetting.finish_log()

    def redact_anew(self) -> bool:
        """Let newer rules go through what is stored; say whether they are through.

        Until then nothing is read: a record read again would not find its message.
        """
        changed, is_all = redact_anew(
            self._writer,
            self._redactor,
            is_late=self.is_late,
            progress=self._progress,
        )
        self._tally.reredacted += changed
        return is_all

    def read_all(
        self,
        sources: Sequence[Source],
        roots: Mapping[str, Sequence[Path]],
        *,
        named: bool,
    ) -> None:
        """Read every unit that changed, and note which are gone."""
        known = self._writer.known_units()
        looked_at = self._clock().timestamp()
        try:
            with looking_until(self._end_of_look()):
                found = self._find(sources, roots, known, named=named)
        except OutOfTimeError:  # to know what is gone, all that is there must be known
            return
        self._tally.units = len(found)
        self._tally.units_kept_out = sum(
            each.is_kept_out and each.known is None for each in found
        )
        self._note_gone(found, known, roots)
        wanted = [each for each in found if not is_unchanged(each)]
        self._units_total = len(wanted)
        self._bytes_total = sum(each.unit.size for each in wanted)
        for each in wanted:
            self._read(each, looked_at)
            if self.is_late():  # asked afterwards: however short the time, it is used
                return
        for each in self._reopened(found):
            self._read(each, looked_at)
            if self.is_late():
                return

    def _find(
        self,
        sources: Sequence[Source],
        roots: Mapping[str, Sequence[Path]],
        known: Mapping[UnitKey, KnownUnit],
        *,
        named: bool,
    ) -> list[Found]:
        kept_out = kept_out_by(self._writer.kept_out_units(), self._never_index)
        if not named:
            return [*units_of(sources, roots, known, is_kept_out=kept_out)]
        recogniser = Recogniser()
        found = [
            *units_of(
                sources,
                roots,
                known,
                accepts=recogniser.accepts,
                is_kept_out=kept_out,
            )
        ]
        refused = recogniser.unrecognised()
        named_paths = dict.fromkeys(path for paths in roots.values() for path in paths)
        if not found:
            tried = tuple(source.name for source in sources)
            raise UnknownFormatError(next(iter(named_paths)), tried=tried)
        taken = {each.unit.path for each in found}
        empty = [path for path in named_paths if not _holds_any(path, taken, refused)]
        self._tally.unrecognised = sorted({*refused, *empty})
        return found

    def _end_of_look(self) -> float:
        if self._deadline is None:
            return math.inf
        return max(self._deadline, time.monotonic() + _SHORTEST_LOOK_S)

    def _reopened(self, found: Sequence[Found]) -> list[Found]:
        """Return units that became of interest again by what others no longer hold."""
        if not self._tally.reopened:
            return []
        known = self._writer.known_units()
        return [
            replace(each, known=known[each.key])
            for each in found
            if each.key in known and known[each.key].is_reopened
        ]

    def _note_gone(
        self,
        found: Sequence[Found],
        known: Mapping[UnitKey, KnownUnit],
        roots: Mapping[str, Sequence[Path]],
    ) -> None:
        present = {each.key for each in found}
        self._tally.unavailable = unreachable_places(known, roots)
        if gone := gone_from(known, present, roots):
            self._tally.lost = self._writer.mark_gone(gone, now=self._clock())
        if healed := failures_passed(known, present, roots):
            self._writer.drop_failures(healed)
        back = [each.known for each in found if each.known and each.known.gone]
        if back:
            self._writer.mark_back(back)

    def _read(self, found: Found, looked_at: float) -> None:
        source, unit, known = found.source, found.unit, found.known
        since = None
        if known is not None and known.parser_version == source.parser_version:
            since = self._writer.checkpoint_of(known)
        settled = is_settled(unit, looked_at=looked_at)
        reasons: Counter[str] = Counter()
        resumed_at: int | None = since.offset if since else 0
        read_before = 0
        try:
            for batch, skipped, is_last in _batches(_steps(source, unit, since)):
                if resumed_at is not None and isinstance(batch, Append):
                    read_before = resumed_at
                self._store(found, batch, skipped, resumed_at, settled, is_last)
                reasons.update(skip.reason for skip in skipped)
                resumed_at = None
                self._report_progress(source.name, batch.checkpoint.offset)
                if self.is_late() and not is_last:
                    return
        except UnreadableUnitError as exc:
            self._writer.fail(
                source.name,
                unit,
                exc.why,
                parser_version=source.parser_version,
                settled=settled,
                now=self._clock(),
            )
            self._tally.failed.append(
                FailedUnit(
                    source=source.name, path=unit.path, part=unit.part, reason=exc.why
                )
            )
            return
        finally:
            if reasons:
                self._tally.skipped.append(
                    SkippedRecords(
                        source=source.name,
                        path=unit.path,
                        part=unit.part,
                        reasons=reasons,
                    )
                )
        self._tally.units_read += 1
        self._tally.bytes_read += max(0, unit.size - read_before)  # it may be packed

    def _store(
        self,
        found: Found,
        batch: Append | Replace,
        skipped: Sequence[Skipped],
        resumed_at: int | None,
        settled: bool,
        is_last: bool,
    ) -> None:
        redacted = redact(batch, self._redactor)
        applied = self._writer.apply(
            found.source.name,
            found.unit,
            redacted,
            skipped=skipped,
            resumed_at=resumed_at,
            parser_version=found.source.parser_version,
            ends_unit=is_last,
            settled=settled,
            now=self._clock(),
        )
        self._tally.new |= applied.new_conversations
        self._tally.changed |= applied.changed_conversations
        self._tally.messages += applied.new_messages
        self._tally.superseded += applied.superseded
        self._tally.reopened |= applied.reopened
        self._tally.kept_out += applied.kept_out
        self._tally.purged += applied.purged
        self._tally.redacted.update(redacted.replacements)
        for kind, count in redacted.batch.ignored.items():
            self._tally.ignored[f"{found.source.name}:{kind}"] += count
        self._unembedded += applied.new_messages
        if self._unembedded >= _EMBED_EVERY:
            self.embeddings.embed_pending(is_late=self.is_late, only_quick=True)
            self._unembedded = 0

    def _report_progress(self, source: str, offset: int) -> None:
        if self._progress is not None:
            self._progress(
                Progress(
                    source=source,
                    units=self._tally.units_read,
                    units_total=self._units_total,
                    bytes=self._tally.bytes_read + offset,
                    bytes_total=self._bytes_total,
                    messages=self._tally.messages,
                )
            )


def _holds_any(place: Path, *files: Iterable[Path]) -> bool:
    return any(path.is_relative_to(place) for paths in files for path in paths)


def _steps(
    source: Source, unit: Unit, since: Checkpoint | None
) -> Iterator[Append | Replace | Skipped]:
    with reading(unit):
        yield from source.read(unit, since)


def _batches(
    steps: Iterable[Append | Replace | Skipped],
) -> Iterator[tuple[Append | Replace, list[Skipped], bool]]:
    """Yield each batch with what was skipped before it, and whether it is the last."""
    waiting: Append | Replace | None = None
    skipped: list[Skipped] = []
    earlier: list[Skipped] = []
    for step in steps:
        if isinstance(step, Skipped):
            skipped.append(step)
            continue
        if waiting is not None:
            yield waiting, earlier, False
        waiting, earlier, skipped = step, skipped, []
    if waiting is not None:
        yield waiting, [*earlier, *skipped], True


def _report(
    tally: _Tally,
    roots: Mapping[str, Sequence[Path]],
    *,
    embeddings: Embeddings,
    new: tuple[int, int],
    changed: tuple[int, int],
    gone: set[int],
    began: float,
) -> SyncReport:
    return SyncReport(
        units=tally.units,
        units_read=tally.units_read,
        bytes_read=tally.bytes_read,
        conversations_new=new[0],
        subagents_new=new[1],
        conversations_changed=sum(changed),
        messages_new=tally.messages,
        messages_superseded=tally.superseded,
        reredacted=tally.reredacted,
        kept_out=tally.kept_out,
        units_kept_out=tally.units_kept_out,
        purged=tally.purged,
        gone=len(gone),
        newly_gone=len(tally.lost & gone),  # what only moved was found again
        embedded=embeddings.embedded,
        not_embedded=embeddings.lacking(),
        refused=embeddings.refused,
        meaning_off=embeddings.problem,
        redacted=dict(sorted(tally.redacted.items())),
        ignored=dict(sorted(tally.ignored.items())),
        skipped=tuple(tally.skipped),
        failed=tuple(tally.failed),
        unavailable=tuple(tally.unavailable),
        unrecognised=tuple(tally.unrecognised),
        places=tuple(
            dict.fromkeys(place for places in roots.values() for place in places)
        ),
        interrupted=tally.interrupted,
        took_s=time.monotonic() - began,
    )
