"""Making anew everything that is derived, and checking again."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from quoth.archive import Archive
from quoth.errors import QuothError
from quoth.ingest import Embedding
from quoth.model import EmbedProgress, Finding, Health, HealthState, Repair
from quoth.store import ArchiveWriter
from quoth.store.checking import (
    REBUILD_STEPS,
    discard_vectors,
    make_indexes_anew,
)

from ._archive import POLICY
from ._examine import examine
from ._finding import in_our_words
from ._meaning import ALTERED_VECTORS
from ._places import walked

__all__ = ["repair"]


def repair(
    archive: Archive,
    *,
    home_named_by: str,
    deep: bool = False,
    known_before: Iterable[Finding] = (),
    progress: Callable[[str], None] = lambda _: None,
    wait_s: float = 5.0,
) -> Health:
    """Make everything derived anew from the rows, then look at everything.

    But for what was forgotten, no message, membership, tool call, token count or told
    fact is removed, and no source is read. Killed at any moment, it can be run again.

    Args:
        wait_s: How long to wait for a sync to end.

    Raises:
        ArchiveBusyError: A sync or another repair is running.
    """
    known = [*known_before]
    before = examine(
        archive, home_named_by=home_named_by, known_before=known, progress=progress
    )
    run = _Run(progress)
    archive.close()  # its reader would keep the log from being folded in
    _make_private(archive, run)
    unopened = [each for each in before.findings if each.check == "archive"]
    if unopened and unopened[0].state is HealthState.PROBLEM:
        run.failed.append("The archive can't be opened, so nothing in it was touched.")
    elif not unopened or unopened[0].state is HealthState.WARNING:
        with in_our_words(archive.home):
            _rebuild(archive, run, before, wait_s=wait_s)
    after = examine(
        archive,
        home_named_by=home_named_by,
        deep=deep,
        known_before=known,
        progress=progress,
    )
    done = Repair(done=tuple(run.done), failed=tuple(run.failed), embedded=run.embedded)
    return replace(after, repair=done)


@dataclass(slots=True)
class _Run:
    """A repair on its way: what was done, what failed and why."""

    progress: Callable[[str], None]
    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    embedded: int = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Do a step; one that fails does not keep the others from being done."""
        self.progress(name)
        try:
            yield
        except QuothError as error:
            self.failed.append(f"{name}: {error}")
        else:
            self.done.append(name)


def _make_private(archive: Archive, run: _Run) -> None:
    """Take from others what they may do with files and folders of ours."""
    home = archive.home
    if not home.is_dir() or home.is_symlink():
        return
    tightened = 0
    for path in (home, *walked(home)):
        status = path.lstat()
        if _is_ours_alone(status) and stat.S_IMODE(status.st_mode) & 0o077:
            path.chmod(stat.S_IMODE(status.st_mode) & 0o700)
            tightened += 1
    if tightened:
        run.done.append("permissions")


def _is_ours_alone(status: os.stat_result) -> bool:
    """Say whether changing the mode changes nothing but what lies in our folder."""
    has_second_name = stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    is_of_another = status.st_uid != os.getuid()
    return not (has_second_name or is_of_another or stat.S_ISLNK(status.st_mode))


def _rebuild(archive: Archive, run: _Run, before: Health, *, wait_s: float) -> None:
    home = archive.home
    broken = {
        finding.check
        for finding in before.findings
        if finding.state is HealthState.PROBLEM
    }
    with ArchiveWriter(home, policy=POLICY) as writer, writer.exclusive(wait_s=wait_s):
        with run.step("what was forgotten"), in_our_words(home):
            writer.forgetting.agree()
        if "sqlite" in broken:
            with run.step("SQLite's indexes"), in_our_words(home):
                writer.rebuild(make_indexes_anew)
        if broken & {ALTERED_VECTORS, "embedded"}:
            with run.step("old vectors"), in_our_words(home):
                writer.rebuild(discard_vectors)
        for name, step in REBUILD_STEPS.items():
            with run.step(name), in_our_words(home):
                writer.rebuild(step)
        with run.step("embedding"), in_our_words(home):
            _embed(archive, writer, run)


def _embed(archive: Archive, writer: ArchiveWriter, run: _Run) -> None:
    """Give every text that has none its vectors, and write the copy of them."""
    work = Embedding(writer, archive.embedder_asked(writer.vectors.serving()))

    def tell(progress: EmbedProgress) -> None:
        run.progress(f"embedding: {progress.done:,} of {progress.total:,} messages")

    try:
        work.embed_pending(is_late=lambda: False, progress=tell)
    finally:
        run.embedded = work.embedded
        work.serve()
