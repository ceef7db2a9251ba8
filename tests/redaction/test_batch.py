"""No text in a batch escapes, also none in a field that someone adds later."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

import quoth
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    RedactedBatch,
    Replace,
    Rewind,
    Role,
    ToolCall,
    ToolResult,
    Usage,
)
from quoth.redaction import RULES_VERSION, redact

from .secrets_made_here import drawn

CANARY = "ghp_" + drawn(36)
GONE = "[REDACTED:github_token]"
IDENTITIES = {
    ("Conversation", "native_id"),
    ("Conversation", "parent"),
    ("Message", "conversation"),
    ("Message", "native_id"),
    ("ToolCall", "call_id"),
    ("ToolResult", "call_id"),
    ("Rewind", "conversation"),
    ("Rewind", "first"),
    ("Usage", "conversation"),
    ("Usage", "call_id"),
    ("Usage", "message"),
}
"""Ids: a change would cut a message from its conversation, a result from its call."""


def filled(kind: Any) -> Any:
    """Return a value of the type with the canary in every text that it can hold."""
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: filled(hint) for name, hint in _hints(kind).items()})
    if get_origin(kind) in {Union, UnionType}:
        return next(filled(part) for part in get_args(kind) if part is not NoneType)
    if get_origin(kind) is tuple:
        return tuple(filled(part) for part in _members(get_args(kind)[0]))
    if get_origin(kind) is Mapping:
        return {CANARY: filled(get_args(kind)[1]), "nested": [{CANARY: (CANARY,)}]}
    return _filled_plainly(kind)


def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)


def _filled_plainly(kind: Any) -> Any:
    if kind in {str, Any}:
        return CANARY
    if issubclass(kind, Enum):
        return next(iter(kind))
    return {int: 1, bool: True, datetime: datetime(2026, 1, 1, tzinfo=UTC)}[kind]


def texts(value: Any, place: tuple[str, str] = ("", "")) -> Iterator[tuple[Any, str]]:
    """Yield every text in *value* with the class and field that it stands in."""
    if isinstance(value, str):
        yield place, value
    elif is_dataclass(value):
        for field in fields(value):
            owner = (type(value).__name__, field.name)
            yield from texts(getattr(value, field.name), owner)
    elif isinstance(value, Mapping):
        yield from texts([*value, *value.values()], place)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item, place)


@pytest.mark.parametrize("kind", [Append, Replace])
def test_no_text_of_a_batch_escapes(kind: type[Append | Replace]) -> None:
    redacted = redact(filled(kind))

    escaped = {place for place, text in texts(redacted.batch) if CANARY in text}
    assert escaped == IDENTITIES


def test_the_batch_of_this_test_has_every_record_there_is() -> None:
    places = {place[0] for place, text in texts(filled(Append)) if CANARY in text}

    assert places == {
        *("Append", "Checkpoint", "Conversation", "FileTouch", "Message", "Origin"),
        *("Rewind", "ToolCall", "ToolResult", "Usage"),
    }


@pytest.mark.parametrize("kind", [Append, Replace])
def test_a_batch_keeps_its_kind(kind: type[Append | Replace]) -> None:
    assert type(redact(filled(kind)).batch) is kind


def test_a_redacted_batch_says_by_which_rules_and_how_often() -> None:
    message = Message(
        conversation="c",
        native_id="m",
        role=Role.USER,
        text=f"{CANARY} {CANARY}",
        calls=(ToolCall(call_id="1", name="bash", command=f"login {CANARY}"),),
    )

    assert redact(Append(records=(message,))) == RedactedBatch(
        batch=Append(
            records=(
                Message(
                    conversation="c",
                    native_id="m",
                    role=Role.USER,
                    text=f"{GONE} {GONE}",
                    calls=(
                        ToolCall(call_id="1", name="bash", command=f"login {GONE}"),
                    ),
                ),
            )
        ),
        rules_version=RULES_VERSION,
        replacements={"github_token": 3},
    )


def test_a_batch_without_a_secret_is_the_same_object() -> None:
    batch = Append(
        conversations=(Conversation(native_id="c", title="t", models=("m",)),),
        records=(
            Message(
                conversation="c",
                native_id="m",
                role=Role.TOOL,
                results=(ToolResult(call_id="1", output="done"),),
            ),
            Rewind(conversation="c", first="m"),
        ),
        usage=(Usage(conversation="c", call_id="u", model="m"),),
        ignored={"progress": 2},
        checkpoint=Checkpoint(offset=9, state={"open": ["1", {"n": 1.5}], "on": True}),
    )

    assert redact(batch).batch is batch


def test_a_record_without_a_secret_is_the_same_object_beside_one_with() -> None:
    clean = Message(conversation="c", native_id="1", role=Role.USER, text="hello")
    leaky = Message(conversation="c", native_id="2", role=Role.USER, text=CANARY)

    assert redact(Append(records=(clean, leaky))).batch.records[0] is clean


def test_ids_stay_whatever_they_look_like() -> None:
    conversation = Conversation(native_id=CANARY, parent=CANARY)

    batch = redact(Append(conversations=(conversation,))).batch

    assert batch.conversations == (conversation,)


def test_two_keys_of_a_state_that_become_alike_keep_both_values() -> None:
    other = "ghp_" + drawn(40)
    checkpoint = Checkpoint(state={CANARY: 1, other: 2})

    redacted = redact(Append(checkpoint=checkpoint)).batch

    assert redacted.checkpoint.state == {GONE: 1, f"{GONE}#2": 2}


def test_a_message_that_takes_too_much_work_is_withheld_and_counted() -> None:
    message = Message(
        conversation="c", native_id="m", role=Role.USER, text="://" * 20_000
    )

    redacted = redact(Append(records=(message,)))

    assert redacted.replacements == {"withheld": 1}


def test_only_redaction_makes_a_redacted_batch() -> None:
    """The type is the guarantee: what asks for one can be sure it was redacted."""
    source = Path(quoth.__file__).parent
    makers = {
        path.relative_to(source).parts[0]
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and "RedactedBatch" in ast.unparse(node.func)
    }

    assert makers == {"redaction"}
