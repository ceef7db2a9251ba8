"""Other readings of a text, and where each of their characters comes from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["View", "ViewBuilder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A reading of a text, in pieces: where they start, and where their sources do.

    A piece is a copy of its source, or one character that stands for all of it.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the whole text, from the first to the last character."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        following = self.starts[last + 1] if last + 1 < len(self.starts) else None
        reached = end if following is None else min(end, following)
        whole = end in {following, len(self.text)}
        return (
            self.origins[first] + start - self.starts[first],
            self.ends[last]
            if whole
            else self.origins[last] + reached - self.starts[last],
        )


class ViewBuilder:
    """Puts a view together from the left to the right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._sources: list[tuple[int, int, int]] = []
        self._length = 0

    def keep(self, start: int, end: int) -> None:
        """Take over a span of the text as it is."""
        if start < end:
            self._add(self._text[start:end], start, end)

    def put(self, char: str, start: int, end: int) -> None:
        """Read a span of the text as one character."""
        self._add(char, start, end)

    def view(self) -> View:
        """Return what was put together."""
        starts, origins, ends = zip(*self._sources or [(0, 0, 0)], strict=True)
        return View(
            text="".join(self._pieces), starts=starts, origins=origins, ends=ends
        )

    def _add(self, piece: str, start: int, end: int) -> None:
        self._pieces.append(piece)
        self._sources.append((self._length, start, end))
        self._length += len(piece)
