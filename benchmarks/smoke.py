"""The speed figures on a small history: seconds to run, and no time makes it fail.

python benchmarks/smoke.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchmarks.speed import measure, report
else:  # run by path, this folder is the first place imports are looked for in
    from speed import measure, report

MESSAGES: Final = 1_000
FILES: Final = 200
RUNS: Final = 3


def main() -> None:
    """Print every figure, or break where something of quoth is broken."""
    with tempfile.TemporaryDirectory(prefix="quoth-smoke-") as place:
        print(report(measure(Path(place), messages=MESSAGES, files=FILES, runs=RUNS)))


if __name__ == "__main__":
    main()
