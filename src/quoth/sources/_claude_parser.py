"""From Claude Code's records to messages, in file order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from quoth.model import Conversation, Kind, Noise, Rewind, Role

from ._bounds import cut_short
from ._claude_queue import Queue
from ._claude_records import (
    CALLS,
    SYNTHETIC,
    blocks_of,
    call_of,
    flag_of,
    is_typed,
    joined,
    message_of,
    name_of,
    text_at,
    time_of,
    type_of,
)
from ._claude_results import answers_in, results_of
from ._claude_step import Step
from ._claude_text import Speech, feedback_in, new_name_in, speech_of, texts_of
from ._claude_thread import Place, Thread, new_thread
from ._claude_usage import count_call
from ._files import open_read_only
from ._jsonl import Draft, Record, records_in

__all__ = ["ClaudeParser"]

PROMPTS = 1_000
"""How many prompts back a rewind is recognised."""
LEAVES = 32
"""How many records around it a summary's last record may be away."""

_SPOKEN = ("user", "assistant", "attachment", "system")


class ClaudeParser:
    """Reads one transcript; `state` is all its memory."""

    by_conversation = ""

    def __init__(self, path: Path, state: dict[str, Any]) -> None:
        self.state = state
        self._path = path
        self._place = Place.of(path)
        self._threads: dict[str, dict[str, Any]] = state.setdefault("threads", {})
        self._calls: dict[str, list[Any]] = state.setdefault("calls", {})
        self._prompts: dict[str, str] = state.setdefault("prompts", {})
        self._by_parent = {parent: key for key, parent in self._prompts.items()}
        self._recent: list[str] = state.setdefault("recent", [])
        # Most wait for a record of another file, for ever: so a checkpoint has where
        # they stand, and not what they say, which may be forgotten there.
        self._summaries: dict[str, int] = state.setdefault("summaries", {})
        self._at_hand: dict[str, str] = {}
        self._queue = Queue(state.setdefault("queue", {}))

    def settle(self, draft: Draft) -> None:
        """Add nothing: a queued prompt that was never sent is no message."""

    def conversations(self) -> Iterator[Conversation]:
        """Yield the conversations in which something was said."""
        for native_id, state in self._threads.items():
            if state["spoken"]:
                yield Thread(native_id, state).conversation()

    def feed(self, record: Record, draft: Draft) -> None:
        """Add what *record* holds; a type without conversation is counted."""
        kind = type_of(record.value)
        if kind in _SPOKEN:
            self._spoken(kind, record, draft)
            return
        match kind:
            case "custom-title" | "ai-title" | "agent-name":
                self._titled(kind, record.value)
            case "summary":
                self._summarised(record)
            case "worktree-state":
                self._rooted(record.value)
            case "queue-operation":
                self._queue.operate(record)
        draft.ignored[kind] += 1

    # What a conversation is called, and where it took place.

    def _thread(self, record: Mapping[str, Any]) -> Thread:
        native_id, kind, parent = self._identity(record)
        state = self._threads.get(native_id)
        if state is None:
            state = self._threads[native_id] = new_thread(kind, parent)
        return Thread(native_id, state)

    def _identity(
        self, record: Mapping[str, Any]
    ) -> tuple[str, Kind | None, str | None]:
        place = self._place
        if place.is_agent:
            parent = place.parent or self._session(record)
            native_id = f"{parent}/{place.stem}" if parent else place.stem
            return native_id, Kind.SUBAGENT, parent
        if record.get("isSidechain") is True:  # older versions kept agents inline
            agent = text_at(record, "agentId")
            name = f"agent-{agent}" if agent else "sidechain"
            return f"{place.stem}/{name}", Kind.SUBAGENT, place.stem
        return place.stem, None, None

    def _session(self, record: Mapping[str, Any]) -> str | None:
        """Return the session an agent's records name: that of the first one."""
        if "session" not in self.state:
            self.state["session"] = text_at(record, "sessionId")
        session = self.state["session"]
        return session if isinstance(session, str) else None

    def _titled(self, kind: str, record: Mapping[str, Any]) -> None:
        key = {"custom-title": "customTitle", "ai-title": "aiTitle"}.get(kind)
        title = text_at(record, key or "agentName") or text_at(record, "title")
        if title:
            origin = "person" if kind == "custom-title" else "model"
            self._thread(record).title(origin, title)

    def _summarised(self, record: Record) -> None:
        """Take a summary for a title when the record it leads up to is in this file."""
        value = record.value
        text, leaf = text_at(value, "summary"), text_at(value, "leafUuid")
        if not text or not leaf:
            return
        if leaf in self._recent:
            self._thread(value).title("summary", text)
            return
        self._at_hand[leaf] = cut_short(text, 500)
        self._summaries[leaf] = record.offset
        if len(self._summaries) > LEAVES:
            oldest = next(iter(self._summaries))
            del self._summaries[oldest]
            self._at_hand.pop(oldest, None)

    def _take_summary(self, leaf: str) -> str:
        """Return what leads up to a record; it waits for that no more."""
        offset = self._summaries.pop(leaf)
        text = self._at_hand.pop(leaf, None)
        return self._summary_at(offset, leaf) if text is None else text

    def _summary_at(self, offset: int, leaf: str) -> str:
        """Read a summary again that an earlier reading met."""
        with open_read_only(self._path) as file:
            for record in records_in(file, passes_over=lambda _: None, start=offset):
                if record.offset == offset and record.value.get("leafUuid") == leaf:
                    return cut_short(text_at(record.value, "summary") or "", 500)
                if record.offset > offset:
                    break
        return ""

    def _rooted(self, record: Mapping[str, Any]) -> None:
        root = text_at(record.get("worktreeSession"), "originalCwd")
        if root:
            self._thread(record).state["repo"] = root

    # What was said.

    def _spoken(self, kind: str, record: Record, draft: Draft) -> None:
        value = record.value
        thread = self._thread(value)
        step = Step(self._place.stem, thread, record, self._time(value))
        self._pass_leaf(thread, text_at(value, "uuid"))
        before = len(draft.records)
        name = kind
        if kind == "assistant":
            self._assistant(step, draft)
        elif kind == "user":
            self._user(step, draft)
        elif kind == "attachment":
            name = self._attachment(step, draft)
        else:
            name = self._system(step, draft)
        thread.note(value, None if kind == "system" else step.own_time)
        if len(draft.records) > before:
            thread.state["spoken"] = True
        else:
            draft.ignored[name] += 1

    def _time(self, record: Mapping[str, Any]) -> tuple[datetime | None, bool]:
        """Return a record's time, or the time before it, and whether it is borrowed."""
        at = time_of(record)
        if at is not None:
            self.state["at"] = at.isoformat()
            return at, False
        before = self.state.get("at")
        return (datetime.fromisoformat(before) if before else None), True

    def _pass_leaf(self, thread: Thread, uuid: str | None) -> None:
        if uuid is None:
            return
        self._recent.append(uuid)
        del self._recent[:-LEAVES]
        if uuid in self._summaries:
            thread.title("summary", self._take_summary(uuid))

    def _assistant(self, step: Step, draft: Draft) -> None:
        if not step.thread.is_subagent:
            self._say_queued(step, draft)
        value = step.record.value
        message = message_of(value)
        model = text_at(message, "model")
        if model == SYNTHETIC or value.get("isApiErrorMessage") is True:
            self._answer(step, message, draft, role=Role.SYSTEM, noise=Noise.META)
            return
        step.thread.model(model)
        is_message = self._answer(
            step, message, draft, role=Role.ASSISTANT, model=model
        )
        usage = count_call(
            self._calls,
            value,
            message,
            conversation=step.thread.native_id,
            native_id=step.native_id,
            is_message=is_message,
            at=step.time[0],
        )
        if usage is not None:
            draft.usage[usage.call_id] = usage
            step.thread.state["spoken"] = True

    def _answer(
        self, step: Step, message: Mapping[str, Any], draft: Draft, **fields: Any
    ) -> bool:
        blocks = blocks_of(message.get("content"))
        text = joined(blocks, "text")
        reasoning = joined(blocks, "thinking")
        calls = tuple(call_of(block) for block in blocks if block.get("type") in CALLS)
        if not text and not reasoning and not calls:
            return False
        draft.records.append(
            step.message(text=text, reasoning=reasoning, calls=calls, **fields)
        )
        return True

    def _say_queued(self, step: Step, draft: Draft) -> None:
        for queued in self._queue.settle():
            time = (time_of(queued.record.value), False)
            self._say(step.at_record(queued.record, time), Speech(queued.text), draft)

    def _user(self, step: Step, draft: Draft) -> None:
        value = step.record.value
        content = message_of(value).get("content")
        blocks = blocks_of(content)
        found = [block for block in blocks if block.get("type") == "tool_result"]
        speech = speech_of(
            list(texts_of(content)), flagged=flag_of(value), typed=is_typed(value)
        )
        if not found:
            if speech is not None:
                self._say(step, speech, draft)
            return
        self._results(step, found, speech, draft)

    def _results(
        self,
        step: Step,
        found: list[Mapping[str, Any]],
        speech: Speech | None,
        draft: Draft,
    ) -> None:
        parsed = step.record.value.get("toolUseResult")
        results = results_of(found, parsed)
        text = "\n\n".join(result.output for result in results if result.output)
        draft.records.append(step.message(role=Role.TOOL, text=text, results=results))
        said = [feedback_in(text) or "", answers_in(parsed)]
        if speech is not None and speech.noise is None:
            said.append(speech.text)
        words = "\n".join(filter(None, said))
        if words:
            self._say(step.beside(), Speech(words), draft)

    def _attachment(self, step: Step, draft: Draft) -> str:
        attachment = step.record.value.get("attachment")
        name = f"attachment:{type_of(attachment)}"
        if name != "attachment:queued_command" or not isinstance(attachment, Mapping):
            return name
        speech = speech_of(
            list(texts_of(attachment.get("prompt"))),
            flagged=flag_of(attachment) or flag_of(step.record.value),
            typed=is_typed(attachment),
        )
        if speech is not None:
            self._say(step, speech, draft)
        return name

    def _system(self, step: Step, draft: Draft) -> str:
        value = step.record.value
        subtype, content = text_at(value, "subtype"), text_at(value, "content")
        name = f"system:{name_of(subtype)}"
        if content is None or subtype not in ("local_command", "away_summary"):
            return name
        flag = Noise.SUMMARY if subtype == "away_summary" else None
        speech = speech_of([content], flagged=flag)
        if speech is not None:
            self._say(step, speech, draft)
        return name

    def _say(self, step: Step, speech: Speech, draft: Draft) -> None:
        """Add what a person or a program put into a user's record."""
        thread = step.thread
        if speech.noise is Noise.COMMAND_OUTPUT and (name := new_name_in(speech.text)):
            thread.title("person", name)
        if speech.noise is None:
            self._queue.saw(speech.text)
            self._go_back(step, draft)
            if not speech.is_command and not step.is_beside:
                thread.title("prompt", speech.text, again=False)
        draft.records.append(
            step.message(
                role=Role.USER if speech.noise is None else Role.SYSTEM,
                text=speech.text,
                noise=speech.noise,
                is_command=speech.is_command,
            )
        )

    def _go_back(self, step: Step, draft: Draft) -> None:
        """Say so when the person took up an earlier point instead of going on.

        Only two prompts after the same record mean that; other siblings come from
        tools that ran side by side. A prompt met again was copied, not typed again.
        """
        parent = text_at(step.record.value, "parentUuid")
        key = step.native_id
        if parent is None or step.thread.is_subagent or key in self._prompts:
            return
        if step.record.value.get("type") != "user" or step.is_beside:
            return
        earlier = self._by_parent.get(parent)
        if earlier is not None:
            rewind = Rewind(conversation=step.thread.native_id, first=earlier)
            draft.records.append(rewind)
        self._prompts[key], self._by_parent[parent] = parent, key
        if len(self._prompts) > PROMPTS:
            self._forget(next(iter(self._prompts)))

    def _forget(self, prompt: str) -> None:
        parent = self._prompts.pop(prompt)
        if self._by_parent.get(parent) == prompt:
            del self._by_parent[parent]
