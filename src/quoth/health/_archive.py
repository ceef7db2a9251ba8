"""Does the archive contradict itself? Each group of questions is one check."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from quoth.errors import (
    ArchiveDamagedError,
    ArchiveNotFoundError,
    ArchiveOutdatedError,
    QuothError,
)
from quoth.model import Finding, Section
from quoth.passages import is_worth_embedding
from quoth.store import DATABASE, ArchiveReader, Policy, explained
from quoth.store.checking import (
    Fault,
    conversation_faults,
    doc_value_faults,
    file_faults,
    has_log,
    owner_faults,
    row_faults,
    title_faults,
    unit_faults,
    vector_faults,
    word_faults,
)

from ._finding import counted, in_our_words, ok, problem, warning

__all__ = [
    "POLICY",
    "REPAIR",
    "archive_checks",
    "newest_rules",
    "open_reader",
    "traces",
    "write_ahead_log",
]

_ARCHIVE = Section.ARCHIVE
REPAIR = "quoth doctor --repair"
_RESTORE = (
    "Keep a copy of quoth.db, then restore a backup; or move it away and run"
    " `quoth sync`, which reads again what the sources still have."
)
POLICY = Policy(embeddable=is_worth_embedding, repo_of=lambda _: None)
"""The writer's, but for repositories: what is stored of them is never derived anew."""


def open_reader(home: Path) -> ArchiveReader | Finding:
    """Return the archive, opened to be read, or why it can't be."""
    check = "archive"
    try:
        with explained(home):
            return ArchiveReader(home)
    except ArchiveNotFoundError:
        if any(home.glob("vectors/*/*")):
            return problem(
                _ARCHIVE,
                check,
                f"There are vectors of an archive, but {home / DATABASE} is missing or"
                " empty.",
                _RESTORE,
            )
        return ok(_ARCHIVE, check, "There is no archive yet. Make one with: quoth sync")
    except ArchiveOutdatedError as error:
        return warning(_ARCHIVE, check, str(error), error.hint)
    except ArchiveDamagedError as error:
        return problem(_ARCHIVE, check, str(error), _RESTORE)
    except QuothError as error:
        return problem(_ARCHIVE, check, str(error), error.hint)


def archive_checks(
    reader: ArchiveReader, home: Path, *, most: int | None
) -> Iterator[Finding]:
    """Yield what every check of the archive's own consistency finds.

    Args:
        most: How many messages are compared with the word index; None for all.
    """
    connection = reader.connection
    looks: Sequence[tuple[str, str, str, Callable[[], list[Fault]]]] = (
        ("sqlite", "SQLite's own check", _RESTORE, lambda: file_faults(connection)),
        (
            "rows",
            "Messages, texts and what holds them",
            _RESTORE,
            lambda: row_faults(connection),
        ),
        (
            "conversations",
            "Conversations, their counts and lists",
            REPAIR,
            lambda: conversation_faults(connection),
        ),
        (
            "homes",
            "Where messages are listed",
            REPAIR,
            lambda: owner_faults(connection),
        ),
        (
            "word-index",
            "The word index",
            REPAIR,
            lambda: word_faults(connection, POLICY, most=most),
        ),
        (
            "title-index",
            "The index of titles",
            REPAIR,
            lambda: title_faults(connection),
        ),
        (
            "doc-values",
            "What ranking knows of messages",
            REPAIR,
            lambda: doc_value_faults(connection),
        ),
        (
            "vectors",
            "Vectors and their texts",
            REPAIR,
            lambda: vector_faults(connection),
        ),
        (
            "checkpoints",
            "Where reading goes on",
            REPAIR,
            lambda: unit_faults(connection),
        ),
    )
    for check, about, advice, look in looks:
        yield _finding(home, check, about, advice, look)


def write_ahead_log(reader: ArchiveReader, home: Path) -> Iterator[Finding]:
    """Say whether a search and a sync can work side by side on this file system."""
    if not os.access(home, os.W_OK):
        return  # nobody writes there, and it is opened without a log
    if has_log(reader.connection):
        yield ok(_ARCHIVE, "log", "A search and a sync work side by side here (WAL).")
    else:
        yield warning(
            _ARCHIVE,
            "log",
            "No write-ahead log here: a search waits for a sync, and the other way.",
            "Put the data folder on a local disk; network drives can't share one.",
        )


def newest_rules(reader: ArchiveReader, stamp: str) -> Iterator[Finding]:
    """Say whether all that is stored went through today's rules, by their *stamp*."""
    if not reader.is_behind:
        yield ok(_ARCHIVE, "rules", "All that is stored went through today's rules.")
        return
    waiting = counted(reader.waiting_for_rules(stamp), "message")
    yield warning(
        _ARCHIVE,
        "rules",
        f"The secret rules are newer than what is stored: {waiting} to go through."
        " Until then answers are redacted as they are given.",
        "Run `quoth sync`.",
    )


def traces(reader: ArchiveReader) -> Iterator[Finding]:
    """Say whether bytes of what was taken out may be in the files still."""
    if reader.has_traces:
        yield warning(
            _ARCHIVE,
            "traces",
            "Traces of what was forgotten or redacted may still be in quoth's files.",
            "Run `quoth sync` while no other program reads the archive.",
        )
    else:
        yield ok(_ARCHIVE, "traces", "Of what was taken out there is no trace left.")


def _finding(
    home: Path, check: str, about: str, advice: str, look: Callable[[], list[Fault]]
) -> Finding:
    try:
        with in_our_words(home):
            faults = look()
    except QuothError as error:
        return problem(_ARCHIVE, check, f"{about}: {error}", advice)
    if not faults:
        return ok(_ARCHIVE, check, f"{about}: nothing wrong.")
    total = sum(fault.count for fault in faults)
    return problem(
        _ARCHIVE,
        check,
        f"{about}: {counted(total, 'fault')}.",
        advice,
        *(f"{fault.what}: {fault.count:,}" for fault in faults),
    )
