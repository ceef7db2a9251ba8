"""What could not be read or used, by file, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quoth.model import FailedUnit, SkippedRecords

from ._layout import counted, one_line

__all__ = ["by_name", "listed", "problem_lines"]

_MOST_FILES = 10


def problem_lines(
    skipped: Sequence[SkippedRecords], failed: Sequence[FailedUnit]
) -> Iterator[str]:
    """Yield the records that were skipped and the files that could not be read."""
    if skipped:
        total = sum(sum(unit.reasons.values()) for unit in skipped)
        yield f"Skipped {counted(total, 'record')}:"
        yield from listed(f"{unit.path}: {by_name(unit.reasons)}" for unit in skipped)
    if failed:
        yield f"Could not read {counted(len(failed), 'file')}:"
        yield from listed(f"{unit.path}: {unit.reason}" for unit in failed)


def listed(files: Iterable[str]) -> Iterator[str]:
    """Yield a line for each of the first files, and how many more there are."""
    lines = list(files)
    for line in lines[:_MOST_FILES]:
        yield f"  {one_line(line)}"
    if (more := len(lines) - _MOST_FILES) > 0:
        yield f"  and {counted(more, 'more file')}: --json lists all"


def by_name(counts: Mapping[str, int]) -> str:
    """Return "3 api-key, 1 jwt", the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number:,} {one_line(name)}" for name, number in ordered)
