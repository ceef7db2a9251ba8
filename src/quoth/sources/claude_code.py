"""Claude Code: one file of JSON lines for every session and every subagent.

Nothing about the format is published: each rule here was found in real files. Records
stay in file order, for a walk along `parentUuid` loses every sixth message. What reads
them is imported with the first file: a search only asks which files there are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from quoth.model import (
    Append,
    Checkpoint,
    Fact,
    Message,
    Origin,
    Replace,
    Skipped,
    Unit,
)

from ._files import files_under

__all__ = ["ClaudeCode"]

_SESSION = re.compile(
    r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|agent-[\w-]+)\.jsonl",
    re.IGNORECASE,
)
_OTHERS_DATA = frozenset(("memory", "tool-results", "todos", "file-history"))
"""Folders inside a project whose files are no transcripts, whatever they are called."""

_NO_TRANSCRIPT = re.compile(r"history\.jsonl|rollout-.*")  # prompts only; Codex

_NOISE = re.compile(
    rb'\{(?>(?:(?!"type")"\w++":(?:"(?>(?:[^"\\]++|\\.)*)"|null|true|false|-?[\d.]++),)*)'
    rb'"type":"(progress|file-history-snapshot)"'
)
"""The type of a record, where only plain values stand before it: that is sure."""


class ClaudeCode:
    """The transcripts under `projects`, which Claude Code keeps for thirty days."""

    name = "claude_code"
    parser_version = 2
    facts = frozenset(Fact)

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return the `projects` folders of every configuration folder there may be."""
        named = environ.get("CLAUDE_CONFIG_DIR", "").split(",")
        folders = [_expanded(name.strip(), home) for name in named if name.strip()]
        if not folders:
            folders = [home / ".claude", home / ".config" / "claude"]
        return tuple(folder / "projects" for folder in dict.fromkeys(folders))

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every transcript, main or subagent, under *roots*.

        Under a `projects` folder each `.jsonl` file is one, whatever its name;
        elsewhere the name has to be that of a session or of an agent.
        """
        places = [place for root in roots for place in _places(root)]
        seen: set[Path] = set()
        for strict in (False, True):
            folders = [place for place, is_strict in places if is_strict is strict]
            tops = [folder.parts for folder in folders]
            for unit in files_under(folders, wanted=_wanted(strict=strict)):
                if unit.path not in seen and _is_transcript(unit.path, tops):
                    seen.add(unit.path)
                    yield unit

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield the transcript in batches; see `Source.read`."""
        from ._claude_parser import ClaudeParser
        from ._jsonl import read_json_lines

        return read_json_lines(
            unit,
            since,
            parser=lambda state: ClaudeParser(unit.path, state),
            passes_over=_type_of_noise,
        )

    def recognises(self, unit: Unit) -> bool:
        """Say whether the first lines carry what only Claude Code writes."""
        from ._jsonl import first_values

        return any(
            (not _ENVELOPE.isdisjoint(value) and "projectHash" not in value)  # Gemini's
            or value.get("type") == _SNAPSHOT
            for value in first_values(unit.path)
        )

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        from ._claude_parser import ClaudeParser
        from ._jsonl import messages_at

        return messages_at(
            unit, origin, parser=lambda state: ClaudeParser(unit.path, state)
        )


_ENVELOPE = frozenset(("parentUuid", "sessionId", "isSidechain", "leafUuid"))

_SNAPSHOT = "file-history-snapshot"
"""A record without an envelope. Some transcripts begin with dozens of them."""


def _expanded(name: str, home: Path) -> Path:
    return home / name[2:] if name.startswith("~/") else Path(name)


def _places(root: Path) -> Iterator[tuple[Path, bool]]:
    """Yield where to look below *root*, and whether names have to be checked there."""
    inner = (root / ".claude" / "projects", root / ".config" / "claude" / "projects")
    homes = [place for place in inner if _is_folder(place)]
    if homes:
        yield from ((place, False) for place in homes)
    elif _holds_projects(root):
        yield root / "projects", False
    else:
        yield root, not (root.is_file() or "projects" in root.parts)


def _holds_projects(root: Path) -> bool:
    """Say whether a folder is one of configuration, by what its projects are called.

    A backup of one may have any name, and any folder may hold one called `projects`.
    """
    projects = root / "projects"
    if root.name in (".claude", "claude"):
        return _is_folder(projects)
    try:
        with os.scandir(projects) as entries:
            return any(entry.name.startswith(("-", "C--")) for entry in entries)
    except OSError:
        return False


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:  # a folder above it may not be entered
        return False


def _wanted(*, strict: bool) -> Callable[[str], bool]:
    def is_wanted(name: str) -> bool:
        if strict:
            return _SESSION.fullmatch(name) is not None
        return name.endswith(".jsonl") and not _NO_TRANSCRIPT.fullmatch(name)

    return is_wanted


def _is_transcript(path: Path, tops: Sequence[tuple[str, ...]]) -> bool:
    # By their parts: `relative_to` would take half the time of a look at many files.
    parts = path.parts
    top = next(top for top in tops if parts[: len(top)] == top)
    folders = parts[len(top) : -1]
    if _OTHERS_DATA.intersection(folders):
        return False
    # Workflows keep journals of their own among the files of their agents.
    return "subagents" not in folders or path.name.startswith("agent-")


def _type_of_noise(head: bytes) -> str | None:
    match = _NOISE.match(head)
    return match[1].decode("ascii") if match else None
