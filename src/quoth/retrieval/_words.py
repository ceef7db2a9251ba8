"""Candidates by word: any term may match, rare ones weigh more, work is bounded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace

from quoth.model import Count
from quoth.store import ArchiveReader, Scope, WordMatch, split_cjk

from ._query import Query, Term, quoted

__all__ = ["WordCandidates", "find_by_words", "holding_names"]

POSTINGS_BUDGET = 20_000
"""Messages that may be ranked: FTS5 takes 2 to 4 µs for each that holds a term. Beyond
this, frequent terms are left out while rarer ones find something."""

COUNTED = 20_000
"""Messages holding every term that are counted: 1 µs each."""

TITLE_WEIGHT = 0.5
"""A title is a good label but no quotation. Set by judgement, see `docs/ranking.md`."""

COVERAGE_WEIGHT = 1.0
"""How much more a message counts that holds every term of the question."""

_LEFT_OUT = "Too frequent to rank by, and left out: "
_ALL_OF_THEM = "These words are frequent: only messages with all of them are ranked."
_ONLY_NEWEST = "These words are too frequent: only the newest messages are ranked."

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

    What was given up to keep within the budget makes it less than exact; a notice says
    so where more than the parts of an identifier were.
    """

    expression: str
    after: int = 0
    is_exact: bool = True
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
    plan, shown, hidden = _matches(reader, must, terms, scope)
    holding, is_counted = _holding_all(reader, _all_of(must, terms), plan, shown, scope)
    if query.phrases:
        kept = _word_for_word(reader, query.phrases, [*shown, *hidden])
        shown = [match for match in shown if match.message in kept]
        hidden = [match for match in hidden if match.message in kept]
        holding = {one: row for one, row in holding.items() if one in kept}
    titles = {} if query.phrases else _title_scores(reader, terms)
    matches = _scored(shown, holding, titles)
    matches += _titled_only(reader, titles, matches, scope)
    per_row = Counter(match.row for match in matches)
    return WordCandidates(
        matches=matches,
        messages=frozenset(match.message for match in matches),
        per_row=per_row,
        all_words=_count(holding, set(holding.values()), exact=is_counted),
        some_words=_count(matches, per_row, exact=plan.is_exact),
        superseded=len(hidden),
        terms=terms,
        notices=(plan.notice,) if plan.notice else (),
    )


