"""Sessions of Gemini CLI: documents, logs of operations, and what is left of them."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import archive_in, assert_consistent, later, rows, texts
from tests.builders import found as found_in
from tests.sources import gemini_records
from tests.sources.gemini_records import (
    NAME,
    SESSION,
    answered,
    at,
    call,
    change,
    chats,
    document,
    found,
    header,
    lines,
    log,
    read,
    rewind,
    said,
    tokens,
    unit_of,
)

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Fact,
    FileTouch,
    Include,
    Kind,
    Message,
    Noise,
    Origin,
    Outcome,
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
from quoth.sources import _gemini_fold
from quoth.sources.gemini_cli import GeminiCli

SHARED = Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")
SAMPLES = sorted((SHARED / "samples" / "gemini-cli").glob("*.json*"))
KEY = f"gemini_cli:{SESSION}"
PARENT = "00000000-0000-4000-8000-0000000000bb"
LONG_ID = "5b9afa41-4e4f-429c-82f6-20b8e1459d54"


def spoken(path: Path) -> list[tuple[str, str]]:
    return [(message.role.value, message.text) for message in read(path).messages]


def prompt_of(folder: Path, content: Any, **more: Any) -> list[Message]:
    return read(log(folder, said("m1", content, **more))).messages


def told(message: Message) -> tuple[Role, str, Noise | None, bool]:
    return (message.role, message.text, message.noise, message.is_command)


def an_archive(folder: Path) -> Archive:
    return Archive(
        archive_in(folder),
        roots={"gemini_cli": [folder / ".gemini" / "tmp"]},
        sources=[GeminiCli()],
        embedder=HashEmbedder(),
        clock=later,
    )


# Where sessions are


def test_sessions_are_looked_for_below_the_home_folder() -> None:
    roots = GeminiCli().default_roots({}, home=Path("/home/dev"))

    assert roots == (Path("/home/dev/.gemini/tmp"),)


def test_the_environment_may_name_another_home() -> None:
    named = {"GEMINI_CLI_HOME": "/srv/gem"}

    roots = GeminiCli().default_roots(named, home=Path("/home/dev"))

    assert roots == (Path("/srv/gem/.gemini/tmp"),)


def test_only_sessions_and_logs_of_subagents_are_found(tmp_path: Path) -> None:
    folder = chats(tmp_path)
    names = (
        f"{NAME}.jsonl",
        "session-2026-05-01T11-00-00000001.json",
        f"{PARENT}/x9.jsonl",
        f"{PARENT}/x9.txt",
        "session-2026-05-01T11-00-00000002.json.unreadable-1777629600000",
        "notes.json",
        "../logs.json",
        "../checkpoint-tag.json",
        "../logs/session-00000000.jsonl",
        "../shell.jsonl",
    )
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")

    assert sorted(found(tmp_path / ".gemini" / "tmp")) == sorted(
        folder / name for name in names[:3]
    )


def test_a_log_goes_before_the_document_it_was_resumed_from(tmp_path: Path) -> None:
    document(tmp_path, said("m1", "a long document " * 50))
    resumed = log(tmp_path, said("m1", "short"))

    assert found(tmp_path) == [resumed]


def test_one_name_in_two_projects_may_be_two_sessions(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    for project, session in (("harbor", SESSION), ("hull", PARENT)):
        path = chats(tmp_path, project) / f"{NAME}.jsonl"
        path.write_bytes(lines(header(sessionId=session), said("m1", project)))

    archive.sync()

    assert texts(archive, f"gemini_cli:{SESSION}") == ["harbor"]
    assert texts(archive, f"gemini_cli:{PARENT}") == ["hull"]


def test_subagents_of_one_name_under_two_sessions_are_two(tmp_path: Path) -> None:
    paths = [chats(tmp_path) / parent / "x9.jsonl" for parent in (PARENT, SESSION)]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(lines(header()))

    assert sorted(found(tmp_path)) == sorted(paths)


def test_a_folder_of_copied_sessions_can_be_named(tmp_path: Path) -> None:
    copied = tmp_path / "backup" / f"{NAME}.json"
    copied.parent.mkdir()
    copied.write_text("{}")

    assert found(copied.parent) == [copied]
    assert found(tmp_path) == []


def test_a_file_can_be_named_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text("{}")

    assert found(path) == [path]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", lines(header()), True),
        ("a.jsonl", lines(answered("m1", "words")), True),
        ("a.jsonl", lines(said("m1", "words")), False),
        ("a.jsonl", lines({"sessionId": "s", "type": "user", "uuid": "u"}), False),
        ("a.json", json.dumps(header(messages=[])).encode(), True),
        ("a.json", json.dumps(header()).encode(), False),
        ("a.json", b'[{"role": "user", "content": "q"}]', False),
        ("a.json", b"{torn", False),
    ],
)
def test_a_named_file_is_recognised_by_what_it_holds(
    tmp_path: Path, name: str, content: bytes, expected: bool
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    assert GeminiCli().recognises(unit_of(path)) is expected


def test_a_torn_document_in_its_own_place_is_not_left_to_other_sources(
    tmp_path: Path,
) -> None:
    path = chats(tmp_path) / f"{NAME}.json"
    path.write_text("{torn")

    with pytest.raises(UnreadableUnitError):
        GeminiCli().recognises(unit_of(path))


def test_the_format_tells_all_but_branches() -> None:
    assert GeminiCli().facts == frozenset(Fact) - {Fact.BRANCHES}


# Who said what


def test_a_document_yields_its_turns_in_order(tmp_path: Path) -> None:
    path = document(tmp_path, said("m1", "the question"), answered("m2", "the answer"))

    assert spoken(path) == [("user", "the question"), ("assistant", "the answer")]


def test_a_log_yields_its_turns_in_order(tmp_path: Path) -> None:
    path = log(tmp_path, said("m1", "the question"), answered("m2", "the answer"))

    assert spoken(path) == [("user", "the question"), ("assistant", "the answer")]


@pytest.mark.parametrize(
    "content",
    ["first\nsecond", {"text": "first\nsecond"}, [{"text": "first"}, "second"]],
)
def test_content_is_a_text_a_part_or_a_list_of_both(
    tmp_path: Path, content: Any
) -> None:
    assert [message.text for message in prompt_of(tmp_path, content)] == [
        "first\nsecond"
    ]


def test_a_message_has_its_time_its_model_and_its_place(tmp_path: Path) -> None:
    path = log(tmp_path, answered(LONG_ID, "words", 65))

    offset = len(lines(header()))
    assert read(path).messages == [
        Message(
            conversation=SESSION,
            native_id=LONG_ID,
            role=Role.ASSISTANT,
            text="words",
            at=datetime(2026, 5, 1, 10, 1, 5, tzinfo=UTC),
            model="gemini-test",
            origin=Origin(offset=offset, length=path.stat().st_size - offset - 1),
        )
    ]


@pytest.mark.parametrize("identifier", ["m1", "message-number-0000000001"])
def test_an_id_that_is_no_uuid_is_only_unique_together_with_its_session(
    tmp_path: Path, identifier: str
) -> None:
    (message,) = prompt_of(tmp_path, "words", id=identifier)

    assert message.native_id == f"{SESSION}#{identifier}"


def test_a_message_without_an_id_is_known_by_its_place(tmp_path: Path) -> None:
    (message,) = read(log(tmp_path, said("", "words"))).messages

    assert message.native_id == f"{SESSION}#@{len(lines(header()))}"


def test_a_message_without_a_time_has_that_of_the_session(tmp_path: Path) -> None:
    (message,) = prompt_of(tmp_path, "words", timestamp="yesterday")

    assert message.at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert message.approximate_time


def test_where_no_time_is_known_none_is_made_up(tmp_path: Path) -> None:
    start = {"sessionId": SESSION}
    path = log(tmp_path, said("m1", "words", timestamp=None), start=start)

    (message,) = read(path).messages

    assert (message.at, message.approximate_time) == (None, False)


def test_what_was_shown_is_what_was_typed(tmp_path: Path) -> None:
    shown = "explain @keel.py"
    content = [{"text": shown}, {"text": "\nprint('keel')\n"}]

    context, prompt = prompt_of(tmp_path, content, displayContent=shown)

    assert told(prompt) == (Role.USER, shown, None, False)
    assert told(context) == (Role.SYSTEM, "print('keel')", Noise.INJECTED, False)
    assert context.native_id == f"{prompt.native_id}#context"


def test_files_that_a_prompt_refers_to_are_not_the_persons_words(
    tmp_path: Path,
) -> None:
    content = [
        {"text": "explain @keel.py"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @keel.py:\nprint('keel')"},
        {"text": "\n--- End of content ---"},
    ]

    context, prompt = prompt_of(tmp_path, content)

    assert told(prompt) == (Role.USER, "explain @keel.py", None, False)
    assert context.noise is Noise.INJECTED
    assert "print('keel')" in context.text


@pytest.mark.parametrize(
    "text",
    [
        "<session_context>\nToday is Friday.\n</session_context>",
        "<session_context>\nnever closed",
        "<hook_context>lint: clean</hook_context>",
        "<some_reminder>be brief</some_reminder>",
        "System: Please continue.",
        "System: Potential loop detected. Details: the same call again.",
        "This is the Gemini CLI. We are setting up the context for our chat.",
        "Here is the user's editor context as a JSON object.",
    ],
)
def test_what_the_program_says_by_itself_is_noise(tmp_path: Path, text: str) -> None:
    (message,) = prompt_of(tmp_path, text)

    assert told(message) == (Role.SYSTEM, text, Noise.INJECTED, False)
    assert message.native_id == f"{SESSION}#m1"


def test_a_summary_after_a_compression_is_noise(tmp_path: Path) -> None:
    text = "<state_snapshot>\n<goal>keel</goal>\n</state_snapshot>"

    (message,) = prompt_of(tmp_path, text)

    assert message.noise is Noise.SUMMARY


@pytest.mark.parametrize(
    "content",
    [
        "<hook_context>lint</hook_context>\nmend the keel",
        "mend the keel\n\n<hook_context>lint</hook_context>",
        [{"text": "mend the keel"}, {"text": "<hook_context>lint</hook_context>"}],
    ],
)
def test_context_around_a_prompt_is_taken_off(tmp_path: Path, content: Any) -> None:
    context, prompt = prompt_of(tmp_path, content)

    assert told(prompt) == (Role.USER, "mend the keel", None, False)
    assert told(context)[1:3] == ("<hook_context>lint</hook_context>", Noise.INJECTED)


@pytest.mark.parametrize(
    "text",
    [
        "System: Please continue. with the keel",
        "I ran the following shell command:\n```sh\nls",
        "<div>markup they pasted</div>",
        "<some_tag> opens and does not close",
        "why is <session_context> there?",
        "/home/dev/keel.py fails",
        "/home/dev/keel.py",
        "// a comment",
        "?? why",
    ],
)
def test_what_only_looks_like_it_stays_the_persons(tmp_path: Path, text: str) -> None:
    (message,) = prompt_of(tmp_path, text)

    assert told(message) == (Role.USER, text, None, False)


def test_a_wrapped_prompt_is_unwrapped(tmp_path: Path) -> None:
    (message,) = prompt_of(tmp_path, "<user_query>\nmend it\n</user_query>")

    assert told(message) == (Role.USER, "mend it", None, False)


@pytest.mark.parametrize("text", ["/clear", "/mcp:list", "/?", "?"])
def test_a_command_alone_says_nothing(tmp_path: Path, text: str) -> None:
    (message,) = prompt_of(tmp_path, text)

    assert told(message) == (Role.USER, text, Noise.META, True)


def test_a_command_with_words_is_a_prompt(tmp_path: Path) -> None:
    (message,) = prompt_of(tmp_path, "/plan tidy the rigging")

    assert told(message) == (Role.USER, "/plan tidy the rigging", None, True)


def test_a_command_run_in_the_shell_is_typed_and_its_output_is_not(
    tmp_path: Path,
) -> None:
    text = (
        "I ran the following shell command:\n```sh\nls keel\n```\n\n"
        "This produced the following output:\n```\nkeel.py\n```"
    )

    typed, printed = prompt_of(tmp_path, text)

    assert told(typed) == (Role.USER, "!ls keel", None, True)
    assert told(printed) == (Role.SYSTEM, "keel.py", Noise.COMMAND_OUTPUT, False)


@pytest.mark.parametrize("kind", ["info", "warning", "error"])
def test_notices_are_noise(tmp_path: Path, kind: str) -> None:
    (message,) = read(log(tmp_path, said("m1", "an update", type=kind))).messages

    assert told(message) == (Role.SYSTEM, "an update", Noise.META, False)


def test_attachments_are_named_and_not_kept(tmp_path: Path) -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "QUJD" * 200}}
    other = {"fileData": {"mimeType": "a b c", "fileUri": "gs://keel"}}

    (message,) = prompt_of(tmp_path, [{"text": "look"}, picture, other])

    assert message.text == "look\n[image/png]\n[attachment]"


def test_thoughts_are_reasoning(tmp_path: Path) -> None:
    thoughts = [
        {"subject": "Planning", "description": "I need the keel.", "timestamp": at(2)},
        {"description": "Now the mast."},
        {"timestamp": at(2)},
        "nothing that is known",
    ]
    content = [{"text": "and the sail", "thought": True}, {"text": "done"}]

    (message,) = read(
        log(tmp_path, answered("m1", content, thoughts=thoughts))
    ).messages

    assert message.text == "done"
    assert message.reasoning == (
        "Planning\nI need the keel.\n\nNow the mast.\n\nand the sail"
    )


def test_an_answer_that_says_nothing_yet_is_no_message(tmp_path: Path) -> None:
    reading = read(log(tmp_path, answered("m1")))

    assert reading.messages == []
    assert reading.batches[0].ignored == {"metadata": 1, "empty": 1}


def test_records_of_an_unknown_type_are_counted(tmp_path: Path) -> None:
    unknown = [{"type": "telemetry"}, {"type": "a b c"}, {"keel": 1}]
    listed = change(messages=[said("m1", "words"), {"type": "telemetry"}, 7])

    reading = read(log(tmp_path, *unknown, listed))

    assert reading.batches[0].ignored == {"metadata": 1, "telemetry": 1, "other": 4}


# Tools


def test_a_call_and_what_came_back_are_told_apart(tmp_path: Path) -> None:
    made = call("read_file", "the keel", args={"file_path": "keel.py"})

    asked, answer = read(
        log(tmp_path, answered("m1", "I look.", toolCalls=[made]))
    ).messages

    assert asked.calls == (
        ToolCall(
            call_id="read_file-1",
            name="read_file",
            input="keel.py",
            touches=(FileTouch(path="keel.py", action=Touch.READ),),
        ),
    )
    assert (answer.role, answer.text) == (Role.TOOL, "the keel")
    assert answer.results == (
        ToolResult(call_id="read_file-1", output="the keel", size=8, is_error=False),
    )
    assert answer.native_id == f"{asked.native_id}#0"
    assert answer.at == datetime(2026, 5, 1, 10, 0, 9, tzinfo=UTC)


def result_of(folder: Path, made: dict[str, Any]) -> ToolResult:
    _, answer = read(log(folder, answered("m1", toolCalls=[made]))).messages
    return answer.results[0]


SHELL = "Command: make\nDirectory: (root)\nOutput: {}\nError: (none)\n"
TRAILER = "\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 26593"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (SHELL + "Exit Code: 2" + TRAILER, 2),
        (SHELL + "Exit Code: 0" + TRAILER, 0),
        ("Output: done\nExit Code: 127\nProcess Group PGID: 1", 127),
        ("Output: done\nProcess Group PGID: 1", None),
        (SHELL + "Exit Code: (none)\nSignal: 9", None),
        ("Output: Exit Code: 3\nand more\nProcess Group PGID: 1", None),
        ("Output: \nExit Code: 3\nand more\nProcess Group PGID: 1", None),
    ],
)
def test_an_exit_code_is_kept_when_it_was_written_down(
    tmp_path: Path, output: str, expected: int | None
) -> None:
    made = call("run_shell_command", output, args={"command": "make"})

    assert result_of(tmp_path, made).exit_code == expected


def test_a_picture_in_a_result_is_not_kept(tmp_path: Path) -> None:
    made = call("web_fetch", "data:image/png;base64," + "QUJDabc1" * 100)

    assert result_of(tmp_path, made).output == "[image/png]"


def test_only_a_shell_has_exit_codes(tmp_path: Path) -> None:
    made = call("read_file", "log\nExit Code: 3")

    assert result_of(tmp_path, made).exit_code is None


def test_a_shell_names_its_command(tmp_path: Path) -> None:
    made = call("run_shell_command", "", args={"command": "make keel"})

    message = read(log(tmp_path, answered("m1", toolCalls=[7, made]))).messages[0]

    assert message.calls[0].command == "make keel"


def test_what_was_changed_in_a_file_is_part_of_the_result(tmp_path: Path) -> None:
    display = {"fileDiff": "-keel\n+hull", "fileName": "a.py", "newContent": "x" * 99}
    made = call("replace", "Modified.", resultDisplay=display)

    assert result_of(tmp_path, made).output == "Modified.\n\n-keel\n+hull"


@pytest.mark.parametrize(
    ("output", "display"),
    [
        ("Successfully created and wrote to new file: /home/dev/a.py.", None),
        ("Written.", {"fileDiff": "+a", "isNewFile": True}),
    ],
)
def test_a_new_file_is_created_not_only_written(
    tmp_path: Path, output: str, display: Any
) -> None:
    made = call("write_file", output, args={"file_path": "a.py"}, resultDisplay=display)

    assert result_of(tmp_path, made).touches == (
        FileTouch(path="a.py", action=Touch.CREATE),
    )


@pytest.mark.parametrize(
    ("made", "output", "is_error"),
    [
        (
            {"result": None, "resultDisplay": "shown", "status": "success"},
            "shown",
            False,
        ),
        ({"result": [{"text": "plain"}], "status": "success"}, "plain", False),
        ({"result": None, "status": "error"}, "", True),
        ({"result": {"functionResponse": {"response": 7}}}, "", None),
        (
            {
                "result": [{"functionResponse": {"response": {"error": "no such"}}}],
                "status": "cancelled",
            },
            "no such",
            None,
        ),
        (
            {"result": {"functionResponse": {"response": {"content": ["a", "b"]}}}},
            "a\nb",
            None,
        ),
        (
            {"result": [{"functionResponse": {"response": {"rows": ["a", "b"]}}}]},
            "a\nb",
            None,
        ),
    ],
)
def test_results_come_in_many_shapes(
    tmp_path: Path, made: dict[str, Any], output: str, is_error: bool | None
) -> None:
    result = result_of(tmp_path, call("web_fetch") | made)

    assert (result.output, result.is_error) == (output, is_error)


@pytest.mark.parametrize("status", ["executing", "success"])
def test_a_call_without_a_result_has_none(tmp_path: Path, status: str) -> None:
    path = log(tmp_path, answered("m1", toolCalls=[call("read_file", status=status)]))

    assert [message.role for message in read(path).messages] == [Role.ASSISTANT]


def test_calls_and_results_as_parts_of_a_content_are_read_too(tmp_path: Path) -> None:
    asked = {"functionCall": {"id": "c1", "name": "glob", "args": {"pattern": "*.py"}}}
    response = {"id": "c1", "name": "glob", "response": {"output": "keel.py"}}

    first, second = read(
        log(
            tmp_path,
            answered("m1", [asked]),
            said("m2", [{"functionResponse": response}]),
        )
    ).messages

    assert first.calls == (ToolCall(call_id="c1", name="glob", input="*.py"),)
    assert second.role is Role.TOOL
    assert second.results == (ToolResult(call_id="c1", output="keel.py", size=7),)


def test_a_result_as_a_part_has_its_exit_code(tmp_path: Path) -> None:
    output = "Output: done\nExit Code: 2\nProcess Group PGID: 1"
    response = {"name": "run_shell_command", "response": {"output": output}}

    (message,) = prompt_of(tmp_path, [{"functionResponse": response}])

    assert message.results[0].exit_code == 2


def test_a_call_noted_twice_in_one_record_is_one(tmp_path: Path) -> None:
    part = {"functionCall": {"id": "read_file-1", "name": "read_file", "args": {}}}
    made = call("read_file", "the keel")

    messages = read(log(tmp_path, answered("m1", [part], toolCalls=[made]))).messages

    assert len(messages[0].calls) == 1


# What a log says to do


def test_a_message_written_again_is_one_in_its_last_version(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        said("m1", "the question"),
        answered("m2", "the ans"),
        said("m3", "go on"),
        answered("m2", "the answer"),
    )

    assert spoken(path) == [
        ("user", "the question"),
        ("assistant", "the answer"),
        ("user", "go on"),
    ]


def test_a_rewind_drops_a_message_and_all_after_it(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        said("m1", "kept"),
        said("m2", "dropped"),
        answered("m3", "dropped too"),
        rewind("m2"),
        said("m4", "instead"),
    )

    assert read(path).live == ["kept", "instead"]


def test_what_was_dropped_is_told_last_and_taken_back(tmp_path: Path) -> None:
    """Nothing live follows the rewind: in a copy of the file it would go with it."""
    path = log(
        tmp_path,
        said("m1", "kept"),
        said("m2", "dropped"),
        answered("m3", "dropped too"),
        rewind("m2"),
        said("m4", "instead"),
    )

    records = read(path).records

    assert records.pop() == Rewind(conversation=SESSION, first=f"{SESSION}#m2")
    said_in_order = [each.text for each in records if isinstance(each, Message)]
    assert said_in_order == ["kept", "instead", "dropped", "dropped too"]


def test_dropped_messages_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        answered("m1", "fir"),
        said("m2", "second"),
        answered("m1", "first"),
        rewind("m1"),
    )

    assert [each.text for each in read(path).messages] == ["second", "first"]


def test_a_rewind_at_the_end_drops_too(tmp_path: Path) -> None:
    path = log(tmp_path, said("m1", "kept"), said("m2", "dropped"), rewind("m2"))

    assert read(path).live == ["kept"]


def test_a_rewind_to_nothing_known_drops_all(tmp_path: Path) -> None:
    path = log(
        tmp_path, said("m1", "a"), said("m2", "b"), rewind("m9"), said("m3", "c")
    )

    assert read(path).live == ["c"]


def test_a_rewind_that_names_nothing_is_passed_over(tmp_path: Path) -> None:
    path = log(tmp_path, said("m1", "a"), {"$rewindTo": None})

    assert read(path).live == ["a"]


def test_a_dropped_message_that_comes_back_is_live_at_its_new_place(
    tmp_path: Path,
) -> None:
    path = log(
        tmp_path,
        said("m1", "a"),
        said("m2", "b"),
        rewind("m1"),
        said("m3", "c"),
        said("m1", "a again"),
    )

    reading = read(path)

    assert reading.live == ["c", "a again"]
    assert [message.text for message in reading.messages] == ["c", "a again", "b"]


def test_another_list_takes_the_place_of_the_one_there_is(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        said("m1", "dropped"),
        said("m2", "kept", 2),
        change(messages=[said("s1", "new", 3), said("m2", "kept, masked", 2)]),
        said("m3", "after", 4),
    )

    reading = read(path)

    assert reading.live == ["new", "kept, masked", "after"]
    assert reading.messages[-1].text == "dropped"


def test_an_empty_list_changes_nothing(tmp_path: Path) -> None:
    path = log(tmp_path, said("m1", "kept"), change(messages=[], summary="keel"))

    assert read(path).live == ["kept"]


def test_a_message_in_a_list_says_which_of_the_line_it_is(tmp_path: Path) -> None:
    listed = change(messages=[said("m1", "a"), said("m2", "b")])
    path = log(tmp_path, listed)

    offset, length = len(lines(header())), len(lines(listed)) - 1
    assert [message.origin for message in read(path).messages] == [
        Origin(offset=offset, length=length, path=f"messages[{n}]") for n in range(2)
    ]


def test_batches_are_bounded_and_the_first_replaces(tmp_path: Path) -> None:
    path = log(tmp_path, *(said(f"m{n}", "words") for n in range(450)))

    batches = read(path).batches

    assert [type(batch).__name__ for batch in batches] == [
        "Replace",
        "Append",
        "Append",
    ]
    assert [len(batch.records) for batch in batches] == [200, 200, 50]
    assert [len(batch.conversations) for batch in batches] == [1, 0, 0]
    assert batches[-1].checkpoint.offset == path.stat().st_size


def test_a_log_of_too_many_messages_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_gemini_fold, "MOST_MESSAGES", 2)
    path = log(tmp_path, *(said(f"m{n}", f"words {n}") for n in range(4)))

    reading = read(path)

    assert reading.live == ["words 0", "words 1"]
    assert [skip.reason for skip in reading.skipped] == [
        "more than 200000 messages in one session"
    ]


# What it cost


def test_tokens_are_told_apart_by_class(tmp_path: Path) -> None:
    counts = tokens(100, input=1000, cached=600, thoughts=30, tool=7)
    path = log(tmp_path, answered("m1", "words", tokens=counts))

    assert read(path).usage == [
        Usage(
            conversation=SESSION,
            call_id=f"{SESSION}#m1",
            message=f"{SESSION}#m1",
            model="gemini-test",
            at=datetime(2026, 5, 1, 10, 0, 2, tzinfo=UTC),
            input=407,
            output=130,
            cache_read=600,
            reasoning=30,
            counted_by="max per message id",
        )
    ]


def test_a_call_written_three_times_is_counted_once(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        answered("m1", "a", tokens=tokens(5)),
        answered("m1", "ab", tokens=tokens(9)),
        answered("m1", "abc", tokens=tokens(9)),
    )

    assert [(usage.output, usage.lines) for usage in read(path).usage] == [(9, 3)]


def test_tokens_stay_spent_when_a_later_version_leaves_them_out(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        answered("m1", "a", tokens=tokens(5)),
        change(messages=[answered("m1", "masked", tokens=None)]),
    )

    assert [usage.output for usage in read(path).usage] == [5]


def test_tokens_of_what_was_taken_back_are_counted(tmp_path: Path) -> None:
    path = log(tmp_path, answered("m1", "a", tokens=tokens(5)), rewind("m1"))

    assert [usage.output for usage in read(path).usage] == [5]


def test_a_call_whose_answer_was_empty_is_counted(tmp_path: Path) -> None:
    path = log(tmp_path, answered("m1", tokens=tokens(0, input=12)))

    (usage,) = read(path).usage

    assert (usage.input, usage.message) == (12, None)
    assert usage.at == datetime(2026, 5, 1, 10, 0, 2, tzinfo=UTC)


def test_a_call_keeps_the_time_and_the_model_it_was_first_told_with(
    tmp_path: Path,
) -> None:
    """The store keeps them too: read before or after, the row is the same."""
    path = log(
        tmp_path,
        answered("m1", "", 2),
        answered("m1", "", 3, tokens=tokens(5), model="first"),
        answered("m1", "whole", 4, tokens=tokens(9), model="second"),
    )

    (usage,) = read(path).usage

    assert (usage.output, usage.model) == (9, "first")
    assert usage.at == datetime(2026, 5, 1, 10, 0, 3, tzinfo=UTC)


def test_a_call_without_a_time_has_that_of_the_session(tmp_path: Path) -> None:
    path = log(tmp_path, answered("m1", "a", tokens=tokens(5), timestamp=None))

    assert [usage.at for usage in read(path).usage] == [
        datetime(2026, 5, 1, 10, tzinfo=UTC)
    ]


@pytest.mark.parametrize(
    "counts",
    [
        None,
        7,
        {},
        tokens(0),
        {"input": -5, "output": True, "cached": "many", "thoughts": 2**70},
    ],
)
def test_what_is_no_count_is_no_call(tmp_path: Path, counts: Any) -> None:
    assert read(log(tmp_path, answered("m1", "words", tokens=counts))).usage == []


def test_more_from_the_cache_than_there_was_is_not_less_than_nothing(
    tmp_path: Path,
) -> None:
    path = log(tmp_path, answered("m1", "a", tokens=tokens(1, input=5, cached=9)))

    assert [(use.input, use.cache_read) for use in read(path).usage] == [(0, 9)]


# The conversation


def test_a_conversation_is_told_whole(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        said("m1", "mend the keel", 5),
        answered("m2", "done", 9, model="gemini-a"),
        answered("m3", "really", 10, model="gemini-b"),
        said("m4", "an update", 30, type="info"),
        change(lastUpdated=at(70)),
    )

    conversation = read(path).conversation

    assert conversation.native_id == SESSION
    assert conversation.kind is Kind.MAIN
    assert conversation.title == "mend the keel"
    assert conversation.title_origin is TitleOrigin.PROMPT
    assert conversation.started_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert conversation.ended_at == datetime(2026, 5, 1, 10, 0, 10, tzinfo=UTC)
    assert conversation.snapshot_at == datetime(2026, 5, 1, 10, 1, 10, tzinfo=UTC)
    assert conversation.models == ("gemini-a", "gemini-b")


def test_of_many_models_some_are_named(tmp_path: Path) -> None:
    path = log(tmp_path, *(answered(f"m{n}", "a", model=f"g{n}") for n in range(25)))

    assert len(read(path).conversation.models) == 20


def test_the_telling_is_as_late_as_its_latest_message(tmp_path: Path) -> None:
    path = document(tmp_path, said("m1", "words", 90), lastUpdated=at(70))

    snapshot = read(path).conversation.snapshot_at

    assert snapshot == datetime(2026, 5, 1, 10, 1, 30, tzinfo=UTC)


def test_the_last_summary_is_the_title(tmp_path: Path) -> None:
    path = log(
        tmp_path, said("m1", "words"), change(summary="a"), change(summary="keel work")
    )

    conversation = read(path).conversation

    assert (conversation.title, conversation.title_origin) == (
        "keel work",
        TitleOrigin.MODEL,
    )


def test_no_command_noise_or_dropped_prompt_is_a_title(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        said("m1", "/clear"),
        said("m2", "/plan tidy"),
        said("m3", "<session_context>x</session_context>"),
        said("m4", "taken back"),
        rewind("m4"),
        said("m5", "mend the keel"),
    )

    assert read(path).conversation.title == "mend the keel"


def test_a_subagent_belongs_to_the_session_its_folder_names(tmp_path: Path) -> None:
    path = log(
        tmp_path, said("q1", "words"), name=f"{PARENT}/x9", start=header(sessionId="x9")
    )

    conversation = read(path).conversation

    assert (conversation.native_id, conversation.kind, conversation.parent) == (
        "x9",
        Kind.SUBAGENT,
        PARENT,
    )


def test_a_subagent_that_names_its_parents_session_is_its_own(tmp_path: Path) -> None:
    start = header(sessionId=PARENT)
    path = log(tmp_path, said("q1", "words"), name=f"{PARENT}/x9", start=start)

    assert read(path).conversation.native_id == "x9"


def test_a_session_that_says_so_is_a_subagents(tmp_path: Path) -> None:
    path = document(tmp_path, said("m1", "words"), kind="subagent")

    assert read(path).conversation.kind is Kind.SUBAGENT


def test_a_session_without_an_id_has_that_of_its_file(tmp_path: Path) -> None:
    path = log(tmp_path, said("m1", "words"), start={"startTime": at(0)})

    assert read(path).conversation.native_id == NAME


def test_an_empty_session_is_no_conversation(tmp_path: Path) -> None:
    reading = read(log(tmp_path))

    assert [batch.conversations for batch in reading.batches] == [()]


# The folder


def folder_told(folder: Path, **facts: Any) -> str | None:
    path = log(folder, said("m1", "words"), start=header(**facts))
    reading = read(path)
    assert {message.cwd for message in reading.messages} == {reading.conversation.cwd}
    return reading.conversation.cwd


def registry(folder: Path, content: Any) -> None:
    path = folder / ".gemini" / "projects.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def test_a_marker_names_the_folder(tmp_path: Path) -> None:
    (chats(tmp_path).parent / ".project_root").write_text("/home/dev/harbor\n")
    registry(tmp_path, {"projects": {"/home/dev/other": "harbor"}})

    assert folder_told(tmp_path, directories=["/srv"]) == "/home/dev/harbor"


def test_the_registry_names_the_folder_of_a_slug(tmp_path: Path) -> None:
    registry(tmp_path, {"projects": {"/srv": "srv", "/home/dev/harbor": "harbor"}})

    assert folder_told(tmp_path, directories=["/srv"]) == "/home/dev/harbor"


def test_a_hash_is_known_by_the_folders_of_the_registry(tmp_path: Path) -> None:
    registry(tmp_path, {"projects": {"/srv": "srv", "/home/dev/harbor": "moved"}})
    hashed = hashlib.sha256(b"/home/dev/harbor").hexdigest()

    assert folder_told(tmp_path, projectHash=hashed) == "/home/dev/harbor"


def test_a_folder_named_by_its_hash_is_known_too(tmp_path: Path) -> None:
    registry(tmp_path, {"projects": {"/home/dev/harbor": "moved"}})
    project = hashlib.sha256(b"/home/dev/harbor").hexdigest()
    path = chats(tmp_path, project) / f"{NAME}.jsonl"
    path.write_bytes(lines(header(), said("m1", "words")))

    assert read(path).conversation.cwd == "/home/dev/harbor"


def test_the_folders_of_a_session_are_the_last_resort(tmp_path: Path) -> None:
    registry(tmp_path, {"projects": {"/srv": "srv"}})

    assert folder_told(tmp_path, directories=[7, "keel", "/home/dev"]) == "/home/dev"


def test_a_subagents_folder_is_its_projects(tmp_path: Path) -> None:
    (chats(tmp_path).parent / ".project_root").write_text("C:\\keel")
    path = log(tmp_path, said("q1", "words"), name=f"{PARENT}/x9")

    assert read(path).conversation.cwd == "C:\\keel"


def test_a_file_elsewhere_asks_nobody(tmp_path: Path) -> None:
    (tmp_path / ".project_root").write_text("/home/dev/harbor")
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    path = folder / f"{NAME}.jsonl"
    path.write_bytes(lines(header(), said("m1", "words")))

    assert read(path).conversation.cwd is None


@pytest.mark.parametrize(
    "content", ["{torn", "[]", {"projects": []}, {"projects": {"keel": "harbor"}}]
)
def test_a_registry_that_says_nothing_costs_nothing(
    tmp_path: Path, content: Any
) -> None:
    registry(tmp_path, content)

    assert folder_told(tmp_path) is None


@pytest.mark.parametrize(
    "content", [b"", b"keel", b"/a\n/b", b"/\0", b"/" + b"x" * 9000]
)
def test_a_marker_that_is_no_path_is_passed_over(
    tmp_path: Path, content: bytes
) -> None:
    (chats(tmp_path).parent / ".project_root").write_bytes(content)

    assert folder_told(tmp_path) is None


# Bytes as they are left


def a_broken_log(folder: Path) -> Path:
    path = chats(folder) / f"{NAME}.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf"
        + lines(header(), said("m1", "first"))
        + b'{"id":"m2","type":"user","con\n'
        + b"null\n42\n[]\n\n"
        + lines(said("m3", "glued")).rstrip()
        + lines(said("m4", "to it"))
        + b'{"id":"m5","type":"user","content":"over\ntwo lines \xff"}\n'
        + b"\0\0\0"
        + lines(said("m6", "in flight")).rstrip()
    )
    return path


def test_lines_that_are_broken_cost_only_themselves(tmp_path: Path) -> None:
    path = a_broken_log(tmp_path)

    reading = read(path)

    assert [message.text for message in reading.messages] == [
        "first",
        "glued",
        "to it",
        "over\ntwo lines \N{REPLACEMENT CHARACTER}",
        "in flight",
    ]
    assert [skip.reason for skip in reading.skipped] == [
        "a string is not closed",
        *["not an object"] * 3,
    ]


def test_what_stands_among_broken_lines_is_found_again(tmp_path: Path) -> None:
    path = a_broken_log(tmp_path)
    messages = read(path).messages

    again = [GeminiCli().read_at(unit_of(path), each.origin) for each in messages]

    assert all(each in found for each, found in zip(messages, again, strict=True))


def test_an_empty_log_is_read_as_nothing(tmp_path: Path) -> None:
    path = chats(tmp_path) / f"{NAME}.jsonl"
    path.write_bytes(b"")

    assert read(path).steps == (Replace(),)


@pytest.mark.parametrize(
    "content", [b"", b"{torn", b"[]", b"{}", b'{"messages": 7}', b"[" * 100_000]
)
def test_a_document_of_something_else_can_not_be_read(
    tmp_path: Path, content: bytes
) -> None:
    path = chats(tmp_path) / f"{NAME}.json"
    path.write_bytes(content)

    with pytest.raises(UnreadableUnitError):
        read(path)


KEYS = [*said("", ""), *answered(""), *header(), *call("", ""), *tokens(0)]
KEYS += ["text", "messages", "$set", "$rewindTo", "displayContent", "inlineData"]
KEYS += ["functionResponse", "functionCall", "response", "mimeType", "fileDiff"]
KEYS += ["thoughts", "subject", "description", "toolCalls", "resultDisplay", "error"]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(record=ODD, kind=st.sampled_from(["user", "gemini", "info"]))
def test_fields_of_any_shape_are_read_without_a_fault(
    tmp_path_factory: pytest.TempPathFactory, record: Any, kind: str
) -> None:
    odd = record if isinstance(record, dict) else {"content": record}
    folder = tmp_path_factory.mktemp("odd")
    path = log(
        folder, odd, odd | {"type": kind}, change(messages=[odd | {"type": kind}])
    )

    reading = read(path)

    assert reading == read(path)
    assert reading.skipped == []


# Reading one place again

WHOLE = (
    said("m1", "the question", displayContent="the question"),
    answered("m2", "the ans", tokens=tokens(5)),
    answered("m2", "the answer", toolCalls=[call("read_file", "keel")]),
    said("m3", "dropped"),
    rewind("m3"),
    change(messages=[said("m1", "the question, masked"), answered("s1", "summed up")]),
    said("m4", "the end"),
)


@pytest.mark.parametrize("as_document", [True, False])
def test_every_message_is_found_again_at_its_place(
    tmp_path: Path, as_document: bool
) -> None:
    path = document(tmp_path, *WHOLE[:3]) if as_document else log(tmp_path, *WHOLE)
    messages = read(path).messages

    again = [GeminiCli().read_at(unit_of(path), each.origin) for each in messages]

    assert messages
    assert all(each in found for each, found in zip(messages, again, strict=True))


def test_glued_messages_are_found_again_too(tmp_path: Path) -> None:
    path = log(tmp_path)
    path.write_bytes(
        lines(header()) + lines(said("m1", "a")).rstrip() + lines(said("m2", "b"))
    )

    first, second = read(path).messages

    assert GeminiCli().read_at(unit_of(path), first.origin) == [first, second]


def test_a_version_that_was_written_over_can_still_be_found(tmp_path: Path) -> None:
    path = log(tmp_path, answered("m1", "the ans"))
    (early,) = read(path).messages
    path.write_bytes(path.read_bytes() + lines(answered("m1", "the answer")))

    assert GeminiCli().read_at(unit_of(path), early.origin) == [early]


@pytest.mark.parametrize(
    "moved", [{"offset": 5}, {"offset": 10**9}, {"path": "messages[9]"}, {"length": 0}]
)
def test_a_place_where_nothing_stands_says_nothing(
    tmp_path: Path, moved: dict[str, Any]
) -> None:
    path = log(tmp_path, change(messages=[said("m1", "words")]))
    (message,) = read(path).messages

    place = replace(message.origin, **moved)

    assert GeminiCli().read_at(unit_of(path), place) == []


def test_a_log_rewritten_while_it_is_read_is_not_mixed_up(tmp_path: Path) -> None:
    path = log(tmp_path, *(said(f"m{n:03}", "words " * 200) for n in range(250)))
    reading = GeminiCli().read(unit_of(path), None)
    first = next(reading)

    path.write_bytes(path.read_bytes().replace(b'"m', b'"n'))
    second = next(reading)

    assert isinstance(first, Replace)
    assert isinstance(second, Append)
    assert len(first.records) == 200
    assert len(second.records) < 10  # what was already in memory


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(min_value=0))
def test_every_beginning_of_a_log_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = log(tmp_path_factory.mktemp("cut"), *WHOLE)
    content = path.read_bytes()
    path.write_bytes(content[: cut % len(content)])

    reading = read(path)

    assert isinstance(reading.batches[0], Replace)
    assert reading == read(path)
    assert not any(isinstance(step, Skipped) for step in reading.steps)


def test_a_whole_session_on_the_first_line_is_read_and_found_again(
    tmp_path: Path,
) -> None:
    path = chats(tmp_path) / f"{NAME}.jsonl"
    whole = header(messages=[said("m1", "the question")])
    path.write_bytes(b"\xef\xbb\xbf" + lines(whole))

    (message,) = read(path).messages

    assert message.text == "the question"
    assert GeminiCli().read_at(unit_of(path), message.origin) == [message]


# In an archive: the case of a document that went on as a log

LEGACY = "session-2026-05-01T10-00-00000020"


def lay_down_a_resumed_session(folder: Path) -> None:
    first = said("m1", [{"text": "legacy keelhaul"}])
    second = answered("m2", "legacy keelhaul reply", tokens=tokens(10, input=100))
    document(folder, first, second, name=LEGACY, lastUpdated=at(2))
    log(
        folder,
        said("m0", "<session_context>\nToday is Friday.\n</session_context>", 0),
        first,
        second,
        change(sessionId=SESSION),
        said("m3", "a turn taken back scuttlebutt", 300),
        answered("m4", "", 302),
        answered("m4", "scuttlebutt answer", 302, tokens=tokens(20, thoughts=5)),
        rewind("m3"),
        said("m5", "the new turn crowsnest", 360),
        answered("m6", "", 362),
        answered("m6", "crowsnest answer", 362, tokens=tokens(30, input=300)),
        change(lastUpdated=at(362), summary="keel work"),
        name=LEGACY,
    )
    log(
        folder,
        said("q1", "subagent holystone task"),
        answered("q2", "holystone result"),
        name=f"{SESSION}/x9",
        start=header(sessionId="x9", kind="subagent"),
    )
    log(
        folder,
        change(messages=[said("n1", "snapshot only bilgepump")]),
        name="session-2026-05-01T11-00-00000021",
        start=header(sessionId="21"),
    )


@pytest.fixture
def resumed(tmp_path: Path) -> Archive:
    lay_down_a_resumed_session(tmp_path)
    archive = an_archive(tmp_path)
    archive.sync()
    return archive


LIVE = [
    "legacy keelhaul",
    "legacy keelhaul reply",
    "the new turn crowsnest",
    "crowsnest answer",
]


def test_each_session_is_listed_once_and_a_subagent_under_its_own(
    tmp_path: Path, resumed: Archive
) -> None:
    listed = rows(
        archive_in(tmp_path),
        "SELECT c.key, r.key FROM conversation c JOIN conversation r ON r.id = c.root",
    )

    assert sorted(listed) == [
        (KEY, KEY),
        ("gemini_cli:21", "gemini_cli:21"),
        ("gemini_cli:x9", KEY),
    ]
    assert resumed.show(KEY).title == "keel work"


def test_a_resumed_session_shows_each_message_once(resumed: Archive) -> None:
    assert texts(resumed, KEY) == LIVE


def test_each_message_is_found_once(resumed: Archive) -> None:
    assert found_in(resumed, "keelhaul") == LIVE[:2]
    assert found_in(resumed, "crowsnest") == sorted(LIVE[2:])
    assert found_in(resumed, "bilgepump") == ["snapshot only bilgepump"]
    assert found_in(resumed, "holystone") == [
        "holystone result",
        "subagent holystone task",
    ]


def test_what_was_taken_back_is_kept_and_not_shown(resumed: Archive) -> None:
    everything = frozenset({Include.SUPERSEDED})

    shown = resumed.show(KEY, include=everything).messages

    assert found_in(resumed, "scuttlebutt") == []
    assert [each.text for each in shown if "scuttlebutt" in each.text] == [
        "a turn taken back scuttlebutt",
        "scuttlebutt answer",
    ]


def test_what_was_spent_is_counted_once_also_for_what_was_taken_back(
    tmp_path: Path, resumed: Archive
) -> None:
    spent = rows(
        archive_in(tmp_path),
        "SELECT call_id, output, lines FROM usage ORDER BY call_id",
    )

    assert resumed.status()
    assert spent == [
        (f"{SESSION}#m2", 10, 1),
        (f"{SESSION}#m4", 25, 1),
        (f"{SESSION}#m6", 30, 1),
    ]


def test_every_citation_verifies_and_the_archive_is_sound(
    tmp_path: Path, resumed: Archive
) -> None:
    everything = frozenset({Include.SUPERSEDED})

    shown = resumed.show(KEY, include=everything).messages

    outcomes = {resumed.verify(each.citation).outcome for each in shown}
    assert outcomes == {Outcome.VERIFIED}
    assert_consistent(archive_in(tmp_path))


def test_a_document_that_was_read_before_its_log_came_is_not_doubled(
    tmp_path: Path,
) -> None:
    lay_down_a_resumed_session(tmp_path)
    path = chats(tmp_path) / f"{LEGACY}.jsonl"
    content = path.read_bytes()
    path.unlink()
    archive = an_archive(tmp_path)
    archive.sync()

    path.write_bytes(content)
    archive.sync()

    assert texts(archive, KEY) == LIVE
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize("name", [LEGACY, "session-copied"])
@pytest.mark.parametrize("more", ["to the copy", "to the original", "to neither"])
def test_a_session_copied_to_another_project_is_one(
    tmp_path: Path, name: str, more: str
) -> None:
    lay_down_a_resumed_session(tmp_path)
    path = chats(tmp_path) / f"{LEGACY}.jsonl"
    content, longer = (
        path.read_bytes(),
        path.read_bytes() + lines(said("m7", "and on it goes", 400)),
    )
    path.write_bytes(longer if more == "to the original" else content)
    archive = an_archive(tmp_path)
    archive.sync()

    copied = longer if more == "to the copy" else content
    (chats(tmp_path, "hull") / f"{name}.jsonl").write_bytes(copied)
    archive.sync()

    expected = LIVE if more == "to neither" else [*LIVE, "and on it goes"]
    assert texts(archive, KEY) == expected
    assert_consistent(archive_in(tmp_path))


def test_a_log_that_grew_is_what_a_fresh_archive_would_hold(tmp_path: Path) -> None:
    path = log(tmp_path, *WHOLE)
    content = path.read_bytes()
    archive = an_archive(tmp_path)

    lived = []
    for end in range(0, len(content) + 1, 150):
        path.write_bytes(content[:end])
        archive.sync()
    path.write_bytes(content)
    archive.sync()
    lived = texts(archive, KEY)

    assert lived == ["the question, masked", "summed up", "the end"]
    assert_consistent(archive_in(tmp_path))


# Real sessions, where they are at hand


@pytest.mark.parametrize(
    "sample",
    SAMPLES
    or [pytest.param(None, marks=pytest.mark.skip(reason="the samples are not here"))],
    ids=lambda path: path.stem[-40:] if path else "none",
)
def test_a_real_session_is_read_and_every_message_is_found_again(sample: Path) -> None:
    unit = gemini_records.unit_of(sample)
    source = GeminiCli()
    reading = read(sample)

    spoken = [each for each in reading.messages if each.role is Role.USER]

    assert source.recognises(unit)
    assert reading.skipped == []
    assert not [each for each in spoken if each.text.startswith(("<", "System:"))]
    assert all(each in source.read_at(unit, each.origin) for each in reading.messages)
