"""Letting newer rules go through all that is stored, before anything is read."""

from __future__ import annotations

from collections.abc import Callable

from quoth.model import Progress
from quoth.redaction import Redactor
from quoth.store import ArchiveWriter

__all__ = ["redact_anew"]


def redact_anew(
    writer: ArchiveWriter,
    redactor: Redactor,
    *,
    is_late: Callable[[], bool],
    progress: Callable[[Progress], None] | None,
) -> tuple[int, bool]:
    """Redact the archive anew if its rules were others; say what changed, and if all.

    However short the time, a part is done. What changed is the number of messages, of
    this time alone.
    """
    if writer.went_through(redactor):
        return 0, True
    total = writer.waiting_for_rules(redactor.stamp)
    done = changed = 0
    while True:
        part = writer.reredact(redactor)
        changed += part.changed
        if part.is_last:
            return changed, True
        done += part.messages
        if progress is not None:
            progress(Progress(messages=done, messages_total=total))
        if is_late():
            return changed, False
