"""A history of Codex: a rollout each, and a subagent's of the first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quoth.sources.codex import Codex

from .history import (
    History,
    Said,
    Sample,
    Turn,
    Wish,
    a_task,
    lines,
    stamp,
    voyage,
    words,
)

__all__ = ["CODEX"]

MACHINE = (
    "# AGENTS.md instructions for /home/dev\n\n<INSTRUCTIONS>\nbrief\n</INSTRUCTIONS>",
    "<environment_context>\n  <cwd>/home/dev</cwd>\n</environment_context>",
    "<turn_aborted>The turn was aborted.</turn_aborted>",
)
COST = {"input": 70, "output": 20, "cache_read": 30, "reasoning": 6}
AGENT = "019c0000-2000-7000-8000-000000000009"


def history(wish: Wish) -> History:
    """Return rollouts; the first has a tool, noise, a turn taken back, an agent."""
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    said = [words(told) for told in turns]
    files = {
        _name(_thread(number), told[0].asked): _file(
            [
                _meta(_thread(number), told[0].asked),
                *_rollout(told, is_first=not number),
            ],
            wish,
        )
        for number, told in enumerate(turns)
    }
    at = turns[0][0].asked
    said.append(a_task(at))
    files[_name(AGENT, at)] = _file(_agent(said[-1], at), wish)
    calls = wish.conversations * wish.turns + 2
    return History(
        files=files,
        said=said,
        machine=MACHINE,
        usage={name: count * calls for name, count in COST.items()},
    )


def _thread(number: int) -> str:
    return f"019c0000-1000-7000-8000-{number:012}"


def _name(thread: str, at: datetime) -> str:
    return f"{at:%Y/%m/%d}/rollout-{at:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"


def _file(records: list[dict[str, Any]], wish: Wish) -> bytes:
    if wish.strange:
        records = [{**record, "brand": {}} for record in records]
        records[0]["payload"]["cli_version"] = "99.0.0"
        at = records[0]["timestamp"]
        records.append({"timestamp": at, "type": "hologram", "payload": {"glow": 1}})
    return wish.edit(lines(records))


def _line(kind: str, at: datetime, **payload: Any) -> dict[str, Any]:
    return {"timestamp": stamp(at), "type": kind, "payload": payload}


def _meta(thread: str, at: datetime, **fields: Any) -> dict[str, Any]:
    own = {"id": thread, "timestamp": stamp(at), "cwd": "/home/dev"}
    more = {"cli_version": "0.120.0", "source": "cli", "git": {"branch": "main"}}
    return _line("session_meta", at, **{**own, **more, **fields})


def _rollout(turns: list[Turn], *, is_first: bool) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    spent = 0
    for turn in turns:
        begins = is_first and turn.number == 0
        if begins:
            records += [_item("user", text, turn.asked) for text in MACHINE]
        records += _asked(turn.prompt, turn.asked)
        records += _work(turn.asked) if begins else []
        records += _answered(turn.answer, turn.answered, spent := spent + 1)
        if begins:
            records += _detour(turn.answered, spent := spent + 1)
    return records


def _item(role: str, text: str, at: datetime) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return _line("response_item", at, type="message", role=role, content=content)


def _asked(prompt: str, at: datetime) -> list[dict[str, Any]]:
    """Return a prompt as Codex writes it: twice, and what the turn is held in."""
    return [
        _item("user", prompt, at),
        _line("event_msg", at, type="user_message", message=prompt, images=[]),
        _line("turn_context", at, cwd="/home/dev", model="gpt-test"),
    ]


def _answered(answer: str, at: datetime, spent: int) -> list[dict[str, Any]]:
    """Return an answer and what it cost, everything twice."""
    return [
        _line("event_msg", at, type="agent_message", message=answer),
        _item("assistant", answer, at),
        _tokens(spent, at),
        _tokens(spent, at),
    ]


def _tokens(spent: int, at: datetime) -> dict[str, Any]:
    last = {
        "input_tokens": 100,
        "cached_input_tokens": 30,
        "output_tokens": 20,
        "reasoning_output_tokens": 6,
        "total_tokens": 120,
    }
    total: Mapping[str, int] = {name: spent * count for name, count in last.items()}
    info = {"total_token_usage": total, "last_token_usage": last}
    return _line("event_msg", at, type="token_count", info=info)


def _work(at: datetime) -> list[dict[str, Any]]:
    summary = [{"type": "summary_text", "text": "Count the piers."}]
    shell = '{"command": ["bash", "-lc", "ls piers"]}'
    output = '{"output": "none", "metadata": {"exit_code": 2}}'
    patch = "*** Begin Patch\n*** Update File: pier.py\n*** End Patch"
    made = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c2"}
    asked = {"type": "function_call", "name": "shell", "call_id": "c1"}
    return [
        _line("response_item", at, type="reasoning", summary=summary),
        _line("response_item", at, **asked, arguments=shell),
        _line(
            "response_item",
            at,
            type="function_call_output",
            call_id="c1",
            output=output,
        ),
        _line("response_item", at, **made, input=patch),
        _line("event_msg", at, type="thread_name_updated", thread_name="The piers"),
    ]


def _detour(at: datetime, spent: int) -> list[dict[str, Any]]:
    """Return a turn that was taken back."""
    return [
        *_asked("No, the other pier.", at),
        *_answered("The other pier it is.", at, spent),
        _line("event_msg", at, type="thread_rolled_back", num_turns=1),
    ]


def _agent(said: list[Said], at: datetime) -> list[dict[str, Any]]:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": _thread(0)}}}
    task, answer = said
    return [
        _meta(AGENT, at, source=spawned),
        *_asked(task.text, at),
        *_answered(answer.text, at, 1),
    ]


CODEX = Sample(
    source=Codex(),
    root="sessions",
    history=history,
    copied=lambda name: f"copy/{name}",
    another="2026/05/09/rollout-2026-05-09T10-00-00-019c0000-1000-7000-8000-"
    "000000000099.jsonl",
    side_files=("session_index.jsonl",),
    may_look_at=lambda path: _thread(0) in path.name,  # the parent of the agent
)
