"""What the sources that read exports have in common: all but what a conversation is.

What reads an export is imported with the first: a search only asks which there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from quoth.model import Append, Checkpoint, Message, Origin, Replace, Skipped, Unit

from ._exports import export_units

if TYPE_CHECKING:
    from ._export_reading import Teller

__all__ = ["ExportSource"]


class ExportSource(ABC):
    """Exports: a zip, its folder or one of its files; only paths given.

    Attributes:
        key: What every conversation has, and tells whose export it is.
    """

    key: ClassVar[str]

    @abstractmethod
    def teller(self) -> Teller:
        """Return what makes a conversation of an item."""

    def default_roots(
        self,
        environ: Mapping[str, str],  # noqa: ARG002
        *,
        home: Path,  # noqa: ARG002
    ) -> Sequence[Path]:
        """Return nothing: an export lies wherever a browser put it."""
        return ()

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every file of conversations, in zips too; see `export_units`."""
        yield from export_units(roots)

    def read(
        self,
        unit: Unit,
        since: Checkpoint | None,  # noqa: ARG002 - an export never grows
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield all conversations of a unit in batches.

        Raises:
            UnreadableUnitError: It cannot be opened.
        """
        from ._export_reading import read_export

        yield from read_export(unit, key=self.key, tell=self.teller())

    def recognises(self, unit: Unit) -> bool:
        """Say whether one of the first values is a conversation of this service."""
        from ._export_reading import holds_key

        return holds_key(unit, key=self.key)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again one message of a conversation; see `Source.read_at`."""
        from ._export_reading import told_at

        return told_at(unit, origin, tell=self.teller())
