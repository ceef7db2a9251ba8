"""The archive's SQLite file, its word index and the flat copy of its vectors."""

from typing import TYPE_CHECKING

from ._ban_file import BAN_FILE
from ._change import Policy
from ._citations import citation_hashes
from ._connection import DATABASE, explained
from ._doc_values import NO_TIME, DocValues
from ._embedders import Embedded, KnownEmbedder
from ._files import private_folder
from ._flat import FlatVectors, Scored, flat_path
from ._forbidden import count_forbidden
from ._forget_plan import forgotten_entries, plan_forget
from ._index_text import cjk_runs, identifier_parts, split_cjk, unaccented
from ._kept_out_units import KeptOutUnits
from ._keys import (
    Citation,
    citation_hash,
    conversation_key,
    normalised,
    parse_citation,
    quotation,
)
from ._never_index import forbids_path
from ._reader import ArchiveReader, HitRow
from ._scope import Scope
from ._status import canonical_dump, disk_usage, read_status
from ._tokens import Tokenizer
from ._transcripts import CitedMessage, cited_message, transcript
from ._units import KnownUnit, UnitKey
from ._vectors import MadeVectors, Pending, PendingText
from ._writer import ArchiveWriter

if TYPE_CHECKING:
    from ._nearest import Nearest  # numpy comes with it, so it is named for types only

__all__ = [
    "BAN_FILE",
    "DATABASE",
    "NO_TIME",
    "ArchiveReader",
    "ArchiveWriter",
    "Citation",
    "CitedMessage",
    "DocValues",
    "Embedded",
    "FlatVectors",
    "HitRow",
    "KeptOutUnits",
    "KnownEmbedder",
    "KnownUnit",
    "MadeVectors",
    "Nearest",
    "Pending",
    "PendingText",
    "Policy",
    "Scope",
    "Scored",
    "Tokenizer",
    "UnitKey",
    "canonical_dump",
    "citation_hash",
    "citation_hashes",
    "cited_message",
    "cjk_runs",
    "conversation_key",
    "count_forbidden",
    "disk_usage",
    "explained",
    "flat_path",
    "forbids_path",
    "forgotten_entries",
    "identifier_parts",
    "normalised",
    "parse_citation",
    "plan_forget",
    "private_folder",
    "quotation",
    "read_status",
    "split_cjk",
    "transcript",
    "unaccented",
]
