"""Messages as they are stored, with every text that stands beside them."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from quoth.model import Message, Noise, Role, ToolCall, ToolResult

from ._derived import Derived, derived_from
from ._keys import fingerprint, quotation
from ._rows import sound_rows, text, text_or_none

__all__ = ["Answer", "Call", "Held", "Said", "Touched", "next_messages"]

_MOST_MESSAGES = 200
_MOST_CHARACTERS = 500_000
"""Of texts in one part: about a tenth of a second, as short as a search's own sync."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A row of `tool_call` as the message has it that asked.

    `result` is set where no message holds what came back. An answer whose question
    is not there has no name.
    """

    id: int
    call_id: str
    name: str
    input: str
    command: str | None
    result: str | None
    is_orphan: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A row of `tool_call` as the message has it that answered."""

    id: int
    call_id: str
    output: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A row of `file_touch`."""

    path: str
    relative: str | None
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Every text of a message. `places` are (conversation, path in the source)."""

    text: str
    reasoning: str | None
    author: str | None
    calls: tuple[Call, ...]
    answers: tuple[Answer, ...]
    touches: tuple[Touched, ...]
    places: tuple[tuple[int, str], ...]

    def quoted(self) -> str:
        """Return what a citation of it vouches for."""
        calls = [(call.name, call.input) for call in self.calls]
        return quotation(self.text, reasoning=self.reasoning, calls=calls)

    def own_calls(self) -> list[Call]:
        """Return what it called itself."""
        return [call for call in self.calls if not call.is_orphan]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A message as it is stored, and what was derived from it."""

    id: int
    source: str
    role: str
    noise: str | None
    live: bool
    home: int
    native_id: str
    fingerprint: bytes
    is_indexed: bool
    derived: Derived
    said: Said

    def fingerprint_of(self, said: Said) -> bytes:
        """Return the fingerprint of a record of this message that says *said*."""
        return fingerprint(
            self.source,
            Message(
                conversation="",
                native_id=self.native_id,
                role=Role(self.role),
                text=said.text,
                reasoning=said.reasoning or "",
                noise=None if self.noise is None else Noise(self.noise),
                calls=tuple(
                    ToolCall(call_id=call.call_id, name=call.name, input=call.input)
                    for call in said.own_calls()
                ),
                results=tuple(
                    ToolResult(
                        call_id=answer.call_id,
                        output=said.text if answer.output is None else answer.output,
                    )
                    for answer in said.answers
                ),
            ),
        )

    def derived_of(self, said: Said, embeddable: Callable[[str], bool]) -> Derived:
        """Return what is to be stored beside it when it says *said*."""
        return derived_from(
            said.text,
            role=self.role,
            is_noise=self.noise is not None,
            calls=[(call.name, call.input) for call in said.own_calls()],
            embeddable=embeddable,
        )


def next_messages(connection: sqlite3.Connection, after: int) -> list[Held]:
    """Return the next messages after an id, as many as make one part."""
    rows = []
    characters = 0
    for row in connection.execute(
        "SELECT m.id, c.source, m.role, m.noise, m.live, m.home, m.native_id,"
        " m.fingerprint, w.id IS NOT NULL, b.search_text, b.tool_words, b.names,"
        " m.text_hash, b.text, b.reasoning, m.author FROM message m"
        " JOIN body b ON b.id = m.id JOIN conversation c ON c.id = m.home"
        " LEFT JOIN words_docsize w ON w.id = m.id"
        " WHERE m.id > ? ORDER BY m.id LIMIT ?",
        (after, _MOST_MESSAGES),
    ):
        rows.append(row)
        with sound_rows(connection):
            characters += len(row[13]) + len(row[14] or "")
        if characters > _MOST_CHARACTERS:
            break
    wanted = json.dumps([row[0] for row in rows])
    asked, answers = _calls(connection, wanted), _answers(connection, wanted)
    touches, places = _touches(connection, wanted), _places(connection, wanted)
    with sound_rows(connection):
        return [
            Held(
                id=row[0],
                source=text(row[1]),
                role=Role(row[2]),
                noise=text_or_none(row[3]),
                live=bool(row[4]),
                home=row[5],
                native_id=text(row[6]),
                fingerprint=row[7],
                is_indexed=bool(row[8]),
                derived=Derived(
                    search_text=text_or_none(row[9]),
                    tool_words=text_or_none(row[10]),
                    names=text_or_none(row[11]),
                    text_hash=row[12],
                ),
                said=Said(
                    text=text(row[13]),
                    reasoning=text_or_none(row[14]),
                    author=text_or_none(row[15]),
                    calls=tuple(asked[row[0]]),
                    answers=tuple(answers[row[0]]),
                    touches=tuple(touches[row[0]]),
                    places=tuple(places[row[0]]),
                ),
            )
            for row in rows
        ]


def _calls(connection: sqlite3.Connection, wanted: str) -> defaultdict[int, list[Call]]:
    found: defaultdict[int, list[Call]] = defaultdict(list)
    for row in connection.execute(
        "SELECT message, id, call_id, name, input, command,"
        " iif(result_message IS NULL, output, NULL), result_message IS message"
        " FROM tool_call WHERE message IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    ):
        with sound_rows(connection):
            found[row[0]].append(
                Call(
                    id=row[1],
                    call_id=text(row[2]),
                    name=text(row[3]),
                    input=text(row[4]),
                    command=text_or_none(row[5]),
                    result=text_or_none(row[6]),
                    is_orphan=bool(row[7]),
                )
            )
    return found


def _answers(
    connection: sqlite3.Connection, wanted: str
) -> defaultdict[int, list[Answer]]:
    found: defaultdict[int, list[Answer]] = defaultdict(list)
    for message, identity, call_id, output in connection.execute(
        "SELECT result_message, id, call_id, output FROM tool_call"
        " WHERE result_message IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    ):
        with sound_rows(connection):
            found[message].append(
                Answer(id=identity, call_id=text(call_id), output=text_or_none(output))
            )
    return found


def _touches(
    connection: sqlite3.Connection, wanted: str
) -> defaultdict[int, list[Touched]]:
    found: defaultdict[int, list[Touched]] = defaultdict(list)
    for message, path, relative, action in connection.execute(
        "SELECT message, path, relative, action FROM file_touch"
        " WHERE message IN (SELECT value FROM json_each(?)) ORDER BY path, action",
        (wanted,),
    ):
        with sound_rows(connection):
            found[message].append(
                Touched(
                    path=text(path),
                    relative=text_or_none(relative),
                    action=text(action),
                )
            )
    return found


def _places(
    connection: sqlite3.Connection, wanted: str
) -> defaultdict[int, list[tuple[int, str]]]:
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for message, conversation, path in connection.execute(
        "SELECT message, conversation, path FROM member"
        " WHERE path <> '' AND message IN (SELECT value FROM json_each(?))",
        (wanted,),
    ):
        with sound_rows(connection):
            found[message].append((conversation, text(path)))
    return found
