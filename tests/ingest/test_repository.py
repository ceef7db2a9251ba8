"""A transcript says where it was written; that must not make quoth ask elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.ingest import nearest_repository


def test_the_nearest_folder_with_git_is_the_repository(tmp_path: Path) -> None:
    (tmp_path / "outer" / ".git").mkdir(parents=True)

    assert nearest_repository(f"{tmp_path}/outer/src/deep") == f"{tmp_path}/outer"


@pytest.mark.parametrize(
    "cwd",
    [
        "relative",
        "//server/share",
        "/net/host/share",
        "/./NET/host",
        "/home/../net/host",
        "/proc/1/cwd",
        "/sys/x",
        "/dev/fd",
        "/a" * 64,
        "/" + "a" * 1024,
    ],
)
def test_a_place_that_may_be_elsewhere_is_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, cwd: str
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(Path, "exists", asked.append)

    assert nearest_repository(cwd) is None
    assert asked == []
