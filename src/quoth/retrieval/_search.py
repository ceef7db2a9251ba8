"""A question to a page: candidates by word and meaning, fused, rolled up, counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.embedding import Embedder
from quoth.model import (
    NO_FILTERS,
    Count,
    EmptyReason,
    Filters,
    Freshness,
    Hit,
    Include,
    Mode,
    Page,
    SearchUnit,
    Withheld,
)
from quoth.passages import windows_of
from quoth.store import ArchiveReader, HitRow, Scope, Tokenizer, citation_hash

from ._fusion import Candidate, Row, leading_few, mix, roll_up
from ._meaning import MeaningMatch, find_by_meaning, vectors_of
from ._query import Query, parse_question
from ._snippet import marks_in, snippet_of
from ._words import WordCandidates, find_by_words

__all__ = ["SearchRequest", "empty_page", "search"]

DEPTH = 500
"""Conversations each ranking may bring. The same for every page, so that paging
neither repeats nor skips; a notice says when more match than are ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Everything that decides an answer."""

    question: str
    mode: Mode = Mode.BOTH
    unit: SearchUnit = SearchUnit.CONVERSATION
    limit: int = 10
    offset: int = 0
    filters: Filters = NO_FILTERS

    @property
    def superseded(self) -> bool:
        """Whether superseded messages take part."""
        return Include.SUPERSEDED in self.filters.include


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What was found, before it is cut into a page."""

    query: Query
    words: WordCandidates | None
    meaning: Mapping[int, MeaningMatch]
    rows: Sequence[Row]
    embedded: int
    notices: tuple[str, ...]


def search(
    reader: ArchiveReader,
    request: SearchRequest,
    *,
    home: Path,
    embedder: Embedder,
    tokenizer: Tokenizer,
    rules_version: int,
    freshness: Freshness,
    notices: tuple[str, ...] = (),
) -> Page:
    """Answer a question from one moment of the archive."""
    began = time.perf_counter()
    reader.begin()
    try:
        scope = reader.scope(request.filters)
        answer = _find(reader, request, scope, home, embedder, tokenizer)
        recorded = reader.recorded(scope, superseded=request.superseded)
        hits = _hits(reader, request, answer, tokenizer, rules_version)
    finally:
        reader.end()
    return _page(
        request,
        answer,
        hits,
        recorded,
        freshness=freshness,
        notices=(*notices, *answer.notices),
        took_ms=(time.perf_counter() - began) * 1000,
    )


def empty_page(request: SearchRequest, *, freshness: Freshness) -> Page:
    """Answer where there is no archive yet: nothing is recorded."""
    return Page(
        question=request.question,
        terms=(),
        filters=request.filters,
        unit=request.unit,
        mode=request.mode,
        shown=Count(),
        all_words=Count(),
        some_words=Count(),
        by_meaning_only=0,
        recorded=Count(),
        embedded=0,
        withheld=(),
        freshness=freshness,
        empty_reason=EmptyReason.NOTHING_RECORDED,
        notices=(),
        next_offset=None,
        took_ms=0.0,
        hits=(),
    )


def _find(
    reader: ArchiveReader,
    request: SearchRequest,
    scope: Scope,
    home: Path,
    embedder: Embedder,
    tokenizer: Tokenizer,
) -> _Answer:
    query = parse_question(request.question, tokenizer)
    words = None
    if request.mode is not Mode.MEANING or query.phrases:
        words = find_by_words(reader, query, scope, superseded=request.superseded)
    embedded, lacking, notices = 0, 0, []
    meaning: dict[int, MeaningMatch] = {}
    known = reader.embedder(embedder.identity)
    if known is not None:
        embedded, lacking = reader.embedded(scope, known[0])
    if request.mode is not Mode.WORDS and not query.is_empty:
        near, notice = _near(reader, request, scope, home, embedder, query, known)
        meaning = {match.message: match for match in near}
        notices += notice
    if query.phrases and words is not None:
        meaning = {m: match for m, match in meaning.items() if m in words.matches}
    if lacking:
        notices.append(
            f"{lacking:,} messages are not embedded yet and found by word only;"
            " `quoth sync` embeds them."
        )
    if query.left_out:
        notices.append(
            f"The question was cut: {query.left_out} more words were left out."
        )
    if words is not None and words.left_out:
        common = ", ".join(words.left_out[:5])
        notices.append(f"Too frequent to rank by, and left out: {common}.")
    rows = _ranked(reader, request, words, meaning)
    return _Answer(
        query=query,
        words=words,
        meaning=meaning,
        rows=rows,
        embedded=embedded,
        notices=tuple(notices),
    )


