"""Claude.ai: the export of its site, whole or in one of its files."""

from __future__ import annotations

import json
import os
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import archive_in, assert_consistent, citations, later, put

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Conversation,
    FileTouch,
    Include,
    Message,
    Outcome,
    Replace,
    Rewind,
    Role,
    Skipped,
    TitleOrigin,
    ToolCall,
    ToolResult,
    Touch,
    Unit,
)
from quoth.sources.claude_ai import ClaudeAi

SAMPLE = (
    Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")
    / "samples"
    / "claude-ai"
    / "conversations.json"
)
ROOT = "00000000-0000-4000-8000-000000000000"
CHAT = "00000000-0000-4000-8000-0000000000cc"
START = datetime(2026, 5, 1, 9, 0, 0, 250_000, tzinfo=UTC)

Step = Append | Replace | Skipped


def at(minute: int) -> str:
    moment = START + timedelta(minutes=minute)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def said(
    number: int, words: Any = None, /, *, parent: int = 0, **more: Any
) -> dict[str, Any]:
    """Return a message: odd ones are a person's, and each follows the one before."""
    blocks = [{"type": "text", "text": words}] if isinstance(words, str) else words
    return {
        "uuid": f"m{number}",
        "text": "",
        "content": [] if blocks is None else blocks,
        "sender": "human" if number % 2 else "assistant",
        "created_at": at(number),
        "updated_at": at(number),
        "attachments": [],
        "files": [],
        "parent_message_uuid": f"m{parent or number - 1}" if number > 1 else ROOT,
        **more,
    }


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "uuid": CHAT,
        "name": "Knots",
        "summary": "",
        "created_at": at(0),
        "updated_at": at(59),
        "account": {"uuid": "a"},
        "chat_messages": [*messages],
        **more,
    }


def export(folder: Path, *chats: Any, name: str = "conversations.json") -> Path:
    return put(folder / name, json.dumps([*chats]).encode())


def unit_of(path: Path) -> Unit:
    return Unit(path=path, stamp="", size=path.stat().st_size)


def steps(path: Path) -> list[Step]:
    return [*ClaudeAi().read(unit_of(path), None)]


def batches(path: Path) -> list[Append | Replace]:
    return [step for step in steps(path) if not isinstance(step, Skipped)]


def messages(path: Path) -> list[Message]:
    records = [record for batch in batches(path) for record in batch.records]
    return [record for record in records if isinstance(record, Message)]


def read(folder: Path, *told: Any, **more: Any) -> list[Message]:
    return messages(export(folder, chat(*told, **more)))


def conversation(folder: Path, *told: Any, **more: Any) -> Conversation:
    return batches(export(folder, chat(*told, **more)))[-1].conversations[0]


def ignored(folder: Path, *told: Any, **more: Any) -> dict[str, int]:
    return dict(batches(export(folder, chat(*told, **more)))[-1].ignored)


def archive_over(folder: Path) -> Archive:
    return Archive(
        archive_in(folder),
        roots={"claude_ai": [folder / "export"]},
        sources=[ClaudeAi()],
        embedder=HashEmbedder(),
        clock=later,
    )


def shown(archive: Archive, *include: Include) -> list[str]:
    transcript = archive.show(f"claude_ai:{CHAT}", include=frozenset(include))
    return [message.text for message in transcript.messages]


# Where exports are


def found(*roots: Path) -> list[tuple[str, str]]:
    return [(unit.path.name, unit.part) for unit in ClaudeAi().discover(roots)]


def test_nothing_is_looked_for_unless_a_path_is_given() -> None:
    assert ClaudeAi().default_roots({}, home=Path("/home/dev")) == ()


def test_conversations_are_found_whole_and_one_by_one(tmp_path: Path) -> None:
    export(tmp_path, chat())
    export(tmp_path, name="projects.json")
    export(tmp_path, name="users.json")
    put(tmp_path / "conversations" / f"{CHAT}.json", json.dumps(chat()).encode())
    put(tmp_path / "projects" / "p.json", b"{}")

    assert found(tmp_path) == [(f"{CHAT}.json", ""), ("conversations.json", "")]


