"""One message of ChatGPT: whose it is, and whether anybody wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quoth.model import Noise, Role, ToolCall, ToolResult

from ._bounds import INPUT_LIMIT, OUTPUT_LIMIT, bounded, cut_short
from ._chatgpt_content import Content, content_of
from ._chatgpt_tree import object_at
from ._tools import command_of, input_text, object_in, without_base64

__all__ = ["Said", "said_in"]

_INJECTED_LIMIT = 2_000
_LONGEST_NAME = 100

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one message comes to; `recipient` is the tool it is for, '' if it's none."""

    role: Role
    content: Content
    noise: Noise | None = None
    recipient: str = ""
    model: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing that could be kept."""
        return not (self.content.text or self.content.reasoning)

    @property
    def is_call(self) -> bool:
        """Whether it is handed to a tool, not to the person."""
        return bool(self.recipient) and self.role is Role.ASSISTANT

    def text(self) -> str:
        """Return the words that stand in the conversation."""
        if self.is_call:
            return ""
        if self.role is Role.TOOL:
            return _output(self.content.text)
        if self.noise is not None:
            return cut_short(self.content.text, _INJECTED_LIMIT)
        return self.content.text

    def calls(self, call_id: str) -> tuple[ToolCall, ...]:
        """Return the call of a tool that it is, if it is one."""
        if not self.is_call or not self.content.text:
            return ()
        text = self.content.text
        given = object_in(text)
        plain = without_base64(bounded(text, INPUT_LIMIT))
        return (
            ToolCall(
                call_id=call_id,
                name=self.recipient,
                input=input_text(given) if given else plain,
                command=command_of(self.recipient, given or {"command": text}),
            ),
        )

    def results(self, call_id: str) -> tuple[ToolResult, ...]:
        """Return what came back from a tool, if it is that."""
        if self.role is not Role.TOOL or not self.content.text:
            return ()
        return (
            ToolResult(
                call_id=call_id,
                output=_output(self.content.text),
                size=len(self.content.text),
                is_error=self.content.is_error or None,
            ),
        )


def said_in(message: Mapping[str, Any]) -> Said:
    """Return what a message says; whatever is missing in it counts as not said."""
    author = object_at(message, "author")
    metadata = object_at(message, "metadata")
    name = author.get("role")
    role = _ROLES.get(name, Role.SYSTEM) if isinstance(name, str) else Role.SYSTEM
    content = content_of(message.get("content"))
    model = metadata.get("model_slug") if role is Role.ASSISTANT else None
    return Said(
        role=role,
        content=content,
        noise=_noise(message, metadata, role, content),
        recipient=_recipient(message),
        model=cut_short(model, _LONGEST_NAME) or None
        if isinstance(model, str)
        else None,
    )


def _noise(
    message: Mapping[str, Any],
    metadata: Mapping[str, Any],
    role: Role,
    content: Content,
) -> Noise | None:
    """Say why nobody wrote or was shown a message, if so."""
    is_put_in = (
        role is Role.SYSTEM
        or content.is_about_person
        or metadata.get("is_user_system_message") is True
        or metadata.get("is_visually_hidden_from_conversation") is True
    )
    weight = message.get("weight")
    is_out_of_context = isinstance(weight, int | float) and weight == 0
    if role is Role.TOOL or not (is_put_in or is_out_of_context):
        return None  # what a tool gave back is nobody's words as it is
    return Noise.INJECTED if is_put_in else Noise.META


def _recipient(message: Mapping[str, Any]) -> str:
    """Return the tool a message is for, '' when it is for the person."""
    recipient = message.get("recipient")
    if not isinstance(recipient, str) or recipient == "all":
        return ""
    return cut_short(recipient.strip(), _LONGEST_NAME)


def _output(text: str) -> str:
    return without_base64(bounded(text, OUTPUT_LIMIT))
