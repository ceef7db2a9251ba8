"""Reading one rollout: lines as Codex writes them now, or one document of 2025."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from quoth.errors import UnreadableUnitError
from quoth.model import Append, Checkpoint, Message, Origin, Replace, Skipped, Unit

from ._codex_index import ThreadIndex
from ._codex_lines import Line, line_of, passed_over
from ._codex_name import FileName
from ._codex_parser import RolloutParser
from ._documents import LARGEST_FOUND, is_document, messages_among, read_document
from ._files import open_read_only
from ._jsonl import (
    BATCH_RECORDS,
    Draft,
    Record,
    batch_of,
    messages_at,
    read_json_lines,
    records_in,
)
from ._unpacking import is_compressed, open_unpacked

__all__ = ["read_again", "read_rollout"]


def read_rollout(
    unit: Unit,
    since: Checkpoint | None,
    *,
    index: ThreadIndex,
    rollouts: Mapping[str, Path],
) -> Iterator[Append | Replace | Skipped]:
    """Yield a rollout in batches; one that is a single document, whole.

    Args:
        index: Where the titles are looked up that no rollout holds.
        rollouts: Where those of other threads are, of which this may hold a copy.

    Raises:
        UnreadableUnitError: It cannot be opened or unpacked, or is no rollout.
    """
    if is_document(unit):
        return _read_document(unit)
    return read_json_lines(
        unit,
        since,
        parser=lambda state: RolloutParser(
            state,
            FileName(unit.path),
            indexed=lambda thread: index.name_of(thread, unit.path),
            lines_of=lambda thread: _lines_in(rollouts.get(thread)),
        ),
        passes_over=passed_over,
        opens=_opener_of(unit.path),
    )


def _lines_in(rollout: Path | None) -> Iterator[Line]:
    if rollout is None or rollout.name.endswith(".json"):
        return
    with _opener_of(rollout)(rollout) as file:
        yield from map(line_of, records_in(file, passes_over=passed_over))


def read_again(unit: Unit, origin: Origin) -> Sequence[Message]:
    """Return what one record of a rollout says."""
    if is_document(unit):
        return messages_among(_read_document(unit), origin)
    return messages_at(
        unit,
        origin,
        parser=lambda state: RolloutParser(state, FileName(unit.path)),
        opens=_opener_of(unit.path),
    )


def _opener_of(path: Path) -> Callable[[Path], BinaryIO]:
    return open_unpacked if is_compressed(path) else open_read_only


def _read_document(unit: Unit) -> Iterator[Append | Replace]:
    """Yield a rollout of spring 2025, when one was a document of its own."""
    session, items = _parts(unit.path)
    parser = RolloutParser({}, FileName(unit.path), in_document=True)
    draft = Draft()
    kind: type[Append | Replace] = Replace
    parser.feed(Record(0, 0, {"type": "session_meta", "payload": session}), draft)
    for place, item in enumerate(items):
        if len(draft.records) >= BATCH_RECORDS:
            yield batch_of(kind, draft, parser, Checkpoint())
            kind, draft = Append, Draft()
        parser.feed(Record(place, 0, item), draft)
    parser.settle(draft)
    yield batch_of(kind, draft, parser, Checkpoint(offset=unit.size))


def _parts(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    document = read_document(path, largest=LARGEST_FOUND)
    session = document.get("session") if isinstance(document, dict) else None
    items = document.get("items") if isinstance(document, dict) else None
    if not isinstance(session, dict) or not isinstance(items, list):
        raise UnreadableUnitError(path, why="it holds no session and items")
    return session, [item if isinstance(item, dict) else {} for item in items]
