"""Codex: rollouts of every age, read whole or as they grow."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.codex_records import (
    NAME,
    PARENT,
    THREAD,
    Reading,
    context,
    envelope,
    event,
    item,
    lines_of,
    meta,
    read,
    read_in_pieces,
    read_records,
    said,
    tokens,
    typed,
    unit_of,
    written,
)

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Conversation,
    FileTouch,
    Kind,
    Message,
    Origin,
    Replace,
    Rewind,
    Role,
    TitleOrigin,
    ToolCall,
    ToolResult,
    Touch,
    Usage,
)
from quoth.sources.codex import Codex

SAMPLES = (
    Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")
    / "samples"
    / "codex"
)
AGENTS = (
    "# AGENTS.md instructions for /home/dev\n\n"
    "<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>"
)
ENVIRONMENT = "<environment_context>\n<cwd>/home/dev</cwd>\n</environment_context>"


# Where rollouts are


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n", encoding="utf-8")


def found(folder: Path) -> list[str]:
    roots = Codex().default_roots({}, home=folder)
    units = Codex().discover(roots)
    return [unit.path.relative_to(folder / ".codex").as_posix() for unit in units]


def test_rollouts_are_looked_for_where_codex_was_told_to_keep_them() -> None:
    roots = Codex().default_roots({"CODEX_HOME": "/data/codex"}, home=Path("/home/dev"))

    assert list(roots) == [
        Path("/data/codex/sessions"),
        Path("/data/codex/archived_sessions"),
    ]


def test_rollouts_of_every_age_are_found_and_nothing_else(tmp_path: Path) -> None:
    put(
        tmp_path / ".codex",
        "sessions/2026/05/01/rollout-2026-05-01T10-00-00-a.jsonl",
        "sessions/rollout-2025-05-01-b.json",
        "sessions/2026/05/01/rollout-compress-1.tmp",
        "sessions/.tmp/rollout-2026-05-01T10-00-00-c.jsonl",
        "sessions/history.jsonl",
        "archived_sessions/rollout-2026-03-01T10-00-00-d.jsonl",
    )

    assert found(tmp_path) == [
        "sessions/rollout-2025-05-01-b.json",
        "archived_sessions/rollout-2026-03-01T10-00-00-d.jsonl",
        "sessions/2026/05/01/rollout-2026-05-01T10-00-00-a.jsonl",
    ]


def test_a_thread_in_both_folders_is_read_from_the_current_one(tmp_path: Path) -> None:
    put(
        tmp_path / ".codex",
        f"sessions/2026/05/01/{NAME}",
        f"archived_sessions/{NAME}",
    )

    assert found(tmp_path) == [f"sessions/2026/05/01/{NAME}"]


def test_a_plain_rollout_goes_before_its_compressed_copy(tmp_path: Path) -> None:
    put(tmp_path / ".codex", f"sessions/{NAME}.zst", f"archived_sessions/{NAME}")

    assert found(tmp_path) == [f"archived_sessions/{NAME}"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_listed_are_each_found(tmp_path: Path) -> None:
    folders = [tmp_path / ".codex" / "sessions" / year / "05" for year in "ab"]
    for folder in folders:
        folder.mkdir(parents=True)
        folder.chmod(0)

    places = found(tmp_path)

    for folder in folders:
        folder.chmod(0o700)
    assert places == ["sessions/a/05", "sessions/b/05"]


def test_of_copies_of_a_rollout_the_longest_is_read(tmp_path: Path) -> None:
    places = ["2026/05/01", "backup", "old"]
    put(tmp_path / ".codex", *[f"sessions/{place}/{NAME}" for place in places])
    longest = tmp_path / ".codex" / "sessions" / "backup" / NAME
    longest.write_text("{}\n{}\n", encoding="utf-8")

    assert found(tmp_path) == [f"sessions/backup/{NAME}"]


def test_a_continuation_is_no_copy_of_its_thread(tmp_path: Path) -> None:
    continued = NAME.replace(".jsonl", f"_{PARENT}.jsonl")
    put(tmp_path / ".codex", f"sessions/{NAME}", f"sessions/{continued}")

    assert found(tmp_path) == [f"sessions/{NAME}", f"sessions/{continued}"]


def test_a_single_rollout_may_be_given(tmp_path: Path) -> None:
    put(tmp_path, NAME)

    assert [u.path for u in Codex().discover([tmp_path / NAME])] == [tmp_path / NAME]


# What is written twice


def test_every_turn_comes_once_in_whichever_order_it_is_doubled(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        written("user", "rename it", second=1),
        typed("rename it", 1),
        said("Renamed.", 2),
        written("assistant", "Renamed.", second=2),
        typed("and the other", 3),
        context(3),
        written("user", "and the other", second=3),
        written("assistant", "Done.", second=4),
        said("Done.", 4),
    )

    assert reading.turns == [
        ("user", "rename it"),
        ("assistant", "Renamed."),
        ("user", "and the other"),
        ("assistant", "Done."),
    ]


def test_what_was_really_sent_twice_stays_twice(tmp_path: Path) -> None:
    doubled = [written("user", "go on"), typed("go on")]

    reading = read_records(tmp_path, meta(), *doubled, *doubled, typed("stop"))

    assert [text for _, text in reading.turns] == ["go on", "go on", "stop"]


def test_a_reply_that_was_really_given_twice_stays_twice(tmp_path: Path) -> None:
    doubled = [said("Ok"), written("assistant", "Ok")]

    reading = read_records(tmp_path, meta(), *doubled, *doubled)

    assert reading.turns == [("assistant", "Ok"), ("assistant", "Ok")]


def test_doubles_are_paired_over_records_between_them(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        written("user", "why?"),
        context(),
        event("agent_reasoning", text="Hm."),
        typed("why?"),
        said("Because."),
        tokens(100, 100),
        event("agent_reasoning", text="Well."),
        written("assistant", "Because."),
    )

    assert reading.turns == [("user", "why?"), ("assistant", "Because.")]


def test_a_reply_that_lacks_its_citations_in_the_event_comes_once(
    tmp_path: Path,
) -> None:
    reply = "The gauge is read at dawn, by whoever has the watch."

    reading = read_records(
        tmp_path, meta(), said(reply), written("assistant", f"{reply}<cite>4</cite>")
    )

    assert reading.turns == [("assistant", reply)]


def test_a_reply_like_one_that_has_its_double_is_kept(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        said("Step 1 of the list is done."),
        written("assistant", "Step 1 of the list is done."),
        written("assistant", "Step 2 of the list is done."),
    )

    assert [text for _, text in reading.turns] == [
        "Step 1 of the list is done.",
        "Step 2 of the list is done.",
    ]


def test_different_replies_of_both_kinds_are_both_kept(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, meta(), said("First of all."), written("assistant", "Then again?")
    )

    assert [text for _, text in reading.turns] == ["First of all.", "Then again?"]


def test_thoughts_come_once_also_when_an_item_has_several(tmp_path: Path) -> None:
    summary = [{"type": "summary_text", "text": text} for text in ("One.", "Two.")]

    reading = read_records(
        tmp_path,
        meta(),
        event("agent_reasoning", text="One."),
        item("reasoning", summary=summary, encrypted_content="c2VjcmV0"),
    )

    assert [message.reasoning for message in reading.messages] == ["One.", "Two."]


def test_thoughts_that_are_only_ciphertext_are_counted_as_ignored(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path, meta(), item("reasoning", summary=[], encrypted_content="c2VjcmV0")
    )

    assert (reading.messages, reading.ignored) == ([], {"response_item/reasoning": 1})


def completed(kind: str, text: str, second: float) -> dict[str, Any]:
    content = [{"type": "Text", "text": text}]
    return event("item_completed", second, item={"type": kind, "content": content})


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_a_turn_that_is_told_in_three_ways_comes_once(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    turns: list[dict[str, Any]] = []
    for at in (1, 3):
        asked = [
            written("user", "go on", second=at),
            typed("go on", at),
            completed("UserMessage", "go on", at),
        ]
        answered = [
            written("assistant", "Done.", second=at + 1),
            said("Done.", at + 1),
            completed("AgentMessage", "Done.", at + 1),
        ]
        turns += [asked[n] for n in order] + [answered[n] for n in order]

    told = read_records(tmp_path, meta(), *turns).turns

    assert told == [("user", "go on"), ("assistant", "Done.")] * 2


def test_what_is_said_again_after_a_reply_is_kept(tmp_path: Path) -> None:
    turns = [
        typed("go on", 1),
        written("assistant", "Done.", second=2),
        completed("UserMessage", "go on", 3),
    ]

    told = read_records(tmp_path, meta(), *turns).turns

    assert [text for _, text in told] == ["go on", "Done.", "go on"]


def test_turns_that_were_written_as_events_only_are_read(tmp_path: Path) -> None:
    reading = read_records(tmp_path, meta(), typed("hello"), said("hi"), typed("bye"))

    assert reading.turns == [("user", "hello"), ("assistant", "hi"), ("user", "bye")]


def test_turns_that_were_written_as_items_only_are_read(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, meta(), written("user", "hello"), written("assistant", "hi")
    )

    assert reading.turns == [("user", "hello"), ("assistant", "hi")]


def test_a_prompt_nobody_has_answered_yet_is_read(tmp_path: Path) -> None:
    reading = read_records(tmp_path, meta(), written("user", "anyone there?"))

    assert reading.turns == [("user", "anyone there?")]
    assert reading.conversation.title == "anyone there?"


def test_items_of_the_newest_kind_are_paired_too(tmp_path: Path) -> None:
    asked = {"type": "UserMessage", "id": "item_1", "content": [{"text": "why?"}]}
    told = {"type": "AgentMessage", "id": "item_2", "content": [{"text": "So."}]}

    reading = read_records(
        tmp_path,
        meta(),
        written("user", "why?"),
        event("item_completed", item=asked),
        written("assistant", "So."),
        event("item_completed", item=told),
    )

    assert reading.turns == [("user", "why?"), ("assistant", "So.")]


# What no person wrote


@pytest.mark.parametrize(
    "text",
    [
        AGENTS,
        ENVIRONMENT,
        "<user_instructions>\nbe brief\n</user_instructions>",
        "<permissions instructions>\nask\n</permissions instructions>",
        '<skill name="sail">\nhow to sail\n</skill>',
        "<turn_aborted>\nby the user\n</turn_aborted>",
        "<subagent_notification>{}</subagent_notification>",
        "<something_new>\nnot typed\n</something_new>",
        "<skill",
    ],
)
def test_what_the_program_put_in_is_nobodys_words(tmp_path: Path, text: str) -> None:
    reading = read_records(tmp_path, meta(), written("user", text))

    assert reading.noise == [("injected", text)]
    assert reading.conversation.title is None


def test_injected_blocks_in_one_item_with_the_prompt_are_taken_off(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        written("user", AGENTS, f"{ENVIRONMENT}\n\nrename it"),
        typed("rename it"),
    )

    assert reading.noise == [("injected", f"{AGENTS}\n{ENVIRONMENT}")]
    assert reading.turns == [("user", "rename it")]


def test_of_a_block_without_an_end_the_event_tells_what_was_typed(
    tmp_path: Path,
) -> None:
    text = "# AGENTS.md instructions for /x\nbe brief\n\nwhat is <environment_context>?"

    reading = read_records(
        tmp_path, meta(), written("user", text), typed("what is <environment_context>?")
    )

    assert reading.noise == [("injected", text)]
    assert reading.turns == [("user", "what is <environment_context>?")]


def test_text_of_an_unknown_sort_is_no_prompt_where_the_event_tells_another(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        written("user", "Today's weather for the agent: fair."),
        written("user", "set sail"),
        typed("set sail"),
    )

    assert reading.noise == [("injected", "Today's weather for the agent: fair.")]
    assert reading.turns == [("user", "set sail")]


def test_a_prompt_that_mentions_a_tag_is_a_prompt(tmp_path: Path) -> None:
    text = "what does <environment_context> mean?"

    reading = read_records(tmp_path, meta(), written("user", text))

    assert reading.turns == [("user", text)]


def test_a_person_may_type_nothing_but_a_tag(tmp_path: Path) -> None:
    reading = read_records(tmp_path, meta(), typed("<b>bold</b>"))

    assert reading.turns == [("user", "<b>bold</b>")]


def test_a_wrapped_request_is_unwrapped(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, meta(), written("user", "<user_query>rename it</user_query>")
    )

    assert reading.turns == [("user", "rename it")]


def test_what_an_editor_puts_before_the_request_is_taken_off(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\na.py\n\n## My request for Codex:\nrename it"

    reading = read_records(tmp_path, meta(), written("user", text), typed(text))

    assert reading.turns == [("user", "rename it")]


def test_a_picture_beside_a_prompt_leaves_the_words(tmp_path: Path) -> None:
    words = ['<image name="[Image #1]">', "</image>", "what is this?"]

    reading = read_records(
        tmp_path, meta(), written("user", *words), typed("what is this?")
    )

    assert reading.turns == [("user", "what is this?")]


def test_a_prompt_that_is_only_a_picture_is_named(tmp_path: Path) -> None:
    picture = [{"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]

    reading = read_records(
        tmp_path,
        meta(),
        item("message", role="user", content=picture),
        event("user_message", message="", images=["data:image/png;base64,AAAA"]),
    )

    assert reading.turns == [("user", "[image]")]


def test_instructions_of_developer_and_system_are_cut_short(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, meta(), written("developer", "x " * 5_000), written("system", "y")
    )

    assert reading.noise == [("injected", "x " * 999 + "x"), ("injected", "y")]


def test_events_that_older_versions_wrote_for_context_are_no_prompts(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        event("user_message", message="be brief", kind="user_instructions"),
    )

    assert reading.noise == [("injected", "be brief")]


def test_the_persons_own_shell_command_is_a_command(tmp_path: Path) -> None:
    text = (
        "<user_shell_command>\n<command>\nls\n</command>\n"
        "<result>\nExit code: 0\na.py\n</result>\n</user_shell_command>"
    )

    reading = read_records(tmp_path, meta(), written("user", text))

    assert [(m.text, m.is_command) for m in reading.messages] == [
        ("ls", True),
        ("Exit code: 0\na.py", False),
    ]
    assert reading.conversation.title is None


def test_a_shell_command_that_printed_nothing_is_one_message(tmp_path: Path) -> None:
    text = "<user_shell_command>true</user_shell_command>"

    reading = read_records(tmp_path, meta(), written("user", text))

    assert [(m.text, m.is_command) for m in reading.messages] == [("true", True)]


def test_a_shell_command_that_is_never_closed_is_one_message(tmp_path: Path) -> None:
    text = "<user_shell_command><command>true"

    reading = read_records(tmp_path, meta(), written("user", text))

    assert [m.text for m in reading.messages] == ["<command>true"]


def test_only_so_many_blocks_are_taken_off_a_prompt(tmp_path: Path) -> None:
    text = "<skill>a</skill>" * 101 + "rename it"

    reading = read_records(tmp_path, meta(), written("user", text))

    assert [m.text for m in reading.messages if m.noise is None] == [
        "<skill>a</skill>rename it"
    ]


def test_a_summary_of_a_compaction_is_nobodys_words(tmp_path: Path) -> None:
    history = [{"type": "message", "role": "user", "content": "rename it"}]
    compacted = {"message": "So far: renamed.", "replacement_history": history}

    reading = read_records(tmp_path, meta(), envelope("compacted", compacted))

    assert reading.noise == [("summary", "So far: renamed.")]


def test_what_one_agent_writes_to_another_is_no_persons_words(tmp_path: Path) -> None:
    content = [{"type": "input_text", "text": "Look into the parser."}]

    reading = read_records(
        tmp_path, meta(), item("agent_message", author="lead", content=content)
    )

    assert [(m.role, m.author, m.text) for m in reading.messages] == [
        (Role.ASSISTANT, "lead", "Look into the parser.")
    ]


# What a message tells


def test_a_message_tells_all_that_its_line_and_turn_know(tmp_path: Path) -> None:
    git = {"branch": "main", "repository_url": "https://example.com/r.git"}
    first = lines_of([meta(git=git), context(model="gpt-1", cwd="/home/dev/sub")])

    reading = read_records(
        tmp_path,
        meta(git=git),
        context(model="gpt-1", cwd="/home/dev/sub"),
        written("assistant", "Hello.", second=2),
    )

    assert reading.messages == [
        Message(
            conversation=THREAD,
            native_id=f"{THREAD}@{len(first)}",
            role=Role.ASSISTANT,
            text="Hello.",
            at=datetime(2026, 5, 1, 10, 0, 2, tzinfo=UTC),
            model="gpt-1",
            cwd="/home/dev/sub",
            branch="main",
            origin=Origin(
                offset=len(first),
                length=len(json.dumps(written("assistant", "Hello.", second=2))),
            ),
        )
    ]


def test_the_id_that_the_service_gave_is_kept(tmp_path: Path) -> None:
    given_id = "msg_68b1d7a0c0c08191b2e4f6a8"

    reading = read_records(tmp_path, meta(), written("assistant", "Hi.", id=given_id))

    assert [message.native_id for message in reading.messages] == [given_id]


def test_an_id_that_begins_anew_in_every_file_is_not_used(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        written("assistant", "One.", id="msg-1"),
        written("assistant", "Two.", id="msg-1"),
    )

    assert reading.turns == [("assistant", "One."), ("assistant", "Two.")]


def test_a_shell_call_and_its_result_are_read(tmp_path: Path) -> None:
    arguments = json.dumps({"command": ["bash", "-lc", "ls"], "workdir": "/home/dev"})
    output = json.dumps({"output": "a.py\n", "metadata": {"exit_code": 2}})

    reading = read_records(
        tmp_path,
        meta(),
        item("function_call", name="shell", arguments=arguments, call_id="c1"),
        item("function_call_output", call_id="c1", output=output),
    )

    assert [(m.role, m.text, m.calls, m.results) for m in reading.messages] == [
        (
            Role.ASSISTANT,
            "",
            (
                ToolCall(
                    call_id="c1",
                    name="shell",
                    input="bash\n-lc\nls\n/home/dev",
                    command="ls",
                ),
            ),
            (),
        ),
        (
            Role.TOOL,
            "a.py\n",
            (),
            (
                ToolResult(
                    call_id="c1", output="a.py\n", size=5, exit_code=2, is_error=True
                ),
            ),
        ),
    ]


def test_a_patch_names_the_files_it_touches(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+1\n*** End Patch"

    reading = read_records(
        tmp_path,
        meta(),
        item("custom_tool_call", name="apply_patch", input=patch, call_id="c1"),
    )

    assert [call.touches for m in reading.messages for call in m.calls] == [
        (FileTouch(path="a.py", action=Touch.CREATE),)
    ]


@pytest.mark.parametrize(
    ("kind", "fields", "name", "text"),
    [
        ("web_search_call", {"action": {"query": "tides"}}, "web_search", "tides"),
        ("local_shell_call", {"action": {"command": ["ls"]}}, "local_shell", "ls"),
        ("tool_search_call", {"arguments": {"query": "q"}}, "tool_search", "q"),
        ("function_call", {"name": "f", "arguments": "{torn"}, "f", "{torn"),
        ("function_call", {"name": "f", "arguments": "[1]"}, "f", "[1]"),
        ("function_call", {"name": "f", "arguments": '{"a": '}, "f", '{"a": '),
        ("function_call", {"name": "f"}, "f", ""),
    ],
)
def test_calls_of_every_kind_are_read(
    tmp_path: Path, kind: str, fields: dict[str, Any], name: str, text: str
) -> None:
    reading = read_records(tmp_path, meta(), item(kind, **fields))

    (message,) = reading.messages
    assert [(call.name, call.input) for call in message.calls] == [(name, text)]
    assert message.calls[0].call_id == message.native_id


@pytest.mark.parametrize(
    ("output", "text", "exit_code", "is_error"),
    [
        ("Exit code: 1\nWall time: 0 s\nOutput:\nno", None, 1, True),
        ("Wall time: 1 s\nProcess exited with code 0\nOutput:\n", None, 0, False),
        ("the log says\nExit code: 1", None, None, None),
        ([{"text": "a"}, {"type": "input_image"}], "a\n[image]", None, None),
        ({"content": "done", "success": False}, "done", None, True),
        ({"content": [{"text": "done"}], "success": True}, "done", None, False),
        ({"type": "input_text", "text": "plain"}, "plain", None, None),
        ('{"output": torn', '{"output": torn', None, None),
        (None, "", None, None),
    ],
)
def test_outputs_of_every_shape_are_read_and_codes_are_never_guessed(
    tmp_path: Path,
    output: Any,
    text: str | None,
    exit_code: int | None,
    is_error: bool | None,
) -> None:
    reading = read_records(
        tmp_path, meta(), item("function_call_output", call_id="c", output=output)
    )

    (result,) = reading.messages[0].results
    expected = (output if text is None else text, exit_code, is_error)
    assert (result.output, result.exit_code, result.is_error) == expected


@pytest.mark.parametrize(
    "ended",
    [
        event("exec_command_end", call_id="c", exit_code=3),
        event(
            "item_completed",
            item={"type": "CommandExecution", "id": "c", "exit_code": 3},
        ),
    ],
)
def test_an_exit_code_told_by_an_event_goes_with_the_output(
    tmp_path: Path, ended: dict[str, Any]
) -> None:
    output = item("function_call_output", call_id="c", output="no such file")

    reading = read_records(tmp_path, meta(), ended, output)

    assert [m.results[0].exit_code for m in reading.messages] == [3]


def test_of_exit_codes_without_an_output_the_oldest_are_forgotten(
    tmp_path: Path,
) -> None:
    ended = [event("exec_command_end", call_id=f"{n}", exit_code=1) for n in range(60)]
    output = item("function_call_output", call_id="0", output="-")

    reading = read_records(tmp_path, meta(), *ended, output)

    assert [m.results[0].exit_code for m in reading.messages] == [None]


def test_a_long_output_is_kept_at_both_ends_with_its_length(tmp_path: Path) -> None:
    output = "a " * 2_500 + "z"

    reading = read_records(
        tmp_path, meta(), item("function_call_output", call_id="c", output=output)
    )

    (result,) = reading.messages[0].results
    assert (result.size, len(result.output) < 2_500) == (5_001, True)
    assert (result.output[0], result.output[-1]) == ("a", "z")


# The conversation


def test_the_conversation_tells_what_its_records_say(tmp_path: Path) -> None:
    git = {"branch": "main", "repository_url": "https://example.com/r.git"}
    began = "2026-05-01T09:59:58Z"

    reading = read_records(
        tmp_path,
        meta(timestamp=began, cli_version="0.150.0", source="cli", git=git),
        context(model="gpt-1"),
        typed("rename\nit", 1),
        context(2, model="gpt-2", cwd="/elsewhere"),
        said("Done.", 3),
    )

    assert reading.conversation == Conversation(
        native_id=THREAD,
        title="rename it",
        title_origin=TitleOrigin.PROMPT,
        cwd="/home/dev",
        repo="https://example.com/r.git",
        branch="main",
        started_at=datetime(2026, 5, 1, 9, 59, 58, tzinfo=UTC),
        ended_at=datetime(2026, 5, 1, 10, 0, 3, tzinfo=UTC),
        models=("gpt-1", "gpt-2"),
        app_version="0.150.0",
    )


def test_a_title_that_was_given_goes_before_the_first_prompt(tmp_path: Path) -> None:
    named = event("thread_name_updated", thread_id=THREAD, thread_name="Renaming")

    conversation = read_records(
        tmp_path, meta(), typed("rename it"), named
    ).conversation

    assert (conversation.title, conversation.title_origin) == (
        "Renaming",
        TitleOrigin.MODEL,
    )


def test_the_title_of_another_thread_is_not_taken(tmp_path: Path) -> None:
    named = event("thread_name_updated", thread_id=PARENT, thread_name="Other")

    assert read_records(tmp_path, meta(), named).conversation.title is None


def test_a_title_is_one_line_of_at_most_200_characters(tmp_path: Path) -> None:
    conversation = read_records(tmp_path, meta(), typed("word\n" * 100)).conversation

    assert conversation.title == ("word " * 40).strip()


@pytest.mark.parametrize(
    ("fields", "kind", "parent"),
    [
        ({"source": "cli"}, Kind.MAIN, None),
        ({"source": "exec"}, Kind.HEADLESS, None),
        ({"forked_from_id": PARENT}, Kind.FORK, PARENT),
        ({"parent_thread_id": PARENT}, Kind.SUBAGENT, PARENT),
        ({"source": {"subagent": "review"}}, Kind.SUBAGENT, None),
        (
            {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}},
            Kind.SUBAGENT,
            PARENT,
        ),
        (
            {"forked_from_id": PARENT, "thread_source": "subagent"},
            Kind.SUBAGENT,
            PARENT,
        ),
    ],
)
def test_the_kind_of_a_thread_and_its_parent_are_told_by_its_head(
    tmp_path: Path, fields: dict[str, Any], kind: Kind, parent: str | None
) -> None:
    conversation = read_records(tmp_path, meta(**fields)).conversation

    assert (conversation.kind, conversation.parent) == (kind, parent)


def test_the_id_in_the_files_name_wins_among_those_in_its_heads(
    tmp_path: Path,
) -> None:
    reading = read_records(tmp_path, meta(PARENT), meta(THREAD), typed("mine"))

    assert (reading.conversation.native_id, reading.turns) == (
        THREAD,
        [("user", "mine")],
    )


def test_a_rollout_without_a_head_goes_by_its_name(tmp_path: Path) -> None:
    assert read_records(tmp_path, typed("hello")).conversation.native_id == THREAD


def test_a_head_inside_another_object_is_read(tmp_path: Path) -> None:
    head = envelope("session_meta", {"meta": {"id": "inner", "cwd": "/home/dev"}})

    assert read_records(tmp_path, head).conversation.native_id == "inner"


def test_an_empty_rollout_is_no_conversation(tmp_path: Path) -> None:
    assert read_records(tmp_path).batches[0].conversations == ()


def test_what_holds_no_conversation_is_counted(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        envelope("world_state", {"full": True}),
        item("ghost_snapshot", ghost_commit={}),
        item("of_next_month"),
        written("user", " "),
        written("assistant"),
        written("developer"),
        item("message", role="user"),
        item("agent_message"),
        said(""),
        event("token_count", info=None),
        event("exec_command_end", call_id="c"),
        event("item_completed", item={"type": "Plan"}),
        event("item_completed"),
        envelope("compacted", {"message": ""}),
        {"some": "thing"},
    )

    assert reading.messages == []
    assert reading.ignored == {
        "world_state": 1,
        "response_item/ghost_snapshot": 1,
        "response_item/of_next_month": 1,
        "response_item/message": 4,
        "response_item/agent_message": 1,
        "event_msg/agent_message": 1,
        "event_msg/token_count": 1,
        "event_msg/exec_command_end": 1,
        "event_msg/item_completed": 2,
        "compacted": 1,
        "unknown": 1,
    }


# Going back


def test_going_back_names_the_first_prompt_that_no_longer_counts(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        meta(),
        typed("one"),
        typed("two"),
        typed("three"),
        event("thread_rolled_back", num_turns=2),
        event("undo_completed", success=True),
    )

    one, two, _ = (message.native_id for message in reading.messages)
    assert reading.rewinds == [
        Rewind(conversation=THREAD, first=two),
        Rewind(conversation=THREAD, first=one),
    ]


@pytest.mark.parametrize(
    "going_back",
    [
        event("undo_completed", success=False),
        event("thread_rolled_back", num_turns=0),
        event("thread_rolled_back", num_turns="2"),
    ],
)
def test_what_did_not_go_back_supersedes_nothing(
    tmp_path: Path, going_back: dict[str, Any]
) -> None:
    assert read_records(tmp_path, meta(), typed("one"), going_back).rewinds == []


@pytest.mark.parametrize(
    "prompt",
    [
        [written("user", "reef the sail"), typed("reef the sail")],
        [written("user", "reef the sail")],
        [typed("reef the sail")],
    ],
)
def test_a_prompt_written_again_when_its_turn_was_broken_off_comes_once(
    tmp_path: Path, prompt: list[dict[str, Any]]
) -> None:
    aborted = written("user", "<turn_aborted>\nby the user\n</turn_aborted>")

    reading = read_records(
        tmp_path, meta(), *prompt, aborted, event("turn_aborted"), *prompt, said("Ok.")
    )

    assert reading.turns == [("user", "reef the sail"), ("assistant", "Ok.")]


@pytest.mark.parametrize(
    "between",
    [
        [said("Half of it"), event("turn_aborted")],
        [event("turn_aborted"), typed("no, wait")],
        [context()],
    ],
)
def test_a_prompt_that_was_sent_again_later_stays_twice(
    tmp_path: Path, between: list[dict[str, Any]]
) -> None:
    reading = read_records(tmp_path, meta(), typed("go on"), *between, typed("go on"))

    assert [turn for turn in reading.turns if turn[1] == "go on"] == [
        ("user", "go on")
    ] * 2


def test_the_same_prompt_after_going_back_is_a_new_one(tmp_path: Path) -> None:
    prompt = [written("user", "try"), typed("try"), written("assistant", "Ok")]
    back = event("thread_rolled_back", num_turns=1)

    reading = read_records(tmp_path, meta(), *prompt, back, *prompt)

    assert reading.turns == [("user", "try"), ("assistant", "Ok")] * 2


# Usage


def test_a_call_counted_twice_in_the_file_is_one_call(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, meta(), context(model="gpt-1"), *[tokens(1000, 1000, cached=600)] * 2
    )

    assert reading.usage == [
        Usage(
            conversation=THREAD,
            call_id=f"{THREAD}#0-1000-600-100-10",
            model="gpt-1",
            at=datetime(2026, 5, 1, 10, tzinfo=UTC),
            input=400,
            cache_read=600,
            output=100,
            reasoning=10,
            lines=2,
            counted_by="last when total changed",
        )
    ]


@pytest.mark.parametrize(
    ("counted", "inputs"),
    [
        ([tokens(100, 100), tokens(300, 200)], [100, 200]),
        ([tokens(300, 300), tokens(100, 40)], [300, 40]),
        ([tokens(100, None), tokens(300, None)], [100, 200]),
        ([tokens(300, None), tokens(100, None)], [300, 100]),
        ([tokens(300, 0), tokens(400, 100)], [100]),
        ([tokens(300, 0), tokens(300, 0)], []),
        ([tokens(100, 100), event("token_count", info=None)], [100]),
        ([tokens(900, 900), tokens(200, 200), tokens(200, 200)], [900, 200]),
        ([event("token_count", info={"prompt": 7, "completion": 1})], [7]),
        ([event("turn.completed", usage={"input_tokens": 5})] * 2, [5, 5]),
        ([event("token_count", info={"total_token_usage": None})], []),
    ],
)
def test_a_call_is_what_the_last_one_took_when_the_total_has_changed(
    tmp_path: Path, counted: list[dict[str, Any]], inputs: list[int]
) -> None:
    reading = read_records(tmp_path, meta(), *counted)

    assert [usage.input for usage in reading.usage] == inputs


def test_a_call_is_known_by_its_total_wherever_it_stands(tmp_path: Path) -> None:
    """Codex rewrites rollouts in place: what was counted before stays counted."""
    counted = [tokens(100, 100), tokens(300, 200), tokens(80, 80)]

    before = read_records(tmp_path, meta(), *counted).usage
    after = read_records(tmp_path, meta(), typed("hm"), *counted).usage

    assert before == after


def test_calls_that_come_to_the_same_total_again_are_told_apart(
    tmp_path: Path,
) -> None:
    fallen = [tokens(100, 100), tokens(50, 50), tokens(100, 50)]
    untold = [event("turn.completed", usage={"input_tokens": 5})] * 2

    usage = read_records(tmp_path, meta(), *fallen, *untold).usage

    assert [call.input for call in usage] == [100, 50, 50, 5, 5]


def test_a_call_without_a_time_is_dated_by_its_thread(tmp_path: Path) -> None:
    line = tokens(100, 100)
    del line["timestamp"]

    (usage,) = read_records(tmp_path, meta(), line).usage

    assert usage.at == datetime(2026, 5, 1, 10, tzinfo=UTC)


# Forks and subagents


def copied(*, turn: str | None = None) -> list[dict[str, Any]]:
    """The start of a fork: the parent's lines, stamped anew in one burst."""
    fields: dict[str, Any] = {"turn_id": turn} if turn else {}
    return [
        meta(forked_from_id=PARENT),
        meta(PARENT),
        context(**fields),
        written("user", "the parent's prompt"),
        typed("the parent's prompt"),
        said("The parent's reply."),
        tokens(1000, 1000),
    ]


