"""Turning the lines of one rollout into messages, in file order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from quoth.model import Conversation, Message, Noise, Rewind, Role, Usage

from ._codex_copies import Copies, LinesOf
from ._codex_items import CALLS, OUTPUTS, call_in, reasoning_in, result_in
from ._codex_lineage import Lineage
from ._codex_lines import Line, dict_at, item_of, line_of, text_at
from ._codex_maker import Maker
from ._codex_name import FileName
from ._codex_pairs import (
    EVENT,
    RESPONSE,
    Echoes,
    Prompts,
    Replies,
    digest_of,
    packed,
    unpacked,
)
from ._codex_text import content_texts, words_of
from ._codex_thread import Thread
from ._codex_usage import Meter
from ._jsonl import Draft, Record

__all__ = ["RolloutParser"]

_MOST_LIVE = 200
_MOST_CODES = 50
_MOST_COPIED = 20

_BETWEEN = ("turn_context", "event_msg/task_started", "response_item/message")
"""What may stand between a prompt and the first line that its turn is told by."""


class RolloutParser:
    """Reads one rollout; whatever it has to remember is in `state`."""

    by_conversation = ""

    def __init__(
        self,
        state: dict[str, Any],
        name: FileName,
        *,
        indexed: Callable[[str], str] = lambda _: "",
        lines_of: LinesOf = lambda _: iter(()),
        in_document: bool = False,
    ) -> None:
        self.state = state
        self._thread = Thread(state.setdefault("thread", {}), name, indexed)
        self._maker = Maker(self._thread, in_document=in_document)
        lineage = state.setdefault("lineage", {})
        copies = Copies(lineage.setdefault("copies", {}), lines_of)
        self._lineage = Lineage(lineage, self._thread, copies)
        self._prompts = Prompts(state.setdefault("prompts", {}))
        self._replies = Replies(state.setdefault("replies", {}))
        self._echoes = Echoes(state.setdefault("echoes", []))
        self._meter = Meter(state.setdefault("usage", {}))
        self._live: list[str] = state.setdefault("live", [])
        self._copied: list[dict[str, Any]] = state.setdefault("copied", [])
        self._codes: dict[str, int] = state.setdefault("codes", {})
        self._asked: dict[str, Any] = state.setdefault("asked", {})

    def feed(self, record: Record, draft: Draft) -> None:
        """Add what *record* holds to *draft*."""
        line = line_of(record)
        if line.kind == "session_meta":
            if self._thread.read_meta(line.payload):
                self._lineage.begin(line)
            return
        if self._lineage.is_copied(line):
            self._pass_over_copy(line)
            return
        self._release_copied(draft)
        handler = _HANDLERS.get(line.name)
        if handler is None or not handler(self, line, draft):
            draft.ignored[line.name] += 1

    def settle(self, draft: Draft) -> None:
        """Add the prompts that wait for an event which is not there (yet)."""
        self._emit_all(self._prompts.settle(), draft)

    def conversations(self) -> Iterator[Conversation]:
        """Yield the thread, once anything is known of it."""
        if self._thread.is_known:
            yield self._thread.conversation()

    # What was copied from a parent

    def _pass_over_copy(self, line: Line) -> None:
        if line.name == "event_msg/token_count":
            self._meter.inherit(dict_at(line.payload, "info"))
        if line.kind == "turn_context":
            self._thread.inherit_model(line.payload)
        if self._lineage.is_sure:
            self._copied.clear()
            return
        kept = [*self._maker.typed(line)]
        self._copied += [{"kind": kind, "message": packed(m)} for kind, m in kept]
        del self._copied[:-_MOST_COPIED]
        if not kept and (line.name not in _BETWEEN or _is_reply(line)):
            self._copied.clear()

    def _release_copied(self, draft: Draft) -> None:
        """Add the prompt of the first own turn: it may stand before what tells so."""
        for held in self._copied:
            self._add_typed(held["kind"], unpacked(held["message"]), draft)
        self._copied.clear()

    # What waits for its event

    def _add_typed(self, kind: str, message: Message, draft: Draft) -> None:
        add = {EVENT: self._prompts.event, RESPONSE: self._prompts.response}
        self._emit_all(add.get(kind, self._prompts.aside)(message), draft)

    # One method for each sort of line; it says whether the line held anything

    def _on_typed(self, line: Line, draft: Draft) -> bool:
        found = [*self._maker.typed(line)]
        if any(self._is_echo(line, each.text, each.role) for _, each in found):
            return True
        for kind, message in found:
            self._add_typed(kind, message, draft)
        return bool(found)

    def _is_echo(self, line: Line, text: str, role: Role) -> bool:
        """Say whether an event of another type has told the same in this turn."""
        if role is Role.ASSISTANT:
            self._echoes.forget(Role.USER)
        elif role is Role.USER and line.kind == EVENT:
            self._echoes.forget(Role.ASSISTANT)
        return (
            line.kind == EVENT
            and role is not Role.SYSTEM
            and not self._echoes.is_new(text, told_in=line.type, by=role)
        )

    def _on_message(self, line: Line, draft: Draft) -> bool:
        role = text_at(line.payload, "role")
        if role == "user":
            return self._on_typed(line, draft)
        text = words_of(content_texts(line.payload.get("content")))
        if role == "assistant":
            return self._reply(line, text, draft)
        if not text:
            return False
        self._add_typed("", self._maker.injected(line, text), draft)
        return True

    def _on_agent_message(self, line: Line, draft: Draft) -> bool:
        return self._reply(line, text_at(line.payload, "message"), draft)

    def _on_item(self, line: Line, draft: Draft) -> bool:
        item = item_of(line)
        match item.get("type"):
            case "UserMessage":
                return self._on_typed(line, draft)
            case "AgentMessage":
                text = words_of(content_texts(item.get("content")))
                return self._reply(line, text, draft)
            case "Reasoning":
                return self._think(line, reasoning_in(item), draft)
            case "CommandExecution":
                return self._note_code(text_at(item, "id"), item.get("exit_code"))
        return False

    def _reply(self, line: Line, text: str, draft: Draft) -> bool:
        if not text:
            return False
        self.settle(draft)
        if self._is_echo(line, text, Role.ASSISTANT):
            return True
        new = self._replies.is_new(text, kind=line.kind, of="said")
        if not new or self._replies.is_alike(text, kind=line.kind, at=line.at):
            return True
        message = self._maker.message(line, Role.ASSISTANT, text=text)
        self._emit(message, draft)
        self._replies.said(message, kind=line.kind)
        return True

    def _on_reasoning(self, line: Line, draft: Draft) -> bool:
        return self._think(line, reasoning_in(line.payload), draft)

    def _on_reasoning_event(self, line: Line, draft: Draft) -> bool:
        return self._think(line, content_texts(line.payload.get("text")), draft)

    def _think(self, line: Line, parts: list[str], draft: Draft) -> bool:
        if not parts:
            return False
        self.settle(draft)
        is_new = self._replies.is_new
        new = [part for part in parts if is_new(part, kind=line.kind, of="thought")]
        if new:
            text = "\n\n".join(new)
            self._emit(self._maker.message(line, Role.ASSISTANT, reasoning=text), draft)
        return True

    def _on_call(self, line: Line, draft: Draft) -> bool:
        self.settle(draft)
        fallback = f"{self._thread.prefix}{line.record.place}"
        call = call_in(line.payload, kind=line.type, fallback=fallback)
        self._emit(self._maker.message(line, Role.ASSISTANT, calls=(call,)), draft)
        return True

    def _on_output(self, line: Line, draft: Draft) -> bool:
        self.settle(draft)
        captured = self._codes.pop(text_at(line.payload, "call_id"), None)
        result = result_in(line.payload, captured=captured)
        message = self._maker.message(
            line, Role.TOOL, text=result.output, results=(result,)
        )
        self._emit(message, draft)
        return True

    def _on_command_end(self, line: Line, draft: Draft) -> bool:  # noqa: ARG002
        call_id = text_at(line.payload, "call_id")
        return self._note_code(call_id, line.payload.get("exit_code"))

    def _note_code(self, call_id: str, code: Any) -> bool:
        """Keep an exit code for the output that follows it."""
        if not call_id or not isinstance(code, int) or isinstance(code, bool):
            return False
        self._codes[call_id] = code
        for oldest in [*self._codes][:-_MOST_CODES]:
            del self._codes[oldest]
        return True

    def _on_other_agent(self, line: Line, draft: Draft) -> bool:
        """Add what one agent wrote to another: no person's words."""
        text = words_of(content_texts(line.payload.get("content")))
        if not text:
            return False
        self.settle(draft)
        author = text_at(line.payload, "author") or None
        self._emit(
            self._maker.message(line, Role.ASSISTANT, text=text, author=author), draft
        )
        return True

    def _on_summary(self, line: Line, draft: Draft) -> bool:
        text = text_at(line.payload, "message")
        if not text:
            return False
        self.settle(draft)
        message = self._maker.message(line, Role.SYSTEM, text=text, noise=Noise.SUMMARY)
        self._emit(message, draft)
        return True

    def _on_context(self, line: Line, draft: Draft) -> bool:  # noqa: ARG002
        self._thread.read_context(line.payload)
        return True

    def _on_name(self, line: Line, draft: Draft) -> bool:  # noqa: ARG002
        self._thread.read_name(line)
        return True

    def _on_abort(self, line: Line, draft: Draft) -> bool:  # noqa: ARG002
        """A prompt whose turn was broken off may be written again with the next one."""
        self.settle(draft)
        self._asked["aborted"] = True
        return False

    def _on_rewind(self, line: Line, draft: Draft) -> bool:
        self.settle(draft)
        turns = line.payload.get("num_turns", 1)
        undone = line.payload.get("success") is not False
        if not undone or not isinstance(turns, int) or turns < 1 or not self._live:
            return False
        first = self._live[-turns:][0]
        del self._live[-turns:]
        self._replies.forget()
        draft.records.append(Rewind(conversation=self._thread.id, first=first))
        return True

    def _on_tokens(self, line: Line, draft: Draft) -> bool:
        info = dict_at(line.payload, "info") or dict_at(line.payload, "usage")
        if not info:
            return False
        call = Usage(
            conversation=self._thread.id,
            call_id=self._thread.prefix,
            model=text_at(info, "model") or self._thread.model,
            at=line.at or self._thread.fallback_time,
        )
        if self._thread.continues and not self._thread.has_spoken:
            self._meter.inherit(info)
            return True
        counted = self._meter.count(info, call, goes_on=self._thread.continues)
        if counted is not None:
            draft.usage[counted.call_id] = counted
            if line.at is not None:
                self._thread.note_time(line.at)
        return True

    # Letting a message out

    def _emit_all(self, messages: Iterable[Message], draft: Draft) -> None:
        for message in messages:
            self._emit(message, draft)

    def _emit(self, message: Message, draft: Draft) -> None:
        if self._is_asked_again(message):
            return
        draft.records.append(message)
        self._thread.note(message)
        self._replies.interrupt()
        if message.role is Role.USER and not message.is_command:
            self._replies.forget()
            self._live.append(message.native_id)
            del self._live[:-_MOST_LIVE]

    def _is_asked_again(self, message: Message) -> bool:
        """Say whether a prompt is the one before it, written again after an abort."""
        if message.role is Role.SYSTEM:
            return False
        before = dict(self._asked)
        self._asked.clear()
        if message.role is not Role.USER or message.is_command:
            return False
        self._asked["prompt"] = digest_of(message.text)
        return (
            bool(before.get("aborted"))
            and before.get("prompt") == self._asked["prompt"]
        )


