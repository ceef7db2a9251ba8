"""Candidates by word: any term may match, rare ones weigh more, work is bounded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from quoth.model import Count
from quoth.store import ArchiveReader, Scope, WordMatch, split_cjk

from ._query import Query, Term, quoted

__all__ = ["WordCandidates", "find_by_words"]

POSTINGS_BUDGET = 20_000
"""Messages that may be ranked: FTS5 takes 2 to 4 µs for each that holds a term. Beyond
this, frequent terms are left out while rarer ones find something."""

COUNTED = 20_000
"""Messages holding every term that are counted: 1 µs each."""

TITLE_WEIGHT = 0.5
"""A title is a good label but no quotation; chosen on the development halves."""

COVERAGE_WEIGHT = 0.25
"""How much more a message counts that holds every term of the question."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCandidates:
    """Every message in scope that holds a term, and what may be said of them.

    `per_row` counts them by the conversation they are listed under.
    """

    matches: Sequence[WordMatch]
    messages: frozenset[int]
    per_row: Mapping[int, int]
    all_words: Count
    some_words: Count
    superseded: int
    terms: tuple[Term, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the index is asked for: an expression, for messages after an id.

    A notice says what was given up to keep within the budget.
    """

    expression: str
    after: int = 0
    notice: str | None = None


def find_by_words(
    reader: ArchiveReader, query: Query, scope: Scope
) -> WordCandidates | None:
    """Find every message that holds a term of *query*, scored by BM25 and coverage.

    None when there is nothing to look for.
    """
    if query.is_empty:
        return None
    terms = tuple(_as_found(reader, term) for term in query.terms)
    must = [quoted(phrase) for phrase in query.phrases]
    every = _all_of(must, terms)
    plan, shown, hidden = _matches(reader, must, terms, scope)
    if plan.expression == every:
        holding = [(match.message, match.row) for match in shown]
        is_counted = not plan.after
    else:
        holding = reader.matching(every, scope, limit=COUNTED)
        is_counted = len(holding) < COUNTED
    if query.phrases:
        kept = _word_for_word(reader, query.phrases, [*shown, *hidden])
        shown = [match for match in shown if match.message in kept]
        hidden = [match for match in hidden if match.message in kept]
        holding = [pair for pair in holding if pair[0] in kept]
    else:
        covered = {message for message, _ in holding}
        shown = _with_titles(reader, terms, _covered(shown, covered), scope)
    per_row = Counter(match.row for match in shown)
    return WordCandidates(
        matches=shown,
        messages=frozenset(match.message for match in shown),
        per_row=per_row,
        all_words=Count(
            conversations=len({row for _, row in holding}),
            messages=len(holding),
            exact=is_counted,
        ),
        some_words=Count(
            conversations=len(per_row),
            messages=len(shown),
            exact=plan.notice is None,
        ),
        superseded=len(hidden),
        terms=terms,
        notices=(plan.notice,) if plan.notice else (),
    )


def _as_found(reader: ArchiveReader, term: Term) -> Term:
    """Return the term, or it as a prefix when nothing holds it as it stands."""
    if any(reader.any_holds(spelling) for spelling in term.spellings):
        return term
    prefix = term.as_prefix()
    if prefix and any(reader.any_holds(spelling) for spelling in prefix.spellings):
        return prefix
    return term


# What is asked of the index


def _matches(
    reader: ArchiveReader, must: Sequence[str], terms: Sequence[Term], scope: Scope
) -> tuple[_Plan, list[WordMatch], list[WordMatch]]:
    """Return what was asked, what matches and what is withheld.

    What finds nothing in scope within the budget is asked again without one.
    """
    plan = _Plan(expression=_any_of(must, terms))
    within_budget = plan if must else _affordable(reader, terms, scope)
    shown, hidden = reader.word_matches(
        within_budget.expression, scope, after=within_budget.after
    )
    if shown or within_budget == plan:
        return within_budget, shown, hidden
    return plan, *reader.word_matches(plan.expression, scope)


def _affordable(reader: ArchiveReader, terms: Sequence[Term], scope: Scope) -> _Plan:
    """Ask for the rarest terms that fit the budget.

    Where none does, ask for all of them in one message; where even those are too many,
    for the newest, unless a filter leaves fewer anyway.
    """
    kept = _rarest(reader, terms)
    if kept:
        frequent = [term.text for term in terms if term not in kept]
        notice = f"Too frequent to rank by, and left out: {', '.join(frequent[:5])}."
        return _Plan(expression=_any_of([], kept), notice=notice if frequent else None)
    every = _all_of([], terms)
    count = reader.count_matching(every)
    if count <= POSTINGS_BUDGET or scope.narrows:
        return _Plan(
            expression=every,
            notice="These words are frequent: only messages with all of them are ranked.",
        )
    newest = reader.newest_message()
    return _Plan(
        expression=every,
        after=newest - newest * POSTINGS_BUDGET // count,
        notice="These words are too frequent: only the newest messages are ranked.",
    )


def _rarest(reader: ArchiveReader, terms: Sequence[Term]) -> list[Term]:
    """Return the terms that fit the budget, the rarest first to be let in."""
    frequent = reader.documents({token for term in terms for token in term.tokens})
    costs = [_cost(term, frequent) for term in terms]
    kept: set[int] = set()
    spent = 0
    for cost, index in sorted(zip(costs, range(len(terms)), strict=True)):
        spent += cost
        if spent > POSTINGS_BUDGET:
            break
        kept.add(index)
    return [term for index, term in enumerate(terms) if index in kept]


def _cost(term: Term, frequent: Mapping[str, int]) -> int:
    """Return about how many messages a term brings: any part of it may match."""
    counts = [frequent.get(token, 0) for token in term.tokens]
    return sum(counts) if term.parts else min(counts, default=0)


def _any_of(must: Sequence[str], terms: Iterable[Term]) -> str:
    options = [option for term in terms for option in (*term.spellings, *term.parts)]
    optional = " OR ".join(dict.fromkeys([*must[:1], *options]))
    return " AND ".join([*must, f"({optional})"] if options else must)


def _all_of(must: Sequence[str], terms: Iterable[Term]) -> str:
    wanted = [f"({' OR '.join(term.spellings)})" for term in terms]
    return " AND ".join([*must, *wanted])


# What is made of its answer


def _word_for_word(
    reader: ArchiveReader, phrases: Sequence[str], matches: Sequence[WordMatch]
) -> set[int]:
    """Return what holds each phrase as it was written: the index only knows stems."""
    texts = reader.searched_texts([match.message for match in matches])
    wanted = [_folded(phrase) for phrase in phrases]
    return {
        message
        for message, text in texts.items()
        if all(phrase in folded for folded in [_folded(text)] for phrase in wanted)
    }


def _folded(text: str) -> str:
    """Return the words of *text* without case, accents and punctuation, spaced."""
    plain = unicodedata.normalize("NFKD", split_cjk(text).casefold())
    marked = "".join(c for c in plain if not unicodedata.combining(c))
    return f" {' '.join(_WORD.findall(marked.replace('_', ' ')))} "


def _covered(matches: Iterable[WordMatch], holding: Container[int]) -> list[WordMatch]:
    """Raise what holds every term."""
    return [
        match._replace(score=match.score * (1 + COVERAGE_WEIGHT))
        if match.message in holding
        else match
        for match in matches
    ]


def _with_titles(
    reader: ArchiveReader,
    terms: Iterable[Term],
    matches: Sequence[WordMatch],
    scope: Scope,
) -> list[WordMatch]:
    """Add what a conversation's title scores to its messages that match.

    Where only the title matches, the first prompt stands for it.
    """
    expression = _any_of([], [t.without_names() for t in terms if not t.is_symbol])
    titles = reader.title_scores(expression) if expression else {}
    scored = [
        match._replace(score=match.score + TITLE_WEIGHT * titles[match.conversation])
        if match.conversation in titles
        else match
        for match in matches
    ]
    silent = titles.keys() - {match.conversation for match in matches}
    prompts = reader.first_prompts(sorted(silent), scope) if silent else []
    return scored + [
        prompt._replace(score=TITLE_WEIGHT * titles[prompt.conversation])
        for prompt in prompts
    ]
