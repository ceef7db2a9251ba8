"""`quoth show`: a conversation, or the part around a message."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click

from quoth.errors import UsageError
from quoth.model import Include, Transcript

from ._last_page import recalled
from ._leaving import print_answer
from ._options import (
    A_MESSAGE,
    Reference,
    as_json_option,
    at_least,
    epilog,
    redact_option,
    reference_from,
)
from ._runtime import Runtime
from ._terminal import Terminal

__all__ = ["command"]

_AROUND = 5


@click.command(
    "show",
    short_help="Read a conversation.",
    epilog=epilog("quoth show 3", f"quoth show {A_MESSAGE} --around 2"),
)
@click.argument("what", metavar="KEY[#SEQ]|N")
@click.option(
    "--around",
    type=at_least(0),
    metavar="N",
    help=f"Show N messages before and after the one named; {_AROUND} by default.",
)
@click.option(
    "--include",
    type=click.Choice([Include.SUPERSEDED.value]),
    multiple=True,
    help="Also show what the source rewrote, rewound or dropped.",
)
@redact_option
@as_json_option
@click.pass_obj
def command(
    runtime: Runtime,
    *,
    what: str,
    around: int | None,
    include: tuple[str, ...],
    redacted: bool,
    as_json: bool,
) -> None:
    """Read a conversation.

    KEY shows it whole and KEY#SEQ the part around a message; a search prints both under
    each hit, as one citation. The beginning of a KEY will do where no other begins like
    it. N is the hit with that number on the last page that was printed in this
    terminal.
    """
    settings = runtime.settings()
    reference = _reference(what, settings.home)
    with runtime.open_archive(settings) as archive:
        transcript = archive.show(
            reference.key,
            seq=reference.seq,
            around=_around(around, reference),
            include=frozenset(map(Include, include)),
        )
        print_answer(
            archive,
            transcript,
            partial(_rendered, focus=reference.seq),
            redacted=redacted,
            terminal=None if as_json else runtime.output(),
        )


def _reference(what: str, home: Path) -> Reference:
    if what.isascii() and what.isdecimal():
        key, seq = recalled(home, int(what))
        return Reference(key=key, seq=seq)
    return reference_from(what)


def _around(given: int | None, reference: Reference) -> int | None:
    if reference.seq is not None:
        return _AROUND if given is None else given
    if given is not None:
        raise UsageError(
            "--around needs a message to be around.", hint="Name one: KEY#SEQ."
        )
    return None


def _rendered(
    transcript: Transcript,
    redacted: Mapping[str, int] | None,
    terminal: Terminal | None,
    *,
    focus: int | None,
) -> str:
    if terminal is None:
        from ._json import document, transcript_json

        return document(transcript_json(transcript, redacted=redacted))
    from ._transcript_text import transcript_text

    parts = transcript_text(transcript, focus=focus, terminal=terminal)
    return "\n\n".join(parts)
