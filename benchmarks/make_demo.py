"""Write the demo histories that ship with quoth from the scripts in `demo/`.

    python benchmarks/make_demo.py [FOLDER]

A script is a header of `key: value` lines, an empty line, then sections:

    ## user                     a prompt; `after-rewind` takes back the one before it
    ## thinking, ## assistant   what the assistant thought and said
    ## bash [exit N]            `$ command`, then its output
    ## read, ## write PATH      the content of the file
    ## edit PATH                lines that begin with `- ` and `+ `
    ## grep PATTERN             the files found
    ## agent SCRIPT TYPE: TEXT  a subagent; the body is its prompt (Claude Code only)
    ## reminder, ## queued      injected text; a prompt typed while the assistant works

`resumes: SCRIPT` begins with a copy of that script's records, as a resume or fork does.
The bytes depend on the scripts alone, so writing them again changes nothing.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchmarks import record_shapes as shapes
    from benchmarks.record_shapes import Block, Record
else:  # run by path, this folder is the first place imports are looked for in
    import record_shapes as shapes

HERE: Final = Path(__file__).parent
SCRIPTS: Final = HERE / "demo"
HISTORIES: Final = HERE.parent / "src" / "quoth" / "demo" / "histories"

LONG_TURN_MS: Final = 150_000
"""The first turn as long as this is followed by its duration, to keep files small."""

FAKE_KEY: Final = "-".join(
    ("sk", "ant", "api03", "a" * 31 + "b" * 31 + "c" * 31 + "AA")
)
"""Has the shape of a key, so that the demo can show redaction; opens nothing."""


@dataclass(frozen=True, slots=True)
class Section:
    """One step of a conversation: its kind, the rest of its heading, its text."""

    kind: str
    detail: str
    body: str


@dataclass(frozen=True, slots=True)
class Script:
    """One conversation as a person wrote it."""

    name: str
    header: Mapping[str, str]
    sections: tuple[Section, ...]

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.header["started"])


def read_script(path: Path) -> Script:
    """Read one script; a key or a heading that is missing raises `ValueError`."""
    head, _, rest = path.read_text(encoding="utf-8").partition("\n\n## ")
    header = dict(line.split(": ", 1) for line in head.splitlines())
    sections = []
    for part in rest.replace("{FAKE_KEY}", FAKE_KEY).split("\n\n## "):
        heading, _, body = part.partition("\n")
        kind, _, detail = heading.partition(" ")
        sections.append(Section(kind, detail, body.rstrip("\n")))
    return Script(path.stem, header, tuple(sections))


def command_and_output(body: str) -> tuple[str, str]:
    command, _, output = body.removeprefix("$ ").partition("\n")
    return command, output


def exit_code(detail: str) -> int:
    return int(detail.removeprefix("exit ") or 0)


def old_and_new(body: str) -> tuple[str, str]:
    """Split the `- ` and `+ ` lines of an edit into its two texts."""
    sides: dict[str, list[str]] = {"- ": [], "+ ": []}
    for line in body.splitlines():
        sides[line[:2]].append(line[2:])
    return "\n".join(sides["- "]), "\n".join(sides["+ "])


@dataclass(slots=True)
class Clock:
    """Time passes with the length of what is written, and a little by chance."""

    now: datetime
    random: Random

    def pass_for(self, section: Section) -> datetime:
        pace = {"user": 95, "queued": 6, "bash": 9}.get(section.kind, 4)
        seconds = pace + len(section.body) / 60 + self.random.random() * pace
        self.now += timedelta(milliseconds=round(seconds * 1000))
        return self.now

    def soon(self, milliseconds: int) -> datetime:
        return self.now + timedelta(milliseconds=milliseconds)


# --------------------------------------------------------------------------------------
# Claude Code


@dataclass(slots=True, kw_only=True)
class ClaudeWriter:
    """Turns a script into the records of a session file."""

    script: Script
    scripts: Mapping[str, Script]
    thread: shapes.ClaudeThread
    clock: Clock
    records: list[Record] = field(default_factory=list)
    call: shapes.ClaudeCall | None = None
    turn_began: datetime | None = None
    before_prompt: str | None = None
    edited: list[str] = field(default_factory=list)
    listed: list[str] | None = None

    def write(self) -> list[Record]:
        if self.thread.agent is None and self.thread.parent is None:
            self.records.append(self.thread.hook(self.clock.now))
        for number, section in enumerate(self.script.sections):
            self.clock.pass_for(section)
            self.step(section)
            if number == 1:
                self.name_session()
        self.end_turn()
        return self.records

    def step(self, section: Section) -> None:
        match section.kind:
            case "user":
                self.user(section)
            case "reminder":
                self.records.append(
                    self.thread.injected(
                        self.clock.now,
                        f"<system-reminder>\n{section.body}\n</system-reminder>",
                    )
                )
            case "queued":
                self.records += self.thread.queued(self.clock.now, section.body)
            case "thinking":
                signature = self.thread.ids.noise(96)
                self.say(
                    {
                        "type": "thinking",
                        "thinking": section.body,
                        "signature": signature,
                    },
                    section.body,
                )
            case "assistant":
                self.say({"type": "text", "text": section.body}, section.body)
            case _:
                self.use_tool(section)

    def name_session(self) -> None:
        for key, by_person in (("custom-title", True), ("title", False)):
            if key in self.script.header:
                title = self.script.header[key]
                self.records.append(self.thread.title(title, by_person=by_person))

    def user(self, section: Section) -> None:
        self.end_turn()
        if self.thread.agent is None and self.edited != self.listed:
            self.records.append(self.thread.snapshot(self.clock.now, self.edited))
            self.listed = self.edited
        if section.detail == "after-rewind":
            self.thread.parent = self.before_prompt
        self.before_prompt = self.thread.parent
        self.turn_began = self.clock.now
        self.records.append(self.thread.prompt(self.clock.now, section.body))

    def end_turn(self) -> None:
        self.call = None
        if self.turn_began is None or self.thread.agent is not None:
            return
        taken = int((self.clock.now - self.turn_began).total_seconds() * 1000)
        if taken > LONG_TURN_MS and not any(
            record["type"] == "system" for record in self.records
        ):
            self.records.append(self.thread.turn_duration(self.clock.soon(40), taken))

    def say(self, block: Block, text: str, *, stop: str | None = None) -> None:
        if self.call is None:
            self.call = self.thread.new_call()
        line = self.thread.block(
            self.clock.now, self.call, block, stop=stop, size=len(text)
        )
        self.records.append(line)

    def use_tool(self, section: Section) -> None:
        name, given, content, parsed = self.tool(section)
        use = self.thread.ids.named("toolu_01")
        block: Block = {"type": "tool_use", "id": use, "name": name, "input": given}
        self.say(block, shapes.dump(given), stop="tool_use")
        failed = isinstance(parsed, str)
        self.records.append(
            self.thread.tool_result(
                self.clock.soon(900),
                use,
                content,
                parsed,
                is_error=failed if name == "Bash" else None,
            )
        )
        self.call = None

    def path(self, section: Section) -> str:
        return f"{self.thread.cwd}/{section.detail}"

    def tool(self, section: Section) -> tuple[str, Record, str | list[Block], object]:
        """Return the tool's name, its input, its result as shown and as parsed."""
        match section.kind:
            case "bash":
                return self.bash(section)
            case "read":
                return self.read(section)
            case "edit":
                return self.edit(section)
            case "write":
                return self.create(section)
            case "grep":
                return self.grep(section)
            case "agent":
                return self.delegate(section)
            case other:
                raise ValueError(f"{self.script.name}: no section is called {other}")

    def bash(self, section: Section) -> tuple[str, Record, str, object]:
        command, output = command_and_output(section.body)
        code = exit_code(section.detail)
        if code:
            shown = f"Exit code {code}\n{output}"
            return "Bash", {"command": command}, shown, f"Error: {shown}"
        parsed: Record = {
            "stdout": output,
            "stderr": "",
            "interrupted": False,
            "isImage": False,
        }
        return "Bash", {"command": command}, output, parsed

    def read(self, section: Section) -> tuple[str, Record, str, object]:
        lines = section.body.splitlines()
        shown = "\n".join(f"{n:6d}→{line}" for n, line in enumerate(lines, 1))
        file = {
            "filePath": self.path(section),
            "content": section.body,
            "numLines": len(lines),
            "startLine": 1,
            "totalLines": len(lines),
        }
        given: Record = {"file_path": self.path(section)}
        return "Read", given, shown, {"type": "text", "file": file}

    def edit(self, section: Section) -> tuple[str, Record, str, object]:
        old, new = old_and_new(section.body)
        path = self.path(section)
        self.edited = sorted({*self.edited, section.detail})
        parsed = {
            "filePath": path,
            "oldString": old,
            "newString": new,
        }
        given: Record = {
            "file_path": path,
            "old_string": old,
            "new_string": new,
        }
        return "Edit", given, f"The file {path} has been updated successfully.", parsed

    def create(self, section: Section) -> tuple[str, Record, str, object]:
        path = self.path(section)
        self.edited = sorted({*self.edited, section.detail})
        parsed = {
            "type": "create",
            "filePath": path,
            "content": section.body,
        }
        given: Record = {"file_path": path, "content": section.body}
        return "Write", given, f"File created successfully at: {path}", parsed

    def grep(self, section: Section) -> tuple[str, Record, str, object]:
        files = section.body.splitlines()
        shown = "\n".join((f"Found {len(files)} files", *files))
        parsed = {
            "mode": "files_with_matches",
            "filenames": files,
            "numFiles": len(files),
        }
        given: Record = {"pattern": section.detail, "output_mode": parsed["mode"]}
        return "Grep", given, shown, parsed

    def delegate(self, section: Section) -> tuple[str, Record, list[Block], object]:
        name, _, rest = section.detail.partition(" ")
        kind, _, description = rest.partition(": ")
        script = self.scripts[name]
        agent = script.header["agent"]
        answer: Block = {"type": "text", "text": script.sections[-1].body}
        note: Block = {
            "type": "text",
            "text": f"agentId: {agent} (for resuming to continue this agent's work)",
        }
        parsed = {
            "status": "completed",
            "prompt": section.body,
            "agentId": agent,
            "content": [answer],
            "totalTokens": 9_114,
            "totalToolUseCount": len(script.sections) - 2,
        }
        given: Record = {
            "description": description,
            "prompt": section.body,
            "subagent_type": kind,
        }
        return "Task", given, [answer, note], parsed