def _is_reply(line: Line) -> bool:
    return text_at(line.payload, "role") == "assistant"


_HANDLERS: dict[str, Callable[[RolloutParser, Line, Draft], bool]] = {
    "response_item/message": RolloutParser._on_message,
    "response_item/reasoning": RolloutParser._on_reasoning,
    "response_item/agent_message": RolloutParser._on_other_agent,
    **{f"response_item/{kind}": RolloutParser._on_call for kind in CALLS},
    **{f"response_item/{kind}": RolloutParser._on_output for kind in OUTPUTS},
    "event_msg/user_message": RolloutParser._on_typed,
    "event_msg/agent_message": RolloutParser._on_agent_message,
    "event_msg/agent_reasoning": RolloutParser._on_reasoning_event,
    "event_msg/agent_reasoning_raw_content": RolloutParser._on_reasoning_event,
    "event_msg/item_completed": RolloutParser._on_item,
    "event_msg/exec_command_end": RolloutParser._on_command_end,
    "event_msg/token_count": RolloutParser._on_tokens,
    "event_msg/turn.completed": RolloutParser._on_tokens,
    "event_msg/thread_name_updated": RolloutParser._on_name,
    "event_msg/turn_aborted": RolloutParser._on_abort,
    "event_msg/thread_rolled_back": RolloutParser._on_rewind,
    "event_msg/undo_completed": RolloutParser._on_rewind,
    "turn_context": RolloutParser._on_context,
    "compacted": RolloutParser._on_summary,
}
