"""What redaction replaced, for people."""

from __future__ import annotations

from collections.abc import Mapping

from ._layout import columns, counted, folded
from ._problems_text import by_name, ordered
from ._terminal import Terminal

__all__ = ["redacted_line", "report_text"]

_FLOOR = "A floor, not a promise."


def report_text(counts: Mapping[str, int], *, terminal: Terminal) -> str:
    """Return a table of how often each rule replaced something."""
    if not counts:
        return "\n".join(folded(redacted_line(counts), terminal.width))
    rows = [("rule", "replaced")]
    rows += [(name, f"{number:,}") for name, number in ordered(counts)]
    table = columns(rows, terminal.width) or [" ".join(row) for row in rows]
    return "\n".join([terminal.dim(table[0]), *table[1:], _FLOOR])


def redacted_line(counts: Mapping[str, int]) -> str:
    """Return how much was replaced in an output, in one sentence."""
    if not counts:
        return f"Nothing was found to redact. {_FLOOR}"
    total = counted(sum(counts.values()), "place")
    return f"Redacted {total}: {by_name(counts)}. {_FLOOR}"
