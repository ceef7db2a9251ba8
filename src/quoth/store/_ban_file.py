"""The list of what was forgotten, kept a second time beside the archive.

A backup of `quoth.db` that is restored, or an archive made anew from its sources, knows
nothing of what was forgotten since. This file does. It holds digests, keys, kinds and
times, nothing that was said:

    {"format": 1, "sha256": "<of the second line>"}
    {"entries": [{"uid": ..., "key": ..., "at": ..., ...}, ...]}

What only makes reading faster (units that are kept out) and what the settings say again
(entries of rules) is not in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quoth.errors import ArchiveDamagedError, ArchiveTooNewError

from ._files import explained_os_errors, open_own_file, replacing
from ._rows import blob, number, number_or_none, sound_rows, text
from ._tombstones import BY_RULE, Ban, lift

__all__ = [
    "BAN_FILE",
    "BanFile",
    "Entry",
    "content_of",
    "entries_in",
    "mark_of",
    "take_in",
]

BAN_FILE = "forgotten"
_FORMAT = 1
_LARGEST = 1 << 30
"""Bytes; a message takes some 80, so this is more than anybody has said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one forget bans, as it is kept outside the archive; see `forgotten`."""

    uid: bytes
    number: int
    key: bytes
    at: int
    asked: str
    conversations: int
    messages: int
    lifted_at: int | None = None
    digests: Mapping[Ban, Sequence[bytes]] = field(default_factory=dict)


class BanFile:
    """The file itself, read whole and replaced whole."""

    def __init__(self, home: Path) -> None:
        self._path = home / BAN_FILE

    def mark(self) -> int | None:
        """Return a number for what the file holds, from its first line; None if absent.

        Raises:
            ArchiveDamagedError: It is no such file.
            ArchiveTooNewError: A later quoth wrote it.
            ArchiveUnsafeError: It is a link, or someone else's.
        """
        found = self._lines(1)
        return None if found is None else _mark(self._header(found[0]))

    def read(self) -> tuple[Entry, ...]:
        """Return what the file bans, or nothing where there is none.

        Raises:
            ArchiveDamagedError: It was cut short or changed.
            ArchiveTooNewError: A later quoth wrote it.
            ArchiveUnsafeError: It is a link, or someone else's.
        """
        found = self._lines(2)
        if found is None:
            return ()
        checksum = self._header(found[0])
        content = found[1].rstrip(b"\n")
        if hashlib.sha256(content).hexdigest() != checksum:
            raise self._damaged()
        try:
            return tuple(map(_entry, json.loads(content)["entries"]))
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            raise self._damaged() from None

    def write(self, content: bytes) -> None:
        """Put the file in place with what `content_of` has made of entries.

        Under the write lock: what a killed process left half written goes.

        Raises:
            ArchiveInaccessibleError: It can't be written.
        """
        header = {"format": _FORMAT, "sha256": hashlib.sha256(content).hexdigest()}
        with explained_os_errors(self._path):
            for unfinished in self._path.parent.glob(f".{BAN_FILE}.*.new"):
                unfinished.unlink()
        with explained_os_errors(self._path), replacing(self._path) as file:
            file.write(json.dumps(header).encode() + b"\n" + content + b"\n")

    def _lines(self, count: int) -> list[bytes] | None:
        try:
            descriptor = open_own_file(self._path, os.O_RDONLY)
        except (FileNotFoundError, NotADirectoryError):
            return None
        with explained_os_errors(self._path), os.fdopen(descriptor, "rb") as file:
            return [file.readline(_LARGEST) for _ in range(count)]

    def _header(self, line: bytes) -> str:
        try:
            header = json.loads(line)
            version, checksum = number(header["format"]), text(header["sha256"])
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            raise self._damaged() from None
        if version > _FORMAT:
            raise ArchiveTooNewError(self._path, found=version, known=_FORMAT)
        return checksum

    def _damaged(self) -> ArchiveDamagedError:
        return ArchiveDamagedError(
            self._path, why="it is no longer the list of what was forgotten"
        )


def content_of(entries: Sequence[Entry]) -> bytes:
    """Return the second line of the file: the same for the same entries."""
    told = [
        {
            "uid": entry.uid.hex(),
            "entry": entry.number,
            "key": entry.key.hex(),
            "at": entry.at,
            "asked": entry.asked,
            "conversations": entry.conversations,
            "messages": entry.messages,
            "lifted_at": entry.lifted_at,
            **{
                kind: [digest.hex() for digest in sorted(digests)]
                for kind, digests in sorted(entry.digests.items())
            },
        }
        for entry in sorted(entries, key=lambda entry: entry.uid)
    ]
    return json.dumps({"entries": told}).encode()


def mark_of(content: bytes) -> int:
    """Return the number that stands for what a file holds, as `BanFile.mark` does."""
    return _mark(hashlib.sha256(content).hexdigest())


def _mark(checksum: str) -> int:
    """Return the first 7 bytes of a checksum: SQLite's numbers hold no more."""
    return int(checksum[:14], 16)


