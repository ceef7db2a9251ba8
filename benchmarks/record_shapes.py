"""The records Claude Code and Codex write, in the shapes counted in real files.

Both generators in this folder build their lines here, so that a change of format is
made once. Everything random comes from the `random.Random` that is handed in.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Final, TypeAlias

__all__ = [
    "CLAUDE_VERSION",
    "CODEX_VERSION",
    "Block",
    "ClaudeCall",
    "ClaudeThread",
    "CodexThread",
    "Ids",
    "Record",
    "claude_project",
    "dump",
    "rollout_name",
    "stamp",
]

Record: TypeAlias = dict[str, object]
Block: TypeAlias = dict[str, object]

CLAUDE_VERSION: Final = "2.1.239"
CODEX_VERSION: Final = "0.149.0"
CONTEXT_WINDOW: Final = 258_400
BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def stamp(at: datetime) -> str:
    """Write a UTC time as both programs do, to the millisecond."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def dump(record: Record) -> str:
    """Write one record as a line, without its newline."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def claude_project(cwd: str) -> str:
    """Name the folder Claude Code keeps the sessions of *cwd* in."""
    plain = (c if c.isascii() and c.isalnum() else "-" for c in cwd)
    return "".join(plain)


def rollout_name(at: datetime, thread: str) -> str:
    """Name a rollout below `sessions/`, with the folders of its day."""
    return f"{at:%Y/%m/%d}/rollout-{at:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"


@dataclass(frozen=True, slots=True)
class Ids:
    """Makes identifiers of the right shape from one random source."""

    random: Random

    def uuid(self) -> str:
        text = f"{self.random.getrandbits(128):032x}"
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"

    def uuid7(self, at: datetime) -> str:
        text = f"{int(at.timestamp() * 1000):012x}{self.random.getrandbits(80):020x}"
        return f"{text[:8]}-{text[8:12]}-7{text[13:16]}-a{text[17:20]}-{text[20:]}"

    def named(self, prefix: str, length: int = 22) -> str:
        return prefix + "".join(self.random.choices(BASE58, k=length))

    def noise(self, length: int) -> str:
        """Return base64 of no meaning: a signature, ciphertext or a picture."""
        return b64encode(self.random.randbytes(length * 3 // 4)).decode()


# --------------------------------------------------------------------------------------
# Claude Code


@dataclass(slots=True, kw_only=True)
class ClaudeCall:
    """One answer of the model: its lines repeat the id and a usage that only grows."""

    message: str
    request: str
    cached: int
    written: int
    output: int = 0

    def usage(self, more: int) -> Record:
        self.output += more
        return {
            "input_tokens": 4,
            "cache_creation_input_tokens": self.written,
            "cache_read_input_tokens": self.cached,
            "output_tokens": self.output,
            "service_tier": "standard",
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.written,
            },
        }


@dataclass(slots=True, kw_only=True)
class ClaudeThread:
    """Builds the records of one session, or of one subagent when *agent* is set."""

    ids: Ids
    session: str
    cwd: str
    branch: str
    model: str
    agent: str | None = None
    parent: str | None = None
    version: str = CLAUDE_VERSION
    context: int = 14_000

    def envelope(self, kind: str, at: datetime, **fields: object) -> Record:
        """Return a record that follows the one before it and becomes the parent."""
        uuid = self.ids.uuid()
        record: Record = {
            "parentUuid": self.parent,
            "isSidechain": self.agent is not None,
            **({"agentId": self.agent} if self.agent else {}),
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": self.branch,
            "type": kind,
            **fields,
            "uuid": uuid,
            "timestamp": stamp(at),
        }
        self.parent = uuid
        return record

    def prompt(self, at: datetime, content: str | list[Block]) -> Record:
        return self.envelope(
            "user",
            at,
            message={"role": "user", "content": content},
            promptSource="typed",
        )

    def injected(self, at: datetime, content: str) -> Record:
        message = {"role": "user", "content": content}
        return self.envelope("user", at, message=message, isMeta=True)

    def queued(self, at: datetime, text: str) -> list[Record]:
        """Return a prompt typed while the assistant was busy, as its two records."""
        queue: Record = {
            "type": "queue-operation",
            "operation": "enqueue",
            "timestamp": stamp(at),
            "sessionId": self.session,
            "content": text,
        }
        attachment = {
            "type": "queued_command",
            "prompt": text,
            "commandMode": "prompt",
        }
        return [queue, self.envelope("attachment", at, attachment=attachment)]

    def hook(self, at: datetime) -> Record:
        attachment = {
            "type": "hook_success",
            "hookName": "SessionStart:startup",
            "hookEvent": "SessionStart",
            "content": "",
            "exitCode": 0,
        }
        return self.envelope("attachment", at, attachment=attachment)

    def progress(self, at: datetime, use: str, data: Record) -> Record:
        """Return a line that versions up to 2.1.8x wrote while a tool was running."""
        return self.envelope(
            "progress", at, data=data, parentToolUseID=use, toolUseID=use
        )

    def turn_duration(self, at: datetime, milliseconds: int) -> Record:
        return self.envelope(
            "system",
            at,
            subtype="turn_duration",
            durationMs=milliseconds,
            isMeta=False,
        )

    def snapshot(self, at: datetime, paths: list[str]) -> Record:
        """Return the list of edited files; it has no uuid and no place in the tree."""
        message = self.ids.uuid()
        backups = {
            path: {
                "backupFileName": f"{self.ids.random.getrandbits(64):016x}@v1",
                "version": 1,
                "backupTime": stamp(at),
            }
            for path in paths
        }
        return {
            "type": "file-history-snapshot",
            "messageId": message,
            "snapshot": {
                "messageId": message,
                "trackedFileBackups": backups,
                "timestamp": stamp(at),
            },
            "isSnapshotUpdate": bool(paths),
        }

    def title(self, text: str, *, by_person: bool) -> Record:
        if by_person:
            kind, key = "custom-title", "customTitle"
        else:
            kind, key = "ai-title", "aiTitle"
        return {"type": kind, "sessionId": self.session, key: text}

    def new_call(self) -> ClaudeCall:
        written = self.ids.random.randrange(300, 4000)
        call = ClaudeCall(
            message=self.ids.named("msg_01"),
            request=self.ids.named("req_011C", 20),
            cached=self.context,
            written=written,
        )
        self.context += written
        return call

    def block(
        self,
        at: datetime,
        call: ClaudeCall,
        block: Block,
        *,
        stop: str | None = None,
        size: int = 0,
    ) -> Record:
        """Return one line of an answer: exactly one content block."""
        message = {
            "model": self.model,
            "id": call.message,
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": stop,
            "usage": call.usage(size // 4 + 8),
        }
        return self.envelope("assistant", at, message=message, requestId=call.request)

    def tool_result(
        self,
        at: datetime,
        use: str,
        content: str | list[Block],
        parsed: object,
        *,
        is_error: bool | None = None,
    ) -> Record:
        asked = self.parent
        result: Block = {
            "tool_use_id": use,
            "type": "tool_result",
            "content": content,
        }
        if is_error is not None:
            result["is_error"] = is_error
        return self.envelope(
            "user",
            at,
            message={"role": "user", "content": [result]},
            toolUseResult=parsed,
            sourceToolAssistantUUID=asked,
        )


# --------------------------------------------------------------------------------------
# Codex


@dataclass(slots=True, kw_only=True)
class CodexThread:
    """Builds the lines of one rollout, doubled where Codex doubles them."""

    ids: Ids
    thread: str
    cwd: str
    branch: str
    model: str
    instructions: str = "You are a coding agent running in the Codex CLI."
    agents_md: str = ""
    turn: str = ""
    total: dict[str, int] = field(default_factory=dict)

    def line(self, at: datetime, kind: str, payload: Record) -> Record:
        return {"timestamp": stamp(at), "type": kind, "payload": payload}

    def event(self, at: datetime, kind: str, **fields: object) -> Record:
        return self.line(at, "event_msg", {"type": kind, **fields})

    def item(self, at: datetime, kind: str, **fields: object) -> Record:
        return self.line(at, "response_item", {"type": kind, **fields})

    def message(self, at: datetime, role: str, text: str, **fields: object) -> Record:
        kind = "output_text" if role == "assistant" else "input_text"
        return self.item(
            at,
            "message",
            id=self.ids.named("msg_", 24),
            role=role,
            content=[{"type": kind, "text": text}],
            **fields,
        )

    def opening(self, at: datetime) -> list[Record]:
        """Return what stands before the first prompt: nobody's words."""
        meta: Record = {
            "id": self.thread,
            "session_id": self.thread,
            "timestamp": stamp(at),
            "cwd": self.cwd,
            "originator": "codex_cli_rs",
            "cli_version": CODEX_VERSION,
            "source": "cli",
            "thread_source": "cli",
            "model_provider": "openai",
            "base_instructions": {"text": self.instructions},
            "git": {
                "commit_hash": f"{self.ids.random.getrandbits(160):040x}",
                "branch": self.branch,
                "repository_url": f"git@git.larkfield.example:{self.repo}.git",
            },
        }
        permissions = (
            "<permissions instructions>\nFilesystem sandboxing: workspace-write."
            "\n</permissions instructions>"
        )
        environment = (
            f"<environment_context>\n  <cwd>{self.cwd}</cwd>\n"
            "  <shell>bash</shell>\n</environment_context>"
        )
        return [
            self.line(at, "session_meta", meta),
            self.message(at, "developer", permissions),
            self.message(at, "user", environment),
        ]

    @property
    def repo(self) -> str:
        return "larkfield/" + self.cwd.rsplit("/", 1)[-1]

    def context(self, at: datetime) -> Record:
        sandbox = {
            "type": "workspace-write",
            "network_access": False,
        }
        payload: Record = {
            "turn_id": self.turn,
            "cwd": self.cwd,
            "approval_policy": "on-request",
            "sandbox_policy": sandbox,
            "model": self.model,
            "effort": "medium",
            "summary": "auto",
            **({"user_instructions": self.agents_md} if self.agents_md else {}),
        }
        return self.line(at, "turn_context", payload)

    def prompt(self, at: datetime, text: str) -> list[Record]:
        """Return the start of a turn; the prompt stands there twice."""
        self.turn = self.ids.uuid7(at)
        return [
            self.event(
                at,
                "task_started",
                turn_id=self.turn,
                model_context_window=CONTEXT_WINDOW,
                collaboration_mode_kind="default",
            ),
            self.message(at, "user", text),
            self.event(at, "user_message", message=text, images=[], local_images=[]),
            self.context(at),
        ]

    def reasoning(self, at: datetime, text: str, *, cipher: int) -> list[Record]:
        return [
            self.event(at, "agent_reasoning", text=text),
            self.item(
                at,
                "reasoning",
                summary=[{"type": "summary_text", "text": text}],
                content=None,
                encrypted_content=self.ids.noise(cipher),
            ),
        ]

    def answer(self, at: datetime, text: str, *, final: bool) -> list[Record]:
        phase = "final_answer" if final else "commentary"
        return [
            self.event(at, "agent_message", message=text, phase=phase),
            self.message(at, "assistant", text, phase=phase),
        ]

    def run(
        self, at: datetime, command: str, output: str, *, code: int, seconds: float
    ) -> list[Record]:
        call = self.ids.named("call_", 24)
        arguments = json.dumps({"cmd": command, "workdir": self.cwd})
        shown = (
            f"Chunk ID: {self.ids.random.getrandbits(24):06x}\n"
            f"Wall time: {seconds:.4f} seconds\n"
            f"Process exited with code {code}\n"
            f"Original token count: {len(output) // 4}\nOutput:\n{output}"
        )
        return [
            self.item(
                at,
                "function_call",
                name="exec_command",
                arguments=arguments,
                call_id=call,
            ),
            self.item(at, "function_call_output", call_id=call, output=shown),
        ]

    def patch(self, at: datetime, action: str, path: str, lines: str) -> list[Record]:
        """Return an edit; *action* is `Add`, `Update` or `Delete`."""
        call = self.ids.named("call_", 24)
        patch = f"*** Begin Patch\n*** {action} File: {path}\n{lines}\n*** End Patch"
        done = f"Success. Updated the following files:\n{action[0]} {path}\n"
        output = json.dumps(
            {"output": done, "metadata": {"exit_code": 0, "duration_seconds": 0.0}}
        )
        return [
            self.item(
                at,
                "custom_tool_call",
                status="completed",
                call_id=call,
                name="apply_patch",
                input=patch,
            ),
            self.item(at, "custom_tool_call_output", call_id=call, output=output),
        ]

    def tokens(
        self, at: datetime, *, sent: int, cached: int, output: int
    ) -> list[Record]:
        """Return the usage of one call: every such line stands there twice."""
        last = {
            "input_tokens": sent,
            "cached_input_tokens": cached,
            "output_tokens": output,
            "reasoning_output_tokens": output // 3,
            "total_tokens": sent + output,
        }
        self.total = {
            key: self.total.get(key, 0) + value for key, value in last.items()
        }
        info = {
            "total_token_usage": dict(self.total),
            "last_token_usage": last,
            "model_context_window": CONTEXT_WINDOW,
        }
        return [
            self.event(
                at,
                "token_count",
                info=info,
                rate_limits={"primary": {"used_percent": used}},
            )
            for used in (4.0, 5.0)
        ]

    def done(self, at: datetime, last: str) -> Record:
        return self.event(
            at, "task_complete", turn_id=self.turn, last_agent_message=last
        )

    def title(self, at: datetime, text: str) -> Record:
        return self.event(
            at, "thread_name_updated", thread_id=self.thread, thread_name=text
        )
