"""What a person typed, as terms and phrases: never as anybody's query syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from quoth.store import Tokenizer, cjk_runs, identifier_parts, split_cjk

from ._stopwords import STOP_WORDS

__all__ = ["Query", "Term", "parse_question"]

MOST_TERMS = 64
_PHRASE = re.compile(r'"([^"]*)"')
_EDGES = ".,;:!?()[]{}<>'\"`*\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026"
_SHORTEST_PREFIX = 3
_NAMES = "names : "  # the column of the word index that holds parts of identifiers


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One thing that was asked for.

    `spellings` are FTS5 expressions, any of which means that the term is there;
    `parts` are further ones that hold a piece of it. `tokens` are what it costs to
    look for. `is_plain` marks a single word of one token.
    """

    text: str
    spellings: tuple[str, ...]
    parts: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    is_plain: bool = True

    def without_fields(self) -> Term:
        """Return the term for an index that has no column for parts of names."""
        spellings = tuple(s for s in self.spellings if not s.startswith(_NAMES))
        return replace(self, spellings=spellings)

    def as_prefix(self) -> Term | None:
        """Return the term as the beginning of a word, or None when it is too short."""
        last = self.text.strip(_EDGES)
        if len(last) < _SHORTEST_PREFIX or cjk_runs(last):
            return None
        return replace(self, spellings=tuple(f"{one} *" for one in self.spellings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question taken apart. `phrases` must stand in a message word for word."""

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    left_out: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.terms and not self.phrases


def parse_question(question: str, tokenizer: Tokenizer) -> Query:
    """Take a question apart: quoted phrases, and terms without the question's frame.

    An odd quotation mark is an ordinary character. Words that only frame a question
    are dropped unless nothing else is left.
    """
    phrases, rest = _phrases(question)
    phrases = [phrase for phrase in phrases if tokenizer.tokens(phrase)]
    terms = list(_terms(rest, tokenizer))
    topical = [term for term in terms if not _is_frame(term)]
    distinct = list({term.spellings: term for term in topical or terms}.values())
    if phrases and not topical:
        distinct = []
    return Query(
        text=question.replace('"', " ").strip(),
        terms=tuple(distinct[:MOST_TERMS]),
        phrases=tuple(phrases),
        left_out=max(0, len(distinct) - MOST_TERMS),
    )


def _phrases(question: str) -> tuple[list[str], str]:
    if question.count('"') % 2:
        head, _, tail = question.rpartition('"')
        phrases, rest = _phrases(head)
        return phrases, f"{rest} {tail}"
    return _PHRASE.findall(question), _PHRASE.sub(" ", question)


def _terms(text: str, tokenizer: Tokenizer) -> Iterator[Term]:
    for chunk in text.split():
        yield from _cjk_terms(chunk)
        for piece in _without_cjk(chunk):
            term = _term(piece.strip(_EDGES) or piece, tokenizer)
            if term is not None:
                yield term


def _without_cjk(chunk: str) -> list[str]:
    for run in cjk_runs(chunk):
        chunk = chunk.replace(run, " ")
    return chunk.split()


def _cjk_terms(chunk: str) -> Iterator[Term]:
    """Yield a term per run: any two neighbouring characters of it are a part."""
    for run in cjk_runs(chunk):
        pairs = [run[index : index + 2] for index in range(len(run) - 1)]
        yield Term(
            text=run,
            spellings=(_quoted(run),),
            parts=tuple(_quoted(pair) for pair in pairs) if len(run) > 2 else (),
            tokens=tuple(run),
            is_plain=False,
        )


def _term(word: str, tokenizer: Tokenizer) -> Term | None:
    tokens = tokenizer.tokens(word)
    inner = identifier_parts(word)
    if not tokens and not inner:
        return None
    spellings = [_quoted(word)] if tokens else []
    pieces = tokens if len(tokens) > 1 else []
    if inner:
        names = inner.splitlines()
        spellings += [f"{_NAMES}{_quoted(name)}" for name in names]
        pieces = [*pieces, *(part for name in names for part in name.split())]
    parts = [
        _quoted(piece)
        for piece in dict.fromkeys(pieces)
        if len(piece) > 1 and piece not in STOP_WORDS
    ]
    return Term(
        text=word,
        spellings=tuple(spellings),
        parts=tuple(part for part in parts if part not in spellings),
        tokens=tuple(tokens),
        is_plain=len(tokens) == 1 and not inner,
    )


def _quoted(text: str) -> str:
    """Return *text* as one FTS5 string: nothing in it is syntax any more."""
    return '"{}"'.format(split_cjk(text).replace('"', '""').replace("\0", " "))


def _is_frame(term: Term) -> bool:
    return term.text.lower().replace("\u2019", "'") in STOP_WORDS
