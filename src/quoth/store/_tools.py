"""Tool calls, touched files and tokens: facts that a source deletes in thirty days."""

from __future__ import annotations

import posixpath
import sqlite3
from collections.abc import Callable, Sequence

from quoth.model import FileTouch, Message, ToolCall, ToolResult, Usage

from ._times import milliseconds

__all__ = ["add_usage", "attach_tools"]


def attach_tools(
    connection: sqlite3.Connection,
    repo_of: Callable[[str], str | None],
    identity: int,
    conversation: int,
    message: Message,
) -> None:
    """Store the tools a new message calls, or what came back from them."""
    for call in message.calls:
        _add_call(connection, identity, call)
    for result in message.results:
        _add_result(connection, identity, conversation, message, result)
    touches = [touch for call in message.calls for touch in call.touches]
    touches += [touch for result in message.results for touch in result.touches]
    if touches:
        _add_touches(connection, repo_of, identity, message.cwd or "", touches)


def _add_call(connection: sqlite3.Connection, identity: int, call: ToolCall) -> None:
    connection.execute(
        "INSERT INTO tool_call (message, call_id, name, input, command)"
        " VALUES (?, ?, ?, ?, ?)",
        (identity, call.call_id, call.name, call.input, call.command),
    )


def _add_result(
    connection: sqlite3.Connection,
    identity: int,
    conversation: int,
    message: Message,
    result: ToolResult,
) -> None:
    values = {
        "exit_code": result.exit_code,
        "is_error": result.is_error,
        "output": None if result.output == message.text else result.output,
        "size": result.size,
        "answer": identity,
    }
    asked = connection.execute(
        "SELECT tool_call.id FROM tool_call JOIN member USING (message)"
        " WHERE call_id = ? AND conversation = ?"
        " ORDER BY tool_call.id DESC LIMIT 1",
        (result.call_id, conversation),
    ).fetchone()
    if asked:
        connection.execute(
            "UPDATE tool_call SET exit_code = :exit_code, is_error = :is_error,"
            " output = :output, output_size = :size, result_message = :answer"
            " WHERE id = :id",
            {**values, "id": asked[0]},
        )
    else:  # the question was cut off, or came from a file that is gone
        connection.execute(
            "INSERT INTO tool_call (message, call_id, exit_code, is_error, output,"
            " output_size, result_message)"
            " VALUES (:answer, :call_id, :exit_code, :is_error, :output, :size,"
            " :answer)",
            {**values, "call_id": result.call_id},
        )


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
    message = (
        usage.message
        and connection.execute(
            "SELECT max(id) FROM message WHERE native_id = ?", (usage.message,)
        ).fetchone()[0]
    )
    connection.execute(
        "INSERT INTO usage (source, call_id, conversation, message, model, tier, at,"
        " input, output, cache_read, cache_write_5m, cache_write_1h, reasoning,"
        " lines, counted_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET"
        " message = coalesce(message, excluded.message),"
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
            conversation,
            message or None,
            usage.model,
            usage.tier,
            milliseconds(usage.at),
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write_5m,
            usage.cache_write_1h,
            usage.reasoning,
            usage.lines,
            usage.counted_by,
        ),
    )
