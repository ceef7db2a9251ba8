"""Write a made-up home folder with as much assistant history as a measurement needs.

    python benchmarks/generate_history.py HOME --messages 10000
    python benchmarks/generate_history.py HOME --rollout-mb 1024

`HOME/.claude/projects` and `HOME/.codex/sessions` get about 70 and 30 of 100
conversations. Their lengths are log-normal, words follow Zipf's law, and lines are as
long and as repetitive as real ones: usage on every block, progress and snapshot noise,
pictures, doubled Codex events. `HOME/truth.jsonl` says which message each planted
identifier is in. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchmarks import english_words as words
    from benchmarks import record_shapes as shapes
    from benchmarks.made_up_prose import Prose
    from benchmarks.record_shapes import Block, Record
else:  # run by path, this folder is the first place imports are looked for in
    import english_words as words
    import record_shapes as shapes
    from made_up_prose import Prose

__all__ = ["Written", "generate", "generate_rollout"]

FIRST_DAY: Final = datetime(2025, 12, 1, 7, tzinfo=UTC)
DAYS: Final = 360
CLAUDE_SHARE: Final = 0.7
PICTURE_SHARE: Final = 0.015
MEDIAN_MESSAGES: Final = 42
SPREAD_MESSAGES: Final = 1.05
PROGRESS_VERSION: Final = "2.1.71"
CLAUDE_MODELS: Final = ("claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5")
CODEX_MODELS: Final = ("gpt-5.5", "gpt-5.6-luna")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written: `messages` leaves out thinking, usage and noise lines."""

    conversations: int
    messages: int
    lines: int
    bytes: int
    identifiers: int


@dataclass(frozen=True, slots=True)
class Line:
    """One record, whether it is a message, and the identifier planted in it."""

    record: Record
    counted: bool = False
    planted: str | None = None


@dataclass(slots=True)
class Clock:
    """Walks through a conversation's time in steps of a likely length."""

    now: datetime
    random: Random

    def after(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=self.random.expovariate(1 / seconds))
        return self.now


# --------------------------------------------------------------------------------------
# Claude Code


