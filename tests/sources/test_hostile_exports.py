"""Exports made to hurt: what they cost is bounded, and what they hide stays hidden."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.redaction.secrets_made_here import drawn
from tests.sources.chatgpt_records import a_zip, conversation, exported, node

from quoth.errors import UnreadableUnitError
from quoth.model import Append, Message, Replace, Rewind, Skipped
from quoth.sources import _branches, _export_reading, _zip_members
from quoth.sources._branches import Node, branches_of
from quoth.sources._exports import export_units, open_export
from quoth.sources.chatgpt import ChatGpt
from quoth.sources.claude_ai import ClaudeAi

SECRET = "ghp_" + drawn(36)
LIST = b'[{"mapping": {}}]'


def steps(
    source: ChatGpt | ClaudeAi, path: Path
) -> Iterator[Append | Replace | Skipped]:
    for unit in source.discover([path]):
        yield from source.read(unit, None)


def skipped(path: Path) -> list[str]:
    return [step.reason for step in steps(ChatGpt(), path) if isinstance(step, Skipped)]


def messages(source: ChatGpt | ClaudeAi, path: Path) -> list[Message]:
    batches = [each for each in steps(source, path) if not isinstance(each, Skipped)]
    records = [record for batch in batches for record in batch.records]
    return [record for record in records if isinstance(record, Message)]


# A list of nothing


def test_of_very_many_values_that_are_none_the_first_are_named_and_the_rest_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_export_reading, "_MOST_SKIPPED", 2)
    path = tmp_path / "conversations.json"
    path.write_text('[{"mapping": {}}, 0, 0, 0, 0, 0]', encoding="utf-8")

    assert skipped(path) == [
        "conversation 2 is no object",
        "conversation 3 is no object",
        "and 3 more values that hold no conversation",
    ]


def test_a_conversation_after_very_many_values_that_are_none_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_export_reading, "_MOST_SKIPPED", 2)
    told = conversation("c", node("m", None, "user", "after all that"))
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([*[0] * 9, told]), encoding="utf-8")

    assert [each.text for each in messages(ChatGpt(), path)] == ["after all that"]


# Zips


def test_members_that_are_small_alone_and_a_bomb_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_zip_members, "_FREE_TOTAL", 2_000_000)
    members = {f"conversations-{n}.json": b" " * 1_000_000 for n in range(3)}
    path = a_zip(tmp_path / "export.zip", members)

    assert [unit.part for unit in export_units([path])] == [""]


def test_a_secret_in_the_name_of_a_member_is_stored_nowhere(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {f"{SECRET}/conversations.json": LIST})

    assert [unit.part for unit in export_units([path])] == [
        "[REDACTED:github_token]/conversations.json"
    ]


def test_a_secret_that_the_cut_of_a_long_name_goes_through_is_stored_nowhere(
    tmp_path: Path,
) -> None:
    name = f"{SECRET}/{'d' * 270}/conversations.json"
    path = a_zip(tmp_path / "export.zip", {name: LIST})

    (part,) = [unit.part for unit in export_units([path])]

    assert SECRET[-8:] not in part


def test_a_member_without_a_name_is_passed_by(tmp_path: Path) -> None:
    entry = b"PK\x01\x02".ljust(46, b"\0")
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(entry), 0, 0)
    path = tmp_path / "export.zip"
    path.write_bytes(entry + end)

    assert [unit.part for unit in export_units([path])] == [""]


def test_a_member_that_begins_before_its_file_is_damaged(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": LIST})
    whole = bytearray(path.read_bytes())
    start = whole.index(b"PK\x01\x02")
    whole[start + 42 : start + 46] = struct.pack("<L", 0)
    place = whole.index(b"PK\x05\x06") + 16
    whole[place : place + 4] = struct.pack("<L", start + 5)
    path.write_bytes(whole)
    (unit,) = export_units([path])

    with pytest.raises(UnreadableUnitError, match="it is damaged"):
        open_export(unit)


@pytest.mark.parametrize("seed", range(200))
def test_a_zip_with_any_bytes_changed_is_read_or_refused(
    tmp_path: Path, seed: int
) -> None:
    members = {"conversations.json": LIST, "conversations/1.json": b" " * 5_000}
    path = a_zip(tmp_path / "export.zip", members)
    random = Random(seed)  # noqa: S311 - not to keep anything secret
    content = bytearray(path.read_bytes())
    for _ in range(random.randint(1, 6)):
        content[random.randrange(len(content))] = random.choice((0, 1, 127, 255))
    path.write_bytes(content)

    for unit in export_units([path]):
        with suppress(UnreadableUnitError), closing(open_export(unit)) as stream:
            assert len(stream.read(100_000)) <= 100_000


# Trees


def comb(teeth: int) -> list[Node]:
    """Return a path that something was left for at every step."""
    live = [
        Node(id=f"n{n}", parent=f"n{n - 1}" if n else None) for n in range(teeth + 1)
    ]
    dead = [Node(id=f"d{n}", parent=f"n{n}") for n in range(teeth)]
    return [*live, *dead]


def test_what_was_left_stands_where_it_was_left() -> None:
    branches = branches_of(comb(2), current="n2")

    assert [branch.ids for branch in branches] == [
        ("n0",),
        ("d0",),
        ("n1",),
        ("d1",),
        ("n2",),
    ]


def test_a_path_that_was_left_very_often_is_told_in_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_branches, "_MOST_BRANCHES", 4)

    branches = branches_of(comb(2), current="n2")

    assert [(branch.ids, branch.is_live) for branch in branches] == [
        (("n0", "n1", "n2"), True),
        (("d0", "d1"), False),
    ]


def test_a_path_that_was_left_very_often_is_gone_back_on_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_branches, "_MOST_BRANCHES", 4)
    nodes = [node(each.id, each.parent, "user", each.id) for each in comb(5)]
    path = exported(
        tmp_path / "conversations.json", conversation("c", *nodes, current_node="n5")
    )

    (batch,) = steps(ChatGpt(), path)

    assert not isinstance(batch, Skipped)
    rewinds = [each for each in batch.records if isinstance(each, Rewind)]
    assert [rewind.first for rewind in rewinds] == ["c#d0"]


# What is cut


def long_model(secret: str) -> str:
    return "m" * 80 + " " + secret


def test_a_secret_that_the_cut_of_a_model_goes_through_is_kept_nowhere(
    tmp_path: Path,
) -> None:
    model = {"model_slug": long_model(SECRET)}
    told = conversation("c", node("m", None, "assistant", "aye", metadata=model))
    path = exported(tmp_path / "conversations.json", told)

    (message,) = messages(ChatGpt(), path)

    assert message.model
    assert SECRET[:8] not in message.model


def test_a_secret_that_the_cut_of_the_usual_model_goes_through_is_kept_nowhere(
    tmp_path: Path,
) -> None:
    told = conversation(
        "c", node("m", None, "user", "aye"), default_model_slug=long_model(SECRET)
    )
    path = exported(tmp_path / "conversations.json", told)

    (batch,) = steps(ChatGpt(), path)

    assert not isinstance(batch, Skipped)
    ((model,),) = [each.models for each in batch.conversations]
    assert SECRET[:8] not in model


def test_a_secret_that_the_cut_of_a_tools_name_goes_through_is_kept_nowhere(
    tmp_path: Path,
) -> None:
    told = conversation(
        "c", node("m", None, "assistant", "run()", recipient=long_model(SECRET))
    )
    path = exported(tmp_path / "conversations.json", told)

    ((call,),) = [message.calls for message in messages(ChatGpt(), path)]

    assert SECRET[:8] not in call.name


# Ids


def a_message(**fields: Any) -> dict[str, Any]:
    return {"uuid": "m", "sender": "human", "text": "aye", **fields}


def test_an_id_of_claude_ai_beyond_all_measure_is_kept_short(tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "id": "c" * 9_000, "name": "t", "input": {"a": "b"}}]
    path = exported(
        tmp_path / "conversations.json",
        {
            "uuid": "i" * 9_000,
            "chat_messages": [a_message(uuid="m" * 9_000, content=calls)],
        },
    )

    (message,) = messages(ClaudeAi(), path)

    ids = (message.conversation, message.native_id, message.calls[0].call_id)
    assert max(map(len, ids)) < 100


def test_an_id_that_is_a_secret_does_not_name_what_was_skipped(tmp_path: Path) -> None:
    path = exported(tmp_path / "conversations.json", {"id": SECRET, "mapping": 3})

    assert skipped(path) == ["conversation 1 has no messages"]
