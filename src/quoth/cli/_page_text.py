"""A page of hits for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from quoth.model import (
    EmptyReason,
    Filters,
    FoundIn,
    Hit,
    Kind,
    Mode,
    Page,
    SearchUnit,
)

from ._clean import clean_for_terminal
from ._freshness_text import freshness_line
from ._layout import (
    Marked,
    counted,
    duration,
    filled,
    one_line,
    painted,
    shorten,
    width_of,
    wrap,
)
from ._terminal import Terminal
from ._times import range_text, when

__all__ = ["page_text"]

_SPACE = re.compile(r"\s+")
_PHRASE = re.compile(r'"([^"]*)"')


def page_text(page: Page, *, first: int, now: datetime, terminal: Terminal) -> str:
    """Return the page as text; its hits are numbered from *first*."""
    last = first + len(page.hits) - 1
    indent = len(str(last)) + 2
    line = _line_at(page)
    said = _BELOW if line else _no_good_match(page)
    hits = [
        ("\n".join(map(terminal.dim, filled(said, terminal.width))) + "\n\n")
        * (number - first == line)
        + _hit_text(hit, number, indent=indent, now=now, terminal=terminal)
        for number, hit in enumerate(page.hits, start=first)
    ]
    foot = [
        terminal.dim(line)
        for paragraph in _footer(page, now=now)
        for line in filled(one_line(paragraph), terminal.width)
    ]
    return "\n\n".join([*hits, "\n".join([*_empty_lines(page, terminal), *foot])])


_BELOW = "Below this line, matches are weak: they may have nothing to do with it."


def _no_good_match(page: Page) -> str:
    """Return what is said where all hits are weak."""
    if page.some_words.messages:
        return "No good match: what follows may have nothing to do with the question."
    return "Nothing holds these words; what follows is near in meaning, if not by much."


def _line_at(page: Page) -> int | None:
    """Return before which hit a line is drawn: none that follows is a good match."""
    strong = [place for place, hit in enumerate(page.hits) if not hit.weak]
    last = max(strong, default=-1) + 1
    return last if last < len(page.hits) else None


def _hit_text(
    hit: Hit, number: int, *, indent: int, now: datetime, terminal: Terminal
) -> str:
    width = terminal.width - indent
    margin = " " * indent
    label = f"{number}.".rjust(indent - 1) + " "
    tags = terminal.dot.join(_tags(hit))
    lines = [
        terminal.bold(_title(hit, width, terminal)),
        *map(terminal.dim, filled(_about(hit, terminal), width)),
        *_snippet(hit, width, now=now, terminal=terminal),
        *map(terminal.dim, filled(tags, width) if tags else ()),
        *map(terminal.dim, _explained(hit, width)),
        # Never wrapped: a citation is there to be copied whole.
        terminal.dim(one_line(hit.citation)),
    ]
    return terminal.bold(label) + f"\n{margin}".join(lines)


def _title(hit: Hit, width: int, terminal: Terminal) -> str:
    """Return the conversation's title, or the first words of the message."""
    title = one_line(hit.title or "") or one_line(hit.text[:400])
    return shorten(title or "(no text)", width, ellipsis=terminal.ellipsis)


def _about(hit: Hit, terminal: Terminal) -> str:
    started = hit.started_at and f"{hit.started_at.astimezone():%Y-%m-%d}"
    parts = [hit.source, _basename(hit.repo), started, hit.model]
    return terminal.dot.join(one_line(part) for part in parts if part)


def _basename(repo: str | None) -> str:
    return (repo or "").rstrip("/").rpartition("/")[2].removesuffix(".git")


def _snippet(hit: Hit, width: int, *, now: datetime, terminal: Terminal) -> list[str]:
    spoken = f", {when(hit.at, now=now)}" if hit.at else ""
    *above, who = filled(f"{_speaker(hit)}{spoken}:", width)
    first, *rest = wrap(_marked(hit), width, taken=width_of(who) + 1)
    gap = " " if first else ""
    return [
        *map(terminal.dim, above),
        terminal.dim(who) + gap + painted(first, terminal),
        *(painted(line, terminal) for line in rest),
    ]


