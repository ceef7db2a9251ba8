"""What a response item holds beside text: calls of tools, their results, reasoning."""

from __future__ import annotations

import re
from typing import Any

from quoth.model import ToolCall, ToolResult

from ._bounds import OUTPUT_LIMIT, bounded
from ._codex_lines import text_at
from ._codex_text import content_texts
from ._tools import (
    arguments_in,
    command_of,
    input_text,
    object_in,
    touches_of,
    without_base64,
)

__all__ = ["CALLS", "OUTPUTS", "call_in", "reasoning_in", "result_in"]

CALLS = {
    "function_call": "function",
    "custom_tool_call": "custom_tool",
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "tool_search_call": "tool_search",
}
"""The name a call goes by when it brings none."""

OUTPUTS = frozenset(
    ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
)

_WRAPPED_OUTPUT = re.compile(r'\s*\{\s*"output"\s*:')
_HEADER = re.compile(
    r"(?:(?:Chunk ID|Wall time|Original token count|Total output lines|Exit code"
    r"|Process exited with code|Process running with session ID)\b[^\n]*(?:\n|\Z))+"
)
_EXIT_CODE = re.compile(
    r"^(?:Process exited with code|Exit code:) (-?\d{1,9})\b", re.MULTILINE
)


def call_in(payload: dict[str, Any], *, kind: str, fallback: str) -> ToolCall:
    """Return the call an item makes; *fallback* is its id when it has none."""
    name = text_at(payload, "name") or CALLS[kind]
    arguments = arguments_in(payload, "arguments", "parameters", "input", "action")
    return ToolCall(
        call_id=text_at(payload, "call_id", "id") or fallback,
        name=name,
        input=input_text(arguments),
        command=command_of(name, arguments),
        touches=touches_of(name, arguments),
    )


def result_in(payload: dict[str, Any], *, captured: int | None) -> ToolResult:
    """Return what came back from a call; *captured* is an exit code seen elsewhere."""
    output, details = _output(payload.get("output"))
    exit_code = _exit_code(output, details)
    if exit_code is None:
        exit_code = captured
    return ToolResult(
        call_id=text_at(payload, "call_id"),
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        exit_code=exit_code,
        is_error=_is_error(exit_code, details.get("success")),
    )


def _output(value: Any) -> tuple[str, dict[str, Any]]:
    """Return the readable part of an output, and what was said about it."""
    if isinstance(value, str) and _WRAPPED_OUTPUT.match(value):
        wrapped = object_in(value)
        if wrapped is not None:
            return _output(wrapped)
    if not isinstance(value, dict):
        return "\n".join(content_texts(value)), {}
    for key in ("output", "content", "content_items"):
        if texts := content_texts(value.get(key)):
            return "\n".join(texts), value
    return "\n".join(content_texts(value)), value


def _exit_code(output: str, details: dict[str, Any]) -> int | None:
    metadata = details.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    # Only in the lines Codex itself writes on top: a log may hold the same words.
    header = _HEADER.match(output)
    found = _EXIT_CODE.search(header[0]) if header else None
    return int(found[1]) if found else None


def _is_error(exit_code: int | None, success: Any) -> bool | None:
    if exit_code is not None:
        return exit_code != 0
    return not success if isinstance(success, bool) else None


def reasoning_in(payload: dict[str, Any]) -> list[str]:
    """Return the readable parts of a reasoning item, never its ciphertext."""
    keys = ("summary", "content", "summary_text", "raw_content")
    parts = [part for key in keys for part in content_texts(payload.get(key))]
    return list(dict.fromkeys(parts))
