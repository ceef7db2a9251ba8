"""Codex: rollouts of its CLI, desktop app, editor extension and `codex exec`.

What reads a rollout is imported with the first: a search only asks which there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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

from ._codex_index import ARCHIVE, SESSIONS, ThreadIndex
from ._codex_name import FileName
from ._files import files_under, spelled

__all__ = ["Codex"]

_COMPRESSED = ".zst"
_ENDINGS = (".jsonl", ".json", f".jsonl{_COMPRESSED}")


class Codex:
    """Rollout files: lines of one thread each, which may go on in further files."""

    name = "codex"
    parser_version = 2
    facts = frozenset(Fact)

    def __init__(self) -> None:
        self._index = ThreadIndex()
        self._rollouts: dict[str, Path] = {}  # by what the files of a thread share

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the folders of current and of archived threads."""
        given = environ.get("CODEX_HOME")
        folder = Path(given).expanduser() if given else home / ".codex"
        return (folder / SESSIONS, folder / ARCHIVE)

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every rollout, of a thread found twice the one to be preferred.

        A plain file goes before a compressed one, and the current folder before the
        archive: what moves there is the same thread. Of copies of a file the longest
        counts. They come in the order in which they were begun, so that what a file
        continues was read before it.
        """
        keyed = [
            (unit, _key(unit.path))
            for unit in files_under(roots, wanted=_is_rollout)
            if unit.path.parent.name != ".tmp"
        ]
        best: dict[str, tuple[bool, bool]] = {}
        for unit, key in keyed:
            best[key] = min(_rank(unit.path), best.get(key, (True, True)))
        chosen: dict[tuple[str, str], Unit] = {}
        for unit, key in keyed:
            if _rank(unit.path) == best[key]:
                other = chosen.setdefault((unit.path.name, key), unit)
                if unit.size > other.size:
                    chosen[unit.path.name, key] = unit
        self._rollouts |= {key: unit.path for (_, key), unit in chosen.items()}
        for place in sorted(chosen):
            yield _as_it_can_be_read(chosen[place])

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a rollout in batches; one that is a single document, whole.

        Prompts at the very end of the file are yielded although the event that goes
        with them may follow: then they come again under the same ids.

        Raises:
            UnreadableUnitError: It cannot be opened or unpacked, or is no rollout.
        """
        from ._codex_rollout import read_rollout

        yield from read_rollout(unit, since, index=self._index, rollouts=self._rollouts)

    def recognises(self, unit: Unit) -> bool:
        """Say yes: `discover` takes only files that are named as rollouts are."""
        return _is_rollout(unit.path.name)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        from ._codex_rollout import read_again

        return read_again(unit, origin)


def _is_rollout(name: str) -> bool:
    return name.startswith("rollout-") and name.endswith(_ENDINGS)


def _key(path: Path) -> str:
    """Return what the files of one thread have in common, of anything else its path."""
    return FileName(path).key if _is_rollout(path.name) else spelled(path)


def _rank(path: Path) -> tuple[bool, bool]:
    """Order the places of one thread: the smallest is read."""
    return (path.name.endswith(_COMPRESSED), path.parent.name == ARCHIVE)


def _as_it_can_be_read(unit: Unit) -> Unit:
    """Return a compressed rollout under a stamp of its own while nothing unpacks it.

    Once something does, it has another one and is read although it hasn't changed.
    """
    if not unit.path.name.endswith(_COMPRESSED):
        return unit
    from ._unpacking import can_unpack

    return unit if can_unpack() else replace(unit, stamp=f"{unit.stamp}:packed")
