"""Checking a citation: does the source still say what we quote?"""

from __future__ import annotations

from collections.abc import Sequence

from quoth.errors import UnreadableUnitError, UsageError
from quoth.model import Outcome, Verdict
from quoth.redaction import redact_text
from quoth.sources import Source
from quoth.store import (
    ArchiveReader,
    CitedMessage,
    citation_hash,
    cited_message,
    parse_citation,
)

__all__ = ["verify"]


def verify(
    reader: ArchiveReader,
    citation: str,
    sources: Sequence[Source],
    *,
    rules_version: int,
) -> Verdict:
    """Read the cited record again, redact it, and compare.

    Raises:
        UsageError: *citation* is no citation, or names no hash to compare with.
        NotRecordedError: The archive holds no such message.
    """
    parsed = parse_citation(citation)
    if parsed is None or parsed.hash12 is None:
        raise UsageError(
            f"{citation!r} has no hash to check.",
            hint="A citation looks like key#12@0123456789ab.",
        )
    cited = cited_message(reader, parsed)
    kept = citation_hash(cited.text, rules_version=rules_version)
    in_source = _hashes_in_source(cited, sources, rules_version)
    outcome, detail = _judged(parsed.hash12, kept, in_source)
    return Verdict(
        citation=citation,
        outcome=outcome,
        path=cited.unit.path,
        offset=cited.origin.offset,
        length=cited.origin.length,
        detail=detail,
    )


def _judged(
    wanted: str, kept: str, in_source: frozenset[str] | None
) -> tuple[Outcome, str]:
    if wanted != kept:
        return Outcome.CHANGED, "The archive holds another text at this place."
    if in_source is None:
        return (
            Outcome.ARCHIVE_ONLY,
            "The source is gone; the archive holds exactly this text.",
        )
    if wanted in in_source:
        return Outcome.VERIFIED, "The source says exactly this."
    return Outcome.CHANGED, "The source says something else at this place now."


def _hashes_in_source(
    cited: CitedMessage, sources: Sequence[Source], rules_version: int
) -> frozenset[str] | None:
    """Return the hashes of what stands in the cited place; None when that is gone."""
    for source in sources:
        if source.name == cited.source:
            try:
                found = source.read_at(cited.unit, cited.origin)
            except UnreadableUnitError:
                return None
            return frozenset(
                citation_hash(redact_text(message.text), rules_version=rules_version)
                for message in found
            )
    return None
