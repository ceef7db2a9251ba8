"""Reading one session of Gemini CLI, with what was dropped from it superseded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Message,
    Origin,
    Replace,
    Rewind,
    Skipped,
    Unit,
)

from ._documents import LARGEST_FOUND, is_document, messages_among, read_document
from ._files import open_read_only
from ._gemini_conversation import Session
from ._gemini_fold import MOST_MESSAGES, Fold, Place, key_of
from ._gemini_lines import Lines, fold_log, item_in
from ._generic_turns import text_at
from ._jsonl import BATCH_RECORDS, Draft, first_values

__all__ = ["holds_session", "read_again", "read_session"]

_FACTS = ("projectHash", "startTime")


def read_session(unit: Unit) -> Iterator[Append | Replace | Skipped]:
    """Yield a session in batches, from its start.

    Raises:
        UnreadableUnitError: It cannot be opened, or is a document of something else.
    """
    fold = Fold()
    if is_document(unit):
        document = _document(unit.path)
        fold.add(document, Place())
        yield from _skipped(fold)
        yield from _batches(unit, fold, lambda place: item_in(document, place))
    else:
        yield from fold_log(unit, fold)
        yield from _skipped(fold)
        with open_read_only(unit.path) as file:
            yield from _batches(unit, fold, Lines(file).record)


def read_again(unit: Unit, origin: Origin) -> Sequence[Message]:
    """Return what is said at one place, also by versions that others took over."""
    if is_document(unit):
        steps = read_session(unit)
        batches = (step for step in steps if not isinstance(step, Skipped))
        return messages_among(batches, origin)
    fold = Fold()
    for _ in fold_log(unit, fold):
        pass
    session = Session(unit.path, fold)
    with open_read_only(unit.path) as file:
        lines = Lines(file)
        return [
            message
            for place in lines.places(origin)
            if (record := lines.record(place)) is not None
            for message in session.messages(record, place)
        ]


def holds_session(unit: Unit) -> bool:
    """Say whether the first lines, or the document, are of a session.

    Raises:
        UnreadableUnitError: It cannot be opened.
    """
    if is_document(unit):
        document = read_document(unit.path, largest=LARGEST_FOUND)
        return _is_session(document) and isinstance(document.get("messages"), list)
    return any(map(_is_session, first_values(unit.path)))


def _is_session(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if text_at(value, "type") == "gemini":
        return "id" in value and "content" in value
    return "sessionId" in value and any(key in value for key in _FACTS)


def _document(path: Path) -> dict[str, Any]:
    document = read_document(path, largest=LARGEST_FOUND)
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        raise UnreadableUnitError(path, why="it holds no messages of a session")
    return document


def _skipped(fold: Fold) -> Iterator[Skipped]:
    if fold.passed_from is not None:
        why = f"more than {MOST_MESSAGES} messages in one session"
        yield Skipped(offset=fold.passed_from.offset, reason=why)


def _batches(
    unit: Unit, fold: Fold, record_at: Callable[[Place], dict[str, Any] | None]
) -> Iterator[Append | Replace]:
    """Yield what is live, and then, to be taken back at once, what was dropped.

    Nothing live may follow a rewind: where a copy of the file was read before, it goes
    back in that one, and takes with it what stands there behind.
    """
    session = Session(unit.path, fold)
    kind: type[Append | Replace] = Replace
    draft = Draft(ignored=fold.ignored)
    dropped = ""  # the first message that was
    for key, entry, is_live in fold.in_order():
        if len(draft.records) >= BATCH_RECORDS:
            yield _batch(kind, session, draft, Checkpoint())
            kind, draft = Append, Draft()
        record = record_at(entry.place)
        if record is None or key_of(record, entry.place) != key:
            continue  # the file was changed a moment ago: it will be read again
        messages = session.messages(record, entry.place)
        if not messages:
            draft.ignored["empty"] += 1
        elif not is_live:
            dropped = dropped or messages[0].native_id
        draft.records += messages
        session.note(messages)
        usage = session.usage(key, entry, messages)
        draft.usage |= {usage.call_id: usage} if usage else {}
    if dropped:
        draft.records.append(Rewind(conversation=session.id, first=dropped))
    yield _batch(kind, session, draft, Checkpoint(offset=unit.size))


def _batch(
    kind: type[Append | Replace],
    session: Session,
    draft: Draft,
    checkpoint: Checkpoint,
) -> Append | Replace:
    return kind(
        conversations=session.conversations(),
        records=tuple(draft.records),
        usage=tuple(draft.usage.values()),
        ignored=dict(draft.ignored),
        checkpoint=checkpoint,
    )