@dataclass(slots=True, kw_only=True)
class ClaudeConversation:
    """Yields the lines of one session for as long as they are asked for."""

    thread: shapes.ClaudeThread
    prose: Prose
    clock: Clock
    edited: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[Line]:
        yield Line(self.thread.hook(self.clock.now))
        for turn in itertools.count():
            yield from self.turn()
            if turn == 0:
                title = " ".join(self.prose.some("request", 30))
                yield Line(self.thread.title(title, by_person=False))

    def turn(self) -> Iterator[Line]:
        random = self.prose.random
        began = self.clock.after(240)
        yield Line(self.thread.snapshot(began, self.edited))
        text, planted = self.prose.planted(self.prose.request())
        content = self.content(text)
        yield Line(self.thread.prompt(began, content), True, planted)
        for _ in range(min(int(random.expovariate(1 / 6)), 40)):
            yield from self.tool_step()
        text, planted = self.prose.planted(self.prose.answer())
        block: Block = {"type": "text", "text": text}
        call = self.thread.new_call()
        line = self.thread.block(
            self.clock.after(9), call, block, stop="end_turn", size=len(text)
        )
        yield Line(line, True, planted)
        taken = int((self.clock.now - began).total_seconds() * 1000)
        yield Line(self.thread.turn_duration(self.clock.now, taken))

    def content(self, text: str) -> str | list[Block]:
        if self.prose.random.random() >= PICTURE_SHARE:
            return text
        picture = self.thread.ids.noise(self.prose.random.randrange(20_000, 160_000))
        source = {"type": "base64", "media_type": "image/png", "data": picture}
        return [{"type": "text", "text": text}, {"type": "image", "source": source}]

    def tool_step(self) -> Iterator[Line]:
        random = self.prose.random
        call = self.thread.new_call()
        if random.random() < 0.5:
            thought = self.prose.thought()
            block: Block = {
                "type": "thinking",
                "thinking": thought,
                "signature": self.thread.ids.noise(random.randrange(300, 1200)),
            }
            at = self.clock.after(5)
            yield Line(self.thread.block(at, call, block, size=len(thought)))
        if random.random() < 0.25:
            text, planted = self.prose.planted(self.prose.thought())
            block = {"type": "text", "text": text}
            at = self.clock.after(4)
            line = self.thread.block(at, call, block, size=len(text))
            yield Line(line, True, planted)
        tool = random.choices((self.bash, self.read, self.edit), (5, 3, 3))[0]
        yield from tool(call)

    def use(
        self, call: shapes.ClaudeCall, name: str, given: Record
    ) -> tuple[str, Line]:
        use = self.thread.ids.named("toolu_01")
        block: Block = {"type": "tool_use", "id": use, "name": name, "input": given}
        at = self.clock.after(4)
        record = self.thread.block(at, call, block, stop="tool_use", size=80)
        return use, Line(record, True)

    def bash(self, call: shapes.ClaudeCall) -> Iterator[Line]:
        path = self.prose.slots["f"]()
        command = f"grep -rn {self.prose.slots['n']()} {path} | head -{call.written}"
        use, line = self.use(call, "Bash", {"command": command})
        yield line
        output = self.prose.output()
        for seconds in range(self.prose.random.choice((0, 0, 1, 2, 4))):
            data: Record = {
                "type": "bash_progress",
                "output": output[-600:],
                "fullOutput": output[:9000],
                "elapsedTimeSeconds": 2 + seconds,
                "totalLines": output.count("\n"),
            }
            yield Line(self.thread.progress(self.clock.after(1), use, data))
        at = self.clock.after(8)
        if self.prose.random.random() < 0.12:
            shown = f"Exit code {self.prose.random.choice((1, 1, 2, 127))}\n{output}"
            parsed: object = f"Error: {shown}"
        else:
            shown = output
            parsed = {
                "stdout": output,
                "stderr": "",
                "interrupted": False,
                "isImage": False,
            }
        failed = shown is not output
        record = self.thread.tool_result(at, use, shown, parsed, is_error=failed)
        yield Line(record, True)

    def read(self, call: shapes.ClaudeCall) -> Iterator[Line]:
        path = f"{self.thread.cwd}/{self.prose.slots['f']()}"
        use, line = self.use(call, "Read", {"file_path": path})
        yield line
        content = self.prose.output()
        rows = content.split("\n")
        shown = "\n".join([f"{n:6d}→{row}" for n, row in enumerate(rows, 1)])
        file = {
            "filePath": path,
            "content": content,
            "numLines": len(rows),
            "startLine": 1,
            "totalLines": len(rows),
        }
        parsed = {"type": "text", "file": file}
        yield Line(
            self.thread.tool_result(self.clock.after(0.2), use, shown, parsed), True
        )

    def edit(self, call: shapes.ClaudeCall) -> Iterator[Line]:
        name = self.prose.slots["f"]()
        path = f"{self.thread.cwd}/{name}"
        self.edited = sorted({*self.edited[-12:], name})
        old = "\n".join(self.prose.some("code", 160))
        new = "\n".join(self.prose.some("code", 260))
        given: Record = {
            "replace_all": False,
            "file_path": path,
            "old_string": old,
            "new_string": new,
        }
        use, line = self.use(call, "Edit", given)
        yield line
        parsed = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": self.prose.output(12_000),
            "structuredPatch": [],
            "userModified": False,
            "replaceAll": False,
        }
        shown = f"The file {path} has been updated successfully."
        at = self.clock.after(0.3)
        yield Line(self.thread.tool_result(at, use, shown, parsed), True)


# --------------------------------------------------------------------------------------
# Codex

TOLD_TWICE: Final = frozenset({"agent_message", "message", "user_message"})
COUNTED_ITEMS: Final = frozenset(
    {
        "custom_tool_call",
        "custom_tool_call_output",
        "function_call",
        "function_call_output",
    }
)


