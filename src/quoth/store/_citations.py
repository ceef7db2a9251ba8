"""Citations that were made under earlier rules, and messages that were stored so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from quoth.model import Message
from quoth.redaction import is_same_but_for_the_hidden

from ._keys import citation_hash, quotation
from ._meta import meta
from ._rows import sound_rows, text, text_or_none

__all__ = [
    "EARLIER_RULES",
    "RULES",
    "citation_hashes",
    "hashes_before",
    "keep_citations",
    "met_under_earlier_rules",
    "newest_under_earlier_rules",
]

RULES = "secret_rules"
"""A note: the rules that all that is stored went through, by their stamp."""

EARLIER_RULES = "earlier_rules"
"""A note: the last message that was stored under rules of another stamp."""

_MANY_VERSIONS = 100


def citation_hashes(quoted: str, *, rules_version: int) -> frozenset[str]:
    """Return every hash that a quotation has had, under this version and those before.

    What no newer rule changed says the same under each; only the hash differs.
    """
    return frozenset(
        citation_hash(quoted, rules_version=version)
        for version in range(1, rules_version + 1)
    )


def keep_citations(
    connection: sqlite3.Connection,
    message: int,
    before: str,
    now: str,
    *,
    rules_version: int,
) -> None:
    """Let citations of what a message said *before* lead to what it says *now*."""
    old = citation_hashes(before, rules_version=rules_version)
    became = citation_hash(now, rules_version=rules_version)
    if became in old:
        return
    connection.executemany(
        "UPDATE citation_alias SET became = ? WHERE message = ? AND became = ?",
        [(became, message, hash12) for hash12 in sorted(old)],
    )
    connection.executemany(
        "INSERT INTO citation_alias (message, hash12, became) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET became = excluded.became",
        [(message, hash12, became) for hash12 in sorted(old)],
    )


def hashes_before(
    connection: sqlite3.Connection, message: int, known: Iterable[str]
) -> frozenset[str]:
    """Return the hashes of what a message said before newer rules hid more of it.

    Args:
        known: The hashes of what it says now: an alias of anything else is none.
    """
    rows = connection.execute(
        "SELECT hash12, became FROM citation_alias WHERE message = ?", (message,)
    ).fetchall()
    now = frozenset(known)
    with sound_rows(connection):
        return frozenset(text(hash12) for hash12, became in rows if became in now)


def newest_under_earlier_rules(connection: sqlite3.Connection) -> int:
    """Return the last message stored under earlier rules, 0 when none was."""
    return meta(connection, EARLIER_RULES) or 0


def met_under_earlier_rules(
    connection: sqlite3.Connection,
    source: str,
    message: Message,
    print_of: bytes,
    *,
    newest: int,
) -> int | None:
    """Return the message that a record was stored as when other rules redacted it.

    It keeps its number and what it says, and is known by the record from now on.

    Args:
        print_of: The record's fingerprint under today's rules. Nothing has it yet.
        newest: See `newest_under_earlier_rules`.
    """
    rows = connection.execute(
        "SELECT m.id, b.text, b.reasoning FROM message m JOIN body b ON b.id = m.id"
        " JOIN conversation c ON c.id = m.home WHERE m.native_id = ? AND m.id <= ?"
        " AND c.source = ? AND m.role = ? AND m.noise IS ?"
        " ORDER BY m.live DESC, m.id DESC LIMIT ?",
        (
            message.native_id,
            newest,
            source,
            message.role,
            message.noise,
            _MANY_VERSIONS,
        ),
    ).fetchall()
    for identity, said, reasoning in rows:
        with sound_rows(connection):
            is_it = is_same_but_for_the_hidden(
                _quoted(message),
                quotation(
                    text(said),
                    reasoning=text_or_none(reasoning),
                    calls=_calls(connection, identity),
                ),
            ) and _answers_alike(connection, identity, text(said), message)
        if is_it:
            connection.execute(
                "UPDATE message SET fingerprint = ? WHERE id = ?", (print_of, identity)
            )
            return int(identity)
    return None


def _quoted(message: Message) -> str:
    calls = [(call.name, call.input) for call in message.calls]
    return quotation(message.text, reasoning=message.reasoning, calls=calls)


def _calls(connection: sqlite3.Connection, message: int) -> list[tuple[str, str]]:
    rows = connection.execute(
        "SELECT name, input FROM tool_call WHERE message = ? ORDER BY id", (message,)
    ).fetchall()
    return [(text(name), text(given)) for name, given in rows]


def _answers_alike(
    connection: sqlite3.Connection, identity: int, said: str, message: Message
) -> bool:
    """Say whether every result of a record is what was stored of it."""
    stored = dict(
        connection.execute(
            "SELECT call_id, coalesce(output, ?) FROM tool_call"
            " WHERE result_message = ?",
            (said, identity),
        ).fetchall()
    )
    return all(
        result.call_id in stored
        and is_same_but_for_the_hidden(result.output, text(stored[result.call_id]))
        for result in message.results
    )
