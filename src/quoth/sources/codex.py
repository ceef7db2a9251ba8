"""Codex: rollouts of its CLI, desktop app, editor extension and `codex exec`.

What reads a rollout is imported with the first: a search only asks which there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.errors import UnreadableUnitError
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

from ._codex_name import FileName
from ._files import files_under

__all__ = ["Codex"]

_ARCHIVE = "archived_sessions"
_ENDINGS = (".jsonl", ".json", ".jsonl.zst")


class Codex:
    """Rollout files: one thread each, lines appended as it goes on."""

    name = "codex"
    parser_version = 1
    facts = frozenset(Fact)

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the folders of current and of archived threads."""
        given = environ.get("CODEX_HOME")
        folder = Path(given).expanduser() if given else home / ".codex"
        return (folder / "sessions", folder / _ARCHIVE)

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every rollout, of a thread found twice the one to be preferred.

        A plain file goes before a compressed one, and the current folder before the
        archive: what moves there is the same thread.
        """
        keyed = [
            (unit, FileName(unit.path).key)
            for unit in files_under(roots, wanted=_is_rollout)
            if unit.path.parent.name != ".tmp"
        ]
        best: dict[str, tuple[bool, bool]] = {}
        for unit, key in keyed:
            best[key] = min(_rank(unit.path), best.get(key, (True, True)))
        for unit, key in keyed:
            if _rank(unit.path) == best[key]:
                yield unit

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a rollout in batches; one that is a single document, whole.

        Prompts at the very end of the file are yielded although the event that goes
        with them may follow: then they come again under the same ids.

        Raises:
            UnreadableUnitError: It cannot be opened, is compressed or no rollout.
        """
        if unit.path.name.endswith(".zst"):
            why = "compressed rollouts are not supported yet"
            raise UnreadableUnitError(unit.path, why=why)
        from ._codex_rollout import read_rollout

        yield from read_rollout(unit, since)

    def recognises(self, unit: Unit) -> bool:
        """Say yes: `discover` takes only files that are named as rollouts are."""
        return _is_rollout(unit.path.name)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        from ._codex_rollout import read_again

        return read_again(unit, origin)


def _is_rollout(name: str) -> bool:
    return name.startswith("rollout-") and name.endswith(_ENDINGS)


def _rank(path: Path) -> tuple[bool, bool]:
    """Order the places of one thread: the smallest is read."""
    return (path.name.endswith(".zst"), path.parent.name == _ARCHIVE)
