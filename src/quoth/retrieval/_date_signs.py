"""A question as a row of signs, which the rules for dates read.

There is a row for every language, so that "vor drei Tagen" and
"il y a trois jours" are the same row, `vor w3 days`. What a sign stands for:

    #8 w8 o8 t8   a number in digits, in words, with an ending (8th), an ordinal word
    m5 d0 q3      a month, a weekday (0 is Monday), a quarter
    i... y... r.. a date in digits, a month in digits, two days with a dash
    day weeks     a unit of time, with an s where the word is plural
    ~ - , |       a word of the frame, any other word, a comma, a break
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ._date_words import (
    ALSO_OTHERWISE,
    COUNTED,
    ENGLISH,
    FRAME,
    FRENCH,
    FRENCH_ONLY,
    GERMAN,
    LONGEST_IDIOM,
    ORDINARY,
    SHORT_DAYS,
)

__all__ = ["Sign", "Word", "signs_of", "words_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word or number of the question, in lower case; "" when it is a machine's name.

    `after` is the punctuation that parts it from the next word.
    """

    text: str
    start: int
    end: int
    capital: bool = False
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A sign and the span of the question that it stands for."""

    sign: str
    start: int
    end: int


_CHUNK = re.compile(r"[^\s\u2014\u2026]+")
_OPENING = "([{<'\"\u201c\u2018\u00ab\u00bf\u00a1*"
_CLOSING = ".,;:!?)]}>'\"\u201d\u2019\u00bb*"
_OPTION = re.compile(r"--?[A-Za-z]")
_ENDING = r"(?:st|nd|rd|th|er|\u00ba)"
_PLAIN = re.compile(
    rf"""(?ix) [^\W\d_]+(?:['\u2019][^\W\d_]+)*  # gestern, today's, aujourd'hui
    | \d{{1,4}} | \d{{1,2}}{_ENDING}             # 8, 2023, 8th
    | \d{{1,2}}[-\u2013]\d{{1,2}} | [-\u2013]    # 3-10
    | \d{{4}}(?P<s>[-/])\d{{1,2}}(?P=s)\d{{1,2}} # 2023-05-08
    | \d{{4}}-\d{{2}} | \d{{1,2}}/\d{{1,2}}/\d{{4}}
    | q[1-4] | avant-hier
    """
)
_PIECES: Final = (
    re.compile(r"(?i)((?:mid|early|late)-)([^\W\d_]+|\d{4})"),
    re.compile(r"(?i)([^\W\d_]{3,9})([-\u2013])([^\W\d_]{3,9})"),
    re.compile(rf"(?i)(\d{{1,2}}{_ENDING}?),(\d{{4}})"),
    re.compile(r"(?i)(q[1-4])[-/](\d{4})"),
    re.compile(r"(?i)(\d{4})-(q[1-4])"),
    re.compile(r"(?i)((?:l|d|jusqu)['\u2019])([^\W\d_]+)"),
)
"""What is written as one word and read as two or three."""


def words_of(question: str, *, longest: int) -> list[Word]:
    """Return the words that begin in the first *longest* characters."""
    words: list[Word] = []
    is_value = False
    for chunk in _CHUNK.finditer(question):
        if chunk.start() > longest:
            break
        is_option = bool(_OPTION.match(chunk[0]))
        words += _words_in(chunk[0], chunk.start(), is_name=is_option or is_value)
        is_value = is_option and "=" not in chunk[0]
        if question[chunk.end() : chunk.end() + 1] in ("\u2014", "\u2026"):
            words.append(Word(text="", start=chunk.end(), end=chunk.end()))
    return words


def _words_in(chunk: str, start: int, *, is_name: bool) -> Iterator[Word]:
    left = len(chunk) - len(chunk.lstrip(_OPENING))
    core = chunk[left:].rstrip(_CLOSING)
    if not core or is_name:
        yield Word(text="", start=start, end=start + len(chunk))
        return
    if left:
        yield Word(text="", start=start, end=start)
    after = chunk[left + len(core) :]
    pieces = list(_pieces(core))
    for index, (text, offset) in enumerate(pieces):
        begin = start + left + offset
        yield Word(
            text=text.lower().replace("\u2019", "'"),
            start=begin,
            end=begin + len(text),
            capital=text[:1].isupper(),
            after=after if index == len(pieces) - 1 else "",
        )


def _pieces(core: str) -> Iterator[tuple[str, int]]:
    if _PLAIN.fullmatch(core) and not _PIECES[-1].fullmatch(core):
        yield core, 0
        return
    for pattern in _PIECES:
        if found := pattern.fullmatch(core):
            for group in range(1, pattern.groups + 1):
                yield found[group], found.start(group)
            return
    yield "", 0


def signs_of(words: list[Word], language: Mapping[str, str]) -> list[Sign]:
    """Return *words* as signs of *language*, with breaks where punctuation stands."""
    signs: list[Sign] = []
    index = 0
    while index < len(words):
        size, sign = _idiom(words, index, language)
        last = words[index + size - 1]
        signs.append(Sign(sign=sign, start=words[index].start, end=last.end))
        index += size
        if last.after.strip("'\u2019") and not _is_german_day(words, index, language):
            mark = "," if last.after == "," else "|"
            signs.append(Sign(sign=mark, start=last.end, end=last.end))
    return signs


def _idiom(
    words: list[Word], index: int, language: Mapping[str, str]
) -> tuple[int, str]:
    """Return how many words from *index* on make up one sign, and the sign."""
    for size in range(LONGEST_IDIOM, 1, -1):
        several = words[index : index + size]
        if len(several) == size and not any(word.after for word in several[:-1]):
            sign = language.get(_joined(several))
            if sign:
                return size, sign
    return 1, _sign(words, index, language)


def _joined(words: list[Word]) -> str:
    *head, last = (word.text for word in words)
    return " ".join((*head, last.removesuffix("'s")))


def _sign(words: list[Word], index: int, language: Mapping[str, str]) -> str:
    text = words[index].text
    if text[:1].isdigit():
        return _digits(words, index)
    sign = language.get(text.removesuffix("'s"), "")
    if text.endswith("'s") and sign[:1] == "m":
        return "-"
    if sign and _is_ordinary(words, index, language):
        return "-"
    return sign or ("~" if text in FRAME else "-")


def _digits(words: list[Word], index: int) -> str:
    text = words[index].text
    if text.isdecimal() and text.isascii():
        return "-" if _next(words, index) in COUNTED and len(text) == 4 else f"#{text}"
    if not text.isascii():
        text = text.replace("\u2013", "-").replace("\u00ba", "th")
    if not text.isascii():
        return "-"
    if text[-1].isalpha():
        return f"o{text.rstrip('sthndre')}"
    match [len(part) for part in re.split("[-/]", text)]:
        case [4, _, _]:
            return f"i{text.replace('/', '-')}"
        case [4, 2]:
            return f"y{text}"
        case [_, _, 4]:
            return _unambiguous(text)
    return f"r{text}"


def _unambiguous(text: str) -> str:
    """Return 13/05/2023 and 05/13/2023 as a date; 05/08/2023 may be two."""
    first, second, year = text.split("/")
    if int(second) > 12 or first == second:
        return f"i{year}-{first}-{second}"
    return f"i{year}-{second}-{first}" if int(first) > 12 else "-"


def _next(words: list[Word], index: int) -> str | None:
    """Return the word after *index* in the same clause, or None when there is none."""
    if words[index].after or index + 1 == len(words):
        return None
    return words[index + 1].text


def _is_ordinary(words: list[Word], index: int, language: Mapping[str, str]) -> bool:
    """Tell the verbs may and march, the sun, and who sat, from months and days."""
    word = words[index]
    if language is FRENCH and word.text in ALSO_OTHERWISE:
        return not any(other.text in FRENCH_ONLY for other in words)
    if language is not ENGLISH:
        return False
    if word.text in SHORT_DAYS and not word.capital:
        return True
    if word.text == "sun" or (word.text in ORDINARY and not word.capital):
        return not _ends_date(words, index)
    return False


def _ends_date(words: list[Word], index: int) -> bool:
    after = _next(words, index)
    if after is not None and after[:1].isdigit():
        return len(after) == 4 or _ends_date(words, index + 1)
    return after is None or after in FRAME


def _is_german_day(words: list[Word], index: int, language: Mapping[str, str]) -> bool:
    """Whether the full stop before *index* is that of "8. Mai"."""
    if language is not GERMAN or index >= len(words) or words[index - 1].after != ".":
        return False
    is_month = language.get(words[index].text, "")[:1] == "m"
    return is_month and words[index - 1].text.isdecimal()
