"""Codex: titles that stand in the index beside the rollouts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.sources.codex_records import (
    NAME,
    PARENT,
    THREAD,
    continued,
    event,
    lines_of,
    meta,
    read,
    typed,
)

from quoth.model import Conversation, TitleOrigin
from quoth.sources import _codex_index
from quoth.sources.codex import Codex


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "sessions" / "2026" / "05" / "01").mkdir(parents=True)
    (tmp_path / "archived_sessions").mkdir()
    return tmp_path


def index(home: Path, *entries: Mapping[str, Any]) -> None:
    (home / "session_index.jsonl").write_bytes(lines_of(entries))


def named(name: object, thread: str = THREAD) -> dict[str, Any]:
    return {"id": thread, "thread_name": name, "updated_at": "2026-05-01T10:00:00Z"}


def conversation(
    home: Path,
    *more: Mapping[str, Any],
    name: str = f"sessions/2026/05/01/{NAME}",
    by: Codex | None = None,
) -> Conversation:
    path = home / name
    path.write_bytes(lines_of([meta(), typed("splice the rope"), *more]))
    return read(path, by=by or Codex()).conversation


@pytest.mark.parametrize(
    "name",
    [
        f"sessions/2026/05/01/{NAME}",
        f"sessions/{NAME}",
        f"archived_sessions/{NAME}",
        f"archived_sessions/{continued(PARENT)}",
    ],
)
def test_a_title_in_the_index_goes_before_the_first_prompt(
    home: Path, name: str
) -> None:
    index(home, named("Other", PARENT), named("Rope work"))

    told = conversation(home, name=name)

    assert (told.title, told.title_origin) == ("Rope work", TitleOrigin.MODEL)


def test_of_several_titles_of_a_thread_the_last_counts(home: Path) -> None:
    index(home, named("Rope"), named("Rope work"))

    assert conversation(home).title == "Rope work"


def test_a_title_in_the_rollout_goes_before_the_index(home: Path) -> None:
    index(home, named("Rope work"))
    renamed = event("thread_name_updated", thread_id=THREAD, thread_name="Splicing")

    assert conversation(home, renamed).title == "Splicing"


def test_a_title_taken_off_the_index_again_is_none(home: Path) -> None:
    index(home, named("Rope work"), named(""))

    assert conversation(home).title == "splice the rope"


def test_a_title_of_the_index_is_one_short_line_without_secrets(home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    index(home, named(f"Rope\n{secret} " + "and more " * 50))

    title = conversation(home).title or ""

    assert title.startswith("Rope [REDACTED:")
    assert len(title) <= 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no json\n\xff\n",
        b"[1]\n",
        json.dumps(named(7)).encode(),
        json.dumps({"thread_name": "of no thread"}).encode(),
        b'{"id":["a"],"thread_name":"x"}',
    ],
)
def test_an_index_that_says_nothing_of_use_costs_nothing(
    home: Path, content: bytes
) -> None:
    (home / "session_index.jsonl").write_bytes(content)

    assert conversation(home).title == "splice the rope"


def test_a_bad_line_in_the_index_costs_that_line(home: Path) -> None:
    content = b"\xff{\n" + lines_of([named("Rope work")])
    (home / "session_index.jsonl").write_bytes(content)

    assert conversation(home).title == "Rope work"


def test_an_index_that_is_no_file_costs_nothing(home: Path) -> None:
    (home / "session_index.jsonl").mkdir()

    assert conversation(home).title == "splice the rope"


def test_an_index_names_the_threads_of_several_rollouts(home: Path) -> None:
    source = Codex()
    index(home, named("Rope work"), named("Sail work", PARENT))
    other = NAME.replace(THREAD, PARENT)
    (home / "sessions" / other).write_bytes(lines_of([meta(PARENT), typed("sew")]))

    first = conversation(home, by=source)
    second = read(home / "sessions" / other, by=source).conversation

    assert [first.title, second.title] == ["Rope work", "Sail work"]


def test_an_index_is_read_again_when_it_has_changed(home: Path) -> None:
    source = Codex()
    index(home, named("Rope work"))
    before = conversation(home, by=source)
    index(home, named("Rope work, in the end"))

    after = conversation(home, by=source)

    assert [before.title, after.title] == ["Rope work", "Rope work, in the end"]


def test_of_a_very_large_index_only_the_start_is_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_codex_index, "_LARGEST", 100)
    index(home, *[named("Other", PARENT)] * 2, named("Rope work"))

    assert conversation(home).title == "splice the rope"


def test_a_rollout_that_lies_elsewhere_has_no_index(home: Path) -> None:
    index(home, named("Rope work"))

    assert conversation(home, name=NAME).title == "splice the rope"
