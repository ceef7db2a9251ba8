"""A history of ChatGPT: the zip of an export, with a file of conversations or two."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from quoth.sources.chatgpt import ChatGpt

from .history import (
    History,
    Sample,
    Turn,
    Wish,
    voyage,
    words,
)
from .zips import zipped

__all__ = ["CHATGPT"]

MACHINE = ("A sailor of forty years.", "Be brief with me.", "This part is hidden.")


def history(wish: Wish) -> History:
    """Return an export; the first conversation has a tool, noise and a branch."""
    turns = [voyage(wish, number) for number in range(wish.conversations)]
    first, *others = [_told(told, number, wish) for number, told in enumerate(turns)]
    members = {"conversations-000.json": [first], "conversations-001.json": others}
    return History(
        files={
            "export.zip": zipped(
                {
                    name: wish.edit(json.dumps(each, indent=1).encode())
                    for name, each in members.items()
                }
            )
        },
        said=[words(told) for told in turns],
        machine=MACHINE,
    )


def _told(turns: list[Turn], number: int, wish: Wish) -> dict[str, Any]:
    messages = [each for turn in turns for each in _turn(turn, number)]
    answer = messages[1]
    if number == 0:
        messages[:1] = [*_context(), messages[0], *_work(turns[0].asked)]
    ids = [f"{number:04}0000-0000-4000-8000-{n:012}" for n in range(len(messages))]
    nodes = dict(zip(ids, messages, strict=True))
    mapping = _tree(nodes)
    if number == 0:
        mapping |= _branch(ids[messages.index(answer)], turns[0].answered)
    if wish.strange:
        mapping |= _strange(ids[-1])
    for own, node in mapping.items():
        if node["parent"]:
            mapping[node["parent"]]["children"].append(own)
    return {
        "conversation_id": f"{number:04}ffff-0000-4000-8000-000000000000",
        "title": "The piers",
        "create_time": turns[0].asked.timestamp(),
        "update_time": turns[-1].asked.timestamp(),
        "current_node": ids[-1],
        "mapping": mapping,
    }


def _tree(nodes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    parents = [None, *nodes]
    return {
        own: _node(own, parent, message)
        for (own, message), parent in zip(nodes.items(), parents, strict=False)
    }


def _node(own: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
    told = {**message, "id": own}
    return {"id": own, "parent": parent, "children": [], "message": told}


def _message(role: str, at: float | None, **fields: Any) -> dict[str, Any]:
    author: dict[str, Any] = {"role": role, "name": None, "metadata": {}}
    own = {"author": author, "create_time": at, "recipient": "all", "metadata": {}}
    return own | {"status": "finished_successfully", "weight": 1.0} | fields


def _text(text: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": [text]}


def _turn(turn: Turn, number: int) -> list[dict[str, Any]]:
    model = {"model_slug": f"gpt-test-{number}"}
    asked, answered = turn.asked.timestamp(), turn.answered.timestamp()
    return [
        _message("user", asked, content=_text(turn.prompt)),
        _message("assistant", answered, content=_text(turn.answer), metadata=model),
    ]


def _context() -> list[dict[str, Any]]:
    """Return what the program puts in, in the person's place and hidden."""
    profile, instructions, hidden = MACHINE
    context = {"user_profile": profile, "user_instructions": instructions}
    about = {"is_visually_hidden_from_conversation": True}
    content = {"content_type": "user_editable_context", **context}
    return [
        _message("user", None, content=content, metadata=about),
        _message("user", None, content=_text(hidden), metadata=about),
    ]


def _work(asked: datetime) -> list[dict[str, Any]]:
    at = asked.timestamp()
    thought = [{"summary": "Count the piers.", "content": "There may be two."}]
    code = {"content_type": "code", "language": "python", "text": "print(piers)"}
    output = {"content_type": "execution_output", "text": "2"}
    return [
        _message(
            "assistant", at, content={"content_type": "thoughts", "thoughts": thought}
        ),
        _message("assistant", at, content=code, recipient="python"),
        _message("tool", at, content=output)
        | {"author": {"role": "tool", "name": "python"}},
    ]


def _branch(answer: str, answered: datetime) -> dict[str, Any]:
    """Return a prompt and its answer that were left for another prompt."""
    at = answered.timestamp()
    prompt = _message("user", at, content=_text("No, the other pier."))
    reply = _message("assistant", at, content=_text("The other pier it is."))
    return {"d1": _node("d1", answer, prompt), "d2": _node("d2", "d1", reply)}


def _strange(last: str) -> dict[str, Any]:
    glowing = {"content_type": "hologram", "glow": [1]}
    return {"h1": _node("h1", last, _message("hologram", None, content=glowing))}


CHATGPT = Sample(
    source=ChatGpt(),
    root="exports",
    history=history,
    copied=lambda name: f"again-{name}",
    another="conversations-099.json",
)
