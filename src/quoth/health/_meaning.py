"""Are the vectors there, and are they those of the texts?"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from quoth.embedding import Embedder, Refused
from quoth.ingest import CANNOT_EMBED
from quoth.model import Filters, Finding, Section
from quoth.store import ArchiveReader, KnownEmbedder, flat_path
from quoth.store.checking import CopyState, sampled_vectors, state_of_copy

from ._archive import REPAIR
from ._finding import counted, ok, problem, warning

__all__ = ["ALTERED_VECTORS", "embedded", "flat_copy", "vectors_fit"]

ALTERED_VECTORS = "vector-sample"
"""The check whose problem only new vectors heal."""

_ARCHIVE = Section.ARCHIVE
_SAMPLE, _SMALL_SAMPLE = 200, 16
_SAME = 0.98
"""Cosine. Another machine rounds a vector differently; a flipped bit turns it."""


def embedded(reader: ArchiveReader, embedder: Embedder) -> Iterator[Finding]:
    """Say how many messages can be found by meaning."""
    known = reader.serving()
    counts = reader.embedded(reader.scope(Filters()), known.id if known else 0)
    says = (
        f"{counts.has:,} of {counted(sum(counts), 'message')} can be found by meaning."
    )
    if known is not None and not _fits(embedder, known):
        yield problem(
            _ARCHIVE,
            "embedded",
            f"{embedder.identity} makes vectors of {embedder.dimensions} numbers;"
            " those stored are of another width.",
            REPAIR,
        )
    elif counts.lacking:
        yield warning(_ARCHIVE, "embedded", says, "quoth sync embeds the rest.")
    elif counts.refused:
        refused = counted(counts.refused, "text")
        yield warning(
            _ARCHIVE,
            "embedded",
            f"{says} {refused} could not be embedded; they are found by their words.",
            "quoth embed --retry asks for them again.",
        )
    else:
        yield ok(_ARCHIVE, "embedded", says)


def _fits(embedder: Embedder, known: KnownEmbedder) -> bool:
    """Say whether the embedder's vectors are as wide as those stored of it."""
    with suppress(*CANNOT_EMBED):  # that is another finding
        _try_out(embedder)
        if embedder.identity == known.identity:
            return embedder.dimensions == known.dimensions
    return True


def _try_out(embedder: Embedder) -> None:
    """Ask a question first: a server that hangs is given up after two seconds then.

    Raises:
        QuothError: It can't be used.
    """
    if not embedder.is_quick:
        embedder.embed_query("a question about the archive")


def vectors_fit(reader: ArchiveReader, embedder: Embedder) -> Iterator[Finding]:
    """Embed some texts again, and compare with what is stored."""
    known = reader.serving()
    if known is None or not _fits(embedder, known):
        return
    stored = sampled_vectors(reader.connection, known.id, most=_most(embedder))
    try:
        _try_out(embedder)
        if embedder.identity != known.identity:
            return
        anew = embedder.embed_messages([each.text for each in stored])
    except CANNOT_EMBED:  # that is another finding
        return
    wrong = sum(
        isinstance(rows, Refused)
        or not _is_alike(
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


def _most(embedder: Embedder) -> int:
    return _SAMPLE if embedder.is_quick else _SMALL_SAMPLE


def flat_copy(reader: ArchiveReader, home: Path) -> Iterator[Finding]:
    """Compare the copy that searches scan with the vectors themselves."""
    known = reader.serving()
    if known is None:
        yield ok(_ARCHIVE, "flat-copy", "There is no copy of the vectors to scan.")
        return
    path = flat_path(home, known.identity)
    state = state_of_copy(
        reader.connection,
        path,
        identity=known.identity,
        dimensions=known.dimensions,
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
