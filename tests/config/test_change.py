"""Changing a setting: what a person wrote stays, and nobody else may look."""

from __future__ import annotations

import fcntl
import os
import resource
import stat
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from quoth.config import CONFIG_FILE, set_setting, setting_named, unset_setting
from quoth.config._private import locked
from quoth.errors import SettingError

WRITTEN = """\
# Mine; keep it.

sync_before_search = true  # it is fast enough

[paths]
# the old laptop
codex = [
    "/mnt/old",  # by cable
]
"""


def change(home: Path, name: str, *words: str) -> str:
    """Set a setting and return what then stands in the file."""
    set_setting(home, setting_named(name), words, home_dir=home.parent)
    return (home / CONFIG_FILE).read_text(encoding="utf-8")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "quoth"
    folder.mkdir(parents=True, mode=0o700)
    return folder


@pytest.fixture
def written(home: Path) -> Path:
    file = home / CONFIG_FILE
    file.write_text(WRITTEN, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("word", "text"),
    [("true", "true"), ("No", "false"), ("ON", "true"), ("off", "false")],
)
def test_a_switch_is_written_as_toml(home: Path, word: str, text: str) -> None:
    written = change(home, "sync_before_search", word)

    assert written == f"sync_before_search = {text}\n"


def test_places_are_written_as_they_were_given(home: Path) -> None:
    written = change(home, "paths.codex", "~/b", "/mnt/old")

    assert written == '[paths]\ncodex = ["~/b", "/mnt/old"]\n'


def test_a_pattern_and_a_list_of_texts_are_written_as_toml(home: Path) -> None:
    change(home, "redact.acme", r"ACME-\d{9}")
    written = change(home, "never_index.markers", "#private", "off the record")

    assert tomllib.loads(written) == {
        "redact": {"acme": r"ACME-\d{9}"},
        "never_index": {"markers": ["#private", "off the record"]},
    }


def test_comments_and_order_stay(home: Path, written: Path) -> None:
    change(home, "sync_before_search", "false")

    expected = WRITTEN.replace("search = true", "search = false")
    assert written.read_text(encoding="utf-8") == expected


def test_what_is_new_is_put_behind_what_is_there(home: Path, written: Path) -> None:
    change(home, "paths.claude_code", "/mnt/old")

    expected = f'{WRITTEN}claude_code = ["/mnt/old"]\n'
    assert written.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "text",
    [
        "paths.codex = ['/b']\n",
        "paths = {codex = ['/b']}\n",
        "[paths] # none yet",
        "[paths]\r\ncodex = []\r\n",
        "# only a word of mine",
        "\n\n",
    ],
)
def test_every_way_to_write_a_table_can_be_changed(home: Path, text: str) -> None:
    (home / CONFIG_FILE).write_bytes(text.encode())

    change(home, "sync_before_search", "false")
    written = change(home, "paths.codex", "/a")

    assert tomllib.loads(written) == {
        "sync_before_search": False,
        "paths": {"codex": ["/a"]},
    }


def test_a_table_in_a_settings_place_gives_way(home: Path) -> None:
    (home / CONFIG_FILE).write_text("[paths.codex]\n[paths.other]\nb = 1\n")

    written = change(home, "paths.codex", "/a")

    assert tomllib.loads(written) == {"paths": {"codex": ["/a"], "other": {"b": 1}}}


def test_what_cannot_be_compared_is_left_as_it_is(home: Path) -> None:
    (home / CONFIG_FILE).write_text("ratio = nan\n")  # equal to nothing, so not checked

    with pytest.raises(SettingError, match="in a way that cannot be changed"):
        change(home, "paths.codex", "/a")

    assert (home / CONFIG_FILE).read_text() == "ratio = nan\n"


@pytest.mark.parametrize("depth", [50, 150, 400])
def test_what_is_nested_deeply_is_changed_rightly_or_not_at_all(
    home: Path, depth: int
) -> None:
    text = f"deep = {'[' * depth}{']' * depth}\n"
    (home / CONFIG_FILE).write_text(text)

    with suppress(SettingError):
        change(home, "sync_before_search", "false")

    left = (home / CONFIG_FILE).read_text()
    assert left in {text, f"{text}sync_before_search = false\n"}


def test_a_setting_is_taken_out_and_nothing_else(home: Path, written: Path) -> None:
    found = unset_setting(home, "sync_before_search")

    expected = WRITTEN.replace("sync_before_search = true  # it is fast enough\n", "")
    assert (found, written.read_text(encoding="utf-8")) == (True, expected)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("paths.codex = []\n", "paths.codex"),
        ("[paths]\ncodex = []\n", "paths.codex"),
        ("paths = {codex = []}\n", "paths.codex"),
        ("[paths]\nno_source = 1\n", "paths.no_source"),
        ("colour = 1\n", "colour"),
        ("'paths.codex' = []\n", "paths.codex"),
    ],
)
def test_what_an_error_complains_of_can_be_taken_out(
    home: Path, text: str, name: str
) -> None:
    (home / CONFIG_FILE).write_text(text)

    found = unset_setting(home, name)

    left = tomllib.loads((home / CONFIG_FILE).read_text())
    assert (found, left.get("paths", {}), left.keys() - {"paths"}) == (True, {}, set())


@pytest.mark.parametrize("name", ["paths.codex", "colour", "paths", "a.b.c"])
def test_what_does_not_stand_there_cannot_be_taken_out(home: Path, name: str) -> None:
    (home / CONFIG_FILE).write_text("sync_before_search = true\n")

    assert unset_setting(home, name) is False


