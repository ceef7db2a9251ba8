"""Newer rules go through everything that is stored, a part in each transaction.

The archive's note `secret_rules` names the rules that all of it went through, another
how far newer ones have come: it can be killed anywhere, and what is done twice is done
once. Nothing is read into the archive before they are through.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from quoth.redaction import RULES_VERSION, Redactor, Walk

from ._checkpoints import checkpoint_from, checkpoint_json
from ._citations import EARLIER_RULES, RULES
from ._conversations import show_again
from ._meta import meta, set_meta, text_meta
from ._reredact_messages import KEPT, reredact_messages
from ._rows import sound_rows
from ._scrub import Scrub, note_scrub

__all__ = ["Part", "reredact_part", "waiting_for_rules"]

_PROGRESS = "secret_rules_progress"
_BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a part of the way through the archive came to.

    `messages` counts those that were looked at, `changed` those of them that changed.
    """

    messages: int = 0
    changed: int = 0
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Progress:
    """Where the next part begins: the step, and the id after which."""

    step: int = 0
    after: int = 0


def waiting_for_rules(connection: sqlite3.Connection, stamp: str) -> int:
    """Count the messages that the rules called *stamp* have not gone through."""
    if text_meta(connection, RULES) == stamp:
        return 0
    progress = _progress(connection, stamp)
    if progress.step:
        return 0
    row = connection.execute(
        "SELECT count(*) FROM message WHERE id > ?", (progress.after,)
    ).fetchone()
    return int(row[0])


def reredact_part(
    connection: sqlite3.Connection,
    redactor: Redactor,
    *,
    embeddable: Callable[[str], bool],
) -> Part:
    """Do the next part of the way; within a transaction.

    Raises:
        ArchiveDamagedError: Something is stored that no rule can be applied to.
    """
    if text_meta(connection, RULES) == redactor.stamp:
        return Part(is_last=True)
    if _is_empty(connection):
        set_meta(connection, RULES, redactor.stamp)
        return Part(is_last=True)
    progress = _progress(connection, redactor.stamp)
    walk = Walk(redactor, kept=KEPT)
    if progress.step > len(_STEPS):
        _end(connection, redactor.stamp)
        return Part(is_last=True)
    after: int | None
    messages = changed = 0
    if progress.step == 0:
        after, messages, changed = reredact_messages(
            connection,
            walk,
            progress.after,
            embeddable=embeddable,
            rules_version=RULES_VERSION,
        )
    else:
        after = _STEPS[progress.step](connection, walk, progress.after)
    if walk.counts:
        note_scrub(connection, Scrub.WORDS)
    _note(
        connection,
        redactor.stamp,
        step=progress.step + (after is None),
        after=after or 0,
    )
    return Part(messages=messages, changed=changed)


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM source_file LIMIT 1").fetchone() is None


def _progress(connection: sqlite3.Connection, stamp: str) -> _Progress:
    """Return how far the rules called *stamp* have come; others begin anew."""
    try:
        match json.loads(text_meta(connection, _PROGRESS) or "null"):
            case {"stamp": str(noted), "step": int(step), "after": int(after)} if (
                noted == stamp and step >= 0
            ):
                return _Progress(step=step, after=after)
    except (ValueError, RecursionError):
        pass
    return _Progress()


def _note(connection: sqlite3.Connection, stamp: str, *, step: int, after: int) -> None:
    noted = {"stamp": stamp, "step": step, "after": after}
    set_meta(connection, _PROGRESS, json.dumps(noted))


# The steps after the messages


def _told(connection: sqlite3.Connection, walk: Walk, after: int) -> int | None:
    """Redact what files tell of conversations, and make their rows from it."""
    ids = _next_ids(connection, "conversation", after)
    for identity in ids:
        rows = connection.execute(
            "SELECT file, facts FROM told WHERE conversation = ?", (identity,)
        ).fetchall()
        with sound_rows(connection):
            told = [(file, json.loads(facts)) for file, facts in rows]
            changed = [
                (json.dumps(anew), identity, file)
                for file, facts in told
                if (anew := _facts(walk, facts)) != facts
            ]
        if changed:
            connection.executemany(
                "UPDATE told SET facts = ? WHERE conversation = ? AND file = ?", changed
            )
            show_again(connection, identity)
    return ids[-1] if ids else None


def _facts(walk: Walk, facts: Any) -> dict[str, Any]:
    """Return what is told, redacted; the key of a parent is an id and stays."""
    if not isinstance(facts, dict):
        raise TypeError
    return {
        name: value if name == "parent_key" else walk.redacted(value)
        for name, value in facts.items()
    }


