"""`quoth config`: what it prints, keeps and refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.documents import DOCS, section_of

from quoth.archive import source_names
from quoth.config import CONFIG_FILE
from quoth.errors import ArchiveOutdatedError

from .fakes import Shell
from .test_json import paths_of

MEANING = "Whether a search first takes up to 0.3 seconds to read what is new."


@pytest.fixture
def file(shell: Shell) -> Path:
    return shell.home / CONFIG_FILE


def test_alone_it_prints_the_help_with_every_setting(shell: Shell) -> None:
    alone, asked = shell.run("config"), shell.run("config", "--help")

    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)
    assert f"  sync_before_search (true or false)\n    {MEANING}\n" in asked.stdout


def test_the_list_says_where_each_value_comes_from(shell: Shell, file: Path) -> None:
    file.write_text("sync_before_search = false\npaths.codex = ['~/b', '/mnt/old']\n")

    said = " ".join(shell.run("config", "list").stdout.split())

    others = [name for name in source_names() if name != "codex"]
    assert said.startswith(f"{file} home = {shell.home} ($QUOTH_HOME; default: ")
    assert "sync_before_search = false (file; default: true)" in said
    places = f"{shell.home.parent}/b, /mnt/old"
    assert f"paths.codex = {places} (file; default: none)" in said
    assert all(f"paths.{name} = none (default)" in said for name in others)


def test_the_list_says_when_there_is_no_file(shell: Shell, file: Path) -> None:
    first, *_ = shell.run("config", "list").stdout.splitlines()

    assert first == f"{file} (not there yet)"


def test_the_list_cannot_steer_the_terminal(shell: Shell, file: Path) -> None:
    file.write_text('paths.codex = ["/a\\u001b[2J"]')

    result = shell.run("config", "list")

    assert "/a\\x1b[2J" in result.stdout
    assert "\x1b" not in result.stdout


def test_the_json_of_the_list_is_documented(shell: Shell, file: Path) -> None:
    file.touch()

    found = json.loads(shell.run("config", "list", "--json").stdout)

    assert found["file"] == str(file)
    assert set(paths_of(found)) == documented("config list")


def test_the_json_of_a_setting_is_documented(shell: Shell, file: Path) -> None:
    file.write_text("sync_before_search = false")

    found = json.loads(
        shell.run("config", "get", "sync_before_search", "--json").stdout
    )

    assert found == {
        "schema": 1,
        "name": "sync_before_search",
        "value": False,
        "default": True,
        "origin": "file",
        "meaning": MEANING,
    }
    assert set(found) == documented("config get")


def documented(command: str) -> set[str]:
    lines = section_of(DOCS / "json.md", f"`quoth {command} --json`").splitlines()
    return {line.split("`")[1] for line in lines if line.startswith("| `")}


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("sync_before_search", "true\n"),
        ("paths.codex", "/a\n/b  c\n"),
        ("paths.claude_code", ""),
    ],
)
def test_a_value_is_printed_for_scripts(
    shell: Shell, file: Path, key: str, printed: str
) -> None:
    file.write_text("paths.codex = ['/a', '/b  c']")

    result = shell.run("config", "get", key)

    assert (result.exit_code, result.stdout) == (0, printed)


def test_the_home_is_printed_from_the_environment(shell: Shell) -> None:
    assert shell.run("config", "get", "home").stdout == f"{shell.home}\n"


def test_the_path_is_printed_whether_there_is_a_file_or_not(
    shell: Shell, file: Path
) -> None:
    assert shell.run("config", "path").stdout == f"{file}\n"


def test_a_setting_is_set_and_read_again(shell: Shell, file: Path) -> None:
    result = shell.run("config", "set", "sync_before_search", "off")

    assert result.stdout == f"sync_before_search is set in {file}.\n"
    assert shell.run("config", "get", "sync_before_search").stdout == "false\n"


def test_a_place_where_nothing_is_yet_is_pointed_out(shell: Shell) -> None:
    result = shell.run("config", "set", "paths.codex", "/", "/no/such/place")

    assert result.exit_code == 0
    assert result.stderr == "quoth: There is nothing at /no/such/place yet.\n"


@pytest.mark.parametrize(
    ("forbidden", "said"),
    [
        (0, ""),
        (
            1204,
            "quoth: 1,204 recorded conversations will be forgotten at the next quoth"
            " sync, which can't be undone where the source is gone. To keep what is"
            " recorded: quoth config unset never_index.repositories",
        ),
    ],
)
def test_a_rule_that_keeps_out_says_how_much_it_will_take_away(
    shell: Shell, forbidden: int, said: str
) -> None:
    shell.archive.forbidden = forbidden

    result = shell.run("config", "set", "never_index.repositories", "harbor")

    assert result.exit_code == 0
    assert " ".join(result.stderr.split()) == said


def test_a_setting_is_set_where_the_archive_cannot_be_asked(
    shell: Shell, file: Path
) -> None:
    shell.archive.forbidden = ArchiveOutdatedError(shell.home)

    result = shell.run("config", "set", "never_index.markers", "#private")

    assert (result.exit_code, "#private" in file.read_text()) == (0, True)
    assert "can't be told how much" in result.stderr


def test_a_pattern_is_printed_and_one_that_is_not_there_is_empty(shell: Shell) -> None:
    shell.run("config", "set", "redact.acme", r"ACME-\d{9}")

    found, other = (shell.run("config", "get", f"redact.{n}") for n in ("acme", "b"))

    assert (found.stdout, other.stdout, other.exit_code) == ("ACME-\\d{9}\n", "\n", 0)


def test_a_pattern_of_ones_own_says_what_it_will_do_for_good(
    shell: Shell, file: Path
) -> None:
    result = shell.run("config", "set", "redact.acme", r"ACME-\d{9}")

    assert " ".join(result.stdout.split()) == (
        f"redact.acme is set in {file}. The next quoth sync lets it go through what is"
        " recorded, too, and what it replaces there stays replaced."
    )


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("never_index.markers", "reads what it kept out, where that is still there."),
        ("sync_before_search", ""),
    ],
)
def test_taking_out_a_rule_says_what_comes_in_again(
    shell: Shell, file: Path, key: str, said: str
) -> None:
    file.write_text("sync_before_search = false\nnever_index.markers = ['#private']")

    result = shell.run("config", "unset", key)

    first, _, rest = result.stdout.partition("\n")
    assert first == f"{key} is no longer in {file}."
    assert " ".join(rest.split()).removeprefix("The next quoth sync ") == said


def test_a_setting_gets_its_default_again(shell: Shell, file: Path) -> None:
    file.write_text("sync_before_search = false\n")

    first = shell.run("config", "unset", "sync_before_search")
    second = shell.run("config", "unset", "sync_before_search")

    assert first.stdout == f"sync_before_search is no longer in {file}.\n"
    assert second.stdout == f"sync_before_search was not in {file}.\n"


def test_what_quoth_does_not_know_can_be_taken_out(shell: Shell, file: Path) -> None:
    file.write_text("[paths]\ncodx = []\n")

    result = shell.run("config", "unset", "paths.codx")

    assert (result.exit_code, shell.run("config", "list").exit_code) == (0, 0)


@pytest.mark.parametrize("command", ["get", "set", "unset"])
@pytest.mark.parametrize(
    ("key", "message"),
    [
        (
            "sync_befor_search",
            "There is no setting sync_befor_search. Did you mean sync_before_search?",
        ),
        ("path.codex", "There is no setting path.codex. Did you mean paths.codex?"),
        (
            "paths.codx",
            "There is no source codx, which the setting paths.codx is for."
            " Did you mean paths.codex?",
        ),
        ("\x1b[2J", "There is no setting of that name. Settings: home,"),
    ],
)
def test_a_slip_of_the_pen_gets_a_suggestion(
    shell: Shell, command: str, key: str, message: str
) -> None:
    words = ["true"] if command == "set" else []

    result = shell.run("config", command, key, *words)

    assert (result.exit_code, result.stdout) == (1, "")
    assert " ".join(result.stderr.split()).startswith(f"quoth: {message}")


@pytest.mark.parametrize(
    "args", [["set", "sync_before_search"], ["get"], ["lst"], ["list", "--nonsense"]]
)
def test_a_command_that_is_no_command_is_wrong_usage(
    shell: Shell, args: list[str]
) -> None:
    result = shell.run("config", *args)

    assert (result.exit_code, result.stdout) == (2, "")


def test_further_places_are_read_by_sync(tmp_path: Path) -> None:
    """Through the program itself: the setting has to arrive at the archive."""
    conversation = tmp_path / "kept" / "harbor.jsonl"
    conversation.parent.mkdir()
    conversation.write_text('{"role": "user", "content": "Where is the harbor?"}\n')

    assert quoth(tmp_path, "config", "set", "paths.generic", "~/kept") == (0, "")
    assert quoth(tmp_path, "sync") == (0, "")

    found = json.loads(run(tmp_path, "search", "harbor", "--json").stdout)
    assert [hit["source"] for hit in found["hits"]] == ["generic"]


def test_a_marker_and_a_pattern_arrive_at_the_archive(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for name, said in (
        ("a", "key ACME-123456 of the harbor"),
        ("b", "#private harbor"),
    ):
        record = json.dumps({"role": "user", "content": said})
        (folder / f"{name}.jsonl").write_text(f"{record}\n")
    quoth(tmp_path, "config", "set", "paths.generic", "~/kept")
    assert quoth(tmp_path, "sync") == (0, "")

    assert quoth(tmp_path, "config", "set", "redact.acme", r"ACME-\d{6}") == (0, "")
    status, said = quoth(tmp_path, "config", "set", "never_index.markers", "#private")
    synced = run(tmp_path, "sync")

    assert (status, synced.returncode) == (0, 0)
    assert said.startswith("quoth: 1 recorded conversation will be forgotten")
    assert "Forgot 1 conversation under a never_index rule." in synced.stdout
    found = json.loads(run(tmp_path, "search", "harbor", "--json").stdout)
    assert [hit["text"] for hit in found["hits"]] == [
        "key [REDACTED:acme] of the harbor"
    ]


def test_places_of_an_unknown_source_stop_every_command(tmp_path: Path) -> None:
    home = tmp_path / "quoth"
    home.mkdir(mode=0o700)
    (home / CONFIG_FILE).write_text("paths.codx = ['/a']")

    for command in (["sync"], ["status"], ["search", "x"], ["config", "list"]):
        status, said = quoth(tmp_path, *command)

        assert status == 1
        assert said.startswith("quoth: There is no source codx, which the setting")


def quoth(person: Path, *args: str) -> tuple[int, str]:
    """Return the exit status of the program and what it said on standard error."""
    done = run(person, *args)
    return done.returncode, done.stderr


def run(person: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quoth", *args],
        env={
            "HOME": str(person),
            "QUOTH_HOME": str(person / "quoth"),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(sys.path),
            "LANG": "C.UTF-8",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
