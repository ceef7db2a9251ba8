"""Checking a citation: does the source still say what we quote?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quoth.errors import UnreadableUnitError, UsageError
from quoth.model import Append, Message, Origin, Outcome, Skipped, Unit, Verdict
from quoth.redaction import redact
from quoth.sources import Source
from quoth.store import (
    ArchiveReader,
    CitedMessage,
    citation_hash,
    cited_message,
    parse_citation,
    quotation,
)

from ._reading import reading

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
    place, outcome, detail = _judged(cited, parsed.hash12, sources, rules_version)
    return Verdict(
        citation=citation,
        outcome=outcome,
        path=cited.unit.path,
        part=cited.unit.part,
        offset=place.offset,
        length=place.length,
        detail=detail,
    )


def _judged(
    cited: CitedMessage, hash12: str, sources: Sequence[Source], rules_version: int
) -> tuple[Origin, Outcome, str]:
    try:
        place = _place_in_source(cited, hash12, sources, rules_version)
        unread = None
    except UnreadableUnitError as exc:
        place, unread = None, exc
    if citation_hash(cited.quotation, rules_version=rules_version) != hash12:
        if place is not None:
            detail = "The source says exactly this, but the archive was altered here."
            return place, Outcome.CHANGED, detail
        detail = "The archive holds something else there, and so does the source."
        return cited.origin, Outcome.NEVER_SAID, detail
    if unread is not None:
        why = "is gone" if unread.is_gone else f"can't be read ({unread.why})"
        detail = f"The source {why}; the archive holds exactly this."
        return cited.origin, Outcome.ARCHIVE_ONLY, detail
    if place is None:
        detail = "The source says something else at this place now."
        return cited.origin, Outcome.CHANGED, detail
    return place, Outcome.VERIFIED, "The source says exactly this."


def _place_in_source(
    cited: CitedMessage, hash12: str, sources: Sequence[Source], rules_version: int
) -> Origin | None:
    """Return where the source says what is cited, or None when it no longer does.

    Raises:
        UnreadableUnitError: The source is gone or can't be read.
    """

    def is_said_by(message: Message) -> bool:
        return citation_hash(_quoted(message), rules_version=rules_version) == hash12

    for source in sources:
        if source.name == cited.source:
            with reading(cited.unit):
                return _place_read(cited, source, is_said_by)
    raise UnreadableUnitError(cited.unit.path, why=f"nothing reads {cited.source}")


def _place_read(
    cited: CitedMessage, source: Source, is_said_by: Callable[[Message], bool]
) -> Origin | None:
    if any(map(is_said_by, source.read_at(cited.unit, cited.origin))):
        return cited.origin
    # Records before it may have come or gone since, or what tells whose words these
    # are stands far away: then only reading all of it can tell.
    return next(
        (
            message.origin
            for message in _messages_in(source, cited.unit)
            if message.native_id == cited.native_id and is_said_by(message)
        ),
        None,
    )


def _quoted(message: Message) -> str:
    """Return what a citation of *message* would vouch for, without its secrets."""
    (redacted,) = redact(Append(records=(message,))).batch.records
    assert isinstance(redacted, Message)  # noqa: S101 - redaction keeps what it is
    return quotation(
        redacted.text,
        reasoning=redacted.reasoning,
        calls=[(call.name, call.input) for call in redacted.calls],
    )


def _messages_in(source: Source, unit: Unit) -> Iterator[Message]:
    for step in source.read(unit, None):
        if not isinstance(step, Skipped):
            yield from (each for each in step.records if isinstance(each, Message))
