"""What a selection means, what goes with it, and what is said before anything goes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    dump,
    put,
    synced,
)
from tests.ingest.forgetting import forget, of_source, said, titled
from tests.ingest.histories import CHILD, FORK, RESUMED, THREAD, a_history
from tests.ingest.scripted import Scripted, lay_down

from quoth import Archive
from quoth.errors import ArchiveNotFoundError, NotRecordedError, UsageError
from quoth.model import (
    FileTouch,
    Kinship,
    Leaving,
    Replace,
    Selection,
    ToolCall,
    Touch,
    Usage,
)

AGENT = f"{KEY}/agent-a1b2c3"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive of sessions, copies of them, and other histories."""
    for path, content in a_history(tmp_path).items():
        put(path, content)
    return synced(tmp_path)


def planned(archive: Archive, *keys: str, **chosen: Any) -> dict[str, Kinship]:
    plan = archive.plan_forget(Selection(keys=keys, **chosen))
    return {leaving.key: leaving.kinship for leaving in plan.conversations}


def test_a_plan_names_the_family_and_why_each_goes(archive: Archive) -> None:
    assert planned(archive, KEY) == {
        KEY: Kinship.CHOSEN,
        AGENT: Kinship.SUBAGENT,
        f"claude_code:{FORK}": Kinship.COPY,
        f"claude_code:{RESUMED}": Kinship.COPY,
    }


def test_without_the_family_only_subagents_go_along(archive: Archive) -> None:
    assert planned(archive, KEY, family=False) == {
        KEY: Kinship.CHOSEN,
        AGENT: Kinship.SUBAGENT,
    }


def test_what_was_begun_from_a_conversation_is_its_family(archive: Archive) -> None:
    assert planned(archive, f"codex:{THREAD}") == {
        f"codex:{THREAD}": Kinship.CHOSEN,
        f"codex:{CHILD}": Kinship.COPY,
    }