def claude_records(
    script: Script, scripts: Mapping[str, Script], *, session: str
) -> list[Record]:
    """Return the records of a script that begins on its own."""
    random = Random(f"quoth demo {script.name}")
    thread = shapes.ClaudeThread(
        ids=shapes.Ids(random),
        session=session,
        cwd=script.header["cwd"],
        branch=script.header["branch"],
        model=script.header["model"],
        agent=script.header.get("agent"),
    )
    clock = Clock(script.started, random)
    return ClaudeWriter(
        script=script, scripts=scripts, thread=thread, clock=clock
    ).write()


def resumed_records(script: Script, scripts: Mapping[str, Script]) -> list[Record]:
    """Return a copy of the resumed session's records, then what came after it.

    As a fork does: the same uuids, times and usage under another session id, and no
    records that have no uuid.
    """
    first = scripts[script.header["resumes"]]
    session = script.header["id"]
    copied = [
        {**record, "sessionId": session}
        for record in claude_records(first, scripts, session=first.header["id"])
        if "uuid" in record
    ]
    random = Random(f"quoth demo {script.name}")
    thread = shapes.ClaudeThread(
        ids=shapes.Ids(random),
        session=session,
        cwd=first.header["cwd"],
        branch=first.header["branch"],
        model=first.header["model"],
        parent=str(copied[-1]["uuid"]),
    )
    writer = ClaudeWriter(
        script=script,
        scripts=scripts,
        thread=thread,
        clock=Clock(script.started, random),
    )
    return copied + writer.write()


