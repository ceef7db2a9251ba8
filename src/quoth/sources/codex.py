"""Codex: rollouts of its CLI, desktop app, editor extension and `codex exec`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError
from quoth.model import Append, Checkpoint, Message, Origin, Replace, Skipped, Unit

from ._codex_lines import passed_over
from ._codex_parser import RolloutParser
from ._codex_thread import FileName
from ._documents import messages_among, read_document
from ._files import files_under
from ._jsonl import Draft, Record, messages_at, read_json_lines

__all__ = ["Codex"]

_ARCHIVE = "archived_sessions"
_ENDINGS = (".jsonl", ".json", ".jsonl.zst")
_BATCH_RECORDS = 200


class Codex:
    """Rollout files: one thread each, lines appended as it goes on."""

    name = "codex"
    parser_version = 1

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the folders of current and of archived threads."""
        given = environ.get("CODEX_HOME")
        folder = Path(given).expanduser() if given else home / ".codex"
        return (folder / "sessions", folder / _ARCHIVE)

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every rollout, of a thread found twice the one to be preferred.

        A plain file goes before a compressed one, and the current folder before the
        archive: what moves there is the same thread.
        """
        units = [
            unit
            for unit in files_under(roots, wanted=_is_rollout)
            if unit.path.parent.name != ".tmp"
        ]
        best: dict[str, tuple[bool, bool]] = {}
        for unit in units:
            key = FileName(unit.path).key
            best[key] = min(_rank(unit.path), best.get(key, (True, True)))
        for unit in units:
            if _rank(unit.path) == best[FileName(unit.path).key]:
                yield unit

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a rollout in batches; one that is a single document, whole.

        Prompts at the very end of the file are yielded although the event that goes
        with them may follow: then they come again under the same ids.

        Raises:
            UnreadableUnitError: It cannot be opened, is compressed or no rollout.
        """
        if unit.path.name.endswith(".zst"):
            why = "compressed rollouts are not supported yet"
            raise UnreadableUnitError(unit.path, why=why)
        if unit.path.name.endswith(".json"):
            yield from _read_document(unit)
        else:
            yield from _read_lines(unit, since)

    def recognises(self, unit: Unit) -> bool:
        """Say yes: `discover` takes only files that are named as rollouts are."""
        return _is_rollout(unit.path.name)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        if unit.path.name.endswith(".json"):
            return messages_among(_read_document(unit), origin)
        return messages_at(unit, origin, parser=_parser_of(unit))


def _is_rollout(name: str) -> bool:
    return name.startswith("rollout-") and name.endswith(_ENDINGS)


def _rank(path: Path) -> tuple[bool, bool]:
    """Order the places of one thread: the smallest is read."""
    return (path.name.endswith(".zst"), path.parent.name == _ARCHIVE)


def _read_lines(
    unit: Unit, since: Checkpoint | None
) -> Iterator[Append | Replace | Skipped]:
    return read_json_lines(
        unit, since, parser=_parser_of(unit), passes_over=passed_over
    )


def _parser_of(unit: Unit) -> Callable[[dict[str, Any]], RolloutParser]:
    return lambda state: RolloutParser(state, FileName(unit.path))


def _read_document(unit: Unit) -> Iterator[Append | Replace]:
    """Yield a rollout of spring 2025, when one was a document of its own."""
    session, items = _parts(unit.path)
    parser = RolloutParser({}, FileName(unit.path), in_document=True)
    draft = Draft()
    kind: type[Append | Replace] = Replace
    parser.feed(Record(0, 0, {"type": "session_meta", "payload": session}), draft)
    for place, item in enumerate(items):
        if len(draft.records) >= _BATCH_RECORDS:
            yield _document_batch(kind, draft, parser, Checkpoint())
            kind, draft = Append, Draft()
        parser.feed(Record(place, 0, item), draft)
    parser.settle(draft)
    yield _document_batch(kind, draft, parser, Checkpoint(offset=unit.size))


def _parts(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    document = read_document(path)
    session = document.get("session") if isinstance(document, dict) else None
    items = document.get("items") if isinstance(document, dict) else None
    if not isinstance(session, dict) or not isinstance(items, list):
        raise UnreadableUnitError(path, why="it holds no session and items")
    return session, [item if isinstance(item, dict) else {} for item in items]


def _document_batch(
    kind: type[Append | Replace],
    draft: Draft,
    parser: RolloutParser,
    checkpoint: Checkpoint,
) -> Append | Replace:
    return kind(
        conversations=tuple(parser.conversations()),
        records=tuple(draft.records),
        usage=tuple(draft.usage.values()),
        ignored=dict(draft.ignored),
        checkpoint=checkpoint,
    )
