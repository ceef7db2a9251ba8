"""Count what the samples hold, and write the numbers down.

Run from the project's folder: python -m tests.independent.count SAMPLES [FILE]

With a FILE it prints what counts in it, line by line, to be counted by eye.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from . import claude_code, codex, gemini_cli

__all__ = ["ASSISTANTS", "EXPECTED", "count_of", "counted", "samples_in"]

EXPECTED = Path(__file__).parent / "expected.json"
ASSISTANTS: dict[str, Callable[[Path], dict[str, int]]] = {
    "claude-code": claude_code.count,
    "codex": codex.count,
    "gemini-cli": gemini_cli.count,
}
LISTINGS: dict[str, Callable[[Path], Iterable[str]]] = {
    "claude-code": claude_code.listing,
    "codex": codex.listing,
    "gemini-cli": gemini_cli.listing,
}
KINDS = {
    "claude-code": ("*.jsonl",),
    "codex": ("*.jsonl", "legacy/*.json*", "paginated/**/*.jsonl*"),
    "gemini-cli": ("*.json*",),
}
REAL = (
    "entire__",
    "episodic-memory__",
    "claude-reliability__",
    "claude-code-viewer__mock-global-claude-dir__projects__sample-project__1af",
    "claude-code-viewer__mock-global-claude-dir__projects__sample-project__5c0",
    "claude-code-viewer__mock-global-claude-dir__projects__sample-project__fe5",
    "localpush__",
)
"""How the names of recorded sessions begin; the others were written by hand."""


def samples_in(folder: Path) -> list[Path]:
    """Return the transcripts among the samples, but no list of prompts."""
    found = {
        path
        for assistant, patterns in KINDS.items()
        for pattern in patterns
        for path in (folder / assistant).glob(pattern)
    }
    return sorted(path for path in found if not path.name.endswith("history.jsonl"))


def count_of(folder: Path, sample: Path) -> dict[str, int]:
    """Return every number of a sample that is not zero."""
    assistant = sample.relative_to(folder).parts[0]
    found = ASSISTANTS[assistant](sample)
    return {unit: number for unit, number in sorted(found.items()) if number}


def counted(folder: Path, sample: Path) -> dict[str, object]:
    """Return what is written down of a sample."""
    return {
        "sha256": hashlib.sha256(sample.read_bytes()).hexdigest(),
        "real": sample.name.startswith(REAL),
        "counts": count_of(folder, sample),
    }


def main(arguments: list[str]) -> None:
    """Write all numbers down, or list one file."""
    folder = Path(arguments[0])
    if len(arguments) > 1:
        sample = Path(arguments[1])
        lines = LISTINGS[sample.relative_to(folder).parts[0]](sample)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    numbers = {
        str(sample.relative_to(folder)): counted(folder, sample)
        for sample in samples_in(folder)
    }
    EXPECTED.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
