"""An embedder for tests: quick, small, deterministic, and without any meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from quoth.model import EmbedderChoice, EmbedderKind
from quoth.passages import windows_of

if TYPE_CHECKING:
    from ._pooling import Sums
    from ._protocol import Quantised, QueryVector

__all__ = ["HashEmbedder"]

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Texts that share words are near each other; nothing else is.

    Each word is 64 signs, the bits of its hash; a text is the sum of its words.
    """

    identity = "hash-not-semantic-64"
    dimensions = 64
    choice = EmbedderChoice(kind=EmbedderKind.HASH)
    probe = None
    floor = 0.3
    is_quick = True

    def embed(self, texts: Sequence[str]) -> Quantised:
        """Return one row per text."""
        from ._pooling import quantised

        return quantised(self._sums(texts))

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return for each text one row per window, or none if it holds no word."""
        return [
            self.embed([window.text for window in windows_of(text)])
            if _WORD.search(text)
            else self.embed([])
            for text in texts
        ]

    def embed_query(self, text: str) -> QueryVector | None:
        """Return the vector of a question, or None when it holds no word."""
        from ._pooling import unit

        return unit(self._sums([text])[0])

    def _sums(self, texts: Sequence[str]) -> Sums:
        import numpy as np

        sums = np.zeros((len(texts), self.dimensions))
        for row, text in zip(sums, texts, strict=True):
            for word in _WORD.findall(text.casefold()):
                bits = np.frombuffer(
                    blake2b(word.encode(), digest_size=8).digest(), "u1"
                )
                row += np.unpackbits(bits) * 2.0 - 1.0
        return sums
