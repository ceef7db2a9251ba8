"""How Claude Code's transcripts become conversations."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.redaction.secrets_made_here import drawn
from tests.sources.claude_records import (
    SESSION,
    Reading,
    answered,
    envelope,
    lines,
    read,
    read_growing,
    read_on,
    returned,
    said,
    tool_use,
    unit_of,
)

from quoth.model import (
    Append,
    Conversation,
    FileTouch,
    Kind,
    Message,
    Noise,
    Origin,
    Replace,
    Rewind,
    Role,
    Skipped,
    TitleOrigin,
    ToolCall,
    ToolResult,
    Touch,
    Usage,
)
from quoth.redaction import redact
from quoth.sources.claude_code import ClaudeCode

TEN = datetime(2026, 5, 1, 10, tzinfo=UTC)


# Where transcripts are.


def test_the_places_named_by_the_environment_replace_the_usual_ones() -> None:
    source, home = ClaudeCode(), Path("/home/dev")

    usual = source.default_roots({}, home=home)
    named = source.default_roots({"CLAUDE_CONFIG_DIR": "/a, ~/b,/a"}, home=home)

    assert (usual, named) == (
        (home / ".claude/projects", home / ".config/claude/projects"),
        (Path("/a/projects"), home / "b/projects"),
    )


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(root: Path, *roots: Path) -> list[str]:
    units = ClaudeCode().discover(roots or [root])
    return [unit.path.relative_to(root).as_posix() for unit in units]


def test_sessions_and_agents_are_found_and_other_data_is_not(tmp_path: Path) -> None:
    projects = tmp_path / ".claude" / "projects"
    make(
        projects,
        "-home-dev/one.jsonl",
        f"-home-dev/{SESSION}/subagents/agent-a1.jsonl",
        f"-home-dev/{SESSION}/subagents/agent-a1.meta.json",
        f"-home-dev/{SESSION}/subagents/workflows/wf_1/agent-a2.jsonl",
        f"-home-dev/{SESSION}/subagents/workflows/wf_1/journal.jsonl",
        f"-home-dev/{SESSION}/tool-results/out.jsonl",
        "-home-dev/agent-0a1b2c3d.jsonl",
        "-home-dev/memory/notes.jsonl",
    )

    assert found(projects) == [
        f"-home-dev/{SESSION}/subagents/agent-a1.jsonl",
        f"-home-dev/{SESSION}/subagents/workflows/wf_1/agent-a2.jsonl",
        "-home-dev/agent-0a1b2c3d.jsonl",
        "-home-dev/one.jsonl",
    ]


@pytest.mark.parametrize("folder", [".claude/projects", ".config/claude/projects"])
def test_a_home_folder_is_searched_only_where_claude_code_writes(
    tmp_path: Path, folder: str
) -> None:
    make(tmp_path, f"{folder}/-p/one.jsonl", f"elsewhere/{SESSION}.jsonl")

    assert found(tmp_path) == [f"{folder}/-p/one.jsonl"]


def test_a_configuration_folder_leads_to_its_projects(tmp_path: Path) -> None:
    make(tmp_path, ".claude/projects/-p/one.jsonl", ".claude/history.jsonl")

    assert found(tmp_path, tmp_path / ".claude") == [".claude/projects/-p/one.jsonl"]


def test_in_any_other_folder_the_name_has_to_be_a_sessions(tmp_path: Path) -> None:
    make(tmp_path, f"backup/{SESSION}.jsonl", "backup/agent-a1.jsonl", "backup/x.jsonl")

    assert found(tmp_path) == [
        "backup/" + n for n in (f"{SESSION}.jsonl", "agent-a1.jsonl")
    ]


@pytest.mark.parametrize(
    ("name", "is_found"),
    [("x.jsonl", True), ("rollout-1.jsonl", False), ("history.jsonl", False)],
)
def test_a_single_file_is_a_place_of_its_own(
    tmp_path: Path, name: str, is_found: bool
) -> None:
    make(tmp_path, name)

    assert found(tmp_path, tmp_path / name) == ([name] if is_found else [])


def test_a_place_given_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, f"p/{SESSION}.jsonl")

    assert found(tmp_path, tmp_path, tmp_path / "p") == [f"p/{SESSION}.jsonl"]


# What a record becomes.


def test_a_prompt_becomes_a_message_with_all_it_says_of_itself(tmp_path: Path) -> None:
    record = said("u1", "why does the pump stall")

    assert read(tmp_path, record).records == [
        Message(
            conversation=SESSION,
            native_id="u1",
            role=Role.USER,
            text="why does the pump stall",
            at=TEN,
            cwd="/home/dev/harbor",
            branch="main",
            begins=True,
            origin=Origin(offset=0, length=len(lines(record)) - 1),
        )
    ]


@pytest.mark.parametrize(
    ("fields", "begins"),
    [
        ({"parentUuid": None}, True),
        ({"parentUuid": "u0"}, False),
        ({"parentUuid": None, "logicalParentUuid": "u0"}, False),
        ({"parentUuid": None, "isCompactSummary": True}, False),
    ],
)
def test_a_message_says_whether_anything_leads_up_to_it(
    tmp_path: Path, fields: dict[str, Any], begins: bool
) -> None:
    (message,) = read(tmp_path, said("u1", "why", **fields)).messages

    assert message.begins == begins


def test_a_record_without_a_parent_at_all_goes_on(tmp_path: Path) -> None:
    record = said("u1", "why")
    del record["parentUuid"]

    (message,) = read(tmp_path, record).messages

    assert not message.begins


def test_an_answer_keeps_text_thinking_and_calls_apart(tmp_path: Path) -> None:
    record = answered(
        "a1",
        {"type": "thinking", "thinking": "Valve first.", "signature": "c2ln"},
        "The inlet sticks.",
        tool_use("Bash", command="ls", description="List"),
    )

    (message,) = read(tmp_path, record).messages

    assert (message.text, message.reasoning, message.model, message.calls) == (
        "The inlet sticks.",
        "Valve first.",
        "claude-test-1",
        (ToolCall(call_id="toolu_1", name="Bash", input="ls\nList", command="ls"),),
    )


def test_an_answer_of_a_signature_alone_is_no_message_but_is_counted(
    tmp_path: Path,
) -> None:
    """Newer models leave the text of their thinking empty."""
    thinking = {"type": "thinking", "thinking": "", "signature": "c2ln"}

    reading = read(tmp_path, said("u1", "hello"), answered("a1", thinking))

    assert (len(reading.records), reading.ignored) == (1, {"assistant": 1})


def test_a_tool_result_is_the_tools_message(tmp_path: Path) -> None:
    output = [{"type": "text", "text": "two files"}, {"type": "image", "source": {}}]

    (message,) = read(tmp_path, returned("r1", output, is_error=False)).messages

    assert (message.role, message.text, message.results) == (
        Role.TOOL,
        "two files\n[image]",
        (
            ToolResult(
                call_id="toolu_1", output="two files\n[image]", size=17, is_error=False
            ),
        ),
    )


def test_a_long_output_is_bounded_and_its_size_kept(tmp_path: Path) -> None:
    (message,) = read(tmp_path, returned("r1", "x y " * 5_000)).messages

    assert (message.results[0].size, len(message.text) < 2_500) == (20_000, True)


def test_a_reminder_is_cut_out_of_a_tools_output(tmp_path: Path) -> None:
    output = "line one\n\n<system-reminder>\nBe careful.\n</system-reminder>\n"

    assert read(tmp_path, returned("r1", output)).texts == [("tool", "line one")]


def test_base64_never_gets_into_a_message(tmp_path: Path) -> None:
    data = "iVBORw0KGgo9" * 40

    reading = read(
        tmp_path,
        said("u1", [{"type": "text", "text": f"look: data:image/png;base64,{data}"}]),
        answered("a1", tool_use("Write", file_path="/a", content=data)),
        returned("r1", data),
    )

    assert not any(data[:64] in repr(message) for message in reading.messages)


@pytest.mark.parametrize(
    ("output", "fields", "code"),
    [
        ("ok", {"toolUseResult": {"stdout": "ok", "stderr": ""}}, 0),
        ("Exit code 2\nno such target", {"is_error": True}, 2),
        ("killed", {"is_error": True, "toolUseResult": "Error: killed"}, None),
        (
            "",
            {"toolUseResult": {"stdout": "", "stderr": "", "interrupted": True}},
            None,
        ),
        (
            "",
            {"toolUseResult": {"stdout": "", "stderr": "", "backgroundTaskId": "b"}},
            None,
        ),
        (
            "",
            {
                "toolUseResult": {
                    "stdout": "",
                    "stderr": "",
                    "returnCodeInterpretation": "No matches found",
                }
            },
            1,
        ),
        (
            "",
            {
                "toolUseResult": {
                    "stdout": "",
                    "stderr": "",
                    "returnCodeInterpretation": "Something new",
                }
            },
            None,
        ),
        ("", {"toolUseResult": {"stdout": "", "stderr": "", "exitCode": None}}, None),
        ("", {"toolUseResult": {"task": {"exitCode": 3}}}, 3),
        ("text", {"toolUseResult": {"file": {"filePath": "/a"}}}, None),
        ("text", {}, None),
    ],
)
def test_an_exit_code_is_what_was_captured_and_nothing_else(
    tmp_path: Path, output: str, fields: dict[str, Any], code: int | None
) -> None:
    (message,) = read(tmp_path, returned("r1", output, **fields)).messages

    assert message.results[0].exit_code == code


@pytest.mark.parametrize(
    ("parsed", "touches"),
    [
        (
            {"type": "create", "filePath": "/a"},
            (FileTouch(path="/a", action=Touch.CREATE),),
        ),
        ({"filePath": "/a"}, (FileTouch(path="/a", action=Touch.WRITE),)),
        ({"filePath": 7}, ()),
        ("Error: no", ()),
    ],
)
def test_a_result_says_whether_a_file_was_new(
    tmp_path: Path, parsed: Any, touches: tuple[FileTouch, ...]
) -> None:
    (message,) = read(tmp_path, returned("r1", "done", toolUseResult=parsed)).messages

    assert message.results[0].touches == touches


def test_a_parsed_result_is_nobodys_where_a_record_holds_two(tmp_path: Path) -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": name, "content": name} for name in "ab"
    ]
    parsed = {"stdout": "", "stderr": ""}

    (message,) = read(tmp_path, said("r1", blocks, toolUseResult=parsed)).messages

    assert [result.exit_code for result in message.results] == [None, None]


@pytest.mark.parametrize(
    "record",
    [
        said("u1", None),
        said("u1", 7),
        said("u1", [None, 3, {"type": "text"}, {"type": "image", "source": 3}, []]),
        said("u1", [{"type": "tool_result"}], toolUseResult=[1]),
        said("u1", [{"type": "tool_result", "content": [3], "tool_use_id": 1}]),
        envelope("user", "u1", message=3),
        envelope("user", "u1", message="plain"),
        envelope("user", "u1", timestamp=3, cwd=3, gitBranch=[], version={}),
        envelope("assistant", "a1", message={"content": [{"type": "tool_use"}]}),
        envelope("assistant", "a1", message={"usage": {"input_tokens": "x"}, "id": 4}),
        envelope("attachment", "t1", attachment=None),
        envelope("system", "s1", subtype=3, content=3),
        envelope("attachment", "t1", attachment={"type": "queued_command"}),
        envelope("system", "s1", subtype="local_command", content=" "),
        {"type": "custom-title", "customTitle": 3},
        {"type": "summary", "summary": 1, "leafUuid": None},
        {"type": "queue-operation", "operation": None, "content": {"a": 1}},
        {"type": ["user"]},
        {"type": "worktree-state", "worktreeSession": 3},
        {"uuid": 5},
    ],
)
def test_fields_of_an_unexpected_kind_cost_nothing_but_themselves(
    tmp_path: Path, record: dict[str, Any]
) -> None:
    after = said("u2", "still here")

    assert ("user", "still here") in read(tmp_path, record, after).texts


def test_the_oldest_records_are_told_by_their_messages_role(tmp_path: Path) -> None:
    record = answered("a1", "hello", usage={"input_tokens": 3})
    del record["type"]

    reading = read(tmp_path, record)

    assert (reading.texts, len(reading.usage)) == ([("assistant", "hello")], 1)


# Whose words they are.


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("<local-command-caveat>Caveat: x</local-command-caveat>", Noise.META),
        ("Caveat: The messages below were generated by the user", Noise.META),
        ("[Request interrupted by user for tool use]", Noise.META),
        ("<local-command-stdout>Goodbye!</local-command-stdout>", Noise.COMMAND_OUTPUT),
        (
            "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>",
            Noise.COMMAND_OUTPUT,
        ),
        ("<task-notification>\n<task-id>x</task-id>", Noise.INJECTED),
        ("<system-reminder>\nIt is Friday.\n</system-reminder>", Noise.INJECTED),
        ("<teammate-message from='x'>hi</teammate-message>", Noise.INJECTED),
        ("Stop hook feedback:\n[stop.sh]: no", Noise.INJECTED),
        ("Base directory for this skill: /s", Noise.INJECTED),
        ("<some-new-block>\nanything\n</some-new-block>", Noise.INJECTED),
        ("This session is being continued from a previous conversation", Noise.SUMMARY),
        (
            "<command-name>/clear</command-name>\n<command-args></command-args>",
            Noise.META,
        ),
    ],
)
def test_machine_text_in_a_users_record_is_nobodys_words(
    tmp_path: Path, text: str, noise: Noise
) -> None:
    (message,) = read(tmp_path, said("u1", text)).messages

    assert (message.role, message.noise) == (Role.SYSTEM, noise)


@pytest.mark.parametrize(
    ("fields", "noise"),
    [
        ({"isMeta": True}, Noise.INJECTED),
        ({"isCompactSummary": True}, Noise.SUMMARY),
        ({"isVisibleInTranscriptOnly": True}, Noise.META),
        ({"promptSource": "system"}, Noise.INJECTED),
        ({"origin": {"kind": "task-notification"}}, Noise.INJECTED),
        ({"origin": {"kind": "human"}}, None),
        ({"promptSource": "typed", "origin": {"kind": "cli"}}, None),
        ({"promptSource": "sdk"}, None),
        ({"isMeta": False}, None),
    ],
)
def test_a_record_says_itself_whether_a_person_wrote_it(
    tmp_path: Path, fields: dict[str, Any], noise: Noise | None
) -> None:
    (message,) = read(tmp_path, said("u1", "do the thing", **fields)).messages

    assert message.noise == noise


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "<system-reminder>\nFriday.\n</system-reminder>\nfix the drift please",
            "fix the drift please",
        ),
        ("<ide_opened_file>a.py</ide_opened_file>\nwhy this file", "why this file"),
        ("before <ide_selection>x = 1</ide_selection> after", "before  after"),
        ("<user_query>\nhow deep is it\n</user_query>", "how deep is it"),
        ("<task>count the buoys</task>", "count the buoys"),
        ("<div>\n<b>mine</b>\n</div>", "<div>\n<b>mine</b>\n</div>"),
        ("<b>bold</b> words", "<b>bold</b> words"),
        ("<unclosed tag", "<unclosed tag"),
        (
            "a < b and <system-reminder> unclosed",
            "a < b and <system-reminder> unclosed",
        ),
        (
            "<ide_selection>a <ide_diagnostics> b</ide_selection>fix "
            "<ide_diagnostics>c</ide_diagnostics>this <ide_selection>",
            "fix this <ide_selection>",
        ),
        ("<bash-input>ls", "<bash-input>ls"),
        ("<command-args>ls", "<command-args>ls"),
    ],
)
def test_a_persons_words_are_kept_without_what_was_put_around_them(
    tmp_path: Path, text: str, words: str
) -> None:
    assert read(tmp_path, said("u1", text)).texts == [("user", words)]


def test_an_unknown_tag_is_believed_to_be_typed_when_the_record_says_so(
    tmp_path: Path,
) -> None:
    record = said("u1", "<config><a>1</a></config>", promptSource="typed")

    assert read(tmp_path, record).messages[0].role is Role.USER


def test_machine_blocks_beside_a_prompt_are_left_out(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
        {"type": "text", "text": "name this bay"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png"}},
    ]

    reading = read(tmp_path, said("u1", blocks))

    assert reading.texts == [("user", "name this bay\n[image: image/png]")]


def test_machine_text_is_kept_short(tmp_path: Path) -> None:
    (message,) = read(tmp_path, said("u1", "word " * 9_000, isMeta=True)).messages

    assert len(message.text) < 2_100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "<command-message>plan</command-message>\n<command-name>/plan</command-name>"
            "\n<command-args>tidy the rigging</command-args>",
            "/plan tidy the rigging",
        ),
        (
            "<command-name>plan</command-name><command-args>a\nb</command-args>",
            "/plan a\nb",
        ),
        ("<bash-input>git status</bash-input>", "!git status"),
        ("<user-memory-input>use tabs</user-memory-input>", "#use tabs"),
    ],
)
def test_a_command_that_says_something_is_a_persons_but_never_a_title(
    tmp_path: Path, text: str, words: str
) -> None:
    reading = read(tmp_path, said("u1", text))
    (message,) = reading.messages

    assert (message.role, message.text, message.is_command) == (Role.USER, words, True)
    assert reading.conversation.title is None


def test_text_typed_beside_a_tool_result_is_a_message_of_its_own(
    tmp_path: Path,
) -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "t", "content": "done"},
        {"type": "text", "text": "does it differ"},
    ]

    reading = read(tmp_path, said("r1", blocks))

    assert [(m.native_id, m.role, m.text) for m in reading.messages] == [
        ("r1", Role.TOOL, "done"),
        ("r1:text", Role.USER, "does it differ"),
    ]


def test_a_reminder_beside_a_tool_result_is_not_kept(tmp_path: Path) -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "t", "content": "done"},
        {"type": "text", "text": "[Request interrupted by user for tool use]"},
    ]

    assert read(tmp_path, said("r1", blocks)).texts == [("tool", "done")]


def test_what_a_person_says_when_they_refuse_a_call_is_theirs(tmp_path: Path) -> None:
    output = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected"
        ". To tell you how to proceed, the user said:\nnot on main\n\n"
        "Note: The user's next message may contain a correction."
    )

    reading = read(tmp_path, returned("r1", output, is_error=True))

    assert reading.texts[1] == ("user", "not on main")


def test_answers_to_a_question_are_a_persons_words_but_no_title(tmp_path: Path) -> None:
    parsed = {"questions": [], "answers": {"Which?": "the red one", "And?": ["a", "b"]}}

    reading = read(tmp_path, returned("r1", "User answered", toolUseResult=parsed))

    assert reading.texts[1] == ("user", "the red one\na\nb")
    assert reading.conversation.title is None


def test_what_claude_code_answered_itself_is_no_answer(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        answered("a1", "No response requested.", model="<synthetic>", usage={}),
        answered("a2", "API Error: 500", isApiErrorMessage=True, usage={}),
    )

    assert [(m.role, m.noise, m.model) for m in reading.messages] == [
        (Role.SYSTEM, Noise.META, None),
        (Role.SYSTEM, Noise.META, None),
    ]
    assert (reading.usage, reading.conversation.models) == ({}, ())


@pytest.mark.parametrize(
    ("subtype", "content", "noise"),
    [
        (
            "local_command",
            "<local-command-stdout>x</local-command-stdout>",
            "command_output",
        ),
        ("local_command", "<command-name>/mcp</command-name>", "meta"),
        ("away_summary", "You fixed the pump.", "summary"),
    ],
)
def test_a_system_record_that_says_something_is_kept_as_noise(
    tmp_path: Path, subtype: str, content: str, noise: str
) -> None:
    record = envelope("system", "s1", subtype=subtype, content=content)

    assert [message.noise for message in read(tmp_path, record).messages] == [noise]


# Prompts typed while Claude Code was busy.


def queued(operation: str, content: Any = None) -> dict[str, Any]:
    record = {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": "2026-05-01T10:05:00Z",
        "sessionId": SESSION,
    }
    return record | ({"content": content} if content is not None else {})


def test_a_prompt_handed_over_in_mid_turn_is_recovered_from_the_queue(
    tmp_path: Path,
) -> None:
    """Up to 2.1.9x it stands nowhere else; real files lost one prompt in eight so."""
    first = said("u1", "start")

    reading = read(
        tmp_path,
        first,
        queued("enqueue", "and test it"),
        queued("remove"),
        answered("a1", "ok"),
    )

    message = reading.messages[1]
    assert (message.text, message.native_id, message.at) == (
        "and test it",
        f"{SESSION}@{len(lines(first))}",
        datetime(2026, 5, 1, 10, 5, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([queued("enqueue", "and test it")], id="still waiting"),
        pytest.param(
            [queued("enqueue", "and test it"), queued("popAll")], id="given back"
        ),
        pytest.param(
            [
                queued("enqueue", "<task-notification>x</task-notification>"),
                queued("remove"),
            ],
            id="a program's",
        ),
        pytest.param([queued("remove"), queued("dequeue")], id="nothing waited"),
    ],
)
def test_what_was_not_handed_over_is_no_message(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    reading = read(tmp_path, said("u1", "start"), *records, answered("a1", "ok"))

    assert reading.texts == [("user", "start"), ("assistant", "ok")]


@pytest.mark.parametrize("order", ["after", "before"])
def test_a_queued_prompt_that_is_recorded_elsewhere_is_one_message(
    tmp_path: Path, order: str
) -> None:
    attachment = {"type": "queued_command", "prompt": "and test it"}
    recorded = envelope("attachment", "t1", attachment=attachment)
    middle = [queued("remove"), recorded]

    reading = read(
        tmp_path,
        queued("enqueue", "and test it"),
        *(middle if order == "after" else middle[::-1]),
        answered("a1", "ok"),
    )

    assert reading.texts == [("user", "and test it"), ("assistant", "ok")]


def test_a_dequeued_prompt_comes_as_a_record_of_its_own(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        queued("enqueue", "go on"),
        queued("dequeue"),
        said("u1", "go on"),
        answered("a1", "ok"),
    )

    assert reading.texts == [("user", "go on"), ("assistant", "ok")]


def test_a_notification_in_the_queue_is_machine_text(tmp_path: Path) -> None:
    attachment = {
        "type": "queued_command",
        "prompt": "job 3 ended",
        "commandMode": "task-notification",
    }

    (message,) = read(
        tmp_path, envelope("attachment", "t", attachment=attachment)
    ).messages

    assert message.noise is Noise.INJECTED


# Conversations.


def test_a_conversation_sums_up_its_records(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        said("u1", "survey\n  the code", gitBranch=""),
        answered("a1", "done", timestamp="2026-05-01T10:05:00Z", cwd="/home/dev/else"),
        said("u2", "thanks", gitBranch="HEAD", version="2.1.201"),
    )

    assert reading.conversation == Conversation(
        native_id=SESSION,
        title="survey the code",
        title_origin=TitleOrigin.PROMPT,
        cwd="/home/dev/harbor",
        branch="main",
        started_at=TEN,
        ended_at=TEN.replace(minute=5),
        models=("claude-test-1",),
        app_version="2.1.201",
    )


def test_bookkeeping_first_and_unknown_types_between_cost_nothing(
    tmp_path: Path,
) -> None:
    """Case C01: the first line says nothing about the rest."""
    reading = read(
        tmp_path,
        {"type": "mode", "mode": "default"},
        {"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": {}}},
        queued("enqueue", "why does the pump stall"),
        said("u1", "why does the pump stall"),
        {"type": "brand-new-record", "payload": {"anything": [1, 2]}},
        answered("a1", "The inlet sticks."),
        {"type": "ai-title", "title": "Pump stall"},
        envelope("system", "s1", subtype="turn_duration", durationMs=12),
        said("u2", "thanks"),
    )

    assert (len(reading.messages), reading.conversation.title) == (3, "Pump stall")
    assert reading.ignored == {
        "mode": 1,
        "file-history-snapshot": 1,
        "queue-operation": 1,
        "brand-new-record": 1,
        "ai-title": 1,
        "system:turn_duration": 1,
    }


def test_a_type_that_is_a_text_somebody_wrote_is_counted_without_it(
    tmp_path: Path,
) -> None:
    reading = read(tmp_path, {"type": "my secret sentence"})

    assert reading.ignored == {"unknown": 1}


def test_the_title_is_what_the_person_typed_first(tmp_path: Path) -> None:
    """Case C05: two of three sessions were titled after machine text elsewhere."""
    reading = read(
        tmp_path,
        said("u1", "<local-command-caveat>Caveat</local-command-caveat>", isMeta=True),
        said("u2", "<command-name>/clear</command-name><command-args></command-args>"),
        said("u3", "<local-command-stdout></local-command-stdout>"),
        returned("r1", "plain tool output"),
        said("u4", "<system-reminder>\nx\n</system-reminder>\nfix the drift please"),
        said(
            "u5", "<command-name>/plan</command-name><command-args>tidy</command-args>"
        ),
    )

    assert reading.conversation.title == "fix the drift please"
    assert [m.text for m in reading.messages if m.role is Role.USER] == [
        "fix the drift please",
        "/plan tidy",
    ]


def test_only_so_many_summaries_wait_for_their_records(tmp_path: Path) -> None:
    waiting = [SUMMARY | {"leafUuid": f"u{n}"} for n in range(40)]

    checkpoint = read(tmp_path, *waiting).checkpoint

    assert checkpoint is not None
    assert list(checkpoint.state["summaries"]) == [f"u{n}" for n in range(8, 40)]


def test_what_a_summary_says_is_in_no_checkpoint(tmp_path: Path) -> None:
    """Most wait for a record of another file, which may be forgotten."""
    checkpoint = read(tmp_path, SUMMARY).checkpoint

    assert checkpoint is not None
    assert "Summed up" not in str(checkpoint)


CUSTOM = {"type": "custom-title", "customTitle": "Mine"}
MODELS = {"type": "ai-title", "aiTitle": "A model's"}
SUMMARY = {"type": "summary", "summary": "Summed up", "leafUuid": "u1"}


@pytest.mark.parametrize(
    ("records", "title", "origin"),
    [
        ([CUSTOM, MODELS, SUMMARY], "Mine", TitleOrigin.PERSON),
        ([SUMMARY, MODELS], "A model's", TitleOrigin.MODEL),
        ([{"type": "agent-name", "agentName": "Named"}], "Named", TitleOrigin.MODEL),
        ([SUMMARY], "Summed up", TitleOrigin.MODEL),
        ([SUMMARY | {"leafUuid": "in another file"}], "hello", TitleOrigin.PROMPT),
        ([CUSTOM, CUSTOM | {"customTitle": "Later"}], "Later", TitleOrigin.PERSON),
    ],
)
@pytest.mark.parametrize("place", ["before", "after"])
def test_the_strongest_title_wins_wherever_it_stands(
    tmp_path: Path, records: list[Any], title: str, origin: TitleOrigin, place: str
) -> None:
    prompt = said("u1", "hello")

    reading = read(
        tmp_path, *([*records, prompt] if place == "before" else [prompt, *records])
    )

    conversation = reading.conversation
    assert (conversation.title, conversation.title_origin) == (title, origin)


def test_rename_gives_a_person_s_title(tmp_path: Path) -> None:
    content = (
        "<local-command-stdout>Session renamed to: Deep bay</local-command-stdout>"
    )

    reading = read(
        tmp_path, envelope("system", "s", subtype="local_command", content=content)
    )

    assert reading.conversation.title == "Deep bay"


def test_a_title_is_one_short_line(tmp_path: Path) -> None:
    reading = read(tmp_path, said("u1", "wide sea " * 100))

    assert len(reading.conversation.title or "") <= 200


def test_a_file_without_messages_is_no_conversation(tmp_path: Path) -> None:
    assert read(tmp_path, CUSTOM, SUMMARY).conversations == {}


def test_an_empty_file_is_read_without_a_word(tmp_path: Path) -> None:
    reading = read(tmp_path)

    assert (reading.conversations, reading.records, reading.skipped) == ({}, [], {})


def test_the_file_names_the_conversation_even_where_records_name_another(
    tmp_path: Path,
) -> None:
    reading = read(tmp_path, said("u1", "hello", sessionId="other"))

    assert list(reading.conversations) == [SESSION]


def test_a_record_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    first, second = said("", "one"), said("", "two")

    reading = read(tmp_path, first, second)

    assert [message.native_id for message in reading.messages] == [
        f"{SESSION}@0",
        f"{SESSION}@{len(lines(first))}",
    ]


def test_a_message_without_a_time_borrows_the_one_before(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        said("u1", "one", timestamp=None),
        said("u2", "two"),
        said("u3", "three", timestamp="yesterday"),
    )

    assert [(m.at, m.approximate_time) for m in reading.messages] == [
        (None, False),
        (TEN, False),
        (TEN, True),
    ]


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("2026-05-01T12:00:00+02:00", TEN),
        ("2026-05-01T10:00:00", TEN),
        ("0001-01-01T00:00:00+02:00", None),
    ],
)
def test_times_are_utc(tmp_path: Path, stamp: str, at: datetime | None) -> None:
    assert read(tmp_path, said("u1", "one", timestamp=stamp)).messages[0].at == at


@pytest.mark.parametrize(
    ("fields", "kind", "parent"),
    [
        ({}, Kind.MAIN, None),
        ({"sessionKind": "bg"}, Kind.FORK, None),
        ({"forkedFrom": {"sessionId": "origin"}}, Kind.FORK, "origin"),
        ({"entrypoint": "sdk-py"}, Kind.HEADLESS, None),
        ({"entrypoint": "cli"}, Kind.MAIN, None),
    ],
)
def test_the_first_record_says_what_sort_of_session_it_is(
    tmp_path: Path, fields: dict[str, Any], kind: Kind, parent: str | None
) -> None:
    reading = read(tmp_path, CUSTOM, said("u1", "hello", **fields), said("u2", "again"))

    assert (reading.conversation.kind, reading.conversation.parent) == (kind, parent)


def test_a_worktree_belongs_to_the_repository_it_was_made_of(tmp_path: Path) -> None:
    state = {
        "type": "worktree-state",
        "worktreeSession": {"originalCwd": "/home/dev/bay"},
    }

    assert (
        read(tmp_path, said("u1", "hello"), state).conversation.repo == "/home/dev/bay"
    )


def test_a_resumed_session_repeats_its_messages_under_their_own_ids(
    tmp_path: Path,
) -> None:
    """Case C06: an archive keeps each once, as a member of both conversations."""
    old = (
        said("u1", "what is a capstan"),
        answered("a1", "A winch.", usage={"input_tokens": 9}),
    )

    first = read(tmp_path, *old, name="A")
    second = read(tmp_path, *old, said("u2", "and a windlass"), name="B")

    assert [m.native_id for m in second.messages] == ["u1", "a1", "u2"]
    assert list(first.usage) == list(second.usage)
    assert {m.conversation for m in second.messages} == {"B"}


# Subagents.


def agent(uuid: str, text: str, **fields: Any) -> dict[str, Any]:
    return said(uuid, text, isSidechain=True, agentId="a1b2c3", **fields)


@pytest.mark.parametrize(
    ("name", "conversation", "parent"),
    [
        ("-p/S1/subagents/agent-a1b2c3", "S1/agent-a1b2c3", "S1"),
        ("-p/S1/subagents/workflows/wf_1/agent-a1b2c3", "S1/agent-a1b2c3", "S1"),
        ("-p/agent-a1b2c3", f"{SESSION}/agent-a1b2c3", SESSION),
    ],
)
def test_an_agents_file_is_a_conversation_below_its_session(
    tmp_path: Path, name: str, conversation: str, parent: str
) -> None:
    """Case C03: its records repeat the parent's session id."""
    reading = read(tmp_path, agent("u1", "survey the code"), name=name)

    found = reading.conversation
    assert (found.native_id, found.kind, found.parent, found.title) == (
        conversation,
        Kind.SUBAGENT,
        parent,
        "survey the code",
    )


