"""Text laid out in cells: wrapped, shortened, counted, in columns. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ._clean import clean_for_terminal
from ._terminal import Terminal

__all__ = [
    "Marked",
    "columns",
    "counted",
    "duration",
    "filled",
    "folded",
    "one_line",
    "painted",
    "paragraphs",
    "shorten",
    "size",
    "width_of",
    "wrap",
]

Marked = tuple[str, bool]
"""A character, and whether it is to stand out."""

_GAP = "  "


def one_line(text: str) -> str:
    """Return *text* safe for a terminal, with every run of white space as one space."""
    # Split first: a carriage return is white space here, not something to write out.
    return clean_for_terminal(" ".join(text.split()), keep_newlines=False)


def paragraphs(text: str) -> str:
    """Return *text* safe for a terminal, in its lines, without empty ends."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return clean_for_terminal(unified).strip("\n")


def width_of(text: str) -> int:
    """Return how many cells *text* takes."""
    return sum(map(_cells, text))


def shorten(text: str, width: int, *, ellipsis: str) -> str:
    """Return *text* cut to *width* cells, with the ellipsis in them if it was cut."""
    if width_of(text) <= width:
        return text
    end, room = 0, width - width_of(ellipsis)
    while (room := room - _cells(text[end])) >= 0:
        end += 1
    return text[:end].rstrip() + ellipsis


def wrap(
    text: Iterable[Marked], width: int, *, taken: int = 0, whole_words: bool = False
) -> list[list[Marked]]:
    """Return *text* in lines of at most *width* cells, broken at spaces where possible.

    Between two wide (Chinese, Japanese, Korean) characters a line may break anywhere.

    Args:
        taken: cells of the first line that are filled already.
        whole_words: let a word that no line can hold stick out instead of cutting it.
    """
    lines: list[list[Marked]] = [[]]
    for word in _words(text):
        needed = sum(_cells(character) for character, _ in word)
        if taken + needed > width and taken:
            _strip_end(lines[-1])
            lines.append([])
            taken = 0
        if not taken and word[0][0] == " ":
            continue
        for piece in [word] if whole_words else _pieces(word, width):
            if piece is not word and lines[-1]:
                lines.append([])
                taken = 0
            lines[-1].extend(piece)
            taken += sum(_cells(character) for character, _ in piece)
    _strip_end(lines[-1])
    return lines


def filled(text: str, width: int) -> list[str]:
    """Return plain *text* as wrapped lines."""
    wrapped = wrap(((character, False) for character in text), width)
    return ["".join(character for character, _ in line) for line in wrapped]


def folded(text: str, width: int) -> list[str]:
    """Return *text* safe for a terminal, in lines as far in as it begins.

    A long path stays whole: a terminal breaks it where it must, and it can be copied.
    """
    margin = " " * (len(text) - len(text.lstrip(" ")))
    marked = ((character, False) for character in one_line(text))
    lines = wrap(marked, width - len(margin), whole_words=True)
    return [margin + _joined(line) for line in lines]


def painted(line: Iterable[Marked], terminal: Terminal) -> str:
    """Return a line as text, with what is marked standing out where colour is taken."""
    return "".join(
        terminal.mark(_joined(run)) if marked else _joined(run)
        for marked, run in groupby(line, key=itemgetter(1))
    )


def columns(rows: Sequence[Sequence[str]], width: int) -> list[str] | None:
    """Return *rows* as aligned lines, numbers to the right, or None if too wide.

    A column is one of numbers when all it holds below its head is digits.
    """
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        return None
    right = [_is_numeric(column[1:]) for column in zip(*rows, strict=True)]
    return [_GAP.join(map(_padded, row, widths, right)).rstrip() for row in rows]


def counted(number: int, noun: str, *, at_least: bool = False) -> str:
    """Return "1 message" or "5,210 messages", after "at least" for a lower bound."""
    ending = "" if number == 1 else "s"
    return f"{'at least ' if at_least else ''}{number:,} {noun}{ending}"


def size(of_bytes: int) -> str:
    """Return a number of bytes for a person: "12.4 MB"."""
    amount = float(of_bytes)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def duration(seconds: float) -> str:
    """Return a time span for a person: "34 ms", "2.3 s", "4 min 10 s", "2 h 5 min"."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def _cells(character: str) -> int:
    if character < "\x7f":
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in _NO_CELL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _words(text: Iterable[Marked]) -> Iterator[list[Marked]]:
    """Yield the runs that a line should not be broken in."""
    word: list[Marked] = []
    for cell in text:
        if word and _may_break(word[-1][0], cell[0]):
            yield word
            word = []
        word.append(cell)
    if word:
        yield word


def _may_break(before: str, after: str) -> bool:
    """Say whether a line may end between two characters.

    Never before an accent or a closing mark, nor inside a joined emoji.
    """
    if " " in (before, after):
        return True
    if unicodedata.category(after) in _CLINGING or unicodedata.category(before) == "Cf":
        return False
    return 2 in (_cells(before), _cells(after))


def _pieces(word: list[Marked], width: int) -> Iterator[list[Marked]]:
    """Yield *word* whole if a line can hold it, else cut to the width of a line."""
    if sum(_cells(character) for character, _ in word) <= width:
        yield word
        return
    piece: list[Marked] = []
    used = 0
    for cell in word:
        if used + _cells(cell[0]) > width:
            yield piece
            piece, used = [], 0
        piece.append(cell)
        used += _cells(cell[0])
    yield piece


def _strip_end(line: list[Marked]) -> None:
    while line and line[-1][0] == " ":
        line.pop()


def _joined(run: Iterable[Marked]) -> str:
    return "".join(character for character, _ in run)


def _is_numeric(column: Sequence[str]) -> bool:
    return all(cell.replace(",", "").isdecimal() for cell in column)


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - width_of(cell))
    return space + cell if right else cell + space


_NO_CELL = frozenset({"Mn", "Me", "Cf"})
_CLINGING = _NO_CELL | {"Pe", "Pf", "Po"}
