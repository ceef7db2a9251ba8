"""Which conversations a selection means, what goes with them, what that takes away."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from quoth.errors import NotRecordedError, UsageError
from quoth.model import (
    Filters,
    ForgetPlan,
    Forgotten,
    Kinship,
    Leaving,
    Selection,
)

from ._family import Family, family_of
from ._reader import ArchiveReader
from ._resolve import resolved
from ._rows import number, place, sound_rows, text, text_or_none
from ._scope import WRITTEN, homes
from ._times import milliseconds, moment
from ._tombstones import Bans, active_entries

__all__ = ["criteria", "forgotten_entries", "plan_forget"]


def forgotten_entries(reader: ArchiveReader) -> tuple[Forgotten, ...]:
    """Return the list of what was forgotten and is kept out, the oldest first."""
    return tuple(active_entries(reader.connection))


def plan_forget(reader: ArchiveReader, selection: Selection) -> ForgetPlan:
    """Return what forgetting *selection* would take away, from one moment.

    Raises:
        UsageError: It chooses by nothing at all.
        NotRecordedError: A key names no conversation, or one that was forgotten.
    """
    _check(selection)
    reader.begin()
    try:
        connection = reader.connection
        chosen = _chosen(connection, selection)
        family = family_of(connection, chosen, copies=selection.family)
        messages, kept_elsewhere = _counts(connection, family)
        return ForgetPlan(
            selection=selection,
            conversations=tuple(_leaving(connection, family)),
            messages=messages,
            kept_elsewhere=kept_elsewhere,
            recorded=connection.execute("SELECT count(*) FROM conversation").fetchone()[
                0
            ],
        )
    finally:
        reader.end()


def criteria(selection: Selection) -> tuple[str, ...]:
    """Return by what *selection* chooses, without the words of it."""
    given = {
        "key": selection.keys,
        "repo": selection.repo,
        "source": selection.source,
        "dates": selection.since or selection.until,
        "phrase": selection.phrase,
    }
    return tuple(name for name, value in given.items() if value)


def _check(selection: Selection) -> None:
    if not criteria(selection):
        raise UsageError(
            "Nothing says what to forget.",
            hint="Give a key, a repository, a source, a time or a phrase.",
        )
    if selection.phrase is not None and not _folded(selection.phrase):
        raise UsageError("A phrase of nothing but blanks is in every conversation.")


# Chosen


def _chosen(connection: sqlite3.Connection, selection: Selection) -> set[int]:
    """Return the ids of the conversations that meet all that is given."""
    met = [
        set(homes(connection, Filters(source=selection.source, repo=selection.repo)))
    ]
    if selection.keys:
        met.append({_id_of(connection, key) for key in selection.keys})
    if selection.since is not None or selection.until is not None:
        met.append(_said_between(connection, selection))
    chosen = set.intersection(*met)
    if selection.phrase is not None and chosen:
        chosen &= _holding(connection, _folded(selection.phrase))
    return chosen


def _id_of(connection: sqlite3.Connection, key: str) -> int:
    try:
        whole = resolved(connection, key)
    except NotRecordedError:
        _refuse_forgotten(connection, key)
        raise
    row = connection.execute("SELECT id FROM conversation WHERE key = ?", (whole,))
    return int(row.fetchone()[0])


def _refuse_forgotten(connection: sqlite3.Connection, key: str) -> None:
    entry = Bans(connection).conversation(key)
    if entry is None:
        return
    at = next(each.at for each in active_entries(connection) if each.entry == entry)
    raise NotRecordedError(
        f"{key!a} was forgotten already, on {at:%Y-%m-%d} (entry {entry}).",
        hint="`quoth forget --list` shows what is kept out, and what lets it in again.",
    )


def _said_between(connection: sqlite3.Connection, selection: Selection) -> set[int]:
    conditions, values = ["m.noise IS NULL"], []
    for bound, comparison in ((selection.since, ">="), (selection.until, "<")):
        if bound is not None:
            conditions.append(f"{WRITTEN} {comparison} ?")
            values.append(milliseconds(bound))
    rows = connection.execute(
        "SELECT DISTINCT c.id FROM member JOIN message m ON m.id = member.message"
        " JOIN conversation c ON c.id = member.conversation"
        f" WHERE {' AND '.join(conditions)}",
        values,
    )
    return {identity for (identity,) in rows}


# By a phrase

_OF_MESSAGES = (
    "SELECT id, text, reasoning FROM body",
    "SELECT message, name, input, command, output FROM tool_call",
    "SELECT message, path, relative FROM file_touch",
    "SELECT m.id, native_id, author, model, cwd, branch"
    " FROM message m JOIN context ON context.id = m.context",
)
_OF_CONVERSATIONS = (
    "SELECT id, native_id, title, cwd, repo, branch, models FROM conversation",
    "SELECT conversation, facts ->> 'title', facts ->> 'cwd', facts ->> 'repo',"
    " facts ->> 'branch', facts ->> 'models' FROM told WHERE json_valid(facts)",
    "SELECT conversation, model FROM usage",
    "SELECT conversation, path FROM told JOIN source_file ON source_file.id = file",
)


def _folded(said: str) -> str:
    """Return *said* as phrases are compared: ignoring case and runs of white space."""
    spaced = " ".join(said.split())
    if spaced.isascii():
        return spaced.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", spaced).casefold())


def _holding(connection: sqlite3.Connection, phrase: str) -> set[int]:
    """Return the conversations that hold *phrase*, live or superseded, anywhere."""
    messages = {
        identity
        for statement in _OF_MESSAGES
        for identity in _rows_holding(connection, statement, phrase)
    }
    rows = connection.execute(
        "SELECT DISTINCT conversation FROM member"
        " WHERE message IN (SELECT value FROM json_each(?))",
        (json.dumps([*messages]),),
    )
    found = {conversation for (conversation,) in rows}
    for statement in _OF_CONVERSATIONS:
        found.update(_rows_holding(connection, statement, phrase))
    return found


def _rows_holding(
    connection: sqlite3.Connection, statement: str, phrase: str
) -> Iterator[int]:
    """Yield the first column of the rows in one of whose others *phrase* is."""
    for identity, *said in connection.execute(statement):
        with sound_rows(connection):
            words = (_words(each) for each in said if each is not None)
            if any(phrase in _folded(each) for each in words):
                yield number(identity)


def _words(stored: object) -> str:
    """Return a text, or the name of a file, which may be made of one.

    The folders above it are a program's own, and the same for much else.
    """
    return Path(place(stored)).name if isinstance(stored, bytes) else text(stored)


# What that takes away


def _counts(connection: sqlite3.Connection, family: Family) -> tuple[int, int]:
    """Count the messages that would be gone, and those that others hold too."""
    parted = [message for part in family.parted.values() for message in part.goes]
    row = connection.execute(
        "WITH some (id) AS (SELECT value FROM json_each(?)),"
        " parted (id) AS (SELECT value FROM json_each(?)),"
        " held (message) AS (SELECT message FROM member"
        "   WHERE conversation IN (SELECT id FROM some)"
        "  UNION SELECT id FROM parted),"
        " counted (elsewhere) AS (SELECT held.message NOT IN (SELECT id FROM parted)"
        "   AND EXISTS (SELECT 1 FROM member AS other"
        "    WHERE other.message = held.message"
        "    AND other.conversation NOT IN (SELECT id FROM some))"
        "  FROM held JOIN message ON message.id = held.message WHERE noise IS NULL)"
        " SELECT total(NOT elsewhere), total(elsewhere) FROM counted",
        (json.dumps([*family.whole]), json.dumps(parted)),
    ).fetchone()
    return int(row[0]), int(row[1])


def _leaving(connection: sqlite3.Connection, family: Family) -> Iterator[Leaving]:
    """Yield what goes, the chosen first, then as old as it is."""
    rows = connection.execute(
        "SELECT c.id, key, title, started_at, ended_at, path,"
        " source_gone_at IS NOT NULL, (SELECT count(*) FROM member"
        "  JOIN message ON message.id = message"
        "  WHERE member.conversation = c.id AND noise IS NULL)"
        " FROM conversation c JOIN source_file f ON f.id = c.file"
        " WHERE c.id IN (SELECT value FROM json_each(?))"
        " ORDER BY started_at IS NULL, started_at, key",
        (json.dumps([*family.whole, *family.parted]),),
    ).fetchall()
    rows.sort(key=lambda row: [*Kinship].index(_why(family, row[0])))
    with sound_rows(connection):
        for identity, key, title, began, ended, path, gone, messages in rows:
            part = family.parted.get(identity)
            stay = part.visible if part else 0
            yield Leaving(
                key=text(key),
                title=text_or_none(title),
                kinship=_why(family, identity),
                messages=messages - stay,
                stay=stay,
                started_at=moment(began),
                ended_at=moment(ended),
                path=Path(place(path)),
                source_gone=bool(gone),
            )


def _why(family: Family, conversation: int) -> Kinship:
    return family.whole.get(conversation, Kinship.COPY)