def test_an_agents_file_that_names_no_session_has_no_parent(tmp_path: Path) -> None:
    reading = read(tmp_path, agent("u1", "survey", sessionId=None), name="agent-x")

    assert (reading.conversation.native_id, reading.conversation.parent) == (
        "agent-x",
        None,
    )


@pytest.mark.parametrize(
    ("agent_id", "name"), [(None, "sidechain"), ("a1", "agent-a1")]
)
def test_agents_inside_a_sessions_file_are_kept_apart_from_it(
    tmp_path: Path, agent_id: str | None, name: str
) -> None:
    side = said("s1", "look around", isSidechain=True, agentId=agent_id)

    reading = read(tmp_path, said("u1", "hello"), side, answered("a1", "hi"))

    assert [(m.native_id, m.conversation) for m in reading.messages] == [
        ("u1", SESSION),
        ("s1", f"{SESSION}/{name}"),
        ("a1", SESSION),
    ]
    assert reading.conversations[f"{SESSION}/{name}"].parent == SESSION


# Usage.


def tokens(**counts: Any) -> dict[str, Any]:
    return {"input_tokens": 10, "output_tokens": 1, "service_tier": "standard"} | counts


def test_a_call_written_over_several_lines_is_counted_once(tmp_path: Path) -> None:
    split = {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4}
    last = tokens(
        output_tokens=7,
        cache_read_input_tokens=5,
        cache_creation=split,
        output_tokens_details={"thinking_tokens": 2},
    )

    reading = read(
        tmp_path,
        answered("a1", "one", call="m", requestId="r", usage=tokens()),
        returned("r1", "output"),
        answered("a2", "two", call="m", requestId="r", usage=last),
    )

    assert list(reading.usage.values()) == [
        Usage(
            conversation=SESSION,
            call_id="m:r",
            message="a1",
            model="claude-test-1",
            tier="standard",
            at=TEN,
            input=10,
            output=7,
            cache_read=5,
            cache_write_5m=3,
            cache_write_1h=4,
            reasoning=2,
            lines=2,
            counted_by="max per call id",
        )
    ]


