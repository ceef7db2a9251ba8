"""This Python and what comes with it: tried out, never assumed from a version."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Iterator

from quoth.embedding import Embedder
from quoth.errors import QuothError
from quoth.model import Finding, Section
from quoth.store.checking import NEEDED, SQLITE_VERSION, lacking_features

from ._finding import ok, problem

__all__ = ["embedder_works", "packages", "python", "sqlite"]

_PROGRAM = Section.PROGRAM
_COSTS = {
    "numpy": "Nothing can be embedded or found by meaning; words still work.",
    "zstandard": "Codex's compressed sessions (.jsonl.zst) can't be read.",
}
"""What is lost without each package that quoth depends on."""


def python() -> Iterator[Finding]:
    """Say which Python this is."""
    version, system = platform.python_version(), platform.system()
    yield ok(_PROGRAM, "python", f"Python {version} on {system}.")


def sqlite() -> Iterator[Finding]:
    """Say which SQLite this is, and what an archive needs that it has not."""
    lacking = lacking_features()
    if lacking:
        yield problem(
            _PROGRAM,
            "sqlite",
            f"SQLite {SQLITE_VERSION} lacks {', '.join(lacking)}: no archive can be"
            " opened.",
            f"Run quoth with a Python whose SQLite is {NEEDED} or later, with FTS5.",
        )
    else:
        yield ok(
            _PROGRAM,
            "sqlite",
            f"SQLite {SQLITE_VERSION}, with all that is needed:"
            " FTS5, STRICT, RETURNING, JSON.",
        )


def packages() -> Iterator[Finding]:
    """Say which packages can be used, and what one that can't costs."""
    for name, cost in _COSTS.items():
        try:
            version = importlib.import_module(name).__version__
        except Exception as error:  # whatever a broken package raises when it is loaded
            yield problem(
                _PROGRAM,
                name,
                f"{name} can't be used ({type(error).__name__}). {cost}",
                f"Install it again: pip install --force-reinstall {name}",
            )
        else:
            yield ok(_PROGRAM, name, f"{name} {version}.")


def embedder_works(embedder: Embedder) -> Iterator[Finding]:
    """Say whether text can be turned into vectors, and how they are searched."""
    try:
        vector = embedder.embed_query("a question about the archive")
    except (QuothError, ImportError, ValueError) as error:
        hint = error.hint if isinstance(error, QuothError) else None
        yield problem(_PROGRAM, "embedder", f"No text can be embedded: {error}", hint)
        return
    width = 0 if vector is None else vector.size
    if width != embedder.dimensions:
        yield problem(
            _PROGRAM,
            "embedder",
            f"{embedder.identity} gave {width} numbers, not {embedder.dimensions}.",
            "Install quoth again; its package brings the table.",
        )
    else:
        yield ok(
            _PROGRAM,
            "embedder",
            f"Meaning: {embedder.identity}, {width} dimensions; all vectors are scanned"
            " exactly, with numpy.",
        )
