"""`quoth verify`: check a citation against what it was taken from."""

from __future__ import annotations

from collections.abc import Iterator

import click

from quoth.model import Outcome, Verdict

from ._exits import FAILED
from ._options import as_json_option, epilog, whole_text
from ._runtime import Runtime

__all__ = ["command"]


@click.command(
    "verify",
    short_help="Check a citation against its source.",
    epilog=epilog("quoth verify claude_code:SESSION#12@5b0e7c1f92ad"),
)
@click.argument("citation")
@as_json_option
@click.pass_obj
def command(runtime: Runtime, *, citation: str, as_json: bool) -> int:
    """Check a citation against the file it was taken from.

    The exit status is 0 when the words are still there, or when the source is gone and
    the archive has them; 1 when they have changed or were never recorded.
    """
    with runtime.open_archive(runtime.settings().home) as archive:
        verdict = archive.verify(whole_text(citation))
    if as_json:
        from ._json import document, verdict_json

        click.echo(document(verdict_json(verdict)))
    else:
        click.echo("\n".join(_lines(verdict)))
    return 0 if verdict.outcome in (Outcome.VERIFIED, Outcome.ARCHIVE_ONLY) else FAILED


def _lines(verdict: Verdict) -> Iterator[str]:
    from ._layout import one_line

    yield _SAYS[verdict.outcome]
    yield f"  {one_line(verdict.citation)}"
    if verdict.path is not None:
        yield f"  {one_line(str(verdict.path))}{_span(verdict)}"
    if verdict.detail:
        yield f"  {one_line(verdict.detail)}"


def _span(verdict: Verdict) -> str:
    if verdict.offset is None or verdict.length is None:
        return ""
    return f", bytes {verdict.offset} to {verdict.offset + verdict.length}"


_SAYS = {
    Outcome.VERIFIED: "Verified: the source still says this.",
    Outcome.ARCHIVE_ONLY: "The source is gone; the archive's own copy still says this.",
    Outcome.CHANGED: "Changed: the source no longer says this.",
    Outcome.NEVER_SAID: "Not said: no such text is recorded at this place.",
}
