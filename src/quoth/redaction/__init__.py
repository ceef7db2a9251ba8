"""Redaction: what may be stored holds no secret.

`redact` is the only function that makes a `RedactedBatch`; the store takes nothing
else. The rules, and what they do not cover yet, are in `docs/redaction.md`.
"""

from ._batch import RULES_VERSION, redact
from ._redactors import EVERYTHING, SECRETS, redact_counted, redact_text
from ._text import Redactor

__all__ = [
    "EVERYTHING",
    "RULES_VERSION",
    "SECRETS",
    "Redactor",
    "redact",
    "redact_counted",
    "redact_text",
]
