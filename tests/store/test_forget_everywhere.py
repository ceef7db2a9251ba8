"""Forgetting reaches every file beside the tables, and takes nothing else along."""

from __future__ import annotations

import json
import resource
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    change,
    claude_file,
    dump,
    found,
    later,
    put,
    rows,
    synced,
)
from tests.ingest.forgetting import CANARY, forget, left_of, of_source, said, titled
from tests.ingest.scripted import Scripted, lay_down

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import ArchiveDamagedError
from quoth.model import (
    FileTouch,
    Message,
    Mode,
    Replace,
    Role,
    Selection,
    ToolCall,
    ToolResult,
    Touch,
    Usage,
)
from quoth.store import DATABASE, FlatVectors
from quoth.store._lock import hold
from quoth.store._writer import SYNC_LOCK

OTHER = "claude_code:00000000-0000-4000-8000-0000000000ee"
LONG = f"what the {CANARY} eats is a question for somebody else entirely"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive of two conversations that say one thing both."""
    put(claude_file(tmp_path), a_transcript("shared by both of them", LONG))
    put(
        claude_file(tmp_path, OTHER.partition(":")[2]),
        a_transcript(
            "shared by both of them", "only one conversation says this", ids="o"
        ),
    )
    return synced(tmp_path)


def flat_copy(archive: Archive) -> Path:
    (path,) = archive.home.glob("vectors/*/all.vec")
    return path


def test_vectors_go_unless_another_message_has_their_text(archive: Archive) -> None:
    def texts_with_vectors() -> int:
        return len(rows(archive.home, "SELECT DISTINCT text_hash FROM embedding"))

    assert texts_with_vectors() == 3

    forget(archive, KEY)

    assert texts_with_vectors() == 2
    assert_consistent(archive.home)


def test_the_flat_copy_goes_and_is_written_anew(archive: Archive) -> None:
    before = FlatVectors.open(flat_copy(archive))
    assert before is not None
    assert before.count == 3

    forget(archive, KEY)
    assert [*archive.home.glob("vectors/*/*")] == []
    archive.sync()

    after = FlatVectors.open(flat_copy(archive))
    assert after is not None
    assert after.count == 2
    assert after.generation > before.generation


@pytest.mark.parametrize("a_sync_runs", [False, True])
def test_what_a_killed_sync_left_of_it_goes_too(
    archive: Archive, a_sync_runs: bool
) -> None:
    left = flat_copy(archive).with_name(".all.vec.0123456789abcdef.new")
    put(left, b"half a copy").chmod(0o600)

    if a_sync_runs:  # then it may be that one's
        with hold(archive.home / SYNC_LOCK, wait_s=0.0):
            forget(archive, KEY)
    else:
        forget(archive, KEY)

    assert left.exists() == a_sync_runs
    assert flat_copy_is_gone(archive)


def flat_copy_is_gone(archive: Archive) -> bool:
    return [*archive.home.glob("vectors/*/all.vec")] == []


def test_the_database_is_written_anew(archive: Archive) -> None:
    """A page that was split once may hold what stood there before it was."""
    forget(archive, KEY)

    assert rows(archive.home, "PRAGMA freelist_count") == [(0,)]


def test_searches_go_on_without_it(archive: Archive) -> None:
    archive.search("question", mode=Mode.MEANING)

    forget(archive, KEY)

    for mode in Mode:
        page = archive.search(f"shared {CANARY}", mode=mode)
        assert {hit.conversation for hit in page.hits} == {OTHER}
        assert page.recorded.conversations == 1


def test_last_pages_lose_the_hits_that_are_gone(archive: Archive) -> None:
    page = put(archive.home / "pages" / "a", f"1 {KEY}#1\n2 {OTHER}#2\n?\n".encode())
    gone = put(archive.home / "pages" / "b", f"1 {KEY}#2\n".encode())

    forget(archive, KEY)

    assert page.read_text() == f"2 {OTHER}#2\n"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert not gone.exists()


def test_a_page_that_is_a_link_goes_and_not_what_it_names(
    archive: Archive, tmp_path: Path
) -> None:
    target = put(tmp_path / "elsewhere", f"1 {KEY}#1\n".encode())
    page = archive.home / "pages" / "a"
    page.parent.mkdir()
    page.symlink_to(target)
    kept = put(archive.home / "pages" / "b", f"1 {OTHER}#2\n".encode())

    forget(archive, KEY)

    assert not page.is_symlink()
    assert target.read_text() == f"1 {KEY}#1\n"
    assert kept.exists()


def test_nothing_it_used_is_left_in_any_table(tmp_path: Path) -> None:
    source = Scripted()
    archive = of_source(tmp_path, source)
    touch = FileTouch(path=f"{CANARY}/a", action=Touch.READ)
    call = ToolCall(
        call_id="1", name=CANARY, input=CANARY, command=CANARY, touches=(touch,)
    )
    answer = Message(
        conversation="c",
        native_id="2",
        role=Role.TOOL,
        text="",
        results=(ToolResult(call_id="1", output=CANARY),),
    )
    asked = said(
        "1",
        CANARY,
        calls=(call,),
        reasoning=CANARY,
        cwd=f"/home/{CANARY}",
        model=CANARY,
        branch=CANARY,
        author=CANARY,
    )
    told = titled("c", CANARY, cwd=f"/home/{CANARY}", repo=CANARY, branch=CANARY)
    usage = Usage(conversation="c", call_id=CANARY, message="1", model=CANARY)
    batch = Replace(
        conversations=(told,),
        records=(asked, answer),
        usage=(usage,),
        ignored={CANARY: 1},
    )
    lay_down(tmp_path, source, [batch], name=f"{CANARY}.md")
    archive.sync()

    forget(archive, "scripted:c")

    archive.close()
    assert left_of(archive.home) == []
    empty = (
        *("conversation", "message", "body", "member", "told", "context"),
        *("tool_call", "file_touch", "usage", "source_file", "ignored_record"),
    )
    assert {
        table: rows(archive.home, f"SELECT * FROM {table}")  # noqa: S608
        for table in empty
    } == {table: [] for table in empty}


def test_an_answer_goes_from_the_call_that_stays(tmp_path: Path) -> None:
    """A call that a copy holds too was answered in one of them only."""
    source = Scripted()
    archive = of_source(tmp_path, source)
    call = ToolCall(call_id="1", name="look")
    answer = Message(
        conversation="c",
        native_id="2",
        role=Role.TOOL,
        text="it said so",
        results=(ToolResult(call_id="1", output=CANARY, size=9, exit_code=1),),
    )
    for name, conversation, more in (("one", "c", (answer,)), ("two", "d", ())):
        asked = said("1", "look it up", conversation, calls=(call,))
        lay_down(tmp_path, source, [Replace(records=(asked, *more))], name=name)
    archive.sync()

    forget(archive, "scripted:c", family=False)

    archive.close()
    assert left_of(archive.home) == []
    assert rows(
        archive.home, "SELECT name, output, output_size, exit_code FROM tool_call"
    ) == [("look", None, None, None)]
    assert_consistent(archive.home)


def test_a_copy_that_stays_speaks_for_itself(tmp_path: Path) -> None:
    """While its original was recorded, it was superseded."""
    listed = {"display": "kept", "timestamp": 1_770_000_000_000, "sessionId": KEY[-36:]}
    put(claude_file(tmp_path), a_transcript("kept", "and more"))
    archive = Archive(
        archive_in(tmp_path),
        roots={
            "claude_code": [tmp_path / "projects"],
            "claude_prompts": [
                put(tmp_path / "a" / "history.jsonl", json.dumps(listed).encode())
            ],
        },
        embedder=HashEmbedder(),
        clock=later,
    )
    archive.sync()

    forget(archive, KEY, family=False)
    archive.sync()

    assert found(archive, "kept") == ["kept"]
    assert_consistent(archive.home)


def test_forgetting_all_leaves_an_archive_as_good_as_new(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("one", "two"))
    archive = synced(tmp_path)
    forget(archive, KEY)
    archive.sync()
    empty = an_archive(tmp_path / "empty")
    empty.sync()

    assert dump(archive.home) == dump(empty.home)
    assert_consistent(archive.home)


def test_on_a_full_disk_all_but_the_last_traces_goes(
    tmp_path: Path, largest_file: Callable[[int], None]
) -> None:
    """No room to write the database anew: that is left for a sync, and said."""
    put(claude_file(tmp_path), a_transcript(f"a {CANARY} of a hundred"))
    many = (f"number {number} of many " * 40 for number in range(800))
    put(claude_file(tmp_path, OTHER[-36:]), a_transcript(*many, ids="o"))
    archive = synced(tmp_path)
    archive.close()
    plan = archive.plan_forget(Selection(keys=(KEY,)))
    largest_file((archive.home / DATABASE).stat().st_size + 4096)

    report = archive.forget(plan)

    assert report.remains
    assert found(archive, CANARY) == []
    largest_file(resource.RLIM_INFINITY)
    archive.sync()
    assert rows(archive.home, "SELECT value FROM meta WHERE key = 'scrub'") == [(0,)]
    assert_consistent(archive.home)


def test_an_index_that_cannot_be_merged_is_damaged(archive: Archive) -> None:
    archive.close()
    change(
        archive.home,
        "INSERT INTO meta (key, value) VALUES ('scrub', 4)",
        "DROP TABLE titles",
    )

    with pytest.raises(ArchiveDamagedError):
        archive.sync()


@pytest.fixture
def largest_file() -> Iterator[Callable[[int], None]]:
    """Return a function that sets how large a file this process may make."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