@dataclass(slots=True, kw_only=True)
class CodexConversation:
    """Yields the lines of one rollout for as long as they are asked for."""

    thread: shapes.CodexThread
    prose: Prose
    clock: Clock
    sent: int = 12_000

    def lines(self) -> Iterator[Line]:
        for record in self.thread.opening(self.clock.now):
            yield Line(record)
        while True:
            yield from self.turn()

    def turn(self) -> Iterator[Line]:
        random = self.prose.random
        text, planted = self.prose.planted(self.prose.request())
        records = self.thread.prompt(self.clock.after(240), text)
        yield from self.marked(records, planted)
        for _ in range(min(int(random.expovariate(1 / 6)), 40)):
            yield from self.step()
        text, planted = self.prose.planted(self.prose.answer())
        records = self.thread.answer(self.clock.after(9), text, final=True)
        yield from self.marked(records, planted)
        yield Line(self.thread.done(self.clock.now, text))

    def step(self) -> Iterator[Line]:
        random = self.prose.random
        if random.random() < 0.6:
            heading = " ".join(self.prose.some("request", 40))
            cipher = random.randrange(600, 2400)
            at = self.clock.after(4)
            yield from self.marked(
                self.thread.reasoning(at, f"**{heading}**", cipher=cipher)
            )
        if random.random() < 0.4:
            text, planted = self.prose.planted(self.prose.thought())
            records = self.thread.answer(self.clock.after(4), text, final=False)
            yield from self.marked(records, planted)
        at = self.clock.after(6)
        if random.random() < 0.75:
            path = self.prose.slots["f"]()
            output = self.prose.output()
            code = random.choice((0, 0, 0, 0, 0, 0, 1, 2))
            seconds = random.random() * 4
            command = f"rg -n {self.prose.slots['n']()} {path}"
            records = self.thread.run(at, command, output, code=code, seconds=seconds)
        else:
            changes = (line.strip(" ") for line in self.prose.some("code", 500))
            lines = "\n".join(f"+{line}" for line in changes)
            name = self.prose.slots["f"]()
            records = self.thread.patch(at, "Update", name, f"@@\n{lines}")
        yield from self.marked(records)
        cached, self.sent = self.sent, self.sent + random.randrange(200, 3000)
        yield from self.marked(
            self.thread.tokens(at, sent=self.sent, cached=cached, output=300)
        )
        yield Line(self.thread.context(at))

    def marked(
        self, records: list[Record], planted: str | None = None
    ) -> Iterator[Line]:
        """Yield lines, counted where they are a message and not its double.

        An identifier stands in both; truth names the one that comes first.
        """
        for record in records:
            payload = record["payload"]
            kind = payload.get("type") if isinstance(payload, dict) else None
            if kind in TOLD_TWICE:
                yield Line(record, kind == "message", planted)
                planted = None
            else:
                yield Line(record, kind in COUNTED_ITEMS)


# --------------------------------------------------------------------------------------
# Files


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts what is written and stops at the number of messages wanted."""

    wanted: int
    conversations: int = 0
    messages: int = 0
    lines: int = 0
    bytes: int = 0
    identifiers: int = 0

    @property
    def full(self) -> bool:
        return self.messages >= self.wanted

    def written(self) -> Written:
        return Written(
            conversations=self.conversations,
            messages=self.messages,
            lines=self.lines,
            bytes=self.bytes,
            identifiers=self.identifiers,
        )


def native_id(record: Record, conversation: str, offset: int) -> str:
    """Return the id of a record's message; where it has none, its place is the id."""
    payload = record.get("payload")
    named = payload.get("id") if isinstance(payload, dict) else record["uuid"]
    return str(named or f"{conversation}@{offset}")


