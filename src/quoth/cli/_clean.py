"""Making text from transcripts safe to print: nothing in it steers the terminal."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

__all__ = ["clean_for_terminal"]

_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but \t and \n, DEL, C1 (\x9b opens a CSI)
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0"  # soft hyphen, fillers
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    r"\u2028\u2029"  # line and paragraph separators
    r"\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb"  # nothing to see
    r"\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # of shorthand and of music
    r"\U000e0000-\U000e0fff]"  # tags, further selectors
    # One joins two letters, one picks a form; a run of them only carries data.
    r"|[\u200c\u200d]{2,}|[\u180b-\u180d\u180f\ufe00-\ufe0f]{2,}"
    r"|[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f]{3,}"
)
"""All that Unicode calls ignorable but the two joiners and selectors, one at a time:
emoji, Persian, Devanagari and Mongolian need them."""

_UNDECODED = re.compile("[\udc80-\udcff]+")
"""What stands for bytes of a name that could not be decoded."""


_JOINERS = "\u200c\u200d"
_MOST_MARKS = 16
"""On one letter. No script stacks as many; a thousand cover the lines around."""
_MARKS = re.compile(rf"[^\w\s\x00-\u02ff]{{{_MOST_MARKS + 1},}}")
"""Among others: which of them are marks, only their category tells."""


def clean_for_terminal(text: str, *, keep_newlines: bool = True) -> str:
    """Return *text* with all that could act or hide written out: `\\x1b`, `\\u{202e}`.

    So is a byte of a file's name that is no text. A line break as Windows writes it is
    one. Without *keep_newlines* a line break becomes a space, for what must fit one
    line.
    """
    text = _UNDECODED.sub(_decoded, text.replace("\r\n", "\n"))
    if not keep_newlines:
        text = text.replace("\n", " ")
    text = _MARKS.sub(_thinned, text)
    if _UNSAFE.search(text) is None:
        return text
    return _UNSAFE.sub(_written_out, text)


def _thinned(run: re.Match[str]) -> str:
    """Return a run of marks and other signs with what is too many written out."""
    pieces = []
    for is_mark, chars in groupby(run[0], key=_is_mark):
        piece = "".join(chars)
        kept = piece[:_MOST_MARKS] if is_mark else piece
        pieces += [kept, *(_escape(ord(char)) for char in piece[len(kept) :])]
    return "".join(pieces)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in {"Mn", "Me"} or char in _JOINERS


def _decoded(undecoded: re.Match[str]) -> str:
    # In the C locale Python decodes nothing beyond ASCII, though names are UTF-8.
    name = undecoded[0].encode("ascii", "surrogateescape")
    return name.decode("utf-8", "backslashreplace")


def _written_out(match: re.Match[str]) -> str:
    return "".join(_escape(ord(char)) for char in match.group())


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
