"""What a rule forbids is not recorded, and goes where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    assert_consistent,
    claude_file,
    dump,
    put,
    synced,
)
from tests.ingest.forgetting import (
    CANARY,
    OTHER,
    forget,
    left_of,
    of_source,
    recorded,
    said,
    titled,
)
from tests.ingest.histories import RESUMED, a_history
from tests.ingest.scripted import Scripted, lay_down

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import UsageError
from quoth.model import NOTHING_KEPT_OUT, Append, Kind, NeverIndex, Replace

MARKER = "off the record"

EACH = pytest.mark.parametrize(
    "rules",
    [
        NeverIndex(paths=("*/projects/*/*aa.jsonl",)),
        NeverIndex(paths=("/home/dev/har*",)),
        NeverIndex(paths=("/home/dev/harbor/*",)),
        NeverIndex(repositories=("harbor",)),
        NeverIndex(markers=(MARKER,)),
    ],
    ids=["file", "folder", "in a folder", "repository", "marker"],
)


def ruled(archive: Archive, rules: NeverIndex) -> Archive:
    """Return the same archive under other rules."""
    archive.close()
    return Archive(
        archive.home,
        roots=archive.roots,
        sources=archive.installed.sources,
        embedder=HashEmbedder(),
        clock=archive.now,
        never_index=rules,
    )


def a_place(folder: Path) -> None:
    put(claude_file(folder), a_transcript(f"{CANARY}, {MARKER}", f"no {CANARY}"))
    elsewhere = a_transcript("other work stays", ids="o")
    put(
        claude_file(folder, OTHER),
        elsewhere.replace(b"/home/dev/harbor", b"/home/dev/island"),
    )


def assert_gone(archive: Archive) -> None:
    archive.close()
    assert left_of(archive.home) == []
    assert recorded(archive) == [f"claude_code:{OTHER}"]
    assert_consistent(archive.home)


@EACH
def test_what_a_rule_forbids_is_never_recorded(
    tmp_path: Path, rules: NeverIndex
) -> None:
    a_place(tmp_path)
    archive = ruled(an_archive(tmp_path), rules)

    archive.sync()

    assert_gone(archive)
    assert archive.sync().units_read == 0
    assert archive.status().freshness.changed_files == 0


@EACH
def test_what_is_recorded_and_a_new_rule_forbids_goes(
    tmp_path: Path, rules: NeverIndex
) -> None:
    a_place(tmp_path)
    archive = ruled(synced(tmp_path), rules)

    report = archive.sync()

    assert (report.purged, report.units_read) == (1, 0)
    assert_gone(archive)
    assert [each.asked for each in archive.forgotten()] == [("rule",)]
    assert archive.status().forgotten == 1


@EACH
def test_what_no_rule_forbids_any_more_is_read(
    tmp_path: Path, rules: NeverIndex
) -> None:
    a_place(tmp_path)
    archive = ruled(an_archive(tmp_path), rules)
    archive.sync()

    archive = ruled(archive, NOTHING_KEPT_OUT)
    archive.sync()

    assert recorded(archive) == [KEY, f"claude_code:{OTHER}"]
    assert archive.forgotten() == ()


@EACH
def test_a_short_look_only_keeps_out(tmp_path: Path, rules: NeverIndex) -> None:
    a_place(tmp_path)
    archive = ruled(synced(tmp_path), rules)

    report = archive.refresh(budget_s=5)

    assert report is not None
    assert report.purged == 0
    assert KEY in recorded(archive)


def test_a_file_that_grows_beyond_a_rule_stays_out(tmp_path: Path) -> None:
    a_place(tmp_path)
    archive = ruled(synced(tmp_path), NeverIndex(markers=(MARKER,)))
    archive.sync()

    with claude_file(tmp_path).open("ab") as file:
        file.write(a_transcript(f"more {CANARY}", ids="x"))

    assert archive.sync().kept_out == 3
    assert_gone(archive)


def test_a_marker_that_comes_late_takes_what_came_before(tmp_path: Path) -> None:
    source = Scripted()
    archive = ruled(of_source(tmp_path, source), NeverIndex(markers=(MARKER,)))
    told = (titled("c", CANARY), titled("d", "Kept"))
    agent = titled("a", CANARY, kind=Kind.SUBAGENT, parent="c")
    lay_down(
        tmp_path,
        source,
        [
            Replace(conversations=told, records=(said("1", CANARY),)),
            Append(conversations=(agent,), records=(said("2", CANARY, "a"),)),
            Append(records=(said("3", "stays", "d"), said("4", MARKER))),
            Append(records=(said("5", CANARY), said("6", "as well", "d"))),
        ],
    )

    report = archive.sync()

    assert report.purged == 2
    assert recorded(archive) == ["scripted:d"]
    assert [each.text for each in archive.show("scripted:d").messages] == [
        "stays",
        "as well",
    ]
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


IN_A_PLACE = pytest.mark.parametrize(
    "rules",
    [NeverIndex(paths=("/home/dev/vault/*",)), NeverIndex(repositories=("vault",))],
    ids=["folder", "repository"],
)


def moving(folder: Path, source: Scripted) -> None:
    """Lay down a conversation that goes to another folder, and one that doesn't."""
    here, there = "/home/dev/harbor", "/home/dev/vault/deep"
    lay_down(
        folder,
        source,
        [
            Replace(
                conversations=(titled("c", CANARY, cwd=here), titled("d", cwd=here)),
                records=(said("1", CANARY, cwd=here), said("2", "x", "d", cwd=here)),
            ),
            Append(records=(said("3", CANARY, cwd=there),)),
        ],
    )


