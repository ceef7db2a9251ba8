"""`quoth verify`: check a citation against what it was taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from quoth.errors import NotRecordedError
from quoth.model import Include, Outcome, ShownMessage, Verdict

from ._exits import FAILED
from ._options import A_MESSAGE, as_json_option, epilog, whole_text
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.archive import Archive

__all__ = ["command"]


@click.command(
    "verify",
    short_help="Check a citation against its source.",
    epilog=epilog(f"quoth verify {A_MESSAGE}@8019804115dd"),
)
@click.argument("citation")
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, citation: str, as_json: bool) -> int:
    """Check a citation against the file it was taken from.

    The exit status is 0 when the words are still there, or when the source is gone and
    the archive has them; 1 when they have changed or were never recorded.
    """
    with runtime.open_archive(runtime.settings()) as archive:
        verdict = archive.verify(whole_text(citation))
        cited = None if as_json else _cited(archive, verdict)
    if as_json:
        from ._json import document, verdict_json

        click.echo(document(verdict_json(verdict)))
    else:
        _print_text(verdict, cited, runtime)
    return 0 if verdict.outcome in (Outcome.VERIFIED, Outcome.ARCHIVE_ONLY) else FAILED


def _cited(archive: Archive, verdict: Verdict) -> ShownMessage | None:
    """Return what is cited, unless that was never said or is nobody's words."""
    if verdict.outcome is Outcome.NEVER_SAID:
        return None
    key, _, seq = verdict.citation.rpartition("@")[0].rpartition("#")
    try:
        transcript = archive.show(
            key, seq=int(seq), around=0, include=frozenset({Include.SUPERSEDED})
        )
    except NotRecordedError:
        return None
    return transcript.messages[0]


def _print_text(verdict: Verdict, cited: ShownMessage | None, runtime: Runtime) -> None:
    from ._verdict_text import verdict_text

    terminal = runtime.output()
    text = verdict_text(verdict, cited, terminal=terminal)
    click.echo(text, color=terminal.colour)
