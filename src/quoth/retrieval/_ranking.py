"""How good an answer each message is: a weighted sum of what is known of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from quoth.model import Reason, Role, SearchUnit

from ._closeness import Closeness, Question, closeness_of
from ._corpus import Corpus
from ._meaning import Nearness
from ._words import WordMatches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FEATURES", "Ranked", "Weights", "rank", "ranks", "reasons"]

READ = 100
"""Messages whose text is read for a closer look, 30 µs each."""

READ_OF_ONE = 8
"""How many of one conversation, where conversations are ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each feature of a message counts. All features are between 0 and 1.

    `words` is BM25 by the best, `meaning` the cosine above the floor by the best,
    `coverage` the share of the question's rarity that it holds; `neighbours` the better
    `words` of the messages before and after; `conversation` and `spread` what `words`
    and `coverage` are for its conversation as a whole, `title` for its title.
    `oneself`: a person wrote it, and asks of themselves; `tool`: a tool wrote it;
    `named`: it holds the question's identifiers; `dated`: it is from a time that the
    question names, or soon after; `recent`: it is new, see `RankingChoice`. The rest is
    told in `Closeness`.
    """

    words: float
    meaning: float
    coverage: float
    neighbours: float
    conversation: float
    spread: float
    title: float
    oneself: float
    tool: float
    named: float
    dated: float
    recent: float
    wide: float
    tight: float
    in_order: float
    pairs: float
    own: float
    asks: float

    def vector(self) -> list[float]:
        """Return the weights in the order of `FEATURES`."""
        return [getattr(self, name) for name in FEATURES]


FEATURES = tuple(each.name for each in fields(Weights))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """Messages, each with its features (n, features) and what they come to."""

    messages: NDArray[np.int64]
    features: NDArray[np.float32]
    scores: NDArray[np.float64]


def rank(
    corpus: Corpus,
    words: WordMatches | None,
    near: Nearness,
    dated: NDArray[np.float32] | None,
    question: Question | None,
    unit: SearchUnit,
    weights: Weights,
    half_life_days: float,
) -> Ranked:
    """Score every candidate, the most promising ones after a look at their texts.

    Where neither words nor a meaning are asked for, that is all from a time named.
    """
    import numpy as np

    found = np.zeros(len(corpus.about), np.bool_)
    found[near.messages] = True
    if words is None and near.scored is None and dated is not None:
        found |= corpus.searched & (dated >= 1)
    if words is not None:
        found |= words.matched
    messages = np.flatnonzero(found)
    features = _features(corpus, words, near, question, messages)
    if weights.recent and len(messages):
        ages = _ages(corpus, messages)
        features[:, FEATURES.index("recent")] = 0.5 ** (ages / half_life_days)
    if dated is not None:
        features[:, FEATURES.index("dated")] = dated[messages]
    vector = np.array(weights.vector())
    scores = features @ vector
    if question is not None and len(messages):
        chosen = _promising(corpus.rows[messages], scores, unit)
        _look_closer(corpus, near, question, messages, features, chosen)
        scores[chosen] = features[chosen] @ vector
    return Ranked(messages=messages, features=features, scores=scores.round(6))


def _features(
    corpus: Corpus,
    words: WordMatches | None,
    near: Nearness,
    question: Question | None,
    messages: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return all that is known of messages without their texts, (n, features)."""
    import numpy as np

    columns: dict[str, NDArray[np.floating] | NDArray[np.bool_]] = {}
    columns["meaning"] = near.closeness(messages)
    columns["tool"] = corpus.values.has_role(Role.TOOL)[messages]
    if question is not None and question.of_oneself:
        columns["oneself"] = corpus.values.has_role(Role.USER)[messages]
    if words is not None:
        rows, homes = corpus.rows[messages], corpus.values.home[messages]
        score = _by_the_best(words.score, words.coverage)
        columns["words"] = score[messages]
        columns["coverage"] = words.coverage[messages]
        columns["neighbours"] = _neighbours(score, corpus.values.home, messages)
        columns["conversation"] = _by_the_best(words.row_score, words.row_coverage)[
            rows
        ]
        columns["spread"] = words.row_coverage[rows]
        columns["title"] = words.title[homes]
        columns["named"] = words.named[messages]
        columns["meaning"] = np.maximum(columns["meaning"], words.named[messages])
    features = np.zeros((len(messages), len(FEATURES)), np.float32)
    for name, column in columns.items():
        features[:, FEATURES.index(name)] = column
    return features


