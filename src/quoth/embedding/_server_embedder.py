"""Vectors from a server on this machine, every one of them looked at."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeVar

from quoth.errors import ServerAnswerError, ServerBusyError, ServerUnreachableError
from quoth.loopback import Asker, LoopbackUrl
from quoth.model import EmbedderChoice
from quoth.passages import WINDOW_OVERLAP, WINDOW_WORDS, windows_of

from ._connect import Connect
from ._dialect import Dialect, RejectedError, Served, TooLongError, Vector
from ._endpoints import endpoint_of
from ._prefixes import Prefixes, prefixes_of
from ._protocol import Quantised, QueryVector, Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ServerEmbedder"]

_Answer = TypeVar("_Answer")

_QUERY_S: Final = 2.0
"""A person waits for a question."""

_TOGETHER: Final = 64
_TOGETHER_CHARACTERS: Final = 32_000
"""In one request: hundreds of texts in one have killed servers."""

_MOST_CHARACTERS: Final = 1_000
"""Of a window: 40 words have some 250. A longer one has few spaces and many tokens."""

_LEAST_CHARACTERS: Final = 50
"""A text that is too long for a model at this length is so for another reason."""

_PAUSES_S: Final = (0.5, 1.0, 2.0)

_MOST_DIMENSIONS: Final = 16_384
"""Of a vector: four times those of the largest model of today."""

_FAILS: Final = "it fails on this question"

_PROBE: Final = "quoth"
"""A text that harms no model, and tells nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The server's model, and how wide its vectors are."""

    served: Served
    dimensions: int


