"""Conversations as plain JSON: lines, arrays or documents of roles and contents.

What reads a file is imported with the first: a search only asks which there are.
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

from ._exports import COMPANIONS, is_conversations
from ._files import files_under

__all__ = ["Generic"]

_ENDINGS = (".jsonl", ".json")
_ABOUT_AN_AGENT = ".meta.json"
"""Beside each transcript of a subagent of Claude Code; of no conversation itself."""


class Generic:
    """JSON files that no assistant has a place of its own for: only paths given."""

    name = "generic"
    parser_version = 1
    facts = frozenset(
        {
            Fact.TIMES,
            Fact.TITLES,
            Fact.MODELS,
            Fact.FOLDERS,
            Fact.TOOLS,
            Fact.FILES,
            Fact.REASONING,
        }
    )

    def default_roots(
        self,
        environ: Mapping[str, str],  # noqa: ARG002
        *,
        home: Path,  # noqa: ARG002
    ) -> Sequence[Path]:
        """Return nothing: such files may lie anywhere and are looked for nowhere."""
        return ()

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        """Yield every JSON file; only reading it tells whether it is a conversation.

        What lies beside the conversations of an export is left out: it holds none.
        """
        units = [*files_under(roots, wanted=_is_json)]
        exports = {
            unit.path.parent for unit in units if is_conversations(unit.path.name)
        }
        for unit in units:
            if unit.path.name not in COMPANIONS or unit.path.parent not in exports:
                yield unit

    def read(
        self, unit: Unit, since: Checkpoint | None
    ) -> Iterator[Append | Replace | Skipped]:
        """Yield a file in batches; one that is a single document, whole.

        Raises:
            UnreadableUnitError: It cannot be opened or holds no conversation.
        """
        from ._generic_file import read_file

        yield from read_file(unit, since)

    def recognises(self, unit: Unit) -> bool:
        """Say whether the first lines, or the document, hold turns."""
        from ._generic_file import holds_turns

        return holds_turns(unit)

    def read_at(self, unit: Unit, origin: Origin) -> Sequence[Message]:
        """Read again what one record says; see `Source.read_at`."""
        from ._generic_file import read_again

        return read_again(unit, origin)


def _is_json(name: str) -> bool:
    return name.endswith(_ENDINGS) and not name.endswith(_ABOUT_AN_AGENT)
