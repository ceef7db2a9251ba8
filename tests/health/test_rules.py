"""What the doctor says of the rules that all that is stored went through."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import an_archive
from tests.health.place import Place, a_place, bad, says
from tests.ingest.leaky import OWN

from quoth.health import examine


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return a_place(tmp_path)


def test_rules_that_are_newer_are_a_warning_until_the_next_sync(place: Place) -> None:
    with an_archive(place.folder, patterns=OWN) as archive:
        before = examine(archive, home_named_by="a test")
        archive.sync()
        after = examine(archive, home_named_by="a test")

    assert bad(before) == {"rules": ()}
    assert says(before, "rules").startswith(
        "The secret rules are newer than what is stored: 7 messages to go through."
    )
    assert bad(after) == {}


def test_traces_that_are_left_are_a_warning_until_the_next_sync(place: Place) -> None:
    place.broken_by("INSERT OR REPLACE INTO meta VALUES ('scrub', 4)")
    before = place.examined()

    with an_archive(place.folder) as archive:
        archive.sync()

    assert bad(before) == {"traces": ()}
    assert bad(place.examined()) == {}


def test_a_note_of_rules_that_makes_no_sense_is_healed(place: Place) -> None:
    place.broken_by("UPDATE meta SET value = 7 WHERE key = 'secret_rules'")
    named = bad(place.examined())
    place.repaired()

    with an_archive(place.folder) as archive:
        archive.sync()

    assert "checkpoints" in named
    assert bad(place.examined()) == {}
