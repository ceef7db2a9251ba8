"""Bring an archive up to date on a disk without the room for it, then with it.

Usage: migrating.py FOLDER, where it may mount. Prints how it ended and what is shown.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.builders import an_archive, archive_in, rows, texts

from quoth.errors import QuothError
from quoth.store import _schema

ROOMY = f"CREATE TABLE room AS SELECT zeroblob({8 << 20}) AS filled;"


def mount(at: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", at], check=True)


def contents(home: Path) -> list[tuple[object, ...]]:
    schema = rows(home, "SELECT sql FROM sqlite_schema ORDER BY name")
    return [*schema, *rows(home, "PRAGMA user_version"), *rows(home, "PRAGMA encoding")]


@contextmanager
def the_next_version() -> Iterator[None]:
    """Be a quoth whose archives need more room."""
    steps = (*_schema._MIGRATIONS, ROOMY)
    with (
        patch.object(_schema, "_MIGRATIONS", steps),
        patch.object(_schema, "SCHEMA_VERSION", len(steps)),
    ):
        yield


def migrated_on(at: Path, folder: Path) -> dict[str, object]:
    home = at / "archive"
    shutil.copytree(archive_in(folder), home)
    before = contents(home)
    refused = ""
    with the_next_version(), an_archive(folder, home=home) as archive:
        try:
            archive.sync()
        except QuothError as exc:
            refused = f"{type(exc).__name__}:{str(exc).rstrip('.').split(':')[-1]}"
    same = contents(home) == before
    shown = texts(an_archive(folder, home=home))
    mount(at, "remount,size=64m")
    with the_next_version(), an_archive(folder, home=home) as archive:
        archive.sync()
        then = texts(archive)
    return {"refused": refused, "same": same, "shown": shown, "then": then}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    small = folder / "small"
    small.mkdir()
    mount(small, "size=3m,mode=700")  # gone with this process and its namespace
    os.write(1, json.dumps(migrated_on(small, folder)).encode())