@IN_A_PLACE
def test_a_conversation_that_goes_to_a_forbidden_folder_stays_out(
    tmp_path: Path, rules: NeverIndex
) -> None:
    source = Scripted()
    archive = ruled(of_source(tmp_path, source), rules)
    moving(tmp_path, source)

    assert archive.sync().purged == 1

    assert recorded(archive) == ["scripted:d"]
    archive.close()
    assert left_of(archive.home) == []


@IN_A_PLACE
def test_a_conversation_that_went_to_a_forbidden_folder_goes(
    tmp_path: Path, rules: NeverIndex
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    moving(tmp_path, source)
    archive.sync()
    archive = ruled(archive, rules)
    assert archive.count_forbidden() == 1

    assert archive.sync().purged == 1

    assert recorded(archive) == ["scripted:d"]
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def test_a_subagent_of_what_a_rule_forbids_goes_with_it(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = ruled(synced(tmp_path), NeverIndex(markers=("Northern it is",)))

    archive.sync()

    assert f"claude_code:{RESUMED}" in recorded(archive)
    assert KEY not in recorded(archive)
    assert f"{KEY}/agent-a1b2c3" not in recorded(archive)
    assert left_of(archive.home, "brindlewick") == []
    assert_consistent(archive.home)


def test_what_a_rule_made_cannot_be_taken_back(tmp_path: Path) -> None:
    a_place(tmp_path)
    archive = ruled(synced(tmp_path), NeverIndex(markers=(MARKER,)))
    archive.sync()

    with pytest.raises(UsageError):
        archive.undo_forget(1)


def test_a_rule_is_lifted_for_a_file_with_others(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)
    before = dump(archive.home)
    archive = ruled(archive, NeverIndex(markers=("bowline",)))
    archive.sync()
    assert "generic:one" not in recorded(archive)

    archive = ruled(archive, NOTHING_KEPT_OUT)
    archive.sync()

    assert dump(archive.home) == before


def test_other_rules_leave_alone_what_a_person_forgot(tmp_path: Path) -> None:
    a_place(tmp_path)
    archive = synced(tmp_path)
    forget(archive, KEY)

    archive = ruled(archive, NeverIndex(paths=("/nowhere/*",)))
    archive.sync()
    archive = ruled(archive, NOTHING_KEPT_OUT)
    archive.sync()

    assert_gone(archive)
