"""Files that grow while they are read: the archive is the same as if read at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.builders import (
    an_archive,
    archive_in,
    assert_consistent,
    dump,
    put,
    synced,
)
from tests.ingest.histories import a_history

COUNT = 7
CODEX_FORK = 5

Dump: TypeAlias = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def at_once() -> Iterator[Dump]:
    """Return what one sync makes of the whole history."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in a_history(folder).items():
            put(path, content)
        with synced(folder):
            yield named_alike(dump(archive_in(folder)), folder)


def named_alike(found: Dump, folder: Path) -> Dump:
    """Return *found* with the temporary folder taken out of them."""
    spelled = str(folder)

    def without(value: object) -> object:
        if isinstance(value, bytes):
            return value.replace(spelled.encode(), b"")
        return value.replace(spelled, "") if isinstance(value, str) else value

    return [tuple(without(value) for value in row) for row in found]


steps = st.lists(
    st.tuples(st.integers(0, COUNT - 1), st.floats(0, 1)), min_size=1, max_size=10
)


def _parents_first(steps: list[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    """Yield the steps; a Codex fork is not begun before what it was forked from.

    Without ids of turns it is compared with that, as it stands when the fork is read.
    """
    for place, share in steps:
        if place == CODEX_FORK:
            yield CODEX_FORK - 1, 1.0
        yield place, share


@given(steps=steps)
@example(steps=[(1, 1.0), (0, 1.0)])
@example(steps=[(2, 1.0), (1, 1.0), (3, 1.0), (5, 1.0)])
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_growth_gives_the_archive_of_one_sync(
    at_once: Dump, steps: list[tuple[int, float]]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = [*a_history(folder).items()]
        archive = an_archive(folder)
        reached = [0] * COUNT
        ends = ((place, 1.0) for place in range(COUNT))
        for place, share in [*_parents_first(steps), *ends]:
            path, content = whole[place]
            reached[place] = max(reached[place], round(share * len(content)))
            put(path, content[: reached[place]])
            archive.sync()
        archive.close()

        assert named_alike(dump(archive_in(folder)), folder) == at_once
        assert_consistent(archive_in(folder))