def test_a_parents_lines_are_not_read_again_nor_counted(tmp_path: Path) -> None:
    reading = read_records(
        tmp_path, *copied(), context(5), typed("my own", 5), tokens(1500, 500)
    )

    assert reading.turns == [("user", "my own")]
    assert [usage.input for usage in reading.usage] == [500]


def test_a_fork_that_has_only_copies_says_nothing(tmp_path: Path) -> None:
    reading = read_records(tmp_path, *copied())

    assert (reading.messages, reading.usage) == ([], [])
    assert reading.conversation.kind is Kind.FORK


def test_turns_older_than_the_thread_are_its_parents(tmp_path: Path) -> None:
    """Ids of version 7 tell when they were made; a subagent makes no pause."""
    own_turn = "019c0000-3000-7000-8000-000000000004"
    older_turn = "019c0000-0500-7000-8000-000000000005"

    reading = read_records(
        tmp_path,
        *copied(turn=older_turn),
        event("task_started", turn_id=own_turn),
        written("user", "look into it"),
        typed("look into it"),
    )

    assert reading.turns == [("user", "look into it")]


def test_a_prompt_before_the_line_that_tells_the_turn_is_kept(tmp_path: Path) -> None:
    own_turn = "019c0000-3000-7000-8000-000000000004"

    reading = read_records(
        tmp_path,
        *copied(),
        written("developer", "be brief"),
        written("user", "look into it"),
        typed("look into it"),
        context(turn_id=own_turn),
        said("I did."),
    )

    assert reading.turns == [("user", "look into it"), ("assistant", "I did.")]


