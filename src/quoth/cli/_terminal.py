"""What the stream we print to can do, and how emphasis is written to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

__all__ = ["Terminal", "terminal_of"]

_NARROWEST, _USUAL, _WIDEST = 20, 80, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """A stream's width in cells, and whether it takes colour and characters past ASCII.

    `live` says that a line on it can be rewritten.
    """

    width: int = _USUAL
    colour: bool = False
    unicode: bool = True
    live: bool = False

    @property
    def dot(self) -> str:
        return " · " if self.unicode else " - "

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "..."

    def bold(self, text: str) -> str:
        return self._styled("1", text)

    def dim(self, text: str) -> str:
        return self._styled("2", text)

    def mark(self, text: str) -> str:
        return self._styled("1;4", text)

    def _styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def terminal_of(stream: TextIO | None, environ: Mapping[str, str]) -> Terminal:
    """Return what *stream* can do. `NO_COLOR` wins over `FORCE_COLOR`.

    A stream that was closed before the start is None to Python.
    """
    if stream is None:
        return Terminal()
    moving = stream.isatty() and environ.get("TERM") != "dumb"
    return Terminal(
        width=_width(stream, environ),
        colour=_takes_colour(environ, default=moving),
        unicode=_can_encode(stream, "·…"),
        live=moving,
    )


def _takes_colour(environ: Mapping[str, str], *, default: bool) -> bool:
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return default


def _width(stream: TextIO, environ: Mapping[str, str]) -> int:
    """Return the columns to fill: prose wider than a hundred is hard to read."""
    columns = environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return _bounded(int(columns))
    try:
        return _bounded(os.get_terminal_size(stream.fileno()).columns or _USUAL)
    except (OSError, ValueError):
        return _USUAL


def _bounded(columns: int) -> int:
    return min(max(columns, _NARROWEST), _WIDEST)


def _can_encode(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
