"""What is true of every source, whichever program's history it reads.

A source is held to it by a sample of its history; README.md says how to add one.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import assert_consistent, citations, dump, rows

from quoth.model import Message, Outcome, Role, Skipped, Unit

from .archives import (
    an_archive,
    files_in,
    in_order,
    lay_out,
    passed_over,
    put,
    seen_facts,
    spent,
    synced,
    told,
)
from .history import History, Sample, Wish
from .opened import opened_in

RETOLD = "Which quay did you say is free?"


# What is read


def test_all_that_was_said_is_told_in_order_and_at_its_time(
    sample: Sample, tmp_path: Path
) -> None:
    history = sample.history(Wish(conversations=3))
    lay_out(sample, tmp_path, history)

    synced(sample, tmp_path)

    assert told(sample, tmp_path) == in_order(history.said)
    assert_consistent(tmp_path / "archive")


def test_no_words_of_a_program_are_taken_for_a_persons(
    sample: Sample, tmp_path: Path
) -> None:
    history = sample.history(Wish())
    lay_out(sample, tmp_path, history)

    synced(sample, tmp_path)

    spoken = rows(
        tmp_path / "archive",
        "SELECT text FROM message JOIN body USING (id)"
        " WHERE role = 'user' AND noise IS NULL",
    )
    assert [
        text
        for (text,) in spoken
        if any(machine in text for machine in history.machine)
    ] == []


def test_usage_is_what_all_calls_cost(sample: Sample, tmp_path: Path) -> None:
    history = sample.history(Wish())
    lay_out(sample, tmp_path, history)

    synced(sample, tmp_path)

    assert spent(tmp_path) == history.usage


def test_a_source_tells_the_facts_it_says_it_can_and_no_others(
    sample: Sample, tmp_path: Path
) -> None:
    lay_out(sample, tmp_path, sample.history(Wish()))

    synced(sample, tmp_path)

    assert seen_facts(tmp_path) == sample.source.facts


def test_every_citation_is_verified(sample: Sample, tmp_path: Path) -> None:
    lay_out(sample, tmp_path, sample.history(Wish()))
    synced(sample, tmp_path)

    with an_archive(sample, tmp_path) as archive:
        cited = citations(archive, everything=True)
        outcomes = {archive.verify(each).outcome for each in cited}

    assert outcomes == {Outcome.VERIFIED}


def test_what_stands_at_a_messages_place_is_that_message(
    sample: Sample, tmp_path: Path
) -> None:
    root = lay_out(sample, tmp_path, sample.history(Wish()))

    for unit in sample.source.discover([root]):
        for message in messages(sample, unit):
            there = sample.source.read_at(unit, message.origin)
            assert quoted(message) in map(quoted, there)


def test_the_same_bytes_are_read_the_same_way(sample: Sample, tmp_path: Path) -> None:
    root = lay_out(sample, tmp_path, sample.history(Wish()))
    once, again = ([*sample.source.discover([root])] for _ in range(2))
    read = sample.source.read

    assert once == again
    for unit in once:
        assert [*read(unit, None)] == [*read(unit, None)]


def test_two_archives_of_one_history_are_equal(sample: Sample, tmp_path: Path) -> None:
    lay_out(sample, tmp_path, sample.history(Wish()))

    synced(sample, tmp_path, name="one")
    synced(sample, tmp_path, name="other")

    assert dump(tmp_path / "one") == dump(tmp_path / "other")


# What is touched


def test_the_source_is_left_as_it_is(sample: Sample, tmp_path: Path) -> None:
    root = lay_out(sample, tmp_path, sample.history(Wish()))
    before = state_of(root)

    synced(sample, tmp_path)
    with an_archive(sample, tmp_path) as archive:
        for citation in citations(archive):
            archive.verify(citation)

    assert state_of(root) == before


def test_discovering_opens_no_file_but_an_archive(
    sample: Sample, tmp_path: Path
) -> None:
    root = lay_out(sample, tmp_path, sample.history(Wish()))

    with opened_in(root) as opened:
        units = [*sample.source.discover([root])]

    files = [path for path in files_in(root) if path.name not in sample.side_files]
    assert {unit.path for unit in units} == {*files}
    assert [path for path in opened if path.suffix != ".zip"] == []


def test_reading_opens_its_own_file_and_those_that_are_documented(
    sample: Sample, tmp_path: Path
) -> None:
    root = lay_out(sample, tmp_path, sample.history(Wish()))

    for unit in sample.source.discover([root]):
        with opened_in(root.parent) as opened:
            [*sample.source.read(unit, None)]
        opened_too = [path for path in opened if path != unit.path]
        others = {path.name for path in opened_too if not sample.may_look_at(path)}
        assert others <= {*sample.side_files}


# What changes


def test_a_second_sync_reads_nothing_and_changes_nothing(
    sample: Sample, tmp_path: Path
) -> None:
    lay_out(sample, tmp_path, sample.history(Wish()))
    synced(sample, tmp_path)
    before = dump(tmp_path / "archive")

    report = synced(sample, tmp_path)

    assert (report.units_read, report.messages_new) == (0, 0)
    assert dump(tmp_path / "archive") == before


def test_what_has_grown_is_as_if_it_was_read_at_once(
    sample: Sample, tmp_path: Path
) -> None:
    lay_out(sample, tmp_path, sample.history(Wish(turns=1)))
    synced(sample, tmp_path)
    grown = sample.history(Wish(conversations=3, turns=3))
    overwrite(sample, tmp_path, grown)

    synced(sample, tmp_path)

    assert_like_a_clean_sync(sample, tmp_path, grown)


@pytest.mark.parametrize("seed", range(2))
def test_files_cut_anywhere_and_followed_are_as_if_read_at_once(
    sample: Sample, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311
    history = sample.history(Wish())
    parts = sorted(chance.random() for _ in range(3))

    for part in parts:
        overwrite(sample, tmp_path, cut(sample, history, part))
        synced(sample, tmp_path)
    overwrite(sample, tmp_path, history)
    synced(sample, tmp_path)

    assert_like_a_clean_sync(sample, tmp_path, history)


def test_what_is_told_anew_takes_the_place_of_what_was_told(
    sample: Sample, tmp_path: Path
) -> None:
    lay_out(sample, tmp_path, sample.history(Wish()))
    synced(sample, tmp_path)
    retold = sample.history(Wish(first=RETOLD))
    overwrite(sample, tmp_path, retold)

    synced(sample, tmp_path)

    assert_like_a_clean_sync(sample, tmp_path, retold)
    kept = rows(
        tmp_path / "archive",
        "SELECT live FROM message JOIN body USING (id) WHERE text = ?",
        Wish().first,
    )
    assert kept == [(0,)]


def test_what_is_deleted_is_kept_and_marked_as_gone(
    sample: Sample, tmp_path: Path
) -> None:
    history = sample.history(Wish())
    root = lay_out(sample, tmp_path, history)
    synced(sample, tmp_path)
    for path in files_in(root):
        path.unlink()

    report = synced(sample, tmp_path)

    conversations = len(history.said)
    assert report.newly_gone == conversations
    assert told(sample, tmp_path) == in_order(history.said)
    assert rows(
        tmp_path / "archive",
        "SELECT count(*) FROM conversation WHERE source_gone_at IS NOT NULL",
    ) == [(conversations,)]


def test_a_file_that_lies_in_two_places_is_told_once(
    sample: Sample, tmp_path: Path
) -> None:
    history = sample.history(Wish())
    root = lay_out(sample, tmp_path, history)
    for name in history.files:
        there = root / sample.copied(name)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, there)

    synced(sample, tmp_path)

    assert told(sample, tmp_path) == in_order(history.said)
    assert spent(tmp_path) == history.usage
    assert_consistent(tmp_path / "archive")


def test_what_nobody_knows_yet_is_counted_and_stops_nothing(
    sample: Sample, tmp_path: Path
) -> None:
    """Also: no message is from a time to come."""
    lay_out(sample, tmp_path / "now", sample.history(Wish()))
    strange = sample.history(Wish(strange=True))
    lay_out(sample, tmp_path / "then", strange)

    synced(sample, tmp_path / "now")
    synced(sample, tmp_path / "then")

    assert told(sample, tmp_path / "then") == in_order(strange.said)
    assert passed_over(tmp_path / "then") > passed_over(tmp_path / "now")


# What has to hold of a history and its archive


def overwrite(sample: Sample, folder: Path, history: History) -> None:
    """Write the files in place, as programs do that keep one open or rewrite it."""
    for name, content in history.files.items():
        put(folder / sample.root / name, content)


def cut(sample: Sample, history: History, part: float) -> History:
    """Return a history of which only a part of every file has been written yet."""
    files = {
        name: content
        if name.endswith(sample.side_files)
        else content[: int(part * len(content))]
        for name, content in history.files.items()
    }
    return replace(history, files=files)


def assert_like_a_clean_sync(sample: Sample, folder: Path, history: History) -> None:
    synced(sample, folder, name="clean")
    assert dump(folder / "archive") == dump(folder / "clean")
    assert told(sample, folder) == in_order(history.said)
    assert spent(folder) == history.usage
    assert_consistent(folder / "archive")


def messages(sample: Sample, unit: Unit) -> list[Message]:
    """Return the messages of a unit, of those told twice the last telling."""
    steps = sample.source.read(unit, None)
    batches = [step for step in steps if not isinstance(step, Skipped)]
    records = [record for batch in batches for record in batch.records]
    told = [record for record in records if isinstance(record, Message)]
    return [*{message.native_id: message for message in told}.values()]


def quoted(message: Message) -> Message:
    """Return what a citation vouches for; the rest may stand far from its record."""
    return Message(
        conversation=message.conversation,
        native_id=message.native_id,
        role=Role.USER,
        text=message.text,
        reasoning=message.reasoning,
        calls=message.calls,
        results=message.results,
        origin=message.origin,
    )


def state_of(root: Path) -> dict[Path, tuple[int, int, bytes]]:
    """Return mode, time of change and bytes of all there is; a folder has no bytes."""
    return {
        path: (
            path.stat().st_mode,
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [root, *root.rglob("*")]
    }
