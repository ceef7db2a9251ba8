"""`quoth status`: what is recorded, how much and how fresh."""

from __future__ import annotations

import click

from quoth.model import Status

from ._options import as_json_option, epilog
from ._runtime import Runtime

__all__ = ["command"]


@click.command(
    "status",
    short_help="Say what is recorded, and how fresh it is.",
    epilog=epilog("quoth status"),
)
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, as_json: bool) -> None:
    """Say what is recorded, where, how much of it and how fresh it is."""
    with runtime.open_archive(runtime.settings()) as archive:
        status = archive.status()
    if as_json:
        from ._json import document, status_json

        click.echo(document(status_json(status)))
    else:
        _print_text(status, runtime)


def _print_text(status: Status, runtime: Runtime) -> None:
    from ._status_text import status_text

    terminal = runtime.output()
    text = status_text(status, now=runtime.now(), terminal=terminal)
    click.echo(text, color=terminal.colour)
