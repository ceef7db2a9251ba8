"""README: nothing leaves, and `quoth doctor --prove` shows it; and it can fail."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from tests.docs.documents import DOCS, section_of
from tests.promises.test_no_connection import missing

Child = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "quoth"
LONGEST_S = 300

BY_PYTHON = """\
import contextlib, socket
with contextlib.suppress(OSError):
    socket.create_connection(("192.0.2.1", 80), timeout=0.2)
"""
BY_C_LIBRARY = """\
import ctypes
libc = ctypes.CDLL(None)
to = bytes([2, 0, 0, 80, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0])
libc.connect(libc.socket(2, 1 | 0o4000, 0), to, 16)
"""
A_FILE = """\
import pathlib
(pathlib.Path.home() / ".device-id").touch()
"""
A_FILE_FOR_A_MOMENT = """\
import tempfile
tempfile.TemporaryDirectory().cleanup()
"""


def answer_of(run: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return what a proof found, if it could watch connections here."""
    assert run.stdout, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    if found["obstacle"] is not None:
        missing(found["obstacle"]["says"])
    return found


def failures_of(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(run["typed"], run["failure"]) for run in found["runs"] if run["failure"]]


@pytest.fixture
def planted(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that copies quoth and lets every search do something more."""

    def plant(code: str) -> Path:
        shutil.copytree(SOURCE, tmp_path / "planted" / "quoth")
        module = tmp_path / "planted" / "quoth" / "retrieval" / "_search.py"
        tree = ast.parse(module.read_text(encoding="utf-8"))
        (search,) = [
            each
            for each in tree.body
            if isinstance(each, ast.FunctionDef) and each.name == "search"
        ]
        search.body[1:1] = ast.parse(code).body
        module.write_text(ast.unparse(tree), encoding="utf-8")
        return tmp_path / "planted"

    return plant


def without_seal(folder: Path) -> Path:
    """Let the copy in *folder* run its commands past the entry that seals a process."""
    entry = folder / "quoth" / "cli" / "__init__.py"
    text = entry.read_text(encoding="utf-8")
    assert "import main as run" in text
    unsealed = text.replace("import main as run", "import app as run")
    entry.write_text(unsealed, encoding="utf-8")
    return folder


@pytest.fixture
def proven(child: Child) -> Callable[..., dict[str, Any]]:
    """Return a function that proves what some commands do."""

    def prove(*arguments: str, of: Path | None = None) -> dict[str, Any]:
        return answer_of(
            child("proving.py", *arguments, python_path=of, timeout_s=LONGEST_S)
        )

    return prove


def test_every_command_keeps_what_is_promised(child: Child) -> None:
    run = child("-m", "quoth", "doctor", "--prove", "--json", timeout_s=LONGEST_S)

    found = answer_of(run)
    assert failures_of(found) == []
    assert found["unused"] == []
    assert [each for each in found["runs"] if each["packets"]] == []
    assert [each for each in found["runs"] if each["outside"]] == []
    assert (found["proven"], run.returncode) == (True, 0)
    written, documented = documented_as_they_are(found), documented_files()
    assert written <= documented
    assert {path for path, _ in documented - written if not of_a_model(path)} == set()


def documented_files() -> set[tuple[str, str]]:
    """Return each file that the document says is written, and the mode it gives."""
    files = section_of(DOCS / "security.md", "Files")
    return set(re.findall(r"^\| `([^`]+)` \| (\d{3}) \|", files, re.MULTILINE))


def of_a_model(path: str) -> bool:
    """Say whether it is made by `models add` of a model, which isn't at hand."""
    return path.partition("/")[0] == "models"


def documented_as_they_are(found: dict[str, Any]) -> set[tuple[str, str]]:
    """Return what lay in the data folder, as the document would name it."""
    patterns = [pattern for pattern, _ in documented_files()]
    return {
        (_pattern_of(each["path"].removeprefix("demo/"), patterns), each["mode"])
        for each in found["written"]
    }


def _pattern_of(path: str, patterns: Sequence[str]) -> str:
    depth = path.count("/")
    alike = [each for each in patterns if each.count("/") == depth]
    return next((each for each in alike if fnmatch(path, each)), path)


@pytest.mark.parametrize("code", [BY_PYTHON, BY_C_LIBRARY], ids=["python", "c library"])
def test_a_connection_in_the_search_path_is_found(
    planted: Callable[[str], Path], proven: Callable[..., dict[str, Any]], code: str
) -> None:
    unsealed = without_seal(planted(code))

    found = proven("sync", "search", of=unsealed)

    sent = {
        run["typed"].split()[1]: [each["to"] for each in run["packets"]]
        for run in found["runs"]
    }
    assert sent["search"][:1] == ["192.0.2.1"]
    assert sent["sync"] == []
    assert found["proven"] is False


@pytest.mark.parametrize("code", [BY_PYTHON, BY_C_LIBRARY], ids=["python", "c library"])
def test_the_seal_stops_a_connection_in_the_search_path(
    planted: Callable[[str], Path], proven: Callable[..., dict[str, Any]], code: str
) -> None:
    found = proven("sync", "search", of=planted(code))

    assert failures_of(found) == []
    assert [run for run in found["runs"] if run["packets"]] == []


@pytest.mark.parametrize("code", [A_FILE, A_FILE_FOR_A_MOMENT], ids=["lasting", "not"])
def test_a_file_that_is_written_elsewhere_is_found(
    planted: Callable[[str], Path], proven: Callable[..., dict[str, Any]], code: str
) -> None:
    found = proven("--without-network", "sync", "search", of=planted(code))

    outside = {path for run in found["runs"] for path in run["outside"]}
    assert outside & {"person/.device-id", "tmp"}
    assert found["files"] == "broken"


def test_a_command_that_does_nothing_proves_nothing(
    planted: Callable[[str], Path], proven: Callable[..., dict[str, Any]]
) -> None:
    broken = planted("raise SystemExit('I am offline')")

    found = proven("--without-network", "sync", "search", of=broken)

    failures = dict(failures_of(found))
    assert {why for why in failures.values() if "I am offline" in why}
    assert found["files"] == "unknown"
