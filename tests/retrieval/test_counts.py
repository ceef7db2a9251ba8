"""What a page counts is what a patient person would count by hand."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import synced
from tests.retrieval.builders import Record, a_talk, at, key, write

from quoth import Archive
from quoth.model import Count, Filters, Include, Mode, Role

# Words that Porter leaves as they are and no list of stop words holds.
VOCABULARY = ("gaff", "jib", "keel", "mast", "reef", "sail", "tack", "yawl")
PLACES = ("/home/dev/harbor", "/home/dev/pier", None)


@dataclass(frozen=True)
class Said:
    """A message as the test knows it."""

    session: str
    words: frozenset[str]
    role: Role
    at: datetime
    cwd: str | None
    live: bool = True


def a_library(seed: int) -> tuple[list[list[Record]], list[list[Record]], list[Said]]:
    """Return conversations, what is left of them later, and all that was said."""
    chance = random.Random(seed)  # noqa: S311
    before, after, said = [], [], []
    for number in range(14):
        cwd = chance.choice(PLACES)
        turns = [
            {
                "content": " ".join(chance.choices(VOCABULARY, k=chance.randint(1, 4))),
                "role": chance.choice(["user", "assistant"]),
                **({"cwd": cwd} if cwd else {}),
            }
            for _ in range(chance.randint(1, 8))
        ]
        talk = a_talk(f"s{number}", *turns, minute=chance.randint(0, 50))
        kept = [turn for turn in talk if chance.random() > 0.15] or talk[:1]
        before.append(talk)
        after.append(kept)
        said += [
            Said(
                session=turn["session_id"],
                words=frozenset(turn["content"].split()),
                role=Role(turn["role"]),
                at=datetime.fromisoformat(turn["timestamp"]),
                cwd=cwd,
                live=turn in kept,
            )
            for turn in talk
        ]
    return before, after, said


@pytest.fixture(scope="module")
def known() -> Iterator[tuple[Archive, list[Said]]]:
    before, after, said = a_library(seed=20)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for number, talk in enumerate(before):
            write(folder, talk, name=f"{number:02}.jsonl")
        synced(folder).close()
        for number, talk in enumerate(after):
            write(folder, talk, name=f"{number:02}.jsonl")
        with synced(folder) as archive:
            yield archive, said


KEYS = st.sampled_from([key(f"s{number}") for number in range(14)])
TIMES = st.none() | st.integers(0, 60).map(at)
FILTERS = st.builds(
    Filters,
    within=st.none() | KEYS,
    exclude=st.lists(KEYS, max_size=3).map(tuple),
    source=st.sampled_from([None, None, "generic", "codex"]),
    repo=st.sampled_from([None, None, "harbor", "pier"]),
    role=st.sampled_from([None, None, Role.USER, Role.ASSISTANT]),
    since=TIMES,
    until=TIMES,
    include=st.frozensets(st.sampled_from(Include)),
)
QUESTIONS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=3, unique=True)


def in_scope(one: Said, filters: Filters) -> bool:
    return (
        (filters.within is None or key(one.session) == filters.within)
        and key(one.session) not in filters.exclude
        and filters.source in (None, "generic")
        and (filters.repo is None or (one.cwd or "").endswith(f"/{filters.repo}"))
        and filters.role in (None, one.role)
        and (filters.since is None or one.at >= filters.since)
        and (filters.until is None or one.at < filters.until)
    )


def count(
    said: list[Said], counts: Callable[[Said], bool], *, superseded: bool
) -> Count:
    counted = [one for one in said if counts(one) and (superseded or one.live)]
    return Count(
        conversations=len({one.session for one in counted}), messages=len(counted)
    )


@settings(max_examples=200, deadline=None)
@given(words=QUESTIONS, filters=FILTERS)
def test_counts_are_those_of_a_recount(
    known: tuple[Archive, list[Said]], words: list[str], filters: Filters
) -> None:
    archive, said = known
    inside = [one for one in said if in_scope(one, filters)]
    asked = set(words)
    everything = Include.SUPERSEDED in filters.include

    page = archive.search(" ".join(words), mode=Mode.WORDS, filters=filters, limit=200)

    hidden = sum(1 for one in inside if asked & one.words and not one.live)
    assert (
        page.recorded,
        page.all_words,
        page.some_words,
        sum(one.messages for one in page.withheld),
    ) == (
        count(inside, lambda one: bool(one.words), superseded=everything),
        count(inside, lambda one: asked <= one.words, superseded=everything),
        count(inside, lambda one: bool(asked & one.words), superseded=everything),
        0 if everything else hidden,
    )


@settings(max_examples=100, deadline=None)
@given(words=QUESTIONS, filters=FILTERS)
def test_every_match_is_on_some_row(
    known: tuple[Archive, list[Said]], words: list[str], filters: Filters
) -> None:
    archive, _ = known

    page = archive.search(" ".join(words), mode=Mode.WORDS, filters=filters, limit=200)

    assert sum(1 + hit.others for hit in page.hits) == page.some_words.messages
    assert page.next_offset is None
