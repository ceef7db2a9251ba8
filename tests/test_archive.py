"""The front door: conversations that share messages, subagents, forks and tokens."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    codex_file,
    dump,
    found,
    put,
    rows,
    synced,
    texts,
)
from tests.ingest.histories import a_history
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

from quoth import Archive, open_archive
from quoth.errors import NotRecordedError, UnknownFormatError, UsageError
from quoth.model import Count, EmptyReason, Kind, Mode, Progress
from quoth.sources._jsonl import BATCH_RECORDS

COPY = "00000000-0000-4000-8000-0000000000bb"
AGENT = f"{SESSION}/subagents/agent-a1b2c3"


def spent(folder: Path) -> tuple[int, int]:
    (found_row,) = rows(archive_in(folder), "SELECT sum(input), sum(output) FROM usage")
    return found_row[0], found_row[1]


def tokens(sent: int, received: int) -> dict[str, int]:
    return {"input_tokens": sent, "output_tokens": received}


# A session that was resumed

OLD = claude.lines(
    claude.said("c1", "what is a capstan barnacle", timestamp="2026-05-01T10:00:00Z"),
    claude.answered(
        "c2",
        "A capstan barnacle is a rare snag.",
        usage=tokens(100, 50),
        timestamp="2026-05-01T10:01:00Z",
    ),
)
NEW = claude.lines(
    claude.said("c3", "and a windlass barnacle", timestamp="2026-05-01T11:00:00Z"),
    claude.answered(
        "c4",
        "The windlass kind is common.",
        usage=tokens(200, 60),
        timestamp="2026-05-01T11:01:00Z",
    ),
)


@pytest.fixture(params=["the original first", "the copy first", "at once"])
def resumed(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    """Return an archive of a session and the one it was resumed in."""
    files = {claude_file(tmp_path): OLD, claude_file(tmp_path, COPY): OLD + NEW}
    order = [*files] if request.param != "the copy first" else [*files][::-1]
    archive = an_archive(tmp_path)
    for path in order:
        put(path, files[path])
        if request.param != "at once":
            archive.sync()
    archive.sync()
    return archive


def test_a_message_in_two_sessions_is_found_once_in_the_original(
    resumed: Archive,
) -> None:
    (hit,) = resumed.search("capstan", mode=Mode.WORDS).hits

    assert (hit.conversation, hit.also_in) == (KEY, (f"claude_code:{COPY}",))


def test_tokens_in_two_sessions_are_counted_once(
    tmp_path: Path, resumed: Archive
) -> None:
    assert resumed.status().recorded == Count(conversations=2, messages=4)
    assert spent(tmp_path) == (300, 110)


def test_both_sessions_can_be_shown_whole(tmp_path: Path, resumed: Archive) -> None:
    assert [len(texts(resumed, KEY)), len(texts(resumed, f"claude_code:{COPY}"))] == [
        2,
        4,
    ]
    assert_consistent(archive_in(tmp_path))


def test_the_order_of_reading_does_not_matter(tmp_path: Path, resumed: Archive) -> None:
    synced(tmp_path, home=tmp_path / "fresh").close()

    assert resumed.status().recorded.messages == 4
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "fresh")


def test_an_original_that_goes_on_hands_its_messages_over_and_takes_them_back(
    tmp_path: Path, resumed: Archive
) -> None:
    """The session that ended first is the original, whatever was read when."""
    later = claude.said("c9", "one more thing", timestamp="2026-05-02T10:00:00Z")
    put(claude_file(tmp_path), OLD + claude.lines(later))
    resumed.sync()

    homes = rows(
        archive_in(tmp_path),
        "SELECT key FROM message JOIN conversation c ON c.id = home"
        " WHERE message.native_id = 'c1'",
    )

    assert homes == [(f"claude_code:{COPY}",)]
    assert_consistent(archive_in(tmp_path))


# Subagents and forks


@pytest.fixture(params=["the parent first", "the agent first"])
def with_agent(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    own = {"isSidechain": True, "agentId": "a1b2c3"}
    files = {
        claude_file(tmp_path): claude.lines(
            claude.said("p1", "please survey the moorline code"),
            claude.answered(
                "p2",
                claude.tool_use("Agent", prompt="survey"),
                usage=tokens(10, 20),
            ),
            claude.answered("p3", "It has two modules.", usage=tokens(1, 1)),
        ),
        claude_file(tmp_path, AGENT): claude.lines(
            claude.said("s1", "survey", **own),
            claude.answered(
                "s2", "Only I said brindlewick.", usage=tokens(100, 200), **own
            ),
        ),
    }
    archive = an_archive(tmp_path)
    for path in [*files][:: 1 if request.param == "the parent first" else -1]:
        put(path, files[path])
        archive.sync()
    return archive


def test_a_subagent_is_listed_under_its_parent(
    tmp_path: Path, with_agent: Archive
) -> None:
    shown = with_agent.show(KEY)

    assert (shown.title, shown.path, shown.subagents) == (
        "please survey the moorline code",
        claude_file(tmp_path),
        (f"{KEY}/agent-a1b2c3",),
    )
    assert with_agent.status().recorded.conversations == 1
    assert_consistent(archive_in(tmp_path))


def test_what_only_a_subagent_said_is_found_under_its_parent(
    with_agent: Archive,
) -> None:
    (hit,) = with_agent.search("brindlewick", mode=Mode.WORDS).hits

    assert (hit.conversation, hit.parent, hit.kind) == (
        f"{KEY}/agent-a1b2c3",
        KEY,
        Kind.SUBAGENT,
    )


def test_tokens_of_a_subagent_are_counted_once(
    tmp_path: Path, with_agent: Archive
) -> None:
    assert with_agent.status().recorded.messages == 5
    assert spent(tmp_path) == (111, 221)


def test_a_subagent_that_was_touched_leaves_its_parent_alone(
    tmp_path: Path, with_agent: Archive
) -> None:
    before = texts(with_agent, KEY)
    claude_file(tmp_path, AGENT).touch()

    with_agent.sync()

    assert texts(with_agent, KEY) == before


def test_a_fork_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)

    archive = synced(tmp_path)

    fork = "claude_code:00000000-0000-4000-8000-0000000000cc"
    (hit,) = archive.search("island", mode=Mode.WORDS).hits
    assert (hit.conversation, archive.show(fork).kind) == (fork, Kind.FORK)
    assert fork not in archive.show(KEY).subagents
    assert {
        source.source: (source.conversations, source.subagents)
        for source in archive.status().sources
    } == {"claude_code": (3, 1), "codex": (2, 0), "generic": (2, 0)}


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_a_subagent_of_a_subagent_is_listed_under_the_first_parent(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    threads = [f"019c0000-000{n}-7000-8000-000000000002" for n in range(3)]
    archive = an_archive(tmp_path)
    for n in order:
        spawned = {
            "source": {
                "subagent": {"thread_spawn": {"parent_thread_id": threads[n - 1]}}
            }
        }
        lines = [
            codex.meta(threads[n], **(spawned if n else {})),
            codex.typed(f"level {n}"),
            codex.said(f"answer {n}"),
        ]
        name = f"rollout-2026-05-01T10-00-0{n}-{threads[n]}.jsonl"
        put(codex_file(tmp_path, name), codex.lines_of(lines))
        archive.sync()

    assert archive.status().recorded == Count(conversations=1, messages=6)
    assert_consistent(archive_in(tmp_path))


def test_a_conversation_that_names_itself_as_its_parent_is_listed(
    tmp_path: Path,
) -> None:
    origin = {"forkedFrom": {"sessionId": SESSION}}
    put(claude_file(tmp_path), claude.lines(claude.said("u1", "ahoy", **origin)))

    archive = synced(tmp_path)

    assert archive.status().recorded == Count(conversations=1, messages=1)
    assert_consistent(archive_in(tmp_path))


# What an archive answers


def test_a_sync_says_what_it_changed(tmp_path: Path) -> None:
    path = put(claude_file(tmp_path), a_transcript("one question", "one answer"))
    archive = an_archive(tmp_path)
    first = archive.sync()
    put(path, a_transcript("one question", "another answer", "and more of it"))

    second = archive.sync()

    assert [
        (
            report.conversations_new,
            report.conversations_changed,
            report.messages_new,
            report.messages_superseded,
        )
        for report in (first, second, archive.sync())
    ] == [(1, 0, 2, 0), (0, 1, 2, 1), (0, 0, 0, 0)]


def test_a_conversation_that_only_got_a_title_has_changed(tmp_path: Path) -> None:
    content = a_transcript("one question", "one answer")
    path = put(claude_file(tmp_path), content)
    archive = an_archive(tmp_path)
    archive.sync()
    put(path, content + claude.lines({"type": "custom-title", "customTitle": "Tides"}))

    report = archive.sync()

    assert (report.conversations_changed, report.messages_new) == (1, 0)


def test_a_sync_that_has_no_time_left_stops_within_a_file(tmp_path: Path) -> None:
    turns = [f"turn {number}" for number in range(BATCH_RECORDS + 50)]
    put(claude_file(tmp_path), a_transcript(*turns))
    archive = an_archive(tmp_path)

    reports = [archive.sync(budget_s=0.0), archive.sync(), archive.sync()]

    assert [report.messages_new for report in reports] == [BATCH_RECORDS, 50, 0]


def test_progress_ends_where_it_said_it_would(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    told: list[Progress] = []

    an_archive(tmp_path).sync(progress=told.append)

    assert (told[-1].bytes, told[-1].units_total, told[-1].messages) == (
        told[-1].bytes_total,
        7,
        len(found_messages(tmp_path)),
    )


def found_messages(folder: Path) -> list[tuple[object, ...]]:
    return rows(archive_in(folder), "SELECT id FROM message WHERE noise IS NULL")


def test_the_same_text_is_embedded_once(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("the same long question", "an answer"))
    put(
        claude_file(tmp_path, COPY),
        a_transcript("the same long question", "an answer", ids="n"),
    )

    report = an_archive(tmp_path).sync()

    assert (report.messages_new, report.embedded, report.not_embedded) == (4, 1, 0)


def test_a_part_of_a_conversation_is_shown_around_a_message(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript(*(f"turn {n}" for n in range(1, 8))))
    archive = synced(tmp_path)

    shown = archive.show(KEY, seq=4, around=1)

    assert [message.seq for message in shown.messages] == [3, 4, 5]
    assert shown.messages_total == 7


def test_a_message_that_is_not_there_cannot_be_shown(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question"))

    with pytest.raises(NotRecordedError, match="has no message 9"):
        synced(tmp_path).show(KEY, seq=9)


def test_a_question_before_the_first_sync_says_that_nothing_is_recorded(
    tmp_path: Path,
) -> None:
    page = an_archive(tmp_path).search("anything")

    assert (page.hits, page.empty_reason) == ((), EmptyReason.NOTHING_RECORDED)


def test_a_status_before_the_first_sync_is_empty(tmp_path: Path) -> None:
    status = an_archive(tmp_path).status()

    assert (status.exists, status.recorded) == (False, Count())


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing at"):
        an_archive(tmp_path).sync([tmp_path / "nowhere"])


def test_a_file_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "numbers.json", b"[1, 2, 3]")

    with pytest.raises(UnknownFormatError):
        an_archive(tmp_path).sync([path])


def test_a_named_folder_is_read_by_whoever_knows_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    put(folder / f"{SESSION}.jsonl", a_transcript("ahoy claude"))
    put(folder / codex.NAME, codex.lines_of([codex.meta(), codex.typed("ahoy codex")]))
    put(folder / "talk.jsonl", b'{"role": "user", "content": "ahoy anybody"}\n')
    put(folder / "numbers.json", b"[1, 2, 3]")
    archive = an_archive(tmp_path)

    report = archive.sync([folder])

    assert found(archive, "ahoy") == ["ahoy anybody", "ahoy claude", "ahoy codex"]
    assert report.unrecognised == (folder / "numbers.json",)


def test_an_archive_can_be_used_again_after_it_was_closed(tmp_path: Path) -> None:
    put(claude_file(tmp_path), a_transcript("a question"))
    archive = synced(tmp_path)

    archive.close()

    assert texts(archive) == ["a question"]


def test_places_are_where_the_assistants_keep_their_history(tmp_path: Path) -> None:
    config = tmp_path / "config"
    path = config / "projects" / "-home" / f"{SESSION}.jsonl"
    put(path, a_transcript("kept elsewhere"))
    environ = {
        "CLAUDE_CONFIG_DIR": str(config),
        "CODEX_HOME": str(tmp_path / "codex"),
        "GEMINI_CLI_HOME": str(tmp_path / "gemini"),
    }

    with open_archive(tmp_path / "data", environ=environ) as archive:
        report = archive.sync()

    assert report.places == (
        config / "projects",
        config / "history.jsonl",
        tmp_path / "codex" / "sessions",
        tmp_path / "codex" / "archived_sessions",
        tmp_path / "gemini" / ".gemini" / "tmp",
    )
    assert report.messages_new == 1
