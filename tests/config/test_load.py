"""Where the settings come from, and what is said about a bad one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from platformdirs import user_data_path

from quoth.config import CONFIG_FILE, Settings, chosen_settings, load_settings
from quoth.errors import SettingError, UnknownSourceError
from quoth.model import NeverIndex


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


def test_further_places_are_those_of_each_source(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        "[paths]\ncodex = ['/mnt/old', '~/b', '~', '/mnt/old/']\nclaude_code = []\n",
    )

    assert settings.paths == {
        "codex": (Path("/mnt/old"), tmp_path / "b", tmp_path),
        "claude_code": (),
    }


def test_a_table_without_entries_says_nothing(tmp_path: Path) -> None:
    assert loaded(tmp_path, "[paths]\n") == Settings(home=tmp_path)


def test_what_stays_out_is_read_from_its_table(tmp_path: Path) -> None:
    home = tmp_path / "[ada]"
    home.mkdir()

    settings = loaded(
        home,
        "[never_index]\npaths = ['/srv/*/law', '~/law*', '*/law/*']\n"
        "repositories = ['harbor', 'harbor']\nmarkers = ['#private']\n",
    )

    assert settings.never_index == NeverIndex(
        paths=("/srv/*/law", f"{tmp_path}/[[]ada]/law*", "*/law/*"),
        repositories=("harbor",),
        markers=("#private",),
    )


def test_the_persons_own_patterns_are_read_by_name(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "[redact]\nacme_key = 'ACME-[A-Z0-9]{20,40}'\n")

    assert settings.patterns == {"acme_key": "ACME-[A-Z0-9]{20,40}"}


def test_a_rule_of_quoths_own_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, "redact.github_token = 'ghx_[a-z]{20}'")

    assert str(caught.value) == (
        "github_token is a rule of quoth's own, which no setting can change."
    )


def test_each_rule_that_is_written_is_a_setting(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text("redact.acme = 'ACME-[0-9]{9}'")

    *_, last = chosen_settings(
        {"QUOTH_HOME": str(tmp_path)}, home_dir=tmp_path, sources=[]
    )

    assert (last.setting.name, last.value, last.default) == (
        "redact.acme",
        "ACME-[0-9]{9}",
        "",
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("sync_befor_search = true", "Did you mean sync_before_search?"),
        ("path.codex = []", "Did you mean paths.codex?"),
        ("pahts = {}", "Did you mean paths.<source>?"),
        ("colour = true", "Settings: home, sync_before_search, paths.<source>, "),
        ("never_idex.path = []", "Did you mean never_index.paths?"),
        ("never_index.marks = []", "Did you mean never_index.markers?"),
        ("redacts.acme = ''", "Did you mean redact.acme?"),
    ],
)
def test_for_a_slip_of_the_pen_there_is_a_suggestion(
    tmp_path: Path, text: str, meant: str
) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, text)

    assert (caught.value.hint or "").startswith(meant)


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
        ("home = '/tmp'", "home cannot stand in"),
        ("paths = []", "has an unknown setting: paths."),
        ("[pathz]", "has an unknown setting: pathz."),
        ("[sync_before_search]\nx = 1", "unknown setting: sync_before_search.x."),
        ("'paths.codex' = []", "has an unknown setting: one with an unusual name."),
        ("paths.Codex = []", "has an unknown setting: paths.Codex."),
        ("paths.codex = '/a'", "must be a list of paths."),
        ("paths.codex = [1]", "must be a list of paths."),
        ("paths.codex = ['a/b']", "needs paths that begin with / or ~/."),
        ("paths.codex = ['~ada/b']", "needs paths that begin with / or ~/."),
        ("paths.codex = ['/a/../b']", "needs paths without .."),
        ('paths.codex = ["/a\\u0000"]', "has a path that cannot be written down."),
        (f"paths.codex = {['/a'] * 101}", "has more than 100 paths."),
        ("never_index.paths = '/a'", "must be a list of paths."),
        ("never_index.paths = ['a']", "needs paths that begin with /, ~/ or *."),
        ("never_index.paths = ['/**']", "needs paths with more than wildcards"),
        ("never_index.repositories = ['a']", "needs names of at least 2 characters."),
        ("never_index.markers = ['a  b']", "needs texts of at least 4 characters."),
        ("never_index.markers = [1]", "must be a list of texts."),
        (f"never_index.markers = {['text'] * 101}", "has more than 100 texts."),
        ('never_index.markers = ["text\\u0000"]', "that cannot be written down."),
        ("redact.acme = ['a']", "must be a pattern in quotes."),
        ("redact.acme = 'AC'", "could find less than 7 characters."),
        ('redact.acme = "ACME-12\\u0000"', "that cannot be written down."),
        ("redact.acme = 'ACME-(a|b){9}'", "can't be used from character 6 on"),
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


@pytest.mark.parametrize(
    ("environ", "text", "origins"),
    [
        ({}, "", "default default default"),
        ({}, "paths.codex = []\n", "default default file"),
        ({"QUOTH_HOME": "{}"}, "", "environment default default"),
        ({"QUOTH_HOME": "{}"}, "sync_before_search = true", "environment file default"),
    ],
)
def test_each_setting_knows_where_its_value_comes_from(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environ: dict[str, str],
    text: str,
    origins: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    home = tmp_path if environ else user_data_path("quoth")
    home.mkdir(parents=True, exist_ok=True)
    (home / CONFIG_FILE).write_text(text)

    chosen = chosen_settings(
        {name: value.format(tmp_path) for name, value in environ.items()},
        home_dir=tmp_path,
        sources=["codex"],
    )

    assert " ".join(each.origin for each in chosen[:3]) == origins


def test_a_setting_has_a_value_and_a_default(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text("paths.codex = ['~/b']")

    _, switch, paths, other, *_ = chosen_settings(
        {"QUOTH_HOME": str(tmp_path)}, home_dir=tmp_path, sources=["codex", "other"]
    )

    assert (switch.value, switch.default) == (True, True)
    assert (paths.value, paths.default) == ((tmp_path / "b",), ())
    assert (other.value, other.default) == ((), ())


def test_places_of_a_source_that_is_not_installed_are_an_error(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text("paths.codx = []")

    with pytest.raises(UnknownSourceError) as caught:
        chosen_settings(
            {"QUOTH_HOME": str(tmp_path)}, home_dir=tmp_path, sources=["codex"]
        )

    assert str(caught.value) == (
        "There is no source codx, which the setting paths.codx is for."
    )
    assert caught.value.hint == "Did you mean paths.codex? Sources: codex."


def test_what_stands_in_the_file_is_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, "[ghp_secret]\n[ghp_secret]\n")

    assert str(caught.value).endswith("is not valid TOML (at line 2, column 12).")


def test_a_file_that_is_no_toml_comes_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        loaded(tmp_path, "sync_before_search = maybe")

    assert (
        caught.value.hint == "Correct it there, or move the file away to do without it."
    )


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("sync_before_search = false")
    (tmp_path / CONFIG_FILE).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(SettingError, match="cannot be read: it is a link"):
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
