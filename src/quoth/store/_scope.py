"""Filters as conditions on messages: which of them a question is about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quoth.model import Filters, Include

from ._resolve import resolved
from ._rows import sound_rows, text, text_or_none
from ._times import milliseconds

__all__ = ["WRITTEN", "Scope", "homes", "memberships", "names_repo", "scope_of"]

WRITTEN = "coalesce(m.at, c.started_at)"
"""SQL for the time of message `m`."""

# Cast: in a prepared file it may be no number, and rows are sorted by it.
_ROOT = "CAST(c.root AS INTEGER)"

_FAMILIES = (
    "SELECT id FROM conversation WHERE key IN (SELECT value FROM json_each(?))"
    " OR root IN (SELECT id FROM conversation"
    "  WHERE key IN (SELECT value FROM json_each(?)))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which messages a question is about, as SQL over `message m`, `conversation c`.

    Superseded messages fulfil `condition` too. `is_shown` is the SQL that tells them
    apart, `listed` the one for the conversation a message is listed under. `narrows`
    is false when it is everything; `within` holds the ids of the only conversations,
    `homes` those that messages must be at home in, None for any, `excluded` those they
    must not be.
    """

    condition: str
    values: tuple[Any, ...]
    is_shown: str
    listed: str
    narrows: bool
    superseded: bool
    within: tuple[int, ...]
    filters: Filters
    homes: tuple[int, ...] | None
    excluded: tuple[int, ...]

    @property
    def searched(self) -> str:
        """The condition on messages that may be found."""
        if self.superseded:
            return self.condition
        return f"{self.condition} AND {self.is_shown}"


def scope_of(connection: sqlite3.Connection, filters: Filters) -> Scope:
    """Turn filters into conditions on messages.

    `within` and `exclude` mean a conversation with all that is listed under it. A
    message of unknown time counts as written when its conversation began; if that is
    unknown too, it is in no span of time.

    Raises:
        NotRecordedError: `within` or `exclude` names no conversation, or several.
    """
    conditions: list[str] = []
    values: list[Any] = []
    within = () if filters.within is None else _families(connection, [filters.within])
    excluded = _families(connection, filters.exclude) if filters.exclude else ()
    at_home = None
    if filters.role is not None:
        conditions.append("m.role = ?")
        values.append(filters.role)
    for bound, comparison in ((filters.since, ">="), (filters.until, "<")):
        if bound is not None:
            conditions.append(f"{WRITTEN} {comparison} ?")
            values.append(milliseconds(bound))
    if filters.source is not None or filters.repo is not None:
        at_home = tuple(homes(connection, filters))
        conditions.append("m.home IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(at_home))
    if within:
        conditions.append(f"EXISTS ({memberships(within)})")
    if excluded:
        conditions.append("m.home NOT IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(excluded))
    return Scope(
        condition=" AND ".join(["m.noise IS NULL", *conditions]),
        values=tuple(values),
        is_shown=_is_shown(within),
        listed="c.id" if Include.SUBAGENTS in filters.include else _ROOT,
        narrows=bool(conditions),
        superseded=Include.SUPERSEDED in filters.include,
        within=within,
        filters=filters,
        homes=at_home,
        excluded=excluded,
    )


def _families(connection: sqlite3.Connection, keys: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of some conversations and of what is listed under them."""
    wanted = json.dumps([resolved(connection, key) for key in keys])
    rows = connection.execute(_FAMILIES, [wanted] * 2).fetchall()
    return tuple(identity for (identity,) in rows)


def homes(connection: sqlite3.Connection, filters: Filters) -> list[int]:
    """Return the ids of the conversations of the source and repository asked for."""
    source = filters.source and filters.source.lower()
    rows = connection.execute("SELECT id, source, repo, cwd FROM conversation")
    with sound_rows(connection):
        return [
            identity
            for identity, name, repo, cwd in rows
            if (source is None or text(name).lower() == source)
            and (
                filters.repo is None
                or names_repo(filters.repo, text_or_none(repo), text_or_none(cwd))
            )
        ]


def memberships(conversations: Sequence[int], column: str = "1") -> str:
    """Return SQL for the places of message `m` in some conversations, by their ids."""
    ids = ", ".join(map(str, conversations))
    return (
        f"SELECT {column} FROM member AS place"
        f" WHERE place.message = m.id AND place.conversation IN ({ids})"
    )


def _is_shown(within: Sequence[int]) -> str:
    """Return SQL that is true unless a message is superseded where it is looked for."""
    if not within:
        return "m.live = 1"
    return f"EXISTS ({memberships(within)} AND place.live = 1)"


def names_repo(wanted: str, *places: str | None) -> bool:
    """Say whether *wanted* is a place, or one whole segment of it, ignoring case."""
    wanted = wanted.lower().rstrip("/")
    for place in places:
        if not place:
            continue
        folded = place.lower().rstrip("/").removesuffix(".git")
        segments = folded.replace(":", "/").replace("\\", "/").split("/")
        if wanted == folded or wanted in segments or folded.endswith(f"/{wanted}"):
            return True
    return False
