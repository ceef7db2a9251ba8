"""Files such as assistants really leave behind, as bytes, for archives to grow on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.builders import SESSION, claude_file, codex_file, plain_file
from tests.sources import claude_records as claude
from tests.sources import codex_records as codex

__all__ = ["RESUMED", "a_history"]

RESUMED = "00000000-0000-4000-8000-0000000000bb"
FORK = "00000000-0000-4000-8000-0000000000cc"
SUBAGENT = f"{SESSION}/subagents/agent-a1b2c3"
THREAD = codex.THREAD
CHILD = "019c0000-2000-7000-8000-000000000003"


def a_history(folder: Path) -> dict[Path, bytes]:
    """Return the whole of every file of a history, by its path below *folder*."""
    return {
        claude_file(folder): _session(),
        claude_file(folder, RESUMED): _resumed(),
        claude_file(folder, FORK): _fork(),
        claude_file(folder, SUBAGENT): _subagent(),
        codex_file(folder, codex.NAME): _rollout(),
        codex_file(folder, f"rollout-2026-05-01T11-00-00-{CHILD}.jsonl"): _child(),
        plain_file(folder): _plain(),
    }


def _at(minute: int) -> str:
    return f"2026-05-01T10:{minute:02}:00.000Z"


def _counted(number: int) -> dict[str, Any]:
    return {"input_tokens": 10, "output_tokens": number, "cache_read_input_tokens": 3}


def _first_turns(session: str) -> list[dict[str, Any]]:
    own = {"sessionId": session}
    return [
        claude.said(
            "a1", "Where is the tide table? 潮汐表 📖", timestamp=_at(0), **own
        ),
        claude.answered(
            "a2",
            {"type": "thinking", "thinking": "The almanac has it."},
            call="msg_1",
            usage=_counted(1),
            parentUuid="a1",
            timestamp=_at(1),
            **own,
        ),
        claude.answered(
            "a3",
            "Let me look for it in the almanac.",
            call="msg_1",
            usage=_counted(9),
            parentUuid="a2",
            timestamp=_at(1),
            **own,
        ),
        claude.answered(
            "a4",
            claude.tool_use("Bash", command="grep -rn tide_table src/harbour.py"),
            call="msg_1",
            usage=_counted(20),
            parentUuid="a3",
            timestamp=_at(2),
            **own,
        ),
        claude.returned(
            "a5",
            "src/harbour.py:12: tide_table = load()",
            parentUuid="a4",
            timestamp=_at(3),
            toolUseResult={"stdout": "found", "stderr": ""},
            **own,
        ),
        claude.answered(
            "a6",
            "It is loaded in harbour.py, at line twelve.",
            call="msg_2",
            usage=_counted(5),
            parentUuid="a5",
            timestamp=_at(4),
            **own,
        ),
    ]


def _session() -> bytes:
    """A session with a rewind, and with all that goes wrong in files."""
    torn = json.dumps(claude.answered("torn", "never finished"))[:90].encode()
    glued = claude.lines(
        claude.said("a9", "What about the moon?", parentUuid="a7", timestamp=_at(7)),
        {"type": "file-history-snapshot", "messageId": "a9", "snapshot": {}},
    ).replace(b"\n", b"")
    queued = [
        {"type": "queue-operation", "operation": "enqueue", "content": "And hurry up."},
        {"type": "queue-operation", "operation": "remove"},
    ]
    return b"".join(
        (
            b"\xef\xbb\xbf",
            claude.lines(*_first_turns(SESSION)),
            claude.lines(
                {"type": "ai-title", "aiTitle": "Tides", "sessionId": SESSION},
                claude.said(
                    "a7", "Use the northern port.", parentUuid="a6", timestamp=_at(5)
                ),
                claude.answered("a8", "Northern it is.", parentUuid="a7"),
            ),
            torn + b"\n",
            glued + b"\r\n",
            b"null\n\n42\n",
            claude.lines(
                claude.answered(
                    "a10",
                    "The moon is in the third column.",
                    call="msg_3",
                    usage=_counted(7),
                    parentUuid="a9",
                    timestamp=_at(8),
                ),
                *({**each, "timestamp": _at(8)} for each in queued),
                claude.said(
                    "a11",
                    "No: the southern port, please.",
                    parentUuid="a6",
                    timestamp=_at(9),
                ),
                claude.answered(
                    "a12",
                    "The southern table then.\u2028Done\ud83d.",
                    call="msg_4",
                    usage=_counted(8),
                    parentUuid="a11",
                    timestamp=_at(10),
                ),
            ),
            b"\0" * 300 + b"\n",
            claude.lines(
                claude.said("a13", "Thanks for that.", parentUuid="a12"),
                claude.said(
                    "a14",
                    "<system-reminder>Be brief.</system-reminder>",
                    isMeta=True,
                ),
            ),
        )
    )


def _resumed() -> bytes:
    """The same session taken up again under another id: its start is a copy."""
    own = {"sessionId": RESUMED}
    return claude.lines(
        *_first_turns(RESUMED),
        claude.said(
            "b1",
            "And the ebb?",
            parentUuid="a6",
            timestamp="2026-05-02T09:00:00Z",
            **own,
        ),
        claude.answered(
            "b2",
            "The ebb begins at noon.",
            call="msg_9",
            usage=_counted(4),
            parentUuid="b1",
            timestamp="2026-05-02T09:01:00Z",
            **own,
        ),
    )


def _fork() -> bytes:
    origin = {"forkedFrom": {"sessionId": SESSION, "messageUuid": "a3"}}
    return claude.lines(
        *({**turn, **origin} for turn in _first_turns(FORK)[:3]),
        claude.said(
            "c1",
            "Try the island instead.",
            parentUuid="a3",
            timestamp="2026-04-30T09:00:00Z",
            sessionId=FORK,
            **origin,
        ),
    )


def _subagent() -> bytes:
    own = {"isSidechain": True, "agentId": "a1b2c3"}
    return claude.lines(
        claude.said("s1", "survey the moorings", timestamp=_at(2), **own),
        claude.answered(
            "s2",
            "Only the agent said brindlewick.",
            call="msg_sub",
            usage=_counted(200),
            timestamp=_at(3),
            **own,
        ),
    )


def _rollout() -> bytes:
    """A thread in which everything is told twice, and the last turn was taken back."""
    return codex.lines_of(
        [
            codex.meta(timestamp="2026-05-01T10:00:00Z", git={"branch": "main"}),
            *_first_turn(),
            codex.written("assistant", "There are none.", second=6),
            codex.said("There are none.", 6),
            codex.typed("Then count the ships.", 70),
            codex.written("user", "Then count the ships.", second=70),
            codex.said("Eleven ships.", 72),
            codex.written("assistant", "Eleven ships.", second=72),
            codex.tokens(2500, 1500),
            codex.event("thread_rolled_back", 80, num_turns=1),
            codex.written("user", "Count the buoys instead.", second=90),
            codex.typed("Count the buoys instead.", 90),
            codex.written("assistant", "Forty buoys, all of them red.", second=95),
        ]
    )


def _first_turn() -> list[dict[str, Any]]:
    return [
        codex.written("user", "<environment_context>\n<cwd>/x</cwd>\n"),
        codex.written("user", "Count the lighthouses.", second=1),
        codex.typed("Count the lighthouses.", 1),
        codex.context(1),
        codex.said("I will count them now.", 2),
        codex.written("assistant", "I will count them now.", second=2),
        codex.item(
            "function_call",
            3,
            name="shell",
            call_id="call_1",
            arguments='{"command": ["ls", "lighthouses"]}',
        ),
        codex.event("exec_command_end", 4, call_id="call_1", exit_code=2),
        codex.item(
            "function_call_output", 4, call_id="call_1", output="ls: no such folder"
        ),
        codex.tokens(1000, 1000, cached=100),
        codex.tokens(1000, 1000, cached=100),
    ]


def _child() -> bytes:
    """A thread that a thread began: the parent's first lines, stamped anew."""
    stamped = "2026-05-01T11:00:00Z"
    return codex.lines_of(
        [
            codex.meta(CHILD, forked_from_id=THREAD, timestamp=stamped),
            codex.meta(THREAD),
            *({**line, "timestamp": stamped} for line in _first_turn()),
            codex.context(3605),
            codex.typed("Count the gulls as well.", 3605),
            codex.written("assistant", "Too many gulls to count.", second=3609),
            codex.tokens(1700, 700, second=3609),
        ]
    )


def _plain() -> bytes:
    turns: list[dict[str, Any]] = [
        {"role": "user", "content": "Name a knot.", "session_id": "one"},
        {"role": "assistant", "content": "The bowline knot.", "session_id": "one"},
        {"role": "user", "content": "Name another.", "session_id": "two"},
        {
            "role": "assistant",
            "session_id": "one",
            "content": [
                {"type": "text", "text": "I look it up."},
                {
                    "type": "tool_use",
                    "id": "t1",
                    "name": "look",
                    "input": {"q": "knot"},
                },
            ],
        },
        {
            "role": "tool",
            "session_id": "one",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "a clove hitch"}
            ],
        },
        {
            "role": "assistant",
            "content": "Clove hitch: 巻き結び.",
            "session_id": "two",
        },
    ]
    lines = [json.dumps(turn, ensure_ascii=False).encode() for turn in turns]
    return b"\n".join([*lines[:3], b'{"role": "assistant", "conte', *lines[3:]]) + b"\n"
