"""The settings that say what turns text into vectors, read and written together."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.config import CONFIG_FILE, load_settings, set_embedder
from quoth.errors import SettingError
from quoth.model import EmbedderChoice, EmbedderKind

NOMIC = EmbedderChoice(
    kind=EmbedderKind.OLLAMA,
    model="nomic-embed-text",
    endpoint="http://127.0.0.1:11434",
    query_prefix="",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "quoth"
    folder.mkdir(mode=0o700)
    return folder


def chosen(home: Path) -> EmbedderChoice:
    environ = {"QUOTH_HOME": str(home)}
    return load_settings(environ, home_dir=home.parent).embedding


def write(home: Path, text: str) -> None:
    (home / CONFIG_FILE).write_text(text, encoding="utf-8")


def test_without_a_word_it_is_the_table_that_comes_with_quoth(home: Path) -> None:
    assert chosen(home) == EmbedderChoice()


@pytest.mark.parametrize(
    "choice",
    [EmbedderChoice(), EmbedderChoice(kind=EmbedderKind.MINILM), NOMIC],
    ids=lambda choice: choice.name,
)
def test_what_is_written_is_read(home: Path, choice: EmbedderChoice) -> None:
    set_embedder(home, NOMIC, home_dir=home.parent)

    set_embedder(home, choice, home_dir=home.parent)

    assert chosen(home) == choice


def test_what_else_stands_in_the_file_stays(home: Path) -> None:
    write(home, "# mine\nsync_before_search = false\n")

    set_embedder(home, NOMIC, home_dir=home.parent)
    set_embedder(home, EmbedderChoice(), home_dir=home.parent)

    text = (home / CONFIG_FILE).read_text(encoding="utf-8")
    assert text.startswith("# mine\nsync_before_search = false\n")
    assert "ollama" not in text


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('embedder = "hash"', "must be one of static, minilm, ollama, openai"),
        ('embedder = "Ollama"', "must be one of"),
        ("embedder = 1", "must be one of"),
        ("model = 1", "must be a text in quotes"),
        (f'model = "{"m" * 1001}"', "is longer than 1000 characters"),
        ('endpoint = "http://192.0.2.1:11434"', "must be an address of this machine"),
        ('endpoint = "https://user:hunter2@localhost"', "must be an address of this"),
        ('endpiont = ""', "unknown setting"),
    ],
)
def test_what_can_not_be_is_said(home: Path, line: str, complaint: str) -> None:
    write(home, f"[embedding]\n{line}\n")

    with pytest.raises(SettingError, match=complaint) as caught:
        chosen(home)

    assert "hunter2" not in str(caught.value)


def test_a_bad_endpoint_is_not_written(home: Path) -> None:
    choice = EmbedderChoice(kind=EmbedderKind.OPENAI, endpoint="http://example.org")

    with pytest.raises(SettingError):
        set_embedder(home, choice, home_dir=home.parent)

    assert not (home / CONFIG_FILE).exists()
