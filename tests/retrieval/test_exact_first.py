"""What was asked for exactly comes before what is only like it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.retrieval.builders import a_talk, sessions, write

from quoth import Archive
from quoth.embedding import DefaultEmbedder
from quoth.model import Mode

LONG = (
    "After a long discussion about the release, the locks and who is on call we agreed"
    " that the settings are saved by {} from now on, and that nothing else may touch"
    " the folder while the migration of the old files is running in the background."
)


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Archive]:
    def make(*texts: str) -> Archive:
        write(tmp_path, *(a_talk(f"s{n}", text) for n, text in enumerate(texts)))
        archive = Archive(
            tmp_path / "home",
            roots={"generic": [tmp_path / "plain"]},
            embedder=DefaultEmbedder(),
        )
        archive.sync()
        return archive

    return make


@pytest.mark.parametrize("mode", [Mode.WORDS, Mode.BOTH])
@pytest.mark.parametrize(
    ("asked", "alike"),
    [
        ("atomic_write_json", "we write json in an atomic way"),
        ("agentic-os", "agentic only text here"),
        ("src/store/main.py", "the main file of the store is in src"),
    ],
)
def test_an_identifier_comes_before_a_sentence_of_its_parts(
    made: Callable[..., Archive], mode: Mode, asked: str, alike: str
) -> None:
    archive = made(alike, LONG.format(asked))

    assert sessions(archive.search(asked, mode=mode))[0] == "s1"


def test_a_message_with_every_word_comes_before_a_short_one_with_some(
    made: Callable[..., Archive],
) -> None:
    archive = made("error in payments", LONG.format("payments after the error E4017"))

    page = archive.search("E4017 error payments", mode=Mode.WORDS)

    assert sessions(page) == ["s1", "s0"]
