"""A file that was torn, overwritten or flipped: told, or of no consequence.

Whatever of a file is damaged, either the doctor names it, or all that is searched and
shown is as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    claude_file,
    put,
    synced,
)
from tests.health.place import Place, a_place
from tests.store.test_prepared import BAD_ROWS, WORD, loosened

from quoth.archive import Archive
from quoth.errors import QuothError
from quoth.model import Health, HealthState, Mode, SearchUnit

PAGE = 4096
PLACES = [*range(0, 100, 7)]
"""Where in the file, in hundredths of it."""


def _zeroed(content: bytearray, at: int) -> None:
    start = at // PAGE * PAGE
    content[start : start + PAGE] = bytes(PAGE)


def _flipped(content: bytearray, at: int) -> None:
    for step in range(20):
        content[(at + step * 97) % len(content)] ^= 0xA5


def _truncated(content: bytearray, at: int) -> None:
    del content[at:]


def _swapped(content: bytearray, at: int) -> None:
    """Put another page of the same file there: each page by itself is a good one."""
    start, other = at // PAGE * PAGE, (at // PAGE + 3) * PAGE % len(content)
    content[start : start + PAGE] = content[other : other + PAGE]


def _scribbled(content: bytearray, at: int) -> None:
    """Change letters where there are some, as a bad disk would."""
    for place in range(at, min(at + 3 * PAGE, len(content))):
        if 0x61 <= content[place] <= 0x79 and place % 11 == 0:
            content[place] += 1


HOW: dict[str, Callable[[bytearray, int], None]] = {
    "zeroed": _zeroed,
    "flipped": _flipped,
    "truncated": _truncated,
    "swapped": _swapped,
    "scribbled": _scribbled,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, bytes, object]:
    """Return an archive, the bytes of its database, and all that it answers."""
    place = a_place(tmp_path_factory.mktemp("whole"))
    with an_archive(place.folder) as archive:
        answers = all_answers(archive)
    return place, place.database.read_bytes(), answers


def all_answers(archive: Archive) -> object:
    """Return what searches and transcripts say, without what differs by the clock."""
    hits = [
        sorted((hit.conversation, hit.seq, hit.text, hit.citation) for hit in page.hits)
        for question in ("tariff table", "ferry schedule", "ferryTimes")
        for page in [
            archive.search(question, mode=Mode.WORDS, unit=SearchUnit.MESSAGE, limit=50)
        ]
    ]
    shown = archive.show(KEY)
    return hits, shown.title, [(each.text, each.calls) for each in shown.messages]


def answers_or_none(place: Place) -> object:
    try:
        with an_archive(place.folder) as archive:
            return all_answers(archive)
    except QuothError:
        return None


def problems(health: Health) -> list[str]:
    return [
        finding.says
        for finding in health.findings
        if finding.state is HealthState.PROBLEM
    ]


@pytest.mark.parametrize("hundredth", PLACES)
@pytest.mark.parametrize("how", HOW)
def test_damage_is_named_or_changes_no_answer(
    whole: tuple[Place, bytes, object], how: str, hundredth: int
) -> None:
    place, content, answers = whole
    damaged = bytearray(content)
    HOW[how](damaged, len(content) * hundredth // 100)
    _put(place.database, bytes(damaged))

    named = problems(place.examined())
    said = answers_or_none(place)

    _put(place.database, content)
    assert named or said == answers


@pytest.mark.parametrize("hundredth", PLACES)
@pytest.mark.parametrize("how", HOW)
def test_a_repair_heals_damage_or_says_what_is_left(
    whole: tuple[Place, bytes, object], how: str, hundredth: int
) -> None:
    place, content, answers = whole
    damaged = bytearray(content)
    HOW[how](damaged, len(content) * hundredth // 100)
    _put(place.database, bytes(damaged))

    try:
        left = problems(place.repaired())
    except QuothError as error:
        left = [str(error)]
    said = answers_or_none(place)

    _put(place.database, content)
    assert left or said == answers


@pytest.mark.parametrize("bad", BAD_ROWS)
@pytest.mark.parametrize("use", ["examined", "repaired"])
def test_a_row_that_quoth_never_writes_is_told_and_not_quoted(
    tmp_path: Path, bad: str, use: str
) -> None:
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    synced(tmp_path).close()
    place = Place(tmp_path)
    loosened(place.home, BAD_ROWS[bad])

    try:
        health = place.examined() if use == "examined" else place.repaired()
        said = repr(health)
    except QuothError as error:
        said = f"{error} {error.hint}"

    assert WORD not in said


def _put(database: Path, content: bytes) -> None:
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
    database.write_bytes(content)
