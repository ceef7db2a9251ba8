"""An archive that answers what it was given, and answers for it to give."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from click.testing import CliRunner, Result

from quoth.archive import Archive
from quoth.cli._app import app
from quoth.cli._runtime import Runtime
from quoth.config import Settings
from quoth.model import (
    CheckedEmbedder,
    ComingEmbedder,
    Count,
    DateRead,
    EmbedderChoice,
    EmbedderKind,
    EmbedProgress,
    EmbedReport,
    Fact,
    FailedUnit,
    FileTouch,
    Filters,
    ForgetPlan,
    ForgetReport,
    Forgotten,
    FoundIn,
    FoundModel,
    FoundModels,
    Freshness,
    Hit,
    Kind,
    Kinship,
    Leaving,
    Mode,
    Outcome,
    Page,
    PlaceState,
    Progress,
    Reason,
    Respelled,
    Role,
    SearchUnit,
    Selection,
    ShownCall,
    ShownMessage,
    SkippedRecords,
    SourceOverview,
    SourcePlace,
    Sources,
    SourceStatus,
    Status,
    SyncReport,
    Touch,
    Transcript,
    UnloadedSource,
    Verdict,
    Withheld,
)
from quoth.redaction import EVERYTHING, SECRETS, Redactor, check_leaving, leaving

NOW = datetime(2026, 5, 12, 14, 30, tzinfo=UTC)
Answer = TypeVar("Answer")
KEY = "claude_code:00000000-0000-4000-8000-000000000112"
A_SKIPPED_FILE = SkippedRecords(
    source="claude_code", path=Path("/h/a.jsonl"), reasons={"not JSON": 3}
)
A_FAILED_FILE = FailedUnit(
    source="codex", path=Path("/h/b.jsonl"), reason="no permission"
)


def a_citation(seq: int = 12) -> str:
    return f"{KEY}#{seq}@{hashlib.sha256(str(seq).encode()).hexdigest()[:12]}"


def a_hit(**changes: Any) -> Hit:
    values: dict[str, Any] = {
        "conversation": KEY,
        "parent": None,
        "kind": Kind.MAIN,
        "title": "Moving the vesting cliff",
        "source": "claude_code",
        "repo": "git@example.com:ada/harbor.git",
        "model": "claude-test-1",
        "started_at": datetime(2026, 5, 1, 10, tzinfo=UTC),
        "seq": 12,
        "role": Role.ASSISTANT,
        "at": datetime(2026, 5, 9, 10, 3, tzinfo=UTC),
        "snippet": "the vesting schedule starts at signing",
        "marks": ((4, 11), (12, 20)),
        "text": "So the vesting schedule starts at signing, not at payroll.",
        "found_in": FoundIn.TEXT,
        "matched_by": ("words", "meaning"),
        "score": 0.75,
        "others": 0,
        "citation": a_citation(),
    }
    return Hit(**{**values, **changes})


def a_page(*hits: Hit, **changes: Any) -> Page:
    values: dict[str, Any] = {
        "question": "vesting schedule",
        "terms": ("vesting", "schedule"),
        "filters": Filters(),
        "unit": SearchUnit.CONVERSATION,
        "mode": Mode.BOTH,
        "shown": Count(conversations=len(hits), messages=len(hits)),
        "all_words": Count(conversations=9, messages=12),
        "some_words": Count(conversations=42, messages=131),
        "by_meaning_only": 0,
        "recorded": Count(conversations=311, messages=5210),
        "embedded": 5210,
        "withheld": (),
        "freshness": Freshness(),
        "empty_reason": None,
        "notices": (),
        "next_offset": None,
        "took_ms": 34.2,
        "hits": hits,
    }
    return Page(**{**values, **changes})


def a_full_page() -> Page:
    """Return a page in which every key of the JSON has something to say."""
    return a_page(
        a_hit(
            also_in=(f"{KEY}0",),
            parent=KEY,
            others=3,
            ranks=(("words", 2), ("meaning", 1)),
            made_of=(Reason(feature="words", value=0.8, weight=1.5),),
        ),
        dates=(DateRead(text="in May", since=NOW, until=NOW),),
        from_then=1,
        respelled=(Respelled(typed="vestign", taken="vesting"),),
        withheld=(
            Withheld(reason="superseded", messages=4, hint="--include superseded"),
        ),
        freshness=Freshness(
            changed_files=2, oldest_change_s=90.0, complete=False, last_sync=NOW
        ),
        notices=("The archive holds no message from codex.",),
        next_offset=10,
    )


def a_call(**changes: Any) -> ShownCall:
    values: dict[str, Any] = {
        "name": "Bash",
        "input": '{"command": "pytest -q"}',
        "command": "pytest -q",
        "output": "1 failed",
        "output_size": 8,
        "exit_code": 1,
        "is_error": True,
        "touches": (FileTouch(path="src/vesting.py", action=Touch.WRITE),),
    }
    return ShownCall(**{**values, **changes})


def a_shown_message(seq: int = 12, **changes: Any) -> ShownMessage:
    values: dict[str, Any] = {
        "seq": seq,
        "role": Role.ASSISTANT,
        "text": f"Message {seq}.",
        "at": datetime(2026, 5, 9, 10, 3, tzinfo=UTC),
        "model": "claude-test-1",
        "calls": (),
        "superseded": False,
        "citation": a_citation(seq),
    }
    return ShownMessage(**{**values, **changes})


def a_transcript(*messages: ShownMessage, **changes: Any) -> Transcript:
    values: dict[str, Any] = {
        "key": KEY,
        "parent": None,
        "copy_of": None,
        "subagents": (),
        "kind": Kind.MAIN,
        "source": "claude_code",
        "title": "Moving the vesting cliff",
        "repo": "git@example.com:ada/harbor.git",
        "cwd": "/home/ada/harbor",
        "branch": "main",
        "models": ("claude-test-1",),
        "started_at": datetime(2026, 5, 9, 10, 0, tzinfo=UTC),
        "ended_at": datetime(2026, 5, 9, 10, 42, tzinfo=UTC),
        "path": Path("/home/ada/.claude/projects/harbor/112.jsonl"),
        "source_gone_at": None,
        "messages_total": len(messages),
        "superseded_total": 0,
        "messages": messages,
    }
    return Transcript(**{**values, **changes})


def a_report(**changes: Any) -> SyncReport:
    values: dict[str, Any] = {
        "units": 230,
        "units_read": 14,
        "bytes_read": 12_400_000,
        "conversations_new": 12,
        "messages_new": 1204,
        "redacted": {},
        "ignored": {},
        "took_s": 2.31,
    }
    return SyncReport(**{**values, **changes})


def a_troubled_report() -> SyncReport:
    """Return a report in which every list has something in it."""
    return a_report(
        conversations_changed=3,
        messages_superseded=8,
        gone=2,
        newly_gone=1,
        embedded=1204,
        not_embedded=120,
        refused={"its vector is not a number": 2},
        meaning_off="The server at http://127.0.0.1:9 was given up.",
        redacted={"jwt": 1, "aws-access-key": 2},
        ignored={"claude_code:progress": 400, "claude_code:queue-operation": 12},
        skipped=(A_SKIPPED_FILE,),
        failed=(A_FAILED_FILE,),
        unavailable=(Path("/mnt/disk"),),
        unloaded=(AN_UNLOADED_SOURCE,),
        places=(Path("/home/ada/.claude"),),
    )


AN_UNLOADED_SOURCE = UnloadedSource(
    name="paper", package="quoth-paper", reason="ImportError: no such module"
)


def a_source_list() -> Sources:
    """Return one source of every sort."""
    return Sources(
        sources=(
            SourceOverview(
                name="claude_code",
                package=None,
                facts=frozenset(Fact),
                places=(
                    SourcePlace(
                        path=Path("/home/ada/.claude/projects"),
                        state=PlaceState.FOUND,
                        units=240,
                        size=81_000_000,
                    ),
                    SourcePlace(
                        path=Path("/home/ada/.config/claude/projects"),
                        state=PlaceState.MISSING,
                    ),
                ),
                imported=(),
                imported_total=0,
                recorded=a_source(failed=1),
            ),
            SourceOverview(
                name="paper",
                package="quoth-paper",
                facts=frozenset({Fact.TIMES, Fact.TITLES}),
                places=(SourcePlace(path=Path("/paper"), state=PlaceState.UNREADABLE),),
                imported=(),
                imported_total=0,
                recorded=None,
            ),
            SourceOverview(
                name="chatgpt",
                package=None,
                facts=frozenset(Fact) - {Fact.FOLDERS, Fact.BRANCHES},
                places=(),
                imported=tuple(Path(f"/exports/{number}.zip") for number in range(4)),
                imported_total=5,
                recorded=a_source(source="chatgpt", subagents=0, skipped=0, gone=0),
            ),
        ),
        unloaded=(AN_UNLOADED_SOURCE,),
    )


def a_source(**changes: Any) -> SourceStatus:
    values: dict[str, Any] = {
        "source": "claude_code",
        "conversations": 200,
        "subagents": 35,
        "messages": 4100,
        "units": 240,
        "gone": 2,
        "failed": 0,
        "skipped": 5,
        "newest": datetime(2026, 5, 12, 9, 0, tzinfo=UTC),
    }
    return SourceStatus(**{**values, **changes})


A_COMING_EMBEDDER = ComingEmbedder(
    name="ollama nomic-embed-text", embedded=1200, lacking=3900
)


def an_embed_report(**changes: Any) -> EmbedReport:
    values: dict[str, Any] = {
        "identity": "minilm-1",
        "embedded": 1204,
        "refused": {},
        "left": 0,
        "serves": True,
        "took_s": 80.0,
    }
    return EmbedReport(**{**values, **changes})


def a_status(**changes: Any) -> Status:
    values: dict[str, Any] = {
        "home": Path("/home/ada/.local/share/quoth"),
        "exists": True,
        "size": 48_200_000,
        "schema": 1,
        "recorded": Count(conversations=311, messages=5210),
        "superseded": 12,
        "noise": 890,
        "embedded": 5090,
        "embeddable": 5100,
        "identity": "static-1",
        "rules_version": 1,
        "sources": (a_source(), a_source(source="codex", conversations=111)),
        "ignored": {"claude_code:progress": 412},
        "skipped": (A_SKIPPED_FILE,),
        "failed": (A_FAILED_FILE,),
        "freshness": Freshness(changed_files=0, last_sync=NOW),
    }
    return Status(**{**values, **changes})


def a_verdict(**changes: Any) -> Verdict:
    values: dict[str, Any] = {
        "citation": a_citation(),
        "outcome": Outcome.VERIFIED,
        "path": Path("/home/ada/.claude/projects/harbor/112.jsonl"),
        "offset": 1200,
        "length": 300,
        "detail": "",
    }
    return Verdict(**{**values, **changes})


def a_leaving(**changes: Any) -> Leaving:
    values: dict[str, Any] = {
        "key": KEY,
        "title": "Moving the vesting cliff",
        "kinship": Kinship.CHOSEN,
        "messages": 40,
        "started_at": datetime(2026, 5, 9, 10, 0, tzinfo=UTC),
        "ended_at": datetime(2026, 5, 9, 10, 42, tzinfo=UTC),
        "path": Path("/home/ada/.claude/projects/harbor/112.jsonl"),
        "source_gone": False,
    }
    return Leaving(**{**values, **changes})


def a_plan(*conversations: Leaving, **changes: Any) -> ForgetPlan:
    values: dict[str, Any] = {
        "selection": Selection(keys=(KEY,)),
        "conversations": conversations,
        "messages": sum(each.messages for each in conversations),
        "kept_elsewhere": 0,
        "recorded": 311,
    }
    return ForgetPlan(**{**values, **changes})


def a_forget_report(**changes: Any) -> ForgetReport:
    values: dict[str, Any] = {
        "entry": 4,
        "conversations": 1,
        "messages": 40,
        "took_s": 0.12,
    }
    return ForgetReport(**{**values, **changes})


def a_forgotten(**changes: Any) -> Forgotten:
    values: dict[str, Any] = {
        "entry": 4,
        "at": datetime(2026, 5, 10, 9, 0, tzinfo=UTC),
        "asked": ("repo", "dates"),
        "conversations": 3,
        "messages": 1240,
    }
    return Forgotten(**{**values, **changes})


MODELS = (
    FoundModel(kind=EmbedderKind.STATIC),
    FoundModel(kind=EmbedderKind.MINILM, is_there=False),
    FoundModel(
        kind=EmbedderKind.OLLAMA,
        name="nomic-embed-text",
        size=274_000_000,
        digest="0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f",
    ),
    FoundModel(kind=EmbedderKind.OLLAMA, name="llama3", size=4_700_000_000),
    FoundModel(kind=EmbedderKind.OLLAMA, name="big:cloud", is_remote=True),
)


@dataclass
class FakeShelf:
    """Answers what it was given about models, and keeps what it was asked."""

    asked: list[tuple[str, object]] = field(default_factory=list)
    folder: Path = Path("/home/ada/models")
    listed: FoundModels = field(
        default_factory=lambda: FoundModels(
            models=MODELS, endpoint="http://127.0.0.1:11434"
        )
    )
    error: Exception | None = None
    is_there: bool = True

    def found(self, asked: EmbedderChoice) -> FoundModels:
        return self._answer("found", asked, self.listed)

    def check(self, choice: EmbedderChoice) -> CheckedEmbedder:
        checked = CheckedEmbedder(choice=choice, identity="nomic-1", dimensions=768)
        return self._answer("check", choice, checked)

    def add(self, path: Path) -> FoundModel:
        added = FoundModel(kind=EmbedderKind.MINILM, size=90_900_000, digest="53aa5117")
        return self._answer("add", path, added)

    def remove(self) -> bool:
        return self._answer("remove", None, self.is_there)

    def check_pull(self, choice: EmbedderChoice) -> str:
        return self._answer("check_pull", choice, "http://127.0.0.1:11434")

    def pull(self, choice: EmbedderChoice) -> FoundModel:
        pulled = FoundModel(
            kind=EmbedderKind.OLLAMA, name=choice.model, size=274_000_000
        )
        return self._answer("pull", choice, pulled)

    def _answer(self, name: str, asked: object, answer: Answer) -> Answer:
        self.asked.append((name, asked))
        if self.error is not None:
            raise self.error
        return answer


@dataclass(kw_only=True)
class FakeArchive:
    """Answers what it was given, or raises it, and keeps what it was asked."""

    page: Page | BaseException = field(default_factory=a_full_page)
    transcript: Transcript | BaseException = field(default_factory=a_transcript)
    status_answer: Status = field(default_factory=a_status)
    verdict: Verdict | BaseException = field(default_factory=a_verdict)
    report: SyncReport | BaseException = field(default_factory=a_report)
    embed_report: EmbedReport | BaseException = field(default_factory=an_embed_report)
    source_list: Sources = field(default_factory=a_source_list)
    plan: ForgetPlan | BaseException = field(
        default_factory=lambda: a_plan(a_leaving())
    )
    forget_report: ForgetReport | BaseException = field(default_factory=a_forget_report)
    forgotten_list: tuple[Forgotten, ...] = ()
    forbidden: int | BaseException = 0
    undone: Forgotten | BaseException = field(default_factory=a_forgotten)
    redactor: Redactor = EVERYTHING
    models: FakeShelf = field(default_factory=FakeShelf)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.asked.append(("close", {}))

    def refresh(self, **given: Any) -> SyncReport | None:
        self.asked.append(("refresh", given))
        return None

    def search(self, question: str, **given: Any) -> Page:
        return self._answer("search", self.page, question=question, **given)

    def show(self, key: str, **given: Any) -> Transcript:
        return self._answer("show", self.transcript, key=key, **given)

    def status(self) -> Status:
        return self._answer("status", self.status_answer)

    def sources(self) -> Sources:
        return self._answer("sources", self.source_list)

    def verify(self, citation: str) -> Verdict:
        return self._answer("verify", self.verdict, citation=citation)

    def sync(
        self,
        paths: Sequence[Path] = (),
        *,
        progress: Callable[[Progress], None] | None = None,
    ) -> SyncReport:
        return self._answer("sync", self.report, paths=list(paths), progress=progress)

    def embed(
        self,
        *,
        retry: bool,
        prune: bool,
        progress: Callable[[EmbedProgress], None] | None,
    ) -> EmbedReport:
        if progress is not None:
            progress(EmbedProgress(done=32, total=1204))
        return self._answer("embed", self.embed_report, retry=retry, prune=prune)

    def plan_forget(self, selection: Selection) -> ForgetPlan:
        return self._answer("plan_forget", self.plan, selection=selection)

    def forget(self, plan: ForgetPlan) -> ForgetReport:
        return self._answer("forget", self.forget_report, plan=plan)

    def forgotten(self) -> tuple[Forgotten, ...]:
        return self._answer("forgotten", self.forgotten_list)

    def undo_forget(self, entry: int) -> Forgotten:
        return self._answer("undo_forget", self.undone, entry=entry)

    def count_forbidden(self) -> int:
        return self._answer("count_forbidden", self.forbidden)

    def redact(
        self, text: str, *, identity: bool = True
    ) -> tuple[str, Mapping[str, int]]:
        self.asked.append(("redact", {"identity": identity}))
        return (self.redactor if identity else SECRETS).redact_counted(text)

    def leaving(self, value: Answer) -> tuple[Answer, Mapping[str, int]]:
        return leaving(value, self.redactor)

    def check_leaving(self, output: str) -> None:
        check_leaving(output, self.redactor)

    def _answer(
        self, name: str, answer: Answer | BaseException, **given: Any
    ) -> Answer:
        self.asked.append((name, given))
        if isinstance(answer, BaseException):
            raise answer
        return answer


@dataclass(kw_only=True)
class Shell:
    """A person's shell: runs quoth with a home of its own and a fake archive."""

    home: Path
    archive: FakeArchive = field(default_factory=FakeArchive)
    environ: dict[str, str] = field(default_factory=dict)

    def run(
        self,
        *args: str,
        charset: str = "utf-8",
        typed: str | bytes | None = None,
        asks: bool = False,
    ) -> Result:
        """Return what the command printed, and its exit status.

        Args:
            typed: What is on standard input.
            asks: Let that be a terminal.
        """
        runtime = Runtime(
            environ={"QUOTH_HOME": str(self.home), **self.environ},
            home_dir=self.home.parent,
            now=lambda: NOW,
            open_archive=self._open,
            program=lambda: "quoth",
            can_ask=lambda: asks,
        )
        runner = CliRunner(charset=charset)
        return runner.invoke(app, args, obj=runtime, input=typed)

    def asked(self, name: str) -> dict[str, Any]:
        """Return what the one call of that name was given."""
        (given,) = [given for called, given in self.archive.asked if called == name]
        return given

    def _open(self, settings: Settings) -> Archive:
        self.archive.asked.append(("open", {"home": settings.home}))
        return cast(Archive, self.archive)
