"""Where the settings come from, and what is said about a bad one."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest
from platformdirs import user_data_path

from quoth.config import CONFIG_FILE, Settings, load_settings
from quoth.errors import SettingError

DOCS = Path(__file__).resolve().parents[1] / "docs"
WRITTEN_AS = {"home": "QUOTH_HOME"}
SETTINGS = [WRITTEN_AS.get(field.name, field.name) for field in fields(Settings)]


def loaded(home: Path, text: str | bytes | None = None) -> Settings:
    if text is not None:
        content = text.encode() if isinstance(text, str) else text
        (home / CONFIG_FILE).write_bytes(content)
    return load_settings({"QUOTH_HOME": str(home)}, home_dir=home)


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert loaded(tmp_path) == Settings(home=tmp_path, sync_before_search=True)


def test_the_file_is_read_from_quoths_own_folder(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "sync_before_search = false\n")

    assert settings == Settings(home=tmp_path, sync_before_search=False)


def test_without_quoth_home_it_is_the_platforms_data_folder(tmp_path: Path) -> None:
    settings = load_settings({"QUOTH_HOME": ""}, home_dir=tmp_path)

    assert settings.home == user_data_path("quoth")


@pytest.mark.parametrize(("given", "home"), [("~", "."), ("~/notes", "notes")])
def test_a_tilde_is_the_persons_folder(tmp_path: Path, given: str, home: str) -> None:
    settings = load_settings({"QUOTH_HOME": given}, home_dir=tmp_path)

    assert settings.home == tmp_path / home


def test_a_relative_folder_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    settings = load_settings({"QUOTH_HOME": "here"}, home_dir=tmp_path)

    assert settings.home == tmp_path / "here"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("sync_befor_search = true", "has an unknown setting: sync_befor_search."),
        ("sync_before_search = 'no'", "must be true or false."),
        ("sync_before_search = 0", "must be true or false."),
        ("= 1", "is not valid TOML"),
        (b"\xff", "cannot be read: it is not UTF-8."),
        ("a = [" + "[" * 9000, "is not valid TOML"),
        ("'ghp secret' = true", "has an unknown setting: one with an unusual name."),
        ("#" * 64_001, "cannot be read: it is larger than 64 kB."),
    ],
)
def test_a_bad_setting_is_named_with_its_file(
    tmp_path: Path, text: str | bytes, complaint: str
) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, text)

    assert complaint in str(caught.value)
    assert str(tmp_path / CONFIG_FILE) in str(caught.value)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).mkdir()

    with pytest.raises(SettingError, match="cannot be read: it is no regular file"):
        loaded(tmp_path)


def test_what_stands_in_the_file_is_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, "[ghp_secret]\n[ghp_secret]\n")

    assert str(caught.value).endswith("is not valid TOML (at line 2, column 12).")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("sync_before_search = false")
    (tmp_path / CONFIG_FILE).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(SettingError, match="cannot be read"):
        loaded(tmp_path)


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / CONFIG_FILE)

    with pytest.raises(SettingError, match="it is no regular file"):
        loaded(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).touch()
    os.chown(tmp_path / CONFIG_FILE, 65534, 65534)

    with pytest.raises(SettingError, match="it is another user's"):
        loaded(tmp_path)


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_is_documented(setting: str) -> None:
    assert f"`{setting}`" in (DOCS / "settings.md").read_text(encoding="utf-8")
