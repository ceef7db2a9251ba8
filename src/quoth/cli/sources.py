"""`quoth sources`: what is looked for where, and what was found."""

from __future__ import annotations

import click

from ._options import as_json_option, epilog
from ._runtime import Runtime

__all__ = ["command"]


@click.command(
    "sources",
    short_help="Say which histories are read, and from where.",
    epilog=epilog("quoth sources"),
)
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, as_json: bool) -> None:
    """Say which assistants' histories are read, from where, and what they can tell.

    No history is opened for it: only the files are listed.
    """
    with runtime.open_archive(runtime.settings()) as archive:
        found = archive.sources()
    if as_json:
        from ._json import document, sources_json

        click.echo(document(sources_json(found)))
        return
    from ._sources_text import sources_text

    terminal = runtime.output()
    text = sources_text(found, now=runtime.now(), terminal=terminal)
    click.echo(text, color=terminal.colour)
