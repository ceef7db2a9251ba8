"""Conversations as plain JSON, in the shapes people and scripts write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Conversation,
    FileTouch,
    Message,
    Noise,
    Origin,
    Replace,
    Role,
    Skipped,
    TitleOrigin,
    ToolCall,
    ToolResult,
    Touch,
    Unit,
)
from quoth.sources.generic import Generic

SHARE_GPT_QUESTION = {"from": "human", "value": "q"}


def read(path: Path, since: Any = None) -> list[Append | Replace]:
    unit = Unit(path=path, stamp="", size=path.stat().st_size)
    parts = Generic().read(unit, since)
    return [part for part in parts if not isinstance(part, Skipped)]


def messages(batches: list[Append | Replace]) -> list[Message]:
    records = [record for batch in batches for record in batch.records]
    return [record for record in records if isinstance(record, Message)]


def conversations(batches: list[Append | Replace]) -> dict[str, Conversation]:
    return {c.native_id: c for batch in batches for c in batch.conversations}


def lines(folder: Path, *values: Any) -> Path:
    path = folder / "chat.jsonl"
    path.write_text("".join(json.dumps(v) + "\n" for v in values), encoding="utf-8")
    return path


def document(folder: Path, value: Any) -> Path:
    path = folder / "chat.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def turn(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def spoken(path: Path) -> list[tuple[str, str]]:
    return [(message.role.value, message.text) for message in messages(read(path))]


# Where the files are


def test_nothing_is_looked_for_unless_a_path_is_given() -> None:
    assert Generic().default_roots({}, home=Path("/home/dev")) == ()


def test_json_files_under_a_given_path_are_found(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.json", "c.txt"):
        (tmp_path / name).write_text("{}", encoding="utf-8")

    units = Generic().discover([tmp_path])

    assert [unit.path.name for unit in units] == ["a.jsonl", "b.json"]


# Whose files they are


@pytest.mark.parametrize(
    "line",
    [
        {"type": "user", "parentUuid": None, "content": "hi"},
        {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "x"}},
        {"type": "session_meta", "payload": {"id": "t"}},
        {"type": "response_item", "payload": {"role": "user", "content": "hi"}},
        {"some": "thing"},
        {"role": "captain", "content": "hi"},
        {"role": ["user"], "content": "hi"},
        ["user", "hi"],
        "user",
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, line: Any) -> None:
    with pytest.raises(UnreadableUnitError, match="no message with a known role"):
        read(lines(tmp_path, line))


def test_one_line_of_an_assistant_with_a_source_refuses_the_file(
    tmp_path: Path,
) -> None:
    foreign = {"type": "response_item", "payload": {}}

    with pytest.raises(UnreadableUnitError, match="no message with a known role"):
        read(lines(tmp_path, turn("user", "hi"), foreign))


def test_a_role_has_to_come_in_the_first_lines(tmp_path: Path) -> None:
    path = lines(tmp_path, *[{"n": n} for n in range(20)], turn("user", "late"))

    with pytest.raises(UnreadableUnitError, match="no message with a known role"):
        read(path)


@pytest.mark.parametrize("value", [{}, [], {"messages": []}, {"messages": "none"}, 1])
def test_a_document_without_turns_is_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(UnreadableUnitError, match="no message with a known role"):
        read(document(tmp_path, value))


def test_lists_in_lists_are_not_followed_for_ever(tmp_path: Path) -> None:
    deep: Any = turn("user", "hi")
    for _ in range(6):
        deep = [deep]

    with pytest.raises(UnreadableUnitError, match="no message with a known role"):
        read(document(tmp_path, deep))


# Shapes


def test_lines_of_role_and_content_are_read(tmp_path: Path) -> None:
    first = turn("user", "hello", timestamp="2026-03-01T10:00:00Z", cwd="/home/dev")
    second = turn("assistant", "hi", model="m", ts=1772359205)
    path = lines(tmp_path, first, second)
    length = len(json.dumps(first))

    batches = read(path)

    assert messages(batches) == [
        Message(
            conversation=str(path),
            native_id=f"{path}@0",
            role=Role.USER,
            text="hello",
            at=datetime(2026, 3, 1, 10, tzinfo=UTC),
            cwd="/home/dev",
            origin=Origin(offset=0, length=length),
        ),
        Message(
            conversation=str(path),
            native_id=f"{path}@{length + 1}",
            role=Role.ASSISTANT,
            text="hi",
            at=datetime(2026, 3, 1, 10, 0, 5, tzinfo=UTC),
            model="m",
            origin=Origin(offset=length + 1, length=len(json.dumps(second))),
        ),
    ]
    assert conversations(batches) == {
        str(path): Conversation(
            native_id=str(path),
            title="hello",
            title_origin=TitleOrigin.PROMPT,
            cwd="/home/dev",
            started_at=datetime(2026, 3, 1, 10, tzinfo=UTC),
            ended_at=datetime(2026, 3, 1, 10, 0, 5, tzinfo=UTC),
            models=("m",),
        )
    }


@pytest.mark.parametrize(
    "value",
    [
        [turn("user", "q"), turn("assistant", "a")],
        {"messages": [turn("user", "q"), turn("assistant", "a")]},
        {"conversations": [SHARE_GPT_QUESTION, {"from": "gpt", "value": "a"}]},
        [{"messages": [turn("user", "q"), turn("assistant", "a")]}],
        {"messages": [{"message": turn("user", "q")}, {"sender": "ai", "text": "a"}]},
        [{"author": {"role": "user"}, "text": "q"}, {"type": "bot", "message": "a"}],
    ],
)
def test_documents_of_every_shape_are_read(tmp_path: Path, value: Any) -> None:
    assert spoken(document(tmp_path, value)) == [("user", "q"), ("assistant", "a")]


def test_a_turn_of_a_document_tells_its_path(tmp_path: Path) -> None:
    path = document(tmp_path, {"messages": [{}, turn("user", "q")]})

    (message,) = messages(read(path))

    assert (message.native_id, message.origin) == (
        f"{path}#messages[1]",
        Origin(path="messages[1]"),
    )


def test_a_line_may_hold_a_whole_conversation(tmp_path: Path) -> None:
    path = lines(
        tmp_path,
        {"messages": [turn("user", "q")]},
        {"title": "Sails", "messages": [turn("user", "r"), turn("assistant", "s")]},
    )

    batches = read(path)

    titles = [c.title for c in conversations(batches).values()]
    assert titles == ["q", "Sails"]
    assert len({message.native_id for message in messages(batches)}) == 3


def test_one_file_may_hold_several_conversations(tmp_path: Path) -> None:
    path = lines(
        tmp_path,
        turn("user", "one", session_id="a"),
        turn("user", "two", session_id="b"),
        turn("assistant", "three", session_id="a"),
    )

    batches = read(path)

    assert [(m.conversation, m.text) for m in messages(batches)] == [
        ("a", "one"),
        ("b", "two"),
        ("a", "three"),
    ]
    assert set(conversations(batches)) == {"a", "b"}


def test_the_id_of_a_document_names_its_conversation(tmp_path: Path) -> None:
    identifier = "5f0c7a52-0000-4000-8000-000000000001"
    path = document(tmp_path, {"id": identifier, "messages": [turn("user", "q")]})

    assert [*conversations(read(path))] == [identifier]


def test_an_id_that_begins_anew_in_every_file_is_told_apart_by_the_file(
    tmp_path: Path,
) -> None:
    path = document(tmp_path, [{"id": 1, "messages": [turn("user", "q")]}])

    assert [*conversations(read(path))] == [f"{path}#1"]


def test_a_given_message_id_is_kept(tmp_path: Path) -> None:
    identifier = "5f0c7a52-0000-4000-8000-000000000001"

    (message,) = messages(read(lines(tmp_path, turn("user", "q", id=identifier))))

    assert message.native_id == identifier


def test_a_short_message_id_counts_within_its_conversation(tmp_path: Path) -> None:
    path = lines(tmp_path, turn("user", "q", id=7, session_id="s"))

    assert [message.native_id for message in messages(read(path))] == ["s#7"]


def test_an_id_on_every_line_does_not_make_them_one_message(tmp_path: Path) -> None:
    path = lines(tmp_path, *[turn("user", f"q{n}", id="chat") for n in range(3)])

    assert len({message.native_id for message in messages(read(path))}) == 3


# What a turn says


def test_instructions_are_nobodys_words_and_cut_short(tmp_path: Path) -> None:
    path = lines(tmp_path, turn("system", "x " * 5_000), turn("user", "q"))

    system, user = messages(read(path))

    assert (system.noise, len(system.text), user.noise) == (Noise.INJECTED, 1_999, None)


def test_text_in_blocks_is_joined_and_thoughts_stand_apart(tmp_path: Path) -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "thinking"},
        {"type": "text", "text": "one"},
        "two",
        {"type": "image"},
        3,
    ]

    (message,) = messages(read(lines(tmp_path, turn("assistant", content))))

    assert (message.text, message.reasoning) == ("one\ntwo", "hm")


@pytest.mark.parametrize(
    "value",
    [
        turn(
            "assistant",
            [{"type": "tool_use", "id": "c", "name": "Read", "input": {"path": "a"}}],
        ),
        turn(
            "assistant",
            None,
            tool_calls=[
                {"id": "c", "function": {"name": "Read", "arguments": '{"path": "a"}'}}
            ],
        ),
        turn(
            "assistant",
            None,
            tool_calls=[{"id": "c", "name": "Read", "args": {"path": "a"}}, "torn"],
        ),
    ],
)
def test_calls_are_read_in_every_dialect(tmp_path: Path, value: Any) -> None:
    (message,) = messages(read(lines(tmp_path, value)))

    touches = (FileTouch(path="a", action=Touch.READ),)
    assert message.calls == (
        ToolCall(call_id="c", name="Read", input="a", touches=touches),
    )


@pytest.mark.parametrize(
    ("function", "name", "text"),
    [
        ({"name": "f", "arguments": "not json"}, "f", "not json"),
        ({"name": "f", "arguments": "[1]"}, "f", "[1]"),
        ({"name": "f"}, "f", ""),
        ("f", "f", ""),
        ({}, "function", ""),
    ],
)
def test_a_call_with_odd_arguments_is_still_a_call(
    tmp_path: Path, function: Any, name: str, text: str
) -> None:
    value = turn("assistant", "", tool_calls=[{"function": function}])

    (message,) = messages(read(lines(tmp_path, value)))

    assert [(call.name, call.input) for call in message.calls] == [(name, text)]


def test_a_result_of_a_tool_goes_with_its_call(tmp_path: Path) -> None:
    path = lines(tmp_path, turn("tool", "out", tool_call_id="c"))

    (message,) = messages(read(path))

    assert (message.role, message.text, message.results) == (
        Role.TOOL,
        "out",
        (ToolResult(call_id="c", output="out", size=3),),
    )


def test_a_result_under_the_role_of_the_user_is_the_tools(tmp_path: Path) -> None:
    block = {
        "type": "tool_result",
        "tool_use_id": "c",
        "content": "no",
        "is_error": True,
    }

    (message,) = messages(read(lines(tmp_path, turn("user", [block]))))

    assert (message.role, message.text, message.results) == (
        Role.TOOL,
        "no",
        (ToolResult(call_id="c", output="no", size=2, is_error=True),),
    )


def test_what_a_person_says_beside_a_result_stays_theirs(tmp_path: Path) -> None:
    content = [
        {"type": "tool_result", "content": "no"},
        {"type": "text", "text": "so?"},
    ]

    (message,) = messages(read(lines(tmp_path, turn("user", content))))

    assert (message.role, message.text) == (Role.USER, "so?")


@pytest.mark.parametrize(
    ("given_time", "at"),
    [
        ({}, None),
        ({"timestamp": "yesterday"}, None),
        ({"timestamp": True}, None),
        ({"timestamp": 7}, None),
        ({"timestamp": "1026-03-01T10:00:00Z"}, None),
        ({"timestamp": [1]}, None),
        ({"created_at": "2026-03-01T11:00:00+01:00"}, 0),
        ({"created_at": "2026-03-01 10:00:00"}, 0),
        ({"time": "1772359200"}, 0),
        ({"ts": 1772359200.5}, 0.5),
        ({"ts": 1772359200_000}, 0),
        ({"ts": 1772359200_000_000}, 0),
        ({"ts": 1772359200_000_000_000}, 0),
    ],
)
def test_times_are_read_in_every_unit_and_never_made_up(
    tmp_path: Path, given_time: dict[str, Any], at: float | None
) -> None:
    began = datetime(2026, 3, 1, 10, tzinfo=UTC).timestamp()

    (message,) = messages(read(lines(tmp_path, turn("user", "q", **given_time))))

    expected = None if at is None else datetime.fromtimestamp(began + at, UTC)
    assert (message.at, message.approximate_time) == (expected, False)


def test_what_is_no_turn_is_counted(tmp_path: Path) -> None:
    path = lines(tmp_path, turn("user", "q"), {"type": "note"}, {}, turn("user", ""))

    (batch,) = read(path)

    assert batch.ignored == {"note": 1, "other": 1, "empty": 1}


# Bounds


def test_a_long_document_comes_in_batches(tmp_path: Path) -> None:
    path = document(tmp_path, [turn("user", f"{n}") for n in range(450)])

    batches = read(path)

    assert [(type(b), len(b.records), b.checkpoint.offset) for b in batches] == [
        (Replace, 200, 0),
        (Append, 200, 0),
        (Append, 50, path.stat().st_size),
    ]


def test_conversations_remembered_of_one_file_are_bounded(tmp_path: Path) -> None:
    """They are part of every checkpoint."""
    path = lines(
        tmp_path, *[turn("user", "q", id=n, session_id=f"s{n}") for n in range(600)]
    )

    batches = read(path)

    assert len(conversations(batches)) == 600
    assert len(batches[-1].checkpoint.state["conversations"]) == 500


TURNS = st.builds(
    turn,
    st.sampled_from(["user", "assistant", "system", "tool", "captain"]),
    st.sampled_from(["a", "b", "", [{"type": "text", "text": "c"}]]),
    session_id=st.sampled_from(["s", "t", None]),
    id=st.sampled_from([1, "x", None]),
    model=st.sampled_from(["m", "n", None]),
)


@settings(deadline=None, max_examples=100)
@given(st.lists(TURNS, max_size=12), st.data())
def test_a_file_read_as_it_grows_comes_to_the_same_as_read_at_once(
    tmp_path_factory: pytest.TempPathFactory,
    turns: list[dict[str, Any]],
    data: st.DataObject,
) -> None:
    path = lines(tmp_path_factory.mktemp("growing"), turn("user", "first"), *turns)
    content = path.read_bytes()
    least = content.index(b"\n") + 1
    cuts = data.draw(st.lists(st.integers(least, len(content)), max_size=4))

    pieces: list[list[Append | Replace]] = []
    for cut in [*sorted(cuts), len(content)]:
        path.write_bytes(content[:cut])
        pieces.append(read(path, pieces[-1][-1].checkpoint if pieces else None))

    whole, grown = read(path), [batch for piece in pieces for batch in piece]
    assert {m.native_id: m for m in messages(grown)} == {
        m.native_id: m for m in messages(whole)
    }
    assert conversations(grown) == conversations(whole)
