"""What some models want to be told before a text: a table by family, in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quoth.model import EmbedderChoice

__all__ = ["Prefixes", "prefixes_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What goes before a question, and before a text that is searched."""

    query: str = ""
    document: str = ""


_RETRIEVE = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the"
    " query\nQuery:"
)
_REPRESENT = "Represent this sentence for searching relevant passages: "

_OF_LM_STUDIO: Final = "text-embedding-"
"""LM Studio puts it before the name of every model that embeds."""

# By the end of a model's name, without owner and tag. From the models' own cards.
_FAMILIES: Final = (
    (
        r"nomic-embed-text",
        Prefixes(query="search_query: ", document="search_document: "),
    ),
    (r"qwen3-embedding", Prefixes(query=_RETRIEVE)),
    (r"(?:.*-)?e5-.*instruct", Prefixes(query=f"{_RETRIEVE} ")),
    (r"(?:.*-)?e5(?:-|\Z)", Prefixes(query="query: ", document="passage: ")),
    (r"mxbai-embed-large", Prefixes(query=_REPRESENT)),
    (r"snowflake-arctic-embed-?(?:.*-)?v?2", Prefixes(query="query: ")),
    (r"snowflake-arctic-embed", Prefixes(query=_REPRESENT)),
    (
        r"embeddinggemma",
        Prefixes(
            query="task: search result | query: ", document="title: none | text: "
        ),
    ),
)


def prefixes_of(choice: EmbedderChoice, *, model: str) -> Prefixes:
    """Return what a person chose, and for the rest what the model's family needs."""
    usual = _of_family(model)
    return Prefixes(
        query=usual.query if choice.query_prefix is None else choice.query_prefix,
        document=(
            usual.document if choice.document_prefix is None else choice.document_prefix
        ),
    )


def _of_family(model: str) -> Prefixes:
    file = model.lower().replace("\\", "/").rpartition("/")[2]
    name = file.partition(":")[0].replace("_", "-").removeprefix(_OF_LM_STUDIO)
    found = (usual for family, usual in _FAMILIES if re.match(family, name))
    return next(found, Prefixes())
