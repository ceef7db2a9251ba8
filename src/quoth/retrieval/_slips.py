"""Slips of the keyboard: which word of the archive was meant by one it doesn't hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import pairwise, product

from quoth.store import Tokenizer, cjk_runs, unaccented

__all__ = ["close_spellings", "distance", "may_be_slip", "surface"]

_SHORTEST = 4
_FIRM = 7
"""Letters from which on the first one may be wrong, missing or too much."""
_LONG = 8
"""Letters from which on two slips are one word still."""
_LONGEST = 40

_EDIT = 1_000
"""What one edit costs; what kind of slip it is costs less than any number of edits."""
_SWAP, _DOUBLE, _MISSING, _NEAR, _OTHER = 0, 1, 2, 3, 5
_FIRST = 100
"""So much more than any other, for hands and eyes begin a word right."""

_MOST_FAR = 500
"""Stems looked at for two slips, those that most messages hold: it bounds the work."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = "aeiouy"

# What the index's stemmer takes off, and so what a stem of it may lack.
_TAKEN_OFF = """
e es ed er ers or ors ing ings s y ly ment ments ness ful fully al als ally ial ic
ical ics ion ions ation ations ational ator ators ate ately ates ated ating ication
ications icate icated icator alize alizes alized alizing alization alizations ive ives
ity able ible ability ize izes ized izing izer ization ise ised ising isation ism ist
ists ous ously ance ances ence ences ant ants ent ents ency ies ied ier iest ying est
"""
_ENDINGS = ("", *_TAKEN_OFF.split())

_INFLECTIONS = {
    **dict.fromkeys(("es", "ed", "ing", "er", "ers", "est"), ("", "e")),
    **dict.fromkeys(("ies", "ied", "ily"), ("y",)),
    "s": ("",),
    "ly": ("", "l"),
}
"""Endings, and what the word before one may have lost."""


def _near_pairs() -> Iterator[tuple[str, str]]:
    """Yield the letters beside or below one another, and any two vowels."""
    for row in _ROWS:
        yield from pairwise(row)
    for above, below in pairwise(_ROWS):
        yield from zip(above, below, strict=False)
        yield from zip(above[1:], below, strict=False)
    yield from product(_VOWELS, _VOWELS)


_NEIGHBOURS = frozenset(frozenset(pair) for pair in _near_pairs())


def may_be_slip(word: str) -> bool:
    """Say whether *word* is one that people type letter by letter, and long enough."""
    return _SHORTEST <= len(word) <= _LONGEST and word.isalpha() and not cjk_runs(word)


def close_spellings(
    word: str,
    candidates: Iterable[tuple[str, int]],
    *,
    stem_of: Callable[[str], str],
    is_known: Callable[[str], bool],
) -> Iterator[str]:
    """Yield a word of each stem that *word* may be a slip for, the likeliest first.

    One edit away, from eight letters on two; the fewest edits first, then the likeliest
    kind of slip and what more messages hold, then the first by spelling. A word may be
    a form of its stem that nobody wrote: see `surface`.

    Args:
        word: As the index folds it, but not stemmed.
        candidates: Stems, with how many messages hold each.
        stem_of: What the index makes of a folded word.
        is_known: Whether a word is one of the language: no slip, wherever it stands.
    """
    stems = list(candidates)
    if not may_be_slip(word) or is_known(word) or stem_of(word) in dict(stems):
        return
    worst = _worst_kind(word, is_known)
    for edits in range(1, _most_edits(word) + 1):
        found = list(_close_forms(word, stems, stem_of, edits=edits, worst=worst))
        most = max((documents for _, documents, _ in found), default=0)
        yield from (form for _, _, form in sorted(_ranked(found, most)))
        reached = {stem_of(form) for _, _, form in found}
        left = (one for one in stems if one[0] not in reached)
        stems = nsmallest(_MOST_FAR, left, key=lambda one: (-one[1], one[0]))


