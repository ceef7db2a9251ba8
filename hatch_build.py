"""Refuse to build a package whose embedding table is not the one that was checked."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TABLE = Path("src", "quoth", "embedding", "static_v1")
SUMS = "SHA256SUMS"


class WeightsHook(BuildHookInterface[Any]):
    """Runs before every build of a wheel or an sdist."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling calls it so
        """Stop the build when a file of the table is missing or not as published."""
        wrong = differing(Path(self.root) / TABLE)
        if wrong:
            message = (
                f"{', '.join(wrong)} in {TABLE} differ from {SUMS}: nothing was built."
                " Restore them, or publish a new table under another identity."
            )
            raise RuntimeError(message)


def differing(folder: Path) -> list[str]:
    """Return the names in *folder*'s SHA256SUMS whose file is absent or another."""
    lines = (folder / SUMS).read_text(encoding="ascii").splitlines()
    expected = {name: digest for digest, name in (line.split() for line in lines)}
    return [name for name in expected if digest_of(folder / name) != expected[name]]


def digest_of(path: Path) -> str | None:
    """Return a file's SHA-256 in hexadecimal, None when there is no file."""
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