def test_a_zip_is_read_without_being_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "data-2026-05-01.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("conversations.json", json.dumps([chat(said(1, "hi"))]))
        opened.writestr("projects.json", "[]")
    (unit,) = ClaudeAi().discover([path])

    (batch,) = ClaudeAi().read(unit, None)

    assert unit.part == "conversations.json"
    assert isinstance(batch, Replace)
    assert [record.text for record in batch.records if isinstance(record, Message)] == [
        "hi"
    ]


@pytest.mark.parametrize(
    "value",
    [
        [chat(said(1, "hi"))],
        chat(said(1, "hi")),
        {"conversations": [chat(said(1, "hi"))]},
        [{"uuid": "index"}, chat(said(1, "hi"))],
    ],
)
def test_an_export_is_recognised_and_read_however_it_is_wrapped(
    tmp_path: Path, value: Any
) -> None:
    path = put(tmp_path / "any.json", json.dumps(value).encode())

    assert ClaudeAi().recognises(unit_of(path))
    assert [message.text for message in messages(path)] == ["hi"]


@pytest.mark.parametrize("value", [[{"mapping": {}, "id": "x"}], {}, [], ["a"], 1])
def test_what_others_export_is_not_taken(tmp_path: Path, value: Any) -> None:
    path = put(tmp_path / "conversations.json", json.dumps(value).encode())

    assert not ClaudeAi().recognises(unit_of(path))


def test_a_file_that_is_gone_cannot_be_read(tmp_path: Path) -> None:
    unit = Unit(path=tmp_path / "conversations.json", stamp="")

    with pytest.raises(UnreadableUnitError):
        [*ClaudeAi().read(unit, None)]


# What a conversation is


def test_a_conversation_is_told_whole(tmp_path: Path) -> None:
    assert conversation(tmp_path, said(1, "how?"), said(2, "so.")) == Conversation(
        native_id=CHAT,
        title="Knots",
        title_origin=TitleOrigin.MODEL,
        started_at=START + timedelta(minutes=1),
        ended_at=START + timedelta(minutes=2),
        snapshot_at=START + timedelta(minutes=59),
    )


def test_without_a_name_the_first_prompt_is_the_title(tmp_path: Path) -> None:
    told = conversation(tmp_path, said(1, "how do I\ntie it?"), name="")

    assert (told.title, told.title_origin) == (
        "how do I tie it?", TitleOrigin.PROMPT,
    )  # fmt: skip


def test_a_conversation_without_words_has_no_title(tmp_path: Path) -> None:
    told = conversation(tmp_path, said(2, "hi", parent_message_uuid=None), name=" ")

    assert (told.title, told.title_origin) == (None, None)


@pytest.mark.parametrize("messages", [[], None])
def test_a_conversation_without_messages_is_counted(
    tmp_path: Path, messages: list[Any] | None
) -> None:
    path = export(tmp_path, chat(chat_messages=messages))

    (batch,) = steps(path)

    assert isinstance(batch, Replace)
    assert batch.conversations == ()
    assert batch.ignored == {"without messages": 1}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("text", "conversation 1 is no object"),
        (chat(uuid=None), "conversation 1 has no id"),
        (chat(chat_messages={"a": 1}), "conversation 1 has no list of messages"),
    ],
)
def test_a_broken_conversation_costs_only_itself(
    tmp_path: Path, value: Any, reason: str
) -> None:
    path = export(tmp_path, value, chat(said(1, "hi")))

    skipped = [step.reason for step in steps(path) if isinstance(step, Skipped)]

    assert skipped == [reason]
    assert [message.text for message in messages(path)] == ["hi"]


def test_models_are_known_where_an_extension_tells_them(tmp_path: Path) -> None:
    own = conversation(tmp_path, said(2, "hi", model="claude-x"), model="claude-y")
    (message,) = read(tmp_path, said(2, "hi", model="claude-x"))
    whole = conversation(tmp_path, said(2, "hi", model="x" * 200), model="claude-y")

    assert (own.models, message.model) == (("claude-x",), "claude-x")
    assert whole.models == ("claude-y",)


