"""What making vectors did, for people, and how far it is."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.model import EmbedProgress, EmbedReport

from ._layout import counted, duration, folded, one_line
from ._problems_text import refused_lines
from ._terminal import Terminal

__all__ = ["embed_text", "progress_text"]


def embed_text(report: EmbedReport, *, terminal: Terminal) -> str:
    """Return how many texts got vectors, and who serves now."""
    return "\n".join(
        line
        for sentence in _sentences(report)
        for line in folded(sentence, terminal.width)
    )


def progress_text(
    progress: EmbedProgress, *, elapsed: float, terminal: Terminal
) -> str:
    """Return how far embedding is, how fast, and how long it will take."""
    parts = [
        f"{100 * progress.done // max(progress.total, 1)}%",
        f"{progress.done:,} of {counted(progress.total, 'message')}",
    ]
    # The first second says little about the rest.
    if elapsed >= 1 and progress.done:
        rate = progress.done / elapsed
        parts.append(f"{rate:,.0f} a second" if rate >= 1 else f"{rate:.1f} a second")
        if left := progress.total - progress.done:
            parts.append(f"{duration(max(left / rate, 1))} left")
    return terminal.dot.join(parts)


def _sentences(report: EmbedReport) -> Iterator[str]:
    left = f", {counted(report.left, 'message')} left" if report.left else ""
    took = f" in {duration(report.took_s)}" if report.embedded else ""
    yield f"Embedded {counted(report.embedded, 'text')}{took}{left}."
    yield from refused_lines(report.refused)
    name = one_line(report.identity)
    if report.serves:
        yield f"Searches ask {name}."
    else:
        yield f"Searches ask the embedder from before, until {name} is through."
    for identity in report.pruned:
        yield f"Removed what {one_line(identity)} had made."