def test_a_fork_copied_without_its_parents_head_is_told_by_its_turns(
    tmp_path: Path,
) -> None:
    older_turn = "019c0000-0500-7000-8000-000000000005"

    reading = read_records(
        tmp_path,
        meta(forked_from_id=PARENT),
        context(turn_id=older_turn),
        typed("the parent's prompt"),
        said("The parent's reply."),
        context(5, turn_id="zzzzzzzz-zzzz-7zzz-zzzz-zzzzzzzzzzzz"),
        typed("my own", 5),
    )

    assert reading.turns == [("user", "my own")]


def test_a_thread_that_inherits_nothing_keeps_its_older_turns(tmp_path: Path) -> None:
    older_turn = "019c0000-0500-7000-8000-000000000005"

    reading = read_records(tmp_path, meta(), context(turn_id=older_turn), typed("mine"))

    assert reading.turns == [("user", "mine")]


def test_another_head_in_the_middle_of_a_thread_drops_nothing(tmp_path: Path) -> None:
    reading = read_records(tmp_path, meta(), said("One."), meta(PARENT), said("Two."))

    assert reading.turns == [("assistant", "One."), ("assistant", "Two.")]


def test_copies_that_kept_their_times_are_older_than_the_thread(
    tmp_path: Path,
) -> None:
    reading = read_records(
        tmp_path,
        meta(forked_from_id=PARENT, timestamp="2026-05-01T10:01:00Z"),
        meta(PARENT),
        context(3),
        typed("the parent's prompt", 5),
        said("The parent's reply.", 20),
        context(70),
        typed("my own", 70),
    )

    assert reading.turns == [("user", "my own")]


