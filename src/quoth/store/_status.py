"""What the archive holds, as numbers, and a dump of it that no row id is in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quoth.model import (
    ComingEmbedder,
    EmbedderChoice,
    FailedUnit,
    Filters,
    Freshness,
    SkippedRecords,
    SourceStatus,
    Status,
)

from ._embedders import KnownEmbedder
from ._reader import ArchiveReader
from ._rows import number, place, sound_rows, text
from ._schema import SCHEMA_VERSION
from ._scope import Scope
from ._times import moment
from ._tombstones import conversations_forgotten

__all__ = ["canonical_dump", "disk_usage", "read_status"]


def read_status(
    reader: ArchiveReader,
    *,
    home: Path,
    chosen: EmbedderChoice,
    rules_version: int,
    rules: str,
    freshness: Freshness,
    size: int,
) -> Status:
    """Return what the archive in *home* holds, from one moment of it."""
    reader.begin()
    try:
        scope = reader.scope(Filters())
        known = reader.serving()
        embedded = reader.embedded(scope, known.id if known else 0)
        superseded, noise = _message_tallies(reader)
        return Status(
            home=home,
            exists=True,
            size=size,
            schema=SCHEMA_VERSION,
            recorded=reader.recorded(scope),
            superseded=superseded,
            noise=noise,
            forgotten=conversations_forgotten(reader.connection),
            embedded=embedded.has,
            embeddable=sum(embedded),
            refused=embedded.refused,
            identity=known.identity if known else None,
            coming=_coming(reader, scope, known, chosen),
            rules_version=rules_version,
            waiting_for_rules=reader.waiting_for_rules(rules),
            sources=_source_statuses(reader),
            ignored=_ignored_records(reader),
            skipped=_skipped_records(reader),
            failed=_failed_units(reader),
            freshness=freshness,
        )
    finally:
        reader.end()


def _coming(
    reader: ArchiveReader,
    scope: Scope,
    serving: KnownEmbedder | None,
    chosen: EmbedderChoice,
) -> ComingEmbedder | None:
    """Return the embedder that serves as soon as it has vectors of everything."""
    if serving is None or serving.choice == chosen:
        return None
    known = reader.embedder_of(chosen)
    embedded = reader.embedded(scope, known.id if known else 0)
    return ComingEmbedder(
        name=chosen.name, embedded=embedded.has, lacking=embedded.lacking
    )


def disk_usage(home: Path) -> int:
    """Return the bytes of every file in the data folder."""
    return sum(path.lstat().st_size for path in home.rglob("*") if path.is_file())


def _source_statuses(reader: ArchiveReader) -> tuple[SourceStatus, ...]:
    """Return what the archive holds of each source, by name."""
    rows = reader.connection.execute(
        "SELECT source, total(root = id AND messages > 0), total(root <> id),"
        " total(messages), total(source_gone_at IS NOT NULL), max(ended_at)"
        " FROM (SELECT DISTINCT source FROM source_file)"
        " LEFT JOIN conversation USING (source) GROUP BY source ORDER BY source"
    ).fetchall()
    units = {
        row[0]: row[1:]
        for row in reader.connection.execute(
            "SELECT source, count(*), sum(state = 'failed' AND gone_at IS NULL),"
            " (SELECT count(*) FROM skipped_record JOIN source_file s ON s.id = file"
            "   WHERE s.source = source_file.source AND s.gone_at IS NULL)"
            " FROM source_file GROUP BY source"
        )
    }
    with sound_rows(reader.connection):
        return tuple(
            SourceStatus(
                source=text(source),
                conversations=int(mains),
                subagents=int(subagents),
                messages=int(messages),
                units=units[source][0],
                gone=int(gone),
                failed=units[source][1],
                skipped=units[source][2],
                newest=moment(newest),
            )
            for source, mains, subagents, messages, gone, newest in rows
        )


def _message_tallies(reader: ArchiveReader) -> tuple[int, int]:
    """Count superseded messages, and those that are nobody's words."""
    row = reader.connection.execute(
        "SELECT total(live = 0 AND noise IS NULL), total(noise IS NOT NULL)"
        " FROM message"
    ).fetchone()
    return int(row[0]), int(row[1])


def _ignored_records(reader: ArchiveReader) -> dict[str, int]:
    """Count records that hold no conversation, by `source:type`."""
    rows = reader.connection.execute(
        "SELECT source || ':' || kind, sum(count) FROM ignored_record"
        " JOIN source_file ON source_file.id = file WHERE gone_at IS NULL"
        " GROUP BY 1 ORDER BY 1"
    )
    with sound_rows(reader.connection):
        return {text(kind): number(count) for kind, count in rows}


