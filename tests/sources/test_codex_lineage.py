"""Codex: threads that go on in further files, and threads that begin in another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import (
    archive_in,
    assert_consistent,
    citations,
    dump,
    found,
    later,
    put,
    rows,
)
from tests.sources.codex_records import (
    NAME,
    PARENT,
    THREAD,
    Reading,
    based,
    context,
    continued,
    event,
    lines_of,
    meta,
    packed,
    read_records,
    said,
    tokens,
    typed,
)

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import Kind, Outcome, TitleOrigin
from quoth.sources.codex import Codex

FIRST, SECOND = (f"019c0000-{n}000-7000-8000-00000000000{n}" for n in (3, 4))
KEY = f"codex:{THREAD}"

OPENING = lines_of(
    [
        meta(timestamp="2026-05-01T10:00:00Z"),
        context(model="gpt-old"),
        typed("list the spars", 1),
        said("Three of them.", 2),
        tokens(100, 100),
    ]
)
NEXT = lines_of(
    [
        based(THREAD, timestamp="2026-05-01T10:10:00Z"),
        tokens(100, 100),
        context(600, model="gpt-new"),
        typed("now paint them", 601),
        said("Painted.", 602),
        tokens(150, 50),
    ]
)
LAST = lines_of(
    [
        based(THREAD, timestamp="2026-05-01T10:20:00Z"),
        typed("and varnish", 1201),
        said("Varnished.", 1202),
        tokens(180, 30),
    ]
)
TURNS = [
    "list the spars",
    "Three of them.",
    "now paint them",
    "Painted.",
    "and varnish",
    "Varnished.",
]


def going_on(folder: Path, *records: dict[str, Any]) -> Reading:
    return read_records(folder, *records, name=continued(FIRST))


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    return tmp_path / ".codex" / "sessions"


@pytest.fixture
def archive(tmp_path: Path, sessions: Path) -> Archive:
    return archive_of(sessions, archive_in(tmp_path))


def archive_of(sessions: Path, home: Path) -> Archive:
    return Archive(
        home,
        roots={"codex": [sessions, sessions.parent / "archived_sessions"]},
        sources=(Codex(),),
        embedder=HashEmbedder(),
        clock=later,
    )


def told(archive: Archive, key: str = KEY) -> list[str]:
    return [message.text for message in archive.show(key).messages]


def inputs(home: Path) -> list[tuple[str, int]]:
    """Return what was spent in each conversation."""
    statement = (
        "SELECT c.key, sum(input) FROM usage JOIN conversation c"
        " ON c.id = usage.conversation GROUP BY c.key ORDER BY c.key"
    )
    return [(key, spent) for key, spent in rows(home, statement)]


# One thread in several files


FILES = {NAME: OPENING, continued(FIRST): NEXT, continued(SECOND): LAST}


@pytest.mark.parametrize(
    "order",
    [
        pytest.param([0, 1, 2], id="as written"),
        pytest.param([2, 1, 0], id="backwards"),
        pytest.param([1, 2, 0], id="the opening last"),
    ],
)
def test_a_thread_in_several_files_is_one_conversation_oldest_first(
    tmp_path: Path, sessions: Path, archive: Archive, order: list[int]
) -> None:
    for place in order:
        name, content = [*FILES.items()][place]
        put(sessions / name, content)
        archive.sync()

    assert told(archive) == TURNS
    assert inputs(archive_in(tmp_path)) == [(KEY, 180)]
    assert_consistent(archive_in(tmp_path))


def test_it_does_not_matter_in_which_order_its_files_came(
    tmp_path: Path, sessions: Path, archive: Archive
) -> None:
    for name, content in reversed(FILES.items()):
        put(sessions / name, content)
        archive.sync()
    at_once = archive_of(sessions, tmp_path / "at once")

    at_once.sync()

    assert dump(archive_in(tmp_path)) == dump(tmp_path / "at once")


def test_the_opening_is_read_first_wherever_it_is(
    sessions: Path, archive: Archive
) -> None:
    """Numbers in citations then follow what was said."""
    put(sessions.parent / "archived_sessions" / f"{NAME}.zst", packed(OPENING))
    put(sessions / continued(FIRST), NEXT)

    archive.sync()

    assert [message.seq for message in archive.show(KEY).messages] == [1, 2, 3, 4]


def test_every_message_of_a_thread_in_several_files_is_verified(
    sessions: Path, archive: Archive
) -> None:
    for name, content in FILES.items():
        put(sessions / name, content)
    archive.sync()

    verdicts = [archive.verify(citation) for citation in citations(archive)]

    assert [verdict.outcome for verdict in verdicts] == [Outcome.VERIFIED] * 6
    assert {verdict.path for verdict in verdicts} == {sessions / name for name in FILES}


def test_the_title_and_the_start_are_those_of_the_opening(
    sessions: Path, archive: Archive
) -> None:
    put(sessions / NAME, OPENING)
    archive.sync()
    before = archive.show(KEY)
    put(sessions / continued(FIRST), NEXT)

    archive.sync()

    after = archive.show(KEY)
    assert (after.title, after.started_at) == ("list the spars", before.started_at)
    assert {*after.models} == {"gpt-old", "gpt-new"}


def test_a_title_given_in_a_continuation_is_the_threads(
    sessions: Path, archive: Archive
) -> None:
    named = event("thread_name_updated", 610, thread_id=THREAD, thread_name="Spars")
    put(sessions / NAME, OPENING)
    put(sessions / continued(FIRST), NEXT + lines_of([named]))

    archive.sync()

    assert archive.show(KEY).title == "Spars"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        pytest.param(based(THREAD), continued(FIRST), id="head and name"),
        pytest.param(based(THREAD), NAME, id="head"),
        pytest.param(meta(), continued(FIRST), id="name"),
    ],
)
def test_the_first_prompt_of_a_continuation_is_no_title(
    tmp_path: Path, head: dict[str, Any], name: str
) -> None:
    reading = read_records(tmp_path, head, typed("now paint them"), name=name)

    assert (reading.conversation.native_id, reading.conversation.title) == (
        THREAD,
        None,
    )


def test_a_continuation_tells_its_messages_from_those_at_the_same_places(
    tmp_path: Path,
) -> None:
    opening = read_records(tmp_path, meta(), typed("first"))

    later_on = going_on(tmp_path, meta(), typed("later"))

    assert later_on.messages[0].native_id != opening.messages[0].native_id


def test_a_continuation_whose_opening_is_not_there_is_read(
    sessions: Path, archive: Archive
) -> None:
    put(sessions / continued(FIRST), NEXT)

    archive.sync()

    assert told(archive) == ["now paint them", "Painted."]
    assert found(archive, "paint") == ["Painted.", "now paint them"]


def test_a_continuation_that_moves_stays_in_its_place(
    tmp_path: Path, sessions: Path, archive: Archive
) -> None:
    for name, content in FILES.items():
        put(sessions / name, content)
    archive.sync()
    cited = citations(archive)
    put(sessions.parent / "archived_sessions" / f"{continued(FIRST)}.zst", packed(NEXT))
    (sessions / continued(FIRST)).unlink()

    report = archive.sync()

    assert (report.messages_new, report.messages_superseded, report.gone) == (0, 0, 0)
    assert (told(archive), citations(archive)) == (TURNS, cited)
    assert_consistent(archive_in(tmp_path))


# Usage


@pytest.mark.parametrize(
    ("counted", "spent"),
    [
        pytest.param([typed("a"), tokens(150, 50)], [50], id="goes on counting"),
        pytest.param([typed("a"), tokens(50, 50)], [50], id="begins anew"),
        pytest.param([tokens(100, 100), typed("a")], [], id="what was before"),
        pytest.param(
            [tokens(100, 100), typed("a"), *[tokens(150, 50)] * 2],
            [50],
            id="twice, after what was before",
        ),
        pytest.param(
            [tokens(100, 100), typed("a"), tokens(100, 100)], [], id="before, again"
        ),
        pytest.param(
            [typed("a"), tokens(100, None), tokens(130, None)], [30], id="totals only"
        ),
    ],
)
def test_what_the_opening_counted_is_not_counted_again(
    tmp_path: Path, counted: list[dict[str, Any]], spent: list[int]
) -> None:
    reading = going_on(tmp_path, based(THREAD), *counted)

    assert [usage.input for usage in reading.usage] == spent


# A thread that begins in another's


def test_a_thread_that_goes_on_from_another_is_its_fork(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, based(PARENT), tokens(900, 900), typed("my own"), tokens(950, 50)
    )

    conversation = reading.conversation
    assert (conversation.native_id, conversation.kind, conversation.parent) == (
        THREAD,
        Kind.FORK,
        PARENT,
    )
    assert (conversation.title, conversation.title_origin) == (
        "my own",
        TitleOrigin.PROMPT,
    )
    assert [usage.input for usage in reading.usage] == [50]


def test_a_fork_may_have_a_rollout_id_in_its_name(tmp_path: Path) -> None:
    reading = going_on(tmp_path, based(PARENT), typed("my own"))

    assert (reading.conversation.kind, reading.conversation.title) == (
        Kind.FORK,
        "my own",
    )


def test_a_subagent_that_goes_on_from_another_thread_stays_one(tmp_path: Path) -> None:
    conversation = read_records(
        tmp_path, based(PARENT, thread_source="subagent")
    ).conversation

    assert (conversation.kind, conversation.parent) == (Kind.SUBAGENT, PARENT)


def test_what_its_ancestor_said_is_found_there_and_not_in_the_fork(
    tmp_path: Path, sessions: Path, archive: Archive
) -> None:
    put(sessions / NAME, OPENING)
    fork = lines_of([based(THREAD, PARENT), typed("gild them", 700), tokens(140, 40)])
    put(sessions / f"rollout-2026-05-03T10-00-00-{PARENT}.jsonl", fork)

    archive.sync()

    assert told(archive, f"codex:{PARENT}") == ["gild them"]
    assert found(archive, "spars") == ["list the spars"]
    assert inputs(archive_in(tmp_path)) == [(f"codex:{PARENT}", 40), (KEY, 100)]


@pytest.mark.parametrize("base", [None, "x", [], {}, {"thread_id": 7}])
def test_a_base_that_names_no_thread_is_none(tmp_path: Path, base: object) -> None:
    reading = read_records(tmp_path, meta(history_base=base), typed("hello"))

    conversation = reading.conversation
    assert (conversation.kind, conversation.title) == (Kind.MAIN, "hello")


# Copies of a parent, before there were bases


def copy_of(*records: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    return [meta(forked_from_id=PARENT, **fields), meta(PARENT), *records]


SAID_BEFORE = [
    typed("the parent's task"),
    said("The parent's answer."),
    tokens(1000, 1000),
    typed("the parent's second task"),
    tokens(3000, 2000),
]


@pytest.mark.parametrize(
    ("own", "spent"),
    [
        pytest.param([tokens(3400, 400)], [400], id="goes on counting"),
        pytest.param([tokens(400, 400)], [400], id="begins anew"),
        pytest.param([tokens(3000, 2000), tokens(3400, 400)], [400], id="repeats"),
        pytest.param([tokens(3400, None)], [400], id="totals only"),
        pytest.param([tokens(3400, 400), tokens(3400, 400)], [400], id="twice"),
    ],
)
def test_what_a_copied_parent_counted_is_not_counted_again(
    tmp_path: Path, own: list[dict[str, Any]], spent: list[int]
) -> None:
    reading = read_records(
        tmp_path,
        *copy_of(context(), *SAID_BEFORE),
        context(5),
        typed("my own", 5),
        *own,
    )

    assert reading.turns == [("user", "my own")]
    assert [usage.input for usage in reading.usage] == spent


def test_a_copy_ends_at_the_first_turn_of_its_own_where_turns_have_no_id(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        *copy_of(context(), *SAID_BEFORE, context(), *SAID_BEFORE),
        context(2),
        typed("my own", 2),
        context(9),
        typed("and more", 9),
    )

    assert reading.turns == [("user", "my own"), ("user", "and more")]


def test_siblings_that_spent_the_same_stay_apart(
    tmp_path: Path, sessions: Path, archive: Archive
) -> None:
    own = [context(5), typed("knot", 5), said("Tied.", 6)]
    for thread in (FIRST, SECOND):
        copied = meta(thread, parent_thread_id=PARENT), meta(PARENT), *SAID_BEFORE
        records = [*copied, *own, tokens(3550, 550)]
        name = f"rollout-2026-05-01T10-00-00-{thread}.jsonl"
        put(sessions / name, lines_of(records))

    archive.sync()

    assert inputs(archive_in(tmp_path)) == [
        (f"codex:{FIRST}", 550),
        (f"codex:{SECOND}", 550),
    ]