# What a message says


def test_messages_keep_their_times_to_the_microsecond(tmp_path: Path) -> None:
    (message,) = read(tmp_path, said(1, "hi"))

    assert message.at == START + timedelta(minutes=1)
    assert not message.approximate_time


@pytest.mark.parametrize(
    ("created", "updated", "minute"), [(None, at(3), 3), ("x", None, 0)]
)
def test_a_message_without_a_time_has_about_that_of_its_conversation(
    tmp_path: Path, created: str | None, updated: str | None, minute: int
) -> None:
    (message,) = read(tmp_path, said(1, "hi", created_at=created, updated_at=updated))

    assert message.at == START + timedelta(minutes=minute)
    assert message.approximate_time == (minute == 0)


def test_nothing_is_made_up_when_there_is_no_time_at_all(tmp_path: Path) -> None:
    bare: dict[str, Any] = {"created_at": None, "updated_at": None}
    path = export(tmp_path, chat(said(1, "hi", **bare), **bare))
    (message,) = messages(path)

    assert (message.at, message.approximate_time) == (None, False)
    assert batches(path)[0].conversations[0].snapshot_at is None


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"content": [{"type": "text", "text": "block"}], "text": "top"}, "block"),
        ({"content": [], "text": "top"}, "top"),
        ({"content": None, "text": "top"}, "top"),
        ({"content": "bare"}, "bare"),
        ({"content": ["bare", 1, {"type": "text", "text": "b"}]}, "bare\n\nb"),
        (
            {"content": [{"type": "voice_note", "title": "t", "text": "spoken"}]},
            "spoken",
        ),
        ({"content": [{"type": "flag"}], "text": "top"}, "top"),
    ],
)
def test_a_text_comes_from_the_blocks_and_else_from_beside_them(
    tmp_path: Path, fields: dict[str, Any], text: str
) -> None:
    (message,) = read(tmp_path, said(1, **fields))

    assert message.text == text


UNSUPPORTED = "This block is not supported on your current device yet."


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"```\n{UNSUPPORTED}\n```", []),
        (UNSUPPORTED, []),
        (f"Here:\n\n```\n{UNSUPPORTED}\n```", ["Here:"]),
        ("That knot is not supported.", ["That knot is not supported."]),
    ],
)
def test_what_stands_for_a_block_that_was_left_out_is_no_text(
    tmp_path: Path, text: str, kept: list[str]
) -> None:
    made = read(tmp_path, said(2, text=text, content=[]))

    assert [message.text for message in made] == kept


def test_a_paste_is_part_of_what_the_person_sent(tmp_path: Path) -> None:
    pasted = {"file_name": "", "file_type": "txt", "extracted_content": "long text"}
    alone, with_words = read(
        tmp_path,
        said(1, attachments=[pasted]),
        said(3, "look:", attachments=[{**pasted, "file_name": "log.txt"}], parent=1),
    )

    assert (alone.role, alone.text) == (Role.USER, "long text")
    assert with_words.text == "look:\n\n[file: log.txt]\nlong text"


def test_files_are_named_once(tmp_path: Path) -> None:
    files = [{"file_name": "a.png"}, {"file_name": "log.txt"}, {"file_name": ""}, "x"]
    (message,) = read(
        tmp_path,
        said(
            1,
            "see",
            files=files,
            attachments=[
                {"file_name": "a.png"},
                {"file_name": "log.txt", "extracted_content": "text"},
            ],
        ),
    )

    assert message.text == "see\n\n[file: log.txt]\ntext\n\n[file: a.png]"


@pytest.mark.parametrize(
    ("block", "thought"),
    [
        ({"thinking": "a loop", "summaries": [{"summary": "s"}]}, "a loop"),
        ({"thinking": "", "summaries": [{"summary": "s"}, {"summary": "t"}]}, "s\n\nt"),
        ({"thinking": "", "summaries": None}, ""),
    ],
)
def test_thoughts_are_apart_from_the_text(
    tmp_path: Path, block: dict[str, Any], thought: str
) -> None:
    blocks = [{"type": "thinking", **block}, {"type": "text", "text": "so."}]
    (message,) = read(tmp_path, said(2, blocks))

    assert (message.text, message.reasoning) == ("so.", thought)


