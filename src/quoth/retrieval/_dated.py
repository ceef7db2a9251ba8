"""Times that a question names: what they mean, and how near to them messages are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from quoth.model import DateRead
from quoth.store import NO_TIME

from ._corpus import Corpus
from ._dates import DatePhrase, SessionPhrase, date_phrases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Dated", "described", "read_dates"]

_DAY = 86_400_000

AFTERWARDS = 3
"""Days after a span in which people still tell of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """What a question says of time, and the question without it."""

    phrases: tuple[DatePhrase | SessionPhrase, ...]
    rest: str

    @property
    def read(self) -> tuple[DateRead, ...]:
        """What a page says of it."""
        return tuple(
            DateRead(text=each.text, since=each.since, until=each.until)
            if isinstance(each, DatePhrase)
            else DateRead(text=each.text, sessions_ago=each.ago)
            for each in self.phrases
        )

    def closeness(self, corpus: Corpus) -> NDArray[np.float32]:
        """Return how near in time each message is: 1.0 within a span that is named.

        What was said in the days after one may tell of it still, and less each day.
        """
        import numpy as np

        nearest = np.zeros(len(corpus.about), np.float32)
        for phrase in self.phrases:
            if isinstance(phrase, SessionPhrase):
                near = _of_session(corpus, phrase.ago)
            else:
                near = _of_span(corpus, phrase)
            nearest = np.maximum(nearest, near)
        return nearest


def read_dates(question: str, *, now: datetime | None) -> Dated:
    """Take what names a time out of a question; nothing where there is no *now*.

    "Last session" only names one where it says more than that there was one before:
    people mean any earlier conversation by it.
    """
    found = [
        each
        for each in (date_phrases(question, now=now) if now else ())
        if isinstance(each, DatePhrase) or each.ago > 1
    ]
    rest, done = [], 0
    for each in found:
        rest.append(question[done : each.start])
        done = each.end
    return Dated(phrases=tuple(found), rest=" ".join([*rest, question[done:]]).strip())


def _of_span(corpus: Corpus, phrase: DatePhrase) -> NDArray[np.float32]:
    import numpy as np

    written = corpus.written
    known = written != NO_TIME
    after = np.full(len(written), -1.0)
    if phrase.until is not None:
        after = (written - _milliseconds(phrase.until)) / _DAY
    begun = known
    if phrase.since is not None:
        begun = known & (written >= _milliseconds(phrase.since))
    near = np.where(after < 0, 1.0, 0.5 * (1 - after / AFTERWARDS))
    return np.where(begun, np.clip(near, 0, 1), 0).astype(np.float32)


def _of_session(corpus: Corpus, ago: int) -> NDArray[np.float32]:
    """Return 1.0 for the messages of the conversation that ended so many ago."""
    import numpy as np

    ends = np.full(len(corpus.listed), NO_TIME, np.int64)
    searched = np.flatnonzero(corpus.searched)
    np.maximum.at(ends, corpus.rows[searched], corpus.written[searched])
    rows = np.flatnonzero(ends > NO_TIME)
    order = rows[np.lexsort((rows, -ends[rows]))]
    if ago > len(order):
        return np.zeros(len(corpus.about), np.float32)
    inside: NDArray[np.float32] = (corpus.rows == order[ago - 1]).astype(np.float32)
    return inside


def _milliseconds(moment: datetime) -> float:
    return moment.timestamp() * 1000


def described(dates: Sequence[DateRead]) -> str:
    """Return what the question named, in its own words."""
    return ", ".join(each.text for each in dates)
