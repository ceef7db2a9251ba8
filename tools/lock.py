"""Write the lock files from pyproject.toml.

    python3 tools/lock.py              keep the pins that still fit, add what is missing
    python3 tools/lock.py --upgrade    take the newest release of everything

requirements.lock is what quoth is developed with, requirements-runtime.lock what an
installed quoth needs, and requirements-lowest.lock the oldest releases that it says it
works with, and the tools to test that.

Needs a package index; nothing else in the project does after `make test` ran once.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = "requirements.lock"
RUNTIME = "requirements-runtime.lock"
LOWEST = "requirements-lowest.lock"
HEADERS = {
    EVERYTHING: "Everything quoth is run, tested, checked and built with.",
    RUNTIME: "What an installed quoth needs: a part of requirements.lock.",
    LOWEST: "The oldest releases quoth works with, and what its tests need.",
}
OLDEST_WHEELS = (
    "numpy>=2.1.0 ; python_version >= '3.13'",
    "zstandard>=0.23.0 ; python_version >= '3.13'",
)
"""Older releases that pyproject.toml allows have no wheels for a newer Python."""


def main() -> int:
    """Resolve every file in a throw-away environment and return an exit status."""
    upgrade = sys.argv[1:] == ["--upgrade"]
    if sys.argv[1:] and not upgrade:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        uv = _install_uv(Path(folder))
        _compile(
            uv, EVERYTHING, ["--group", "dev", *(["--upgrade"] if upgrade else [])]
        )
        _compile(uv, RUNTIME, ["--constraint", EVERYTHING, "--upgrade"])
        tools = Path(folder) / "constraints.txt"
        tools.write_text("\n".join((*OLDEST_WHEELS, _tools_alone())), encoding="utf-8")
        lowest = ["--group", "test", "--resolution", "lowest-direct", "--upgrade"]
        _compile(uv, LOWEST, [*lowest, "--constraint", str(tools)])
    return 0


def _install_uv(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
    return folder / "bin" / "uv"


def _tools_alone() -> str:
    """Return the pins of requirements.lock without those of quoth's dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    runtime = {re.split(r"[^\w-]", each)[0] for each in project["dependencies"]}
    pins = re.findall(r"^[a-z].*==\S+.*$", (ROOT / EVERYTHING).read_text("utf-8"), re.M)
    kept = (pin.rstrip(" \\") for pin in pins if pin.split("==")[0] not in runtime)
    return "\n".join(kept)


def _compile(uv: Path, target: str, options: list[str]) -> None:
    """Pin for every platform and Python from 3.11 on, with every file's hash."""
    command = [str(uv), "pip", "compile", "pyproject.toml", "--output-file", target]
    fixed = ["--universal", "--python-version", "3.11", "--generate-hashes"]
    quiet = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url"]
    subprocess.run([*command, *fixed, *quiet, *options], cwd=ROOT, check=True)
    path = ROOT / target
    header = (f"# {HEADERS[target]}\n", "# Made by tools/lock.py; not for editing.\n")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    pins = (line for line in lines if not line.startswith("#"))
    path.write_text("".join((*header, *pins)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
