"""What sources tell of what was forgotten, in batches and by other names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import assert_consistent, change, rows
from tests.ingest.forgetting import (
    CANARY,
    SAID,
    assert_gone,
    forget,
    left_of,
    of_source,
    said,
    titled,
)
from tests.ingest.scripted import Scripted, Step, lay_down

from quoth.model import (
    Append,
    Checkpoint,
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


@pytest.mark.parametrize(
    ("of", "is_left"), [("1", False), ("9", True)], ids=["forgotten", "another"]
)
def test_a_reader_remembers_nothing_of_a_forgotten_message(
    tmp_path: Path, of: str, is_left: bool
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", CANARY),))])
    remembered = {"waiting": [{of: CANARY}, {"1": 7}]}
    other: Step = Replace(
        records=(said("2", "stays", "d"),),
        checkpoint=Checkpoint(offset=9, state=remembered),
    )
    lay_down(tmp_path, source, [other], [other], name="two")
    archive.sync()

    forget(archive, "scripted:c")
    archive.close()
    assert bool(left_of(archive.home)) is is_left
    archive.sync()

    assert [each.text for each in archive.show("scripted:d").messages] == ["stays"]
    archive.close()
    assert bool(left_of(archive.home)) is is_left
    assert_consistent(archive.home)


def test_a_checkpoint_that_makes_no_sense_may_have_anything_in_it(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    remembered = Checkpoint(state={"last": CANARY})
    lay_down(tmp_path, source, [Replace(records=(said("1", "a", "c"),))])
    told = Replace(records=(said("2", "b", "d"),), checkpoint=remembered)
    lay_down(tmp_path, source, [told], name="two")
    archive.sync()
    archive.close()
    change(archive.home, "UPDATE source_file SET checkpoint = substr(checkpoint, 2)")

    forget(archive, "scripted:c")

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


@pytest.mark.parametrize("family", [True, False])
def test_with_its_family_a_copy_bans_the_original_that_is_not_there(
    tmp_path: Path, family: bool
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    copy = titled("c", CANARY, copy_of=("scripted", "o"))
    told = Replace(conversations=(copy,), records=(said("1", CANARY),))
    lay_down(tmp_path, source, [told])
    archive.sync()
    forget(archive, "scripted:c", family=family)

    original = Replace(conversations=(titled("o"),), records=(said("2", "it", "o"),))
    lay_down(tmp_path, source, [original], name="two")

    assert archive.sync().kept_out == family
    assert_gone(archive)


LINK = f"https://{CANARY}/" + "4" * 30


@pytest.mark.parametrize(
    ("text", "kept_out"), [(LINK, 1), (LINK[:39], 0)], ids=["long", "short"]
)
def test_a_long_text_without_words_stays_out_by_what_it_says(
    tmp_path: Path, text: str, kept_out: int
) -> None:
    """It has no vectors, which are what other texts are told apart by."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", text),))])
    archive.sync()
    assert rows(archive.home, "SELECT text_hash FROM message") == [(None,)]
    forget(archive, "scripted:c")

    lay_down(tmp_path, source, [Replace(records=(said("2", text, "d"),))], name="two")

    assert archive.sync().kept_out == kept_out


def test_a_long_text_without_words_that_others_say_too_may_come_again(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    for name in "cd":
        lay_down(
            tmp_path, source, [Replace(records=(said(name, LINK, name),))], name=name
        )
    archive.sync()
    forget(archive, "scripted:c")

    lay_down(tmp_path, source, [Replace(records=(said("e", LINK, "e"),))], name="e")

    assert archive.sync().kept_out == 0


def test_what_stays_is_not_banned_by_an_id_that_two_messages_have(
    tmp_path: Path,
) -> None:
    """Ids that a program counts from one are only its own."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    kept = Replace(
        conversations=(titled("d", "Kept"),), records=(said("1", "stays", "d"),)
    )
    lay_down(tmp_path, source, [Replace(records=(said("1", CANARY),))])
    lay_down(tmp_path, source, [kept], [kept], name="two")
    archive.sync()
    forget(archive, "scripted:c")

    assert archive.sync().kept_out == 0

    shown = archive.show("scripted:d")
    assert (shown.title, [each.text for each in shown.messages]) == ("Kept", ["stays"])
    assert_gone(archive)
