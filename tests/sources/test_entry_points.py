"""Sources from other packages: installed like any package, found by entry point."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PAPER = re.findall(
    r"```python\n(.*?)```",
    (ROOT / "docs" / "sources.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[0]
"""The example in the documentation: what it shows is what runs here."""

OTHERS = """

class Nameless(Paper):
    name = "No Name"
    facts = ("everything",)


class Double(Paper):
    name = "codex"


class Failing(Paper):
    def read(self, unit, since):
        raise LookupError(unit.path.read_text(encoding="utf-8"))
        yield


class Broken:
    def __init__(self):
        raise RuntimeError("out of paper")
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Return a folder to install packages in, and lay down a history beside it."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "quoth_paper.py").write_text(PAPER + OTHERS, encoding="utf-8")
    (tmp_path / "paper").mkdir()
    talk = tmp_path / "paper" / "talk.paper"
    talk.write_text("the halyard chafes\nuse a new block\n", encoding="utf-8")
    return folder


def register(packages: Path, value: str, *, package: str = "quoth-paper") -> None:
    """Make the folder look as if pip had installed *package* with one source."""
    info = packages / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    points = f"[quoth.sources]\npaper = {value}\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def quoth(
    packages: Path,
    *args: str,
    cwd: Path | None = None,
    path: str | None = None,
    before: str = ":",
) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(packages.parent),
        "QUOTH_HOME": str(packages.parent / "archive"),
        "PYTHONPATH": os.pathsep.join(
            [str(ROOT / "src"), str(packages) if path is None else path]
        ),
    }
    return subprocess.run(
        ["/bin/sh", "-c", before + '; exec "$0" -m quoth "$@"', sys.executable, *args],
        env=environ,
        cwd=cwd,
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_a_source_of_another_package_is_synced_found_and_verified(
    packages: Path,
) -> None:
    register(packages, "quoth_paper:Paper")

    synced = quoth(packages, "sync")
    searched = quoth(packages, "search", "halyard", "--source", "paper", "--no-sync")
    (citation,) = [
        word for word in searched.stdout.split() if word.startswith("paper:")
    ]
    verified = quoth(packages, "verify", citation)

    assert (synced.returncode, searched.returncode, verified.returncode) == (0, 0, 0)
    assert "the halyard chafes" in searched.stdout
    assert "verified" in verified.stdout.lower()


def test_the_package_a_source_comes_from_is_named(packages: Path) -> None:
    register(packages, "quoth_paper:Paper")

    listed = quoth(packages, "sources").stdout

    assert "\npaper\n  From the package quoth-paper.\n" in listed
    assert f"{packages.parent / 'paper'}: 1 file, " in " ".join(listed.split())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("quoth_paper:Broken", "RuntimeError: out of paper"),
        ("no_such_module:Paper", "ModuleNotFoundError: No module named"),
        ("quoth_paper:NoSuchClass", "AttributeError: "),
        ("quoth_paper:Double", "there is a source codex already"),
        ("quoth_paper:Nameless", "its name is not of small letters, digits and _; its"),
        ("quoth_paper:Path", "has no method"),
    ],
)
def test_a_package_that_is_broken_costs_only_its_source_and_is_named(
    packages: Path, value: str, reason: str
) -> None:
    register(packages, value)
    (packages.parent / ".codex" / "sessions").mkdir(parents=True)

    listed, synced = quoth(packages, "sources"), quoth(packages, "sync")

    said = " ".join(listed.stdout.split())
    assert "The source paper of the package quoth-paper can't be used: " in said
    assert reason in said
    assert "claude_code" in said
    assert (listed.returncode, synced.returncode) == (0, 3)


def test_two_packages_with_one_name_are_told_apart(packages: Path) -> None:
    register(packages, "quoth_paper:Paper", package="a-paper")
    register(packages, "quoth_paper:Paper", package="b-paper")

    said = " ".join(quoth(packages, "sources").stdout.split())

    assert "From the package a-paper." in said
    assert "b-paper can't be used: there is a source paper already" in said


def test_a_source_that_fails_on_a_file_costs_that_file_and_quotes_nothing(
    packages: Path,
) -> None:
    register(packages, "quoth_paper:Failing")

    synced = quoth(packages, "sync")

    assert synced.returncode == 3
    assert "Could not read 1 file:" in synced.stdout
    assert "what reads it has a fault (LookupError)" in synced.stdout
    assert "halyard" not in synced.stdout + synced.stderr


@pytest.mark.parametrize("path", ["/nowhere", ""])  # an empty one is where one stands
def test_a_package_that_lies_in_the_current_folder_is_not_run(
    packages: Path, path: str
) -> None:
    (packages / "hostile.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n",
        encoding="utf-8",
    )
    register(packages, "hostile:Source")

    listed = quoth(packages, "sources", cwd=packages, path=path)

    assert "claude_code" in listed.stdout
    assert "quoth-paper" not in listed.stdout
    assert not (packages / "ran").exists()


def test_a_module_in_the_current_folder_is_not_taken_for_one_of_quoths(
    packages: Path,
) -> None:
    for name in ("click.py", "dataclasses.py"):
        (packages / name).write_text("raise SystemExit(9)\n", encoding="utf-8")

    listed = quoth(packages, "sources", cwd=packages, path="/nowhere")

    assert "claude_code" in listed.stdout
    assert listed.returncode == 0


def test_a_pipe_for_entry_points_is_not_waited_for(packages: Path) -> None:
    info = packages / "quoth_paper-1.0.dist-info"
    info.mkdir()
    os.mkfifo(info / "entry_points.txt")

    listed = quoth(packages, "sources")

    assert "claude_code" in listed.stdout
    assert listed.returncode == 0


def test_a_package_that_ends_the_program_costs_only_its_source(packages: Path) -> None:
    (packages / "quitter.py").write_text("raise SystemExit(7)\n", encoding="utf-8")
    register(packages, "quitter:Source")

    listed = quoth(packages, "sources")

    assert "can't be used: SystemExit: 7" in " ".join(listed.stdout.split())
    assert listed.returncode == 0


def test_why_a_package_is_broken_names_no_secret(packages: Path) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    (packages / "teller.py").write_text(
        f"raise ValueError('x' * 170 + ' {secret}')\n", encoding="utf-8"
    )
    register(packages, "teller:Source")

    listed = quoth(packages, "sources")

    assert "ValueError" in listed.stdout
    assert secret[:12] not in "".join(listed.stdout.split())


def test_where_the_current_folder_was_deleted_sources_are_listed(
    packages: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    listed = quoth(packages, "sources", cwd=gone, before='rmdir "$PWD"')

    assert "claude_code" in listed.stdout
    assert listed.returncode == 0
