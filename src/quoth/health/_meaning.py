"""Are the vectors there, and are they those of the texts?"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path

from quoth.embedding import Embedder, folder_name
from quoth.model import Filters, Finding, Section
from quoth.store import ArchiveReader, flat_path
from quoth.store.checking import CopyState, sampled_vectors, state_of_copy

from ._archive import REPAIR
from ._finding import counted, ok, problem, warning

__all__ = ["ALTERED_VECTORS", "embedded", "flat_copy", "vectors_fit"]

ALTERED_VECTORS = "vector-sample"
"""The check whose problem only new vectors heal."""

_ARCHIVE = Section.ARCHIVE
_SAMPLE = 200
_SAME = 0.98
"""Cosine. Another machine rounds a vector differently; a flipped bit turns it."""


def embedded(reader: ArchiveReader, embedder: Embedder) -> Iterator[Finding]:
    """Say how many messages can be found by meaning."""
    known = reader.embedder(embedder.identity)
    has, lacking = reader.embedded(reader.scope(Filters()), known[0] if known else 0)
    says = f"{has:,} of {counted(has + lacking, 'message')} can be found by meaning."
    if known and known[1] != embedder.dimensions:
        yield problem(
            _ARCHIVE,
            "embedded",
            f"{embedder.identity} makes vectors of {embedder.dimensions} numbers;"
            " those stored are of another width.",
            REPAIR,
        )
    elif lacking:
        yield warning(_ARCHIVE, "embedded", says, "quoth sync embeds the rest.")
    else:
        yield ok(_ARCHIVE, "embedded", says)


def vectors_fit(reader: ArchiveReader, embedder: Embedder) -> Iterator[Finding]:
    """Embed some texts again, and compare with what is stored."""
    known = reader.embedder(embedder.identity)
    if known is None or known[1] != embedder.dimensions:
        return
    stored = sampled_vectors(reader.connection, known[0], most=_SAMPLE)
    anew = embedder.embed_messages([each.text for each in stored])
    wrong = sum(
        not _is_alike(
            each.codes, each.scales, rows.codes.tobytes(), rows.scales.tobytes()
        )
        for each, rows in zip(stored, anew, strict=True)
    )
    if wrong:
        yield problem(
            _ARCHIVE,
            ALTERED_VECTORS,
            f"{wrong:,} of {counted(len(stored), 'text')} embedded again got other"
            " vectors than are stored.",
            REPAIR,
        )
    elif stored:
        yield ok(
            _ARCHIVE,
            ALTERED_VECTORS,
            f"{counted(len(stored), 'text')} embedded again got the vectors stored.",
        )


def flat_copy(
    reader: ArchiveReader, home: Path, embedder: Embedder
) -> Iterator[Finding]:
    """Compare the copy that searches scan with the vectors themselves."""
    path = flat_path(home, folder_name(embedder.identity))
    state = state_of_copy(
        reader.connection,
        path,
        identity=embedder.identity,
        dimensions=embedder.dimensions,
    )
    match state:
        case CopyState.ALTERED:
            yield problem(
                _ARCHIVE,
                "flat-copy",
                f"{path} holds other vectors than the archive.",
                REPAIR,
            )
        case CopyState.UNUSED:
            yield warning(
                _ARCHIVE,
                "flat-copy",
                f"{path} is not of this archive's vectors. Searches pass it over, and"
                " take longer.",
                REPAIR,
            )
        case CopyState.WHOLE:
            yield ok(_ARCHIVE, "flat-copy", "The copy that is scanned is a true one.")
        case CopyState.NONE:
            yield ok(_ARCHIVE, "flat-copy", "There is no copy of the vectors to scan.")


def _is_alike(codes: bytes, scales: bytes, new_codes: bytes, new_scales: bytes) -> bool:
    """Say whether two lists of vectors point the same ways, window by window."""
    if (codes, scales) == (new_codes, new_scales):
        return True
    windows = len(new_scales) // 4
    if len(scales) != len(new_scales) or len(codes) != len(new_codes) or not windows:
        return False
    lengths = zip(_floats(scales), _floats(new_scales), strict=True)
    width = len(codes) // windows
    return all(
        math.isclose(old, new, rel_tol=0.05, abs_tol=1e-9)
        and _cosine(codes[at : at + width], new_codes[at : at + width]) >= _SAME
        for at, (old, new) in zip(range(0, len(codes), width), lengths, strict=True)
    )


def _cosine(one: bytes, other: bytes) -> float:
    a, b = array("b", one), array("b", other)
    norm = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else 1.0


def _floats(packed: bytes) -> array[float]:
    numbers = array("f", packed)
    if sys.byteorder == "big":  # pragma: no cover - no such machine in CI
        numbers.byteswap()
    return numbers