def _entry(told: Any) -> Entry:
    return Entry(
        uid=bytes.fromhex(told["uid"]),
        number=number(told["entry"]),
        key=bytes.fromhex(told["key"]),
        at=number(told["at"]),
        asked=text(told["asked"]),
        conversations=number(told["conversations"]),
        messages=number(told["messages"]),
        lifted_at=number_or_none(told["lifted_at"]),
        digests={
            kind: tuple(map(bytes.fromhex, told[kind])) for kind in Ban if kind in told
        },
    )


def entries_in(connection: sqlite3.Connection) -> tuple[Entry, ...]:
    """Return what the archive bans, without what rules do."""
    digests: dict[int, dict[Ban, list[bytes]]] = {}
    with sound_rows(connection):
        for entry, kind, digest in connection.execute(
            "SELECT entry, kind, digest FROM tombstone JOIN forgotten ON id = entry"
            " WHERE asked <> ?",
            (BY_RULE,),
        ):
            digests.setdefault(entry, {}).setdefault(Ban(kind), []).append(blob(digest))
        return tuple(
            Entry(
                uid=blob(row[1]),
                number=number(row[0]),
                key=blob(row[2]),
                at=number(row[3]),
                asked=text(row[4]),
                conversations=number(row[5]),
                messages=number(row[6]),
                lifted_at=number_or_none(row[7]),
                digests=digests.get(row[0], {}),
            )
            for row in connection.execute(
                "SELECT id, uid, key, at, asked, conversations, messages, lifted_at"
                " FROM forgotten WHERE asked <> ? ORDER BY id",
                (BY_RULE,),
            )
        )


def take_in(connection: sqlite3.Connection, entries: Sequence[Entry]) -> bool:
    """Ban what *entries* ban as well; say whether anything is banned that wasn't.

    What was lifted in either place is lifted.
    """
    known = {entry.uid: entry for entry in entries_in(connection)}
    more = False
    for entry in entries:
        here = known.get(entry.uid)
        if here is None:
            _add(connection, entry)
            more |= entry.lifted_at is None
        elif here.lifted_at is None and entry.lifted_at is not None:
            lift(connection, here.number, at=entry.lifted_at)
    connection.execute("DELETE FROM kept_out_unit")
    return more


def _add(connection: sqlite3.Connection, entry: Entry) -> None:
    """Add an entry under its own number, or the next where that is another's."""
    number = connection.execute(
        "INSERT INTO forgotten"
        " (id, uid, key, at, asked, conversations, messages, lifted_at)"
        " VALUES (iif(EXISTS (SELECT 1 FROM forgotten WHERE id = ?1), NULL, ?1),"
        "  ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            entry.number,
            entry.uid,
            entry.key,
            entry.at,
            entry.asked,
            entry.conversations,
            entry.messages,
            entry.lifted_at,
        ),
    ).fetchone()[0]
    if entry.lifted_at is None:
        connection.executemany(
            "INSERT OR IGNORE INTO tombstone (digest, entry, kind) VALUES (?, ?, ?)",
            [
                (digest, number, kind)
                for kind, digests in entry.digests.items()
                for digest in digests
            ],
        )
