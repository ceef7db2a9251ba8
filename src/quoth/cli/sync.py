"""`quoth sync`: read what is new."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.model import SyncReport

from ._exits import INTERRUPTED, SKIPPED_SOME
from ._options import as_json_option, epilog
from ._runtime import Runtime

if TYPE_CHECKING:
    from collections.abc import Callable

    from quoth.model import Progress

__all__ = ["command"]


@click.command(
    "sync",
    short_help="Read what is new.",
    epilog=epilog("quoth sync", "quoth sync ~/Downloads/conversation.jsonl"),
)
@click.argument(
    "paths",
    metavar="[PATH]...",
    nargs=-1,
    type=click.Path(exists=True, path_type=Path),
)
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, paths: tuple[Path, ...], as_json: bool) -> int:
    """Read what is new in the histories on this machine, or in each PATH.

    Nothing is written to where it is read from. A sync that was interrupted goes on
    where it stopped. The exit status is 3 when some input could not be used.
    """
    home = runtime.settings().home
    with runtime.open_archive(home) as archive, _progress(runtime) as progress:
        report = archive.sync([path.absolute() for path in paths], progress=progress)
    if report.interrupted:
        # The terminal wrote ^C where the cursor was; what follows begins a line.
        click.echo(err=True)
    _print(report, runtime, as_json=as_json)
    if report.interrupted:
        click.echo("quoth: Interrupted. Run it again to go on.", err=True)
        return INTERRUPTED
    return SKIPPED_SOME if report.skipped or report.failed else 0


@contextmanager
def _progress(runtime: Runtime) -> Iterator[Callable[[Progress], None] | None]:
    terminal = runtime.errors()
    if not terminal.live:
        yield None
        return
    from ._sync_text import ProgressLine

    line = ProgressLine(sys.stderr, terminal, time.monotonic)
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
