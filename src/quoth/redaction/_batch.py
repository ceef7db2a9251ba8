"""Redacting a batch: every text in it, whatever field it stands in."""

from __future__ import annotations

from collections.abc import Mapping

from quoth.model import (
    Append,
    Conversation,
    Message,
    RedactedBatch,
    Replace,
    Rewind,
    ToolCall,
    ToolResult,
    Usage,
)

from ._redactors import SECRETS
from ._text import Redactor
from ._version import RULES_VERSION
from ._walk import Walk

__all__ = ["redact"]

_KEPT: Mapping[type, frozenset[str]] = {
    Conversation: frozenset({"native_id", "parent"}),
    Message: frozenset({"conversation", "native_id"}),
    ToolCall: frozenset({"call_id"}),
    ToolResult: frozenset({"call_id"}),
    Rewind: frozenset({"conversation", "first"}),
    Usage: frozenset({"conversation", "call_id", "message"}),
}
"""Ids by which a source and the archive know a thing: changed, they would name another.

All other fields are redacted, also those that a later version of the model adds.
"""


def redact(batch: Append | Replace, redactor: Redactor = SECRETS) -> RedactedBatch:
    """Return *batch* with every text redacted; nothing else makes a `RedactedBatch`."""
    walk = Walk(redactor, kept=_KEPT)
    return RedactedBatch(
        batch=walk.redacted(batch),
        rules_version=RULES_VERSION,
        replacements=dict(walk.counts),
    )
