"""Matches by word: any term may match, and rare ones weigh more."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from quoth.embedding import is_common_word
from quoth.model import Count, Respelled
from quoth.store import Tokenizer, split_cjk, unaccented

from ._corpus import Corpus
from ._query import Query, Term, parse_question, quoted
from ._slips import close_spellings, may_be_slip, surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["WordMatches", "find_by_words"]

K1 = 1.2
B = 0.75
"""The usual constants of BM25 (Robertson and Zaragoza 2009). How often a word stands in
a message says little: each counts once, measured better than its frequency."""

PART_WEIGHT = 0.5
"""What a part of an identifier counts beside the whole one, which is the rarer."""

IDENTIFIER_WEIGHT = 2.0
"""An identifier says more of what is looked for than the words around it."""

MOST_SLIPS, MOST_GUESSES, MOST_READ = 3, 3, 20
"""Words of a question that may be slips, what each may be for, and messages that are
read to see how it is written: 10 to 30 ms each."""

MOST_TITLED = 500
"""Conversations of which only the title matches, 10 µs each."""

_WORD = re.compile(r"\w+")
_KEY = re.compile(r"\S{8,300}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordMatches:
    """Every message in scope that holds a term, and what may be said of them.

    By the id of a message: whether it is `matched`, its BM25 `score`, and what share of
    the question's rarity it holds, its `coverage`. By the id of a conversation: the
    same of all its messages together, and of its title. `named` are the messages that
    hold every identifier as it was typed. `rarity` is the weight of each term, `known`
    the share of the terms that any message holds.
    """

    terms: tuple[Term, ...]
    respelled: tuple[Respelled, ...]
    rarity: tuple[float, ...]
    known: float
    matched: NDArray[np.bool_]
    score: NDArray[np.float32]
    coverage: NDArray[np.float32]
    row_score: NDArray[np.float32]
    row_coverage: NDArray[np.float32]
    title: NDArray[np.float32]
    named: NDArray[np.bool_]
    all_words: Count
    some_words: Count
    superseded: int
    echoes: int


class _Wanted(NamedTuple):
    """Something to look for: a term or a part of one, and what it counts."""

    holders: NDArray[np.int64]
    weight: float


def find_by_words(
    corpus: Corpus, query: Query, tokenizer: Tokenizer
) -> WordMatches | None:
    """Find every message that holds a term of *query*, scored by BM25 and coverage.

    None when there is nothing to look for.
    """
    import numpy as np

    if query.is_empty:
        return None
    terms, respelled = _as_found(corpus, query.terms, tokenizer)
    must = _phrased(corpus, query.phrases)
    wholes = [_wanted(corpus, term) for term in terms]
    phrases = [_looked_up(corpus, quoted(phrase)) for phrase in query.phrases]
    parts = list(_parts(corpus, terms))
    # What is nowhere as a whole may be there in parts: then those are asked for.
    missed = [
        not term.parts
        for term, each in zip(terms, wholes, strict=True)
        if not len(each.holders)
    ]
    wanted = [
        each
        for each, term in zip(wholes, terms, strict=True)
        if len(each.holders) or not term.parts
    ]
    wanted += [*phrases, *parts]
    sums = _Sums(corpus, wanted)
    touched = np.zeros(len(corpus.about), np.bool_)
    for each in wanted:
        touched[each.holders] = True
    touched &= must & corpus.about
    matched = touched & corpus.searched
    holding = corpus.searched & must
    for each in wholes:
        holding = holding & _mask(each.holders, len(holding))
    titles = _titles(corpus, terms) if not query.phrases else _no_titles(corpus)
    silent, is_all = _titled_only(corpus, titles, matched)
    matched[silent] = True
    named = _named(corpus, terms) & matched
    called = _called(corpus, query.text)
    matched[called] = named[called] = True
    return WordMatches(
        terms=terms,
        respelled=respelled,
        rarity=tuple(each.weight for each in wholes),
        known=1 - sum(missed) / max(len(terms) + len(phrases), 1),
        matched=matched,
        score=np.where(matched, sums.score, 0),
        coverage=np.where(matched, sums.coverage, 0),
        row_score=sums.row_score,
        row_coverage=sums.row_coverage,
        title=titles,
        named=named,
        all_words=corpus.count(holding),
        some_words=corpus.count(matched, exact=is_all),
        superseded=int(np.count_nonzero(touched & ~corpus.searched & ~corpus.echoes)),
        echoes=int(np.count_nonzero(touched & corpus.echoes)),
    )


def _as_found(
    corpus: Corpus, terms: Sequence[Term], tokenizer: Tokenizer
) -> tuple[tuple[Term, ...], tuple[Respelled, ...]]:
    """Return each term, or what it is looked for as where nothing holds it.

    That is the beginning of a word, else the word that it is a slip for.
    """
    found: list[Term] = []
    respelled: list[Respelled] = []
    for term in terms:
        kept = _as_it_stands(corpus, term)
        if kept is None and len(respelled) < MOST_SLIPS:
            word = _meant_by(corpus, term, tokenizer)
            if word is not None:
                kept = parse_question(word, tokenizer).terms[0]
                respelled.append(Respelled(typed=term.text, taken=word))
        found.append(kept or term)
    return tuple(found), tuple(respelled)


def _as_it_stands(corpus: Corpus, term: Term) -> Term | None:
    """Return the term or it as a prefix, whichever any message holds."""
    for each in (term, term.as_prefix()):
        if each and len(corpus.holders(_any_of(each.spellings))):
            return each
    return None


def _meant_by(corpus: Corpus, term: Term, tokenizer: Tokenizer) -> str | None:
    """Return the word of the archive that a term is a slip for, as it is written."""
    if term.is_identifier or term.is_symbol or len(term.tokens) != 1:
        return None
    (word,) = tokenizer.words(term.text)[:1] or ("",)
    if not may_be_slip(word):
        return None
    likely = close_spellings(
        word,
        corpus.reader.words_like(word),
        stem_of=lambda each: " ".join(tokenizer.tokens(each)),
        is_known=is_common_word,
    )
    for guess in islice(likely, MOST_GUESSES):
        holders = corpus.holders(quoted(guess))[:MOST_READ]
        texts = corpus.reader.searched_texts(holders.tolist())
        written = surface(guess, list(texts.values()), tokenizer, typed=word)
        if written is not None and parse_question(written, tokenizer).terms:
            return written
    return None


def _any_of(expressions: Sequence[str]) -> str:
    return " OR ".join(expressions)


def _mask(ids: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    import numpy as np

    mask = np.zeros(size, np.bool_)
    mask[ids] = True
    return mask


# What is asked of the index


def _wanted(corpus: Corpus, term: Term) -> _Wanted:
    found = _looked_up(corpus, _any_of(term.spellings))
    if term.is_identifier:
        return found._replace(weight=IDENTIFIER_WEIGHT * found.weight)
    return found


def _looked_up(corpus: Corpus, match: str) -> _Wanted:
    """Return what matches in the whole archive, weighed by how rare it is there.

    The logarithm of BM25 in the form that is never negative (Lucene).
    """
    holders = corpus.holders(match)
    rest = corpus.messages - len(holders)
    weight = math.log(1 + (max(rest, 0) + 0.5) / (len(holders) + 0.5))
    return _Wanted(holders, weight)


def _parts(corpus: Corpus, terms: Sequence[Term]) -> Iterator[_Wanted]:
    parts = dict.fromkeys(part for term in terms for part in term.parts)
    for part in parts:
        found = _looked_up(corpus, part)
        yield found._replace(weight=PART_WEIGHT * found.weight)


def _phrased(corpus: Corpus, phrases: Sequence[str]) -> NDArray[np.bool_]:
    """Return what holds each phrase as it was written: the index only knows stems."""
    import numpy as np

    if not phrases:
        return np.ones(len(corpus.about), np.bool_)
    match = " AND ".join(map(quoted, phrases))
    holders = corpus.holders(match)
    holders = holders[corpus.about[holders]]
    texts = corpus.reader.searched_texts(holders.tolist())
    wanted = [_folded(phrase) for phrase in phrases]
    kept = [
        message
        for message, text in texts.items()
        if all(phrase in folded for folded in [_folded(text)] for phrase in wanted)
    ]
    return _mask(np.array(kept, np.int64), len(corpus.about))


def _folded(text: str) -> str:
    """Return the words of *text* without case, accents and punctuation, spaced."""
    plain = unaccented(split_cjk(text).casefold())
    return f" {' '.join(_WORD.findall(plain.replace('_', ' ')))} "


def _named(corpus: Corpus, terms: Sequence[Term]) -> NDArray[np.bool_]:
    """Return the messages that hold every identifier among *terms* as it was typed.

    In a question of nothing but compounds, they are what is looked for.
    """
    import numpy as np

    wanted = [term for term in terms if term.is_identifier]
    if all(len(term.tokens) > 1 for term in terms):
        wanted = list(terms)
    if not wanted:
        return np.zeros(len(corpus.about), np.bool_)
    match = " AND ".join(term.spellings[0] for term in wanted)
    return _mask(corpus.holders(match), len(corpus.about))


def _called(corpus: Corpus, text: str) -> list[int]:
    """Return the message that a question of nothing but a key or a citation means."""
    if not _KEY.fullmatch(text):
        return []
    message = corpus.reader.called(text)
    if message is None or message >= len(corpus.about):
        return []
    return [message] if corpus.searched[message] else []


# What is made of its answer


class _Sums:
    """What each message and each conversation scores by all that is wanted."""

    def __init__(self, corpus: Corpus, wanted: Sequence[_Wanted]) -> None:
        import numpy as np

        messages, conversations = len(corpus.about), len(corpus.listed)
        self.score = np.zeros(messages, np.float32)
        self.coverage = np.zeros(messages, np.float32)
        self.row_score = np.zeros(conversations, np.float32)
        self.row_coverage = np.zeros(conversations, np.float32)
        total = sum(each.weight for each in wanted) or 1.0
        lengths = corpus.values.length.astype(np.float32)
        shorter = _saturated(lengths, lengths[corpus.values.is_there])
        row_lengths = np.bincount(corpus.rows, lengths, conversations).astype(
            np.float64
        )
        row_mean = row_lengths[row_lengths > 0]
        for holders, weight in wanted:
            searched = holders[corpus.searched[holders]]
            self.score[searched] += weight * shorter[searched]
            self.coverage[searched] += weight / total
            held = np.bincount(corpus.rows[searched], minlength=conversations)
            self.row_coverage += (held > 0) * (weight / total)
            self.row_score += weight * _saturated(row_lengths, row_mean, held)


def _saturated(
    lengths: NDArray[np.floating],
    all_lengths: NDArray[np.floating],
    frequency: NDArray[np.int64] | int = 1,
) -> NDArray[np.float32]:
    """Return BM25's factor for how often a word is there and for how long a text is."""
    import numpy as np

    mean = float(all_lengths.mean()) if len(all_lengths) else 1.0
    norm = K1 * (1 - B + B * lengths / max(mean, 1.0))
    return (frequency * (K1 + 1) / (frequency + norm)).astype(np.float32)


