"""Every exception quoth raises on purpose.

QuothError
├── UsageError               a value a person gave cannot be used        (exit 2)
│   └── EndpointError            an endpoint is not one, or not on this machine
├── SourceError              a place could not be read as conversations
│   ├── UnreadableUnitError      a file could not be opened or is no regular file
│   └── UnknownFormatError       no source recognises the path
├── EmbeddingError           text could not be turned into vectors
│   ├── ModelMissingError        the weights are not where they belong
│   ├── ModelNotServedError      the server has no such model
│   ├── CloudModelError          the model would not run on this machine
│   ├── OtherModelError          the model is not the one that made the vectors
│   └── VectorWidthError         vectors of another width were compared
├── ServerError              a server on this machine could not be used
│   ├── ServerUnreachableError   nothing listens there
│   ├── ServerTimeoutError       it took longer than it may
│   ├── ServerBusyError          it asks to be asked later
│   └── ServerAnswerError        it answered something else than asked for
├── ArchiveError             the archive on disk cannot be used
│   ├── ArchiveNotFoundError     nothing is there
│   ├── ArchiveTooNewError       a later quoth wrote it
│   ├── ArchiveOutdatedError     an earlier quoth wrote it and nobody migrated it yet
│   ├── ArchiveUnsafeError       others could read it, or it is a link
│   ├── ArchiveInaccessibleError  the system lets nobody write or read it
│   ├── ArchiveDamagedError      SQLite can't make sense of it
│   ├── ArchiveBusyError         another process is writing
│   └── SqliteTooOldError        this Python's SQLite lacks what an archive needs
├── SearchTooLongError       a question took longer than it may
├── LeakError                what was about to be printed still held something to hide
├── WithheldError            text that would take too much work to redact
├── NotRecordedError         a key, number or citation names nothing in the archive
└── SettingError             a setting is unknown or has a bad value
    └── UnknownSourceError       a setting is for a source that isn't installed

Anything else that escapes is a bug in quoth.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

__all__ = [
    "ArchiveBusyError",
    "ArchiveDamagedError",
    "ArchiveError",
    "ArchiveInaccessibleError",
    "ArchiveNotFoundError",
    "ArchiveOutdatedError",
    "ArchiveTooNewError",
    "ArchiveUnsafeError",
    "CloudModelError",
    "EmbeddingError",
    "EndpointError",
    "LeakError",
    "ModelMissingError",
    "ModelNotServedError",
    "NotRecordedError",
    "OtherModelError",
    "QuothError",
    "SearchTooLongError",
    "ServerAnswerError",
    "ServerBusyError",
    "ServerError",
    "ServerTimeoutError",
    "ServerUnreachableError",
    "SettingError",
    "SourceError",
    "SqliteTooOldError",
    "UnknownFormatError",
    "UnknownSourceError",
    "UnreadableUnitError",
    "UsageError",
    "VectorWidthError",
    "WithheldError",
]


class QuothError(Exception):
    """Base of the tree: one sentence for a person, and what to do next."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(QuothError):
    """A value a person gave cannot be used."""

    code = "usage"


class EndpointError(UsageError):
    """An endpoint is not written as one, or is not on this machine.

    It is never quoted: what somebody took for an endpoint may hold a password.
    """

    code = "endpoint"

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The endpoint can't be used: {why}.",
            hint="An endpoint is an address of this machine, such as"
            " http://localhost:11434 or http://127.0.0.1:8080/v1, without a user, a"
            " password or a query.",
        )


class SourceError(QuothError):
    """A place could not be read as conversations."""

    code = "source"


class UnreadableUnitError(SourceError):
    """A file could not be opened, or is no regular file."""

    code = "unreadable"

    def __init__(self, path: Path, *, why: str, is_gone: bool = False) -> None:
        super().__init__(f"{path} cannot be read: {why}.")
        self.path = path
        self.why = why
        self.is_gone = is_gone


class UnknownFormatError(SourceError):
    """No installed source recognises the path."""

    code = "unknown-format"

    def __init__(self, path: Path, *, tried: tuple[str, ...]) -> None:
        super().__init__(
            f"{path} holds no history quoth can read.",
            hint=f"Sources tried: {', '.join(tried)}.",
        )
        self.path = path


class EmbeddingError(QuothError):
    """Text could not be turned into vectors."""

    code = "embedding"


class ModelMissingError(EmbeddingError):
    """The weights are not where they belong; nothing is fetched instead."""

    code = "model-missing"

    def __init__(
        self,
        path: Path,
        *,
        what: str = "The embedding table",
        hint: str = "Install quoth again; its package brings the table.",
    ) -> None:
        super().__init__(f"{what} is missing at {path}.", hint=hint)


class VectorWidthError(EmbeddingError):
    """Vectors of another width were compared."""

    code = "vector-width"

    def __init__(self, *, query: int, stored: int) -> None:
        super().__init__(
            f"The question's vector has {query} dimensions, the stored ones {stored}."
        )


class ModelNotServedError(EmbeddingError):
    """The server on this machine has no such model; it was not asked for it."""

    code = "model-not-served"

    def __init__(self, name: str, origin: str, *, hint: str) -> None:
        super().__init__(f"The server at {origin} has no model {name!r}.", hint=hint)


class CloudModelError(EmbeddingError):
    """A server on this machine would send text elsewhere for this model."""

    code = "cloud-model"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name!r} would not run on this machine, so no text is given to it.",
            hint="Choose a model that the server has downloaded.",
        )


class OtherModelError(EmbeddingError):
    """The model is another than the one that made the vectors."""

    code = "other-model"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is not the model any more that made the archive's vectors.",
            hint="quoth embed makes them anew.",
        )


