"""Text as a person sees it: without the characters that only steer or hide."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["View", "hides", "visible_view"]

_STRING_END = r"(?:\x07|\x1b\\|\x9c)?"
_ANSI = (
    r"\x1b(?:\[[0-?]{0,64}+[ -/]{0,8}+[@-~]"
    rf"|[\]PX^_][^\x07\x1b\x9c]{{0,4096}}+{_STRING_END}|[ -/]{{0,4}}+[0-~])"
    r"|\x9b[0-?]{0,64}+[ -/]{0,8}+[@-~]"
    rf"|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]{{0,4096}}+{_STRING_END}"
)
_ESCAPED = (
    r"\\(?:u001[bB]|x1[bB]|0?33|e)\[[0-9;:]{0,32}+[A-Za-z]"
    r"|\\u(?:200[b-fB-F]|2060|[fF][eE][fF][fF]|00[aA][dD])"
)
"""The same in JSON or source text that was quoted once more."""

_CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_HIDDEN = (
    r"[\x80-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U000e0000-\U000e0fff]"
)
_INVISIBLE = f"{_ANSI}|{_ESCAPED}|{_CONTROLS}|{_HIDDEN}"
"""Left to `re`, as `_HIDDEN` is, to compile for the first text that needs it: 2 ms."""
_HAS_CONTROL = re.compile(_CONTROLS)
_HAS_ESCAPED = re.compile(_ESCAPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The visible text, and where its pieces stand in the whole one."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def origin(self, place: int) -> int:
        """Return where the character at *place* stands in the whole text."""
        piece = bisect_right(self.starts, place) - 1
        return self.origins[piece] + place - self.starts[piece]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the whole text, from the first to the last character."""
        return self.origin(start), self.origin(end - 1) + 1


def hides(text: str) -> bool:
    """Whether anything is hidden in *text*: three narrow searches beat a wide one."""
    return bool(
        _HAS_CONTROL.search(text)
        or ("\\" in text and _HAS_ESCAPED.search(text))
        or (not text.isascii() and re.search(_HIDDEN, text))
    )


def visible_view(text: str) -> View | None:
    """Return *text* as it is seen, or None when nothing in it is hidden."""
    if not hides(text):
        return None
    pieces, starts, origins, length, last = [], [], [], 0, 0
    for match in re.finditer(_INVISIBLE, text):
        if match.start() > last:
            pieces.append(text[last : match.start()])
            starts.append(length)
            origins.append(last)
            length += match.start() - last
        last = match.end()
    return View(
        text="".join((*pieces, text[last:])),
        starts=(*starts, length),
        origins=(*origins, last),
    )