def test_a_cache_write_that_is_not_split_counts_as_five_minutes(tmp_path: Path) -> None:
    usage = tokens(cache_creation_input_tokens=6)

    (counted,) = read(tmp_path, answered("a1", "x", usage=usage)).usage.values()

    assert (counted.cache_write_5m, counted.cache_write_1h) == (6, 0)


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"call": "m", "requestId": "r"}, "m:r"),
        ({"call": "m"}, "m"),
        ({"call": None}, "a1"),
    ],
)
def test_a_call_is_known_by_its_own_id(
    tmp_path: Path, fields: dict[str, Any], key: str
) -> None:
    reading = read(tmp_path, answered("a1", "x", usage=tokens(), **fields))

    assert list(reading.usage) == [key]


def test_usage_names_the_first_record_that_became_a_message(tmp_path: Path) -> None:
    hidden = {"type": "thinking", "thinking": ""}

    reading = read(
        tmp_path,
        answered("a1", hidden, call="m", usage=tokens()),
        answered("a2", "x", call="m", usage=tokens()),
    )

    assert reading.usage["m"].message == "a2"


def test_only_the_last_calls_are_kept_open(tmp_path: Path) -> None:
    records = [answered(f"a{n}", "x", call=f"m{n}", usage=tokens()) for n in range(70)]

    checkpoint = read(tmp_path, *records).checkpoint

    assert checkpoint is not None
    assert list(checkpoint.state["calls"]) == [f"m{n}" for n in range(6, 70)]


