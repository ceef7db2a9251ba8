"""Further places of a source, beside those where the assistant keeps its history."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.archive import open_archive
from quoth.errors import UnknownSourceError


def a_conversation(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True)
    file.write_text(f'{{"role": "user", "content": "{text}"}}\n', encoding="utf-8")
    return file


def test_they_are_read_after_the_usual_ones(tmp_path: Path) -> None:
    usual = a_conversation(tmp_path / "usual" / "a.jsonl", "Where is the harbor?")
    further = a_conversation(tmp_path / "further" / "b.jsonl", "Who owns the harbor?")

    with open_archive(
        tmp_path / "home",
        roots={"generic": [usual.parent]},
        extra_roots={"generic": [further]},
    ) as archive:
        report = archive.sync()

    assert report.places == (usual.parent, further)
    assert report.messages_new == 2


def test_they_do_not_replace_the_default_places(tmp_path: Path) -> None:
    usual = tmp_path / "codex" / "sessions"
    further = a_conversation(tmp_path / "further" / "b.jsonl", "Who owns the harbor?")
    usual.mkdir(parents=True)

    with open_archive(
        tmp_path / "home",
        extra_roots={"generic": [further]},
        environ={
            "CODEX_HOME": str(usual.parent),
            "CLAUDE_CONFIG_DIR": str(tmp_path),
            "GEMINI_CLI_HOME": str(tmp_path),
        },
    ) as archive:
        places = archive.sync().places

    assert {usual, further} <= set(places)


def test_a_source_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownSourceError) as caught:
        open_archive(tmp_path, roots={}, extra_roots={"codx": [tmp_path]})

    assert str(caught.value) == (
        "There is no source codx, which the setting paths.codx is for."
    )
    assert (caught.value.hint or "").startswith("Did you mean paths.codex? Sources: ")


def test_a_place_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    with open_archive(
        tmp_path / "home", roots={}, extra_roots={"generic": [tmp_path / "none"]}
    ) as archive:
        report = archive.sync()

    assert (report.failed, report.unavailable) == ((), ())
