"""Reading histories with a line of progress: what `sync` and `import` both do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.model import SyncReport

from ._exits import INTERRUPTED, SKIPPED_SOME
from ._progress import drawn
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.model import Progress

    from ._terminal import Terminal

__all__ = ["read_histories"]


def read_histories(runtime: Runtime, paths: Sequence[Path], *, as_json: bool) -> int:
    """Read what is new, print what came of it, and return the exit status."""
    settings = runtime.settings()
    with runtime.open_archive(settings) as archive, drawn(runtime, _text) as progress:
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


def _text(progress: Progress, *, elapsed: float, terminal: Terminal) -> str:
    from ._sync_text import progress_text

    return progress_text(progress, elapsed=elapsed, terminal=terminal)


def _print(report: SyncReport, runtime: Runtime, *, as_json: bool) -> None:
    if as_json:
        from ._json import document, sync_json

        click.echo(document(sync_json(report)))
    else:
        from ._sync_text import sync_text

        click.echo(sync_text(report, terminal=runtime.output()))
