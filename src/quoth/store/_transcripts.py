"""Reading a conversation back, and finding what a citation names."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quoth.errors import NotRecordedError
from quoth.model import (
    FileTouch,
    Kind,
    Origin,
    Role,
    ShownCall,
    ShownMessage,
    Touch,
    Transcript,
    Unit,
)

from ._citations import (
    citation_hashes,
    hashes_before,
    newest_under_earlier_rules,
)
from ._keys import Citation, citation_hash
from ._reader import ArchiveReader
from ._resolve import resolved
from ._rows import (
    damaged,
    number,
    number_or_none,
    place,
    sound_rows,
    text,
    text_or_none,
)
from ._times import moment

__all__ = ["CitedMessage", "cited_message", "transcript"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedMessage:
    """What the archive knows of a cited message: its text and where that came from.

    `quotation` is what may be shown of it. `now` and `before` are the hashes that
    citations of it have: of what it says, under any version of the rules, and of what
    it said before newer ones hid more of it. `is_older` is set where other rules than
    today's redacted it when it was read.
    """

    source: str
    text: str
    quotation: str
    now: frozenset[str]
    before: frozenset[str]
    is_older: bool
    native_id: str
    unit: Unit
    origin: Origin


def transcript(
    reader: ArchiveReader,
    key: str,
    *,
    seq: int | None,
    around: int | None,
    superseded: bool,
    rules_version: int,
) -> Transcript:
    """Return a conversation, or its messages up to *around* before and after *seq*.

    Raises:
        NotRecordedError: There is no such conversation, or no such message in it; or
            several have keys that begin with *key*.
    """
    connection = reader.connection
    key = resolved(connection, key)
    conversation = _conversation(connection, key)
    rows = _members(connection, conversation["id"], superseded=superseded)
    if seq is not None:
        rows = _near(rows, key, seq, around)
    messages = [row["message"] for row in rows]
    subagents = _subagents(connection, key)
    calls, quoted = _calls(connection, messages), reader.quotations(messages)
    with sound_rows(connection):
        return Transcript(
            key=key,
            parent=text_or_none(conversation["parent"]),
            copy_of=text_or_none(conversation["copy_of"]),
            subagents=subagents,
            kind=Kind(conversation["kind"]),
            source=text(conversation["source"]),
            title=text_or_none(conversation["title"]),
            repo=text_or_none(conversation["repo"]),
            cwd=text_or_none(conversation["cwd"]),
            branch=text_or_none(conversation["branch"]),
            models=tuple(text(model) for model in json.loads(conversation["models"])),
            started_at=moment(conversation["started_at"]),
            ended_at=moment(conversation["ended_at"]),
            path=Path(place(conversation["path"])),
            source_gone_at=moment(conversation["source_gone_at"]),
            messages_total=conversation["live"],
            superseded_total=conversation["superseded"],
            messages=tuple(
                ShownMessage(
                    seq=number(row["seq"]),
                    role=Role(row["role"]),
                    text=text(row["text"]),
                    at=moment(row["at"]),
                    model=text(row["model"]) or None,
                    calls=tuple(calls[row["message"]]),
                    superseded=not row["live"],
                    citation=f"{key}#{row['seq']}@"
                    + citation_hash(
                        quoted[row["message"]], rules_version=rules_version
                    ),
                )
                for row in rows
            ),
        )


def cited_message(
    reader: ArchiveReader, citation: Citation, *, rules_version: int
) -> CitedMessage:
    """Return the message a citation names, superseded or not.

    Raises:
        NotRecordedError: The archive holds no such message.
    """
    key = resolved(reader.connection, citation.key)
    row = _one(
        reader.connection,
        "SELECT c.source, m.id AS message, b.text, m.native_id, f.path,"
        " f.part, f.size, member.offset, member.length, member.path AS place"
        " FROM conversation c JOIN member ON member.conversation = c.id"
        " JOIN message m ON m.id = member.message JOIN body b ON b.id = m.id"
        " JOIN source_file f ON f.id = member.file"
        " WHERE c.key = ? AND member.seq = ?",
        (key, citation.seq),
    )
    if row is None:
        raise _no_message(key, citation.seq)
    message = row["message"]
    shown = reader.quotations([message])[message]
    stored = reader.quotations([message], as_stored=True)[message]
    now = citation_hashes(shown, rules_version=rules_version)
    as_stored = citation_hashes(stored, rules_version=rules_version)
    before = as_stored | hashes_before(reader.connection, message, as_stored)
    newest = newest_under_earlier_rules(reader.connection)
    with sound_rows(reader.connection):
        return CitedMessage(
            source=text(row["source"]),
            text=reader.shown(text(row["text"])),
            quotation=shown,
            now=now,
            before=before - now,
            is_older=message <= newest or reader.is_behind,
            native_id=text(row["native_id"]),
            unit=Unit(
                path=Path(place(row["path"])),
                part=text(row["part"]),
                size=number(row["size"]),
                stamp="",
            ),
            origin=Origin(
                offset=number(row["offset"]),
                length=number(row["length"]),
                path=text(row["place"]),
            ),
        )


def _conversation(connection: sqlite3.Connection, key: str) -> dict[str, Any]:
    row = _one(
        connection,
        "SELECT c.*, coalesce(r.key, c.parent_key) AS parent, f.path,"
        " (SELECT count(*) FROM member JOIN message m ON m.id = message"
        "   WHERE conversation = c.id AND member.live = 1 AND noise IS NULL) AS live,"
        " (SELECT count(*) FROM member JOIN message m ON m.id = message"
        "   WHERE conversation = c.id AND member.live = 0 AND noise IS NULL)"
        "   AS superseded"
        " FROM conversation c"
        " LEFT JOIN conversation r ON r.id = c.root AND r.id <> c.id"
        " JOIN source_file f ON f.id = c.file WHERE c.key = ?",
        (key,),
    )
    if row is None:  # its key is there, but not the file it came from
        raise damaged(connection)
    return row


def _members(
    connection: sqlite3.Connection, conversation: int, *, superseded: bool
) -> list[dict[str, Any]]:
    return _all(
        connection,
        "SELECT member.seq, member.live, m.id AS message, m.role, m.at, b.text,"
        " x.model FROM member JOIN message m ON m.id = member.message"
        " JOIN body b ON b.id = m.id JOIN context x ON x.id = m.context"
        " JOIN source_file f ON f.id = member.file"
        " WHERE conversation = ? AND noise IS NULL AND member.live >= ?"
        " ORDER BY min(m.at) OVER (PARTITION BY member.file), f.path, f.part,"
        " position, seq",
        (conversation, 0 if superseded else 1),
    )


def _near(
    rows: list[dict[str, Any]], key: str, seq: int, around: int | None
) -> list[dict[str, Any]]:
    for index, row in enumerate(rows):
        if row["seq"] == seq:
            reach = 0 if around is None else around
            return rows[max(0, index - reach) : index + reach + 1]
    raise _no_message(key, seq)


def _no_message(key: str, seq: int) -> NotRecordedError:
    return NotRecordedError(
        f"Conversation {key} has no message {seq} to show.",
        hint=f"`quoth show {key} --include superseded` lists all it ever held.",
    )


def _calls(
    connection: sqlite3.Connection, messages: list[int]
) -> defaultdict[int, list[ShownCall]]:
    touches: defaultdict[int, list[FileTouch]] = defaultdict(list)
    wanted = json.dumps(messages)
    for message, path, action in connection.execute(
        "SELECT message, coalesce(relative, path), action FROM file_touch"
        " WHERE message IN (SELECT value FROM json_each(?)) ORDER BY path, action",
        (wanted,),
    ):
        with sound_rows(connection):
            touches[message].append(FileTouch(path=text(path), action=Touch(action)))
    calls: defaultdict[int, list[ShownCall]] = defaultdict(list)
    for row in _all(
        connection,
        "SELECT t.*, coalesce(t.output, b.text) AS answer FROM tool_call t"
        " LEFT JOIN body b ON b.id = t.result_message"
        " WHERE message IN (SELECT value FROM json_each(?)) AND name <> ''"
        " ORDER BY t.id",
        (wanted,),
    ):
        with sound_rows(connection):
            calls[row["message"]].append(_shown_call(row, touches[row["message"]]))
    return calls


def _shown_call(row: dict[str, Any], touches: list[FileTouch]) -> ShownCall:
    return ShownCall(
        name=text(row["name"]),
        input=text(row["input"]),
        command=text_or_none(row["command"]),
        output=text_or_none(row["answer"]),
        output_size=number_or_none(row["output_size"]),
        exit_code=number_or_none(row["exit_code"]),
        is_error=None if row["is_error"] is None else bool(row["is_error"]),
        touches=tuple(touches),
    )


def _subagents(connection: sqlite3.Connection, key: str) -> tuple[str, ...]:
    rows = connection.execute(
        "SELECT key FROM conversation WHERE parent_key = ? AND kind = ?"
        " ORDER BY started_at IS NULL, started_at, key",
        (key, Kind.SUBAGENT),
    )
    with sound_rows(connection):
        return tuple(text(child) for (child,) in rows)


def _all(
    connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]
) -> list[dict[str, Any]]:
    cursor = connection.execute(statement, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _one(
    connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]
) -> dict[str, Any] | None:
    rows = _all(connection, statement, values)
    return rows[0] if rows else None
