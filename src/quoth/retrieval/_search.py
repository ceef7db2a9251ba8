"""A question to a page: candidates by word and meaning, fused, rolled up, counted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

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
    RankingChoice,
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
    citation_hash,
)

from ._closeness import Question
from ._corpus import Corpus
from ._dated import Dated, described, read_dates
from ._meaning import Asked, Nearness, Vectors, ask, find_by_meaning, learned_floor
from ._query import Query, parse_question
from ._ranking import Ranked, Weights, rank, ranks, reasons
from ._rows import Row, roll_up
from ._snippet import marks_in, snippet_of
from ._weak import is_weak
from ._weights import WEIGHTS
from ._words import WordMatches, find_by_words

__all__ = [
    "Answer",
    "SearchRequest",
    "Understood",
    "empty_page",
    "find",
    "search",
    "understood",
]

DEPTH = 500
"""Conversations that may come by meaning alone: every vector has a distance. The same
for every page, so that paging neither repeats nor skips."""

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
    asked_at: datetime | None = None
    """From when on times are counted back that the question names; None: none is
    read in it, "yesterday" is a word."""
    explain: bool = False
    ranking: RankingChoice = RankingChoice()  # noqa: RUF009 - it is frozen

    @property
    def weights(self) -> Weights:
        """What each feature counts."""
        chosen = self.ranking
        return replace(WEIGHTS[self.unit], recent=chosen.recency, tool=chosen.tools)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What was found, before it is cut into a page."""

    query: Query
    dated: Dated
    from_then: int
    words: WordMatches | None
    by_word: WordMatches | None
    """The same where words took part in the ranking."""
    near: Nearness
    ranked: Ranked
    rows: Sequence[Row]
    embedded: int
    meaning_off: str | None
    notices: tuple[str, ...]
    browsed: Count
    """What is from a time that is named, where nothing else is asked for."""


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
    # Before the archive is held at one moment: a server may take its time.
    question = understood(reader, request, embedder=embedder, tokenizer=tokenizer)
    reader.begin()
    try:
        with reader.at_most(LONGEST_S):
            scope = reader.scope(request.filters)
            answer = find(reader, request, question, scope, vectors, tokenizer)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Understood:
    """A question taken apart, and put to the embedder that serves."""

    dated: Dated
    query: Query
    asked: Asked


def understood(
    reader: ArchiveReader,
    request: SearchRequest,
    *,
    embedder: Embedder,
    tokenizer: Tokenizer,
) -> Understood:
    """Take a question apart, and ask for its meaning where that takes part.

    Raises:
        EmbeddingError: Meaning alone was asked for, and the model can't be used.
        ServerError: The same, by reason of a server.
    """
    dated = read_dates(request.question, now=request.asked_at)
    query = parse_question(dated.rest, tokenizer)
    if dated.phrases and query.is_frame:
        query = replace(query, terms=())
    asked = Asked(known=reader.serving())
    if request.mode is not Mode.WORDS and not query.is_empty:
        asked = ask(embedder, query.text, asked.known)
        if asked.error is not None and request.mode is Mode.MEANING:
            raise asked.error
    return Understood(dated=dated, query=query, asked=asked)


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


def find(
    reader: ArchiveReader,
    request: SearchRequest,
    question: Understood,
    scope: Scope,
    vectors: Vectors,
    tokenizer: Tokenizer,
) -> Answer:
    """Find and rank everything that may be shown, within one moment of the archive."""
    dated, query, asked = question.dated, question.query, question.asked
    corpus = Corpus.of(reader, scope)
    words = None
    if request.mode is not Mode.MEANING or query.phrases:
        words = find_by_words(corpus, query, tokenizer)
    embedded = reader.embedded(scope, asked.known.id if asked.known else 0)
    near = Nearness()
    notices = _notices(query)
    if request.mode is not Mode.WORDS and not query.is_empty:
        near = _near(reader, scope, vectors, asked)
        notices += _of_meaning(asked, embedded)
    if query.phrases and words is not None:
        near = near.among(words.matched)
    near = near.among(corpus.searched)
    by_word = None if request.mode is Mode.MEANING else words
    reading = Question.of(query, by_word, tokenizer) if by_word is not None else None
    in_time = dated.closeness(corpus) if dated.phrases else None
    ranked = rank(
        corpus,
        by_word,
        near,
        in_time,
        reading,
        request.unit,
        request.weights,
        request.ranking.half_life_days,
    )
    from_then = 0 if in_time is None else int((in_time[ranked.messages] >= 1).sum())
    browsed = Count()
    if query.is_empty and dated.phrases:
        browsed = corpus.count_of(ranked.messages)
    return Answer(
        query=query,
        dated=dated,
        from_then=from_then,
        words=words,
        by_word=by_word,
        near=near,
        ranked=ranked,
        rows=roll_up(corpus, ranked, by_conversation=_by_conversation(request)),
        embedded=embedded.has,
        meaning_off=asked.error.code if asked.error else None,
        notices=(
            *_of_dates(dated, from_then, len(ranked.messages)),
            *_of_slips(words),
            *notices,
            *_unread_notice(reader),
        ),
        browsed=browsed,
    )


def _by_conversation(request: SearchRequest) -> bool:
    return request.unit is SearchUnit.CONVERSATION


