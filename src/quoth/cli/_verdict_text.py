"""What checking a citation came to, and what it cites, for people."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from quoth.model import Outcome, ShownMessage, Verdict

from ._layout import filled, folded, one_line, paragraphs
from ._terminal import Terminal
from ._transcript_text import call_lines, label

__all__ = ["verdict_text"]

_MOST_LINES = 6
_MOST_TEXT = 4_000
"""More than fills that many lines: the rest of a long message is not looked at."""


def verdict_text(
    verdict: Verdict, cited: ShownMessage | None, *, terminal: Terminal
) -> str:
    """Return the verdict, what was compared, and the beginning of what is cited."""
    compared = [one_line(verdict.citation), *_compared(verdict)]
    lines = [
        *folded(f"{_IN_A_WORD[verdict.outcome]} {verdict.detail}", terminal.width),
        *(f"  {line}" for line in compared),
    ]
    if cited is not None:
        where = "In the archive: " if verdict.outcome is Outcome.CHANGED else ""
        lines += ["", *_quotation(cited, where, terminal)]
    return "\n".join(lines)


def _compared(verdict: Verdict) -> Iterator[str]:
    if verdict.path is None:
        return
    span = ""
    if verdict.offset is not None and verdict.length is not None:
        span = f", bytes {verdict.offset} to {verdict.offset + verdict.length}"
    part = f" ({verdict.part})" if verdict.part else ""
    yield f"{one_line(f'{verdict.path}{part}')}{span}"


def _quotation(cited: ShownMessage, where: str, terminal: Terminal) -> Iterator[str]:
    yield terminal.bold(f"{where}{label(cited, terminal=terminal)}")
    lines = [f"  {line}" for line in _said(cited, terminal.width - 2)]
    lines += [line for call in cited.calls for line in call_lines(call, terminal)]
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES or len(cited.text) > _MOST_TEXT:
        place = quote(one_line(cited.citation.rpartition("@")[0]))
        superseded = " --include superseded" if cited.superseded else ""
        yield terminal.dim(f"  (more: quoth show {place} --around 0{superseded})")


def _said(cited: ShownMessage, width: int) -> Iterator[str]:
    text = paragraphs(cited.text[:_MOST_TEXT]).expandtabs(4)
    for paragraph in text.split("\n") if text else ():
        yield from filled(paragraph, width)


_IN_A_WORD = {
    Outcome.VERIFIED: "Verified.",
    Outcome.ARCHIVE_ONLY: "Verified against the archive.",
    Outcome.CHANGED: "Changed.",
    Outcome.NEVER_SAID: "Not said.",
}
