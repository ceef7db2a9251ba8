"""Gemini CLI: whole documents up to version 0.39, logs of operations from 0.40 on.

What reads a session is imported with the first: a search only asks which there are.
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

from ._files import files_under

__all__ = ["GeminiCli"]

_CHATS = "chats"
_LOG = ".jsonl"
_ENDINGS = (_LOG, ".json")


class GeminiCli:
    """The sessions in `chats` of each project, and what their subagents did."""

    name = "gemini_cli"
    parser_version = 1
    facts = frozenset(Fact) - {Fact.BRANCHES}

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the folder of all projects."""
        given = environ.get("GEMINI_CLI_HOME")
        folder = Path(given).expanduser() if given else home
        return (folder / ".gemini" / "tmp",)

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every session, of one that is there twice the file to be preferred.

        That is the log that a resumed document goes on as, by its name beside it. The
        same name in another project may be another session's, which only the id in it
        tells: all of those are read.
        """
        tops = frozenset(roots)
        found = [
            unit
            for unit in files_under(roots, wanted=lambda name: name.endswith(_ENDINGS))
            if unit.path in tops or _is_session(unit.path, tops)
        ]
        best: dict[tuple[str, ...], tuple[bool, int, float]] = {}
        for unit in found:
            rank = _rank(unit)
            best[_key(unit.path)] = max(rank, best.get(_key(unit.path), rank))
        for unit in found:
            key = _key(unit.path)
            if best.get(key) == _rank(unit):
                del best[key]
                yield unit

    def read(
        self,
        unit: Unit,
        since: Checkpoint | None,  # noqa: ARG002 - what is added changes what was
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a session in batches, always from its start; see `Source.read`."""
        from ._gemini_session import read_session

        return read_session(unit)

    def recognises(self, unit: Unit) -> bool:
        """Say whether the first lines, or the document, are of this format."""
        from ._gemini_session import holds_session

        try:
            return holds_session(unit)
        except UnreadableUnitError:
            if _is_session(unit.path, frozenset()):
                raise
            return False

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        from ._gemini_session import read_again

        return read_again(unit, origin)


def _is_session(path: Path, tops: frozenset[Path]) -> bool:
    """Say whether a file is named as a session is, in a place where they are kept.

    That is a folder `chats`, or one that a person named: a copy of such a folder.
    """
    folder = path.parent
    if path.name.startswith("session-"):
        return folder.name == _CHATS or folder in tops
    return folder.parent.name == _CHATS and path.name.endswith(_LOG)


def _key(path: Path) -> tuple[str, ...]:
    """Return what is the same for a document and the log it goes on as."""
    return (*path.parent.parts, path.stem)


def _rank(unit: Unit) -> tuple[bool, int, float]:
    """Order the files of one session: a log only grows, so the longest is the last."""
    return (unit.path.name.endswith(_LOG), unit.size, unit.changed_at)
