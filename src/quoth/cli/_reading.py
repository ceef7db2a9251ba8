"""Reading histories with a line of progress: what `sync` and `import` both do."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.model import SyncReport

from ._exits import INTERRUPTED, SKIPPED_SOME
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.model import Progress

__all__ = ["read_histories"]


def read_histories(runtime: Runtime, paths: Sequence[Path], *, as_json: bool) -> int:
    """Read what is new, print what came of it, and return the exit status."""
    settings = runtime.settings()
    with runtime.open_archive(settings) as archive, _progress(runtime) as progress:
        report = archive.sync([path.absolute() for path in paths], progress=progress)
    if report.interrupted:
        # The terminal wrote ^C where the cursor was; what follows begins a line.
        click.echo(err=True)
    _print(report, runtime, as_json=as_json)
    if report.interrupted:
        click.echo("quoth: Interrupted. Run it again to go on.", err=True)
        return INTERRUPTED
    skipped_some = report.skipped or report.failed or report.unloaded
    return SKIPPED_SOME if skipped_some else 0


@contextmanager
def _progress(runtime: Runtime) -> Iterator[Callable[[Progress], None] | None]:
    terminal = runtime.errors()
    if not terminal.live:
        yield None
        return
    from ._progress import ProgressLine
    from ._sync_text import progress_text

    line = ProgressLine(sys.stderr, terminal, time.monotonic, progress_text)
    try:
        yield line.update
    finally:
        line.clear()


def _print(report: SyncReport, runtime: Runtime, *, as_json: bool) -> None:
    if as_json:
        from ._json import document, sync_json

        click.echo(document(sync_json(report)))
    else:
        from ._sync_text import sync_text

        click.echo(sync_text(report, terminal=runtime.output()))
