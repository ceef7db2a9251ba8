"""A question to a page: candidates by word and meaning, fused, rolled up, counted."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.embedding import Embedder
from quoth.model import (
    NO_FILTERS,
    Count,
    EmptyReason,
    Filters,
    FoundIn,
    Freshness,
    Hit,
    Mode,
    Page,
    Role,
    SearchUnit,
    Withheld,
)
from quoth.passages import windows_of
from quoth.store import (
    ArchiveReader,
    Embedded,
    HitRow,
    Scope,
    Tokenizer,
    WordMatch,
    citation_hash,
)

from ._fusion import Candidate, Row, leading_few, mix, roll_up
from ._meaning import (
    Asked,
    MeaningMatch,
    Vectors,
    ask,
    find_by_meaning,
    learned_floor,
)
from ._query import Query, parse_question
from ._snippet import marks_in, snippet_of
from ._words import WordCandidates, find_by_words, holding_names

__all__ = ["SearchRequest", "empty_page", "search"]

DEPTH = 500
"""Conversations each ranking may bring. The same for every page, so that paging
neither repeats nor skips; a notice says when more match than are ranked."""

LONGEST_S = 30.0
"""A search takes well below a second; on a cold, slow disk perhaps ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Everything that decides an answer."""

    question: str
    mode: Mode = Mode.BOTH
    unit: SearchUnit = SearchUnit.CONVERSATION
    limit: int = 10
    offset: int = 0
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What was found, before it is cut into a page."""

    query: Query
    words: WordCandidates | None
    meaning: Mapping[int, MeaningMatch]
    rows: Sequence[Row]
    embedded: int
    meaning_off: str | None
    notices: tuple[str, ...]


def search(
    reader: ArchiveReader,
    request: SearchRequest,
    *,
    embedder: Embedder,
    vectors: Vectors,
    tokenizer: Tokenizer,
    rules_version: int,
    freshness: Freshness,
) -> Page:
    """Answer a question from one moment of the archive.

    Args:
        embedder: The one that made the vectors that serve.

    Raises:
        NotRecordedError: The filters ask to stay within a conversation there is not.
        SearchTooLongError: The archive took too long to answer.
        EmbeddingError: Meaning alone was asked for, and the model can't be used.
        ServerError: The same, by reason of a server.
    """
    began = time.perf_counter()
    request = replace(request, question=_printable(request.question))
    query = parse_question(request.question, tokenizer)
    asked = Asked(known=reader.serving())
    if request.mode is not Mode.WORDS and not query.is_empty:
        # Before the archive is held at one moment: a server may take its time.
        asked = ask(embedder, query.text, asked.known)
        if asked.error is not None and request.mode is Mode.MEANING:
            raise asked.error
    reader.begin()
    try:
        with reader.at_most(LONGEST_S):
            scope = reader.scope(request.filters)
            answer = _find(reader, request, scope, query, asked, vectors)
            recorded = reader.recorded(scope)
            hits = _hits(reader, request, scope, answer, tokenizer, rules_version)
    finally:
        reader.end()
    return _page(
        request,
        answer,
        hits,
        recorded,
        freshness=freshness,
        took_ms=(time.perf_counter() - began) * 1000,
    )


def _printable(text: str) -> str:
    """Return *text* without halves of characters, as a broken command line has them."""
    return text.encode("utf-8", "replace").decode()


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
    query: Query,
    asked: Asked,
    vectors: Vectors,
) -> _Answer:
    words = None
    if request.mode is not Mode.MEANING or query.phrases:
        words = find_by_words(reader, query, scope)
    embedded = reader.embedded(scope, asked.known.id if asked.known else 0)
    near: list[MeaningMatch] = []
    notices = _notices(query, words)
    if request.mode is not Mode.WORDS and not query.is_empty:
        near = _near(reader, scope, vectors, asked)
        notices += _of_meaning(asked, embedded)
    if query.phrases and words is not None:
        near = [match for match in near if match.message in words.messages]
    named = holding_names(reader, words.terms, scope) if words and near else frozenset()
    rows = _ranked(request, words, near, named)
    return _Answer(
        query=query,
        words=words,
        meaning={match.message: match for match in near},
        rows=rows,
        embedded=embedded.has,
        meaning_off=asked.error.code if asked.error else None,
        notices=(
            *notices,
            *_depth_notice(rows, request, words),
            *_unread_notice(reader),
        ),
    )


def _unread_notice(reader: ArchiveReader) -> list[str]:
    counts = zip(reader.unread(), ("record", "file"), strict=True)
    unread = [f"{n:,} {noun}{'s' * (n != 1)}" for n, noun in counts if n]
    if not unread:
        return []
    return [f"Not read, so not searched: {' and '.join(unread)} (quoth status)."]


def _notices(query: Query, words: WordCandidates | None) -> list[str]:
    cut = f"The question was cut: {query.left_out} more words were left out."
    return [*([cut] if query.left_out else []), *(words.notices if words else ())]


def _of_meaning(asked: Asked, embedded: Embedded) -> list[str]:
    """Say what keeps messages from being found by meaning."""
    notices = []
    if asked.error is not None:
        hint = f" {asked.error.hint}" if asked.error.hint else ""
        notices.append(f"Search by meaning is off: {asked.error}{hint}")
    elif not embedded.has and embedded.lacking:
        notices.append(
            "Search by meaning is off: nothing is embedded yet. Run `quoth sync`."
        )
    elif asked.known is not None and asked.vector is None:
        notices.append("Search by meaning knows no word of this question.")
    if embedded.has and embedded.lacking:
        notices.append(
            f"{_having_none(embedded.lacking)} yet; `quoth sync` makes them."
        )
    if embedded.refused:
        notices.append(
            f"{_having_none(embedded.refused)}: the embedder could not take the text."
        )
    return notices


