"""Find what each feature of a message should count, and write it down.

    python -m evaluation.learn FOLDER

Every question of the tuning halves is asked through quoth's own search; of what it
ranks, the best 400 messages are kept with their features. The weights are those under
which what answers is likeliest to come first: a softmax over the candidates of each
question, every set and layout weighing the same, with a penalty on large weights, by
gradient descent (Adam; Kingma and Ba 2015). Some features occur in none of the sets;
what they count is set by judgement. The result is rounded, and the same every time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoth.model import SearchUnit
from quoth.retrieval import _weights
from quoth.retrieval._ranking import FEATURES

from .__main__ import KEPT
from .archives import candidates, opened, places_of
from .sets import Half, Library, libraries_of, read_sets

JUDGED = {"title": 0.5, "tool": -0.7, "named": 2.0, "dated": 1.5, "recent": 0.0}
"""What no set has: titles, tools, and identifiers where anything competes."""

DEPTH = 400
STEPS, RATE, PENALTY = 500, 0.05, 0.005


class Example(NamedTuple):
    """The candidates of a question: features (n, features), and which are wanted."""

    features: NDArray[np.float64]
    wanted: NDArray[np.bool_]


def examples(library: Library, unit: SearchUnit) -> Iterator[Example]:
    """Yield what is found for each question, where something wanted is among it."""
    places = places_of(library.sessions)
    with opened(library.sessions, kept_in=KEPT / "archives") as archive:
        for question in library.questions:
            found, features = candidates(archive, question.text, unit, most=DEPTH)
            wanted = np.array(
                [
                    places[place] in question.messages
                    if unit is SearchUnit.MESSAGE
                    else place.split("\0")[0] in question.sessions
                    for place in found
                ],
                np.bool_,
            )
            if wanted.any() and not wanted.all():
                yield Example(features, wanted)


def learned(sets: Sequence[Sequence[Example]]) -> Mapping[str, float]:
    """Return the weight of every feature."""
    judged = np.array([JUDGED.get(name, 0.0) for name in FEATURES])
    free = np.array([name not in JUDGED for name in FEATURES])
    weights = np.zeros(len(FEATURES))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = PENALTY * weights
        for examples in sets:
            slopes = [_slope(each, weights + judged) for each in examples]
            slope += sum(slopes) / len(examples) / len(sets)
        slope *= free
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        ahead = mean / (1 - 0.9**step)
        weights -= RATE * ahead / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return dict(zip(FEATURES, (weights + judged).round(2).tolist(), strict=True))


def _slope(example: Example, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = example.features @ weights
    share = np.exp(scores - scores.max())
    wanted = share * example.wanted
    slope: NDArray[np.float64] = (
        share / share.sum() - wanted / wanted.sum()
    ) @ example.features
    return slope


def main() -> None:
    """Learn both sets of weights, and write them where the search reads them."""
    parser = argparse.ArgumentParser("python -m evaluation.learn", description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    found = {}
    for unit in (SearchUnit.MESSAGE, SearchUnit.CONVERSATION):
        sets = [
            [
                example
                for library in libraries_of(each, layout, half=Half.TUNE)
                for example in examples(library, unit)
            ]
            for each in read_sets(given.folder)
            for layout in each.layouts
        ]
        found[unit] = learned(sets)
        print(unit, found[unit], flush=True)
    Path(_weights.__file__).write_text(_module(found), encoding="utf-8")


def _module(found: Mapping[SearchUnit, Mapping[str, float]]) -> str:
    lines = [
        '"""What each feature counts, as `python -m evaluation.learn` found it."""',
        "",
        "from __future__ import annotations",
        "",
        "from quoth.model import SearchUnit",
        "",
        "from ._ranking import Weights",
        "",
        '__all__ = ["WEIGHTS"]',
        "",
        "WEIGHTS = {",
    ]
    for unit, weights in found.items():
        lines.append(f"    SearchUnit.{unit.name}: Weights(")
        lines += [f"        {name}={weight}," for name, weight in weights.items()]
        lines.append("    ),")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    main()