def _skipped_records(reader: ArchiveReader) -> tuple[SkippedRecords, ...]:
    """Return what could not be read, by unit and reason."""
    found: dict[tuple[str, str, str], dict[str, int]] = {}
    for source, path, part, reason, count in reader.connection.execute(
        "SELECT source, path, part, reason, count(*) FROM skipped_record"
        " JOIN source_file ON source_file.id = file WHERE gone_at IS NULL"
        " GROUP BY source, path, part, reason ORDER BY source, path, part, reason"
    ):
        with sound_rows(reader.connection):
            unit = (text(source), place(path), text(part))
            found.setdefault(unit, {})[text(reason)] = count
    return tuple(
        SkippedRecords(source=source, path=Path(path), part=part, reasons=reasons)
        for (source, path, part), reasons in found.items()
    )


def _failed_units(reader: ArchiveReader) -> tuple[FailedUnit, ...]:
    """Return the units that could not be opened when last tried."""
    rows = reader.connection.execute(
        "SELECT source, path, part, error FROM source_file"
        " WHERE state = 'failed' AND gone_at IS NULL ORDER BY source, path, part"
    )
    with sound_rows(reader.connection):
        return tuple(
            FailedUnit(
                source=text(source),
                path=Path(place(path)),
                part=text(part),
                reason=text(error),
            )
            for source, path, part, error in rows
        )


# One statement a table. Row ids and the order of reading are left out, so that an
# archive fed in pieces can be compared with one that was made at once.
_DUMP = {
    "conversation": "SELECT key, kind, parent_key,"
    " (SELECT key FROM conversation AS r WHERE r.id = c.root), title, title_origin,"
    " cwd, branch, started_at, ended_at, models, app_version, messages, texts, f.path"
    " FROM conversation c JOIN source_file f ON f.id = file"
    " WHERE EXISTS (SELECT 1 FROM member WHERE conversation = c.id AND live = 1)"
    " ORDER BY key",
    "message": "SELECT c.key, m.native_id, hex(m.fingerprint), m.role, m.noise, m.at,"
    " m.approximate_time, m.is_command, m.begins, m.author, x.model, x.cwd, x.branch,"
    " b.text, b.search_text, b.tool_words, b.names, b.reasoning"
    " FROM message m JOIN conversation c ON c.id = m.home JOIN body b ON b.id = m.id"
    " JOIN context x ON x.id = m.context WHERE m.live = 1 ORDER BY 1, 2, 3",
    "member": "SELECT key, native_id, hex(fingerprint), path, offset, length, place,"
    " row_number() OVER (PARTITION BY key ORDER BY first_at, path, part, position)"
    " FROM (SELECT c.key, m.native_id, m.fingerprint, f.path, f.part, member.offset,"
    "  member.length, member.path AS place, position,"
    "  min(m.at) OVER (PARTITION BY conversation, member.file) AS first_at"
    "  FROM member JOIN conversation c ON c.id = conversation"
    "  JOIN message m ON m.id = message JOIN source_file f ON f.id = member.file"
    "  WHERE member.live = 1) ORDER BY 1, 8",
    "tool_call": "SELECT m.native_id, t.call_id, t.name, t.input, t.command,"
    " a.native_id, iif(a.live, t.exit_code, NULL), iif(a.live, t.is_error, NULL),"
    " iif(a.live, t.output, NULL), iif(a.live, t.output_size, NULL)"
    " FROM tool_call t JOIN message m ON m.id = t.message"
    " LEFT JOIN message a ON a.id = t.result_message AND a.live = 1 WHERE m.live = 1"
    " ORDER BY 1, 2, 3, 4, 6, 7, 9, 10",
    "file_touch": "SELECT m.native_id, f.path, f.relative, f.action FROM file_touch f"
    " JOIN message m ON m.id = f.message WHERE m.live = 1 ORDER BY 1, 2, 4",
    "usage": "SELECT u.source, u.call_id, c.key, m.native_id, u.model, u.tier,"
    " u.at, u.input, u.output, u.cache_read, u.cache_write_5m, u.cache_write_1h,"
    " u.reasoning, u.lines, u.counted_by FROM usage u"
    " JOIN conversation c ON c.id = u.conversation"
    " LEFT JOIN message m ON m.id = u.message ORDER BY 1, 2",
    "skipped": "SELECT path, offset, reason FROM skipped_record"
    " JOIN source_file ON source_file.id = file WHERE gone_at IS NULL ORDER BY 1, 2",
    "ignored": "SELECT path, kind, count FROM ignored_record"
    " JOIN source_file ON source_file.id = file WHERE gone_at IS NULL ORDER BY 1, 2",
    "embedding": "SELECT e.identity, hex(text_hash), hex(codes), hex(scales)"
    " FROM embedding JOIN embedder e ON e.id = embedder"
    " WHERE text_hash IN (SELECT text_hash FROM message WHERE live = 1)"
    " ORDER BY 1, 2",
    "words": "SELECT c.key, m.native_id FROM words JOIN message m ON m.id = words.rowid"
    " JOIN conversation c ON c.id = m.home WHERE m.live = 1 ORDER BY 1, 2",
}


def canonical_dump(reader: ArchiveReader) -> Iterator[tuple[Any, ...]]:
    """Yield everything live in the archive, in an order of its own, without row ids."""
    for table, statement in _DUMP.items():
        for row in reader.connection.execute(statement):
            yield (table, *row)
