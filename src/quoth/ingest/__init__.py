"""From the assistants' files to the archive: what changed, read, redact, store, embed."""

from ._freshness import look_for_changes
from ._sync import sync

__all__ = ["look_for_changes", "sync"]
