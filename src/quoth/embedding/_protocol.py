"""What an embedder is, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from quoth.model import EmbedderChoice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Embedder", "Quantised", "QueryVector", "Refused"]

QueryVector: TypeAlias = "NDArray[np.float32]"
"""Shape (dimensions,), unit length."""


@dataclass(frozen=True, slots=True, eq=False)
class Quantised:
    """Vectors in a byte per dimension: row i is `codes[i] * scales[i]`, unit length.

    `codes` is int8 of shape (n, dimensions) within ±127, `scales` float32 of shape
    (n,). A text none of whose tokens is known has scale 0 and is no candidate.
    """

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.scales)

    def __getitem__(self, rows: slice) -> Quantised:
        """Return some of the rows."""
        return Quantised(self.codes[rows], self.scales[rows])


@dataclass(frozen=True, slots=True)
class Refused:
    """A text that got no vectors although it should have; `why` quotes none of it."""

    why: str


class Embedder(Protocol):
    """Text to vectors. One that can't be used now raises as `embed_messages` does.

    The table that ships with quoth gives the same text the same bytes, alone or among
    others; whatever multiplies matrices may differ in the last bit.
    """

    @property
    def choice(self) -> EmbedderChoice:
        """What it was made of, and can be made of again."""

    @property
    def identity(self) -> str:
        """Model, its version, and the rules of windows and prefixes.

        Vectors of two identities are never compared. A server is asked for it, once.
        """

    @property
    def dimensions(self) -> int:
        """The width of every vector."""

    @property
    def probe(self) -> QueryVector | None:
        """The vector of a fixed word, known once anything was embedded.

        None where the identity alone tells the model from another of its name.
        """

    @property
    def floor(self) -> float | None:
        """The cosine below which a message is not near a question.

        None where nobody measured it: then the archive's own vectors tell.
        """

    @property
    def is_quick(self) -> bool:
        """Whether it embeds texts about as fast as they are read."""

    def embed_messages(self, texts: Sequence[str]) -> Sequence[Quantised | Refused]:
        """Return for each text one row per window, in the order of `windows_of`.

        No rows for a text that has no vector at all. One bad text costs that text.

        Raises:
            EmbeddingError: Nothing can be embedded: the model isn't there, or is none.
            ServerError: The server can't be used now.
        """

    def embed_query(self, text: str) -> QueryVector | None:
        """Return a question's vector, or None when nothing in it is known.

        Within two seconds, or so; a person waits. Raises as `embed_messages` does.
        """
