"""The default embedder: the mean of token vectors that ship with quoth.

`static_v1` was distilled from all-MiniLM-L6-v2: each token's vector through the model
and a ridge regression of bags of tokens onto its sentence vectors, reduced to 256
dimensions. A frequent token weighs little, a / (a + p) (Arora et al. 2017, "A simple
but tough-to-beat baseline for sentence embeddings"); those weights are in the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.errors import EmbeddingError, ModelMissingError
from quoth.model import EmbedderChoice
from quoth.passages import WINDOW_OVERLAP, WINDOW_WORDS, window_bounds, words_of

if TYPE_CHECKING:
    from ._pooling import Sums, TokenTable
    from ._protocol import Quantised, QueryVector
    from ._wordpiece import WordPiece

__all__ = ["VOCABULARY", "StaticEmbedder", "load_static"]

TABLE = Path(__file__).parent / "static_v1"
VOCABULARY = TABLE / "vocab.txt"
"""BERT's uncased words, which MiniLM has too."""

TOGETHER = 64
"""Messages quantised in one go: some hundred windows, 2 kB each while in float64."""


class StaticEmbedder:
    """Mean of token vectors, normalised. English in effect; safe between threads."""

    identity = f"static-s2-256/w{WINDOW_WORDS}o{WINDOW_OVERLAP}/1"
    dimensions = 256
    choice = EmbedderChoice()
    probe = None
    floor = 0.3
    """Below it answers to nothing begin: see `docs/ranking.md`."""
    is_quick = True

    def __init__(self, wordpiece: WordPiece, table: TokenTable) -> None:
        self._wordpiece = wordpiece
        self._table = table

    def embed(self, texts: Sequence[str]) -> Quantised:
        """Return one row per text, the whole text in it."""
        return self._quantised([self._sums(text, windowed=False) for text in texts])

    def embed_passages(self, text: str) -> Quantised:
        """Return one row per window of *text*, or none if no token of it is known."""
        (rows,) = self._embed_group([text])
        return rows

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return for each text what `embed_passages` returns, to the bit."""
        groups = (texts[i : i + TOGETHER] for i in range(0, len(texts), TOGETHER))
        return [rows for group in groups for rows in self._embed_group(group)]

    def embed_query(self, text: str) -> QueryVector | None:
        """Return the vector of a question, or None when no token of it is known."""
        from ._pooling import unit

        return unit(self._sums(text, windowed=False)[0])

    def coverage(self, text: str) -> float:
        """Return the share of the tokens of *text* that have a vector, 0.0 to 1.0."""
        ids = self._wordpiece.encode(text)
        return len(self._wordpiece.known_among(text)) / len(ids) if ids else 0.0

    def _embed_group(self, texts: Sequence[str]) -> Iterator[Quantised]:
        sums = [self._sums(text, windowed=True) for text in texts]
        rows = self._quantised(sums)
        end = 0
        for windows in sums:
            start, end = end, end + len(windows)
            yield rows[start:end]

    def _sums(self, text: str, *, windowed: bool) -> Sums:
        """Return a row per window, or one for the whole; none if nothing is known."""
        from ._pooling import flat_ids

        words = self._wordpiece.known_ids(words_of(text))
        ids, begins = flat_ids(words)
        bounds = window_bounds(len(words)) if windowed else [(0, len(words))]
        if windowed and not len(ids):
            bounds = []
        return self._table.sums(ids, [(begins[a], begins[b]) for a, b in bounds])

    def _quantised(self, sums: Sequence[Sums]) -> Quantised:
        import numpy as np

        from ._pooling import quantised

        return quantised(np.concatenate([np.zeros((0, self.dimensions)), *sums]))


def load_static(folder: Path = TABLE) -> StaticEmbedder:
    """Return the embedder of the table in *folder*, mapped and not read.

    Raises:
        ModelMissingError: a file of the table is not there.
        EmbeddingError: a file of the table is no array.
    """
    import numpy as np

    from ._pooling import TokenTable
    from ._wordpiece import WordPiece

    try:
        tokens = (folder / "vocab.txt").read_text(encoding="utf-8").split()
        codes = np.load(folder / "vectors.npy", mmap_mode="r")
        scales = np.load(folder / "scales.npy")
    except FileNotFoundError as missing:
        raise ModelMissingError(folder) from missing
    except ValueError as damaged:
        raise EmbeddingError(
            f"The embedding table at {folder} is damaged.",
            hint="Install quoth again; its package brings the table.",
        ) from damaged
    return StaticEmbedder(WordPiece(tokens), TokenTable.of(codes, scales))
