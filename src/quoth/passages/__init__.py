"""Cutting a message into the windows that get a vector each.

A sentence among many is lost in the mean of a long message, so a message is cut
into overlapping windows. The rule is part of an embedder's identity: whoever
changes a number here makes other vectors and gives the embedder another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

__all__ = [
    "WINDOW_OVERLAP",
    "WINDOW_WORDS",
    "Window",
    "is_worth_embedding",
    "window_bounds",
    "windows_of",
    "words_of",
]

WINDOW_WORDS = 40
WINDOW_OVERLAP = 8
"""Design decision 3: some tens of words; 8 shared, so that no sentence is halved."""

WINDOW_LIMIT = 400
"""Windows in one message. Past it (12,808 words) they widen; nothing is left out."""

LONGEST_WORD = 100
"""Characters; BERT's own limit, above which a word means nothing to it."""

_IDEOGRAPHS = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b820-\U0002ceaf"
    "\U0002f800-\U0002fa1f"
)
"""BERT's list of characters that are words of their own, as a regex class."""

# ASCII punctuation, then the marks of running text that BERT cuts at as well.
_MARKS = r"!-/:-@\[-`{-~\u2010-\u2027\u3001-\u3003\u300c-\u300f\uff0c\uff1a\uff1f"

# Left to `re` to compile at their first use: a range as wide takes it a millisecond.
_IDEOGRAPH = f"[{_IDEOGRAPHS}]"
_WORD = rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+"
_ATOM = rf"[{_MARKS}]|[^{_MARKS}]+"
_CONTENT = rf"[{_IDEOGRAPHS}]{{2}}|[^\W\d_{_IDEOGRAPHS}]{{3,}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A span of a message, `text[start:end]`, in characters."""

    start: int
    end: int
    text: str


def windows_of(
    text: str, *, words: int = WINDOW_WORDS, overlap: int = WINDOW_OVERLAP
) -> list[Window]:
    """Return the windows of *text*, which together hold every word of it, in order.

    Raises:
        ValueError: *overlap* is negative or not smaller than *words*.
    """
    spans = list(_word_spans(text))
    bounds = window_bounds(len(spans), words=words, overlap=overlap)
    cuts = [(spans[first][0], spans[last - 1][1]) for first, last in bounds]
    return [Window(start=start, end=end, text=text[start:end]) for start, end in cuts]


def words_of(text: str) -> list[str]:
    """Return the words that windows count: what stands between white space.

    A Chinese character is a word. A run of more than 100 characters (an address, a
    table without spaces) is cut beside punctuation into words of at most 100; one
    that has no punctuation stays whole, however long, and counts once.
    """
    words = text.split()
    if _is_plain(text, words):
        return words
    return [text[start:end] for start, end in _word_spans(text)]


def window_bounds(
    count: int, *, words: int = WINDOW_WORDS, overlap: int = WINDOW_OVERLAP
) -> list[tuple[int, int]]:
    """Return where windows begin and end in a list of *count* words, `[first, last)`.

    A rest of at most *overlap* new words joins the window before it instead of
    becoming a tail of its own. Above 400 windows the stride widens, and the windows
    with it.
    """
    if not 0 <= overlap < words:
        raise ValueError(f"an overlap of {overlap} in windows of {words} words")
    stride = max(words - overlap, -(-(count - overlap) // WINDOW_LIMIT))
    # A window that started here would bring at most `overlap` words of its own.
    starts = range(0, max(count - 2 * overlap, 1), stride) if count else range(0)
    bounds = [(start, min(start + stride + overlap, count)) for start in starts]
    return [*bounds[:-1], (bounds[-1][0], count)] if bounds else []


def is_worth_embedding(text: str) -> bool:
    """Return whether *text* says enough to be found by its meaning.

    True from three words of three letters on, two Chinese characters counting as a
    word: "ok, go on" and "thanks a lot" would only ever be near each other. Such a
    message is still found by its words.
    """
    return len(list(islice(re.finditer(_CONTENT, text), 3))) == 3


def _is_plain(text: str, words: list[str]) -> bool:
    if not text.isascii() and re.search(_IDEOGRAPH, text):
        return False
    return max(map(len, words), default=0) <= LONGEST_WORD


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(_WORD, text):
        if match.end() - match.start() <= LONGEST_WORD:
            yield match.span()
        else:
            yield from _pieces(text, *match.span())


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for atom in re.compile(_ATOM).finditer(text, start, end):
        if begin < atom.start() and atom.end() - begin > LONGEST_WORD:
            yield begin, atom.start()
            begin = atom.start()
    yield begin, end
