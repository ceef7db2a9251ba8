"""Checking a citation: does the source still say what we quote?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quoth.errors import UnreadableUnitError, UsageError
from quoth.model import Append, Message, Origin, Outcome, Skipped, Unit, Verdict
from quoth.redaction import (
    RULES_VERSION,
    SECRETS,
    Redactor,
    is_same_but_for_the_hidden,
    redact,
)
from quoth.sources import Source
from quoth.store import (
    ArchiveReader,
    CitedMessage,
    citation_hashes,
    cited_message,
    normalised,
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
    redactor: Redactor = SECRETS,
    rules_version: int = RULES_VERSION,
) -> Verdict:
    """Read the cited record again, redact it, and compare.

    A citation that was made under earlier rules stays one: of what says the same under
    today's, or of what those hide more of.

    Args:
        rules_version: The version of the rules that *redactor* has.

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
    cited = cited_message(reader, parsed, rules_version=rules_version)
    source = _SourceText(cited, parsed.hash12, redactor, rules_version)
    place, outcome, detail = _judged(cited, parsed.hash12, sources, source)
    return Verdict(
        citation=citation,
        outcome=outcome,
        path=cited.unit.path,
        part=cited.unit.part,
        offset=place.offset,
        length=place.length,
        detail=detail,
    )


class _SourceText:
    """Compares what a source says with what is cited, as today's rules let both out."""

    def __init__(
        self,
        cited: CitedMessage,
        hash12: str,
        redactor: Redactor,
        rules_version: int,
    ) -> None:
        self._cited = cited
        self._hash12 = hash12
        self._is_archived = hash12 in cited.now or hash12 in cited.before
        self._redactor = redactor
        self._rules_version = rules_version

    def is_said_by(self, message: Message) -> bool:
        """Say whether *message* is what the citation vouches for."""
        said = _quoted(message, self._redactor)
        if self._hash12 in citation_hashes(said, rules_version=self._rules_version):
            return True
        if not self._is_archived:
            return False
        said, archived = normalised(said), normalised(self._cited.quotation)
        if self._cited.is_older:
            return is_same_but_for_the_hidden(said, archived)
        return said == archived


def _judged(
    cited: CitedMessage, hash12: str, sources: Sequence[Source], source: _SourceText
) -> tuple[Origin, Outcome, str]:
    try:
        place = _place_in_source(cited, sources, source.is_said_by)
        unread = None
    except UnreadableUnitError as exc:
        place, unread = None, exc
    if hash12 not in cited.now and hash12 not in cited.before:
        if place is not None:
            detail = "The source says exactly this, but the archive was altered here."
            return place, Outcome.CHANGED, detail
        detail = "The archive holds something else there, and so does the source."
        return cited.origin, Outcome.NEVER_SAID, detail
    since = _HIDES_MORE if hash12 in cited.before else ""
    if unread is not None:
        why = "is gone" if unread.is_gone else f"can't be read ({unread.why})"
        detail = f"The source {why}; the archive holds exactly this.{since}"
        return cited.origin, Outcome.ARCHIVE_ONLY, detail
    if place is None:
        detail = "The source says something else at this place now."
        return cited.origin, Outcome.CHANGED, detail
    return place, Outcome.VERIFIED, f"The source says exactly this.{since}"


_HIDES_MORE = " It was cited under earlier rules; today's hide more of it."


def _place_in_source(
    cited: CitedMessage,
    sources: Sequence[Source],
    is_said_by: Callable[[Message], bool],
) -> Origin | None:
    """Return where the source says what is cited, or None when it no longer does.

    Raises:
        UnreadableUnitError: The source is gone or can't be read.
    """
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


def _quoted(message: Message, redactor: Redactor) -> str:
    """Return what a citation of *message* would vouch for, without its secrets."""
    (redacted,) = redact(Append(records=(message,)), redactor).batch.records
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
