"""What was forgotten stays out, whatever file it comes back in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    a_transcript,
    assert_consistent,
    claude_file,
    dump,
    found,
    plain_file,
    put,
    synced,
    texts,
)
from tests.ingest.forgetting import (
    CANARY,
    SAID,
    a_forgetful_archive,
    a_secret,
    another,
    assert_gone,
    forget,
    left_of,
    recorded,
)
from tests.ingest.histories import CHILD, RESUMED, SUBAGENT, THREAD, a_history
from tests.sources import claude_records as claude

from quoth import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive in which one conversation of two was forgotten."""
    return a_forgetful_archive(tmp_path)


def test_a_forgotten_conversation_is_in_no_byte_of_the_data_folder(
    archive: Archive,
) -> None:
    assert_gone(archive)
    assert found(archive, "work") == ["other work stays"]


def test_a_sync_does_not_open_its_unchanged_file(archive: Archive) -> None:
    report = archive.sync()

    assert (report.units, report.units_read, report.units_kept_out) == (2, 0, 1)
    assert archive.status().freshness.changed_files == 0
    assert_gone(archive)


def test_its_file_may_grow(archive: Archive, tmp_path: Path) -> None:
    a_secret(tmp_path, f"And more of {CANARY}", "As you wish")

    report = archive.sync()

    assert (report.units_read, report.kept_out) == (1, 4)
    assert archive.sync().units_read == 0
    assert_gone(archive)


def test_its_file_may_move(archive: Archive, tmp_path: Path) -> None:
    file = claude_file(tmp_path)
    file.rename(claude_file(tmp_path, "moved"))

    assert archive.sync().kept_out == 2
    assert_gone(archive)


def test_a_resumed_copy_in_a_second_file_brings_only_what_is_new(
    archive: Archive, tmp_path: Path
) -> None:
    own = {"sessionId": RESUMED}
    put(
        claude_file(tmp_path, RESUMED),
        claude.lines(
            claude.said("m1", SAID, **own),
            claude.answered("m2", f"{CANARY} it is then.", parentUuid="m1", **own),
            {"type": "ai-title", "aiTitle": f"All of {CANARY}", **own},
            claude.said("n3", "A new question", parentUuid="m2", **own),
        ),
    )

    report = archive.sync()

    assert report.kept_out == 2
    assert texts(archive, f"claude_code:{RESUMED}") == ["A new question"]
    assert archive.show(f"claude_code:{RESUMED}").title is None
    assert_gone(archive)


def test_the_same_words_under_other_ids_stay_out(
    archive: Archive, tmp_path: Path
) -> None:
    lines = f'{{"role": "user", "content": "{SAID}"}}\n'
    put(plain_file(tmp_path), lines.encode())

    assert archive.sync().kept_out == 1
    assert archive.sync().units_read == 0
    assert_gone(archive)


def test_short_words_may_be_said_again(archive: Archive, tmp_path: Path) -> None:
    lines = '{"role": "user", "content": "thanks"}\n'
    put(plain_file(tmp_path), lines.encode())

    assert archive.sync().messages_new == 1


def test_words_that_another_conversation_says_too_may_come_again(
    tmp_path: Path,
) -> None:
    often = "run the tests of the harbour and tell me what fails"
    put(claude_file(tmp_path), a_transcript(often))
    another(tmp_path, often)
    archive = synced(tmp_path)
    forget(archive, KEY)

    another(tmp_path, often, name=RESUMED)

    assert archive.sync().kept_out == 0
    assert found(archive, "harbour") == [often, often]


def test_the_subagents_of_a_forgotten_conversation_stay_out(tmp_path: Path) -> None:
    history = a_history(tmp_path)
    agent = claude_file(tmp_path, SUBAGENT)
    for path, content in history.items():
        if path != agent:
            put(path, content)
    archive = synced(tmp_path)
    forget(archive, KEY)
    archive.sync()

    put(agent, history[agent])
    assert archive.sync().kept_out == 2

    put(agent, history[agent] + history[agent].replace(b'"s', b'"t'))
    assert archive.sync().kept_out == 4
    assert left_of(archive.home, "brindlewick") == []
    assert_consistent(archive.home)


def test_the_whole_family_goes(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)

    report = forget(archive, KEY)

    assert report.conversations == 4
    assert recorded(archive) == [
        f"codex:{THREAD}",
        f"codex:{CHILD}",
        "generic:one",
        "generic:two",
    ]
    assert archive.sync().units_read == 0
    assert left_of(archive.home, "almanac") == []
    assert_consistent(archive.home)


def test_what_stays_keeps_what_it_shares(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)
    resumed = f"claude_code:{RESUMED}"
    before = texts(archive, resumed)

    forget(archive, KEY, family=False)

    assert_consistent(archive.home)
    assert texts(archive, resumed) == before
    assert KEY not in recorded(archive)
    archive.sync()
    assert texts(archive, resumed) == before
    assert left_of(archive.home, "southern") == []
    assert_consistent(archive.home)


def test_every_other_conversation_is_as_it_would_be_without_it(
    tmp_path: Path,
) -> None:
    history = a_history(tmp_path)
    for path, content in history.items():
        put(path, content)
    archive = synced(tmp_path)
    forget(archive, KEY)
    archive.close()
    for path in history:
        if "projects" in path.parts:
            path.unlink()

    synced(tmp_path, home=tmp_path / "without").close()

    assert dump(archive.home) == dump(tmp_path / "without")


def test_a_file_with_many_conversations_loses_one_of_them(tmp_path: Path) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)
    forget(archive, "generic:one")
    kept = texts(archive, "generic:two")

    with plain_file(tmp_path).open("ab") as file:
        file.write(
            b'{"role": "user", "content": "One more.", "session_id": "two"}\n'
            b'{"role": "user", "content": "bowline again", "session_id": "one"}\n'
        )
    report = archive.sync()

    assert report.kept_out == 5
    assert texts(archive, "generic:two") == [*kept, "One more."]
    assert left_of(archive.home, "bowline") == []
    assert_consistent(archive.home)


@pytest.mark.parametrize("key", [KEY, f"claude_code:{RESUMED}", f"codex:{THREAD}"])
@pytest.mark.parametrize("family", [True, False])
def test_what_is_forgotten_before_it_is_read_comes_to_the_same(
    tmp_path: Path, key: str, family: bool
) -> None:
    for path, content in a_history(tmp_path).items():
        put(path, content)
    archive = synced(tmp_path)
    forget(archive, key, family=family)
    archive.sync()
    archive.close()

    content = (archive.home / "forgotten").read_bytes()
    (tmp_path / "anew").mkdir(mode=0o700)
    put(tmp_path / "anew" / "forgotten", content).chmod(0o600)
    synced(tmp_path, home=tmp_path / "anew").close()

    assert dump(tmp_path / "anew") == dump(archive.home)
    assert_consistent(tmp_path / "anew")
