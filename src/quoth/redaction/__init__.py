"""Redaction: what is stored holds no secret, and what leaves no name either.

`redact` is the only function that makes a `RedactedBatch`; the store takes nothing
else. `leaving` and `check_leaving` are for answers that go elsewhere. The rules, and
what they do not cover, are in `docs/redaction.md`.
"""

from ._batch import redact
from ._hidden import is_same_but_for_the_hidden
from ._in_force import in_force, rules_in_force
from ._leaving import check_leaving, leaving
from ._names import Names, included_settings, learn_names
from ._patterns import checked_pattern, is_rule_name
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
    "redact",
    "redact_counted",
    "redact_text",
    "rules_in_force",
    "secrets",
]
