"""What an embedder is, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Embedder", "Quantised", "QueryVector", "folder_name"]

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


class Embedder(Protocol):
    """Text to vectors. The same text gives the same bytes, alone or among others."""

    @property
    def identity(self) -> str:
        """Model, window rule and version; vectors of two identities never mix."""

    @property
    def dimensions(self) -> int:
        """The width of every vector."""

    def embed(self, texts: Sequence[str]) -> Quantised:
        """Return one row per text, the whole text in it."""

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return for each text one row per window, in the order of `windows_of`.

        Empty for a text that has no vector at all.
        """

    def embed_query(self, text: str) -> QueryVector | None:
        """Return a question's vector, or None when nothing in it is known."""


def folder_name(identity: str) -> str:
    """Return *identity* as one path component: `a/b/1` becomes `a_b_1`."""
    return re.sub(r"[^A-Za-z0-9._-]|^\.", "_", identity)
