"""Making messages of lines; taking apart what stands under the role of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from quoth.model import Message, Noise, Origin, Role

from ._bounds import OUTPUT_LIMIT, bounded, cut_short
from ._codex_lines import Line, item_of, text_at
from ._codex_pairs import EVENT, RESPONSE
from ._codex_text import (
    INJECTED_LIMIT,
    PICTURE,
    content_texts,
    shell_command,
    typed_in,
)
from ._codex_thread import Thread

__all__ = ["Maker"]

_INJECTED_KINDS = ("environment_context", "user_instructions")
"""What older versions called events of role user that no person wrote."""

_GLOBAL_ID = re.compile(
    r"[a-z]{2,4}_[0-9A-Za-z]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""Ids of the model's service or UUIDs. Others (`item_1`) begin anew in every file."""


class Maker:
    """Makes the messages of one thread."""

    def __init__(self, thread: Thread, *, in_document: bool) -> None:
        self._thread = thread
        self._in_document = in_document

    def message(
        self, line: Line, role: Role, *, part: str = "", **fields: Any
    ) -> Message:
        """Return a message of *line*; *part* tells several of one line apart."""
        record = line.record
        own = text_at(line.payload, "id") if line.kind == RESPONSE else ""
        if not _GLOBAL_ID.fullmatch(own):
            own = f"{self._thread.prefix}{record.place}"
        origin = Origin(offset=record.offset, length=record.length)
        if self._in_document:
            origin = Origin(path=f"items[{record.offset}]")
        at = line.at or self._thread.fallback_time
        return Message(
            conversation=self._thread.id,
            native_id=f"{own}{part}",
            role=role,
            at=at,
            approximate_time=at is not line.at,
            model=self._thread.model if role is Role.ASSISTANT else None,
            cwd=self._thread.cwd,
            branch=self._thread.branch,
            origin=origin,
            **fields,
        )

    def typed(self, line: Line) -> Iterator[tuple[str, Message]]:
        """Yield what a line of role user holds, each with the kind of its line.

        The kind is empty for what is no prompt whichever line it stands in.
        """
        payload = line.payload
        if line.name == "response_item/message":
            if text_at(payload, "role") == "user":
                yield from self._typed_in(line, content_texts(payload.get("content")))
        elif line.name == "event_msg/user_message":
            texts = content_texts(payload.get("message"))
            if not texts and payload.get("images"):
                texts = [PICTURE]
            if text_at(payload, "kind") in _INJECTED_KINDS:
                yield "", self.injected(line, "\n".join(texts))
            else:
                yield from self._typed_in(line, texts)
        elif item_of(line).get("type") == "UserMessage":
            yield from self._typed_in(line, content_texts(item_of(line).get("content")))

    def _typed_in(self, line: Line, texts: list[str]) -> Iterator[tuple[str, Message]]:
        if (ran := shell_command("\n".join(texts))) is not None:
            yield from self._ran(line, *ran)
            return
        typed = typed_in(texts, mirrored=line.kind == EVENT)
        if typed.injected:
            part = "#context" if typed.prompt else ""
            yield "", self.injected(line, typed.injected, part=part)
        if typed.prompt:
            yield line.kind, self.message(line, Role.USER, text=typed.prompt)

    def _ran(
        self, line: Line, command: str, output: str
    ) -> Iterator[tuple[str, Message]]:
        yield "", self.message(line, Role.USER, text=command, is_command=True)
        if output:
            printed = bounded(output, OUTPUT_LIMIT)
            noise = Noise.COMMAND_OUTPUT
            message = self.message(
                line, Role.SYSTEM, part="#output", text=printed, noise=noise
            )
            yield "", message

    def injected(self, line: Line, text: str, *, part: str = "") -> Message:
        """Return what the program put in as a message, within bounds."""
        self._thread.read_environment(text)
        return self.message(
            line,
            Role.SYSTEM,
            part=part,
            text=cut_short(text, INJECTED_LIMIT),
            noise=Noise.INJECTED,
        )