def test_without_a_file_nothing_is_taken_out_or_made(tmp_path: Path) -> None:
    assert unset_setting(tmp_path / "none", "paths.codex") is False
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words", "complaint"),
    [
        ("sync_before_search", ["maybe"], "must be true or false."),
        ("sync_before_search", ["true", "false"], "must be true or false."),
        ("paths.codex", ["here"], "needs paths that begin with / or ~/."),
        ("paths.codex", ["/caf\udce9"], "has a path that cannot be written down."),
        ("home", ["/a"], "home cannot stand in a file."),
        ("redact.acme", ["ACME-[0-9]{9}", "x"], "takes one pattern."),
        ("redact.acme", ["ACME-[0-9]+"], "or ? behind one of them."),
        ("never_index.markers", ["caf\udce9"], "that cannot be written down."),
    ],
)
def test_a_bad_value_is_refused_before_anything_is_made(
    tmp_path: Path, name: str, words: list[str], complaint: str
) -> None:
    with pytest.raises(SettingError) as caught:
        change(tmp_path / "quoth", name, *words)

    assert str(caught.value).endswith(complaint)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["= 1", "a = [", "paths = 3\n", b"\xff"])
def test_a_file_that_makes_no_sense_is_left_as_it_is(
    home: Path, text: str | bytes
) -> None:
    content = text.encode() if isinstance(text, str) else text
    (home / CONFIG_FILE).write_bytes(content)

    with pytest.raises(SettingError):
        change(home, "paths.codex", "/a")

    assert (home / CONFIG_FILE).read_bytes() == content
    assert names_in(home) == [CONFIG_FILE]


def test_a_file_never_becomes_too_large_to_read(home: Path) -> None:
    content = f"#{'x' * 63_990}\n"
    (home / CONFIG_FILE).write_text(content)

    with pytest.raises(SettingError, match="would become larger than 64 kB"):
        change(home, "paths.codex", "/a" * 20)

    assert (home / CONFIG_FILE).read_text() == content


def test_a_link_is_not_written_through(home: Path) -> None:
    (home.parent / "elsewhere").write_text("")
    (home / CONFIG_FILE).symlink_to(home.parent / "elsewhere")

    with pytest.raises(SettingError, match="cannot be read"):
        change(home, "sync_before_search", "false")

    assert (home.parent / "elsewhere").read_text() == ""


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777], ids=oct)
def test_the_file_and_new_folders_are_their_owners_alone(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        change(tmp_path / "new" / "quoth", "sync_before_search", "false")
    finally:
        os.umask(before)

    made = list(tmp_path.rglob("*"))
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [
        0o700 if path.is_dir() else 0o600 for path in made
    ]


def test_a_file_others_could_read_becomes_private(home: Path, written: Path) -> None:
    written.chmod(0o644)

    change(home, "sync_before_search", "false")

    assert stat.S_IMODE(written.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [None, CONFIG_FILE, "quoth.db"])
def test_a_folder_of_ours_becomes_private(home: Path, name: str | None) -> None:
    home.chmod(0o755)
    if name:
        (home / name).touch()

    change(home, "sync_before_search", "false")

    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("others", [[], [CONFIG_FILE]])
def test_a_folder_of_something_else_is_refused(home: Path, others: list[str]) -> None:
    home.chmod(0o755)
    for name in ("letters", *others):
        (home / name).touch()

    with pytest.raises(SettingError, match="it holds something else"):
        change(home, "sync_before_search", "false")

    assert names_in(home) == [*others, "letters"]
    assert stat.S_IMODE(home.stat().st_mode) == 0o755


def test_a_folder_that_is_a_link_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)

    with pytest.raises(SettingError, match="it is no folder of its own"):
        change(tmp_path / "link", "sync_before_search", "false")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder away")
def test_a_folder_of_another_user_is_refused(home: Path) -> None:
    os.chown(home, 65534, 65534)

    with pytest.raises(SettingError, match="it is another user's"):
        change(home, "sync_before_search", "false")

    assert names_in(home) == []


def test_a_folder_that_went_away_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no such file"), locked(tmp_path / "none"):
        pass


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SettingError, match="cannot hold the settings"):
        change(tmp_path / "file" / "quoth", "sync_before_search", "false")


def test_a_setting_that_cannot_be_written_leaves_the_old_file(
    home: Path, written: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(SettingError, match="cannot be written: file too large"):
            change(home, "sync_before_search", "false")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert written.read_text(encoding="utf-8") == WRITTEN
    assert names_in(home) == [CONFIG_FILE]


def test_many_changes_at_once_all_arrive(home: Path) -> None:
    names = [f"paths.source_{number}" for number in range(12)]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: change(home, name, "/a"), names))

    table = tomllib.loads((home / CONFIG_FILE).read_text())
    assert {f"paths.{source}" for source in table["paths"]} == set(names)


def test_a_folder_that_stays_locked_is_said_to_be(home: Path) -> None:
    descriptor = os.open(home, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    naps: list[float] = []

    with (
        pytest.raises(SettingError, match="are being changed by another process"),
        locked(home, wait_s=0.1, sleep=naps.append),
    ):
        pass

    os.close(descriptor)
    assert len(naps) == 5


def test_what_a_killed_change_left_goes_with_the_next(tmp_path: Path) -> None:
    home = tmp_path / "home"
    change(home, "sync_before_search", "false")
    left = home / f".{CONFIG_FILE}.0123456789abcdef.new"
    left.write_text("half a setting")
    (home / "notes.new").write_text("mine")

    change(home, "sync_before_search", "true")

    assert names_in(home) == [CONFIG_FILE, "notes.new"]