def _near(
    reader: ArchiveReader,
    request: SearchRequest,
    scope: Scope,
    home: Path,
    embedder: Embedder,
    query: Query,
    known: tuple[int, int] | None,
) -> tuple[list[MeaningMatch], list[str]]:
    if known is None:
        return [], ["Search by meaning is off: nothing is embedded yet."]
    question = embedder.embed_query(query.text)
    if question is None:
        return [], ["Search by meaning knows no word of this question."]
    vectors = vectors_of(home, reader, embedder)
    found = find_by_meaning(
        reader,
        vectors,
        question,
        scope,
        embedder=known[0],
        superseded=request.superseded,
        depth=DEPTH,
    )
    return found, []


def _ranked(
    reader: ArchiveReader,
    request: SearchRequest,
    words: WordCandidates | None,
    meaning: Mapping[int, MeaningMatch],
) -> list[Row]:
    """Fuse what both rankings found and fold it into rows."""
    takes_words = words is not None and request.mode is not Mode.MEANING
    matches = words.matches if words is not None and takes_words else {}
    by_conversation = request.unit is SearchUnit.CONVERSATION
    leading = leading_few(
        matches.values(), conversations=DEPTH, each=3 if by_conversation else DEPTH
    )
    scores = mix(
        {match.message: match.score for match in leading},
        {message: match.score for message, match in meaning.items()},
    )
    roots = {message: match.root for message, match in meaning.items()}
    roots |= {match.message: match.root for match in leading}
    matching = Counter(match.root for match in matches.values())
    if Include.SUBAGENTS in request.filters.include:
        roots = reader.homes(list(scores))
        matching = Counter(match.conversation for match in matches.values())
    ages = reader.ages(list(scores))
    candidates = (
        Candidate(message=message, root=roots[message], at=ages[message], score=score)
        for message, score in scores.items()
    )
    return roll_up(candidates, matching=matching if by_conversation else None)


def _hits(
    reader: ArchiveReader,
    request: SearchRequest,
    answer: _Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> tuple[Hit, ...]:
    rows = answer.rows[request.offset : request.offset + request.limit]
    found = reader.hit_rows(
        [row.best.message for row in rows], within=request.filters.within
    )
    return tuple(
        _hit(row, found[row.best.message], answer, tokenizer, rules_version)
        for row in rows
    )


def _hit(
    row: Row,
    found: HitRow,
    answer: _Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> Hit:
    terms = answer.words.terms if answer.words else answer.query.terms
    shown = found.text or found.tool_words or ""
    near = None
    match = answer.meaning.get(found.message)
    if match is not None and found.text:
        window = windows_of(found.text)[match.window]
        near = (window.start, window.end)
    marks = marks_in(shown, terms, answer.query.phrases, tokenizer)
    snippet, inside = snippet_of(shown, marks, near=near)
    by_word = answer.words is not None and found.message in answer.words.matches
    matched_by = [("words", by_word), ("meaning", match is not None)]
    return Hit(
        conversation=found.conversation,
        parent=found.parent,
        kind=found.kind,
        title=found.title,
        source=found.source,
        repo=found.repo,
        model=found.model,
        started_at=found.started_at,
        seq=found.seq,
        role=found.role,
        at=found.at,
        snippet=snippet,
        marks=inside,
        text=found.text,
        matched_by=tuple(name for name, holds in matched_by if holds),
        score=round(row.best.score, 6),
        others=row.others,
        citation=f"{found.conversation}#{found.seq}@"
        + citation_hash(found.text, rules_version=rules_version),
        also_in=found.also_in,
        superseded=found.superseded,
        source_gone=found.source_gone,
    )


def _page(
    request: SearchRequest,
    answer: _Answer,
    hits: tuple[Hit, ...],
    recorded: Count,
    *,
    freshness: Freshness,
    notices: tuple[str, ...],
    took_ms: float,
) -> Page:
    words = answer.words
    end = request.offset + len(hits)
    return Page(
        question=request.question,
        terms=tuple(term.text for term in answer.query.terms) + answer.query.phrases,
        filters=request.filters,
        unit=request.unit,
        mode=request.mode,
        shown=Count(
            conversations=len({hit.parent or hit.conversation for hit in hits}),
            messages=len(hits),
        ),
        all_words=words.all_words if words else Count(),
        some_words=words.some_words if words else Count(),
        by_meaning_only=sum(hit.matched_by == ("meaning",) for hit in hits),
        recorded=recorded,
        embedded=answer.embedded,
        withheld=_withheld(words),
        freshness=freshness,
        empty_reason=_empty_reason(answer, recorded),
        notices=notices,
        next_offset=end if end < len(answer.rows) and hits else None,
        took_ms=round(took_ms, 1),
        hits=hits,
    )


def _withheld(words: WordCandidates | None) -> tuple[Withheld, ...]:
    if words is None or not words.superseded:
        return ()
    return (
        Withheld(
            reason="superseded",
            messages=words.superseded,
            hint="--include superseded",
        ),
    )


def _empty_reason(answer: _Answer, recorded: Count) -> EmptyReason | None:
    if answer.rows:
        return None
    if not recorded.messages:
        return EmptyReason.NOTHING_RECORDED
    return EmptyReason.NO_TERMS if answer.query.is_empty else EmptyReason.NO_MATCH
