"""How closely a message says what was asked: read from its text, for the best few."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from quoth.store import Tokenizer, split_cjk, unaccented

from ._query import Query
from ._stopwords import STOP_WORDS
from ._words import WordMatches

__all__ = ["Closeness", "Question", "closeness_of"]

_LOOKED_AT = 8_000
"""Characters of a message that are looked at."""

WIDE, TIGHT, NEXT, BESIDE = 30, 8, 3, 6
"""Words: a paragraph, a clause, a phrase, and around an *I* or *my*."""

_WORD = re.compile(r"[^\W_]+")
_FIRST_PERSON = frozenset(
    ["i", "my", "me", "mine", "myself", "im", "ive", "we", "our", "us"]
)
_SHORTEST_STEM = 2


class Closeness(NamedTuple):
    """Shares from 0.0 to 1.0 of what was asked, or whether something is so.

    `wide`, `tight`: of the question's rarity, what stands within 30 and within 8 words.
    `in_order`: what follows its neighbour in the question within 3 words. `pairs`: of
    neighbouring words in the question, as typed, which stand side by side. `own`: what
    stands close to an *I* or *my*, if the person asks of themselves. `asks`: the
    message ends in a question mark, so it may only have asked the same.
    """

    wide: float = 0.0
    tight: float = 0.0
    in_order: float = 0.0
    pairs: float = 0.0
    own: float = 0.0
    asks: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What texts are looked through for: stems with their shares of rarity, pairs."""

    stems: dict[str, int]
    shares: tuple[float, ...]
    pairs: frozenset[tuple[str, str]]
    of_oneself: bool
    tokenizer: Tokenizer

    @classmethod
    def of(cls, query: Query, words: WordMatches, tokenizer: Tokenizer) -> Question:
        """Take a question apart for reading texts."""
        stems: dict[str, int] = {}
        shares: list[float] = []
        for term, rarity in zip(words.terms, words.rarity, strict=True):
            for token in term.tokens:
                if token not in stems:
                    stems[token] = len(shares)
                    shares.append(rarity / len(term.tokens))
        total = sum(shares) or 1.0
        asked = _words(query.text)
        return cls(
            stems=stems,
            shares=tuple(share / total for share in shares),
            pairs=frozenset(
                pair for pair in pairwise(asked) if not STOP_WORDS.issuperset(pair)
            ),
            of_oneself=not _FIRST_PERSON.isdisjoint(asked),
            tokenizer=tokenizer,
        )

    def stems_of(self, words: set[str]) -> dict[str, int]:
        """Return which stem each of *words* has, all looked up at once; -1 for none."""
        begin = {stem[:_SHORTEST_STEM] for stem in self.stems}
        alike = [word for word in words if unaccented(word)[:_SHORTEST_STEM] in begin]
        tokens = self.tokenizer.tokens(" ".join(alike))
        if len(tokens) != len(alike):  # some of them are not one token each
            tokens = [" ".join(self.tokenizer.tokens(word)) for word in alike]
        stems = (self.stems.get(token, -1) for token in tokens)
        return dict.fromkeys(words, -1) | dict(zip(alike, stems, strict=True))


def closeness_of(texts: Sequence[str], question: Question) -> list[Closeness]:
    """Return how closely each of *texts* says what was asked."""
    read = [_words(text) for text in texts]
    stems = question.stems_of({word for words in read for word in words})
    return [
        _closeness(words, text, question, stems)
        for words, text in zip(read, texts, strict=True)
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(split_cjk(text[:_LOOKED_AT]).lower())


def _closeness(
    words: Sequence[str], text: str, question: Question, stems: Mapping[str, int]
) -> Closeness:
    places = [
        (place, stem)
        for place, stem in enumerate(map(stems.__getitem__, words))
        if stem >= 0
    ]
    pairs = question.pairs
    together = len(pairs.intersection(pairwise(words))) / len(pairs) if pairs else 0.0
    return Closeness(
        wide=_densest(places, question.shares, WIDE),
        tight=_densest(places, question.shares, TIGHT),
        in_order=_in_order(places, question.shares),
        pairs=together,
        own=_own(words, places, question) if question.of_oneself else 0.0,
        asks=float(text.rstrip().endswith(("?", "\uff1f"))),
    )


def _densest(
    places: Sequence[tuple[int, int]], shares: Sequence[float], width: int
) -> float:
    """Return the most of the question that stands within *width* words."""
    best = current = 0.0
    inside = [0] * len(shares)
    first = 0
    for place, stem in places:
        if not inside[stem]:
            current += shares[stem]
        inside[stem] += 1
        while places[first][0] < place - width:
            gone = places[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                current -= shares[gone]
            first += 1
        best = max(best, current)
    return best


def _in_order(places: Sequence[tuple[int, int]], shares: Sequence[float]) -> float:
    """Return the share of what stands right after what it follows in the question."""
    following = {
        later
        for (one, earlier), (other, later) in pairwise(places)
        if later == earlier + 1 and other - one <= NEXT
    }
    return sum(shares[stem] for stem in following)


def _own(
    words: Sequence[str], places: Sequence[tuple[int, int]], question: Question
) -> float:
    """Return the share of what stands close to where the writer speaks of oneself."""
    spoken = [place for place, word in enumerate(words) if word in _FIRST_PERSON]
    if not spoken:
        return 0.0
    close: set[int] = set()
    index = 0
    for place, stem in places:
        while index + 1 < len(spoken) and spoken[index + 1] <= place:
            index += 1
        around = spoken[index : index + 2]
        if any(abs(one - place) <= BESIDE for one in around):
            close.add(stem)
    return sum(question.shares[stem] for stem in close)
