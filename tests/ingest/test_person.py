"""What of a person is read, to know what must not be passed on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quoth.ingest import names_of_person
from quoth.redaction import Names


def names(home: Path, **environ: str) -> Names:
    return names_of_person(environ, home_dir=home, folders=(), remotes=())


@pytest.mark.parametrize("place", [".gitconfig", ".config/git/config"])
def test_gits_settings_tell_the_person(tmp_path: Path, place: str) -> None:
    home = tmp_path / "adalove"
    (home / place).parent.mkdir(parents=True)
    (home / place).write_text("[user]\n\tname = Ada Lovelace\n\temail = a@b.example\n")

    found = names(home)

    assert (found.users, found.people) == (("adalove",), ("Ada Lovelace",))
    assert found.emails == ("a@b.example",)


def test_settings_that_git_includes_tell_of_the_person_at_work(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / ".gitconfig").write_text(
        "[user]\nname = Ada Lovelace\n"
        '[includeIf "gitdir:~/work/"]\n\tpath = work/one\n'
        "[include]\npath = ~/two\npath = missing\npath = no\0name\n"
    )
    (tmp_path / "work" / "one").write_text(
        "[user]\nname = Countess King\n[include]\npath = three\n"
    )
    (tmp_path / "two").write_text("[user]\nname = Miss Byron\n")
    (tmp_path / "work" / "three").write_text("[user]\nname = Lady King\n")

    assert set(names(tmp_path).people) == (
        {"Ada Lovelace", "Countess King", "Miss Byron", "Lady King"}
    )


def test_settings_that_include_themselves_come_to_an_end(tmp_path: Path) -> None:
    paths = "".join(f"path = {number}\n" for number in range(100))
    text = f"[user]\nname = Ada Lovelace\n[include]\npath = .gitconfig\n{paths}"
    (tmp_path / ".gitconfig").write_text(text)
    for number in range(100):
        (tmp_path / str(number)).write_text(f"[user]\nname = Ada Number{number}\n")

    people = names(tmp_path).people

    assert people[0] == "Ada Lovelace"
    assert len(people) < 20


def test_the_platforms_folder_for_settings_is_heeded(tmp_path: Path) -> None:
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "config").write_text("[user]\nname = Ada Lovelace\n")

    found = names(tmp_path / "none", XDG_CONFIG_HOME=str(tmp_path))

    assert found.people == ("Ada Lovelace",)


def test_the_environment_and_what_is_recorded_tell_more(tmp_path: Path) -> None:
    found = names_of_person(
        {"USER": "adalove"},
        home_dir=tmp_path / "home",
        folders={"/home/babbage/engine"},
        remotes={"git@github.com:countess/notes-g.git"},
    )

    assert found.users == ("adalove", "babbage")
    assert (found.owners, found.repositories) == (("countess",), ("notes-g",))


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "bytes"])
def test_what_is_no_settings_file_tells_nothing(tmp_path: Path, kind: str) -> None:
    place = tmp_path / ".gitconfig"
    match kind:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case "bytes":
            place.write_bytes(b"[user]\nname = \xff\xfe\0")

    assert not any("Ada" in name for name in names(tmp_path).people)
