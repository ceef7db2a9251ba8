"""How far work is, on one line of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TextIO, TypeVar

from ._layout import shorten, width_of
from ._runtime import Runtime
from ._terminal import Terminal

__all__ = ["ProgressLine", "drawn"]

_REDRAW_S = 0.1

_Progress = TypeVar("_Progress")
_Contra = TypeVar("_Contra", contravariant=True)


class Told(Protocol[_Contra]):
    """Puts progress into words: what is done after how many seconds."""

    def __call__(
        self, progress: _Contra, *, elapsed: float, terminal: Terminal
    ) -> str: ...


class ProgressLine(Generic[_Progress]):
    """One line on a terminal, rewritten as work goes on and gone when it ends."""

    def __init__(
        self,
        stream: TextIO,
        terminal: Terminal,
        clock: Callable[[], float],
        text: Told[_Progress],
    ) -> None:
        self._text = text
        self._stream = stream
        self._terminal = terminal
        self._clock = clock
        self._began = clock()
        self._drawn_at = self._began - _REDRAW_S
        self._width = 0

    def update(self, progress: _Progress) -> None:
        """Draw how far the work is, unless it was drawn a moment ago."""
        if self._clock() - self._drawn_at < _REDRAW_S:
            return
        self._drawn_at = self._clock()
        elapsed = self._drawn_at - self._began
        self._draw(self._text(progress, elapsed=elapsed, terminal=self._terminal))

    def clear(self) -> None:
        """Leave the line as empty as it was found."""
        if self._width:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, text: str) -> None:
        # Written over with spaces, not erased by an escape: that works everywhere.
        text = shorten(text, self._terminal.width - 1, ellipsis="")
        width = width_of(text)
        self._stream.write(f"\r{text}{' ' * (self._width - width)}")
        self._stream.flush()
        self._width = width


@contextmanager
def drawn(
    runtime: Runtime, text: Told[_Progress]
) -> Iterator[Callable[[_Progress], None] | None]:
    """Give what draws progress while the block runs; None where nobody looks."""
    terminal = runtime.errors()
    if not terminal.live:
        yield None
        return
    line = ProgressLine(sys.stderr, terminal, time.monotonic, text)
    try:
        yield line.update
    finally:
        line.clear()