def _having_none(messages: int) -> str:
    if messages == 1:
        return "1 message has no vectors"
    return f"{messages:,} messages have no vectors"


def _depth_notice(
    rows: Sequence[Row], request: SearchRequest, words: WordCandidates | None
) -> list[str]:
    """Say when paging ends before what matches does."""
    if words is None or request.mode is Mode.MEANING:
        return []
    by_conversation = request.unit is SearchUnit.CONVERSATION
    matching = len(words.per_row) if by_conversation else len(words.matches)
    if len(rows) >= matching:
        return []
    return [f"Only the best {len(rows)} are ranked; a filter brings others up."]


def _near(
    reader: ArchiveReader, scope: Scope, vectors: Vectors, asked: Asked
) -> list[MeaningMatch]:
    if asked.known is None or asked.vector is None:
        return []
    stored = vectors.at(reader, asked.known)
    return find_by_meaning(
        reader,
        stored,
        asked.vector,
        scope,
        embedder=asked.known.id,
        floor=learned_floor(stored) if asked.floor is None else asked.floor,
        depth=DEPTH,
    )


def _ranked(
    request: SearchRequest,
    words: WordCandidates | None,
    near: Sequence[MeaningMatch],
    named: Container[int],
) -> list[Row]:
    """Fuse what both rankings found and fold it into rows."""
    by_conversation = request.unit is SearchUnit.CONVERSATION
    leading: list[WordMatch] = []
    if words is not None and request.mode is not Mode.MEANING:
        leading = leading_few(
            words.matches, conversations=DEPTH, each=3 if by_conversation else DEPTH
        )
    scores = mix(
        {match.message: match.score for match in leading},
        _nearness(near, [match.message for match in leading if match.message in named]),
    )
    places = {match.message: (match.row, match.at) for match in near}
    places |= {match.message: (match.row, match.at) for match in leading}
    candidates = (
        Candidate(message=message, row=row, at=at, score=scores[message])
        for message, (row, at) in places.items()
    )
    matching = words.per_row if words is not None and leading else {}
    return roll_up(candidates, matching=matching if by_conversation else None)


def _nearness(near: Sequence[MeaningMatch], named: Sequence[int]) -> dict[int, float]:
    """Return how near each message is; one with the question's identifiers is nearest.

    No embedder knows identifiers: by its vector alone, a sentence of the same words
    would come before the name that was asked for.
    """
    nearness = {match.message: match.score for match in near}
    if named:
        nearness |= dict.fromkeys(named, max(nearness.values()))
    return nearness


def _hits(
    reader: ArchiveReader,
    request: SearchRequest,
    scope: Scope,
    answer: _Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> tuple[Hit, ...]:
    rows = _on_page(request, answer)
    found = reader.hit_rows([row.best.message for row in rows], scope)
    return tuple(
        _hit(row, found[row.best.message], answer, tokenizer, rules_version)
        for row in rows
    )


def _on_page(request: SearchRequest, answer: _Answer) -> Sequence[Row]:
    return answer.rows[request.offset : request.offset + request.limit]


def _hit(
    row: Row,
    found: HitRow,
    answer: _Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> Hit:
    match = answer.meaning.get(found.message)
    found_in, (snippet, marks) = _snippet(found, answer, tokenizer)
    by_word = answer.words is not None and found.message in answer.words.messages
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
        marks=marks,
        found_in=found_in,
        text=found.text,
        matched_by=tuple(name for name, holds in matched_by if holds),
        score=round(row.best.score, 6),
        others=row.others,
        citation=f"{found.conversation}#{found.seq}@"
        + citation_hash(found.quotation, rules_version=rules_version),
        also_in=found.also_in,
        superseded=found.superseded,
        source_gone=found.source_gone,
    )


def _snippet(
    found: HitRow, answer: _Answer, tokenizer: Tokenizer
) -> tuple[FoundIn, tuple[str, tuple[tuple[int, int], ...]]]:
    """Return what a page shows of a message: where its text or its tools' input match.

    Without a match in words it is the window that is nearest in meaning.
    """
    terms = answer.words.terms if answer.words else answer.query.terms
    phrases = answer.query.phrases
    marks = marks_in(found.text, terms, phrases, tokenizer)
    if not marks and found.tool_words:
        marks = marks_in(found.tool_words, terms, phrases, tokenizer)
        if marks or not found.text:
            return FoundIn.TOOL_INPUT, snippet_of(found.tool_words, marks)
    near = None
    match = answer.meaning.get(found.message)
    if match is not None and not marks:
        windows = windows_of(found.text)
        # Redacted on its way out, a text has fewer words than it had for its vectors.
        window = windows[min(match.window, len(windows) - 1)]
        near = (window.start, window.end)
    said = FoundIn.TOOL_OUTPUT if found.role is Role.TOOL else FoundIn.TEXT
    return said, snippet_of(found.text, marks, near=near)


def _page(
    request: SearchRequest,
    answer: _Answer,
    hits: tuple[Hit, ...],
    recorded: Count,
    *,
    freshness: Freshness,
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
            conversations=len({row.best.row for row in _on_page(request, answer)}),
            messages=len(hits),
        ),
        all_words=words.all_words if words else Count(),
        some_words=words.some_words if words else Count(),
        by_meaning_only=sum(hit.matched_by == ("meaning",) for hit in hits),
        recorded=recorded,
        embedded=answer.embedded,
        meaning_off=answer.meaning_off,
        withheld=_withheld(words),
        freshness=freshness,
        empty_reason=_empty_reason(answer, recorded),
        notices=answer.notices,
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
