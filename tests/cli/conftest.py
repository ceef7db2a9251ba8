"""A shell with an archive that answers what it is told, in a fixed time zone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .fakes import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    home = tmp_path / "quoth"
    home.mkdir()
    return Shell(home=home)


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Show and read local times in UTC, whatever this machine's zone is."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
