"""A source that reads what a test has laid down for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

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

__all__ = ["Scripted", "Step", "lay_down"]

Step = Append | Replace | Skipped


class Scripted:
    """Reads from each file, whatever is in it, what a test has laid down for it."""

    name = "scripted"
    parser_version = 1
    facts = frozenset(Fact)

    def __init__(self) -> None:
        self.readings: dict[Path, list[list[Step]]] = {}

    def default_roots(
        self,
        environ: Mapping[str, str],  # noqa: ARG002
        *,
        home: Path,  # noqa: ARG002
    ) -> Sequence[Path]:
        return ()

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        for root in roots:
            for path in sorted(root.glob("*")):
                left = len(self.readings[path])
                yield Unit(path=path, stamp=f"{left} left", size=path.stat().st_size)

    def read(self, unit: Unit, since: Checkpoint | None) -> Iterator[Step]:  # noqa: ARG002
        yield from self.readings[unit.path].pop(0) if self.readings[unit.path] else ()

    def recognises(self, unit: Unit) -> bool:
        return unit.path in self.readings

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:  # noqa: ARG002
        return ()


def lay_down(
    folder: Path, source: Scripted, *readings: Sequence[Step], name: str = "one"
) -> None:
    path = folder / source.name / name
    path.write_bytes(b"")
    source.readings[path] = [*map(list, readings)]