def _unread_notice(reader: ArchiveReader) -> list[str]:
    counts = zip(reader.unread(), ("record", "file"), strict=True)
    unread = [f"{n:,} {noun}{'s' * (n != 1)}" for n, noun in counts if n]
    if not unread:
        return []
    return [f"Not read, so not searched: {' and '.join(unread)} (quoth status)."]


def _notices(query: Query) -> list[str]:
    notices = []
    if query.left_out:
        notices.append(
            f"The question was cut: {query.left_out} more words were left out."
        )
    if query.is_frame:
        notices.append(
            "The question only says how it is asked; its words were searched as they"
            " are."
        )
    return notices


def _of_dates(dated: Dated, from_then: int, found: int) -> list[str]:
    """Say whether anything that was found is from a time that the question names."""
    if not dated.phrases or from_then or not found:
        return []
    named = described(dated.read)
    without = "1 message" if found == 1 else f"{found:,} messages"
    return [f"Nothing from \u201c{named}\u201d; {without} without the date."]


def _of_slips(words: WordMatches | None) -> list[str]:
    return [
        f"Searched for \u201c{each.taken}\u201d instead of \u201c{each.typed}\u201d."
        for each in (words.respelled if words else ())
    ]


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


def _near(
    reader: ArchiveReader, scope: Scope, vectors: Vectors, asked: Asked
) -> Nearness:
    if asked.known is None or asked.vector is None:
        return Nearness()
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


def _hits(
    reader: ArchiveReader,
    request: SearchRequest,
    scope: Scope,
    answer: Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> tuple[Hit, ...]:
    rows = _on_page(request, answer)
    found = reader.hit_rows([row.message for row in rows], scope)
    return tuple(
        _hit(row, found[row.message], request, answer, tokenizer, rules_version)
        for row in rows
    )


def _on_page(request: SearchRequest, answer: Answer) -> Sequence[Row]:
    return answer.rows[request.offset : request.offset + request.limit]


def _hit(
    row: Row,
    found: HitRow,
    request: SearchRequest,
    answer: Answer,
    tokenizer: Tokenizer,
    rules_version: int,
) -> Hit:
    match = answer.near.matches.get(found.message)
    found_in, (snippet, marks) = _snippet(found, answer, tokenizer)
    by_word = answer.words is not None and bool(answer.words.matched[found.message])
    matched_by = [("words", by_word), ("meaning", match is not None)]
    if answer.query.is_empty:
        matched_by.append(("date", True))
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
        score=row.score,
        others=row.others,
        citation=f"{found.conversation}#{found.seq}@"
        + citation_hash(found.quotation, rules_version=rules_version),
        also_in=found.also_in,
        superseded=found.superseded,
        source_gone=found.source_gone,
        weak=_is_weak(row, answer),
        ranks=ranks(answer.ranked, row.place) if request.explain else (),
        made_of=reasons(answer.ranked, row.place, request.weights)
        if request.explain
        else (),
    )


def _is_weak(row: Row, answer: Answer) -> bool:
    if answer.query.is_empty:
        return False
    features = answer.ranked.features[row.place].tolist()
    return is_weak(features, answer.by_word, answer.near)


def _snippet(
    found: HitRow, answer: Answer, tokenizer: Tokenizer
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
    match = answer.near.matches.get(found.message)
    if match is not None and not marks:
        windows = windows_of(found.text)
        # Redacted on its way out, a text has fewer words than it had for its vectors.
        window = windows[min(match.window, len(windows) - 1)]
        near = (window.start, window.end)
    said = FoundIn.TOOL_OUTPUT if found.role is Role.TOOL else FoundIn.TEXT
    return said, snippet_of(found.text, marks, near=near)


def _page(
    request: SearchRequest,
    answer: Answer,
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
            conversations=len({row.conversation for row in _on_page(request, answer)}),
            messages=len(hits),
        ),
        all_words=words.all_words if words else answer.browsed,
        some_words=words.some_words if words else answer.browsed,
        by_meaning_only=sum(hit.matched_by == ("meaning",) for hit in hits),
        recorded=recorded,
        embedded=answer.embedded,
        meaning_off=answer.meaning_off,
        dates=answer.dated.read,
        from_then=answer.from_then,
        respelled=words.respelled if words else (),
        withheld=_withheld(words),
        freshness=freshness,
        empty_reason=_empty_reason(answer, recorded),
        notices=answer.notices,
        next_offset=end if end < len(answer.rows) and hits else None,
        took_ms=round(took_ms, 1),
        hits=hits,
    )


def _withheld(words: WordMatches | None) -> tuple[Withheld, ...]:
    if words is None:
        return ()
    counts = {"superseded": words.superseded, "echoes": words.echoes}
    return tuple(
        Withheld(reason=reason, messages=count, hint=f"--include {reason}")
        for reason, count in counts.items()
        if count
    )


def _empty_reason(answer: Answer, recorded: Count) -> EmptyReason | None:
    if answer.rows:
        return None
    if not recorded.messages:
        return EmptyReason.NOTHING_RECORDED
    if answer.query.is_empty and not answer.dated.phrases:
        return EmptyReason.NO_TERMS
    return EmptyReason.NO_MATCH
