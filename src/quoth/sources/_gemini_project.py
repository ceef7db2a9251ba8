"""Which folder a project of Gemini CLI stands for: its own name is a hash or a slug."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quoth.errors import UnreadableUnitError

from ._documents import read_document
from ._files import open_read_only

__all__ = ["folder_of"]

_MARKER = ".project_root"
_REGISTRY = "projects.json"
_LARGEST_REGISTRY = 4 * 1024 * 1024
_LONGEST_PATH = 4096
_ABSOLUTE = re.compile(r"(?:/|[A-Za-z]:[/\\]|\\\\)[^\0\r\n]*")


def folder_of(session: Path, *, project_hash: str, directories: Any) -> str | None:
    """Return the folder that a session was held in, as far as anything names it.

    Args:
        session: Its file, below the `chats` of a project.
        project_hash: What the session says its folder hashes to, or ''.
        directories: The folders that the session says were added to it.
    """
    project = _project_of(session)
    known = None
    if project is not None:
        known = _marked(project) or _registered(project, project_hash)
    named = directories if isinstance(directories, list) else []
    return known or next((path for path in named[:20] if _is_path(path)), None)


def _project_of(session: Path) -> Path | None:
    chats = (each for each in session.parents[:2] if each.name == "chats")
    found = next(chats, None)
    return found.parent if found else None


def _marked(project: Path) -> str | None:
    try:
        with open_read_only(project / _MARKER) as file:
            content = file.read(_LONGEST_PATH + 1)
    except (UnreadableUnitError, OSError):
        return None
    path = content.decode("utf-8-sig", errors="replace").strip()
    return path if _is_path(path) else None


def _registered(project: Path, project_hash: str) -> str | None:
    try:
        registry = read_document(
            project.parent.parent / _REGISTRY, largest=_LARGEST_REGISTRY
        )
    except (UnreadableUnitError, OSError):
        return None
    projects = registry.get("projects") if isinstance(registry, dict) else None
    if not isinstance(projects, dict):
        return None
    paths = [path for path in projects if _is_path(path)]
    slugs = (path for path in paths if projects[path] == project.name)
    hashes: Sequence[str] = (project.name, project_hash)
    hashed = (path for path in paths if _hash(path) in hashes)
    return next(slugs, None) or next(hashed, None)


def _hash(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", errors="replace")).hexdigest()


def _is_path(value: Any) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= _LONGEST_PATH
        and _ABSOLUTE.fullmatch(value) is not None
    )
