"""SpecStory: the Markdown it keeps in a repository of what other assistants said.

What reads a file is imported with the first: a search only asks which there are.
"""

from __future__ import annotations

import os
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

from ._files import check_time, files_under

__all__ = ["SpecStory"]

_FOLDER, _HISTORY = ".specstory", "history"
_ENDING = ".md"

_DEEPEST = 12
_PASSED_BY = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})
"""Folders of other people's files: large, and nobody talks to an assistant in them."""


class SpecStory:
    """Markdown files, one a session, written out anew whenever the session goes on."""

    name = "specstory"
    parser_version = 1
    facts = frozenset(
        {
            Fact.TIMES,
            Fact.TITLES,
            Fact.MODELS,
            Fact.FOLDERS,
            Fact.TOOLS,
            Fact.EXIT_CODES,
            Fact.FILES,
            Fact.REASONING,
            Fact.SUBAGENTS,
        }
    )

    def default_roots(
        self,
        environ: Mapping[str, str],  # noqa: ARG002
        *,
        home: Path,  # noqa: ARG002
    ) -> Sequence[Path]:
        """Return nothing: every repository has a folder of its own."""
        return ()

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield the Markdown in every `.specstory/history` at or below *roots*."""
        places: list[Path] = []
        for root in roots:
            if root.is_dir():
                places += _histories(root)
            else:
                places.append(root)
        yield from files_under(places, wanted=lambda name: name.endswith(_ENDING))

    def read(
        self,
        unit: Unit,
        since: Checkpoint | None,  # noqa: ARG002 - it is rewritten whole
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a file in batches, always from its start.

        Raises:
            UnreadableUnitError: It cannot be opened or is not SpecStory's.
        """
        from ._specstory_file import read_file

        yield from read_file(unit)

    def recognises(self, unit: Unit) -> bool:
        """Say whether the first lines are a SpecStory header or a message's head."""
        from ._specstory_file import is_specstory

        return is_specstory(unit)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one message of the file says; see `Source.read_at`."""
        from ._specstory_file import read_again

        return read_again(unit, origin)


def _histories(root: Path) -> Iterator[Path]:
    """Yield every history below *root*, or *root* itself when it is in one."""
    if _FOLDER in root.parts:
        above = root.parts[::-1].index(_FOLDER)
        yield root if above else root / _HISTORY
    else:
        yield from _walk(root, _DEEPEST)


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the histories below *folder*, following no link and opening no file.

    A repository may be full of folders that are not for us, so what cannot be listed
    on the way is passed by in silence.
    """
    check_time()
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name for entry in entries if entry.is_dir(follow_symlinks=False)
            )
    except OSError:  # forbidden, or it vanished
        return
    for name in names:
        if name == _FOLDER:
            yield folder / name / _HISTORY
        elif depth and not name.startswith(".") and name not in _PASSED_BY:
            yield from _walk(folder / name, depth - 1)
