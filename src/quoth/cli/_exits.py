"""The exit statuses, as docs and scripts know them."""

from __future__ import annotations

__all__ = [
    "DONE",
    "FAILED",
    "INTERRUPTED",
    "READER_LEFT",
    "SKIPPED_SOME",
    "WRONG_USAGE",
]

DONE = 0
FAILED = 1
WRONG_USAGE = 2
SKIPPED_SOME = 3
INTERRUPTED = 130
READER_LEFT = 141
"""The reader of a pipe went away (as in `| head`): what a killed filter reports."""
