"""What went wrong, said on standard error."""

from __future__ import annotations

import os
import sys

import click

__all__ = ["complain"]


def complain(message: str, hint: str | None = None) -> None:
    """Print what happened, and what to do next, for a person."""
    # Imported here: most runs have nothing to complain of.
    from ._clean import clean_for_terminal
    from ._layout import folded
    from ._terminal import terminal_of

    width = terminal_of(sys.stderr, os.environ).width
    for line in f"quoth: {message}\n{hint or ''}".strip().split("\n"):
        # What is indented is there to be copied whole.
        is_command = line.startswith("  ")
        lines = [clean_for_terminal(line)] if is_command else folded(line, width)
        click.echo("\n".join(lines), err=True)
