"""Claude Code's list of prompts: what is left of sessions it has deleted.

Transcripts go after thirty days, this list stays. What reads it is imported with the
first file: a search only asks which files there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

__all__ = ["ClaudePrompts"]

_NAME = "history.jsonl"


class ClaudePrompts:
    """The prompts of sessions whose transcripts are gone, as the list has them."""

    name = "claude_prompts"
    parser_version = 1
    facts = frozenset({Fact.TIMES, Fact.FOLDERS})

    def default_roots(
        self, environ: Mapping[str, str], *, home: Path
    ) -> Sequence[Path]:
        """Return where the list is in every configuration folder there may be."""
        named = environ.get("CLAUDE_CONFIG_DIR", "").split(",")
        folders = [_expanded(name.strip(), home) for name in named if name.strip()]
        return tuple(
            folder / _NAME for folder in dict.fromkeys(folders or [home / ".claude"])
        )

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every file of the list's name at or below *roots*."""
        yield from files_under(roots, wanted=lambda name: name == _NAME)

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield the prompts of sessions that have no transcript beside the list."""
        from ._claude_prompts import PromptParser, sessions_beside
        from ._jsonl import read_json_lines

        kept = sessions_beside(unit.path)
        return read_json_lines(
            unit, since, parser=lambda state: PromptParser(state, kept)
        )

    def recognises(self, unit: Unit) -> bool:
        """Say whether the first lines are prompts as Claude Code lists them."""
        from ._claude_prompts import is_listed
        from ._jsonl import first_values

        return any(map(is_listed, first_values(unit.path)))

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one line says; see `Source.read_at`."""
        from ._claude_prompts import PromptParser
        from ._jsonl import messages_at

        return messages_at(
            unit, origin, parser=lambda state: PromptParser(state, frozenset())
        )


def _expanded(name: str, home: Path) -> Path:
    return home / name[2:] if name.startswith("~/") else Path(name)
