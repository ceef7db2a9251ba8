"""The archive's SQLite file, its word index and the flat copy of its vectors."""

from ._connection import DATABASE
from ._flat import FlatVectors
from ._index_text import cjk_runs, identifier_parts, split_cjk
from ._keys import Citation, citation_hash, conversation_key, parse_citation
from ._reader import ArchiveReader, HitRow, Scope, WordMatch
from ._tokens import Tokenizer
from ._transcripts import CitedMessage, cited_message, transcript
from ._writer import ArchiveWriter, KnownUnit, flat_path

__all__ = [
    "DATABASE",
    "ArchiveReader",
    "ArchiveWriter",
    "Citation",
    "CitedMessage",
    "FlatVectors",
    "HitRow",
    "KnownUnit",
    "Scope",
    "Tokenizer",
    "WordMatch",
    "citation_hash",
    "cited_message",
    "cjk_runs",
    "conversation_key",
    "flat_path",
    "identifier_parts",
    "parse_citation",
    "split_cjk",
    "transcript",
]
