"""How other programs' files are found and opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quoth.errors import UnreadableUnitError
from quoth.sources._files import files_under, open_read_only, stamp_of


def is_note(name: str) -> bool:
    return name.endswith(".note")


def found(*roots: Path, depth: int = 12) -> list[Path]:
    return [unit.path for unit in files_under(roots, wanted=is_note, depth=depth)]


def make(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def test_wanted_files_are_found_at_any_level_in_the_order_of_their_paths(
    tmp_path: Path,
) -> None:
    paths = [tmp_path / name for name in ("a/deep/x.note", "a/y.note", "b.note")]
    make(*reversed(paths), tmp_path / "other.txt")

    assert found(tmp_path) == paths


def test_a_unit_says_what_its_file_is(tmp_path: Path) -> None:
    path = tmp_path / "a.note"
    make(path)
    status = path.stat()

    (unit,) = files_under([tmp_path], wanted=is_note)

    assert (unit.path, unit.stamp, unit.size, unit.changed_at) == (
        path,
        stamp_of(status),
        1,
        max(status.st_mtime, status.st_ctime),
    )


def test_a_root_may_be_a_file_or_a_link_or_missing(tmp_path: Path) -> None:
    make(tmp_path / "real/a.note", tmp_path / "b.note")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    roots = (tmp_path / "missing", tmp_path / "link", tmp_path / "b.note")

    assert found(*roots) == [tmp_path / "link/a.note", tmp_path / "b.note"]


def test_a_file_that_is_not_wanted_is_not_a_unit_even_as_a_root(tmp_path: Path) -> None:
    make(tmp_path / "a.txt")

    assert found(tmp_path / "a.txt") == []


def test_no_link_below_a_root_leads_elsewhere(tmp_path: Path) -> None:
    make(tmp_path / "outside/a.note", tmp_path / "root/b.note")
    (tmp_path / "root/link").symlink_to(tmp_path / "outside")

    assert found(tmp_path / "root") == [tmp_path / "root/b.note"]


def test_a_folder_reached_by_two_roots_is_walked_once(tmp_path: Path) -> None:
    make(tmp_path / "in/a.note")
    (tmp_path / "link").symlink_to(tmp_path / "in")

    assert found(tmp_path, tmp_path / "in", tmp_path / "link") == [
        tmp_path / "in/a.note"
    ]


def test_a_file_given_twice_is_one_unit(tmp_path: Path) -> None:
    make(tmp_path / "a.note")

    assert found(tmp_path / "a.note", tmp_path / "a.note") == [tmp_path / "a.note"]


def test_folders_are_walked_only_so_deep(tmp_path: Path) -> None:
    make(tmp_path / "1/2/3/a.note", tmp_path / "1/b.note")

    assert found(tmp_path, depth=2) == [tmp_path / "1/b.note"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_may_not_be_read_is_yielded_so_that_reading_says_so(
    tmp_path: Path,
) -> None:
    make(tmp_path / "closed/a.note", tmp_path / "open/b.note")
    (tmp_path / "closed").chmod(0)

    assert found(tmp_path) == [tmp_path / "closed", tmp_path / "open/b.note"]


def test_a_folder_that_cannot_be_looked_at_hides_only_itself(tmp_path: Path) -> None:
    """No path of more than 4,096 bytes can."""
    make(tmp_path / "b.note")
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("a" * 250, dir_fd=place)
        inner = os.open("a" * 250, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)

    assert found(tmp_path, depth=30) == [tmp_path / "b.note"]


def test_a_stamp_tells_a_rewrite_of_equal_length_with_the_old_time(
    tmp_path: Path,
) -> None:
    """Case C45: restores, `cp -p` and some editors set the time back."""
    path = tmp_path / "a.note"
    make(path)
    os.utime(path, (1_000, 1_000))
    before = path.stat()
    while path.stat().st_ctime_ns == before.st_ctime_ns:  # within one tick of the clock
        path.write_bytes(b"y")
        os.utime(path, (1_000, 1_000))

    assert stamp_of(path.stat()) != stamp_of(before)


def test_a_file_is_opened_for_reading_only(tmp_path: Path) -> None:
    make(tmp_path / "a.note")

    with open_read_only(tmp_path / "a.note") as file:
        assert (file.read(), file.writable()) == (b"x", False)


def test_a_link_is_not_opened(tmp_path: Path) -> None:
    make(tmp_path / "a.note")
    (tmp_path / "link.note").symlink_to(tmp_path / "a.note")

    with pytest.raises(UnreadableUnitError, match="it is a link"):
        open_read_only(tmp_path / "link.note")


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableUnitError, match="no such file"):
        open_read_only(tmp_path / "gone.note")


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    """A pipe without a writer would hang an ordinary open for ever."""
    path = tmp_path / "a.note"
    path.mkdir() if kind == "folder" else os.mkfifo(path)

    with pytest.raises(UnreadableUnitError, match="no regular file"):
        open_read_only(path)


def test_a_pipe_is_still_a_unit_so_that_reading_it_can_say_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.note")

    assert found(tmp_path) == [tmp_path / "a.note"]
