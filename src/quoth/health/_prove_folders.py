"""An invented person: their folders, their environment, what changed in them."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quoth.model import Role

from ._proof import Written

__all__ = ["Person", "make_person", "search_path"]

_PLACES: Final = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_RUNTIME_DIR": ".run",
    "XDG_STATE_HOME": ".local/state",
}
_HISTORIES: Final = {
    "claude_code": ".claude/projects",
    "codex": ".codex/sessions",
}
"""Where each assistant keeps what it writes."""
_SYSTEM_FOLDERS: Final = ("/usr/sbin", "/sbin")
_EXPORT: Final = (
    (Role.USER, "When does the harbour office count its lighthouses?"),
    (Role.ASSISTANT, "Every spring, before the fog sets in."),
)

State = Mapping[str, tuple[int, ...]]


def search_path(environ: Mapping[str, str]) -> str:
    """Return where programs are looked for: `ip` is often where only root looks."""
    given = environ.get("PATH", os.defpath)
    return os.pathsep.join([given, *_SYSTEM_FOLDERS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Where everything of theirs lies, and where quoth is to keep its own."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "person"

    @property
    def workdir(self) -> Path:
        return self.folder / "work"

    @property
    def export(self) -> Path:
        return self.workdir / "export.jsonl"

    @property
    def data(self) -> Path:
        return self.home / _PLACES["XDG_DATA_HOME"] / "quoth"

    def environ(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return all that their processes are given: nothing of who runs the proof.

        Neither what says that tests are running, nor a switch that silences somebody.
        """
        python = {
            name: given[name] for name in ("PYTHONPATH", "PYTHONHOME") if name in given
        }
        if "PYTHONPATH" in python:
            entries = python["PYTHONPATH"].split(os.pathsep)
            python["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, entries))
        # Elsewhere data folders are not where XDG_DATA_HOME says.
        named = {} if sys.platform == "linux" else {"QUOTH_HOME": str(self.data)}
        return {
            **python,
            **named,
            # Python's cache of its own belongs to whoever installed quoth.
            "PYTHONDONTWRITEBYTECODE": "1",
            **{name: str(self.home / place) for name, place in _PLACES.items()},
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "PATH": search_path(given),
            "TMPDIR": str(self.folder / "tmp"),
        }

    def state_outside(self) -> State:
        """Return what tells whether a file was written that is not in the data folder.

        A file that was made and removed again changes the time of its folder. Only the
        folder around the data folder may: quoth makes its own there.
        """
        return dict(self._states())

    def _states(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for at, folders, files in os.walk(self.folder):
            here = Path(at)
            if here == self.data.parent and self.data.name in folders:
                folders.remove(self.data.name)
            for path in (here, *(here / name for name in (*files, *folders))):
                found = path.lstat()
                times = (found.st_mtime_ns, found.st_ctime_ns, found.st_nlink)
                around = path == self.data.parent
                yield (
                    str(path.relative_to(self.folder)),
                    (found.st_mode, found.st_size, *(() if around else times)),
                )

    def written(self) -> list[Written]:
        """Return everything in the data folder, and the folder itself."""
        found = [self.data, *self.data.rglob("*")] if self.data.exists() else []
        return [
            Written(
                path=str(path.relative_to(self.data)),
                mode=stat.S_IMODE(path.lstat().st_mode),
            )
            for path in found
        ]


def make_person(folder: Path, histories: Mapping[str, Path]) -> Person:
    """Make their folders, with the histories where the assistants would put them."""
    person = Person(folder=folder)
    for made in (person.workdir, folder / "tmp"):
        made.mkdir()
    for place in _PLACES.values():
        (person.home / place).mkdir(mode=0o700, parents=True)
    for source, history in histories.items():
        shutil.copytree(history, person.home / _HISTORIES[source])
    lines = [json.dumps({"role": role, "content": text}) for role, text in _EXPORT]
    person.export.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return person