def _count(messages: Sized, conversations: Sized, *, exact: bool) -> Count:
    return Count(messages=len(messages), conversations=len(conversations), exact=exact)


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

    Where the rarest terms find nothing in scope, the frequent ones get their turn.
    """
    any_of = _any_of(must, terms)
    plan = _Plan(expression=any_of) if must else _affordable(reader, terms, scope)
    found = reader.word_matches(plan.expression, scope, after=plan.after)
    if not found[0] and plan.expression != any_of:
        plan = _newest(reader, any_of, scope)
        found = reader.word_matches(plan.expression, scope, after=plan.after)
    return plan, *found


def _holding_all(
    reader: ArchiveReader,
    every: str,
    plan: _Plan,
    shown: Iterable[WordMatch],
    scope: Scope,
) -> tuple[dict[int, int], bool]:
    """Return what holds every term, with its row, and whether that is all there is."""
    if plan.expression == every:
        return {match.message: match.row for match in shown}, not plan.after
    holding = dict(reader.matching(every, scope, limit=COUNTED))
    return holding, len(holding) < COUNTED


def _affordable(reader: ArchiveReader, terms: Sequence[Term], scope: Scope) -> _Plan:
    """Ask for the rarest terms that fit the budget, else for all in one message."""
    kept = _rarest(reader, terms)
    if not kept:
        every = _newest(reader, _all_of([], terms), scope)
        return (
            every
            if len(terms) == 1 or every.notice
            else replace(every, is_exact=False, notice=_ALL_OF_THEM)
        )
    names = {term.text for term in kept}
    frequent = [term.text for term in terms if term.text not in names]
    return _Plan(
        expression=_any_of([], kept),
        is_exact=kept == list(terms),
        notice=_LEFT_OUT + ", ".join(frequent[:5]) + "." if frequent else None,
    )


def _newest(reader: ArchiveReader, expression: str, scope: Scope) -> _Plan:
    """Ask for the newest messages that fit the budget; for all where a filter helps."""
    count = reader.count_matching(expression)
    if count <= POSTINGS_BUDGET or scope.narrows:
        return _Plan(expression=expression)
    newest = reader.newest_message()
    return _Plan(
        expression=expression,
        after=newest - newest * POSTINGS_BUDGET // count,
        is_exact=False,
        notice=_ONLY_NEWEST,
    )


def _rarest(reader: ArchiveReader, terms: Sequence[Term]) -> list[Term]:
    """Return the terms that fit the budget, the rarest first to be let in.

    An identifier whose parts are too frequent is only looked for as a whole.
    """
    frequent = reader.documents({token for term in terms for token in term.tokens})
    lean = [
        term if _cost(term, frequent) <= POSTINGS_BUDGET else replace(term, parts=())
        for term in terms
    ]
    costs = [_cost(term, frequent) for term in lean]
    kept: set[int] = set()
    spent = 0
    for cost, index in sorted(zip(costs, range(len(terms)), strict=True)):
        spent += cost
        if spent > POSTINGS_BUDGET:
            break
        kept.add(index)
    return [term for index, term in enumerate(lean) if index in kept]


def _cost(term: Term, frequent: Mapping[str, int]) -> int:
    """Return about how many messages a term brings: any part of it may match."""
    counts = [frequent.get(token, 0) for token in term.tokens]
    return sum(counts) if term.parts else min(counts, default=0)


def _any_of(must: Sequence[str], terms: Sequence[Term]) -> str:
    """Ask for any of *terms*; a phrase asked for twice weighs twice to BM25."""
    options = [option for term in terms for option in (*term.spellings, *term.parts)]
    heavy = [term.spellings[0] for term in terms if term.is_identifier]
    optional = " OR ".join([*dict.fromkeys([*must[:1], *options]), *heavy])
    return " AND ".join([*must, f"({optional})"] if options else must)


def _all_of(must: Sequence[str], terms: Sequence[Term]) -> str:
    wanted = [f"({' OR '.join(term.spellings)})" for term in terms]
    return " AND ".join([*must, *wanted])


def holding_names(
    reader: ArchiveReader, terms: Sequence[Term], scope: Scope
) -> frozenset[int]:
    """Return the messages that hold every identifier among *terms* as it was typed.

    In a question of nothing but compounds, they are what is looked for.
    """
    wanted = [term for term in terms if term.is_identifier]
    if all(len(term.tokens) > 1 for term in terms):
        wanted = list(terms)
    identifiers = [replace(term, spellings=term.spellings[:1]) for term in wanted]
    if not identifiers:
        return frozenset()
    found = reader.matching(_all_of([], identifiers), scope, limit=COUNTED)
    return frozenset(message for message, _ in found)


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


def _title_scores(reader: ArchiveReader, terms: Iterable[Term]) -> dict[int, float]:
    """Return what each conversation's title scores. No title is found by a symbol."""
    wanted = [term.without_names() for term in terms if not term.is_symbol]
    return reader.title_scores(_any_of([], wanted)) if wanted else {}


def _scored(
    matches: Iterable[WordMatch],
    holding_all: Container[int],
    titles: Mapping[int, float],
) -> list[WordMatch]:
    """Raise what holds every term, and add what the conversation's title scores."""
    return [
        WordMatch(
            message,
            score * (1 + COVERAGE_WEIGHT * (message in holding_all))
            + TITLE_WEIGHT * titles.get(conversation, 0.0),
            row,
            conversation,
            at,
        )
        for message, score, row, conversation, at in matches
    ]


def _titled_only(
    reader: ArchiveReader,
    titles: Mapping[int, float],
    matches: Iterable[WordMatch],
    scope: Scope,
) -> list[WordMatch]:
    """Let the first prompt stand for a conversation of which only the title matches."""
    silent = titles.keys() - {match.conversation for match in matches}
    prompts = reader.first_prompts(sorted(silent), scope) if silent else []
    return [
        prompt._replace(score=TITLE_WEIGHT * titles[prompt.conversation])
        for prompt in prompts
    ]
