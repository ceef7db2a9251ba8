"""Candidates by word: any term may match, rare ones weigh more, work is bounded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from quoth.model import Count
from quoth.store import ArchiveReader, Scope, WordMatch, split_cjk

from ._query import Query, Term

__all__ = ["WordCandidates", "find_by_words"]

POSTINGS_BUDGET = 50_000
"""Ranking costs FTS5 2 µs for each message that holds a term. Frequent terms beyond
this are left out while rarer ones remain: 36 ms at 100,000 messages, and 99.5 % of the
full top ten stay in the top twenty (measured, `docs/decisions/0002-word-index.md`)."""

TITLE_WEIGHT = 0.5
"""A title is a good label but no quotation; chosen on the development halves."""

COVERAGE_WEIGHT = 0.25
"""How much more a message counts that holds every term of the question."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCandidates:
    """Every message in scope that holds a term, and what may be said of them."""

    matches: dict[int, WordMatch]
    holding_all: frozenset[int]
    all_words: Count
    some_words: Count
    superseded: int
    terms: tuple[Term, ...]
    left_out: tuple[str, ...]
    expression: str | None


def find_by_words(
    reader: ArchiveReader, query: Query, scope: Scope, *, superseded: bool
) -> WordCandidates:
    """Find every message that holds a term of *query*, scored by BM25 and coverage."""
    terms = tuple(_as_found(reader, term) for term in query.terms)
    kept, left_out = _within_budget(reader, terms)
    must = [f"({_quoted(phrase)})" for phrase in query.phrases]
    expression = _any_of(must, kept)
    if expression is None:
        return _nothing(terms)
    matches = reader.word_matches(expression, scope, superseded=superseded)
    whole = _all_of(must, terms)
    holding = reader.matching(whole, scope, superseded=superseded) if whole else []
    if query.phrases:
        matches, holding = _with_phrases(reader, query.phrases, matches, holding)
    else:
        matches = _with_titles(reader, kept, matches, scope, superseded=superseded)
    holding_all = frozenset(message for message, _ in holding)
    return WordCandidates(
        matches={match.message: _covered(match, holding_all) for match in matches},
        holding_all=holding_all,
        all_words=Count(
            conversations=len({root for _, root in holding}), messages=len(holding)
        ),
        some_words=_count(matches, exact=not left_out),
        superseded=0 if superseded else reader.superseded_matching(expression, scope),
        terms=terms,
        left_out=left_out,
        expression=expression,
    )


def _nothing(terms: tuple[Term, ...]) -> WordCandidates:
    return WordCandidates(
        matches={},
        holding_all=frozenset(),
        all_words=Count(),
        some_words=Count(),
        superseded=0,
        terms=terms,
        left_out=(),
        expression=None,
    )


def _as_found(reader: ArchiveReader, term: Term) -> Term:
    """Return the term, or it as a prefix when nothing holds it as it stands."""
    if any(reader.any_holds(spelling) for spelling in term.spellings):
        return term
    prefix = term.as_prefix()
    if prefix and any(reader.any_holds(spelling) for spelling in prefix.spellings):
        return prefix
    return term


def _within_budget(
    reader: ArchiveReader, terms: Sequence[Term]
) -> tuple[list[Term], tuple[str, ...]]:
    """Keep the rarest terms that fit the budget; always at least one."""
    frequent = reader.documents({token for term in terms for token in term.tokens})
    costs = [
        (max((frequent.get(token, 0) for token in term.tokens), default=0), index)
        for index, term in enumerate(terms)
    ]
    kept: set[int] = set()
    spent = 0
    for cost, index in sorted(costs):
        if kept and spent + cost > POSTINGS_BUDGET:
            break
        kept.add(index)
        spent += cost
    left_out = tuple(term.text for index, term in enumerate(terms) if index not in kept)
    return [term for index, term in enumerate(terms) if index in kept], left_out


def _any_of(must: Sequence[str], terms: Iterable[Term]) -> str | None:
    options = [option for term in terms for option in (*term.spellings, *term.parts)]
    optional = " OR ".join(dict.fromkeys([*must[:1], *options]))
    pieces = [*must, f"({optional})"] if options else list(must)
    return " AND ".join(pieces) or None


def _all_of(must: Sequence[str], terms: Iterable[Term]) -> str | None:
    wanted = [f"({' OR '.join(term.spellings)})" for term in terms]
    return " AND ".join([*must, *wanted]) or None


def _quoted(text: str) -> str:
    return '"{}"'.format(split_cjk(text).replace('"', '""').replace("\0", " "))


def _with_phrases(
    reader: ArchiveReader,
    phrases: Sequence[str],
    matches: list[WordMatch],
    holding: list[tuple[int, int]],
) -> tuple[list[WordMatch], list[tuple[int, int]]]:
    """Keep what holds each phrase as it was written: the index only knows stems."""
    texts = reader.searched_texts([match.message for match in matches])
    wanted = [_folded(phrase) for phrase in phrases]
    kept = {
        message
        for message, text in texts.items()
        if all(phrase in _folded(text) for phrase in wanted)
    }
    return (
        [match for match in matches if match.message in kept],
        [pair for pair in holding if pair[0] in kept],
    )


def _folded(text: str) -> str:
    """Return the words of *text* without case, accents and punctuation, spaced."""
    plain = unicodedata.normalize("NFKD", split_cjk(text).casefold())
    marked = "".join(c for c in plain if not unicodedata.combining(c))
    return f" {' '.join(_WORD.findall(marked.replace('_', ' ')))} "


def _with_titles(
    reader: ArchiveReader,
    terms: Sequence[Term],
    matches: list[WordMatch],
    scope: Scope,
    *,
    superseded: bool,
) -> list[WordMatch]:
    """Add what a conversation's title scores to its messages that match.

    Where only the title matches, the first prompt stands for it.
    """
    expression = _any_of([], [term.without_fields() for term in terms])
    titles = reader.title_scores(expression) if expression else {}
    if not titles:
        return matches
    scored = [
        replace(match, score=match.score + TITLE_WEIGHT * titles[match.conversation])
        if match.conversation in titles
        else match
        for match in matches
    ]
    silent = titles.keys() - {match.conversation for match in matches}
    prompts = reader.first_prompts(sorted(silent), scope, superseded=superseded)
    return scored + [
        replace(prompt, score=TITLE_WEIGHT * titles[prompt.conversation])
        for prompt in prompts
    ]


def _covered(match: WordMatch, holding_all: frozenset[int]) -> WordMatch:
    if match.message not in holding_all:
        return match
    return replace(match, score=match.score * (1 + COVERAGE_WEIGHT))


def _count(matches: Sequence[WordMatch], *, exact: bool) -> Count:
    return Count(
        conversations=len({match.root for match in matches}),
        messages=len(matches),
        exact=exact,
    )