def _no_titles(corpus: Corpus) -> NDArray[np.float32]:
    import numpy as np

    return np.zeros(len(corpus.listed), np.float32)


def _titles(corpus: Corpus, terms: Sequence[Term]) -> NDArray[np.float32]:
    """Return what share of the question each conversation's title holds.

    No title is found by a symbol: its index has no column for parts of names.
    """
    import numpy as np

    share = _no_titles(corpus)
    plain = [term.without_names() for term in terms if not term.is_symbol]
    for term in plain:
        found = corpus.reader.titles_with(_any_of(term.spellings))
        share[found[found < len(share)]] += np.float32(1 / len(terms))
    return share


def _titled_only(
    corpus: Corpus, titles: NDArray[np.float32], matched: NDArray[np.bool_]
) -> tuple[list[int], bool]:
    """Let the first prompt stand for a conversation of which only the title matches.

    Of very many, only for those whose titles hold most of the question.
    """
    import numpy as np

    speaking = np.bincount(corpus.values.home[matched], minlength=len(titles)) > 0
    silent = np.flatnonzero((titles > 0) & ~speaking)
    best = silent[np.argsort(-titles[silent], kind="stable")][:MOST_TITLED]
    prompts = corpus.reader.first_prompts(best.tolist(), corpus.scope)
    return prompts, len(best) == len(silent)