def _speaker(hit: Hit) -> str:
    if hit.found_in is FoundIn.TEXT:
        return hit.role.value
    return hit.found_in.value.replace("_", " ")


def _marked(hit: Hit) -> list[Marked]:
    """Return the snippet's characters, made safe piece by piece.

    The marks are positions in the raw snippet, so it has to be cut before it is made
    safe. A run of white space is one space, also where two pieces meet.
    """
    cells: list[Marked] = []
    for piece, marked in _pieces(hit.snippet, hit.marks):
        spaced = _SPACE.sub(" ", piece)
        if not cells or cells[-1][0] == " ":
            spaced = spaced.removeprefix(" ")
        safe = clean_for_terminal(spaced, keep_newlines=False)
        cells.extend((character, marked) for character in safe)
    return cells


def _pieces(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    done = 0
    for start, end in sorted(marks):
        if start < done or end > len(text):
            continue
        yield text[done:start], False
        yield text[start:end], True
        done = end
    yield text[done:], False


def _explained(hit: Hit, width: int) -> Iterator[str]:
    """Yield what each ranking says of a hit, and what its score is the sum of."""
    if not hit.made_of:
        return
    places = " and ".join(f"number {place} by {name}" for name, place in hit.ranks)
    parts = ", ".join(
        f"{part.feature.replace('_', ' ')} {part.adds:+.2f}"
        f" ({part.value:.2f} of {part.weight:g})"
        for part in hit.made_of
    )
    said = f"Score {hit.score:.2f}" + (f": {places}." if places else ".")
    yield from filled(f"{said} {parts}.", width)


def _tags(hit: Hit) -> Iterator[str]:
    if hit.weak:
        yield "weak"
    if hit.others:
        yield f"+{hit.others:,} more in this conversation"
    if hit.also_in:
        yield f"also in {counted(len(hit.also_in), 'other conversation')}"
    if hit.matched_by == (Mode.MEANING.value,):
        yield "by meaning"
    if hit.kind is not Kind.MAIN:
        yield f"({hit.kind.value})"
    if hit.superseded:
        yield "(superseded)"
    if hit.source_gone:
        yield "(source gone)"


def _empty_lines(page: Page, terminal: Terminal) -> list[str]:
    if page.hits:
        return []
    said, next_step = _empty_sentences(page)
    return filled(f"{said} {next_step}", terminal.width)


def _empty_sentences(page: Page) -> tuple[str, str]:
    """Return why there is no hit, and what to do about it."""
    narrowed = bool(_filters_text(page.filters))
    match page.empty_reason:
        case EmptyReason.NO_TERMS:
            return (
                "There is nothing to search for: the question has no searchable word.",
                "Ask with a word that was said.",
            )
        case EmptyReason.NOTHING_RECORDED if narrowed:
            return (
                "Nothing is recorded in this scope.",
                "Leave a filter off, or see what there is with: quoth status",
            )
        case EmptyReason.NOTHING_RECORDED:
            return (
                "Nothing is recorded yet.",
                "Read the histories on this machine with: quoth sync",
            )
        case EmptyReason.NO_MATCH:
            return (f"Nothing matches among {_recorded(page)}.", _widen(page, narrowed))
        case _:
            return "There are no more hits.", "Start again without --offset."


def _widen(page: Page, narrowed: bool) -> str:
    quoted = bool(_phrases(page)) and page.mode is not Mode.MEANING
    off = {"a filter": narrowed, "the quotes": quoted}
    if any(off.values()):
        named = " or ".join(name for name, is_on in off.items() if is_on)
        return f"Leave {named} off, or use other words."
    if page.mode is Mode.WORDS:
        return "Use fewer or other words, or --mode both to find by meaning too."
    return "Use fewer or other words."


def _phrases(page: Page) -> set[str]:
    """Return those of the page's terms that stand in quotes in the question."""
    question = page.question
    if question.count('"') % 2:
        question = question.rpartition('"')[0]
    return set(_PHRASE.findall(question)) & set(page.terms)


def _footer(page: Page, *, now: datetime) -> Iterator[str]:
    if page.hits:
        yield f"{_shown(page)}; {_recorded(page)} recorded."
    if searched := _searched(page):
        yield searched
    for held in page.withheld:
        what = f"{held.reason.removesuffix('es')} message"
        yield f"{counted(held.messages, what)} withheld ({held.hint})."
    if stale := freshness_line(page.freshness, now=now):
        yield stale
    yield from page.notices
    yield _last_line(page)


def _shown(page: Page) -> str:
    """Return how many of how many are shown.

    Meaning has candidates and no matches, so hits by meaning only are never counted
    as some of those that match.
    """
    unit = page.unit.value
    shown = _in_unit(page.shown.conversations, page.shown.messages, page)
    matched = _in_unit(page.some_words.conversations, page.some_words.messages, page)
    if not matched:
        return f"{counted(shown, unit)} by meaning only"
    at_least = "" if page.some_words.exact else "at least "
    if not page.by_meaning_only:
        return f"{shown:,} of {at_least}{counted(matched, unit)} ({_matches(page)})"
    by_word = shown - page.by_meaning_only
    return (
        f"{shown:,} shown: {by_word:,} by words (of {at_least}{matched:,}), "
        f"{page.by_meaning_only:,} by meaning only; {_matches(page)}"
    )


def _in_unit(conversations: int, messages: int, page: Page) -> int:
    return conversations if page.unit is SearchUnit.CONVERSATION else messages


def _matches(page: Page) -> str:
    some, every = page.some_words, page.all_words
    some_text = counted(some.messages, "message", at_least=not some.exact)
    every_text = f"{'' if every.exact else 'at least '}{every.messages:,}"
    verb = "matches" if some.messages == 1 else "match"
    if len(page.terms) > 1:
        return f"{some_text} {verb} some words, {every_text} all words"
    # One term differs from itself where it has parts, or stands in a title alone.
    in_full = f", {every_text} in full" if every.messages != some.messages else ""
    return f"{some_text} {verb}{in_full}"


def _recorded(page: Page) -> str:
    messages = counted(
        page.recorded.messages, "message", at_least=not page.recorded.exact
    )
    return f"{messages} in {counted(page.recorded.conversations, 'conversation')}"


def _searched(page: Page) -> str:
    """Return the words and the scope the question became, where not obvious."""
    parts = []
    phrases = _phrases(page)
    terms = [f'"{term}"' if term in phrases else term for term in page.terms]
    asked = one_line(page.question).casefold()
    if terms and " ".join(terms).casefold() != asked:
        parts.append(f"Searched for: {', '.join(terms)}.")
    if scope := _filters_text(page.filters):
        parts.append(f"Only {scope}.")
    parts.extend(
        f"Nothing with \u201c{one_line(words)}\u201d." for words in page.filters.without
    )
    parts.extend(_dates_text(page))
    return " ".join(parts)


def _dates_text(page: Page) -> Iterator[str]:
    """Yield what the times that a question names were taken for."""
    for date in page.dates:
        if date.sessions_ago is not None:
            meant = f"the last conversation but {date.sessions_ago - 1}"
        else:
            meant = range_text(date.since, date.until)
        yield f"\u201c{one_line(date.text)}\u201d: {meant}."
    if page.from_then:
        then = counted(page.from_then, "message")
        yield f"{then} from then come first (--any-time to search for the words)."


def _filters_text(filters: Filters) -> str:
    named = {
        "source": filters.source,
        "repo": filters.repo,
        "role": filters.role,
        "within": filters.within,
    }
    parts = [f"{name} {value}" for name, value in named.items() if value]
    if span := range_text(filters.since, filters.until):
        parts.append(span)
    parts.extend(f"without {key}" for key in filters.exclude)
    return ", ".join(parts)


def _last_line(page: Page) -> str:
    took = duration(page.took_ms / 1000)
    if page.next_offset is None:
        return took
    return f"{took}; next page: --offset {page.next_offset}"
