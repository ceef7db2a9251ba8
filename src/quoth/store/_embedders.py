"""Which embedders the archive has vectors of, and which of them searches ask."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import NamedTuple

from quoth.model import EmbedderChoice, EmbedderKind

from ._rows import blob, number, sound_rows, text

__all__ = [
    "Embedded",
    "KnownEmbedder",
    "choice_json",
    "embedder_by_identity",
    "embedder_of_choice",
    "serving_embedder",
]

_COLUMNS = "id, identity, dimensions, choice, probe"


class Embedded(NamedTuple):
    """How many messages that should have vectors have them, and why the rest has not.

    `refused` counts those whose text the embedder could not take.
    """

    has: int = 0
    lacking: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEmbedder:
    """An embedder that the archive has vectors of, or is getting them.

    `probe` is how it embedded a fixed word, float32, where its identity alone doesn't
    tell its model from another of that name.
    """

    id: int
    identity: str
    dimensions: int
    choice: EmbedderChoice
    probe: bytes | None = None


def embedder_by_identity(
    connection: sqlite3.Connection, identity: str
) -> KnownEmbedder | None:
    """Return the embedder of that identity, if anything used it yet."""
    return _known(
        connection,
        connection.execute(
            f"SELECT {_COLUMNS} FROM embedder WHERE identity = ?", (identity,)
        ).fetchone(),
    )


def serving_embedder(connection: sqlite3.Connection) -> KnownEmbedder | None:
    """Return the embedder that searches ask; None before the first sync."""
    return _known(
        connection,
        connection.execute(
            f"SELECT {_COLUMNS} FROM embedder ORDER BY serves DESC, id LIMIT 1"
        ).fetchone(),
    )


def embedder_of_choice(
    connection: sqlite3.Connection, choice: EmbedderChoice
) -> KnownEmbedder | None:
    """Return the embedder that was made last of a choice, if one ever was."""
    return _known(
        connection,
        connection.execute(
            f"SELECT {_COLUMNS} FROM embedder WHERE choice = ?"
            " ORDER BY serves DESC, id DESC LIMIT 1",
            (choice_json(choice),),
        ).fetchone(),
    )


def choice_json(choice: EmbedderChoice) -> str:
    """Return a choice as it is stored: what is as usual in it is left out."""
    usual = asdict(EmbedderChoice())
    said = {name: it for name, it in asdict(choice).items() if it != usual[name]}
    return json.dumps(said, sort_keys=True)


def _known(
    connection: sqlite3.Connection, row: tuple[object, ...] | None
) -> KnownEmbedder | None:
    if row is None:
        return None
    identity, name, dimensions, choice, probe = row
    with sound_rows(connection):
        told = json.loads(text(choice))
        kind = EmbedderKind(told.pop("kind", EmbedderKind.STATIC))
        return KnownEmbedder(
            id=number(identity),
            identity=text(name),
            dimensions=number(dimensions),
            choice=EmbedderChoice(kind=kind, **told),
            probe=None if probe is None else blob(probe),
        )
