"""What a sync did, for people, and how far one is while it runs."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.model import Progress, SyncReport

from ._layout import counted, duration, folded, one_line, size
from ._problems_text import (
    by_name,
    listed,
    problem_lines,
    refused_lines,
    unloaded_lines,
)
from ._terminal import Terminal

__all__ = ["progress_text", "sync_text"]


def sync_text(report: SyncReport, *, terminal: Terminal) -> str:
    """Return what the sync changed, kept, and could not do."""
    sentences = [
        *_changes(report),
        *_kept(report),
        *_passed_over(report),
        *_problems(report),
        f"Took {duration(report.took_s)}.",
    ]
    return "\n".join(
        line for sentence in sentences for line in folded(sentence, terminal.width)
    )


def progress_text(progress: Progress, *, elapsed: float, terminal: Terminal) -> str:
    """Return how far a sync is, in one line."""
    if progress.messages_total:
        share = 100 * progress.messages // progress.messages_total
        messages = counted(progress.messages_total, "stored message")
        return f"newer secret rules {min(100, share)}%{terminal.dot}{messages}"
    parts = [
        f"{one_line(progress.source)} {_percent(progress)}%",
        f"{size(progress.bytes)} of {size(progress.bytes_total)}",
        counted(progress.messages, "message"),
    ]
    # The first second says little about the rest.
    if elapsed >= 1 and 0 < progress.bytes < progress.bytes_total:
        left = elapsed * (progress.bytes_total - progress.bytes) / progress.bytes
        parts.append(f"{duration(max(left, 1))} left")
    return terminal.dot.join(parts)


def _percent(progress: Progress) -> int:
    if not progress.bytes_total:
        return 100
    return min(100, 100 * progress.bytes // progress.bytes_total)


def _changes(report: SyncReport) -> Iterator[str]:
    if not report.units and not report.failed and not report.unavailable:
        yield "Found no history to read."
        for place in dict.fromkeys(report.places):
            yield f"  looked in {one_line(str(place))}"
        yield "Take in an export, a file or a folder: quoth import PATH"
        return
    yield _conversations(report)
    files = counted(report.units, "file")
    yield f"Read {report.units_read:,} of {files}, {size(report.bytes_read)}."
    if report.embedded or report.not_embedded:
        left = (
            f", {counted(report.not_embedded, 'message')} left"
            if report.not_embedded
            else ""
        )
        yield f"Embedded {counted(report.embedded, 'text')}{left}."
    yield from refused_lines(report.refused)
    if report.meaning_off:
        yield f"No more could be embedded: {one_line(report.meaning_off)}"


def _conversations(report: SyncReport) -> str:
    counts = {
        counted(report.conversations_new, "new conversation"): report.conversations_new,
        counted(report.subagents_new, "new subagent"): report.subagents_new,
        f"{report.conversations_changed:,} changed": report.conversations_changed,
        counted(report.messages_new, "new message"): report.messages_new,
        f"{report.messages_superseded:,} kept apart as superseded": (
            report.messages_superseded
        ),
    }
    said = [text for text, number in counts.items() if number]
    return f"{', '.join(said)}." if said else "Nothing new."


def _kept(report: SyncReport) -> Iterator[str]:
    if report.gone:
        conversations = counted(report.gone, "conversation")
        new = f", {report.newly_gone:,} of them newly" if report.newly_gone else ""
        yield f"{conversations} gone at the source and kept here{new}."
    if report.redacted:
        total = counted(sum(report.redacted.values()), "secret")
        yield f"Redacted {total}: {by_name(report.redacted)}."
    if report.reredacted:
        messages = counted(report.reredacted, "stored message")
        yield f"Newer rules found secrets in {messages} and took them out."
    if report.kept_out:
        messages = counted(report.kept_out, "message")
        yield f"{messages} kept out, as forgotten or under a never_index rule."
    if report.units_kept_out:
        files = counted(report.units_kept_out, "file")
        they = "it" if report.units_kept_out == 1 else "they"
        yield (
            f"{files} not opened: all {they} told is forgotten or under a never_index"
            " rule."
        )
    if report.purged:
        purged = counted(report.purged, "conversation")
        yield f"Forgot {purged} under a never_index rule."


def _passed_over(report: SyncReport) -> Iterator[str]:
    if ignored := sum(report.ignored.values()):
        yield f"{counted(ignored, 'bookkeeping record')} passed over."


def _problems(report: SyncReport) -> Iterator[str]:
    yield from problem_lines(report.skipped, report.failed)
    yield from unloaded_lines(report.unloaded)
    if report.unrecognised:
        files = counted(len(report.unrecognised), "file")
        yield f"Passed over {files} not recognised as a history:"
        yield from listed((str(path),) for path in report.unrecognised)
    if report.unavailable:
        yield "Held history before and cannot be reached now (what was read is kept):"
        yield from listed((str(path),) for path in report.unavailable)
