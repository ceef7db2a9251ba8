"""Write docs/commands.md from what every command's --help says: `make docs`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from quoth.cli._app import app

__all__ = ["every_command", "reference"]

TARGET = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = (
    "# Commands\n\nWhat `--help` says of each command. Made by `make docs`; not for"
    " editing. What `--json` prints is in [json.md](json.md), what each error means in"
    " [errors.md](errors.md).\n"
)

_WIDTH = 78
"""What click fills in a terminal of 80 columns."""


def reference() -> str:
    """Return the page: one section for each command, in the order of the help."""
    return "\n".join((HEAD, *map(_section, every_command())))


def every_command() -> Iterator[click.Context]:
    """Yield a context for the program, each command, and each command of a group."""
    yield from _below(_context(app, "quoth", terminal_width=_WIDTH))


def _context(command: click.Command, name: str, **given: Any) -> click.Context:
    return click.Context(command, info_name=name, **command.context_settings, **given)


def _below(context: click.Context) -> Iterator[click.Context]:
    yield context
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        if command := group.get_command(context, name):
            yield from _below(_context(command, name, parent=context))


def _section(context: click.Context) -> str:
    shown = context.command.get_help(context)
    return f"## `{context.command_path}`\n\n```text\n{shown.rstrip()}\n```\n"


def main() -> int:
    """Write the page and return the exit status."""
    TARGET.write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