def _ages(corpus: Corpus, messages: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how many days older messages are than the newest in the archive.

    One of unknown time is as old as can be.
    """
    import numpy as np

    newest = corpus.written[corpus.values.is_there].max()
    ages = (newest - corpus.written[messages].astype(np.float64)) / 86_400_000
    days: NDArray[np.float64] = np.maximum(ages, 0.0)
    return days


def _by_the_best(
    scores: NDArray[np.float32], coverage: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return shares of the best score, less where even the best covers little.

    So one word of many, the only one that is known, doesn't outweigh a meaning.
    """
    import numpy as np

    most = float(coverage.max(initial=0))
    best = max(float(scores.max(initial=0)), 1e-9)
    share: NDArray[np.float32] = np.multiply(scores, np.float32(most / best))
    return share


def _neighbours(
    score: NDArray[np.float32], homes: NDArray[np.int32], messages: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return the better score of the messages before and after in the conversation.

    Messages of a conversation are read in their order, and so have ids one apart.
    """
    import numpy as np

    before = np.maximum(messages - 1, 0)
    after = np.minimum(messages + 1, len(score) - 1)
    here = homes[messages]
    better: NDArray[np.float32] = np.maximum(
        np.where((homes[before] == here) & (before != messages), score[before], 0),
        np.where((homes[after] == here) & (after != messages), score[after], 0),
    )
    return better


def _promising(
    rows: NDArray[np.int32], scores: NDArray[np.floating], unit: SearchUnit
) -> NDArray[np.int64]:
    """Return which of the candidates deserve a look at their texts."""
    import numpy as np

    each = READ if unit is SearchUnit.MESSAGE else READ_OF_ONE
    best = np.argsort(-scores, kind="stable")[: READ * 8]
    taken: Counter[int] = Counter()
    chosen = []
    for index, row in zip(best.tolist(), rows[best].tolist(), strict=True):
        taken[row] += 1
        if taken[row] <= each:
            chosen.append(index)
        if len(chosen) == READ:
            break
    return np.array(chosen, np.int64)


def _look_closer(
    corpus: Corpus,
    near: Nearness,
    question: Question,
    messages: NDArray[np.int64],
    features: NDArray[np.float32],
    chosen: NDArray[np.int64],
) -> None:
    """Fill in what only the texts of some candidates tell, and their vectors."""
    import numpy as np

    ids = messages[chosen].tolist()
    texts = corpus.reader.searched_texts(ids)
    close = closeness_of([texts.get(each, "") for each in ids], question)
    for position, name in enumerate(Closeness._fields):
        features[chosen, FEATURES.index(name)] = [each[position] for each in close]
    column = FEATURES.index("meaning")
    features[chosen, column] = np.maximum(
        features[chosen, column], near.looked_up(corpus.reader, ids)
    )


def reasons(ranked: Ranked, place: int, weights: Weights) -> tuple[Reason, ...]:
    """Return what a score is made of, what adds or takes the most first."""
    row = ranked.features[place].tolist()
    parts = [
        Reason(feature=name, value=round(value, 4), weight=weight)
        for name, value, weight in zip(FEATURES, row, weights.vector(), strict=True)
        if value
    ]
    return tuple(sorted(parts, key=lambda part: -abs(part.adds)))


def ranks(ranked: Ranked, place: int) -> tuple[tuple[str, int], ...]:
    """Return the place that each ranking alone gives a message, if it has one."""
    import numpy as np

    found = []
    for name in ("words", "meaning"):
        column = ranked.features[:, FEATURES.index(name)]
        if column[place] > 0:
            found.append((name, 1 + int(np.count_nonzero(column > column[place]))))
    return tuple(found)
