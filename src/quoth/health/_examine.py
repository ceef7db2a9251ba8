"""Everything that can be wrong, looked at once. Nothing is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from quoth.archive import Archive
from quoth.errors import QuothError
from quoth.model import Finding, Health, Section
from quoth.store import ArchiveReader, KnownUnit, UnitKey, explained

from ._agreement import sources_agree
from ._archive import (
    archive_checks,
    newest_rules,
    open_reader,
    traces,
    write_ahead_log,
)
from ._finding import explaining, guarded, in_our_words
from ._meaning import embedded, flat_copy, vectors_fit
from ._places import data_folder, files, free_space
from ._program import embedder_works, packages, python, sqlite
from ._running import sync_at_work
from ._seal import sealed
from ._sources import deleted_soon, places, unloaded, unread

__all__ = ["SOURCE_SAMPLE", "examine"]

SOURCE_SAMPLE = 200
"""Messages that are read again at their source."""

_INDEX_SAMPLE = 500
"""Messages whose words are compared with the index, 2 ms each at 100,000."""

_SOURCE_BUDGET_S = 5.0
"""Some formats tell whose words a record holds only when all before it is read."""


def examine(
    archive: Archive,
    *,
    home_named_by: str,
    deep: bool = False,
    known_before: Iterable[Finding] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Health:
    """Look at everything, and return what was found, in the order of the sections.

    Args:
        home_named_by: Which setting names the data folder, for a person.
        deep: Compare every message with its source and the index, not some.
        known_before: What the caller found out already.
        progress: Told what is looked at next.
    """
    began = time.monotonic()
    findings = [*known_before]
    opened = open_reader(archive.home)
    reader = opened if isinstance(opened, ArchiveReader) else None
    try:
        if reader is not None:
            with suppress(QuothError), in_our_words(archive.home):
                reader.look_through(archive.redactor)
        parts: tuple[tuple[str, Iterator[Finding]], ...] = (
            ("the data folder", _places(archive, home_named_by)),
            ("this Python", _program(archive)),
            ("the sources", _sources(archive, reader)),
            ("the archive", _archive(archive, opened, deep=deep)),
            ("what is running", _running(archive)),
        )
        for about, found in parts:
            progress(about)
            findings += found
    finally:
        if reader is not None:
            reader.close()
    order = list(Section)
    findings.sort(key=lambda finding: order.index(finding.section))
    return Health(
        home=archive.home,
        findings=tuple(findings),
        took_s=time.monotonic() - began,
    )


def _places(archive: Archive, home_named_by: str) -> Iterator[Finding]:
    home, section = archive.home, Section.PLACES
    yield from guarded(
        section, "data-folder", lambda: data_folder(home, named_by=home_named_by)
    )
    yield from guarded(section, "disk-space", lambda: free_space(home))
    yield from guarded(section, "file-permissions", lambda: files(home))


def _program(archive: Archive) -> Iterator[Finding]:
    section = Section.PROGRAM
    yield from guarded(section, "python", python)
    yield from guarded(section, "sqlite", sqlite)
    yield from guarded(section, "packages", packages)
    yield from guarded(section, "seal", sealed)
    yield from guarded(section, "embedder", lambda: embedder_works(archive.embedder))


def _sources(archive: Archive, reader: ArchiveReader | None) -> Iterator[Finding]:
    section, roots = Section.SOURCES, archive.roots
    known: Mapping[UnitKey, KnownUnit] = {}
    if reader is not None:
        with suppress(QuothError), in_our_words(archive.home):
            known = reader.known_units()  # where it can't tell, its own check does
    installed = archive.installed
    yield from guarded(
        section, "places", lambda: places(installed.sources, roots, known)
    )
    yield from guarded(section, "unloaded-source", lambda: unloaded(installed.unloaded))
    for source in installed.sources:
        if source.name == _CLAUDE_CODE:
            yield from guarded(
                section,
                "claude-code-deletes",
                partial(
                    deleted_soon,
                    source,
                    roots.get(source.name, ()),
                    known,
                    now=archive.now(),
                ),
            )
    if reader is not None:
        yield from guarded(section, "unread", lambda: _unread(archive))


def _unread(archive: Archive) -> Iterator[Finding]:
    status = archive.status()
    return unread(status.failed, status.skipped)


def _archive(
    archive: Archive, opened: ArchiveReader | Finding, *, deep: bool
) -> Iterator[Finding]:
    if isinstance(opened, Finding):
        yield opened
        return
    reader, home = opened, archive.home
    embedder = archive.embedder_asked(reader.serving())
    looks: Mapping[str, Callable[[], Iterable[Finding]]] = {
        "log": lambda: write_ahead_log(reader, home),
        "rules": lambda: newest_rules(reader, archive.redactor.stamp),
        "traces": lambda: traces(reader),
        "embedded": lambda: embedded(reader, embedder),
        "vector-sample": lambda: vectors_fit(reader, embedder),
        "flat-copy": lambda: flat_copy(reader, home),
        "sources-agree": lambda: sources_agree(
            reader,
            archive.installed.sources,
            archive.roots,
            redactor=archive.redactor,
            most=None if deep else SOURCE_SAMPLE,
            budget_s=None if deep else _SOURCE_BUDGET_S,
        ),
    }
    with _one_moment(reader, home):
        yield from archive_checks(reader, home, most=None if deep else _INDEX_SAMPLE)
        for check, look in looks.items():
            yield from guarded(Section.ARCHIVE, check, explaining(home, look))


@contextmanager
def _one_moment(reader: ArchiveReader, home: Path) -> Iterator[None]:
    """Let all checks see the archive of one moment, whoever writes it meanwhile."""
    with explained(home):
        reader.begin()
    try:
        yield
    finally:
        with explained(home):
            reader.end()


def _running(archive: Archive) -> Iterator[Finding]:
    return guarded(Section.RUNNING, "sync", lambda: sync_at_work(archive.home))


_CLAUDE_CODE = "claude_code"
