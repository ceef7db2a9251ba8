"""What the doctor finds in an archive that somebody broke, and what a repair heals."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    a_transcript,
    an_archive,
    assert_consistent,
    claude_file,
    dump,
    interrupted_at,
    put,
    rows,
)
from tests.health.place import Place, a_place, bad, says

from quoth.errors import ArchiveBusyError
from quoth.health import repair
from quoth.model import HealthState
from quoth.store._lock import hold


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return a_place(tmp_path)


def test_a_healthy_archive_has_no_finding(place: Place) -> None:
    assert bad(place.examined(deep=True)) == {}


def test_a_look_changes_nothing(place: Place) -> None:
    before = {path: path.read_bytes() for path in place.home.rglob("*.*")}

    place.examined()

    after = {path: path.read_bytes() for path in place.home.rglob("*.*")}
    assert {path: after[path] for path in before} == before


BROKEN = {
    "count of messages": (
        "UPDATE conversation SET messages = messages + 1 WHERE id = 1",
        {"conversations": ("conversations with a wrong count of messages: 1",)},
    ),
    "count of texts": (
        "UPDATE conversation SET texts = 0 WHERE id = 1",
        {"conversations": ("conversations with a wrong count of messages: 1",)},
    ),
    "root": (
        "UPDATE conversation SET root = 2 WHERE id = 1",
        {"conversations": ("conversations listed under the wrong one: 1",)},
    ),
    "number to give away": (
        "UPDATE conversation SET next_seq = 1 WHERE id = 1",
        {"conversations": ("conversations that would give a number away again: 1",)},
    ),
    "kind": (
        "UPDATE conversation SET kind = 'nain' WHERE id = 1",
        None,
    ),
    "branch": (
        "UPDATE conversation SET branch = 'another' WHERE id = 1",
        {"conversations": ("conversations that differ from what their file tells: 1",)},
    ),
    "gone source": (
        "UPDATE conversation SET source_gone_at = 1 WHERE id = 1",
        {
            "conversations": (
                "conversations whose source is gone or there against their files: 1",
            )
        },
    ),
    "words of a title": (
        "UPDATE conversation SET title_words = 'other' WHERE id = 1",
        {"conversations": ("titles with other words than they have: 1",)},
    ),
    "title index": (
        "INSERT INTO titles (titles) VALUES ('delete-all')",
        None,
    ),
    "home": (
        "UPDATE message SET home = 2 WHERE id = 3",
        None,
    ),
    "life": (
        "UPDATE message SET live = 0 WHERE id = 3",
        None,
    ),
    "word index emptied": (
        "DELETE FROM words_data; DELETE FROM words_docsize; DELETE FROM words_idx",
        None,
    ),
    "word index lacks one": (
        "DELETE FROM words_docsize WHERE id = 2",
        None,
    ),
    "word index says another": (
        "INSERT INTO words (words, rowid, prompt, reply, tool, names)"
        " SELECT 'delete', id, prompt, reply, tool, names FROM message_words"
        " WHERE id = 2;"
        "INSERT INTO words (rowid, prompt, reply, tool, names)"
        " VALUES (2, '', 'because LedgerView reads the old tariff chart before it is"
        " refreshed', '', 'ledger view')",
        {"word-index": ("words that the index has in other messages: 2",)},
    ),
    "search text": (
        "UPDATE body SET search_text = 'other' WHERE id = 2",
        None,
    ),
    "words of tools": (
        "UPDATE body SET tool_words = NULL WHERE tool_words IS NOT NULL",
        None,
    ),
    "names": (
        "UPDATE body SET names = 'other' WHERE id = 1",
        None,
    ),
    "hash of a text": (
        "UPDATE message SET text_hash = NULL WHERE id = 1",
        None,
    ),
    "doc values": (
        "UPDATE doc_values SET packed = zeroblob(length(packed))",
        {"doc-values": ("blocks of values that messages don't have: 1",)},
    ),
    "a vector gone": (
        "DELETE FROM embedding WHERE id = 1",
        None,
    ),
    "a vector of nothing": (
        "INSERT INTO embedding (embedder, text_hash, codes, scales)"
        " SELECT embedder, x'00', codes, scales FROM embedding WHERE id = 1",
        {"vectors": ("vectors that belong to no text: 1",)},
    ),
    "a vector too short": (
        "UPDATE embedding SET codes = x'00' WHERE id = 1",
        None,
    ),
    "a vector of another text": (
        "UPDATE embedding SET (codes, scales) ="
        " (SELECT codes, scales FROM embedding WHERE id = 2) WHERE id = 1",
        None,
    ),
    "embedder ahead": (
        "UPDATE embedder SET up_to = 1000",
        {"vectors": ("embedders that are ahead of the messages: 1",)},
    ),
    "width of vectors": (
        "UPDATE embedder SET dimensions = 3",
        None,
    ),
    "checkpoint": (
        "UPDATE source_file SET checkpoint = '{' WHERE id = 1",
        {"checkpoints": ("files whose checkpoint makes no sense: 1",)},
    ),
    "note": (
        "UPDATE meta SET value = 'word' WHERE key = 'last_sync'",
        None,
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_derived_and_wrong_is_named_and_healed(place: Place, how: str) -> None:
    fresh = dump(place.home)
    statements, expected = BROKEN[how]
    place.broken_by(*statements.split(";"))

    named = bad(place.examined())
    health = place.repaired()

    assert named != {}
    if expected is not None:
        assert named == expected
    assert health.repair is not None
    assert health.repair.failed == ()
    assert bad(health) == {}
    assert dump(place.home) == fresh
    assert_consistent(place.home)


def test_a_text_that_was_altered_is_told_from_its_source(place: Place) -> None:
    """Nothing in the database contradicts it: only the source knows."""
    place.broken_by(
        "UPDATE body SET text = replace(text, 'islands', 'inlands')",
        "INSERT INTO words (words) VALUES ('rebuild')",
    )
    place.repaired()  # so that all that is derived says the same

    named = bad(place.examined())

    (citation,) = named["sources-agree"]
    assert [*named] == ["sources-agree"]
    assert citation.startswith("claude_code:")


def test_a_file_that_a_person_named_is_asked_too(place: Place) -> None:
    named = put(
        place.folder / "named" / claude_file(place.folder).name,
        a_transcript("a named question", "a named answer", ids="x"),
    )
    with an_archive(place.folder) as archive:
        archive.sync([named])

    health = place.examined()

    assert says(health, "sources-agree").startswith("9 messages read again")


def test_a_text_whose_file_has_changed_is_not_called_altered(place: Place) -> None:
    place.broken_by("UPDATE source_file SET stamp = 'another'")

    health = place.examined()

    assert says(health, "sources-agree").startswith("No message could be read again")


def test_a_flat_copy_of_other_vectors_is_found_and_written_anew(place: Place) -> None:
    (copy,) = place.home.glob("vectors/*/all.vec")
    content = bytearray(copy.read_bytes())
    content[512 + 7] ^= 0x55
    copy.write_bytes(content)

    named = bad(place.examined())
    health = place.repaired()

    assert named == {"flat-copy": ()}
    assert bad(health) == {}


def test_a_flat_copy_cut_short_is_said_to_be_passed_over(place: Place) -> None:
    (copy,) = place.home.glob("vectors/*/all.vec")
    copy.write_bytes(copy.read_bytes()[:-1])

    (finding,) = [
        each for each in place.examined().findings if each.check == "flat-copy"
    ]

    assert finding.state is HealthState.WARNING


NAMED = {
    "texts without a message: 1": "INSERT INTO body (id, text) VALUES (99, 'x')",
    "conversations whose key and source differ: 1": (
        "UPDATE conversation SET source = 'codex' WHERE id = 1"
    ),
    "conversations of an unknown kind: 1": (
        "UPDATE conversation SET kind = 'nain' WHERE id = 1"
    ),
    "calls to a model counted in the wrong conversation: 1": (
        "INSERT INTO usage (source, call_id, conversation, message, input, output,"
        " cache_read, cache_write_5m, cache_write_1h, reasoning, lines, counted_by)"
        " VALUES ('claude_code', 'c', 2, 1, 0, 0, 0, 0, 0, 0, 1, '')"
    ),
    "messages missing from the word index: 1": (
        "INSERT INTO words (words, rowid, prompt, reply, tool, names)"
        " SELECT 'delete', id, prompt, reply, tool, names FROM message_words"
        " WHERE id = 2"
    ),
    "entries of the word index without a message: 1": (
        "UPDATE message SET noise = 'meta' WHERE id = 2"
    ),
    "titles missing from the title index: 2": (
        "INSERT INTO titles (titles) VALUES ('delete-all')"
    ),
    "entries of the title index without a title: 1": (
        "UPDATE conversation SET title = NULL WHERE id = 1"
    ),
    "texts passed over when vectors were made: 2": "DELETE FROM embedding WHERE id = 1",
    "files that count as read and were not: 1": (
        "UPDATE source_file SET checkpoint = NULL WHERE id = 1"
    ),
    "tables, views, indexes or triggers that quoth never makes: 1": (
        "CREATE TRIGGER mine AFTER INSERT ON body BEGIN DELETE FROM body; END"
    ),
    "tables, views or indexes that are missing: 1": "DROP INDEX told_by_file",
    "sums of the word index that disagree: 1": (
        "UPDATE words_data SET block = x'0701010101' WHERE id = 1"
    ),
    "messages indexed with other words than they have: 1": (
        "UPDATE words_docsize SET sz = x'00000000' WHERE id = 2"
    ),
}


@pytest.mark.parametrize("detail", NAMED)
def test_each_fault_has_a_name_and_a_number(place: Place, detail: str) -> None:
    place.broken_by(NAMED[detail])

    named = [one for details in bad(place.examined()).values() for one in details]

    assert detail in named


LOST = {
    "text": (
        "DELETE FROM body WHERE id = 1",
        "messages without a text: 1",
    ),
    "member": (
        "DELETE FROM member WHERE message = 1",
        "messages in no conversation: 1",
    ),
    "author": (
        "UPDATE message SET role = 'uter' WHERE id = 1",
        "messages of an unknown author: 1",
    ),
    "time": (
        "UPDATE message SET at = 9223372036854775807 WHERE id = 1",
        "messages at an impossible time: 1",
    ),
    "told": (
        "DELETE FROM told WHERE conversation = 1",
        "conversations that no file tells of: 1",
    ),
    "facts": (
        "UPDATE told SET facts = '{' WHERE conversation = 1",
        "conversations told in a way that makes no sense: 1",
    ),
}


@pytest.mark.parametrize("what", LOST)
def test_a_lost_row_is_named_and_a_repair_does_not_hide_it(
    place: Place, what: str
) -> None:
    statement, detail = LOST[what]
    place.broken_by(statement)

    before = bad(place.examined())
    after = bad(place.repaired())

    assert detail in before["rows"]
    assert detail in after["rows"]


PRECIOUS = ("message", "body", "member", "tool_call", "usage", "told", "source_file")


@pytest.mark.parametrize("how", BROKEN)
def test_a_repair_drops_nothing_that_was_said(place: Place, how: str) -> None:
    place.broken_by(*BROKEN[how][0].split(";"))
    before = [rows(place.home, f"SELECT count(*) FROM {table}") for table in PRECIOUS]  # noqa: S608

    place.repaired()

    after = [rows(place.home, f"SELECT count(*) FROM {table}") for table in PRECIOUS]  # noqa: S608
    assert after == before


@pytest.mark.parametrize("at", range(1, 14))
def test_a_repair_that_was_interrupted_is_finished_by_the_next(
    place: Place, at: int
) -> None:
    fresh = dump(place.home)
    place.broken_by(
        "UPDATE conversation SET messages = 9",
        "DELETE FROM embedding",
        "UPDATE body SET names = 'other'",
        "INSERT INTO words (words) VALUES ('delete-all')",
    )
    with an_archive(place.folder) as archive, pytest.raises(KeyboardInterrupt):
        repair(archive, home_named_by="a test", progress=interrupted_at(5 + at))

    health = place.repaired()

    assert bad(health) == {}
    assert dump(place.home) == fresh


def test_a_repair_waits_for_no_sync_for_ever(place: Place) -> None:
    with (
        an_archive(place.folder) as archive,
        hold(place.home / "sync.lock", wait_s=0),
        pytest.raises(ArchiveBusyError, match="written by process"),
    ):
        repair(archive, home_named_by="a test", wait_s=0)


def test_a_sync_that_is_running_is_named(place: Place) -> None:
    with hold(place.home / "sync.lock", wait_s=0):
        health = place.examined()

    assert says(health, "sync").startswith("A sync or repair is running: process ")


def test_a_broken_checkpoint_is_read_again_from_its_start(place: Place) -> None:
    place.broken_by("UPDATE source_file SET checkpoint = '{'")
    place.repaired()

    with an_archive(place.folder) as archive:
        report = archive.sync()

    assert report.units_read == 2
    assert report.messages_new == 0
    assert_consistent(place.home)


def test_a_subagent_goes_back_under_its_parent(place: Place) -> None:
    place.broken_by(
        "UPDATE told SET facts = json_set(facts, '$.kind', 'subagent',"
        " '$.parent_key', (SELECT key FROM conversation WHERE id = 1))"
        " WHERE conversation = 2"
    )

    health = place.repaired()

    assert bad(health) == {}
    assert rows(place.home, "SELECT root FROM conversation ORDER BY id") == [(1,), (1,)]


def test_subagents_in_a_ring_are_listed_under_the_first(place: Place) -> None:
    place.broken_by(
        "UPDATE told SET facts = json_set(facts, '$.kind', 'subagent', '$.parent_key',"
        " (SELECT key FROM conversation WHERE id = 3 - told.conversation))"
    )

    place.repaired()

    assert rows(place.home, "SELECT root FROM conversation ORDER BY id") == [(1,), (1,)]