def test_lines_without_a_time_are_not_taken_for_copies(tmp_path: Path) -> None:
    line = typed("mine")
    del line["timestamp"]

    assert read_records(tmp_path, meta(), meta(PARENT), line).turns == [
        ("user", "mine")
    ]


# Rollouts of 2025


def test_a_rollout_without_envelopes_is_read(tmp_path: Path) -> None:
    name = "rollout-2025-08-27T19-44-13-b0000000-0000-4000-8000-000000000001.jsonl"
    thread = "b0000000-0000-4000-8000-000000000001"
    environment = (
        "<environment_context>\nCurrent working directory: /home/dev/acme\n"
        "</environment_context>"
    )

    reading = read_records(
        tmp_path,
        {"id": thread, "timestamp": "2025-08-27T17:44:13Z", "git": {"branch": "old"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"text": environment}]},
        {"type": "message", "role": "user", "content": [{"text": "a question"}]},
        {"role": "assistant", "content": [{"text": "an answer"}]},
        name=name,
    )

    began = datetime(2025, 8, 27, 17, 44, 13, tzinfo=UTC)
    assert reading.conversation == Conversation(
        native_id=thread,
        title="a question",
        title_origin=TitleOrigin.PROMPT,
        cwd="/home/dev/acme",
        branch="old",
        started_at=began,
    )
    assert [(m.text, m.at, m.approximate_time) for m in reading.messages[1:]] == [
        ("a question", began, True),
        ("an answer", began, True),
    ]


