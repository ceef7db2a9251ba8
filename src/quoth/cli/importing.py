"""`quoth import`: take in what a person names, such as an export."""

from __future__ import annotations

from pathlib import Path

import click

from ._options import as_json_option, epilog
from ._reading import read_histories
from ._runtime import Runtime

__all__ = ["command"]


@click.command(
    "import",
    short_help="Take in an export, or any file or folder of conversations.",
    epilog=epilog(
        "quoth import ~/Downloads/chatgpt-export.zip",
        "quoth import ~/code/harbor/.specstory",
    ),
)
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, paths: tuple[Path, ...], as_json: bool) -> int:
    """Take in what each PATH holds: an export of ChatGPT or Claude, zipped or not, or
    a file or folder of any history that quoth reads.

    A zip is read where it is and never unpacked; each part of it that holds
    conversations counts as a file. Importing again adds only what is new, and nothing
    that is missing from a newer export is lost. The exit status is 3 when some of it
    could not be used.

    Nothing looks at PATH again later: import it again, or name it in the setting
    `paths.<source>` to let every sync read it.
    """
    return read_histories(runtime, paths, as_json=as_json)
