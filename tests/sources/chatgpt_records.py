"""Conversations as ChatGPT's export writes them, for tests to put together."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

__all__ = ["a_zip", "conversation", "exported", "node"]


def node(
    identity: str,
    parent: str | None,
    role: str = "user",
    content: Any = None,
    **message: Any,
) -> dict[str, Any]:
    """Return a node whose message says *content*: a text, or an object as it is."""
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    return {
        "id": identity,
        "parent": parent,
        "children": [],
        "message": {
            "id": identity,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": None,
            "content": content,
            "weight": 1.0,
            "recipient": "all",
            "metadata": {},
            **message,
        },
    }


def conversation(
    identity: str | None, *nodes: dict[str, Any], **fields: Any
) -> dict[str, Any]:
    """Return a conversation of *nodes*, the last of which is the current one."""
    return {
        "title": "Chain",
        "create_time": 1777629600.0,
        "update_time": 1777629700.0,
        "conversation_id": identity,
        "id": identity,
        "current_node": nodes[-1]["id"] if nodes else None,
        "mapping": {each["id"]: each for each in nodes},
        **fields,
    }


def exported(path: Path, *conversations: Any) -> Path:
    """Write an export of *conversations* at *path*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


def a_zip(path: Path, members: dict[str, Any]) -> Path:
    """Write a zip of *members*: bytes as they are, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            is_raw = isinstance(content, bytes)
            archive.writestr(name, content if is_raw else json.dumps(content))
    return path