def test_a_tool_and_what_came_back_are_a_call_and_a_result(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "I look."},
        {
            "type": "tool_use",
            "id": "t1",
            "name": "web_search",
            "input": {"query": "bowline"},
        },
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "is_error": False,
            "content": [
                {"type": "knowledge", "title": "Knots", "url": "https://k.example"},
                {"type": "text", "text": "a loop"},
                {"type": "nested", "content": ["deep", " "]},
            ],
        },
        {"type": "text", "text": "Found."},
    ]
    answer, came_back = read(tmp_path, said(2, blocks))

    assert (answer.text, came_back.role) == ("I look.\n\nFound.", Role.TOOL)
    assert answer.calls == (ToolCall(call_id="t1", name="web_search", input="bowline"),)
    output = "Knots\nhttps://k.example\na loop\ndeep"
    assert came_back.results == (
        ToolResult(call_id="t1", output=output, size=len(output), is_error=False),
    )
    assert came_back.text == output


def test_an_artifact_can_be_found_by_what_is_in_it(tmp_path: Path) -> None:
    given = {"command": "create", "title": "Chart", "content": "<svg>" + "a " * 9_000}
    blocks = [{"type": "tool_use", "name": "artifacts", "input": given}]
    (message,) = read(tmp_path, said(2, blocks))
    (call,) = message.calls

    assert call.input.startswith("create\nChart\n<svg>")
    assert len(call.input) < 5_000
    assert call.command is None


@pytest.mark.parametrize(
    ("name", "given", "command", "touches"),
    [
        ("bash_tool", {"command": "ls"}, "ls", []),
        ("create_file", {"path": "/a.md", "file_text": "x"}, None, [Touch.CREATE]),
        ("str_replace", {"path": "/a.md", "old_str": "x"}, None, [Touch.WRITE]),
        ("view", {"path": "/a.md"}, None, [Touch.READ]),
        (None, None, None, []),
    ],
)
def test_commands_and_files_of_its_own_computer_are_known(
    tmp_path: Path, name: Any, given: Any, command: str | None, touches: list[Touch]
) -> None:
    (message,) = read(
        tmp_path, said(2, [{"type": "tool_use", "name": name, "input": given}])
    )
    (call,) = message.calls

    assert call.command == command
    assert call.touches == tuple(
        FileTouch(path="/a.md", action=action) for action in touches
    )


def test_results_without_an_id_go_to_the_calls_in_order(tmp_path: Path) -> None:
    use: dict[str, Any] = {"type": "tool_use", "id": None, "name": "fetch"}
    back = {"type": "tool_result", "content": "page"}
    answer, came_back = read(tmp_path, said(2, [use, use, back, back, back]))

    ids = [call.call_id for call in answer.calls]
    assert len({*ids}) == 2
    assert [result.call_id for result in came_back.results] == [*ids, ""]


def test_what_a_tool_gave_back_may_be_all_there_is(tmp_path: Path) -> None:
    (message,) = read(tmp_path, said(2, [{"type": "tool_result", "content": None}]))

    assert (message.role, message.text) == (Role.TOOL, "")


def test_a_result_nested_beyond_all_measure_is_cut_off(tmp_path: Path) -> None:
    deep: Any = "deep"
    for _ in range(50):
        deep = [{"content": deep}]
    (message,) = read(tmp_path, said(2, [{"type": "tool_result", "content": deep}]))

    assert message.results[0].output == ""


def test_what_holds_no_words_is_counted_by_type(tmp_path: Path) -> None:
    blocks = [
        {"type": "token_budget"},
        {"type": "flag"},
        {"type": "hologram"},
        {"type": "not a type"},
        {"type": 7},
    ]
    counted = ignored(
        tmp_path, said(2, blocks), said(4, "x", sender="oracle"), said(3, "hi"), 5
    )

    assert counted == {
        "token_budget": 1,
        "flag": 1,
        "hologram": 1,
        "other": 2,
        "empty": 1,
        "of an unknown sender": 1,
        "no message": 1,
    }