def test_without_any_time_the_files_name_tells_about_when(tmp_path: Path) -> None:
    reading = read_records(tmp_path, {"role": "assistant", "content": "hello"})

    (message,) = reading.messages
    assert (message.at, message.approximate_time) == (
        datetime(2026, 5, 1, 10, tzinfo=UTC),
        True,
    )


def document(folder: Path, value: Any) -> Path:
    path = folder / "rollout-2025-05-01-whole.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_rollout_that_is_one_document_is_read(tmp_path: Path) -> None:
    path = document(
        tmp_path,
        {
            "session": {"id": "whole", "timestamp": "2025-05-01T10:00:00Z"},
            "items": [
                {"type": "message", "role": "user", "content": [{"text": "hi"}]},
                "no item",
                {"type": "message", "role": "assistant", "content": [{"text": "ho"}]},
            ],
        },
    )

    reading = read(path)

    assert [(m.native_id, m.text, m.origin) for m in reading.messages] == [
        ("whole@0", "hi", Origin(path="items[0]")),
        ("whole@2", "ho", Origin(path="items[2]")),
    ]


def test_a_long_document_comes_in_batches(tmp_path: Path) -> None:
    items = [{"role": "assistant", "content": f"{n}"} for n in range(450)]

    reading = read(document(tmp_path, {"session": {}, "items": items}))

    assert [(type(b), len(b.records)) for b in reading.batches] == [
        (Replace, 200),
        (Append, 200),
        (Append, 50),
    ]


