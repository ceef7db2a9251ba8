"""Text that reads a little like prose, code and logs, and means nothing.

Word frequencies follow Zipf's law with a long tail of words that are made of syllables,
so that an index of it has the shape of a real one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchmarks import english_words as words
else:  # run by path, this folder is the first place imports are looked for in
    import english_words as words

__all__ = ["Prose", "nouns_drawn"]

TAIL: Final = 30_000
"""How many nouns are made up. Four in ten nouns that are drawn are of these."""

ONSETS: Final = (
    *("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "k", "kl", "l", "m"),
    *("n", "p", "pr", "qu", "r", "s", "sh", "st", "t", "tr", "v", "w", "z"),
)
VOWELS: Final = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
CODAS: Final = ("", "", "l", "m", "n", "r", "s", "t", "x", "nd", "rk", "st")
PLANTED_SHARE: Final = 0.08
ZIPF_SHIFT: Final = 2.7
STATEMENTS: Final = (
    "The {n} has to {v} the {a} {n} {r}.",
    "I had to {v} the {n} and the {n} of the {n}, but the {a} {n} is {r} {a}.",
    "We should {v} the {n} before the {n} can {v}.",
    "It looks like the {a} {n} will {v} only when the {n} is {a}.",
    "{p} said that the {n} has to {v} with the {n} of the {n}.",
    "That is {a}, because `{i}` does {v} each {n} {r}.",
    "Without the {n} no {n} can {v} the {n}, and the {a} one is {a}.",
    "The {n} in `{f}` is {a}; the {n} after it must {v} the {n}.",
    "Then {v} the {n}, {v} the {n} and {v} the {a} {n}.",
    "There is a {a} {n} for every {n}, so the {n} may {v} {r}.",
)
REQUESTS: Final = (
    "can you {v} the {n} in {f}? the {n} is {a} and the {n} can {v} {r}",
    "why does the {a} {n} {v} the {n}?",
    "please {v} the {n}, then {v} the {n} of the {n}",
    "the {n} did not {v} {r} since {p} began to {v} the {n}. what is {a} there?",
    "no, keep the {a} {n}. only {v} the {n}",
    "what did we decide about the {n} and the {a} {n}?",
    "ok. and the {n}?",
)
CODE_LINES: Final = (
    "    {i} = {n}_{n}({n}, {n}={d})",
    "def {i}({n}: {a}_{n}) -> {n}:",
    "        return {n}.{v}({n}_{d}) or {n}",
    "    if {n} is not None and {n}.{a}:",
    "{d}:{d}:{d} INFO {v} {n} id={d}{d} in {d} ms",
    "{d}:{d}:{d} WARNING {a} {n}: {n}.{n} will {v} {r}",
    "./{f}:{d}:    {v}_{n}({n}, {n})",
    "-    {n} = {v}({n})",
    "+    {n} = {v}({n}, {a}=True)",
    "tests/test_{n}_{n}.py::test_{n}_can_{v}_{n} PASSED [ {d}%]",
    "    # {n} must {v} {n}, {r}",
    "",
)


def tail_of_nouns() -> list[str]:
    """Return made-up words, the same for every seed: a language has one vocabulary."""
    random = Random("tail")
    made: dict[str, None] = {}
    while len(made) < TAIL:
        syllables = random.choice((2, 2, 3, 3, 4))
        parts = (
            random.choice(ONSETS) + random.choice(VOWELS) + random.choice(CODAS)
            for _ in range(syllables)
        )
        made["".join(parts)] = None
    return [*made]


def zipf_draws(random: Random, choices: Sequence[str]) -> Iterator[str]:
    """Yield words for ever, each the rarer the further down its list it stands."""
    weights = itertools.accumulate(
        1 / (rank + ZIPF_SHIFT) for rank in range(len(choices))
    )
    cumulative = list(weights)
    while True:
        yield from random.choices(choices, cum_weights=cumulative, k=4096)


def nouns_drawn(random: Random) -> Iterator[str]:
    """Yield nouns as often as they occur: the known ones first, then the tail."""
    return zipf_draws(random, [*words.NOUNS, *tail_of_nouns()])


@dataclass(slots=True)
class Prose:
    """Makes text that reads like prose and code, from one random source."""

    random: Random
    slots: dict[str, Callable[[], str]] = field(init=False)
    templates: dict[str, list[Callable[[], str]]] = field(init=False)

    def __post_init__(self) -> None:
        nouns = nouns_drawn(self.random).__next__
        verbs = zipf_draws(self.random, words.VERBS).__next__
        bits = self.random.getrandbits
        self.slots = {
            "n": nouns,
            "v": verbs,
            "a": zipf_draws(self.random, words.ADJECTIVES).__next__,
            "r": zipf_draws(self.random, words.ADVERBS).__next__,
            "p": zipf_draws(self.random, words.NAMES).__next__,
            "d": lambda: str(bits(6)),
            "i": lambda: f"{verbs()}_{nouns()}",
            "f": lambda: f"src/{nouns()}/{nouns()}_{nouns()}.py",
        }
        self.templates = {
            name: [self.compiled(template) for template in templates]
            for name, templates in (
                ("statement", STATEMENTS),
                ("request", REQUESTS),
                ("code", CODE_LINES),
            )
        }

    def compiled(self, template: str) -> Callable[[], str]:
        """Return a function that fills the slots of *template* anew at each call."""
        first, *rest = template.split("{")
        pieces = [(self.slots[part[0]], part[2:]) for part in rest]

        def fill() -> str:
            return first + "".join([draw() + text for draw, text in pieces])

        return fill

    def some(self, kind: str, length: float) -> Iterator[str]:
        """Yield sentences or lines until they are about *length* characters long."""
        templates = self.templates[kind]
        pick = self.random.random
        count = len(templates)
        while length > 0:
            text = templates[int(pick() * count)]()
            length -= len(text) + 1
            yield text

    def length(self, median: float, spread: float, most: float) -> float:
        return min(self.random.lognormvariate(math.log(median), spread), most)

    def request(self) -> str:
        return " ".join(self.some("request", self.length(90, 0.8, 3000)))

    def answer(self) -> str:
        paragraphs = self.random.choice((1, 1, 2, 3, 5))
        length = self.length(420, 0.8, 6000) / paragraphs
        return "\n\n".join(
            " ".join(self.some("statement", length)) for _ in range(paragraphs)
        )

    def thought(self) -> str:
        return " ".join(self.some("statement", self.length(380, 0.8, 6000)))

    def output(self, most: float = 60_000) -> str:
        return "\n".join(self.some("code", self.length(3600, 1.2, most)))

    def identifier(self) -> str:
        """Return a name that occurs once in everything written with one seed."""
        draw = self.slots
        unique = f"{self.random.getrandbits(32):08x}"
        return f"{draw['v']()}_{draw['n']()}_{draw['n']()}_{unique}"

    def planted(self, text: str) -> tuple[str, str | None]:
        """Return *text*, now and then with an identifier of its own, and that."""
        if self.random.random() >= PLANTED_SHARE:
            return text, None
        name = self.identifier()
        return f"{text}\n\nThe one that matters is `{name}`.", name