def test_blocks_without_end_are_counted(tmp_path: Path) -> None:
    blocks = [{"type": "text", "text": "a"}] * 5_003
    path = export(tmp_path, chat(said(2, blocks)))

    assert batches(path)[0].ignored == {"beyond all measure": 3}


# Branches


def test_an_edited_prompt_supersedes_what_it_replaced(tmp_path: Path) -> None:
    export(
        tmp_path / "export",
        chat(
            said(1, "how?"),
            said(2, "so."),
            said(3, "and in the rain?"),
            said(4, "abandoned"),
            said(5, "and at night?", parent=2),
            said(6, "the same."),
        ),
    )
    with archive_over(tmp_path) as archive:
        archive.sync()

        assert shown(archive) == ["how?", "so.", "and at night?", "the same."]
        everything = shown(archive, Include.SUPERSEDED)
        assert {"and in the rain?", "abandoned"} < {*everything}
        assert_consistent(archive_in(tmp_path))


def test_the_leaf_that_is_named_is_the_one_that_is_shown(tmp_path: Path) -> None:
    export(
        tmp_path / "export",
        chat(
            said(1, "how?"), said(2, "so."), said(4, "or so.", parent=1),
            current_leaf_message_uuid="m2",
        ),
    )  # fmt: skip
    with archive_over(tmp_path) as archive:
        archive.sync()

        assert shown(archive) == ["how?", "so."]


def live(folder: Path, *told: Any, **more: Any) -> list[str]:
    """Return what a reading leaves live, after all its rewinds."""
    texts: list[tuple[str, str]] = []
    for record in batches(export(folder, chat(*told, **more)))[0].records:
        if isinstance(record, Rewind):
            ids = [native_id for native_id, _ in texts]
            del texts[ids.index(record.first) :]
        else:
            texts.append((record.native_id, record.text))
    return [text for _, text in texts]


@pytest.mark.parametrize("parent", [None, ROOT, ""])
def test_without_parents_messages_follow_one_another(
    tmp_path: Path, parent: str | None
) -> None:
    told = [said(n, f"t{n}", parent_message_uuid=parent) for n in (1, 2, 3)]

    assert live(tmp_path, *told) == ["t1", "t2", "t3"]


def test_what_led_up_to_a_message_whose_parent_is_missing_is_told(
    tmp_path: Path,
) -> None:
    told = [said(1, "t1"), said(2, "t2"), said(4, "t4", parent=3), said(5, "t5")]

    assert live(tmp_path, *told) == ["t1", "t2", "t4", "t5"]


def test_what_led_up_to_a_message_that_names_no_parent_is_told(
    tmp_path: Path,
) -> None:
    told = [said(1, "t1"), said(2, "t2"), said(3, "t3"), said(4, "t4")]
    del told[2]["parent_message_uuid"]

    assert live(tmp_path, *told) == ["t1", "t2", "t3", "t4"]


def test_a_circle_of_messages_is_told_once_and_shown(tmp_path: Path) -> None:
    told = [said(1, "t1", parent_message_uuid="m2"), said(2, "t2")]

    assert live(tmp_path, *told) == ["t1", "t2"]


def test_an_abandoned_branch_without_words_takes_nothing_back(tmp_path: Path) -> None:
    told = [said(1, "t1"), said(2, []), said(4, "t4", parent=1)]

    assert live(tmp_path, *told) == ["t1", "t4"]


def test_ids_may_be_missing_or_doubled(tmp_path: Path) -> None:
    told = [
        said(1, "t1"), said(1, "again"), said(2, "t2"),
        said(3, "t3", uuid=None), said(4, "t4", uuid=None, parent=2),
    ]  # fmt: skip

    assert live(tmp_path, *told)[:2] == ["t1", "t2"]
    assert ignored(tmp_path, *told) == {"doubled": 1}
    ids = [message.native_id for message in read(tmp_path, *told)]
    assert len({*ids}) == len(ids) == 4