# Going back.


def test_two_prompts_after_the_same_record_are_a_rewind(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        answered("a0", "ready"),
        said("u1", "first try", parentUuid="a0"),
        answered("a1", "so", parentUuid="u1"),
        said("u2", "second try", parentUuid="a0"),
        said("u3", "third try", parentUuid="a0"),
    )

    kinds = [r if isinstance(r, Rewind) else r.native_id for r in reading.records]
    assert kinds == [
        "a0",
        "u1",
        "a1",
        Rewind(conversation=SESSION, first="u1"),
        "u2",
        Rewind(conversation=SESSION, first="u2"),
        "u3",
    ]


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([said("u1", "one"), said("u2", "two")], id="no parent"),
        pytest.param(
            [said("u1", "one", parentUuid="p"), returned("r1", "x", parentUuid="p")],
            id="a tool result",
        ),
        pytest.param(
            [
                said("u1", "one", parentUuid="p"),
                said("u2", "Stop hook feedback: x", parentUuid="p"),
            ],
            id="machine text",
        ),
        pytest.param(
            [said("u1", "one", parentUuid="p"), said("u1", "one", parentUuid="p")],
            id="written again",
        ),
        pytest.param(
            [
                said("u1", "one", parentUuid="p", isSidechain=True),
                said("u2", "two", parentUuid="p", isSidechain=True),
            ],
            id="agents",
        ),
        pytest.param(
            [
                said("u1", "one", parentUuid="p"),
                said("u2", "two", parentUuid="missing"),
            ],
            id="an unknown parent",
        ),
    ],
)
def test_nothing_else_is_a_rewind(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    reading = read(tmp_path, *records)

    assert not [record for record in reading.records if isinstance(record, Rewind)]


def test_a_rewind_is_still_seen_when_a_prompt_it_goes_past_is_forgotten(
    tmp_path: Path,
) -> None:
    first = said("u0", "one", parentUuid="p"), said("u1", "two", parentUuid="p")
    others = [said(f"v{n}", "go", parentUuid=f"q{n}") for n in range(999)]

    reading = read(tmp_path, *first, *others, said("u2", "three", parentUuid="p"))

    assert Rewind(conversation=SESSION, first="u1") in reading.records


def test_a_prompt_written_again_after_a_rewind_is_not_taken_back(
    tmp_path: Path,
) -> None:
    """Compaction may append earlier records once more."""
    first, second = (
        said("u1", "one", parentUuid="p"),
        said("u2", "two", parentUuid="p"),
    )

    reading = read(tmp_path, first, second, first)

    rewinds = [record for record in reading.records if isinstance(record, Rewind)]
    assert rewinds == [Rewind(conversation=SESSION, first="u1")]


def test_only_the_last_prompts_are_remembered(tmp_path: Path) -> None:
    prompts = [said(f"u{n}", "go", parentUuid=f"p{n}") for n in range(1_001)]
    again = said("v0", "go", parentUuid="p0"), said("v1", "go", parentUuid="p1")

    reading = read(tmp_path, *prompts, *again)

    rewinds = [record for record in reading.records if isinstance(record, Rewind)]
    assert rewinds == []


# Reading on.


def test_progress_is_passed_over_without_decoding(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(
        b'{"cwd":"C:\\\\x \\"q\\"","isMeta":null,"type":"progress","data":{"torn\n'
    )

    reading = read_on(Reading(), path)

    assert (reading.ignored, reading.skipped) == ({"progress": 1}, {})


def test_a_prompt_glued_to_a_snapshot_is_read(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    snapshot = b'{"type":"file-history-snapshot","snapshot":{}}'
    path.write_bytes(snapshot + lines(said("u1", "hello")))

    assert read_on(Reading(), path).texts == [("user", "hello")]


@pytest.mark.parametrize("inner", ['{"type":"progress"}', "progress"])
def test_a_prompt_about_progress_is_not_passed_over(tmp_path: Path, inner: str) -> None:
    record = {"message": {"content": inner}} | said("u1", f'"type":"progress" {inner}')

    assert len(read(tmp_path, record).messages) == 1


def test_a_rewind_waits_for_the_end_of_its_line(tmp_path: Path) -> None:
    """Said twice, it would take back the prompt that it makes room for."""
    path = tmp_path / f"{SESSION}.jsonl"
    content = lines(
        said("u1", "one", parentUuid="p"), said("u2", "two", parentUuid="p")
    )

    before, after = (
        list(reading.records)
        for reading in read_growing(path, content, [len(content) - 1])
    )

    assert [type(record) for record in before] == [Message]
    assert [type(record) for record in after] == [Message, Rewind, Message]


def everything() -> bytes:
    """Return a transcript with each kind of record and every kind of damage."""
    good = [
        said("u1", "first", parentUuid="p"),
        answered("a1", "x", call="m", usage=tokens()),
        answered("a2", tool_use("Bash", command="ls"), call="m", usage=tokens()),
        returned("r1", "Exit code 1", is_error=True),
        queued("enqueue", "meanwhile \N{SAILBOAT}"),
        queued("remove"),
        answered("a3", "seen", usage=tokens(output_tokens=9)),
        SUMMARY,
        said("u2", "second", parentUuid="p", timestamp=None),
        said("s1", "side", isSidechain=True),
        CUSTOM,
        said("u3", "lone \ud83d surrogate and \0 NUL"),
    ]
    written = [lines(record) for record in good]
    return b"".join(
        [
            b"\xef\xbb\xbf",
            *written[:4],
            b"\n\r\nnull\n42\n[]\n{}\n\0\0\0\n",
            b'{"parentUuid":"aaaa{"parentUuid": null, "type": "user", "uuid": "g1",'
            b' "message": {"content": "glued"}}\n',
            *written[4:7],
            b'{"type":"user","uuid":"j1","message":{"content":"over\ntwo lines"}}\n',
            written[7].rstrip(b"\n") + written[8],
            b'{"type":"user","uuid":"t1","message":{"content":"torn\n',
            *written[9:],
            b'{"type":"user","uuid":"b1","message":{"content":"bad \xff byte"}}\r\n',
            b"\0" * 9 + lines(said("u4", "after the gap")),
            b"\0" * 9,
        ]
    )


EVERYTHING = everything()


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.integers(0, len(EVERYTHING)), max_size=5))
def test_reading_on_at_any_byte_comes_to_the_same_as_reading_once(
    tmp_path: Path, cuts: list[int]
) -> None:
    path = tmp_path / f"{SESSION}.jsonl"

    *_, grown = read_growing(path, EVERYTHING, cuts)
    *_, whole = read_growing(path, EVERYTHING, [])

    assert settled(grown) == settled(whole)


def settled(reading: Reading) -> dict[str, Any]:
    """Return what an archive keeps.

    A line may still get another object glued to it after its first one was used: how
    long the line was then is the only thing that depends on when it was read.
    """
    messages = [
        replace(message, origin=replace(message.origin, length=0))
        for message in reading.messages
    ]
    rewinds = [record for record in reading.records if isinstance(record, Rewind)]
    return {
        "messages": sorted(messages, key=lambda message: message.native_id),
        "rewinds": rewinds,
        "conversations": reading.conversations,
        "usage": reading.usage,
        "ignored": reading.ignored,
        "skipped": reading.skipped,
        "checkpoint": reading.checkpoint,
    }


def test_damage_costs_only_what_is_damaged(tmp_path: Path) -> None:
    """Case C02, with all its kinds of damage in one file."""
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(EVERYTHING)

    reading = read_on(Reading(), path)

    assert [message.native_id.split("@")[0] for message in reading.messages] == [
        "u1", "a1", "a2", "r1", "g1", SESSION, "a3", "j1", "u2", "s1", "u3", "b1", "u4"
    ]  # fmt: skip
    assert list(reading.skipped.values()) == [
        "not an object",
        "not an object",
        "not an object",
        "cut short; 1 glued to it recovered",
        "a string is not closed",
    ]


def test_a_file_rewritten_is_begun_anew(tmp_path: Path) -> None:
    """Cases C45 and C46: neither size nor time tells."""
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(lines(said("u1", "aaaa")))
    reading = read_on(Reading(), path)
    path.write_bytes(lines(said("u1", "bbbb")))

    again = read_on(replace(reading, records=[], kinds=[]), path)

    assert (again.texts, [kind.__name__ for kind in again.kinds]) == (
        [("user", "bbbb")],
        ["Replace"],
    )


def test_a_prompt_used_before_its_newline_came_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    content = lines(said("u1", "hello"))

    before, after = (
        reading.messages[-1].origin
        for reading in read_growing(path, content, [len(content) - 1])
    )

    assert before == after == Origin(offset=0, length=len(content) - 1)


# Real transcripts, where they are at hand.

SHARED = Path(
    os.environ.get("QUOTH_SHARED", Path(__file__).parents[2].parent / "shared")
)
SAMPLES = sorted(SHARED.glob("samples/claude-code/*.jsonl"))


@pytest.mark.parametrize(
    "sample",
    SAMPLES
    or [pytest.param(None, marks=pytest.mark.skip(reason="the samples are not here"))],
    ids=lambda path: path.stem[-40:] if path else "none",
)
def test_a_real_transcript_is_read_without_machine_text_in_the_persons_words(
    sample: Path,
) -> None:
    reading = read_on(Reading(), sample)

    spoken = [m.text for m in reading.messages if m.role is Role.USER and not m.noise]
    marks = (
        "<local-command",
        "<command-",
        "<bash-",
        "<task-notif",
        "<system-rem",
        "Caveat:",
    )
    assert not [text for text in spoken if text.startswith(marks)]


def test_what_gives_a_secret_away_is_seen_before_anything_is_cut(
    tmp_path: Path,
) -> None:
    """From the file to what is stored: prompt, title, command, input and output."""
    secret = drawn(40)
    header = f"curl -H 'Authorization: Bearer {secret}' "
    long = header + "echo word; " * 400
    use = tool_use("Bash", command=long, headers={"X-Api-Key": secret})
    path = tmp_path / f"{SESSION}.jsonl"

    for before in range(140, 200):
        output = returned("u2", "y" * (before + 1_400) + "\n" + long)
        prompt = said("u1", ("x " * 100)[:before] + long)
        path.write_bytes(lines(prompt, answered("a1", use), output))
        stored = [redact(step) for step in batches_of(path)]

        assert "[REDACTED:bearer_token]" in repr(stored)
        assert secret[:12] not in repr(stored)
        assert secret[-12:] not in repr(stored)


def batches_of(path: Path) -> list[Append | Replace]:
    steps = ClaudeCode().read(unit_of(path), None)
    return [step for step in steps if not isinstance(step, Skipped)]


def test_a_log_of_gemini_with_a_uuid_for_a_name_is_not_taken(tmp_path: Path) -> None:
    session = "0f3a5b2e-1111-4222-8333-444455556666"
    path = tmp_path / f"{session}.jsonl"
    head = {"sessionId": session, "projectHash": "0f", "startTime": "2026-05-01"}
    path.write_text(json.dumps(head) + "\n", encoding="utf-8")
    (unit,) = ClaudeCode().discover([tmp_path])

    assert not ClaudeCode().recognises(unit)


def test_a_transcript_that_begins_with_many_snapshots_of_files_is_recognised(
    tmp_path: Path,
) -> None:
    snapshot = b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n'
    path = tmp_path / "medium.jsonl"
    path.write_bytes(snapshot * 30)

    assert ClaudeCode().recognises(unit_of(path))


def test_a_summary_of_an_earlier_reading_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    content = lines(SUMMARY, said("u1", "hello"))

    *_, reading = read_growing(path, content, [len(lines(SUMMARY)), len(content)])

    assert reading.conversation.title == "Summed up"
