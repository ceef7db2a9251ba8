"""What an adapter must offer: find its units, read one from a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from quoth.model import (
    Append,
    Checkpoint,
    Fact,
    Message,
    Origin,
    Replace,
    Skipped,
    Unit,
)

__all__ = ["Source"]


class Source(Protocol):
    """One assistant's history and how it is read. It never writes and knows no store.

    Attributes:
        name: Stable identifier, stored with every conversation.
        parser_version: Raised when the same bytes would be read differently; every
            unit that is still there is then read again from its start.
        facts: What its format can tell at all.
    """

    name: str
    parser_version: int
    facts: frozenset[Fact]

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the places where the assistant keeps its history, existing or not."""

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every unit under *roots* in a stable order, opening no file.

        An archive such as a zip may be opened for the list of its members. A root may
        also be one of the source's own files.
        """

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield the unit in batches of at most a few hundred records.

        The first batch is `Append` when *since* still fits the bytes before it, and
        `Replace` when the unit has to be read from its start. The records of all
        batches up to a checkpoint are the same however often reading was interrupted.

        Raises:
            UnreadableUnitError: The unit cannot be opened.
        """

    def recognises(self, unit: Unit) -> bool:
        """Say from its first lines whether a unit a person named is of this format."""

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again the messages that come from one place in the unit.

        Raises:
            UnreadableUnitError: The unit cannot be opened.
        """
