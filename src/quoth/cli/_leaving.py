"""Printing an answer; one that is to leave this machine redacted as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from quoth.archive import Archive

    from ._terminal import Terminal

__all__ = ["print_answer"]

_T = TypeVar("_T")


def print_answer(
    archive: Archive,
    answer: _T,
    render: Callable[[_T, Mapping[str, int] | None, Terminal | None], str],
    *,
    redacted: bool,
    terminal: Terminal | None,
) -> None:
    """Print *answer*; with *redacted*, say on standard error what was replaced.

    Args:
        render: Makes the output of an answer and the replacements in it by rule, which
            are None for one that stays here, for a terminal.
        terminal: What a person sees it on; None for a document, which has the
            replacements in it.

    Raises:
        LeakError: The finished output still holds something. Nothing is printed.
    """
    colour = terminal is not None and terminal.colour
    as_it_is = partial(render, answer, None, terminal)
    if not redacted:
        click.echo(as_it_is(), color=colour)
        return
    leaving, counts = archive.leaving(answer)
    output = render(leaving, counts, terminal)
    archive.check_leaving(render(leaving, counts, _without_end(terminal)))
    click.echo(output, color=colour)
    if terminal is not None:
        from ._complaints import complain
        from ._redacted_text import redacted_line

        complain(redacted_line(_marks_in(output) - _marks_in(as_it_is())))


def _without_end(terminal: Terminal | None) -> Terminal | None:
    """Return it so wide that no line is broken: half of a word may look like a key."""
    return terminal and replace(terminal, width=_WIDER_THAN_ANY_TEXT, colour=False)


_WIDER_THAN_ANY_TEXT = 1 << 30


def _marks_in(output: str) -> Counter[str]:
    """Return how often each rule's mark is printed, also over the end of a line.

    An answer holds more than is printed of it, and marks of what was never stored.
    """
    return Counter(_MARK.findall("".join(output.split())))


_MARK = re.compile(r"\[REDACTED:([a-z0-9_]+)\]")