# Exports of the same conversations, again


def test_a_later_export_decides_in_whatever_order_they_come(tmp_path: Path) -> None:
    newer = chat(said(1, "how?"), said(2, "better.", parent=1), updated_at=at(59))
    newer["chat_messages"][1]["uuid"] = "m2b"
    export(tmp_path / "export" / "a-new", newer)
    export(
        tmp_path / "export" / "b-old",
        chat(said(1, "how?"), said(2, "so."), updated_at=at(30)),
        chat(said(1, "hi"), uuid="gone-since"),
    )
    with archive_over(tmp_path) as archive:
        archive.sync()

        assert shown(archive) == ["how?", "better."]
        assert archive.show("claude_ai:gone-since").messages[0].text == "hi"
        assert_consistent(archive_in(tmp_path))


def test_an_export_read_twice_adds_nothing(tmp_path: Path) -> None:
    told = chat(said(1, "how?"), said(2, "so."))
    export(tmp_path / "export" / "a", told)
    with archive_over(tmp_path) as archive:
        archive.sync()
        export(tmp_path / "export" / "b", told)

        assert archive.sync().messages_new == 0
        assert shown(archive) == ["how?", "so."]


def test_every_citation_verifies(tmp_path: Path) -> None:
    blocks = [
        {"type": "tool_use", "id": "t1", "name": "fetch", "input": {"url": "u"}},
        {"type": "tool_result", "tool_use_id": "t1", "content": "page"},
    ]
    export(
        tmp_path / "export",
        chat(said(1, "hi"), uuid="first"),
        chat(said(1, "how?"), said(2, blocks), said(4, "so.", parent=1)),
    )
    with archive_over(tmp_path) as archive:
        archive.sync()
        cited = citations(archive, everything=True)

        assert len(cited) == 5
        assert {archive.verify(each).outcome for each in cited} == {Outcome.VERIFIED}


# Any export


TEXTS = st.sampled_from(["a", "", UNSUPPORTED, None, 7])
BLOCKS = st.builds(
    lambda kind, text, rest: {"type": kind, "text": text, **rest},
    st.sampled_from(["text", "thinking", "tool_use", "tool_result", "flag", None]),
    TEXTS,
    st.sampled_from([{}, {"id": "t"}, {"tool_use_id": "t", "content": "o"}]),
)
MESSAGES = st.builds(
    lambda uuid, parent, sender, content, text: {
        "uuid": uuid,
        "parent_message_uuid": parent,
        "sender": sender,
        "content": content,
        "text": text,
    },
    st.sampled_from(["a", "b", "c", "d", None]),
    st.sampled_from(["a", "b", "c", "d", "z", ROOT, None]),
    st.sampled_from(["human", "assistant", "system"]),
    st.lists(BLOCKS, max_size=3) | st.none(),
    TEXTS,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGES, max_size=7), st.sampled_from(["a", "z", None]))
def test_any_tree_is_read_alike_twice_and_each_message_is_found_at_its_place(
    tmp_path: Path, told: list[dict[str, Any]], leaf: str | None
) -> None:
    path = export(
        tmp_path,
        chat(said(1, "before"), uuid="before"),
        chat(*told, current_leaf_message_uuid=leaf),
    )

    made = messages(path)

    assert made == messages(path)
    assert len({message.native_id for message in made}) == len(made)
    for message in made:
        assert message in ClaudeAi().read_at(unit_of(path), message.origin)


def test_the_sample_says_what_was_counted_in_it() -> None:
    if not SAMPLE.is_file():
        pytest.skip("the samples are not there: set QUOTH_SHARED")
    first, second = batches(SAMPLE)[0].conversations
    roles = [message.role for message in messages(SAMPLE)]

    assert (first.title, second.title) == ("Sorting in SQLite", "hello from 2023")
    assert [roles.count(role) for role in (Role.USER, Role.ASSISTANT, Role.TOOL)] == [
        5, 5, 1,
    ]  # fmt: skip
