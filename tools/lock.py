"""Write requirements.lock and requirements-runtime.lock from pyproject.toml.

    python3 tools/lock.py              keep the pins that still fit, add what is missing
    python3 tools/lock.py --upgrade    take the newest release of everything

Needs a package index; nothing else in the project does after `make test` ran once.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = "requirements.lock"
RUNTIME = "requirements-runtime.lock"
HEADERS = {
    EVERYTHING: "Everything quoth is run, tested, checked and built with.",
    RUNTIME: "What an installed quoth needs: a part of requirements.lock.",
}


def main() -> int:
    """Resolve both files in a throw-away environment and return an exit status."""
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
    return 0


def _install_uv(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
    return folder / "bin" / "uv"


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