@dataclass(slots=True, kw_only=True)
class History:
    """Writes conversations below a home folder until there are enough."""

    home: Path
    random: Random
    prose: Prose
    tally: Tally
    truth: IO[str]

    def write(self) -> None:
        expected = MEDIAN_MESSAGES * math.exp(SPREAD_MESSAGES**2 / 2)
        gap = timedelta(days=DAYS) / max(1, self.tally.wanted / expected)
        started = FIRST_DAY
        while not self.tally.full:
            started += gap * self.random.random() * 2
            length = self.prose.length(MEDIAN_MESSAGES, SPREAD_MESSAGES, 4000)
            if self.random.random() < CLAUDE_SHARE:
                self.claude(started, max(2, int(length)))
            else:
                self.codex(started, max(2, int(length)))

    def cwd(self) -> str:
        project = self.random.choice(words.NOUNS[:40])
        return f"/home/{self.random.choice(words.NAMES[:3]).lower()}/{project}-service"

    def claude(self, started: datetime, length: int) -> None:
        ids = shapes.Ids(self.random)
        session = ids.uuid()
        cwd = self.cwd()
        conversation = ClaudeConversation(
            thread=shapes.ClaudeThread(
                ids=ids,
                session=session,
                cwd=cwd,
                branch=f"fix/{self.prose.slots['n']()}",
                model=self.random.choice(CLAUDE_MODELS),
                version=PROGRESS_VERSION,
            ),
            prose=self.prose,
            clock=Clock(started, self.random),
        )
        place = Path(".claude", "projects", shapes.claude_project(cwd))
        self.file(
            place / f"{session}.jsonl",
            conversation.lines(),
            length,
            source="claude_code",
            native=session,
        )

    def codex(self, started: datetime, length: int) -> None:
        conversation = codex_conversation(self.random, self.prose, started, self.cwd())
        native = conversation.thread.thread
        place = Path(".codex", "sessions", shapes.rollout_name(started, native))
        self.file(place, conversation.lines(), length, source="codex", native=native)

    def file(
        self,
        place: Path,
        lines: Iterator[Line],
        length: int,
        *,
        source: str,
        native: str,
    ) -> None:
        """Write one conversation, up to *length* messages or until there are enough."""
        path = self.home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        self.tally.conversations += 1
        with path.open("w", encoding="utf-8", newline="\n") as file:
            offset = 0
            for line in lines:
                text = shapes.dump(line.record)
                file.write(text + "\n")
                if line.planted:
                    self.plant(line, offset, place, source=source, native=native)
                offset += len(text.encode()) + 1
                self.tally.lines += 1
                self.tally.messages += line.counted
                length -= line.counted
                if self.tally.full or (line.counted and length <= 0):
                    break
            self.tally.bytes += offset

    def plant(
        self, line: Line, offset: int, place: Path, *, source: str, native: str
    ) -> None:
        self.tally.identifiers += 1
        fact = {
            "identifier": line.planted,
            "source": source,
            "conversation": native,
            "message": native_id(line.record, native, offset),
            "path": place.as_posix(),
            "offset": offset,
        }
        self.truth.write(json.dumps(fact) + "\n")


def codex_conversation(
    random: Random, prose: Prose, started: datetime, cwd: str
) -> CodexConversation:
    ids = shapes.Ids(random)
    thread = shapes.CodexThread(
        ids=ids,
        thread=ids.uuid7(started),
        cwd=cwd,
        branch=f"fix/{prose.slots['n']()}",
        model=random.choice(CODEX_MODELS),
        instructions=" ".join(prose.some("statement", 14_000)),
        agents_md=" ".join(prose.some("statement", 2_500)),
    )
    return CodexConversation(thread=thread, prose=prose, clock=Clock(started, random))


def generate(home: Path, *, messages: int, seed: int = 1) -> Written:
    """Write exactly *messages* messages below *home*, and `truth.jsonl` beside them."""
    random = Random(seed)
    tally = Tally(wanted=messages)
    home.mkdir(parents=True, exist_ok=True)
    with (home / "truth.jsonl").open("w", encoding="utf-8", newline="\n") as truth:
        History(
            home=home, random=random, prose=Prose(random), tally=tally, truth=truth
        ).write()
    return tally.written()


def generate_rollout(path: Path, megabytes: float, *, seed: int = 1) -> int:
    """Write one Codex rollout of *megabytes* million bytes; return its exact size."""
    random = Random(seed)
    conversation = codex_conversation(
        random, Prose(random), FIRST_DAY, "/home/dana/long-service"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with path.open("wb") as file:
        for line in conversation.lines():
            size += file.write(shapes.dump(line.record).encode() + b"\n")
            if size >= megabytes * 1_000_000:
                break
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description="Write made-up assistant histories.")
    parser.add_argument("home", type=Path)
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--rollout-mb", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    if options.messages:
        print(generate(options.home, messages=options.messages, seed=options.seed))
    if options.rollout_mb:
        thread = shapes.Ids(Random(options.seed)).uuid7(FIRST_DAY)
        place = Path(".codex", "sessions", shapes.rollout_name(FIRST_DAY, thread))
        path = options.home / place
        size = generate_rollout(path, options.rollout_mb, seed=options.seed)
        print(f"{size} bytes in {path}")
    print(f"{time.perf_counter() - began:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