def test_a_copy_and_its_original_go_together_whichever_is_chosen(
    tmp_path: Path,
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    told = (titled("o"), titled("c", copy_of=("scripted", "o")))
    records = (said("1", "one", "o"), said("2", "one", "c"))
    lay_down(tmp_path, source, [Replace(conversations=told, records=records)])
    archive.sync()

    assert planned(archive, "scripted:o").keys() == {"scripted:o", "scripted:c"}
    assert planned(archive, "scripted:c").keys() == {"scripted:o", "scripted:c"}


def test_a_plan_counts_what_goes_and_what_others_keep(archive: Archive) -> None:
    plan = archive.plan_forget(
        Selection(keys=(f"claude_code:{RESUMED}",), family=False)
    )

    assert (plan.messages, plan.kept_elsewhere, plan.recorded) == (2, 6, 8)
    (leaving,) = plan.conversations
    assert leaving == Leaving(
        key=f"claude_code:{RESUMED}",
        title="Where is the tide table? 潮汐表 📖",
        kinship=Kinship.CHOSEN,
        messages=8,
        started_at=datetime(2026, 5, 1, 10, 0, tzinfo=UTC),
        ended_at=datetime(2026, 5, 2, 9, 1, tzinfo=UTC),
        path=leaving.path,
        source_gone=False,
    )
    assert leaving.path.stem == RESUMED


def test_a_report_counts_what_the_plan_did(archive: Archive) -> None:
    plan = archive.plan_forget(Selection(keys=(KEY,)))
    report = archive.forget(plan)

    assert (report.entry, report.conversations, report.messages) == (
        1,
        len(plan.conversations),
        plan.messages,
    )
    (entry,) = archive.forgotten()
    assert (entry.entry, entry.asked, entry.conversations, entry.messages) == (
        1,
        ("key",),
        report.conversations,
        report.messages,
    )


def test_a_plan_changes_nothing(archive: Archive) -> None:
    before = dump(archive.home)

    archive.plan_forget(Selection(phrase="the"))

    assert dump(archive.home) == before


# By what is chosen


def test_all_that_is_given_has_to_be_met(archive: Archive) -> None:
    day = datetime(2026, 5, 2, tzinfo=UTC)

    assert planned(archive, source="Codex", family=False).keys() == {
        f"codex:{THREAD}",
        f"codex:{CHILD}",
    }
    assert planned(archive, source="claude_code", since=day, family=False).keys() == {
        f"claude_code:{RESUMED}"
    }
    assert planned(archive, repo="harbor", until=day, phrase="island").keys() >= {
        f"claude_code:{FORK}"
    }
    assert planned(archive, KEY, source="codex") == {}


@pytest.mark.parametrize(
    "phrase",
    [
        "TIDE table",
        "tide\n\ttable",
        "almanac has it",  # thought
        "tide_table src/harbour",  # a command
        "tide_table = load()",  # what came back
        "潮汐表",
        "Tides",  # a title
        "northern port",  # superseded
    ],
)
def test_a_phrase_is_found_wherever_it_stands(archive: Archive, phrase: str) -> None:
    assert KEY in planned(archive, phrase=phrase)


def test_a_phrase_is_found_in_paths_and_in_other_spellings(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    call = ToolCall(
        call_id="1",
        name="Write",
        input="",
        touches=(FileTouch(path="src/Vault/key.txt", action=Touch.WRITE),),
    )
    told = Replace(
        conversations=(titled("c"), titled("d")),
        records=(
            said("1", "", "c", calls=(call,)),
            said("2", "Cafe\u0301 in der STRASSE", "d"),
        ),
    )
    lay_down(tmp_path, source, [told])
    archive.sync()

    assert [*planned(archive, phrase="vault/KEY")] == ["scripted:c"]
    assert [*planned(archive, phrase="caf\xe9 in der stra\xdfe")] == ["scripted:d"]


@pytest.mark.parametrize("field", ["cwd", "branch", "model", "author"])
def test_a_phrase_is_found_in_what_a_message_was_written_under(
    tmp_path: Path, field: str
) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    batch = Replace(records=(said("1", "one", **{field: "the/Vault"}), said("2", "d")))
    lay_down(tmp_path, source, [batch])
    archive.sync()

    assert [*planned(archive, phrase="vault")] == ["scripted:c"]


def test_a_phrase_is_found_in_the_model_that_was_paid_for(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    used = Usage(conversation="c", call_id="1", model="vault-1")
    lay_down(tmp_path, source, [Replace(records=(said("1", "one"),), usage=(used,))])
    archive.sync()

    assert [*planned(archive, phrase="Vault")] == ["scripted:c"]


@pytest.mark.parametrize("field", ["cwd", "branch", "repo"])
def test_a_phrase_is_found_in_what_any_file_tells_of_a_conversation(
    tmp_path: Path, field: str
) -> None:
    """Also in what is not shown, since another file tells something else."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    for name, place in (("one", "/home/vault"), ("two", "/home/harbor")):
        more: dict[str, Any] = {field: place}
        told = titled("c", ended_at=datetime(2026, 5, len(place), tzinfo=UTC), **more)
        batch = Replace(conversations=(told,), records=(said(name, "one"),))
        lay_down(tmp_path, source, [batch], name=name)
    archive.sync()

    assert [*planned(archive, phrase="VAULT")] == ["scripted:c"]
    assert [*planned(archive, phrase="/home/harbor")] == ["scripted:c"]


@pytest.mark.parametrize(("name", "key"), [("the vault.md", "c"), ("one", "the vault")])
def test_a_phrase_is_found_in_names_of_files_and_ids(
    tmp_path: Path, name: str, key: str
) -> None:
    """Some programs make them of what was said."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    lay_down(tmp_path, source, [Replace(records=(said("1", "one", key),))], name=name)
    archive.sync()

    assert len(planned(archive, phrase="The Vault")) == 1


def test_copies_of_one_original_are_a_family_without_it(tmp_path: Path) -> None:
    """An assistant deletes a session long before what was written out of it."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    told = [titled(each, copy_of=("scripted", "o")) for each in "cd"]
    records = (said("1", "one", "c"), said("2", "one", "d"))
    lay_down(tmp_path, source, [Replace(conversations=(*told,), records=records)])
    archive.sync()

    assert planned(archive, "scripted:c") == {
        "scripted:c": Kinship.CHOSEN,
        "scripted:d": Kinship.COPY,
    }
    assert [*planned(archive, "scripted:c", family=False)] == ["scripted:c"]


def test_a_phrase_that_is_nowhere_chooses_nothing(archive: Archive) -> None:
    plan = archive.plan_forget(Selection(phrase="no such words"))

    assert (plan.conversations, plan.messages) == ((), 0)
    report = archive.forget(plan)
    assert (report.entry, report.conversations) == (None, 0)
    assert archive.forgotten() == ()


@pytest.mark.parametrize("chosen", [{}, {"phrase": " \n"}, {"phrase": ""}])
def test_who_chooses_by_nothing_is_told_so(
    archive: Archive, chosen: dict[str, Any]
) -> None:
    with pytest.raises(UsageError):
        archive.plan_forget(Selection(**chosen))


def test_a_key_that_is_not_recorded_is_an_error(archive: Archive) -> None:
    with pytest.raises(NotRecordedError, match="no conversation"):
        archive.plan_forget(Selection(keys=("claude_code:nowhere",)))


def test_a_key_that_was_forgotten_says_when(archive: Archive) -> None:
    forget(archive, KEY)

    with pytest.raises(NotRecordedError, match=r"forgotten already, on 20.*entry 1"):
        archive.plan_forget(Selection(keys=(KEY,)))


def test_without_an_archive_there_is_nothing_to_forget(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)

    with pytest.raises(ArchiveNotFoundError):
        archive.plan_forget(Selection(keys=(KEY,)))
    with pytest.raises(ArchiveNotFoundError):
        archive.undo_forget(1)
    assert archive.forgotten() == ()
    assert not archive_in(tmp_path).exists()


def test_an_entry_that_is_not_there_cannot_be_taken_back(archive: Archive) -> None:
    forget(archive, KEY)
    archive.undo_forget(1)

    for entry in (0, 1, 2):
        with pytest.raises(NotRecordedError):
            archive.undo_forget(entry)


def test_what_came_since_the_plan_goes_too(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("first"))
    archive = synced(tmp_path)
    plan = archive.plan_forget(Selection(keys=(KEY,)))
    put(claude_file(tmp_path), a_transcript("first", "second", "third"))
    archive.sync()

    assert archive.forget(plan).messages == 3
    assert archive.forget(plan).entry is None
