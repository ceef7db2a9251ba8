"""From the assistants' files to the archive: find, read, redact, store, embed."""

from ._changes import kept_out_by
from ._embedding import CANNOT_EMBED, Embedding, embed_all
from ._freshness import look_for_changes
from ._person import names_of_person
from ._places import places_of
from ._repository import nearest_repository
from ._sync import sync
from ._verify import verify

__all__ = [
    "CANNOT_EMBED",
    "Embedding",
    "embed_all",
    "kept_out_by",
    "look_for_changes",
    "names_of_person",
    "nearest_repository",
    "places_of",
    "sync",
    "verify",
]
