"""The lower bounds in pyproject.toml are what `make test-lowest` installs."""

from __future__ import annotations

import re
import tomllib

import pytest
from tests.docs.documents import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BOUNDS = dict(bound.split(">=") for bound in PROJECT["dependencies"])
LOCK = (ROOT / "requirements-lowest.lock").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BOUNDS)
def test_the_oldest_release_that_is_allowed_is_tested(name: str) -> None:
    (oldest, *_) = re.findall(rf"^{name}==(\S+)", LOCK, re.MULTILINE)

    bound = BOUNDS[name]
    assert re.fullmatch(rf"{re.escape(bound)}(\.0)*", oldest), "run tools/lock.py"


def test_it_names_hashes_and_no_addresses() -> None:
    pins = re.findall(r"^[a-z].+?(?=^[a-z]|\Z)", LOCK, re.MULTILINE | re.DOTALL)

    assert pins
    assert [pin for pin in pins if "--hash=sha256:" not in pin] == []
    assert "://" not in LOCK
