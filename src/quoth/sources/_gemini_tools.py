"""The tools that a message of Gemini called, and what came back from them."""

from __future__ import annotations

import re
from typing import Any

from quoth.model import FileTouch, ToolCall, ToolResult, Touch

from ._bounds import OUTPUT_LIMIT, bounded
from ._gemini_text import parts_of, texts_of
from ._generic_turns import id_at, text_at
from ._tools import (
    category_of,
    command_of,
    input_text,
    touches_of,
    without_base64,
)

__all__ = ["call_in", "response_in", "result_in"]

_IS_ERROR = {"success": False, "error": True}
"""A call that was cancelled is neither."""

_TRAILER = re.compile(
    r"(?:\A|\n)Exit Code: (-?\d{1,9})"
    r"(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*){0,3}\s*\Z"
)
_LONGEST_TRAILER = 2_000
"""Characters. What a command printed stands before, and may look like anything."""

_CREATED = "Successfully created and wrote to new file"


def call_in(call: dict[str, Any], *, fallback: str) -> ToolCall:
    """Return a call from `toolCalls` or a part; *fallback* is its id if it has none."""
    name = text_at(call, "name") or "function"
    arguments = call.get("args")
    given = arguments if isinstance(arguments, dict) else {}
    return ToolCall(
        call_id=id_at(call, "id") or fallback,
        name=name,
        input=input_text(given),
        command=command_of(name, given),
        touches=touches_of(name, given),
    )


def result_in(call: dict[str, Any], asked: ToolCall) -> ToolResult | None:
    """Return what came back from a call in `toolCalls`, or None if nothing has yet."""
    status = call.get("status")
    display = call.get("resultDisplay")
    shown = display if isinstance(display, str) else ""
    response = _response_text(call.get("result"))
    if not (response or shown or call.get("result")) and status != "error":
        return None
    diff = text_at(display, "fileDiff") if isinstance(display, dict) else ""
    output = "\n\n".join(text for text in (response or shown, diff) if text.strip())
    is_shell = category_of(asked.name) == "shell"
    return ToolResult(
        call_id=asked.call_id,
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        exit_code=_exit_code(response) if is_shell else None,
        is_error=_IS_ERROR.get(status) if isinstance(status, str) else None,
        touches=_created(asked, response, display),
    )


def response_in(part: dict[str, Any]) -> ToolResult | None:
    """Return the result that a part of a user record is, if it is one."""
    response = part.get("functionResponse")
    if not isinstance(response, dict):
        return None
    output = _response_text(part)
    is_shell = category_of(text_at(response, "name")) == "shell"
    return ToolResult(
        call_id=id_at(response, "id"),
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        exit_code=_exit_code(output) if is_shell else None,
    )


def _response_text(result: Any) -> str:
    texts = []
    for part in parts_of(result):
        response = part.get("functionResponse")
        if isinstance(response, dict):
            texts.append(_answer(response.get("response")))
        else:
            texts += texts_of(part)
    return "\n".join(text for text in texts if text)


def _answer(response: Any) -> str:
    """Return the readable part of what a function gave back."""
    if not isinstance(response, dict):
        return ""
    for key in ("output", "error", "content"):
        if texts := texts_of(response.get(key)):
            return "\n".join(texts)
    return input_text(response)


def _exit_code(output: str) -> int | None:
    """Return what stands behind the output: versions differ, some leave 0 out."""
    found = _TRAILER.search(output[-_LONGEST_TRAILER:])
    return int(found[1]) if found else None


def _created(asked: ToolCall, response: str, display: Any) -> tuple[FileTouch, ...]:
    is_new = isinstance(display, dict) and display.get("isNewFile") is True
    if not is_new and not response.startswith(_CREATED):
        return ()
    return tuple(
        FileTouch(path=touch.path, action=Touch.CREATE) for touch in asked.touches
    )
