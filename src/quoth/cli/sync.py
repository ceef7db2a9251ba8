"""`quoth sync`: read what is new."""

from __future__ import annotations

from pathlib import Path

import click

from ._options import as_json_option, epilog
from ._reading import read_histories
from ._runtime import Runtime

__all__ = ["command"]


@click.command(
    "sync",
    short_help="Read what is new.",
    epilog=epilog("quoth sync", "quoth sync ~/backup/.claude"),
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
    """Read what is new in the histories on this machine.

    With a PATH, it reads that instead, once: the same as `quoth import PATH`. Nothing
    is written to where it is read from. A sync that was interrupted goes on where it
    stopped, when it is run again. The exit status is 3 when some input could not be
    used.
    """
    return read_histories(runtime, paths, as_json=as_json)
