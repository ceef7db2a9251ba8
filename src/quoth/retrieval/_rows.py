"""Messages into the rows of a page: the best first, the same every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from ._corpus import Corpus
from ._ranking import Ranked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Row", "Rows", "roll_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a page: the message that stands for it, and how many more matched.

    `place` is where the message is among those that were ranked.
    """

    message: int
    conversation: int
    score: float
    others: int
    place: int


class Rows(Sequence[Row]):
    """All rows of an answer, made one by one when they are looked at."""

    def __init__(
        self,
        ranked: Ranked,
        places: NDArray[np.intp],
        conversations: NDArray[np.int32],
        others: NDArray[np.int64],
    ) -> None:
        self._ranked = ranked
        self._places = places
        self._conversations = conversations
        self._others = others

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        place = int(self._places[index])
        return Row(
            message=int(self._ranked.messages[place]),
            conversation=int(self._conversations[place]),
            score=float(self._ranked.scores[place]),
            others=int(self._others[index]),
            place=place,
        )

    def __iter__(self) -> Iterator[Row]:
        return (self[index] for index in range(len(self)))


def roll_up(corpus: Corpus, ranked: Ranked, *, by_conversation: bool) -> Rows:
    """Return rows, the best first: each conversation's best message, or each message.

    Ties go to the newer message, then to the smaller id.
    """
    import numpy as np

    messages = ranked.messages
    rows = corpus.rows[messages]
    order = np.lexsort((messages, -corpus.written[messages], -ranked.scores))
    if not by_conversation:
        return Rows(ranked, order, rows, np.zeros(len(order), np.int64))
    _, first, counts = np.unique(rows[order], return_index=True, return_counts=True)
    ahead = np.argsort(first)
    return Rows(ranked, order[first[ahead]], rows, counts[ahead] - 1)
