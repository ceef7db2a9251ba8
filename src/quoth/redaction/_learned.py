"""Rules made of learned names: literal, in any case, at the edges of a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from ._names import Names
from ._rule import Found, Rule
from ._text import is_edge

__all__ = ["rules_of"]

_MARK = "[REDACTED:"
_LONGEST_MARK = 60
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
"""Full-width letters, as they are typed among Chinese and Japanese."""

_JOINT = (
    r"(?:[.\-_+/]|[^\S\r\n]{1,16}|[^\S\r\n]{0,16}\r?\n[^\S\r\n]{0,16}"
    r"(?:[>#*|│/;-]{1,3}[^\S\r\n]{1,4})?)?"
)
"""What stands for the space of a name in accounts, folders and addresses, and where a
line ends: there may be a mark of what the lines belong to, but no empty line."""

_LAST_FIRST = r",[^\S\r\n]{1,4}"
_LONGEST_JOINT = 48

_BEGINS_A_RUN = 4
"""Letters from which a name is found within `myDanaRepo`. Shorter ones stand by chance
in what is drawn at random."""
_TAKES_AN_S = 5
"""Letters from which a name with an s is the name: `les` is not in `less`."""
_LEAST_BROKEN = 6
_FULL_LINE = 20
"""Characters of a line that was broken because it was full."""

_NUMBER = re.compile(r"[0-9]{1,4}(?![A-Za-z0-9])")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_PLURAL = re.compile(r"[sS](?![A-Za-z0-9])")
_LETTERS_END = "\u0590"
"""Before it stand the scripts that put spaces between words, and nothing onto them."""


def rules_of(names: Names) -> tuple[Rule, ...]:
    """Return the rules for *names*: for each name that a hit is given.

    Who and on what is `learned_name`. Inside a home folder the rule for that kind of
    path claims the place first and gives its own name.
    """
    persons = (*names.users, *names.hosts, *names.people)
    work = (*names.owners, *names.repositories)
    return (
        *_literal("email_address", names.emails),
        *_literal("learned_name", persons, spellings=_spellings_over_lines),
        *_of_several_words("learned_name", persons),
        *_literal("repository_identity", work),
    )


def _literal(
    name: str,
    words: Iterable[str],
    *,
    spellings: Callable[[str], Iterable[str]] | None = None,
) -> Iterator[Rule]:
    """Yield the rule that finds all of *words*, if there are any."""
    spelled = spellings or _spellings
    keys = frozenset(key for word in words for key in spelled(word.lower()))
    lengths = sorted({len(key) for key in keys}, reverse=True)

    def find(text: str, start: int) -> Found:
        if _is_in_mark(text, start):
            return Found(0, 0, _LONGEST_MARK)
        ends = (start + length for length in lengths)
        end = next((end for end in ends if _is_name(text, start, end)), 0)
        return Found(start if end else 0, end, lengths[0])

    def _is_name(text: str, start: int, end: int) -> bool:
        return (
            text[start:end].lower() in keys
            and _stands_alone(text, start, end)
            and _is_whole_or_full(text, start, end)
        )

    if keys:
        yield _rule(name, keys, find)


def _of_several_words(name: str, words: Iterable[str]) -> Iterator[Rule]:
    """Yield a rule for each of *words* with a space in it."""
    for word in words:
        parts = word.lower().split(" ")
        if len(parts) > 1:
            yield _in_order(name, parts, [_JOINT] * (len(parts) - 1))
            last_first = [_LAST_FIRST, *[_JOINT] * (len(parts) - 2)]
            yield _in_order(name, [parts[-1], *parts[:-1]], last_first)


def _in_order(name: str, parts: list[str], joints: list[str]) -> Rule:
    written = ["|".join(map(re.escape, _forms(part))) for part in parts]
    pattern = f"(?:{written[0]})" + "".join(
        f"{joint}(?:{part})" for joint, part in zip(joints, written[1:], strict=True)
    )
    compiled = re.compile(pattern, re.IGNORECASE)
    work = sum(map(len, parts)) + _LONGEST_JOINT * len(joints)

    def find(text: str, start: int) -> Found:
        match = compiled.match(text, start)
        if match is None or not _stands_alone(text, *match.span()):
            return Found(0, 0, work)
        return Found(*match.span(), work)

    return _rule(name, _forms(parts[0]), find)


def _rule(name: str, keys: Iterable[str], find: Callable[[str, int], Found]) -> Rule:
    ordered = tuple(sorted(keys))
    return Rule(name=name, keys=ordered, any_case=True, edge=False, find=find)


def _spellings(word: str) -> Iterator[str]:
    """Yield *word* as it may be written in one piece."""
    yield from _forms(word)
    if word.isascii():  # As in the names of Claude Code's project folders.
        yield re.sub(r"[^a-z0-9]", "-", word)


def _spellings_over_lines(word: str) -> Iterator[str]:
    """Yield *word* as it may be written, also where a full line broke it."""
    yield from _spellings(word)
    if len(word) >= _LEAST_BROKEN and " " not in word:
        for place in range(2, len(word) - 1):
            yield f"{word[:place]}\n{word[place:]}"


def _forms(word: str) -> frozenset[str]:
    """Return *word* in the forms of Unicode: macOS keeps letters and marks apart."""
    forms = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    return frozenset((*forms, word.translate(_WIDE)))


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name is a word, or one of those that were put together to a longer."""
    return _begins(text, start, end) and _ends(text, start, end)


def _is_whole_or_full(text: str, start: int, end: int) -> bool:
    """Whether a name is on one line, or the line that it is broken at was full."""
    broken = text.find("\n", start, end)
    return broken < 0 or broken - text.rfind("\n", 0, start) > _FULL_LINE


def _begins(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start] if start else ""
    if not _goes_on(before) or (before.isascii() and is_edge(text, start)):
        return True
    return _is_hump(before, text[start]) and end - start >= _BEGINS_A_RUN


def _ends(text: str, start: int, end: int) -> bool:
    following = text[end : end + 1]
    length = end - start
    return (
        not _goes_on(following)
        or (length >= _BEGINS_A_RUN and _is_hump(text[end - 1], following))
        or (length >= _TAKES_AN_S and _PLURAL.match(text, end) is not None)
        or (
            _NUMBER.match(text, end) is not None
            and _HEX.fullmatch(text, start, end) is None
        )
    )


def _goes_on(char: str) -> bool:
    """Whether a word goes on with *char*."""
    return char.isalnum() and char < _LETTERS_END


def _is_hump(before: str, after: str) -> bool:
    return not before.isupper() and after.isupper()


def _is_in_mark(text: str, start: int) -> bool:
    """Whether the place is inside what stands for something redacted already."""
    mark = text.rfind(_MARK, max(0, start - _LONGEST_MARK), start + len(_MARK) - 1)
    return mark >= 0 and "]" not in text[mark:start]
