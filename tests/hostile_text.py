"""Text that steers a terminal or hides in one, and how a test tells it from the rest.

Told by what Unicode says of each character, not by the list that quoth goes by.
"""

from __future__ import annotations

import json
import re
import unicodedata

from click.testing import Result

__all__ = ["HOSTILE", "HOSTILE_NAME", "PAYLOADS", "assert_harmless", "dangers_in"]

PAYLOADS = {
    "a link": "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "a link, ended by a bell": "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
    "the clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "the window's title": "\x1b]0;evil\x07",
    "text nobody sees": "\x1b[8mhidden\x1b[28m",
    "a cleared screen": "\x1b[2J\x1b[H",
    "a line erased above": "\x1b[1A\x1b[2Kevil",
    "a report that is typed": "\x1b[21t\x1b[6n\x05",
    "a device control string": '\x1bP$q"p\x1b\\',
    "an introducer of one byte": "\x9b2J",
    "a command of one byte": "\x9d0;evil\x9c",
    "another character set": "\x0e\x1b(0",
    "a line written over": "safe\revil",
    "letters taken back": "safe\b\b\b\bevil",
    "a page and a tab downwards": "a\x0cb\x0bc",
    "a next line": "a\x85b",
    "separators": "a\u2028b\u2029c",
    "the other direction": "abc\u202etxt.exe\u202c \u2066a\u2069\u200f\u061c",
    "tags": "a\U000e0001\U000e0069\U000e0067\U000e007f",
    "nothing at all": "pass\u200bword\u2060\ufeff\u2062\u2064",
    "fillers": "a\u115f\u1160\u3164\uffa0b\u17b4\u17b5",
    "a soft hyphen": "pass\u00adword\u034f",
    "selectors that carry data": "\U0001f608\ufe00\ufe0f\ufe05",
    "further selectors": "\U0001f608\U000e0159\U000e0157",
    "joiners that carry data": "a\u200c\u200d\u200d\u200cb",
    "joiners among selectors": "a\u200d\ufe0f\u200d\ufe0fb",
    "shorthand and music": "a\U0001bca0\U0001d173b",
    "half a character": "a\udcffb",
    "a delete": "a\x7fb",
}
"""What each does to a terminal, or hides in it."""

HOSTILE = " ".join(PAYLOADS.values())
HOSTILE_NAME = "\x1b]52;c;eA\x07\x9b2J\r\x85\u2028\u202e\u200b\U000e0041\ufe00\ufe01"
"""As the name of a file, which has no room for all."""

_JOINERS = "\u200c\u200d"
_SIGNS = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
    "\U00013430-\U0001343f]"
)
"""Of category Cf, and yet seen: signs before Arabic, Syriac and Kaithi numbers, and
how hieroglyphs are put together."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""What Unicode calls ignorable and puts into another category than Cf."""

_RUN = re.compile(
    "[\u180b-\u180d\u180f\ufe00-\ufe0f]{2,}|[\u200c\u200d]{2,}"
    "|[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f]{3,}"
)


_OUR_STYLES = re.compile(r"\x1b\[(?:0|1|2|1;4)m")


def dangers_in(text: str) -> list[str]:
    """Return what in *text* a terminal might obey or a person not see, written out."""
    alone = [ascii(char) for char in text if _is_danger(char)]
    return alone + [ascii(run) for run in _RUN.findall(text)]


def _is_danger(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Cf":
        return char not in _JOINERS and not _SIGNS.match(char)
    if category in {"Cc", "Cs", "Zl", "Zp"}:
        return char not in "\n\t"
    return bool(_UNSEEN.match(char))


def assert_harmless(result: Result, *, as_json: bool = False) -> None:
    """Fail when a command crashed or printed what a terminal might obey."""
    crashed = result.exception is not None and not isinstance(
        result.exception, SystemExit
    )
    assert not crashed, result.exception
    if as_json:
        assert result.stdout.isascii()
        json.loads(result.stdout)
    shown = _OUR_STYLES.sub("", result.stdout)
    assert dangers_in(shown) == []
    assert dangers_in(result.stderr) == []