def _contexts(connection: sqlite3.Connection, walk: Walk, _after: int) -> None:
    """Redact models, folders and branches; two contexts may become one."""
    rows = connection.execute("SELECT id, model, cwd, branch FROM context").fetchall()
    moved: dict[int, int] = {}
    for identity, *values in rows:
        anew = walk.redacted(values)
        if anew is values:
            continue
        moved[identity] = connection.execute(
            "INSERT INTO context (model, cwd, branch) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET model = model RETURNING id",
            anew,
        ).fetchone()[0]
    if not moved:
        return
    connection.execute(
        "UPDATE message SET context = moved.value FROM json_each(?) AS moved"
        " WHERE message.context = CAST(moved.key AS INTEGER)",
        (json.dumps(moved),),
    )
    connection.executemany(
        "DELETE FROM context WHERE id = ?", [(identity,) for identity in moved]
    )


def _tokens(connection: sqlite3.Connection, walk: Walk, _after: int) -> None:
    """Redact what calls to a model say of themselves; ids of calls stay."""
    for column in ("model", "tier", "counted_by"):
        rows = connection.execute(
            f"SELECT DISTINCT {column} FROM usage WHERE {column} IS NOT NULL"
        ).fetchall()
        connection.executemany(
            f"UPDATE usage SET {column} = ? WHERE {column} = ?",
            _replacements(walk, (value for (value,) in rows)),
        )


def _ignored(connection: sqlite3.Connection, walk: Walk, _after: int) -> None:
    """Redact the kinds of records that hold no conversation, as their files name them.

    Two kinds may become one.
    """
    rows = connection.execute("SELECT DISTINCT kind FROM ignored_record").fetchall()
    for anew, kind in _replacements(walk, (kind for (kind,) in rows)):
        connection.execute(
            "INSERT INTO ignored_record (file, kind, count)"
            " SELECT file, ?, count FROM ignored_record WHERE kind = ?"
            " ON CONFLICT DO UPDATE SET count = count + excluded.count",
            (anew, kind),
        )
        connection.execute("DELETE FROM ignored_record WHERE kind = ?", (kind,))


def _replacements(walk: Walk, values: Iterable[str]) -> list[tuple[str, str]]:
    """Return (new, old) of the values that change."""
    pairs = [(walk.redacted(value), value) for value in values]
    return [(anew, value) for anew, value in pairs if anew != value]


def _checkpoints(connection: sqlite3.Connection, walk: Walk, after: int) -> int | None:
    """Redact what a source remembers of the text it has read."""
    ids = _next_ids(connection, "source_file", after)
    for identity in ids:
        (stored,) = connection.execute(
            "SELECT checkpoint FROM source_file WHERE id = ?", (identity,)
        ).fetchone()
        if stored is None:
            continue
        checkpoint = checkpoint_from(stored)
        if checkpoint is None:  # nobody can go on from there
            connection.execute(
                "UPDATE source_file SET checkpoint = NULL, stamp = '' WHERE id = ?",
                (identity,),
            )
            continue
        state = walk.redacted(checkpoint.state)
        if state is not checkpoint.state:
            connection.execute(
                "UPDATE source_file SET checkpoint = ? WHERE id = ?",
                (checkpoint_json(replace(checkpoint, state=state)), identity),
            )
    return ids[-1] if ids else None


def _next_ids(connection: sqlite3.Connection, table: str, after: int) -> list[int]:
    rows = connection.execute(
        f"SELECT id FROM {table} WHERE id > ? ORDER BY id LIMIT ?", (after, _BATCH)
    )
    return [identity for (identity,) in rows]


_Step = Callable[[sqlite3.Connection, Walk, int], int | None]

_STEPS: Mapping[int, _Step] = dict(
    enumerate((_told, _contexts, _tokens, _ignored, _checkpoints), start=1)
)
"""What follows the messages, which are step 0."""


def _end(connection: sqlite3.Connection, stamp: str) -> None:
    """Note that the rules are through, and drop the vectors of texts that are gone.

    With another generation the flat copy counts no longer: a new vector may get the id
    of one that goes.
    """
    dropped = connection.execute(
        "DELETE FROM embedding WHERE NOT EXISTS"
        " (SELECT 1 FROM message WHERE message.text_hash = embedding.text_hash)"
    ).rowcount
    if dropped:
        set_meta(connection, "generation", (meta(connection, "generation") or 0) + 1)
        note_scrub(connection, Scrub.WORDS)
    newest = connection.execute("SELECT max(id) FROM message").fetchone()[0]
    set_meta(connection, EARLIER_RULES, newest or 0)
    set_meta(connection, RULES, stamp)
    connection.execute("DELETE FROM meta WHERE key = ?", (_PROGRESS,))