def claude_files(scripts: Mapping[str, Script]) -> Iterator[tuple[Path, list[Record]]]:
    """Yield each session's and subagent's place and records."""
    for script in scripts.values():
        header = script.header
        if "resumes" in header:
            first = scripts[header["resumes"]].header
            place = Path(shapes.claude_project(first["cwd"]), f"{header['id']}.jsonl")
            yield place, resumed_records(script, scripts)
        elif header["source"] == "claude" and "agent" not in header:
            project = Path(shapes.claude_project(header["cwd"]))
            session = header["id"]
            records = claude_records(script, scripts, session=session)
            yield project / f"{session}.jsonl", records
            for agent in agents_of(script, scripts):
                name = f"agent-{agent.header['agent']}"
                folder = project / session / "subagents"
                inner = claude_records(agent, scripts, session=session)
                yield folder / f"{name}.jsonl", inner
                meta: Record = {
                    "agentType": agent.header["agent-type"],
                    "spawnDepth": 1,
                }
                yield folder / f"{name}.meta.json", [meta]


def agents_of(script: Script, scripts: Mapping[str, Script]) -> Iterator[Script]:
    for section in script.sections:
        if section.kind == "agent":
            yield scripts[section.detail.partition(" ")[0]]


# --------------------------------------------------------------------------------------
# Codex


