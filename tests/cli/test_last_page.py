"""The file behind `quoth show 3`: keys alone, for its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quoth.cli._last_page import recalled, remember
from quoth.errors import NotRecordedError

from .fakes import Shell, a_hit, a_page


def pages_of(home: Path) -> list[Path]:
    return list((home / "pages").iterdir())


def test_only_numbers_and_keys_are_kept(tmp_path: Path) -> None:
    remember(tmp_path, [a_hit(conversation="a:b%20c", seq=3)], first=11)

    (page,) = pages_of(tmp_path)
    assert page.read_text() == "11 a:b%20c#3\n"


def test_folder_and_file_are_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        remember(tmp_path, [a_hit()], first=1)
    finally:
        os.umask(before)

    (page,) = pages_of(tmp_path)
    assert oct(page.parent.stat().st_mode & 0o777) == "0o700"
    assert oct(page.stat().st_mode & 0o777) == "0o600"


def test_a_page_takes_the_place_of_the_last(tmp_path: Path) -> None:
    remember(tmp_path, [a_hit(conversation="a:1")], first=1)

    remember(tmp_path, [a_hit(conversation="a:2", seq=9)], first=1)

    assert recalled(tmp_path, 1) == ("a:2", 9)
    assert len(pages_of(tmp_path)) == 1


def test_a_link_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    remember(tmp_path, [a_hit()], first=1)
    (page,) = pages_of(tmp_path)
    page.unlink()
    page.symlink_to(target)

    with pytest.raises(NotRecordedError):
        recalled(tmp_path, 1)
    remember(tmp_path, [a_hit(conversation="a:1", seq=2)], first=1)

    assert target.read_text() == "precious"
    assert recalled(tmp_path, 1) == ("a:1", 2)


def test_a_link_under_the_name_of_a_half_written_page_is_not_written_through(
    tmp_path: Path,
) -> None:
    remember(tmp_path, [a_hit()], first=1)
    (page,) = pages_of(tmp_path)
    precious = tmp_path / "precious"
    precious.write_text("precious")
    page.with_name(f".{page.name}.{os.getpid()}").hardlink_to(precious)

    remember(tmp_path, [a_hit(conversation="a:1", seq=2)], first=1)

    assert precious.read_text() == "precious"
    assert recalled(tmp_path, 1) == ("a:1", 2)


def test_a_pipe_in_the_place_of_a_page_is_not_waited_for(tmp_path: Path) -> None:
    remember(tmp_path, [a_hit()], first=1)
    (page,) = pages_of(tmp_path)
    page.unlink()
    os.mkfifo(page)

    with pytest.raises(NotRecordedError):
        recalled(tmp_path, 1)


def test_a_folder_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "pages").symlink_to(elsewhere)

    remember(tmp_path, [a_hit()], first=1)

    assert list(elsewhere.iterdir()) == []


def test_lines_that_are_no_keys_are_passed_over(tmp_path: Path) -> None:
    remember(tmp_path, [a_hit()], first=1)
    (page,) = pages_of(tmp_path)
    page.write_bytes(b"1 a:1\n2 a:2#x\n\xff\n3 a:3#7\n")

    assert recalled(tmp_path, 3) == ("a:3", 7)


def test_at_most_fifty_pages_are_kept_and_the_newest_is_one(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir(mode=0o700)
    for number in range(60):
        (folder / f"{number:016x}").touch()
        os.utime(folder / f"{number:016x}", (number, number))

    remember(tmp_path, [a_hit(conversation="a:1", seq=2)], first=1)

    assert len(pages_of(tmp_path)) == 50
    assert recalled(tmp_path, 1) == ("a:1", 2)


def test_without_a_folder_of_its_own_quoth_makes_none(shell: Shell) -> None:
    shell.home.rmdir()

    result = shell.run("search", "x")

    assert result.exit_code == 0
    assert not shell.home.exists()


def test_json_leaves_the_last_page_alone(shell: Shell) -> None:
    shell.archive.page = a_page(a_hit())

    shell.run("search", "x", "--json")

    assert not (shell.home / "pages").exists()
