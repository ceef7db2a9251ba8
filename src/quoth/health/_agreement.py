"""Does the archive say what its sources say? Some of it, or all, is read again.

A page of the database that was overwritten with another old page of it, or a flipped
bit in a text, is nothing that SQLite could notice: only the source can tell.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.errors import QuothError
from quoth.ingest import verify
from quoth.model import Finding, Outcome, Section
from quoth.redaction import RULES_VERSION, Redactor
from quoth.sources import Source
from quoth.store import ArchiveReader, KnownUnit, UnitKey
from quoth.store.checking import sampled_citations

from ._finding import counted, ok, problem

__all__ = ["sources_agree"]


def sources_agree(
    reader: ArchiveReader,
    sources: Sequence[Source],
    roots: Mapping[str, Sequence[Path]],
    *,
    redactor: Redactor,
    most: int | None,
    budget_s: float | None,
) -> Iterator[Finding]:
    """Read the sources of some messages again, and compare.

    A file that changed since it was read is left to the next sync.
    """
    deadline = None if budget_s is None else time.monotonic() + budget_s
    unchanged = _Unchanged(sources, roots, reader.known_units())
    altered: list[str] = []
    outcomes: Counter[str] = Counter()
    chosen = sampled_citations(reader, most=most, rules_version=RULES_VERSION)
    for citation, unit in chosen:
        if unit not in unchanged:
            outcomes["passed"] += 1
            continue
        outcome = _outcome(reader, citation, sources, redactor)
        outcomes[outcome] += 1
        if outcome == Outcome.CHANGED:
            altered.append(citation)
        if deadline is not None and time.monotonic() > deadline:
            break
    yield _finding(outcomes, altered)


def _finding(outcomes: Counter[str], altered: Sequence[str]) -> Finding:
    check, section = "sources-agree", Section.ARCHIVE
    agreed = outcomes[Outcome.VERIFIED]
    compared = agreed + len(altered)
    details = []
    if unread := outcomes["unread"] + outcomes[Outcome.ARCHIVE_ONLY]:
        details.append(f"their file can't be read: {unread:,}")
    if outcomes["passed"]:
        details.append(f"their file is gone or has changed: {outcomes['passed']:,}")
    if altered:
        return problem(
            section,
            check,
            f"{len(altered):,} of {counted(compared, 'message')} read again say"
            " something else at their source, though its file has not changed.",
            "The archive was altered. Keep a copy of quoth.db, then restore a backup;"
            " or move it away and run `quoth sync`.",
            *altered,
        )
    if not compared:
        return ok(section, check, "No message could be read again just now.", *details)
    return ok(
        section,
        check,
        f"{counted(compared, 'message')} read again at their source: the same.",
        *details,
    )


def _outcome(
    reader: ArchiveReader,
    citation: str,
    sources: Sequence[Source],
    redactor: Redactor,
) -> str:
    try:
        return verify(reader, citation, sources, redactor=redactor).outcome
    except QuothError:
        return "unread"
    except Exception:  # a source of another package may raise anything
        return "unread"


class _Unchanged:
    """Tells which units are as they were when they were read."""

    def __init__(
        self,
        sources: Sequence[Source],
        roots: Mapping[str, Sequence[Path]],
        known: Mapping[UnitKey, KnownUnit],
    ) -> None:
        self._sources = {source.name: source for source in sources}
        self._known = known
        self._found: set[UnitKey] = set()
        self._looked_in: set[tuple[str, str]] = set()
        for source in sources:
            self._look(source, roots.get(source.name, ()))

    def __contains__(self, key: UnitKey) -> bool:
        name, place, _ = key
        source = self._sources.get(name)
        if key not in self._found and source and (name, place) not in self._looked_in:
            self._looked_in.add((name, place))  # a person named it: it is in no place
            self._look(source, [Path(place)])
        return key in self._found

    def _look(self, source: Source, places: Sequence[Path]) -> None:
        for unit in source.discover(places):
            key = (source.name, os.fspath(unit.path), unit.part)
            kept = self._known.get(key)
            if (
                kept is not None
                and kept.state == "done"
                and kept.stamp == unit.stamp
                and kept.parser_version == source.parser_version
            ):
                self._found.add(key)
