"""Text as it is meant: without what only steers or hides, with its escapes read."""

from __future__ import annotations

import re

from ._views import View, ViewBuilder

__all__ = ["hides", "visible_view"]

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
_ENCODED = (
    r"%(?P<percent>[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]|0[9AaDd])|\\(?P<slash>/)"
    r"|\\[ux](?:00)?(?P<code>[2-6][0-9A-Fa-f]|7[0-9A-Ea-e])"
)
"""Printable ASCII, in addresses and in JSON."""

_ODD = f"{_ANSI}|{_ESCAPED}|{_CONTROLS}|{_HIDDEN}|{_ENCODED}"
"""Left to `re`, as `_HIDDEN` is, to compile for the first text that needs it: 2 ms."""
_HAS_CONTROL = re.compile(_CONTROLS)
_HAS_ESCAPED = re.compile(rf"{_ESCAPED}|\\(?:/|[ux](?:00)?[2-7][0-9A-Fa-f])")
_HAS_PERCENT = re.compile(r"%(?:[2-7][0-9A-Fa-f]|0[9AaDd])")


def hides(text: str) -> bool:
    """Whether anything is hidden or encoded: narrow searches beat a wide one."""
    return bool(
        _HAS_CONTROL.search(text)
        or ("\\" in text and _HAS_ESCAPED.search(text))
        or ("%" in text and _HAS_PERCENT.search(text))
        or (not text.isascii() and re.search(_HIDDEN, text))
    )


def visible_view(text: str) -> View | None:
    """Return *text* as it is meant, or None when that is how it is written."""
    if not hides(text):
        return None
    builder, last = ViewBuilder(text), 0
    for match in re.finditer(_ODD, text):
        builder.keep(last, match.start())
        if match.lastgroup:
            builder.put(_decoded(match), *match.span())
        last = match.end()
    builder.keep(last, len(text))
    return builder.view()


def _decoded(match: re.Match[str]) -> str:
    return match["slash"] or chr(int(match["percent"] or match["code"], 16))
