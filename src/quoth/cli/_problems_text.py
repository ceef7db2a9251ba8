"""What could not be read or used, by file, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quoth.model import FailedUnit, SkippedRecords, UnloadedSource

from ._layout import counted, one_line

__all__ = [
    "by_name",
    "listed",
    "ordered",
    "problem_lines",
    "refused_lines",
    "unloaded_lines",
]

_MOST_FILES = 10
_MOST_REASONS = 10


def problem_lines(
    skipped: Sequence[SkippedRecords], failed: Sequence[FailedUnit]
) -> Iterator[str]:
    """Yield the records that were skipped and the files that could not be read."""
    if skipped:
        total = sum(sum(unit.reasons.values()) for unit in skipped)
        yield f"Skipped {counted(total, 'record')}:"
        yield from listed(map(_with_reasons, skipped))
    if failed:
        yield f"Could not read {counted(len(failed), 'file')}:"
        yield from listed((f"{_name(unit)}: {unit.reason}",) for unit in failed)


def unloaded_lines(unloaded: Sequence[UnloadedSource]) -> Iterator[str]:
    """Yield the sources of other packages that can't be used."""
    for source in unloaded:
        yield (
            f"The source {source.name} of the package {source.package} can't be used: "
            f"{source.reason}"
        )


def refused_lines(refused: Mapping[str, int]) -> Iterator[str]:
    """Yield how many texts an embedder could not take, and why."""
    if total := sum(refused.values()):
        yield (
            f"{counted(total, 'text')} could not be embedded, and "
            f"{'is' if total == 1 else 'are'} found by words alone:"
        )
        for why, number in ordered(refused)[:_MOST_REASONS]:
            yield f"  {number:,}: {one_line(why)}"


def listed(files: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the first files, each a line and what belongs to it, and how many more."""
    entries = list(files)
    for name, *about in entries[:_MOST_FILES]:
        yield f"  {one_line(name)}"
        yield from (f"    {one_line(line)}" for line in about)
    if (more := len(entries) - _MOST_FILES) > 0:
        yield f"  and {counted(more, 'more file')}: --json lists all"


def by_name(counts: Mapping[str, int]) -> str:
    """Return "3 api-key, 1 jwt", the most frequent first."""
    return ", ".join(f"{number:,} {one_line(name)}" for name, number in ordered(counts))


def _with_reasons(unit: SkippedRecords) -> Sequence[str]:
    by_number = ordered(unit.reasons)
    reasons = [
        f"{counted(number, 'record')}: {reason}"
        for reason, number in by_number[:_MOST_REASONS]
    ]
    if rest := by_number[_MOST_REASONS:]:
        records = counted(sum(number for _, number in rest), "record")
        reasons.append(f"{records}: for other reasons, which --json lists")
    return (_name(unit), *reasons)


def _name(unit: SkippedRecords | FailedUnit) -> str:
    return f"{unit.path} ({unit.part})" if unit.part else str(unit.path)


def ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the counts, the largest first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
