"""ChatGPT: the conversations in the export that a person asks for at its site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quoth.model import Fact

from ._export_source import ExportSource

if TYPE_CHECKING:
    from ._export_reading import Teller

__all__ = ["ChatGpt"]


class ChatGpt(ExportSource):
    """Exports of ChatGPT: a zip, its folder or one of its files; only paths given."""

    name = "chatgpt"
    parser_version = 1
    key = "mapping"
    facts = frozenset(
        {
            Fact.TIMES,
            Fact.TITLES,
            Fact.MODELS,
            Fact.TOOLS,
            Fact.REASONING,
            Fact.REWINDS,
        }
    )

    def teller(self) -> Teller:
        """Return what makes a conversation of an item of the export."""
        from ._chatgpt_conversation import told_by

        return told_by