@pytest.mark.parametrize("value", [[], {"session": {}}, {"session": 1, "items": []}])
def test_a_document_that_is_no_rollout_is_refused(tmp_path: Path, value: Any) -> None:
    path = document(tmp_path, value)

    with pytest.raises(UnreadableUnitError, match="it holds no session and items"):
        read(path)


def test_a_document_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rollout-2025-05-01-torn.json"
    path.write_text('{"session": ', encoding="utf-8")

    with pytest.raises(UnreadableUnitError, match="it is not valid JSON"):
        read(path)


def test_a_document_too_large_to_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rollout-2025-05-01-large.json"
    with path.open("wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)

    with pytest.raises(UnreadableUnitError, match="larger than 16 MB"):
        read(path)


# Reading while the file grows


def test_a_reading_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(lines_of([meta(), typed("one"), said("1")]))
    before = read(path)
    with path.open("ab") as file:
        file.write(lines_of([written("assistant", "1"), typed("two")]))

    after = read(path, before.checkpoint)

    assert [type(batch) for batch in after.batches] == [Append]
    assert after.turns == [("user", "two")]


def test_a_prompt_read_before_its_event_came_is_the_same_message(
    tmp_path: Path,
) -> None:
    path = tmp_path / NAME
    path.write_bytes(lines_of([meta(), written("user", "one")]))
    before = read(path)
    with path.open("ab") as file:
        file.write(lines_of([typed("one")]))

    after = read(path, before.checkpoint)

    assert after.messages == before.messages


def test_many_items_that_wait_for_an_event_are_let_go(tmp_path: Path) -> None:
    """What is held back is part of every checkpoint, so it has to be bounded."""
    path = tmp_path / NAME
    prompts = [written("user", f"prompt {n}") for n in range(60)]
    path.write_bytes(lines_of([meta(), *prompts, written("developer", "x")]))

    reading = read(path)

    assert len(reading.turns) == 60
    assert len(reading.checkpoint.state["prompts"]["held"]) < 50


def test_injected_text_beside_held_prompts_never_grows_without_bound(
    tmp_path: Path,
) -> None:
    path = tmp_path / NAME
    noise = [written("developer", f"rule {n}") for n in range(60)]
    path.write_bytes(lines_of([meta(), written("user", "prompt"), *noise]))

    reading = read(path)

    assert reading.turns == [("user", "prompt")]
    assert len(reading.noise) == 60
    assert reading.checkpoint.state["prompts"]["held"] == []


WORDS = st.sampled_from(["go on", "a", "b", AGENTS, f"{ENVIRONMENT}\na", "<x>a</x>"])
SECONDS = st.sampled_from([0, 0.01, 1, 5])
RECORDS = st.one_of(
    st.builds(typed, WORDS, SECONDS),
    st.builds(said, WORDS, SECONDS),
    st.builds(
        lambda role, text, second: written(role, text, second=second),
        st.sampled_from(["user", "assistant", "developer"]),
        WORDS,
        SECONDS,
    ),
    st.builds(tokens, st.sampled_from([100, 200]), st.sampled_from([0, 50, None])),
    st.builds(
        lambda code: event("exec_command_end", call_id="c", exit_code=code),
        st.integers(0, 2),
    ),
    st.builds(meta, st.sampled_from([THREAD, PARENT])),
    st.sampled_from(
        [
            context(),
            context(5, turn_id="019c0000-0500-7000-8000-000000000005"),
            context(5, turn_id="019c0000-3000-7000-8000-000000000004"),
            item("function_call_output", call_id="c", output="-"),
            event("agent_reasoning", text="a"),
            item("reasoning", summary=[{"text": "a"}, {"text": "b"}]),
            event("thread_rolled_back", num_turns=1),
            event("turn_aborted"),
            envelope("world_state", {}),
        ]
    ),
)


@settings(deadline=None, max_examples=200)
@given(st.lists(RECORDS, max_size=14), st.booleans(), st.data())
def test_a_rollout_read_as_it_grows_comes_to_the_same_as_read_at_once(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[dict[str, Any]],
    is_fork: bool,
    data: st.DataObject,
) -> None:
    path = tmp_path_factory.mktemp("growing") / NAME
    head = meta(forked_from_id=PARENT) if is_fork else meta()
    content = lines_of([head, *records])
    cuts = data.draw(st.lists(st.integers(0, len(content)), max_size=5))

    grown = read_in_pieces(path, content, cuts)

    path.write_bytes(content)
    assert everything(grown) == everything(read(path))


def everything(reading: Reading) -> tuple[Any, ...]:
    def by_place(message: Message) -> tuple[int, str]:
        return message.origin.offset, message.native_id

    return (
        sorted(reading.messages, key=by_place),
        reading.usage,
        {rewind.first for rewind in reading.rewinds},
        reading.conversation,
        reading.checkpoint,
    )


# Real rollouts


def samples() -> list[Path]:
    kinds = ("*.jsonl", "rollout-*.json", "rollout-*.jsonl.zst")
    return sorted(sample for kind in kinds for sample in SAMPLES.rglob(kind))


@pytest.mark.parametrize(
    "sample", samples() or [None], ids=lambda path: path and path.name[-40:]
)
def test_a_real_rollout_has_every_turn_once_and_ids_that_differ(
    sample: Path | None,
) -> None:
    if sample is None:
        pytest.skip("the samples are not there: set QUOTH_SHARED")
    parts = [*Codex().read(unit_of(sample), None)]

    records = [
        record
        for part in parts
        if isinstance(part, Append | Replace)
        for record in part.records
        if isinstance(record, Message)
    ]
    ids = [message.native_id for message in records]
    assert len(ids) == len(set(ids))
    spoken = [(m.role, m.text, m.at) for m in records if m.noise is None and m.text]
    assert [m for m in spoken if m[1].startswith("<")] == []
