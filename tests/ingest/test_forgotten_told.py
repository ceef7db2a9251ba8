"""What sources tell of what was forgotten, in batches and by other names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    rows,
)
from tests.ingest.forgetting import (
    CANARY,
    SAID,
    assert_gone,
    forget,
    of_source,
    said,
    titled,
)
from tests.ingest.scripted import Scripted, Step, lay_down

from quoth.model import (
    Append,
    Conversation,
    Kind,
    Noise,
    Replace,
    Rewind,
    Usage,
)


def test_a_unit_in_many_batches_is_kept_out_from_first_to_last(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    whole: list[Step] = [
        Replace(conversations=(titled("c", CANARY),), records=(said("1", CANARY),)),
        Append(records=(said("2", CANARY),)),
    ]
    lay_down(tmp_path, source, whole, whole)
    archive.sync()
    forget(archive, "scripted:c")
    lay_down(tmp_path, source, whole, [], name="two")

    report = archive.sync()

    assert report.kept_out == 4
    assert_gone(archive)


def test_a_conversation_that_comes_late_in_its_unit_is_stored(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lost = Replace(conversations=(titled("c", CANARY),), records=(said("1", CANARY),))
    kept = Append(
        conversations=(titled("d", "Kept"),), records=(said("2", "this", "d"),)
    )
    lay_down(tmp_path, source, [lost], [lost, kept], [lost, kept])
    archive.sync()
    forget(archive, "scripted:c")

    archive.sync()
    archive.sync()

    assert [each.text for each in archive.show("scripted:d").messages] == ["this"]
    assert_gone(archive)


def test_a_summary_of_what_was_forgotten_stays_out(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", SAID),))])
    archive.sync()
    forget(archive, "scripted:c")

    lay_down(
        tmp_path,
        source,
        [
            Replace(
                conversations=(titled("d", CANARY),),
                records=(
                    said("1", SAID, "d"),
                    said("2", f"about {CANARY}", "d", noise=Noise.SUMMARY),
                    said("3", "and on", "d"),
                ),
            )
        ],
        name="two",
    )
    archive.sync()

    assert [each.text for each in archive.show("scripted:d").messages] == ["and on"]
    assert_gone(archive)


@pytest.mark.parametrize(
    "kin",
    [
        titled("d", CANARY, kind=Kind.SUBAGENT, parent="c"),
        titled("d", CANARY, copy_of=("scripted", "c")),
    ],
    ids=["subagent", "copy"],
)
def test_what_belongs_to_what_was_forgotten_stays_out(
    tmp_path: Path, kin: Conversation
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", SAID),))])
    archive.sync()
    forget(archive, "scripted:c")

    of_kin = titled("e", CANARY, kind=Kind.SUBAGENT, parent="d")
    lay_down(
        tmp_path,
        source,
        [
            Replace(
                conversations=(kin, of_kin),
                records=(said("2", CANARY, "d"), said("3", CANARY, "e")),
            )
        ],
        name="two",
    )

    assert archive.sync().kept_out == 2
    assert_gone(archive)


def test_a_conversation_that_loses_its_start_is_stored_with_the_rest(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", SAID),))])
    archive.sync()
    forget(archive, "scripted:c")

    lay_down(
        tmp_path,
        source,
        [
            Replace(
                conversations=(titled("d", CANARY, cwd="/home/dev/harbor"),),
                records=(said("1", SAID, "d"), Rewind(conversation="d", first="1")),
                usage=(Usage(conversation="d", call_id="u", message="1"),),
            ),
            Append(records=(said("2", "and on", "d"),)),
        ],
        name="two",
    )
    archive.sync()

    shown = archive.show("scripted:d")
    assert shown.title is None
    assert rows(archive.home, "SELECT cwd FROM conversation") == [("/home/dev/harbor",)]
    assert [each.text for each in shown.messages] == ["and on"]
    assert_gone(archive)


def test_a_title_goes_when_what_follows_it_is_kept_out(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", SAID),))])
    archive.sync()
    forget(archive, "scripted:c")

    told = titled("d", CANARY)
    lay_down(
        tmp_path,
        source,
        [
            Replace(conversations=(told,), records=(said("2", "hello", "d"),)),
            Append(records=(said("3", SAID, "d"),)),
        ],
        name="two",
    )
    archive.sync()

    assert archive.show("scripted:d").title is None
    assert [each.text for each in archive.show("scripted:d").messages] == ["hello"]
    assert_gone(archive)
