"""The redactors there are: for what is stored, and for what leaves."""

from __future__ import annotations

from collections.abc import Mapping

from ._rule import Rule
from ._text import Redactor

__all__ = ["EVERYTHING", "SECRETS", "redact_counted", "redact_text"]


# The patterns of the rules take 12 ms to compile: a search has no text to redact.
def _secret_rules() -> tuple[Rule, ...]:
    from ._rules import SECRET_RULES

    return SECRET_RULES


def _all_rules() -> tuple[Rule, ...]:
    from ._rules import IDENTITY_RULES, SECRET_RULES

    return (*SECRET_RULES, *IDENTITY_RULES)


SECRETS = Redactor(_secret_rules)
"""For all that is stored."""

EVERYTHING = Redactor(_all_rules)
"""For all that leaves quoth: secrets, and who and where a person is."""


def redact_text(text: str, *, identity: bool = False) -> str:
    """Return *text* with every secret replaced by `[REDACTED:rule]`.

    Args:
        identity: Replace e-mail addresses, names in home folders, private addresses
            and repositories too, as for text that leaves this machine.
    """
    return (EVERYTHING if identity else SECRETS).redact(text)


def redact_counted(text: str) -> tuple[str, Mapping[str, int]]:
    """Return *text* without secrets, and the number of replacements by rule.

    Text that would take too much work is withheld as a whole, never passed on unseen.
    """
    return SECRETS.redact_counted(text)