@dataclass(slots=True, kw_only=True)
class CodexWriter:
    """Turns a script into the lines of a rollout."""

    script: Script
    thread: shapes.CodexThread
    clock: Clock
    records: list[Record] = field(default_factory=list)
    sent: int = 11_000
    last: str = ""
    named: bool = False

    def write(self) -> list[Record]:
        self.records += self.thread.opening(self.clock.now)
        kinds = [section.kind for section in self.script.sections]
        for section, following in zip(
            self.script.sections, [*kinds[1:], "user"], strict=True
        ):
            self.clock.pass_for(section)
            self.step(section, final=following == "user")
        self.end_turn()
        return self.records

    def step(self, section: Section, *, final: bool) -> None:
        at = self.clock.now
        match section.kind:
            case "user":
                self.end_turn()
                self.records += self.thread.prompt(at, section.body)
            case "thinking":
                self.records += self.thread.reasoning(at, section.body, cipher=96)
            case "assistant":
                self.last = section.body
                self.records += self.thread.answer(at, section.body, final=final)
                if final:
                    self.count(section)
            case "bash":
                command, output = command_and_output(section.body)
                code = exit_code(section.detail)
                self.records += self.thread.run(
                    at, command, output, code=code, seconds=0.8
                )
            case "edit" | "write":
                self.records += self.patch(at, section)
            case other:
                raise ValueError(f"{self.script.name}: no section is called {other}")

    def patch(self, at: datetime, section: Section) -> list[Record]:
        if section.kind == "write":
            lines = "\n".join(f"+{line}" for line in section.body.splitlines())
            return self.thread.patch(at, "Add", section.detail, lines)
        old, new = old_and_new(section.body)
        lines = "\n".join(
            (
                "@@",
                *(f"-{line}" for line in old.splitlines()),
                *(f"+{line}" for line in new.splitlines()),
            )
        )
        return self.thread.patch(at, "Update", section.detail, lines)

    def count(self, section: Section) -> None:
        cached, self.sent = self.sent, self.sent + len(section.body) // 4 + 120
        self.records += self.thread.tokens(
            self.clock.soon(200),
            sent=self.sent,
            cached=cached,
            output=len(section.body) // 4,
        )

    def end_turn(self) -> None:
        if self.thread.turn:
            at = self.clock.soon(300)
            if not self.named:
                self.named = True
                self.records.append(self.thread.title(at, self.script.header["title"]))
            self.records.append(self.thread.done(at, self.last))


def codex_files(scripts: Mapping[str, Script]) -> Iterator[tuple[Path, list[Record]]]:
    """Yield each rollout's place and lines."""
    for script in scripts.values():
        header = script.header
        if header.get("source") != "codex":
            continue
        random = Random(f"quoth demo {script.name}")
        thread = shapes.CodexThread(
            ids=shapes.Ids(random),
            thread=header["id"],
            cwd=header["cwd"],
            branch=header["branch"],
            model=header["model"],
        )
        writer = CodexWriter(
            script=script, thread=thread, clock=Clock(script.started, random)
        )
        yield Path(shapes.rollout_name(script.started, header["id"])), writer.write()


# --------------------------------------------------------------------------------------


def write_all(folder: Path) -> int:
    """Replace *folder* by freshly written histories and return their size in bytes."""
    scripts = {path.stem: read_script(path) for path in sorted(SCRIPTS.glob("*.txt"))}
    if folder.exists():
        shutil.rmtree(folder)
    size = 0
    for root, files in (
        (folder / "claude" / "projects", claude_files(scripts)),
        (folder / "codex" / "sessions", codex_files(scripts)),
    ):
        for place, records in files:
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(shapes.dump(record) + "\n" for record in records)
            size += path.write_bytes(text.encode())
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the demo histories.")
    parser.add_argument("folder", nargs="?", type=Path, default=HISTORIES)
    folder = parser.parse_args().folder
    print(f"{write_all(folder)} bytes in {folder}")


if __name__ == "__main__":
    main()
