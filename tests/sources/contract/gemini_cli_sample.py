"""A history of Gemini CLI: a log, then documents, and a subagent of the first."""

from __future__ import annotations

import json
from typing import Any

from quoth.sources.gemini_cli import GeminiCli

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

__all__ = ["GEMINI_CLI"]

MACHINE = (
    "System: Please continue.",
    "<session_context>\nThis is a harbour.\n</session_context>",
    "<hook_context>Mind the tide.</hook_context>",
)
TOKENS = {"input": 100, "output": 14, "cached": 30, "thoughts": 6, "tool": 0}
COST = {"input": 70, "output": 20, "cache_read": 30, "reasoning": 6}
PROJECT = "0" * 64


def history(wish: Wish) -> History:
    """Return sessions; the first has a tool, noise, a rewind and a subagent."""
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    files = {
        f"session-2026-05-0{number + 1}T10-00-{number:08}": _messages(
            told, number, wish
        )
        for number, told in enumerate(turns)
    }
    first, *others = files
    task = a_task(turns[0][0].asked)
    calls = wish.conversations * wish.turns + 2
    named = {
        f"chats/{first}.jsonl": _log(files[first], number=0),
        f"chats/{_session(0)}/agent-1.jsonl": _agent(task),
        **{
            f"chats/{name}.json": _document(files[name], number)
            for number, name in enumerate(others, start=1)
        },
    }
    written = {name: wish.edit(content) for name, content in named.items()}
    return History(
        files={
            f"{PROJECT}/.project_root": b"/home/dev",
            **{f"{PROJECT}/{name}": content for name, content in written.items()},
        },
        said=[words(told) for told in turns] + [task],
        machine=MACHINE,
        usage={name: count * calls for name, count in COST.items()},
    )


def _session(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def _about(number: int) -> dict[str, Any]:
    start = f"2026-05-0{number + 1}T10:00:00.000Z"
    times = {"startTime": start, "lastUpdated": start}
    return {"sessionId": _session(number), "projectHash": PROJECT, **times}


def _log(messages: list[dict[str, Any]], number: int) -> bytes:
    titled = {"$set": {"summary": "The piers"}}
    return lines([_about(number) | {"kind": "main"}, titled, *messages])


def _document(messages: list[dict[str, Any]], number: int) -> bytes:
    return json.dumps(_about(number) | {"messages": messages}, indent=1).encode()


def _messages(turns: list[Turn], number: int, wish: Wish) -> list[dict[str, Any]]:
    messages = [each for turn in turns for each in _turn(turn, number)]
    if number == 0:
        at = stamp(turns[0].asked)
        unfinished = {**messages[1], "content": ""}
        messages[1:2] = [
            *(_typed(f"m{n}", text, at) for n, text in enumerate(MACHINE)),
            unfinished,
            messages[1] | {"toolCalls": _calls(at), "thoughts": [_thought(at)]},
            *_detour(at),
        ]
    if wish.strange:
        messages = [{**each, "brand": {}, "version": "99.0.0"} for each in messages]
        messages.append({"id": "h1", "type": "hologram", "content": "glow"})
    return messages


def _turn(turn: Turn, number: int) -> list[dict[str, Any]]:
    own = f"{number}-{turn.number}"
    return [
        _typed(f"q{own}", turn.prompt, stamp(turn.asked)),
        _answered(f"a{own}", turn.answer, stamp(turn.answered)),
    ]


def _typed(own: str, text: str, at: str) -> dict[str, Any]:
    return {"id": own, "timestamp": at, "type": "user", "content": [{"text": text}]}


def _answered(own: str, text: str, at: str) -> dict[str, Any]:
    about = {"type": "gemini", "model": "gemini-test", "tokens": TOKENS}
    return {"id": own, "timestamp": at, "content": text, **about}


def _thought(at: str) -> dict[str, Any]:
    return {"subject": "Piers", "description": "Count the piers.", "timestamp": at}


def _calls(at: str) -> list[dict[str, Any]]:
    return [
        _call("run_shell_command", {"command": "ls piers"}, "none\nExit Code: 2", at),
        _call("read_file", {"file_path": "/home/dev/pier.py"}, "pier = 1", at),
    ]


def _call(name: str, given: dict[str, str], output: str, at: str) -> dict[str, Any]:
    response = {"id": name, "name": name, "response": {"output": output}}
    back = {"result": [{"functionResponse": response}], "status": "success"}
    return {"id": name, "name": name, "args": given, "timestamp": at, **back}


def _detour(at: str) -> list[dict[str, Any]]:
    """Return a prompt that was taken back with all that came after it."""
    return [
        _typed("d1", "No, the other pier.", at),
        _answered("d2", "The other pier it is.", at),
        {"$rewindTo": "d1"},
    ]


def _agent(said: list[Said]) -> bytes:
    task, answer = said
    assert task.at is not None
    at = stamp(task.at)
    about = _about(0) | {"sessionId": "agent-1", "kind": "subagent"}
    return lines([about, _typed("s1", task.text, at), _answered("s2", answer.text, at)])


GEMINI_CLI = Sample(
    source=GeminiCli(),
    root="tmp",
    history=history,
    copied=lambda name: name.replace(PROJECT, "harbour", 1),
    another=f"{PROJECT}/chats/session-2026-05-09T10-00-00000099.jsonl",
    side_files=(".project_root", "projects.json"),
)
