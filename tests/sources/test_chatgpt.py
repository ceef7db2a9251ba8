"""ChatGPT's exports: what is shown, what was left for it, and whose words it is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import archive_in, assert_consistent, found, later, texts
from tests.sources.chatgpt_records import a_zip, conversation, exported, node

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.errors import UnknownFormatError
from quoth.model import (
    Conversation,
    Filters,
    Include,
    Message,
    Mode,
    Noise,
    Outcome,
    Replace,
    Rewind,
    Role,
    SearchUnit,
    Skipped,
    SyncReport,
    TitleOrigin,
    ToolCall,
    ToolResult,
)
from quoth.sources.chatgpt import ChatGpt
from quoth.sources.generic import Generic

UUID = "5f0c1f8a-1111-4222-8333-944455556666"


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(1777629600 + seconds, UTC)


def steps(path: Path) -> list[Any]:
    return [
        step
        for unit in ChatGpt().discover([path])
        for step in ChatGpt().read(unit, None)
    ]


def records(path: Path) -> list[Message | Rewind]:
    batches = [step for step in steps(path) if not isinstance(step, Skipped)]
    return [record for batch in batches for record in batch.records]


def messages(path: Path) -> list[Message]:
    return [record for record in records(path) if isinstance(record, Message)]


def skipped(path: Path) -> list[str]:
    return [step.reason for step in steps(path) if isinstance(step, Skipped)]


def ignored(path: Path) -> dict[str, int]:
    (batch,) = steps(path)
    return dict(batch.ignored)


def one(tmp_path: Path, *nodes: dict[str, Any], **fields: Any) -> Path:
    """Write an export of one conversation."""
    return exported(
        tmp_path / "conversations.json", conversation("c", *nodes, **fields)
    )


def told(tmp_path: Path, *nodes: dict[str, Any], **fields: Any) -> Conversation:
    (batch,) = steps(one(tmp_path, *nodes, **fields))
    (conversation,) = batch.conversations
    assert isinstance(conversation, Conversation)
    return conversation


def said(tmp_path: Path, content: Any, role: str = "assistant", **more: Any) -> Message:
    (message,) = messages(one(tmp_path, node("m", None, role, content, **more)))
    return message


def order(path: Path) -> list[str]:
    """Return the ids of messages in order, and what each rewind goes back to."""
    return [
        f"back to {record.first}" if isinstance(record, Rewind) else record.native_id
        for record in records(path)
    ]


# Where exports are


def test_nothing_is_looked_for_unless_a_path_is_given() -> None:
    assert ChatGpt().default_roots({}, home=Path("/home/dev")) == ()


def test_an_export_is_known_by_its_tree_of_messages(tmp_path: Path) -> None:
    (unit,) = ChatGpt().discover([one(tmp_path, node("m", None, "user", "hi"))])

    assert ChatGpt().recognises(unit)


def test_an_export_of_another_service_is_not_recognised(tmp_path: Path) -> None:
    path = exported(tmp_path / "conversations.json", {"chat_messages": []})
    (unit,) = ChatGpt().discover([path])

    assert not ChatGpt().recognises(unit)


# What is shown


def test_the_current_node_says_which_branch_is_live(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "how long"),
        node("a", "q", "assistant", "forty"),
        node("s", "a", "user", "sure?"),
        node("b", "q", "assistant", "sixty"),
        node("t", "b", "user", "thanks"),
    )

    assert order(path) == ["c#q", "c#a", "c#s", "back to c#a", "c#b", "c#t"]


def test_what_hangs_below_the_current_node_is_not_live(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "how long"),
        node("a", "q", "assistant", "forty"),
        current_node="q",
    )

    assert order(path) == ["c#q", "c#a", "back to c#a"]


@pytest.mark.parametrize("current", [None, "gone", 7])
def test_without_a_current_node_the_newest_leaf_is(
    tmp_path: Path, current: Any
) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "how long"),
        node("new", "q", "assistant", "sixty", create_time=1777629900),
        node("old", "q", "assistant", "forty", create_time=1777629800),
        current_node=current,
    )

    assert order(path) == ["c#q", "c#old", "back to c#old", "c#new"]


def test_a_node_that_names_no_parent_is_below_the_one_that_lists_it(
    tmp_path: Path,
) -> None:
    first, second = node("q", None, "user", "hi"), node("a", None, "assistant", "ho")
    first["children"] = [7, "a"]
    del second["parent"]

    assert order(one(tmp_path, first, second)) == ["c#q", "c#a"]


def test_without_any_links_the_order_of_the_file_is_that_of_the_messages(
    tmp_path: Path,
) -> None:
    nodes = [
        node("q", None, "user", "how long"),
        node("a", None, "assistant", "sixty"),
        node("t", None, "user", "thanks"),
    ]
    for each in nodes:
        del each["parent"], each["children"]

    assert order(one(tmp_path, *nodes)) == ["c#q", "c#a", "c#t"]


def test_a_node_below_one_that_is_missing_follows_the_one_before_it(
    tmp_path: Path,
) -> None:
    path = one(
        tmp_path,
        node("root", None),
        node("q", "root", "user", "how long"),
        node("a", "gone", "assistant", "sixty"),
        node("t", "a", "user", "thanks"),
    )

    assert order(path) == ["c#q", "c#a", "c#t"]


def test_what_begins_another_tree_is_not_live(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("x", None, "user", "how wide"),
        node("q", None, "user", "how long"),
        node("a", "q", "assistant", "sixty"),
    )

    assert order(path) == ["c#x", "back to c#x", "c#q", "c#a"]


def test_nodes_in_a_circle_are_told_once(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("x", "y", "user", "one"),
        node("y", "x", "assistant", "two"),
        node("q", None, "user", "three"),
    )

    assert order(path) == ["c#x", "c#y", "back to c#x", "c#q"]


def test_a_live_path_that_runs_in_a_circle_ends(tmp_path: Path) -> None:
    path = one(
        tmp_path, node("x", "y", "user", "one"), node("y", "x", "assistant", "two")
    )

    assert order(path) == ["c#x", "c#y"]


# Whose words they are


def test_a_prompt_and_its_reply(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "how long", create_time=1777629601),
        node(
            UUID, "q", "assistant", "sixty", create_time=1777629602,
            metadata={"model_slug": "gpt-x"},
        ),
    )  # fmt: skip

    (prompt, reply) = messages(path)

    assert prompt == Message(
        conversation="c",
        native_id="c#q",
        role=Role.USER,
        text="how long",
        at=at(1),
        origin=prompt.origin,
    )
    assert reply == Message(
        conversation="c",
        native_id=UUID,
        role=Role.ASSISTANT,
        text="sixty",
        at=at(2),
        model="gpt-x",
        origin=reply.origin,
    )


@pytest.mark.parametrize(
    ("role", "content", "more", "noise"),
    [
        ("system", "You are", {}, Noise.INJECTED),
        ("critic", "Hm", {}, Noise.INJECTED),
        ("user", "me", {"metadata": {"is_user_system_message": True}}, Noise.INJECTED),
        (
            "user",
            "me",
            {"metadata": {"is_visually_hidden_from_conversation": True}},
            Noise.INJECTED,
        ),
        (
            "user",
            {"content_type": "user_editable_context", "user_profile": "me"},
            {},
            Noise.INJECTED,
        ),
        (
            "assistant",
            {"content_type": "model_editable_context", "model_set_context": "me"},
            {},
            Noise.INJECTED,
        ),
        ("user", "left out", {"weight": 0}, Noise.META),
        ("user", "hi", {"weight": None, "metadata": None}, None),
    ],
)
def test_what_nobody_typed_is_noise(
    tmp_path: Path, role: str, content: Any, more: Any, noise: Noise | None
) -> None:
    assert said(tmp_path, content, role, **more).noise is noise


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "text", "parts": ["a", "", "b"]}, "a\nb"),
        ({"content_type": "code", "language": "python", "text": "print()"}, "print()"),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "file:x"},
                    "a caption",
                    {"content_type": "audio_transcription", "text": "spoken"},
                ],
            },
            "a caption\nspoken",
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [{"content_type": "image_asset_pointer"}],
            },
            "[image]",
        ),
        (
            {"content_type": "tether_quote", "title": "T", "url": "U", "text": "x"},
            "T\nU\nx",
        ),
        ({"content_type": "tether_browsing_display", "result": "r"}, "r"),
        ({"content_type": "sonic_webpage", "title": "T", "snippet": "s"}, "T\ns"),
        ({"content_type": "system_error", "name": "N", "text": "x"}, "N\nx"),
        ({"content_type": "never_heard_of", "text": "kept"}, "kept"),
        ({"content_type": "never_heard_of", "parts": ["kept"]}, "kept"),
        ({"text": "kept"}, "kept"),
    ],
)
def test_every_content_with_text_is_read(
    tmp_path: Path, content: Any, text: str
) -> None:
    assert said(tmp_path, content).text == text


def test_a_content_that_is_only_a_text_is_read(tmp_path: Path) -> None:
    plain = node("m", None, "user")
    plain["message"]["content"] = "hi"

    assert [each.text for each in messages(one(tmp_path, plain))] == ["hi"]


@pytest.mark.parametrize(
    ("content", "reasoning"),
    [
        (
            {
                "content_type": "thoughts",
                "thoughts": [{"summary": "S", "content": "x"}, {"content": "y"}, 3],
            },
            "S\nx\n\ny",
        ),
        ({"content_type": "reasoning_recap", "content": "Thought"}, "Thought"),
    ],
)
def test_thoughts_are_reasoning_not_words(
    tmp_path: Path, content: Any, reasoning: str
) -> None:
    message = said(tmp_path, content)

    assert (message.text, message.reasoning) == ("", reasoning)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ({"content_type": "super_widget", "data": {"x": 1}}, "super_widget"),
        ({"content_type": "text", "parts": [""]}, "text"),
        ({"content_type": "text", "parts": None}, "text"),
        ({"content_type": "a type\n with words in it"}, "other"),
        (None, "other"),
        (["x"], "other"),
    ],
)
def test_what_holds_no_text_is_counted_by_its_type(
    tmp_path: Path, content: Any, kind: str
) -> None:
    path = one(tmp_path, node("m", None, "assistant", content))

    assert (messages(path), ignored(path)) == ([], {kind: 1})


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("It is \ue200cite\ue202turn0search1\ue202turn0search2\ue201so.", "It is so."),
        ("So it is【12†source】.", "So it is."),
        ("So it is【4:0†notes.pdf】.", "So it is."),
        ('\ue200entity\ue202["city","Oslo","Norway"]\ue201 is far', "Oslo is far"),
        ("\ue200entity\ue202[not json\ue201Far", "Far"),
        ("\ue200entity\ue202[3]\ue201Far", "Far"),
        ("stray \ue206marks\ue201", "stray marks"),
        ("【kept】 and †", "【kept】 and †"),
    ],
)
def test_marks_of_citations_are_taken_out(
    tmp_path: Path, text: str, clean: str
) -> None:
    assert said(tmp_path, text).text == clean


# Tools


def test_code_for_a_tool_is_a_call_and_its_output_the_result(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "run it"),
        node(
            "call", "q", "assistant", {"content_type": "code", "text": "print(1)"},
            recipient="python",
        ),
        node("think", "call", "assistant",
             {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}),
        node("out", "think", "tool", {"content_type": "execution_output", "text": "1"}),
    )  # fmt: skip

    (_, call, _, output) = messages(path)

    assert (call.text, call.calls) == (
        "",
        (ToolCall(call_id="c#call", name="python", input="print(1)"),),
    )
    assert (output.role, output.text, output.results) == (
        Role.TOOL,
        "1",
        (ToolResult(call_id="c#call", output="1", size=1),),
    )


def test_a_document_on_the_canvas_is_the_input_of_a_call(tmp_path: Path) -> None:
    document = json.dumps({"name": "plan", "type": "document", "content": "Ten knots"})

    message = said(tmp_path, document, recipient="canmore.create_textdoc")

    assert message.calls == (
        ToolCall(
            call_id="c#m",
            name="canmore.create_textdoc",
            input="plan\ndocument\nTen knots",
        ),
    )


def test_a_command_is_kept_as_one(tmp_path: Path) -> None:
    content = {"content_type": "code", "text": '{"cmd": ["bash", "-lc", "ls -a"]}'}

    (call,) = said(tmp_path, content, recipient="container.exec").calls

    assert call.command == "ls -a"


def test_an_answer_after_other_words_belongs_to_no_call(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("call", None, "assistant", "look", recipient="browser"),
        node("talk", "call", "assistant", "meanwhile"),
        node("out", "talk", "tool", "found"),
    )

    assert messages(path)[-1].results[0].call_id == ""


def test_an_error_of_a_tool_is_one(tmp_path: Path) -> None:
    content = {"content_type": "system_error", "name": "Timeout", "text": "too slow"}

    (result,) = said(tmp_path, content, "tool").results

    assert result.is_error is True


# Times


def test_a_message_without_a_time_has_that_of_the_one_above(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "hi", create_time=1777629650),
        node("a", "q", "assistant", "ho"),
    )

    assert [(each.at, each.approximate_time) for each in messages(path)] == [
        (at(50), False),
        (at(50), True),
    ]


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({}, at(0)),
        ({"create_time": None}, at(100)),
        ({"create_time": "soon", "update_time": float("nan")}, None),
    ],
)
def test_without_any_time_of_messages_it_is_the_conversations(
    tmp_path: Path, fields: dict[str, Any], when: datetime | None
) -> None:
    (message,) = messages(one(tmp_path, node("q", None, "user", "hi"), **fields))

    assert (message.at, message.approximate_time) == (when, when is not None)


# Conversations


def test_the_facts_of_a_conversation(tmp_path: Path) -> None:
    facts = told(
        tmp_path,
        node("q", None, "user", "hi", create_time=1777629605),
        node(
            "a", "q", "assistant", "ho", create_time=1777629630,
            metadata={"model_slug": "gpt-x"},
        ),
    )  # fmt: skip

    assert facts == Conversation(
        native_id="c",
        title="Chain",
        title_origin=TitleOrigin.MODEL,
        started_at=at(0),
        ended_at=at(30),
        models=("gpt-x",),
        snapshot_at=at(100),
    )


@pytest.mark.parametrize("title", [None, "", "New chat", 7])
def test_without_a_title_the_first_prompt_is(tmp_path: Path, title: Any) -> None:
    facts = told(
        tmp_path,
        node("s", None, "user", "me", metadata={"is_user_system_message": True}),
        node("q", "s", "user", "where is the anchor"),
        title=title,
    )

    assert (facts.title, facts.title_origin) == (
        "where is the anchor",
        TitleOrigin.PROMPT,
    )


def test_without_a_prompt_there_is_no_title(tmp_path: Path) -> None:
    facts = told(tmp_path, node("a", None, "assistant", "ho"), title=None)

    assert (facts.title, facts.title_origin) == (None, None)


def test_without_a_model_of_messages_it_is_the_conversations(tmp_path: Path) -> None:
    facts = told(
        tmp_path, node("q", None, "user", "hi"), default_model_slug="gpt-default"
    )

    assert facts.models == ("gpt-default",)


def test_a_conversation_never_updated_was_told_when_it_began(tmp_path: Path) -> None:
    facts = told(tmp_path, node("q", None, "user", "hi"), update_time=None)

    assert facts.snapshot_at == at(0)


@pytest.mark.parametrize("first", [{"conversation_id": "x"}, {"id": "x"}])
def test_either_id_names_a_conversation(tmp_path: Path, first: dict[str, str]) -> None:
    facts = told(
        tmp_path,
        node("q", None, "user", "hi"),
        **{"conversation_id": None, "id": None, **first},
    )

    assert facts.native_id == "x"


def test_a_conversation_without_an_id_keeps_the_one_it_is_given(
    tmp_path: Path,
) -> None:
    nothing = {"conversation_id": None, "id": None}
    first = told(tmp_path, node("q", None, "user", "hi"), **nothing)
    longer = told(
        tmp_path,
        node("q", None, "user", "hi"),
        node("a", "q", "assistant", "ho"),
        **{**nothing, "update_time": 1777639999, "title": "Renamed"},
    )

    assert first.native_id == longer.native_id
    assert first.native_id.startswith("unnamed-")


def test_a_message_id_that_occurs_twice_names_the_first(tmp_path: Path) -> None:
    path = one(
        tmp_path,
        node("q", None, "user", "hi", id=UUID),
        node("a", "q", "assistant", "ho", id=UUID),
    )

    assert [each.native_id for each in messages(path)] == [UUID, "c#a"]


def test_a_very_long_id_is_kept_short(tmp_path: Path) -> None:
    (message,) = messages(one(tmp_path, node("x" * 5000, None, "user", "hi")))

    assert len(message.native_id) < 100
    assert len(message.origin.path) < 100


# What is broken


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (
            {"conversation_id": "cg-6", "mapping": None},
            "conversation 2 (cg-6) has no messages",
        ),
        ({"id": "cg-6", "mapping": []}, "conversation 2 (cg-6) has no messages"),
        (
            {"id": "secret words \x1b[31m", "mapping": 3},
            "conversation 2 has no messages",
        ),
        ({"title": "no tree"}, "conversation 2 has no messages"),
        (["x"], "conversation 2 is no object"),
        (None, "conversation 2 is no object"),
    ],
)
def test_a_broken_conversation_costs_itself(
    tmp_path: Path, broken: Any, reason: str
) -> None:
    path = exported(
        tmp_path / "conversations.json",
        conversation("one", node("q", None, "user", "hi")),
        broken,
        conversation("two", node("q", None, "user", "ho")),
    )

    assert [each.native_id for each in messages(path)] == ["one#q", "two#q"]
    assert skipped(path) == [reason]


_KEYS = (
    *("id", "parent", "children", "message", "author", "role", "content"),
    *("content_type", "parts", "text", "thoughts", "metadata", "weight", "recipient"),
    *("create_time", "title"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4), JSON, JSON)
def test_no_conversation_is_too_strange(
    tmp_path_factory: pytest.TempPathFactory, mapping: Any, current: Any, time: Any
) -> None:
    folder = tmp_path_factory.mktemp("strange")
    strange = {"mapping": mapping, "current_node": current, "create_time": time}
    path = exported(folder / "conversations.json", strange)

    (batch,) = steps(path)

    assert isinstance(batch, Replace)


def test_every_message_is_read_again_at_its_origin(tmp_path: Path) -> None:
    talks = [
        conversation(
            f"c{number}",
            node("q", None, "user", f"question {number}"),
            node("dead", "q", "assistant", "forty"),
            node("a", "q", "assistant", "sixty"),
        )
        for number in range(3)
    ]
    path = a_zip(tmp_path / "export.zip", {"conversations.json": talks})
    (unit,) = ChatGpt().discover([path])

    for message in messages(path):
        assert ChatGpt().read_at(unit, message.origin) == (message,)


# In an archive


def an_archive(tmp_path: Path) -> Archive:
    return Archive(
        archive_in(tmp_path),
        roots={},
        sources=(ChatGpt(), Generic()),
        embedder=HashEmbedder(),
        clock=later,
    )


def a_profile() -> dict[str, Any]:
    return node(
        "p",
        None,
        "user",
        {"content_type": "user_editable_context", "user_profile": "profile keelson"},
        metadata={"is_visually_hidden_from_conversation": True},
    )


def anchor(*, updated: float = 1777629700.0, last: str = "Sixty fathoms") -> Any:
    """Return a conversation that was answered twice."""
    return conversation(
        "cg-1",
        node("n1", None, "user", "how long is the anchorchain"),
        node("n2", "n1", "assistant", "Forty fathoms, says the dinghy"),
        node("n3", "n2", "user", "are you sure"),
        node("n4", "n1", "assistant", last),
        update_time=updated,
    )


def an_export(path: Path) -> Path:
    """Write a zip in two parts, of six conversations of which one is broken."""
    untitled = conversation(
        "cg-2",
        node("a", None, "user", "no time at all futtock"),
        node("b", "a", "assistant", "fine futtock"),
        title=None,
        create_time=None,
    )
    slim = conversation(
        "cg-3",
        node("u", None, "user", "a slim mizzen"),
        node("v", "u", "assistant", "reply"),
    )
    for each in slim["mapping"].values():
        del each["children"]
        del each["message"]["metadata"]
    hidden = conversation(
        "cg-4", a_profile(), node("x", "p", "user", "visible topsail question")
    )
    tools = conversation(
        "cg-5",
        node(
            "c", None, "assistant",
            {"content_type": "code", "text": "print('yardarm')"}, recipient="python",
        ),
        node("t", "c", "tool", {"content_type": "execution_output", "text": "yardarm"}),
    )  # fmt: skip
    return a_zip(
        path,
        {
            "conversations-000.json": [anchor(), untitled, slim],
            "conversations-001.json": [{"id": "cg-6", "mapping": None}, hidden, tools],
            "user.json": {"id": "user-x"},
            "chat.html": b"<html>",
        },
    )


def counts(report: SyncReport) -> tuple[int, list[str]]:
    reasons = [reason for skips in report.skipped for reason in skips.reasons]
    return report.conversations_new, reasons


def keys(archive: Archive, question: str, *include: Include) -> list[str]:
    page = archive.search(
        question,
        mode=Mode.WORDS,
        unit=SearchUnit.MESSAGE,
        filters=Filters(include=frozenset(include)),
    )
    return sorted(hit.text for hit in page.hits)


def test_an_import_adds_up(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)

    report = archive.sync([an_export(tmp_path / "export.zip")])

    assert counts(report) == (5, ["conversation 1 (cg-6) has no messages"])
    assert_consistent(archive_in(tmp_path))


def test_the_live_branch_is_shown_and_the_other_is_found_when_asked_for(
    tmp_path: Path,
) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    assert texts(archive, "chatgpt:cg-1") == [
        "how long is the anchorchain",
        "Sixty fathoms",
    ]
    assert keys(archive, "dinghy") == []
    assert keys(archive, "dinghy", Include.SUPERSEDED) == [
        "Forty fathoms, says the dinghy"
    ]


def test_an_untitled_conversation_is_named_after_its_prompt(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    assert archive.show("chatgpt:cg-2").title == "no time at all futtock"


def test_a_hidden_profile_is_found_by_nobody(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    assert found(archive, "keelson") == []
    assert texts(archive, "chatgpt:cg-4") == ["visible topsail question"]


def test_code_and_its_output_are_found(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    assert found(archive, "yardarm") == ["", "yardarm"]


def test_importing_the_same_again_from_another_file_adds_nothing(
    tmp_path: Path,
) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    again = archive.sync([exported(tmp_path / "conversations.json", anchor())])

    assert (again.conversations_new, again.messages_new) == (0, 0)
    assert texts(archive, "chatgpt:cg-1") == [
        "how long is the anchorchain",
        "Sixty fathoms",
    ]
    assert_consistent(archive_in(tmp_path))


@pytest.mark.parametrize("newer_first", [False, True])
def test_the_newer_export_says_what_is_live(tmp_path: Path, newer_first: bool) -> None:
    old = an_export(tmp_path / "export.zip")
    new = exported(
        tmp_path / "newer" / "conversations.json",
        anchor(updated=1777639999.0, last="Seventy fathoms"),
    )
    archive = an_archive(tmp_path)

    for path in (new, old) if newer_first else (old, new):
        archive.sync([path])

    assert texts(archive, "chatgpt:cg-1") == [
        "how long is the anchorchain",
        "Seventy fathoms",
    ]
    assert_consistent(archive_in(tmp_path))


def test_an_id_in_two_parts_of_one_export_is_as_it_was_updated_last(
    tmp_path: Path,
) -> None:
    parts = {
        "conversations-000.json": [anchor(updated=1777639999.0, last="Seventy")],
        "conversations-001.json": [anchor(last="Sixty")],
    }
    archive = an_archive(tmp_path)

    archive.sync([a_zip(tmp_path / "export.zip", parts)])

    assert texts(archive, "chatgpt:cg-1")[-1] == "Seventy"


def told_again(answer: str, moment: float) -> dict[str, Any]:
    return conversation(
        "c",
        node("q", None, "user", "how long"),
        node(answer, "q", "assistant", answer),
        update_time=moment,
        title=f"Title {answer}",
    )


@pytest.mark.parametrize(
    "answers",
    [
        ("sixty", "forty", "fifty"),
        ("forty", "sixty", "fifty"),
        ("forty", "sixty", "forty"),
        ("forty", "fifty", "sixty"),
        ("sixty", "forty", "sixty"),
    ],
)
def test_an_id_that_one_file_tells_again_is_as_it_was_updated_last(
    tmp_path: Path, answers: tuple[str, ...]
) -> None:
    moments = {"forty": 1777639000.0, "fifty": 1777639001.0, "sixty": 1777639002.0}
    tellings = [told_again(answer, moments[answer]) for answer in answers]
    archive = an_archive(tmp_path)

    archive.sync([exported(tmp_path / "conversations.json", *tellings)])

    assert texts(archive, "chatgpt:c") == ["how long", "sixty"]
    assert archive.show("chatgpt:c").title == "Title sixty"
    assert_consistent(archive_in(tmp_path))


def test_what_only_an_older_telling_in_the_file_has_is_kept(tmp_path: Path) -> None:
    tellings = [told_again("sixty", 1777639002.0), told_again("forty", 1777639000.0)]
    archive = an_archive(tmp_path)

    archive.sync([exported(tmp_path / "conversations.json", *tellings)])

    assert keys(archive, "forty") == []
    assert keys(archive, "forty", Include.SUPERSEDED) == ["forty"]


def test_a_citation_of_a_message_in_a_zip_is_verified(tmp_path: Path) -> None:
    archive = an_archive(tmp_path)
    archive.sync([an_export(tmp_path / "export.zip")])

    for message in archive.show("chatgpt:cg-1").messages:
        assert archive.verify(message.citation).outcome is Outcome.VERIFIED


def test_an_unpacked_export_is_read_without_its_companions(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    exported(folder / "conversations.json", anchor())
    turns = {"messages": [{"role": "user", "content": "not a conversation"}]}
    for name in ("user.json", "message_feedback.json", "group_chats.json"):
        exported(folder / name, turns)
    archive = an_archive(tmp_path)

    report = archive.sync([folder])

    assert (report.units, report.conversations_new, report.unrecognised) == (1, 1, ())


def test_a_zip_without_conversations_is_no_history(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "photos.zip", {"a.jpg": b""})

    with pytest.raises(UnknownFormatError):
        an_archive(tmp_path).sync([path])


def test_a_broken_zip_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    an_export(folder / "good.zip")
    (folder / "bad.zip").write_bytes(b"PK cut off")

    report = an_archive(tmp_path).sync([folder])

    assert report.conversations_new == 5
    assert [each.reason for each in report.failed] == ["it is no zip, or a damaged one"]
