"""`log.md`: every run that was worth keeping, and the last one of a kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

__all__ = ["COLUMNS", "LOG", "last_row", "row_of", "write"]

LOG = Path(__file__).with_name("log.md")
COLUMNS = ("hit@1", "hit@5", "hit@10", "R@5", "R@10", "all@5", "MRR", "nDCG@10")

_ROW = re.compile(r"^\| (?P<set>\S+) \| (?P<ranker>\S+) \| (?P<unit>\S+) \| (.+) \|$")


def row_of(
    name: str, ranker: str, unit: str, count: int, means: Mapping[str, float]
) -> str:
    """Return a row of the table, in percent."""
    figures = " | ".join(f"{100 * means[measure]:.1f}" for measure in COLUMNS)
    return f"| {name} | {ranker} | {unit} | {count} | {figures} |"


def last_row(text: str, name: str, ranker: str, unit: str) -> dict[str, float] | None:
    """Return the figures that were logged last for one set, ranker and unit."""
    for line in reversed(text.splitlines()):
        found = _ROW.match(line)
        if found and found.group("set", "ranker", "unit") == (name, ranker, unit):
            _, *figures = found[4].split(" | ")
            return dict(zip(COLUMNS, map(float, figures), strict=True))
    return None


def write(entry: str) -> None:
    """Append an entry."""
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f"\n{entry.strip()}\n")
