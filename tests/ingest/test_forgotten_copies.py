"""Copies of what is forgotten go, with what was said after; another matter stays.

A resumed or forked session of Claude Code begins with the records of the one it goes on
from. What says that nothing leads up to it was begun anew there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import (
    KEY,
    SESSION,
    assert_consistent,
    claude_file,
    found,
    put,
    synced,
    texts,
)
from tests.ingest.forgetting import CANARY, OTHER, forget, left_of, recorded
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.model import Kinship, Selection
from quoth.store import DATABASE

COPY = f"claude_code:{OTHER}"
SHARED = [
    claude.said("m1", f"please forget this {CANARY}"),
    claude.answered("m2", f"{CANARY} noted", parentUuid="m1"),
]
ANEW = [
    claude.said("o1", "other work stays"),
    claude.answered("o2", "so it does", parentUuid="o1"),
]


def of_session(session: str, records: list[dict[str, Any]]) -> bytes:
    return claude.lines(*({**each, "sessionId": session} for each in records))


def an_original_and_a_copy(folder: Path, *own: dict[str, Any]) -> Archive:
    """Return the archive of a session, and of one that copies it and has its own."""
    put(claude_file(folder), of_session(SESSION, SHARED))
    put(claude_file(folder, OTHER), of_session(OTHER, [*SHARED, *own]))
    return synced(folder)


def test_what_was_begun_anew_in_a_copy_stays(tmp_path: Path) -> None:
    archive = an_original_and_a_copy(tmp_path, *ANEW)

    report = forget(archive, KEY)

    assert (report.conversations, report.messages) == (1, 2)
    assert recorded(archive) == [COPY]
    assert texts(archive, COPY) == ["other work stays", "so it does"]
    assert archive.show(COPY).title != f"please forget this {CANARY}"
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def test_the_plan_says_what_goes_from_a_copy_and_what_stays(tmp_path: Path) -> None:
    archive = an_original_and_a_copy(tmp_path, *ANEW)

    plan = archive.plan_forget(Selection(keys=(KEY,)))

    told = [(each.kinship, each.messages, each.stay) for each in plan.conversations]
    assert told == [(Kinship.CHOSEN, 2, 0), (Kinship.COPY, 2, 2)]
    assert (plan.messages, plan.kept_elsewhere) == (2, 0)


@pytest.mark.parametrize("anew", [False, True])
def test_that_holds_when_everything_is_read_again(tmp_path: Path, anew: bool) -> None:
    archive = an_original_and_a_copy(tmp_path, *ANEW)
    forget(archive, KEY)

    if anew:
        archive.close()
        for path in archive.home.glob(f"{DATABASE}*"):
            path.unlink()
    else:
        again = of_session(OTHER, [*SHARED, *ANEW, claude.said("o3", "and on")])
        put(claude_file(tmp_path, OTHER), again)
    archive.sync()

    assert found(archive, "work") == ["other work stays"]
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


GOING_ON = {
    "said after it": [claude.said("o1", f"and {CANARY} again", parentUuid="m2")],
    "said after it was compacted": [
        claude.said(
            "o1",
            f"This session goes on from one about {CANARY}.",
            parentUuid=None,
            logicalParentUuid="m2",
        ),
        claude.answered("o2", f"{CANARY}, I see", parentUuid="o1"),
    ],
    "a summary of it": [
        claude.said(
            "o1", f"It was about {CANARY}.", parentUuid=None, isCompactSummary=True
        )
    ],
}


@pytest.mark.parametrize("how", GOING_ON)
def test_a_copy_that_goes_on_goes_whole(tmp_path: Path, how: str) -> None:
    archive = an_original_and_a_copy(tmp_path, *GOING_ON[how])

    report = forget(archive, KEY)

    assert (report.conversations, recorded(archive)) == (2, [])
    assert left_of(archive.home) == []


def test_what_goes_on_after_something_begun_anew_goes(tmp_path: Path) -> None:
    """A copied message after it leads back to what is forgotten."""
    late = claude.answered("m3", f"one more of {CANARY}", parentUuid="m2")
    put(claude_file(tmp_path), of_session(SESSION, [*SHARED, late]))
    own = [*SHARED, *ANEW, late, claude.said("o3", "go on", parentUuid="m3")]
    put(claude_file(tmp_path, OTHER), of_session(OTHER, own))
    archive = synced(tmp_path)

    forget(archive, KEY)

    assert texts(archive, COPY) == ["other work stays", "so it does"]
    assert left_of(archive.home) == []


def test_forgetting_the_copy_takes_the_original(tmp_path: Path) -> None:
    archive = an_original_and_a_copy(tmp_path, *ANEW)

    forget(archive, COPY)

    assert recorded(archive) == []
    assert left_of(archive.home) == []


def test_without_the_family_a_copy_keeps_all(tmp_path: Path) -> None:
    archive = an_original_and_a_copy(tmp_path, *ANEW)

    forget(archive, KEY, family=False)

    assert texts(archive, COPY)[-1] == "so it does"
    assert left_of(archive.home) != []
