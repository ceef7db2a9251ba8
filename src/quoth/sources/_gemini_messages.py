"""What one record of a Gemini session says, as messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quoth.model import Message, Noise, Role, ToolCall, ToolResult

from ._bounds import OUTPUT_LIMIT, bounded, cut_short
from ._gemini_text import parts_of, said_in, texts_of
from ._gemini_tools import call_in, response_in, result_in
from ._generic_turns import text_at
from ._moments import moment_of

__all__ = ["messages_of"]

_INJECTED_LIMIT = 2_000
_MOST_CALLS = 1_000


def messages_of(
    record: dict[str, Any], *, conversation: str, own: str
) -> list[Message]:
    """Return the messages a record comes to; *own* is the id of the first of them."""
    fields: dict[str, Any] = {
        "conversation": conversation,
        "native_id": own,
        "at": moment_of(record.get("timestamp")),
    }
    match record.get("type"):
        case "user":
            return [*_from_user(record, fields)]
        case "gemini":
            return [*_from_model(record, fields)]
        case _:
            text = cut_short(
                "\n".join(texts_of(record.get("content"))), _INJECTED_LIMIT
            )
            notice = Message(role=Role.SYSTEM, text=text, noise=Noise.META, **fields)
            return [notice] if text.strip() else []


def _from_user(record: dict[str, Any], fields: dict[str, Any]) -> Iterator[Message]:
    own = fields["native_id"]
    said = said_in(record)
    if said.injected:
        yield Message(
            **fields | {"native_id": f"{own}#context" if said.prompt else own},
            role=Role.SYSTEM,
            text=cut_short(said.injected, _INJECTED_LIMIT),
            noise=said.injected_as,
        )
    if said.prompt:
        yield Message(
            **fields,
            role=Role.USER,
            text=said.prompt,
            noise=said.noise,
            is_command=said.is_command,
        )
    if said.printed:
        yield Message(
            **fields | {"native_id": f"{own}#output"},
            role=Role.SYSTEM,
            text=bounded(said.printed, OUTPUT_LIMIT),
            noise=Noise.COMMAND_OUTPUT,
        )
    results = (response_in(part) for part in parts_of(record.get("content")))
    for number, result in enumerate(each for each in results if each):
        yield _answer(result, number, fields)


def _from_model(record: dict[str, Any], fields: dict[str, Any]) -> Iterator[Message]:
    answered = [*_calls(record, own=fields["native_id"])]
    message = Message(
        **fields,
        role=Role.ASSISTANT,
        text="\n".join(texts_of(record.get("content"))),
        reasoning="\n\n".join(_thoughts(record)),
        model=text_at(record, "model") or None,
        calls=tuple(call for call, _, _ in answered),
    )
    if message.text or message.reasoning or message.calls:
        yield message
    for number, (_, result, at) in enumerate(answered):
        if result is not None:
            yield _answer(result, number, fields | {"at": at or fields["at"]})


def _calls(
    record: dict[str, Any], *, own: str
) -> Iterator[tuple[ToolCall, ToolResult | None, Any]]:
    """Yield each call with its result and the time of that, as far as there are."""
    noted = record.get("toolCalls")
    met = set()
    for number, call in enumerate(
        noted[:_MOST_CALLS] if isinstance(noted, list) else ()
    ):
        if isinstance(call, dict):
            asked = call_in(call, fallback=f"{own}#{number}")
            met.add(asked.call_id)
            yield asked, result_in(call, asked), moment_of(call.get("timestamp"))
    for number, part in enumerate(parts_of(record.get("content"))):
        call = part.get("functionCall")
        if isinstance(call, dict):
            asked = call_in(call, fallback=f"{own}#part{number}")
            if asked.call_id not in met:
                yield asked, None, None


def _thoughts(record: dict[str, Any]) -> Iterator[str]:
    noted = record.get("thoughts")
    for thought in noted if isinstance(noted, list) else ():
        if isinstance(thought, dict):
            said = (text_at(thought, key) for key in ("subject", "description"))
            if text := "\n".join(part.strip() for part in said if part):
                yield text
    for part in parts_of(record.get("content")):
        if part.get("thought") is True and (text := text_at(part, "text")):
            yield text


def _answer(result: ToolResult, number: int, fields: dict[str, Any]) -> Message:
    return Message(
        **fields | {"native_id": f"{fields['native_id']}#{number}"},
        role=Role.TOOL,
        text=result.output,
        results=(result,),
    )
