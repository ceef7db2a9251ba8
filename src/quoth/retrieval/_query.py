"""What a person typed, as terms and phrases: never as anybody's query syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from quoth.store import Tokenizer, cjk_runs, identifier_parts, split_cjk

from ._stopwords import STOP_WORDS, topics_in

__all__ = ["Query", "Term", "parse_question", "quoted"]

MOST_TERMS = 64
MOST_PHRASES = 8
MOST_PARTS = 32
LONGEST = 1_000
"""Characters of one term or phrase. With the numbers above it bounds the work that a
pasted page can cause: some 50 ms, whatever is in it."""

_PHRASE = re.compile(r'"([^"]*)"')
_EDGES = ".,;:!?()[]{}<>'\"`*\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026"
_IDENTIFIER = re.compile(r"[^\W\d].*\d|\d.*[^\W\d]|\d.*[-.:]\d|\d{5}|\w[/\\_.:@=]\w")
_SHORTEST_PREFIX = 3
_NAMES = "names : "  # the column of the word index that holds parts of identifiers


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One thing that was asked for.

    `spellings` are FTS5 expressions, any of which means that the term is there;
    `parts` are further ones that hold a piece of it. `tokens` are what it costs to
    look for.
    """

    text: str
    spellings: tuple[str, ...]
    parts: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def is_symbol(self) -> bool:
        """Whether only a name spelled in letters stands for it: `C++`, `.NET`."""
        return all(spelling.startswith(_NAMES) for spelling in self.spellings)

    @property
    def is_identifier(self) -> bool:
        """Whether it is a name that machines use, not a word, a year or a count."""
        return bool(_IDENTIFIER.search(self.text)) or len(self.spellings) > 1

    def without_names(self) -> Term:
        """Return the term for an index that has no column for parts of names."""
        plain = (s for s in self.spellings if not s.startswith(_NAMES))
        return replace(self, spellings=tuple(plain))

    def as_prefix(self) -> Term | None:
        """Return the term as the beginning of a word, or None when it is too short."""
        if self.is_symbol or len(self.text) < _SHORTEST_PREFIX or cjk_runs(self.text):
            return None
        return replace(self, spellings=tuple(f"{one} *" for one in self.spellings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question taken apart. `phrases` must stand in a message word for word.

    `is_frame`: it says how something is asked and not about what, so that its terms are
    those very words.
    """

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    left_out: int = 0
    is_frame: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.terms and not self.phrases


def parse_question(question: str, tokenizer: Tokenizer) -> Query:
    """Take a question apart: quoted phrases, and terms without the question's frame.

    An odd quotation mark is an ordinary character. Words that only frame a question
    are dropped unless nothing else is left. A very long question is cut.
    """
    found, rest = _phrases(question)
    phrases = [one[:LONGEST] for one in found if _has_token(one, tokenizer)]
    pieces = list(dict.fromkeys(_pieces(rest)))
    topical = [piece for piece in pieces if not _is_frame(piece)]
    terms, left_out = _distinct(topical, tokenizer)
    is_frame = not terms and not phrases
    if is_frame:
        terms, left_out = _distinct(pieces, tokenizer)
    return Query(
        text=question.replace('"', " ").strip(),
        terms=terms,
        phrases=tuple(phrases[:MOST_PHRASES]),
        left_out=left_out + len(phrases[MOST_PHRASES:]),
        is_frame=is_frame and bool(terms),
    )


def quoted(text: str) -> str:
    """Return *text* as one FTS5 string: nothing in it is syntax any more."""
    return '"{}"'.format(split_cjk(text).replace('"', '""').replace("\0", " "))


def _phrases(question: str) -> tuple[list[str], str]:
    if question.count('"') % 2:
        head, _, tail = question.rpartition('"')
        phrases, rest = _phrases(head)
        return phrases, f"{rest} {tail}"
    return _PHRASE.findall(question), _PHRASE.sub(" ", question)


def _has_token(text: str, tokenizer: Tokenizer) -> bool:
    return any(map(str.isalnum, text)) and bool(tokenizer.tokens(text[:LONGEST]))


def _pieces(text: str) -> Iterator[str]:
    """Yield what white space parts, CJK runs apart from what they are glued to."""
    for chunk in text.split():
        runs = cjk_runs(chunk)
        yield from runs
        for run in sorted(runs, key=len, reverse=True):  # none inside another one
            chunk = chunk.replace(run, " ")
        yield from map(_trimmed, chunk.split())


def _trimmed(piece: str) -> str:
    """Return *piece* without the punctuation around it; `.NET` keeps its dot."""
    word = piece.strip(_EDGES)
    dotted = f".{word}"
    return dotted if dotted in piece and identifier_parts(dotted) else word


def _distinct(
    pieces: Sequence[str], tokenizer: Tokenizer
) -> tuple[tuple[Term, ...], int]:
    """Return the first terms, and how many pieces nobody looked at any more."""
    terms: dict[tuple[str, ...], Term] = {}
    for index, piece in enumerate(pieces):
        if len(terms) == MOST_TERMS:
            return tuple(terms.values()), len(pieces) - index
        term = _term(piece[:LONGEST], tokenizer)
        if term is not None:
            terms.setdefault(term.spellings, term)
    return tuple(terms.values()), 0


def _term(piece: str, tokenizer: Tokenizer) -> Term | None:
    if not any(map(str.isalnum, piece)):  # most of what has no token, told quickly
        return None
    if cjk_runs(piece):
        return _cjk_term(piece)
    tokens = tokenizer.tokens(piece)
    inner = identifier_parts(piece).splitlines()
    if len(tokens) == 1 and inner and " " not in inner[0]:
        return _symbol(piece, inner[0])
    return _word(piece, tokens, inner, tokenizer) if tokens else None


def _cjk_term(run: str) -> Term:
    """Return a term whose parts are any two neighbouring characters of its topics."""
    topics = list(topics_in(run)) or [run]
    pairs = [
        topic[index : index + 2]
        for topic in topics
        for index in range(max(len(topic) - 1, 1))
    ]
    return Term(
        text=run,
        spellings=(quoted(run),),
        parts=_parts(pairs) if len(run) > 2 else (),
        tokens=tuple("".join(topics)),
    )


def _symbol(piece: str, name: str) -> Term:
    return Term(text=piece, spellings=(f"{_NAMES}{quoted(name)}",), tokens=(name,))


def _word(
    piece: str, tokens: Sequence[str], inner: Sequence[str], tokenizer: Tokenizer
) -> Term:
    pieces = tokenizer.words(piece) if len(tokens) > 1 else []
    pieces += [part for name in inner for part in name.split()]
    return Term(
        text=piece,
        spellings=(quoted(piece), *(f"{_NAMES}{quoted(name)}" for name in inner)),
        parts=_parts(
            part for part in pieces if len(part) > 1 and part not in STOP_WORDS
        ),
        tokens=tuple(tokens),
    )


def _parts(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(quoted, pieces)))[:MOST_PARTS]


def _is_frame(piece: str) -> bool:
    if cjk_runs(piece):
        return not any(topics_in(piece))
    return piece.lower().replace("\u2019", "'") in STOP_WORDS