def _ranked(
    found: Iterable[tuple[int, int, str]], most: int
) -> Iterator[tuple[int, int, str]]:
    """Yield the forms with what they are to be sorted by.

    Ten times fewer messages count as much as a less likely kind of slip: what hardly
    any hold may itself be a slip.
    """
    for cost, documents, form in found:
        decades = len(str(most // max(documents, 1))) - 1
        yield cost + decades, -documents, form


def _close_forms(
    word: str,
    stems: Iterable[tuple[str, int]],
    stem_of: Callable[[str], str],
    *,
    edits: int,
    worst: int,
) -> Iterator[tuple[int, int, str]]:
    """Yield (cost, messages, form) of each stem that has a form close enough."""
    letters = {*word, "i", "e"}  # a stem may have them for `y`, or for nothing
    endings = _endings_like(word, edits)
    limit = _EDIT * edits + worst
    for stem, documents in stems:
        if len(set(stem) - letters) > edits or not _begins_alike(stem, word, edits):
            continue
        costs = (
            (_cost(word, form, edits), form)
            for base in _bases(stem)
            for form in _forms(base, word, edits, endings)
        )
        for cost, form in sorted(each for each in costs if each[0] <= limit):
            if cost % _EDIT <= worst and stem_of(form) == stem:
                yield cost, documents, form
                break


def _begins_alike(stem: str, word: str, most: int) -> bool:
    """Say whether *stem* is within so many edits of any beginning of *word*.

    Most candidates end here, in a microsecond or two.
    """
    shared = 0
    for one, other in zip(stem, word, strict=False):
        if one != other:
            break
        shared += 1
    stem, word = stem[shared:], word[shared:]
    if len(stem) <= most or (len(stem) == most + 1 and stem[-1] in "ei"):
        return True  # the rest may be extra, and a last `e` or `i` the stemmer's
    return bool(most) and (
        _begins_alike(stem[1:], word[1:], most - 1)
        or _begins_alike(stem[1:], word, most - 1)
        or _begins_alike(stem, word[1:], most - 1)
        or (stem[:2] == word[1::-1] and _begins_alike(stem[2:], word[2:], most - 1))
    )


def _most_edits(word: str) -> int:
    return 2 if len(word) >= _LONG else 1


def _worst_kind(word: str, is_known: Callable[[str], bool]) -> int:
    """Return what the kinds of all slips together may cost: short words are many.

    An inflection of a known word is right but for a swap or a doubled letter, as in
    `planed`. In a compound of known words no letter is too much: `backend` is not
    `backed`, though `bandwith` lacks one.
    """
    if any(map(is_known, _uninflected(word))):
        return _DOUBLE
    if len(word) == _SHORTEST:
        return _MISSING
    if len(word) == _SHORTEST + 1 or any(
        is_known(word[:cut]) and is_known(word[cut:])
        for cut in range(_SHORTEST, len(word) - 2)
    ):
        return _NEAR
    return _OTHER + _DOUBLE + (_FIRST if len(word) >= _FIRM else 0)


def _uninflected(word: str) -> Iterator[str]:
    """Yield what *word* may be an inflection of."""
    for ending, lost in _INFLECTIONS.items():
        if word.endswith(ending):
            base = word.removesuffix(ending)
            yield from (base + letters for letters in lost)


def _bases(stem: str) -> Iterator[str]:
    """Yield what an ending may follow: stems lose an `e`, and have `i` for `y`."""
    yield from (stem, stem + stem[-1], stem + "e")
    if stem[-1] in "ei":
        yield from (stem[:-1], stem[:-1] + "y")


def _endings_like(word: str, most: int) -> list[tuple[str, list[int]]]:
    """Return the endings that *word* may have, with what each costs by its length."""
    backwards = word[::-1]
    rows = ((e, _last_row(e[::-1], backwards[: len(e) + most], most)) for e in _ENDINGS)
    return [(ending, row) for ending, row in rows if row]


def _forms(
    base: str, word: str, most: int, endings: Sequence[tuple[str, list[int]]]
) -> Iterator[str]:
    """Yield *base* with each ending that makes about *word* of it."""
    row = _last_row(base, word[: len(base) + most], most)
    if not row:
        return
    limit = _EDIT * (most + 1)
    first = max(len(base) - most, 0)
    joints = row[first:]  # what it costs to be the word so far, letter by letter
    rest = len(word) - first  # and what follows the first of them
    near = word[max(first - 1, 0) : len(base) + most + 1]
    for ending, tails in endings:
        most_left = len(tails) - 1
        if ending and ending[0] + base[-1] in near:
            yield base + ending  # swapped where it is joined: neither part is right
        elif any(
            cost + tails[rest - index] < limit
            for index, cost in enumerate(joints)
            if 0 <= rest - index <= most_left
        ):
            yield base + ending


def distance(one: str, other: str) -> int:
    """Return the edits between two words, a swap of neighbours being one.

    No letter is edited twice: the optimal string alignment.
    """
    return _cost(one, other, max(len(one), len(other))) // _EDIT


def _cost(typed: str, meant: str, most: int) -> int:
    """Return what it costs that *typed* is *meant*; too much past *most* edits."""
    too_much = _EDIT * (most + 1)
    if abs(len(typed) - len(meant)) > most:
        return too_much
    row = _last_row(typed, meant, most)
    return row[-1] if row else too_much


def _last_row(typed: str, meant: str, most: int) -> list[int]:
    """Return what it costs that *typed* is each beginning of *meant*.

    Empty where all of them are more than *most* edits away.
    """
    too_much = _EDIT * (most + 1)
    before: list[int] = []
    row = [0]
    for j in range(len(meant)):
        row.append(row[j] + _EDIT + _extra(meant, j, _MISSING))
    for i, letter in enumerate(typed):
        before, above = row, before
        row = [too_much] * (len(meant) + 1)
        if i < most:
            row[0] = before[0] + _EDIT + _extra(typed, i, _OTHER)
        dropped = _EDIT + _extra(typed, i, _OTHER)
        for j in range(max(i - most, 0), min(i + most + 1, len(meant))):
            against = meant[j]
            cost = before[j]
            if letter != against:
                cost += _EDIT + _kind(letter, against, first=not i and not j)
                if i and j and letter == meant[j - 1] and against == typed[i - 1]:
                    cost = min(cost, above[j - 1] + _EDIT + _SWAP)
            row[j + 1] = min(
                cost,
                before[j + 1] + dropped,
                row[j] + _EDIT + _extra(meant, j, _MISSING),
            )
        if min(row) >= too_much and min(before) >= too_much:
            return []
    return row


def _kind(letter: str, against: str, *, first: bool) -> int:
    """Return what a wrong letter costs beyond the edit."""
    if first:
        return _FIRST
    return _NEAR if frozenset((letter, against)) in _NEIGHBOURS else _OTHER


def _extra(word: str, index: int, otherwise: int) -> int:
    """Return what it costs beyond the edit that a letter is there or isn't."""
    if not index:
        return _FIRST
    return _DOUBLE if word[index] == word[index - 1] else otherwise


_WORD = re.compile(r"[^\W\d_]+")


def surface(
    found: str, texts: Iterable[str], tokenizer: Tokenizer, *, typed: str
) -> str | None:
    """Return the word in *texts*, of the stem of *found*, that *typed* is a slip for.

    In lower case, with its accents; the closest, then the most frequent, then the first
    by spelling. None where no form that was written is close: then nothing was meant.
    """
    stem = tokenizer.tokens(found)
    most = _most_edits(typed)
    counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    close: Iterable[tuple[int, int, str]] = (
        (_cost(typed, unaccented(word), most) // _EDIT, -count, word)
        for word, count in counts.items()
    )
    for edits, _, word in sorted(close):
        if edits > most:
            break
        if tokenizer.tokens(word) == stem:
            return word
    return None