class ServerError(QuothError):
    """A server on this machine could not be used. What it sent is never quoted."""

    code = "server"


class ServerUnreachableError(ServerError):
    """Nothing listens at an endpoint."""

    code = "server-unreachable"

    def __init__(self, origin: str, *, why: str) -> None:
        super().__init__(
            f"No server can be reached at {origin}: {why}.",
            hint="Start the server, or correct the endpoint.",
        )


class ServerTimeoutError(ServerError):
    """A server took longer than it may, and was given up."""

    code = "server-timeout"

    def __init__(self, origin: str, *, seconds: float) -> None:
        super().__init__(
            f"The server at {origin} was given up after {round(seconds, 1):g} seconds.",
            hint="See whether it is busy or hangs, and try again.",
        )


class ServerBusyError(ServerError):
    """A server asks to be asked later."""

    code = "server-busy"

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"The server at {origin} is busy, or still loads its model.",
            hint="Try again in a moment.",
        )


class ServerAnswerError(ServerError):
    """A server answered something else than what it was asked for."""

    code = "server-answer"

    def __init__(self, origin: str, *, why: str) -> None:
        super().__init__(
            f"The server at {origin} can't be used: {why}.",
            hint="See that the endpoint is that of the server you mean, and what the"
            " server's own log says.",
        )


class ArchiveError(QuothError):
    """The archive on disk cannot be used."""

    code = "archive"


class ArchiveNotFoundError(ArchiveError):
    """There is no archive at the path."""

    code = "archive-not-found"

    def __init__(self, path: Path) -> None:
        super().__init__(f"No archive at {path}.", hint="Run `quoth sync` to make one.")


class ArchiveTooNewError(ArchiveError):
    """A later quoth wrote this archive."""

    code = "archive-too-new"

    def __init__(self, path: Path, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer quoth "
            f"(its schema is {found}, this one knows {known}). It was left untouched.",
            hint="Install the newer quoth, or point QUOTH_HOME elsewhere.",
        )


class ArchiveOutdatedError(ArchiveError):
    """An earlier quoth wrote this archive, and reading never migrates."""

    code = "archive-outdated"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} was written by an earlier quoth.",
            hint="Run `quoth sync` once; it brings the archive up to date.",
        )


class ArchiveUnsafeError(ArchiveError):
    """The archive's place is not private to its owner."""

    code = "archive-unsafe"


class ArchiveInaccessibleError(ArchiveError):
    """The system refuses to read or write the archive's place."""

    code = "archive-inaccessible"

    def __init__(self, path: Path, *, why: str) -> None:
        super().__init__(
            f"{path} can't be used: {why}.",
            hint="See who may write there and whether the disk is full, or point"
            " QUOTH_HOME elsewhere.",
        )


class ArchiveDamagedError(ArchiveError):
    """SQLite cannot make sense of the archive."""

    code = "archive-damaged"

    def __init__(self, path: Path, *, why: str) -> None:
        super().__init__(
            f"{path} is damaged: {why}.",
            hint="Restore it from a backup, or move it away and run `quoth sync`.",
        )


class ArchiveBusyError(ArchiveError):
    """Another process holds the write lock."""

    code = "archive-busy"

    def __init__(self, *, holder: str, waited_s: float) -> None:
        super().__init__(
            f"The archive is being written by {holder} (waited {waited_s:.1f} s).",
            hint="Try again when it has finished.",
        )


class SqliteTooOldError(ArchiveError):
    """This Python's SQLite lacks something that every archive needs."""

    code = "sqlite-too-old"

    def __init__(self, *, found: str, needed: str, lacking: Sequence[str]) -> None:
        super().__init__(
            f"This Python comes with SQLite {found}, which lacks {', '.join(lacking)}.",
            hint=f"Run quoth with a Python whose SQLite is {needed} or later and has"
            " FTS5, such as one from python.org or your system's newest.",
        )
        self.lacking = tuple(lacking)


class SearchTooLongError(QuothError):
    """A question took longer than one may, and was given up."""

    code = "search-too-long"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The search was given up after {seconds:.0f} seconds.",
            hint="Ask with fewer words, or narrow it down with a filter.",
        )


class LeakError(QuothError):
    """Output that leaves quoth still held something to hide, and was not given out."""

    code = "leak"

    def __init__(self, rules: Sequence[str]) -> None:
        why = "takes too much work to look at"
        if rules:
            many = len(rules) > 1
            found = (
                f"rules {', '.join(rules)} find" if many else f"rule {rules[0]} finds"
            )
            why = f"still holds what the {found}"
        super().__init__(
            f"Nothing was printed: the finished output {why}.",
            hint="This is a bug in quoth: please report it, without the text. Until"
            " then, narrow down what is asked for.",
        )
        self.rules = tuple(rules)


class WithheldError(QuothError):
    """Redacting a text would have taken far more work than its length justifies."""

    code = "withheld"

    def __init__(self) -> None:
        super().__init__(
            "Nothing was printed: it would take too much work to tell what is secret"
            " in this text.",
            hint="Leave out what repeats without end, such as encoded data.",
        )


class NotRecordedError(QuothError):
    """A key, a number or a citation names nothing in the archive."""

    code = "not-recorded"


class SettingError(QuothError):
    """A setting is unknown or has a value it can't have."""

    code = "setting"


class UnknownSourceError(SettingError):
    """A setting is for a source that is not installed."""

    code = "unknown-source"

    def __init__(self, name: str, *, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        close = get_close_matches(name, known, n=1)
        meant = f"Did you mean paths.{close[0]}? " if close else ""
        super().__init__(
            f"There is no source {name}, which the setting paths.{name} is for.",
            hint=f"{meant}Sources: {', '.join(known)}.",
        )
