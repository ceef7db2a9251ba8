"""`quoth embed`: make the vectors that searches by meaning need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ._exits import INTERRUPTED
from ._options import as_json_option, epilog
from ._progress import drawn
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.model import EmbedProgress

    from ._terminal import Terminal

__all__ = ["command"]


@click.command(
    "embed",
    short_help="Make what searches by meaning need.",
    epilog=epilog("quoth embed", "quoth embed --prune"),
)
@click.option(
    "--retry", is_flag=True, help="Ask again for texts that were refused before."
)
@click.option(
    "--prune", is_flag=True, help="Then remove what other embedders have made."
)
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, retry: bool, prune: bool, as_json: bool) -> int:
    """Make what searches by meaning need, with the embedder that was chosen.

    A sync does so too, but for no longer than 10 seconds with an embedder that takes
    its time. This takes as long as it takes, the newest messages first. Until it is
    through, searches ask the embedder from before. Interrupt it when you like, and run
    it again: it goes on where it stopped.
    """
    settings = runtime.settings()
    with runtime.open_archive(settings) as archive, drawn(runtime, _text) as progress:
        report = archive.embed(retry=retry, prune=prune, progress=progress)
    if report.interrupted:
        click.echo(err=True)
    if as_json:
        from ._json import document, embed_json

        click.echo(document(embed_json(report)))
    else:
        from ._embed_text import embed_text

        click.echo(embed_text(report, terminal=runtime.output()))
    if report.interrupted:
        click.echo("quoth: Interrupted. Run it again to go on.", err=True)
        return INTERRUPTED
    return 0


def _text(progress: EmbedProgress, *, elapsed: float, terminal: Terminal) -> str:
    from ._embed_text import progress_text

    return progress_text(progress, elapsed=elapsed, terminal=terminal)
