"""Homes with odd names, missing ones, and ones that may only be read."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.odd_worlds.running import (
    ANSWERED,
    SAID,
    Quoth,
    a_person,
    complaint,
    data_folder,
    refused,
    surroundings,
)

NAMES = {
    "letters": "Zoë 漢字 \N{PARTY POPPER}",
    "signs": '- it\'s  "my" `home` ',
    "address": "100%41?mode=rw&cache=shared#x;y",
    "bytes": "caf\udce9\ntwo",
}
"""Of a folder. SQLite is given an address in which some of these mean something."""

names = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def assert_works(quoth: Quoth) -> None:
    synced = quoth("sync", "--json")
    page = json.loads(quoth("search", "taffrail", "--unit", "message", "--json").stdout)
    verified = quoth("verify", page["hits"][0]["citation"])

    assert json.loads(synced.stdout)["messages_new"] == 2
    assert sorted(hit["text"] for hit in page["hits"]) == [ANSWERED, SAID]
    assert (verified.returncode, verified.stderr) == (0, b"")


@names
def test_a_home_may_have_any_name(tmp_path: Path, name: str) -> None:
    home = a_person(tmp_path / name)

    assert_works(Quoth(environ=surroundings(home)))

    assert (data_folder(home) / "quoth.db").exists()


@pytest.mark.parametrize("name", [NAMES["address"], NAMES["bytes"]], ids=ascii)
def test_the_data_folder_may_have_any_name(
    quoth: Quoth, tmp_path: Path, name: str
) -> None:
    assert_works(quoth.within(QUOTH_HOME=str(tmp_path / name)))

    assert (tmp_path / name / "quoth.db").exists()


def test_a_name_is_found_again_in_another_locale(tmp_path: Path) -> None:
    """Else a job of the night and the person by day would each have an archive."""
    home = a_person(tmp_path / "Zoë 漢字")
    quoth = Quoth(environ=surroundings(home))
    assert quoth("sync").returncode == 0

    run = quoth.within(LC_ALL="C", PYTHONUTF8="0")("sync", "--json")

    assert json.loads(run.stdout)["units_read"] == 0


def test_a_home_that_is_missing_holds_no_history_and_is_no_fault(
    tmp_path: Path,
) -> None:
    quoth = Quoth(environ=surroundings(tmp_path / "nowhere"))

    runs = [quoth(*words) for words in (["status"], ["search", "x", "--no-sync"])]
    there_before = (tmp_path / "nowhere").exists()
    synced = quoth("sync")

    assert [(run.returncode, run.stderr) for run in runs] == [(0, b"")] * 2
    assert not there_before
    assert (synced.returncode, synced.stderr) == (0, b"")
    assert b"Found no history to read." in synced.stdout


@pytest.mark.parametrize("command", ["status", "sync", "search taffrail"])
def test_a_user_without_any_home_is_told_so(quoth: Quoth, command: str) -> None:
    """A container may run programs as a user that no list has, and set no HOME."""
    world = quoth.in_world("nameless")
    bare = {name: value for name, value in world.environ.items() if name != "HOME"}

    run = replace(world, environ=bare)(*command.split())

    assert refused(run) == (
        "quoth: There is no home folder: this user has none, and HOME is not set."
        " Set HOME to the folder the histories lie in."
    )


def test_without_home_the_users_own_entry_tells_it(quoth: Quoth) -> None:
    bare = {name: value for name, value in quoth.environ.items() if name != "HOME"}
    pwd = pytest.importorskip("pwd")

    run = replace(quoth, environ=bare)("config", "path")

    own = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert run.stdout.decode().startswith(str(data_folder(own)))


READ_ONLY = 'mount -t tmpfs tmpfs "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def in_a_read_only_home(quoth: Quoth, tmp_path: Path, mounts: tuple[str, ...]) -> Quoth:
    home = tmp_path / "read-only"
    home.mkdir()
    inside = [*mounts, "sh", "-c", READ_ONLY, str(home)]
    return replace(quoth, inside=inside).within(HOME=str(home))


def test_a_home_that_may_only_be_read_has_no_room_for_an_archive(
    quoth: Quoth, tmp_path: Path, with_mounts: tuple[str, ...]
) -> None:
    run = in_a_read_only_home(quoth, tmp_path, with_mounts)("sync")

    assert refused(run).endswith(
        "can't be used: read-only file system. See who may write there and whether"
        " the disk is full, or point QUOTH_HOME elsewhere."
    )


def test_a_search_in_a_home_that_may_only_be_read_says_why_nothing_is_recorded(
    quoth: Quoth, tmp_path: Path, with_mounts: tuple[str, ...]
) -> None:
    run = in_a_read_only_home(quoth, tmp_path, with_mounts)("search", "taffrail")

    assert run.returncode == 0
    assert b"Nothing is recorded yet." in run.stdout
    said = complaint(run)
    assert said.startswith("quoth: New messages were not looked for: ")
    assert said.endswith("can't be used: read-only file system.")


def test_another_data_folder_serves_a_home_that_may_only_be_read(
    quoth: Quoth, tmp_path: Path, with_mounts: tuple[str, ...]
) -> None:
    world = in_a_read_only_home(quoth, tmp_path, with_mounts)

    run = world.within(QUOTH_HOME=str(tmp_path / "elsewhere"))("demo")

    assert (run.returncode, run.stderr) == (0, b"")
