"""Redaction: what may be stored holds no secret.

`redact` is the only function that makes a `RedactedBatch`; the store takes nothing
else. The rules, and what they do not cover yet, are in `docs/redaction.md`.
"""

from ._batch import RULES_VERSION, redact
from ._text import redact_counted, redact_text

__all__ = ["RULES_VERSION", "redact", "redact_counted", "redact_text"]
