"""Tool calls, touched files and tokens: facts that a source deletes in thirty days."""

from __future__ import annotations

import posixpath
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quoth.model import FileTouch, Message, ToolCall, ToolResult, Usage

from ._times import milliseconds

__all__ = ["Holder", "add_usage", "attach_results", "attach_tools"]

_LARGEST = 2**63 - 1
"""SQLite's: what a program wrote as a number may be larger."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The conversation that a message is read for, from which reading of which file."""

    conversation: int
    file: int
    reading: int


def attach_tools(
    connection: sqlite3.Connection,
    repo_of: Callable[[str], str | None],
    identity: int,
    holder: Holder,
    message: Message,
) -> None:
    """Store the tools a new message calls, or what came back from them."""
    for call in message.calls:
        _add_call(connection, identity, holder, call)
    attach_results(connection, identity, holder, message)
    touches = [touch for call in message.calls for touch in call.touches]
    touches += [touch for result in message.results for touch in result.touches]
    if touches:
        _add_touches(connection, repo_of, identity, message.cwd or "", touches)


def attach_results(
    connection: sqlite3.Connection,
    identity: int,
    holder: Holder,
    message: Message,
) -> None:
    """Store what came back from tools beside the calls that asked for it."""
    for result in message.results:
        _add_result(connection, identity, holder, message, result)


def _add_call(
    connection: sqlite3.Connection, identity: int, holder: Holder, call: ToolCall
) -> None:
    row = connection.execute(
        "INSERT INTO tool_call (message, call_id, name, input, command)"
        " VALUES (?, ?, ?, ?, ?) RETURNING id",
        (identity, call.call_id, call.name, call.input, call.command),
    ).fetchone()
    orphan = connection.execute(
        "SELECT tool_call.id FROM tool_call JOIN member USING (message)"
        " WHERE call_id = ? AND conversation = ? AND message = result_message",
        (call.call_id, holder.conversation),
    ).fetchone()
    if orphan:  # its answer was read before it, from another file
        connection.execute(
            "UPDATE tool_call SET (exit_code, is_error, output, output_size,"
            " result_message) = (SELECT exit_code, is_error, output, output_size,"
            " result_message FROM tool_call WHERE id = ?) WHERE id = ?",
            (orphan[0], row[0]),
        )
        connection.execute("DELETE FROM tool_call WHERE id = ?", orphan)


def _add_result(
    connection: sqlite3.Connection,
    identity: int,
    holder: Holder,
    message: Message,
    result: ToolResult,
) -> None:
    values = {
        "exit_code": _storable(result.exit_code),
        "is_error": result.is_error,
        "output": None if result.output == message.text else result.output,
        "size": result.size,
        "answer": identity,
        "call_id": result.call_id,
    }
    asked = connection.execute(
        "SELECT tool_call.id FROM tool_call JOIN member USING (message)"
        " WHERE call_id = ? AND conversation = ?"
        " AND message IS NOT result_message"
        " AND (file <> ? OR reading = ?)"  # else it is no longer in the file
        " ORDER BY live DESC, tool_call.id DESC LIMIT 1",
        (result.call_id, holder.conversation, holder.file, holder.reading),
    ).fetchone()
    if asked:
        connection.execute(
            "UPDATE tool_call SET exit_code = :exit_code, is_error = :is_error,"
            " output = :output, output_size = :size, result_message = :answer"
            " WHERE id = :id",
            {**values, "id": asked[0]},
        )
        connection.execute(
            "DELETE FROM tool_call WHERE message = :answer AND call_id = :call_id"
            " AND result_message = message",
            values,
        )
    else:  # the question was cut off, or came from a file that is gone
        connection.execute(
            "INSERT INTO tool_call (message, call_id, exit_code, is_error, output,"
            " output_size, result_message)"
            " SELECT :answer, :call_id, :exit_code, :is_error, :output, :size, :answer"
            " WHERE NOT EXISTS (SELECT 1 FROM tool_call JOIN member USING (message)"
            "  WHERE result_message = :answer AND call_id = :call_id"
            "  AND (live = 1 OR message = :answer)"
            "  AND (file <> :file OR reading = :reading OR message = :answer))",
            {**values, "file": holder.file, "reading": holder.reading},
        )


def _storable(number: int | None) -> int | None:
    return number if number is None or abs(number) <= _LARGEST else None


def _add_touches(
    connection: sqlite3.Connection,
    repo_of: Callable[[str], str | None],
    identity: int,
    cwd: str,
    touches: Sequence[FileTouch],
) -> None:
    root = (repo_of(cwd) if cwd else None) or cwd
    for touch in touches:
        absolute = posixpath.normpath(posixpath.join(cwd, touch.path))
        inside = bool(root) and absolute.startswith(f"{root}/")
        connection.execute(
            "INSERT OR IGNORE INTO file_touch (message, path, relative, action)"
            " VALUES (?, ?, ?, ?)",
            (
                identity,
                absolute,
                absolute[len(root) + 1 :] if inside else None,
                touch.action,
            ),
        )


def add_usage(
    connection: sqlite3.Connection, source: str, conversation: int, usage: Usage
) -> None:
    """Store the tokens of a call, or raise what is stored to the most that was seen."""
    message, home = connection.execute(
        "SELECT m.id, m.home FROM message m CROSS JOIN member ON message = m.id"
        " WHERE native_id = ? AND conversation = ?"
        " ORDER BY member.live DESC, m.id DESC LIMIT 1",
        (usage.message, conversation),
    ).fetchone() or (None, conversation)
    connection.execute(
        "INSERT INTO usage (source, call_id, conversation, message, model, tier, at,"
        " input, output, cache_read, cache_write_5m, cache_write_1h, reasoning,"
        " lines, counted_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET"
        " message = coalesce(excluded.message, message),"
        " conversation = iif(excluded.message IS NULL, conversation,"
        "  excluded.conversation),"
        " model = coalesce(model, excluded.model),"
        " tier = coalesce(tier, excluded.tier),"
        " at = coalesce(at, excluded.at),"
        " input = max(input, excluded.input),"
        " output = max(output, excluded.output),"
        " cache_read = max(cache_read, excluded.cache_read),"
        " cache_write_5m = max(cache_write_5m, excluded.cache_write_5m),"
        " cache_write_1h = max(cache_write_1h, excluded.cache_write_1h),"
        " reasoning = max(reasoning, excluded.reasoning),"
        " lines = max(lines, excluded.lines)",
        (
            source,
            usage.call_id,
            home,
            message,
            usage.model,
            usage.tier,
            milliseconds(usage.at),
            min(usage.input, _LARGEST),
            min(usage.output, _LARGEST),
            min(usage.cache_read, _LARGEST),
            min(usage.cache_write_5m, _LARGEST),
            min(usage.cache_write_1h, _LARGEST),
            min(usage.reasoning, _LARGEST),
            min(usage.lines, _LARGEST),
            usage.counted_by,
        ),
    )
