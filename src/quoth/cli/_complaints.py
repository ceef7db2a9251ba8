"""What went wrong, said on standard error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["complain", "print_bug"]


def complain(message: str, hint: str | None = None) -> None:
    """Print what happened, and what to do next, for a person.

    Neither says a secret, also where a path or a name holds one.
    """
    # Imported here: most runs have nothing to complain of.
    from quoth.redaction import redact_text

    from ._clean import clean_for_terminal
    from ._layout import folded
    from ._terminal import terminal_of

    width = terminal_of(sys.stderr, os.environ).width
    text = redact_text(f"quoth: {message}\n{hint or ''}".strip())
    for line in text.split("\n"):
        # What is indented is there to be copied whole.
        is_command = line.startswith("  ")
        lines = [clean_for_terminal(line)] if is_command else folded(line, width)
        click.echo("\n".join(lines), err=True)


def print_bug(
    kind: type[BaseException], bug: BaseException, trace: TracebackType | None
) -> None:
    """Print how a bug came about; as `sys.excepthook` does, but what it says is safe.

    An exception of somebody else's code may quote what it was given, with its secrets.
    """
    from traceback import format_exception, format_tb

    from ._clean import clean_for_terminal

    try:
        from quoth.redaction import redact_text

        told = redact_text("".join(format_exception(kind, bug, trace)))
    except Exception:  # the bug may be there
        told = "".join([*format_tb(trace), f"{kind.__name__}\n"])
    click.echo(clean_for_terminal(told), err=True, nl=False)
