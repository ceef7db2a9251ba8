"""What a command takes from outside: environment, clock, archive, terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.config import Settings, load_settings
from quoth.errors import SettingError

from ._terminal import Terminal, terminal_of

if TYPE_CHECKING:
    from quoth.archive import Archive, Connect

__all__ = ["Runtime", "program_called", "the_runtime"]


def _can_ask() -> bool:
    # A stream that was closed before the start is None to Python.
    return sys.stdin is not None and sys.stdin.isatty()


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The outside, as one value: a test hands in its own as click's `obj`."""

    environ: Mapping[str, str]
    home_dir: Path
    now: Callable[[], datetime]
    open_archive: Callable[[Settings], Archive]
    program: Callable[[], str]
    can_ask: Callable[[], bool] = _can_ask

    def connecting(self, connect: Connect) -> Runtime:
        """Return the same, but for who asks a server."""
        return replace(self, open_archive=partial(_open_archive, connect=connect))

    def settings(self) -> Settings:
        return load_settings(self.environ, home_dir=self.home_dir)

    def output(self) -> Terminal:
        return terminal_of(sys.stdout, self.environ)

    def errors(self) -> Terminal:
        return terminal_of(sys.stderr, self.environ)


def the_runtime() -> Runtime:
    """Return this process's own surroundings."""
    return Runtime(
        environ=os.environ,
        home_dir=_home_dir(),
        now=lambda: datetime.now(UTC),
        open_archive=_open_archive,
        program=lambda: program_called(sys.argv[0], os.environ),
    )


def _home_dir() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:  # a container's user without a name
        raise SettingError(
            "There is no home folder: this user has none, and HOME is not set.",
            hint="Set HOME to the folder the histories lie in.",
        ) from error


def program_called(called: str, environ: Mapping[str, str]) -> str:
    """Return what to type to call this program again: its name where that is enough."""
    from shlex import join
    from shutil import which

    path = Path(called)
    if path.name == "__main__.py":
        return join([sys.executable, "-m", "quoth"])
    found = which(path.name, path=environ.get("PATH", ""))
    if found and path.exists() and path.samefile(found):
        return path.name
    return join([called])


def _open_archive(settings: Settings, connect: Connect | None = None) -> Archive:
    # Imported here: help, version and wrong usage answer without loading the archive.
    from quoth.archive import open_archive

    return open_archive(
        settings.home,
        extra_roots=settings.paths,
        environ=os.environ,
        never_index=settings.never_index,
        patterns=settings.patterns,
        embedding=settings.embedding,
        ranking=settings.ranking,
        connect=connect,
    )
