"""Claude.ai: the conversations in the export that a person asks for at its site.

What reads an export is imported with the first: a search only asks which there are.
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

from ._exports import export_units

__all__ = ["ClaudeAi"]

_KEY = "chat_messages"


class ClaudeAi:
    """Exports of Claude.ai: a zip, its folder or one of its files; only paths given."""

    name = "claude_ai"
    parser_version = 1
    facts = frozenset(
        {
            Fact.TIMES,
            Fact.TITLES,
            Fact.MODELS,
            Fact.TOOLS,
            Fact.FILES,
            Fact.REASONING,
            Fact.REWINDS,
        }
    )

    def default_roots(
        self,
        environ: Mapping[str, str],  # noqa: ARG002
        *,
        home: Path,  # noqa: ARG002
    ) -> Sequence[Path]:
        """Return nothing: an export lies wherever a browser put it."""
        return ()

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every file of conversations, in zips too; see `export_units`."""
        yield from export_units(roots)

    def read(
        self,
        unit: Unit,
        since: Checkpoint | None,  # noqa: ARG002 - an export never grows
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield all conversations of a unit in batches.

        Raises:
            UnreadableUnitError: It cannot be opened.
        """
        from ._claude_ai_conversation import told_by
        from ._export_reading import read_export

        yield from read_export(unit, key=_KEY, tell=told_by)

    def recognises(self, unit: Unit) -> bool:
        """Say whether one of the first values is a conversation of Claude.ai."""
        from ._export_reading import holds_key

        return holds_key(unit, key=_KEY)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again one message of a conversation; see `Source.read_at`."""
        from ._claude_ai_conversation import told_by
        from ._export_reading import told_at

        return told_at(unit, origin, tell=told_by)
