"""Redaction: what may be stored holds no secret.

`redact` is the only function that makes a `RedactedBatch`; the store takes nothing
else. The rules, and what they do not cover yet, are in `docs/redaction.md`.
"""

from ._batch import redact
from ._hidden import is_same_but_for_the_hidden
from ._in_force import in_force, rules_in_force
from ._leaving import check_leaving, leaving
from ._names import Names, included_settings, learn_names
from ._patterns import checked_pattern, is_rule_name, patterns_stamp, rules_from
from ._redactors import (
    EVERYTHING,
    SECRETS,
    everything,
    redact_counted,
    redact_text,
    secrets,
)
from ._text import Redactor
from ._version import RULES_VERSION
from ._walk import Walk

__all__ = [
    "EVERYTHING",
    "RULES_VERSION",
    "SECRETS",
    "Names",
    "Redactor",
    "Walk",
    "check_leaving",
    "checked_pattern",
    "everything",
    "in_force",
    "included_settings",
    "is_rule_name",
    "is_same_but_for_the_hidden",
    "learn_names",
    "leaving",
    "patterns_stamp",
    "redact",
    "redact_counted",
    "redact_text",
    "rules_from",
    "rules_in_force",
    "secrets",
]
