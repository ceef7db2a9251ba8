"""Codex: forks that begin with a copy of their parent's lines, which is at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import archive_in, assert_consistent, later, put, rows
from tests.sources.codex_records import (
    NAME,
    PARENT,
    THREAD,
    Reading,
    context,
    item,
    lines_of,
    meta,
    packed,
    read,
    said,
    tokens,
    typed,
)

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.sources.codex import Codex

PARENTS_NAME = f"rollout-2026-05-01T09-00-00-{PARENT}.jsonl"

PARENTS = [
    context(),
    typed("list the spars", 1),
    said("Three of them.", 2),
    tokens(100, 100),
    context(60),
    typed("name them", 61),
    said("Main, fore, mizzen.", 62),
    tokens(150, 50),
]
OWN = [context(model="gpt-new"), typed("paint them"), said("Painted."), tokens(190, 40)]


def forked(**fields: Any) -> dict[str, Any]:
    return meta(forked_from_id=PARENT, timestamp="2026-05-01T10:00:00Z", **fields)


def spaced(records: list[dict[str, Any]], seconds: float) -> list[dict[str, Any]]:
    """Return records as they are when each is written so long after the one before."""
    stamps = (divmod(n * seconds, 60) for n in range(len(records)))
    return [
        {**record, "timestamp": f"2026-05-01T10:{minute:02.0f}:{second:06.3f}Z"}
        for record, (minute, second) in zip(records, stamps, strict=True)
    ]


def fork_of(
    folder: Path, records: list[dict[str, Any]], *, parents: str = PARENTS_NAME
) -> Reading:
    """Read a fork that lies beside its parent."""
    content = lines_of([meta(PARENT), *PARENTS])
    put(folder / parents, packed(content) if parents.endswith(".zst") else content)
    put(folder / NAME, lines_of(records))
    source = Codex()
    [*source.discover([folder])]
    return read(folder / NAME, by=source)


def test_a_copy_may_be_stamped_with_any_times(tmp_path: Path) -> None:
    records = [forked(), meta(PARENT), *spaced([*PARENTS, *OWN], 30)]

    fork = fork_of(tmp_path, records)

    assert fork.turns == [("user", "paint them"), ("assistant", "Painted.")]
    assert [usage.input for usage in fork.usage] == [40]


def test_what_follows_a_copy_at_once_is_the_forks_own(tmp_path: Path) -> None:
    records = [forked(), meta(PARENT), *spaced([*PARENTS, *OWN], 0)]

    fork = fork_of(tmp_path, records)

    assert fork.turns == [("user", "paint them"), ("assistant", "Painted.")]
    assert [(usage.input, usage.model) for usage in fork.usage] == [(40, "gpt-new")]


def test_a_copy_needs_no_head_of_the_parent(tmp_path: Path) -> None:
    fork = fork_of(tmp_path, [forked(), *spaced([*PARENTS, *OWN], 0)])

    assert fork.turns == [("user", "paint them"), ("assistant", "Painted.")]
    assert [usage.input for usage in fork.usage] == [40]


@pytest.mark.parametrize(
    "place", [f"archived_sessions/{PARENTS_NAME}", f"{PARENTS_NAME}.zst"]
)
def test_the_parent_may_be_archived_or_compressed(tmp_path: Path, place: str) -> None:
    records = [forked(), *spaced([*PARENTS, *OWN], 0)]

    fork = fork_of(tmp_path, records, parents=place)

    assert fork.turns == [("user", "paint them"), ("assistant", "Painted.")]


def test_a_copy_may_end_before_the_parent_does(tmp_path: Path) -> None:
    records = [forked(), *spaced([*PARENTS[:4], *OWN], 0)]

    assert fork_of(tmp_path, records).turns[0] == ("user", "paint them")


def test_a_copy_may_leave_lines_out(tmp_path: Path) -> None:
    records = [forked(), *spaced([*PARENTS[:2], *PARENTS[5:], *OWN], 0)]

    assert fork_of(tmp_path, records).turns[0] == ("user", "paint them")


def test_what_the_parent_said_later_may_be_said_in_the_fork_too(
    tmp_path: Path,
) -> None:
    own = [*OWN, typed("name them"), said("Main, fore, mizzen.")]

    fork = fork_of(tmp_path, [forked(), *spaced([*PARENTS[:4], *own], 0)])

    assert [text for _, text in fork.turns] == [
        "paint them",
        "Painted.",
        "name them",
        "Main, fore, mizzen.",
    ]


def test_a_prompt_at_the_end_of_a_copy_is_the_parents(tmp_path: Path) -> None:
    asked = typed("list the spars")
    put(tmp_path / PARENTS_NAME, lines_of([meta(PARENT), context(), asked]))
    put(tmp_path / NAME, lines_of([forked(), meta(PARENT), asked, *spaced(OWN, 9)]))
    source = Codex()
    [*source.discover([tmp_path])]

    fork = read(tmp_path / NAME, by=source)

    assert fork.turns[0] == ("user", "paint them")


def test_a_subagent_that_copies_nothing_keeps_all(tmp_path: Path) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}
    records = [meta(source=spawned), *spaced(OWN, 0)]

    fork = fork_of(tmp_path, records)

    assert fork.turns == [("user", "paint them"), ("assistant", "Painted.")]
    assert [(usage.input, usage.model) for usage in fork.usage] == [(40, "gpt-new")]


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_fork_that_grows_comes_to_the_same(tmp_path: Path, cut: int) -> None:
    records = [forked(), meta(PARENT), *spaced([*PARENTS, *OWN], 30)]
    home, sessions = archive_in(tmp_path), tmp_path / "sessions"
    put(sessions / PARENTS_NAME, lines_of([meta(PARENT), *PARENTS]))
    archive = Archive(
        home,
        roots={"codex": [sessions]},
        sources=(Codex(),),
        embedder=HashEmbedder(),
        clock=later,
    )

    for count in (cut, len(records)):
        put(sessions / NAME, lines_of(records[:count]))
        archive.sync()

    told = [message.text for message in archive.show(f"codex:{THREAD}").messages]
    assert told == ["paint them", "Painted."]
    assert rows(home, "SELECT sum(input) FROM usage") == [(190,)]
    assert_consistent(home)


def test_a_line_nested_too_deeply_is_no_fault(tmp_path: Path) -> None:
    deep = json.loads("[" * 400 + "]" * 400)
    records = [forked(), *spaced([*PARENTS[:4], item("odd", deep=deep), *OWN], 0)]

    assert fork_of(tmp_path, records).turns[0] == ("user", "paint them")
