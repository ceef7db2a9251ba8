"""Finding the turns of a conversation in JSON of no particular program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from quoth.model import Role, ToolCall, ToolResult

from ._bounds import OUTPUT_LIMIT, bounded
from ._tools import (
    arguments_in,
    command_of,
    input_text,
    touches_of,
    without_base64,
)

__all__ = [
    "Parts",
    "Turn",
    "id_at",
    "is_foreign",
    "met_once",
    "parts_of",
    "text_at",
    "turns_in",
]

_ROLES = {
    Role.USER: "user human",
    Role.ASSISTANT: "assistant ai bot model gpt chatgpt",
    Role.SYSTEM: "system developer",
    Role.TOOL: "tool function",
}
_ROLE_OF = {name: role for role, names in _ROLES.items() for name in names.split()}
_ROLE_KEYS = ("role", "sender", "author", "from", "type")
_TEXT_KEYS = ("content", "text", "message", "value")
_CONVERSATION_KEYS = (
    "session_id",
    "conversation_id",
    "sessionId",
    "conversationId",
    "thread_id",
    "chat_id",
)
_TURNS_KEYS = ("messages", "conversations", "conversation", "turns")
_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context")
_DEEPEST = 4
_LONG_ID = re.compile(r"(?=.*\d)[\w-]{16,}")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: whose conversation it is in, what it says, and where it stands."""

    conversation: str
    role: Role
    value: dict[str, Any]
    path: str
    title: str = ""


@dataclass(slots=True)
class Parts:
    """What the content of one turn comes to."""

    texts: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)


def is_foreign(value: Any) -> bool:
    """Say whether *value* is a line of Claude Code or Codex, which have a source."""
    if not isinstance(value, dict):
        return False
    if "parentUuid" in value:
        return True
    if "sessionId" in value and isinstance(value.get("message"), dict):
        return True
    return value.get("type") in _CODEX_TYPES and "payload" in value


def turns_in(
    value: Any, *, conversation: str, path: str = "", title: str = "", depth: int = 0
) -> Iterator[Turn]:
    """Yield the turns in *value*: one, a list of them, or conversations of them.

    Args:
        conversation: Whose turns they are, where they do not say.
        path: Where *value* stands in its document, or '' for a document itself.
    """
    if isinstance(value, list):
        for place, item in enumerate(value[: None if depth < _DEEPEST else 0]):
            yield from turns_in(
                item,
                conversation=conversation,
                path=f"{path}[{place}]",
                title=title,
                depth=depth + 1,
            )
    elif isinstance(value, dict):
        yield from _turns_in_object(value, conversation, path, title, depth)


def _turns_in_object(
    value: dict[str, Any], conversation: str, path: str, title: str, depth: int
) -> Iterator[Turn]:
    given = id_at(value, *_CONVERSATION_KEYS)
    inner = value.get("message")
    turn = {**value, **inner} if isinstance(inner, dict) else value
    if (role := _role(turn)) is not None:
        yield Turn(given or conversation, role, turn, path, title)
        return
    for key in _TURNS_KEYS:
        if isinstance(value.get(key), list):
            own = id_at(value, "id", "uuid")
            if not met_once(own):
                apart = own or path
                own = f"{conversation}#{apart}" if apart else conversation
            yield from turns_in(
                value[key],
                conversation=given or own,
                path=f"{path}.{key}" if path else key,
                title=text_at(value, "title", "name") or title,
                depth=depth + 1,
            )
            return


def _role(value: dict[str, Any]) -> Role | None:
    for key in _ROLE_KEYS:
        name = value.get(key)
        if isinstance(name, dict):
            name = name.get("role")
        if isinstance(name, str) and (role := _ROLE_OF.get(name.lower())):
            return role
    return None


def parts_of(turn: Turn) -> Parts:
    """Return what a turn says, calls and got back, whichever way it is written."""
    parts = Parts()
    for key in _TEXT_KEYS:
        if turn.value.get(key):
            _add_content(turn.value[key], parts)
            break
    calls = turn.value.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            function = call.get("function")
            parts.calls.append(_call(call, function if function else call))
    if turn.role is Role.TOOL and parts.texts:
        called = id_at(turn.value, "tool_call_id", "call_id", "tool_use_id")
        result = _result("\n".join(parts.texts), called, is_error=None)
        parts.results, parts.texts = [result], [result.output]
    return parts


def _add_content(content: Any, parts: Parts) -> None:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str) and block.strip():
            parts.texts.append(block)
        elif isinstance(block, dict):
            _add_block(block, parts)


def _add_block(block: dict[str, Any], parts: Parts) -> None:
    match block.get("type"):
        case "tool_use" | "tool_call" | "function_call":
            parts.calls.append(_call(block, block))
        case "tool_result":
            inner = Parts()
            _add_content(block.get("content"), inner)
            error = block.get("is_error")
            result = _result(
                "\n".join(inner.texts),
                id_at(block, "tool_use_id", "tool_call_id"),
                is_error=error if isinstance(error, bool) else None,
            )
            parts.results.append(result)
        case "thinking" | "reasoning":
            if text := text_at(block, "thinking", "reasoning", "text"):
                parts.reasoning.append(text)
        case _:
            if text := text_at(block, "text", "content"):
                parts.texts.append(text)


def _call(call: dict[str, Any], function: Any) -> ToolCall:
    named = function if isinstance(function, dict) else {"name": function}
    name = text_at(named, "name") or "function"
    arguments = arguments_in(named, "arguments", "input", "args", "parameters")
    return ToolCall(
        call_id=id_at(call, "id", "call_id"),
        name=name,
        input=input_text(arguments),
        command=command_of(name, arguments),
        touches=touches_of(name, arguments),
    )


def _result(output: str, call_id: str, *, is_error: bool | None) -> ToolResult:
    return ToolResult(
        call_id=call_id,
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        is_error=is_error,
    )


def met_once(identifier: str) -> bool:
    """Say whether an id is long enough to be no other's: `1` begins anew elsewhere."""
    return _LONG_ID.fullmatch(identifier) is not None


def id_at(value: dict[str, Any], *keys: str) -> str:
    """Return the first of *keys* that holds an id, a text or a number, or ''."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
        if isinstance(found, str) and found.strip():
            return found
    return ""


def text_at(value: dict[str, Any], *keys: str) -> str:
    """Return the first of *keys* that holds a text with something in it, or ''."""
    found = (value.get(key) for key in keys)
    texts = (text for text in found if isinstance(text, str) and text.strip())
    return next(texts, "")
