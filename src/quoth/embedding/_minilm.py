"""all-MiniLM-L6-v2, from files that the person handed over, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.errors import EmbeddingError, ModelMissingError
from quoth.model import EmbedderChoice, EmbedderKind
from quoth.passages import WINDOW_OVERLAP, WINDOW_WORDS, windows_of

from ._model_files import WEIGHTS
from ._protocol import Quantised, QueryVector
from ._static import VOCABULARY
from ._wordpiece import UNKNOWN, WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._bert import Bert

__all__ = ["MiniLmEmbedder"]

_MOST_TOKENS = 254
"""Of one text beside its two marks: the model was trained on 256."""

_TOGETHER = 512
"""Tokens in one multiplication: what lies between two layers stays in the cache."""

_GROUP = 64
"""Messages whose windows are sorted by their lengths together."""


class MiniLmEmbedder:
    """A small transformer, English in effect. It is loaded at its first use."""

    identity = f"minilm-l6-v2-384/w{WINDOW_WORDS}o{WINDOW_OVERLAP}/1"
    dimensions = 384
    choice = EmbedderChoice(kind=EmbedderKind.MINILM)
    probe = None
    floor = 0.12
    """As rare among unrelated texts as 0.3 is for the table: see `docs/ranking.md`."""
    is_quick = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised]:
        """Return for each text one row per window, or none if no token is known."""
        groups = (texts[at : at + _GROUP] for at in range(0, len(texts), _GROUP))
        return [rows for group in groups for rows in self._embed_group(group)]

    def embed_query(self, text: str) -> QueryVector | None:
        """Return the vector of a question, or None when no token of it is known."""
        from ._pooling import unit

        return unit(self._vectors([text])[0])

    def _embed_group(self, texts: Sequence[str]) -> Iterator[Quantised]:
        from ._pooling import quantised

        windows = [[window.text for window in windows_of(text)] for text in texts]
        rows = self._vectors([window for some in windows for window in some])
        end = 0
        for some in windows:
            start, end = end, end + len(some)
            of_text = rows[start:end]
            yield quantised(of_text if of_text.any() else of_text[:0])

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean over the tokens of each text, zeros where none is known.

        What has more tokens than the model takes is cut into parts of one length, and
        the parts count by their tokens: nothing is left out.
        """
        import numpy as np

        parts = [
            (index, part)
            for index, text in enumerate(texts)
            for part in self._parts_of(text)
        ]
        parts.sort(key=lambda each: len(each[1]))
        sums = np.zeros((len(texts), self.dimensions))
        for batch in _batches(parts):
            rows = self._bert.encode([ids for _, ids in batch])
            for (index, ids), row in zip(batch, rows, strict=True):
                sums[index] += len(ids) * row.astype(np.float64)
        return sums

    def _parts_of(self, text: str) -> list[list[int]]:
        ids = self._wordpiece.encode(text)
        if all(number == self._unknown for number in ids):
            return []
        count = -(-len(ids) // _MOST_TOKENS)
        length = -(-len(ids) // count)
        first, last = self._marks
        return [
            [first, *ids[at : at + length], last] for at in range(0, len(ids), length)
        ]

    @cached_property
    def _wordpiece(self) -> WordPiece:
        return WordPiece(VOCABULARY.read_text(encoding="utf-8").split())

    @property
    def _unknown(self) -> int:
        return self._wordpiece.id_of(UNKNOWN)

    @cached_property
    def _marks(self) -> tuple[int, int]:
        return self._wordpiece.id_of("[CLS]"), self._wordpiece.id_of("[SEP]")

    def _fitting(self, bert: Bert) -> Bert:
        """Return *bert* if its vectors are as wide as told and each word has a row."""
        if bert.dimensions != self.dimensions or bert.words < len(self._wordpiece):
            raise ValueError(bert.words, bert.dimensions)
        return bert

    @cached_property
    def _bert(self) -> Bert:
        from ._bert import Bert
        from ._safetensors import NotSafetensorsError, tensors_in

        path = self._folder / WEIGHTS
        try:
            return self._fitting(Bert(tensors_in(path)))
        except (FileNotFoundError, NotADirectoryError) as missing:
            raise ModelMissingError(
                path,
                what="MiniLM",
                hint="quoth models add PATH takes it in; quoth models use static goes"
                " without it.",
            ) from missing
        except (NotSafetensorsError, LookupError, ValueError, OSError) as damaged:
            raise EmbeddingError(
                f"The weights at {path} are damaged.",
                hint="quoth models add PATH takes them in again.",
            ) from damaged


def _batches(
    parts: Sequence[tuple[int, list[int]]],
) -> Iterator[list[tuple[int, list[int]]]]:
    batch: list[tuple[int, list[int]]] = []
    tokens = 0
    for each in parts:
        if batch and tokens + len(each[1]) > _TOGETHER:
            yield batch
            batch, tokens = [], 0
        batch.append(each)
        tokens += len(each[1])
    if batch:
        yield batch