class ServerEmbedder:
    """A model in a server on this machine. Nothing is asked before the first use.

    Before any text goes to the server, its list of models is looked at: one that is not
    there, or not on this machine, is never asked for. One embedder is one such look.

    Args:
        connect: Who asks the server.
        environ: Where `OLLAMA_HOST` is looked for.
        sleep: Waits between two tries.
    """

    is_quick = False
    floor = None

    def __init__(
        self,
        choice: EmbedderChoice,
        dialect: Dialect,
        *,
        connect: Connect,
        environ: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._choice = choice
        self._dialect = dialect
        self._connect = connect
        self._environ = environ
        self._sleep = sleep
        self._served: Served | None = None
        self._dimensions: int | None = None
        self._probe: NDArray[np.float64] | None = None

    @property
    def choice(self) -> EmbedderChoice:
        """What was chosen; the model as the server names it, once that was asked."""
        if self._served is None or self._choice.model:
            return self._choice
        return replace(self._choice, model=self._served.name)

    @property
    def identity(self) -> str:
        """Kind, model, version, width, windows and prefixes."""
        known = self._known()
        said = self._prefixes
        rule = sha256(f"{said.query}\0{said.document}".encode()).hexdigest()[:8]
        version = f"@{known.served.version}" if known.served.version else ""
        return (
            f"{self._dialect.kind}/{known.served.name}{version}/{known.dimensions}"
            f"/w{WINDOW_WORDS}o{WINDOW_OVERLAP}c{_MOST_CHARACTERS}/p{rule}/1"
        )

    @property
    def dimensions(self) -> int:
        """The width of every vector."""
        return self._known().dimensions

    @property
    def probe(self) -> QueryVector | None:
        """The vector of a fixed word, where the server tells nothing of the weights."""
        from ._pooling import unit

        if self._probe is None or self._checked().version:
            return None
        return unit(self._probe)

    def embed_messages(self, texts: Sequence[str]) -> list[Quantised | Refused]:
        """Return for each text one row per window; one bad text costs that text."""
        import numpy as np

        from ._pooling import quantised

        windows = [[window.text for window in windows_of(text)] for text in texts]
        flat = [window for some in windows for window in some]
        made = iter(self._windows(flat))
        rows: list[Quantised | Refused] = []
        for some in windows:
            of_text = [next(made) for _ in some]
            why = next((each for each in of_text if isinstance(each, str)), None)
            if why is not None:
                rows.append(Refused(why))
                continue
            vectors = [each for each in of_text if not isinstance(each, str)]
            empty = np.zeros((0, self.dimensions))
            rows.append(quantised(np.stack(vectors) if vectors else empty))
        return rows

    def embed_query(self, text: str) -> QueryVector | None:
        """Return a question's vector, or None when there is nothing in it."""
        if not text.strip():
            return None
        from ._pooling import unit

        deadline = time.monotonic() + _QUERY_S
        self._checked(deadline)
        pieces = _cut(text, _MOST_CHARACTERS)
        asked = [f"{self._prefixes.query}{piece}" for piece in pieces]
        try:
            *vectors, probe = self._together_or_alone([*asked, _PROBE], deadline)
        except (RejectedError, TooLongError):
            raise ServerAnswerError(self._url.origin, why=_FAILS) from None
        self._learn(probe)
        found = [_numbers(each, width=self._dimensions) for each in vectors]
        joined = _joined(list(zip(pieces, found, strict=True)))
        if isinstance(joined, str):
            raise ServerAnswerError(self._url.origin, why=_FAILS)
        return unit(joined)

    @cached_property
    def _url(self) -> LoopbackUrl:
        return endpoint_of(self._choice, self._environ)

    @cached_property
    def _asker(self) -> Asker:
        return self._connect(self._url)

    @property
    def _prefixes(self) -> Prefixes:
        return prefixes_of(self._choice, model=self._checked().name)

    def _checked(self, deadline: float | None = None) -> Served:
        """Return the model, after one look whether it is there and on this machine."""
        if self._served is None:
            self._served = self._patiently(
                lambda: self._dialect.served(
                    self._asker,
                    self._url,
                    self._choice.model,
                    timeout_s=_left(deadline),
                ),
                is_pressed=deadline is not None,
            )
        return self._served

    def _known(self) -> _Known:
        served = self._checked()
        if self._dimensions is None:
            self._ask_probe()
        return _Known(served=served, dimensions=self._dimensions or 0)

    def _ask_probe(self) -> None:
        """Make sure that a harmless text still gets a vector.

        Raises:
            ServerAnswerError: It doesn't: the model makes no vectors, or is broken.
        """
        try:
            (vector,) = self._asked([_PROBE])
        except (RejectedError, TooLongError):
            vector = None
        self._learn(vector)

    def _learn(self, probe: Vector) -> None:
        found = _numbers(probe, width=self._dimensions)
        if isinstance(found, str):
            why = "its model gives no vectors, or other ones than before"
            raise ServerAnswerError(self._url.origin, why=why)
        self._dimensions, self._probe = len(found), found

    def _windows(self, windows: Sequence[str]) -> Iterator[NDArray[np.float64] | str]:
        """Yield a vector for each window, or why there is none."""
        if not windows:
            return
        known = self._known()
        most = _MOST_CHARACTERS
        if known.served.most_tokens:
            most = max(min(most, 2 * known.served.most_tokens), _LEAST_CHARACTERS)
        pieces = [_cut(window, most) for window in windows]
        flat = [piece for some in pieces for piece in some]
        made = iter([row for batch in _batches(flat) for row in self._pieces(batch)])
        for some in pieces:
            yield _joined([(piece, next(made)) for piece in some])

    def _pieces(self, texts: Sequence[str]) -> list[NDArray[np.float64] | str]:
        """Return a vector for each text, or why there is none, halving what fails."""
        before = self._prefixes.document
        try:
            vectors = self._asked([f"{before}{text}" for text in texts])
        except (RejectedError, TooLongError) as error:
            if len(texts) > 1:
                half = len(texts) // 2
                return [*self._pieces(texts[:half]), *self._pieces(texts[half:])]
            return [self._alone(texts[0], is_too_long=isinstance(error, TooLongError))]
        found = [_numbers(each, width=self._dimensions) for each in vectors]
        return [
            self._alone(text, why=row) if isinstance(row, str) else row
            for text, row in zip(texts, found, strict=True)
        ]

    def _alone(
        self,
        text: str,
        *,
        is_too_long: bool = False,
        why: str = "the server fails on it",
    ) -> NDArray[np.float64] | str:
        """Try a text once more by itself, or in halves; return why it is given up.

        That other texts still get vectors is made sure of: else it is not the text.
        """
        if is_too_long and len(text) > _LEAST_CHARACTERS:
            halves = _cut(text, -(-len(text) // 2))
            return _joined([(half, self._pieces([half])[0]) for half in halves])
        if is_too_long:
            return "it is too long for the model"
        self._ask_probe()
        try:
            (vector,) = self._asked([f"{self._prefixes.document}{text}"])
        except TooLongError:
            return self._alone(text, is_too_long=True)
        except RejectedError:
            return why
        return _numbers(vector, width=self._dimensions)

    def _asked(
        self, texts: Sequence[str], deadline: float | None = None
    ) -> list[Vector]:
        """Return what the server gives for each of *texts*."""
        served = self._checked(deadline)
        return self._patiently(
            lambda: self._dialect.vectors(
                self._asker, self._url, served, texts, timeout_s=_left(deadline)
            ),
            is_pressed=deadline is not None,
        )

    def _together_or_alone(self, texts: Sequence[str], deadline: float) -> list[Vector]:
        """Ask for all at once, and for each where a server muddles them up."""
        try:
            return self._asked(texts, deadline)
        except RejectedError:
            return [self._asked([text], deadline)[0] for text in texts]

    def _patiently(self, ask: Callable[[], _Answer], *, is_pressed: bool) -> _Answer:
        """Ask again after a pause when the server is busy or just starts.

        Args:
            is_pressed: There is no time for that: a person waits.
        """
        for pause in () if is_pressed else _PAUSES_S:
            try:
                return ask()
            except (ServerBusyError, ServerUnreachableError):
                self._sleep(pause)
        return ask()


def _left(deadline: float | None) -> float | None:
    """Return how many seconds a request may take; None for as many as usual."""
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


def _cut(text: str, most: int) -> list[str]:
    """Return *text* in pieces of about the same length, none above *most*."""
    count = -(-len(text) // most)
    length = -(-len(text) // count) if count else 0
    return [text[at : at + length] for at in range(0, len(text), length or 1)]


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        is_full = len(batch) == _TOGETHER
        if batch and (is_full or characters + len(text) > _TOGETHER_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _numbers(vector: Vector, *, width: int | None) -> NDArray[np.float64] | str:
    """Return a vector at length 1, or what is wrong with it."""
    import numpy as np

    if not vector:
        return "there is no vector"
    if not all(type(each) in (int, float) for each in vector):
        return "its vector is not a number"
    if len(vector) != (width or len(vector)) or len(vector) > _MOST_DIMENSIONS:
        return "its vector has another width"
    try:
        found = np.array(vector, np.float64)
    except OverflowError:  # JSON has whole numbers of any length
        return "its vector is not a number"
    with np.errstate(over="ignore"):
        length = math.sqrt(float((found * found).sum()))
    if not math.isfinite(length):
        return "its vector is not a number"
    if not length:
        return "its vector is all zeros"
    return found / length


def _joined(
    pieces: Sequence[tuple[str, NDArray[np.float64] | str]],
) -> NDArray[np.float64] | str:
    """Return the mean of the vectors of pieces, by their lengths; or the first why."""
    total: NDArray[np.float64] | None = None
    for piece, row in pieces:
        if isinstance(row, str):
            return row
        weighted = row * len(piece)
        total = weighted if total is None else total + weighted
    if total is None:
        return "there is nothing in it"
    length = math.sqrt(float((total * total).sum()))
    return total / length if length else "its vector is all zeros"
