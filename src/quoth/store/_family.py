"""What goes with a conversation that is forgotten, and what of a copy stays."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from quoth.model import Kind, Kinship

from ._purge import with_subagents

__all__ = ["Family", "Part", "family_of", "parts_of"]


@dataclass(slots=True)
class Part:
    """What of a copy goes, and what was begun anew in it and stays: ids of messages.

    `visible` counts those that stay, without noise.
    """

    goes: list[int] = field(default_factory=list)
    stays: list[int] = field(default_factory=list)
    visible: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Conversations that go whole, with why, and those that a part of goes from."""

    whole: Mapping[int, Kinship]
    parted: Mapping[int, Part]


def family_of(
    connection: sqlite3.Connection, chosen: Collection[int], *, copies: bool
) -> Family:
    """Return all that goes with the chosen: their subagents and, if asked, copies.

    A copy goes with what was said in it after what it copies; but if something was
    begun anew in it, that is another matter and stays.
    """
    whole = dict.fromkeys(chosen, Kinship.CHOSEN)
    parted: dict[int, Part] = {}
    fresh = set(whole)
    while fresh:
        agents = with_subagents(connection, fresh) - whole.keys()
        whole |= dict.fromkeys(agents, Kinship.SUBAGENT)
        fresh |= agents
        if not copies:
            break
        relatives = _relatives(connection, fresh) - whole.keys()
        parts = parts_of(connection, relatives, whole)
        parted |= {each: part for each, part in parts.items() if part.visible}
        fresh = {each for each in relatives if not parts[each].visible}
        whole |= dict.fromkeys(fresh, Kinship.COPY)
    return Family(
        whole=whole,
        parted={each: part for each, part in parted.items() if each not in whole},
    )


def parts_of(
    connection: sqlite3.Connection, copies: Collection[int], whole: Collection[int]
) -> Mapping[int, Part]:
    """Return what goes of each copy when the *whole* ones go."""
    parts = {copy: Part() for copy in copies}
    rows = connection.execute(
        "SELECT conversation, message, begins, noise IS NULL, EXISTS ("
        "  SELECT 1 FROM member AS other WHERE other.message = member.message"
        "  AND other.conversation IN (SELECT value FROM json_each(?)))"
        " FROM member JOIN message m ON m.id = message"
        " WHERE conversation IN (SELECT value FROM json_each(?))"
        " ORDER BY conversation, seq",
        (json.dumps([*whole]), json.dumps([*copies])),
    ).fetchall()
    # What was written out from another, or goes on from it, copies no message.
    with_copied = {copy for copy, *_, is_copied in rows if is_copied}
    begun_anew: dict[int, bool] = {}
    for copy, message, begins, is_visible, is_copied in rows:
        stays = (
            copy in with_copied
            and not is_copied
            and (begins or begun_anew.get(copy, False))
        )
        begun_anew[copy] = stays
        part = parts[copy]
        (part.stays if stays else part.goes).append(message)
        part.visible += stays and is_visible
    return parts


def _relatives(
    connection: sqlite3.Connection, conversations: Collection[int]
) -> set[int]:
    """Return what holds the same messages, was written out or goes on from another.

    What was written out twice is related also where the original is not recorded.
    """
    rows = connection.execute(
        "WITH some (id) AS (SELECT value FROM json_each(?))"
        " SELECT other.conversation FROM some"
        "  JOIN member ON member.conversation = some.id"
        "  JOIN member AS other ON other.message = member.message"
        " UNION SELECT copy.id FROM some JOIN conversation c ON c.id = some.id"
        "  JOIN conversation AS copy ON copy.copy_of = c.key"
        " UNION SELECT copy.id FROM some JOIN conversation c ON c.id = some.id"
        "  JOIN conversation AS copy ON copy.copy_of = c.copy_of"
        " UNION SELECT original.id FROM some JOIN conversation c ON c.id = some.id"
        "  JOIN conversation AS original ON original.key = c.copy_of"
        " UNION SELECT child.id FROM some JOIN conversation c ON c.id = some.id"
        f"  JOIN conversation AS child ON child.parent_key = c.key"
        f"  WHERE child.kind <> '{Kind.SUBAGENT}'",
        (json.dumps([*conversations]),),
    )
    return {identity for (identity,) in rows}
