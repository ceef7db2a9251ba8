"""`quoth redact`: take secrets and names out of any text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TextIO

import click

from quoth.errors import UsageError, WithheldError

from ._options import as_json_option, epilog
from ._runtime import Runtime

__all__ = ["command"]

_MOST_BYTES = 64_000_000
"""A secret may span lines, so a text is looked at whole; it takes some times itself."""


@click.command(
    "redact",
    short_help="Take secrets and names out of any text.",
    epilog=epilog(
        "quoth redact --report",
        "git log -5 | quoth redact > log-to-share.txt",
    ),
)
@click.option(
    "--secrets-only",
    is_flag=True,
    help="Leave names, addresses and home folders: replace what is never stored.",
)
@click.option(
    "--report",
    is_flag=True,
    help="Print how often each rule replaced something, and no text: so it can be "
    "passed on alone.",
)
@as_json_option
@click.pass_obj
def command(
    runtime: Runtime, *, secrets_only: bool, report: bool, as_json: bool
) -> None:
    """Print standard input with [REDACTED:rule] for each secret and name in it.

    The rules are those for what leaves quoth: keys, tokens and passwords; e-mail
    addresses, home folders, private addresses; the names of you, this machine and what
    you work on, as far as quoth has learned them; your own patterns. What they find is
    a floor, not a promise: read what you share.

    Bytes that are no UTF-8 stay as they are, and so does what steers a terminal, unless
    it is printed on one: there it is written out. More than 64 MB are refused, and text
    that would take too much work is not printed; both are errors.
    """
    text = _standard_input(runtime)
    with runtime.open_archive(runtime.settings()) as archive:
        redacted, counts = archive.redact(text, identity=not secrets_only)
    if "withheld" in counts:
        raise WithheldError
    if as_json:
        from ._json import document, redact_json

        click.echo(document(redact_json(counts, None if report else redacted)))
    elif report:
        _print_report(counts, runtime)
    elif _is_terminal(sys.stdout):
        from ._clean import clean_for_terminal

        click.echo(clean_for_terminal(redacted), nl=False)
    else:
        click.echo(redacted.encode("utf-8", "surrogateescape"), nl=False)


def _standard_input(runtime: Runtime) -> str:
    """Return what comes in; bytes that are no UTF-8 can be had back from it."""
    if sys.stdin is None:
        raise UsageError("There is no standard input to read.")
    if runtime.can_ask():
        click.echo("quoth: Reading what you type. Ctrl-D ends it.", err=True)
    content: bytes = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise UsageError(
            "More than 64 MB came in, and nothing was printed.",
            hint="Split it, where no secret goes on across: split -C 60m",
        )
    return content.decode("utf-8", "surrogateescape")


def _is_terminal(stream: TextIO | None) -> bool:
    # A stream that was closed before the start is None to Python.
    return stream is not None and stream.isatty()


def _print_report(counts: Mapping[str, int], runtime: Runtime) -> None:
    from ._redacted_text import report_text

    terminal = runtime.output()
    click.echo(report_text(counts, terminal=terminal), color=terminal.colour)
