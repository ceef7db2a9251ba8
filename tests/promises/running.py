"""The program in this process, on an archive that is a real one."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from tests.cli.fakes import NOW

from quoth.archive import Archive
from quoth.cli._app import app
from quoth.cli._runtime import Runtime
from quoth.config import Settings
from quoth.embedding import HashEmbedder

__all__ = ["run_in"]


def run_in(folder: Path, *args: str, **environ: str) -> Result:
    """Run quoth for a person whose histories, home and data folder are in *folder*.

    The histories lie where `tests.builders` puts them, and a place is missing.
    """

    def opened(settings: Settings) -> Archive:
        roots = {
            "claude_code": [folder / "projects", folder / f"{folder.name}-missing"],
            "codex": [folder / "sessions"],
            "generic": [folder / "plain"],
        }
        return Archive(settings.home, roots=roots, embedder=HashEmbedder())

    runtime = Runtime(
        environ={"QUOTH_HOME": str(folder / "quoth"), **environ},
        home_dir=folder,
        now=lambda: NOW,
        open_archive=opened,
        program=lambda: "quoth",
    )
    return CliRunner().invoke(app, args, obj=runtime)
