"""Reading one file of plain JSON: lines, arrays or documents of turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Noise,
    Origin,
    Replace,
    Role,
    Skipped,
    TitleOrigin,
    Unit,
)

from ._bounds import cut_short, title_line
from ._documents import is_document, messages_among, read_document
from ._files import spelled
from ._generic_turns import (
    Parts,
    Turn,
    id_at,
    is_foreign,
    met_once,
    parts_of,
    text_at,
    turns_in,
)
from ._jsonl import (
    BATCH_RECORDS,
    FIRST_LINES,
    Draft,
    Record,
    batch_of,
    first_values,
    messages_at,
    read_json_lines,
)
from ._moments import moment_of

__all__ = ["holds_turns", "read_again", "read_file"]

_UNKNOWN = "no message with a known role in its first lines"

_MOST_CONVERSATIONS = 500
_MOST_IDS = 500
_MOST_MODELS = 20
_INJECTED_LIMIT = 2_000

_MESSAGE_KEYS = ("message_id", "uuid", "id")
_TIME_KEYS = ("timestamp", "created_at", "time", "ts", "createdAt", "date")


def read_file(
    unit: Unit, since: Checkpoint | None
) -> Iterator[Append | Replace | Skipped]:
    """Yield a file in batches; one that is a single document, whole.

    Raises:
        UnreadableUnitError: It cannot be opened or holds no conversation.
    """
    if is_document(unit):
        return _read_document(unit)
    if not _has_turns(first_values(unit.path)):
        raise UnreadableUnitError(unit.path, why=_UNKNOWN)
    return read_json_lines(unit, since, parser=_parser_of(unit))


def holds_turns(unit: Unit) -> bool:
    """Say whether the first lines, or the document, hold turns."""
    try:
        if is_document(unit):
            next(_read_document(unit), None)
            return True
    except UnreadableUnitError:
        return False
    return _has_turns(first_values(unit.path))


def read_again(unit: Unit, origin: Origin) -> Sequence[Message]:
    """Return what one record of a file says."""
    if is_document(unit):
        return messages_among(_read_document(unit), origin)
    return messages_at(unit, origin, parser=_parser_of(unit))


def _parser_of(unit: Unit) -> Callable[[dict[str, Any]], GenericParser]:
    return lambda state: GenericParser(state, unit.path)


def _has_turns(values: Iterable[Any]) -> bool:
    looked_at = [*values]
    if any(is_foreign(value) for value in looked_at):
        return False
    return any(any(turns_in(value, conversation="")) for value in looked_at)


def _read_document(unit: Unit) -> Iterator[Append | Replace]:
    document = read_document(unit.path)
    first = document[:FIRST_LINES] if isinstance(document, list) else [document]
    if not _has_turns(first):
        raise UnreadableUnitError(unit.path, why=_UNKNOWN)
    parser = GenericParser({}, unit.path)
    turns = turns_in(document, conversation=spelled(unit.path))
    kind: type[Append | Replace] = Replace
    while batch := [*islice(turns, BATCH_RECORDS)]:
        draft = Draft()
        for turn in batch:
            origin = Origin(path=turn.path)
            parser.add(turn, draft, place=f"#{turn.path}", origin=origin)
        full = len(batch) == BATCH_RECORDS
        checkpoint = Checkpoint(offset=0 if full else unit.size)
        yield batch_of(kind, draft, parser, checkpoint)
        kind = Append


class GenericParser:
    """Reads one file; whatever it has to remember is in `state`."""

    by_conversation = "conversations"

    def __init__(self, state: dict[str, Any], path: Path) -> None:
        self.state = state
        self._path = spelled(path)
        self._known: dict[str, dict[str, Any]] = state.setdefault("conversations", {})
        self._ids: list[str] = state.setdefault("ids", [])
        self._changed: dict[str, dict[str, Any]] = {}

    def feed(self, record: Record, draft: Draft) -> None:
        """Add what *record* holds to *draft*: a turn, or a conversation of them."""
        found = False
        origin = Origin(offset=record.offset, length=record.length)
        for turn in turns_in(record.value, conversation=self._path, path=record.place):
            found = True
            self.add(turn, draft, place=turn.path, origin=origin)
        if not found:
            draft.ignored[text_at(record.value, "type") or "other"] += 1

    def add(self, turn: Turn, draft: Draft, *, place: str, origin: Origin) -> None:
        """Add one turn, unless it says nothing."""
        parts = parts_of(turn)
        if not (parts.texts or parts.reasoning or parts.calls or parts.results):
            draft.ignored["empty"] += 1
            return
        message = self._message(turn, parts, place=place, origin=origin)
        draft.records.append(message)
        self._note(turn, message)

    def settle(self, draft: Draft) -> None:
        """Add nothing: every line stands for itself."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield the conversations that changed since they were last asked for."""
        changed, self._changed = self._changed, {}
        for native_id, known in changed.items():
            yield _conversation(native_id, known)

    def _message(
        self, turn: Turn, parts: Parts, *, place: str, origin: Origin
    ) -> Message:
        role = turn.role
        if parts.results and not parts.texts and role is Role.USER:
            role = Role.TOOL
            parts.texts = [result.output for result in parts.results]
        text = "\n".join(parts.texts)
        injected = role is Role.SYSTEM
        times = (moment_of(turn.value.get(key)) for key in _TIME_KEYS)
        return Message(
            conversation=turn.conversation,
            native_id=self._native_id(turn, place),
            role=role,
            text=cut_short(text, _INJECTED_LIMIT) if injected else text,
            reasoning="\n\n".join(parts.reasoning),
            at=next((time for time in times if time), None),
            model=text_at(turn.value, "model") or None,
            cwd=text_at(turn.value, "cwd") or None,
            noise=Noise.INJECTED if injected else None,
            calls=tuple(parts.calls),
            results=tuple(parts.results),
            origin=origin,
        )

    def _native_id(self, turn: Turn, place: str) -> str:
        """Return the given id where it can be one, else the turn's place in this file.

        Some files repeat the id of the conversation on every line as `id`. And one
        conversation may be in several files, so its own id names no place.
        """
        given = id_at(turn.value, *_MESSAGE_KEYS)
        scoped = given if met_once(given) else f"{turn.conversation}#{given}"
        if not given or given == turn.conversation or scoped in self._ids:
            return f"{self._path}{place}"
        self._ids.append(scoped)
        del self._ids[:-_MOST_IDS]
        return scoped

    def _note(self, turn: Turn, message: Message) -> None:
        """Take in what a turn tells of its conversation; forget the least recent."""
        known = self._known.pop(turn.conversation, {})
        self._known[turn.conversation] = known
        self._changed[turn.conversation] = known
        if len(self._known) > _MOST_CONVERSATIONS:
            del self._known[next(iter(self._known))]
        if turn.title:
            known["title"] = title_line(turn.title)
        if message.role is Role.USER and message.text and "prompt" not in known:
            known["prompt"] = title_line(message.text)
        if message.cwd:
            known.setdefault("cwd", message.cwd)
        if message.at:
            stamp = message.at.isoformat()
            known["first"] = min(stamp, known.get("first", stamp))
            known["last"] = max(stamp, known.get("last", stamp))
        models = known.setdefault("models", [])
        if message.model and message.model not in models:
            models[_MOST_MODELS - 1 :] = [message.model]


def _conversation(native_id: str, known: dict[str, Any]) -> Conversation:
    title = known.get("title") or known.get("prompt")
    origin = TitleOrigin.MODEL if known.get("title") else TitleOrigin.PROMPT
    return Conversation(
        native_id=native_id,
        title=title,
        title_origin=origin if title else None,
        cwd=known.get("cwd"),
        started_at=moment_of(known.get("first")),
        ended_at=moment_of(known.get("last")),
        models=tuple(known["models"]),
    )
