"""The redactors there are: for what is stored, and for what leaves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ._names import SHORTEST_NAME, Names
from ._patterns import patterns_stamp, rules_from
from ._rule import Rule
from ._text import Redactor
from ._version import RULES_VERSION

__all__ = [
    "EVERYTHING",
    "SECRETS",
    "everything",
    "redact_counted",
    "redact_text",
    "secrets",
]

_NO_PATTERNS: Mapping[str, str] = MappingProxyType({})
_NO_NAMES = Names()


# The patterns of the rules take many ms to compile: a search has no text to redact.
def _secret_rules() -> tuple[Rule, ...]:
    from ._rules import SECRET_RULES

    return SECRET_RULES


SECRETS = Redactor(_secret_rules, stamp=str(RULES_VERSION))
"""For all that is stored."""


def secrets(patterns: Mapping[str, str] = _NO_PATTERNS) -> Redactor:
    """Return `SECRETS` with a person's own *patterns*, by the name of their rule.

    Raises:
        ValueError: A pattern can't be used; the text is the end of a sentence.
    """
    return _secrets(tuple(sorted(patterns.items()))) if patterns else SECRETS


@lru_cache(maxsize=8)
def _secrets(patterns: tuple[tuple[str, str], ...]) -> Redactor:
    own = rules_from(dict(patterns))
    stamp = f"{RULES_VERSION}+{patterns_stamp(dict(patterns))}"
    return Redactor(lambda: (*_secret_rules(), *own), stamp=stamp)


def everything(
    names: Names = _NO_NAMES, patterns: Mapping[str, str] = _NO_PATTERNS
) -> Redactor:
    """Return the redactor for what leaves: secrets, and who and where a person is.

    Args:
        names: What was learned of the person.
        patterns: A person's own, by the name of their rule.

    Raises:
        ValueError: A pattern can't be used; the text is the end of a sentence.
    """
    return _everything(names, tuple(sorted(patterns.items())))


@lru_cache(maxsize=8)
def _everything(names: Names, patterns: tuple[tuple[str, str], ...]) -> Redactor:
    own = rules_from(dict(patterns))

    def rules() -> tuple[Rule, ...]:
        from ._identity import IDENTITY_RULES
        from ._learned import rules_of

        return (*_secret_rules(), *own, *IDENTITY_RULES, *rules_of(names))

    return Redactor(rules, shortest=SHORTEST_NAME)


EVERYTHING = everything()
"""For all that leaves quoth: secrets, and who and where a person is."""


def redact_text(text: str, *, identity: bool = False) -> str:
    """Return *text* with every secret that a rule finds replaced by `[REDACTED:rule]`.

    Text that would take too much work comes back as `[WITHHELD: redaction budget]`,
    never unseen. Nothing is raised and nothing kept.

    Args:
        identity: Replace e-mail addresses, names in home folders, private addresses
            and repositories too, as for text that leaves this machine. The names that
            quoth learns of a person are not known here: `Archive.redact` knows them.
    """
    return (EVERYTHING if identity else SECRETS).redact(text)


def redact_counted(text: str) -> tuple[str, Mapping[str, int]]:
    """Return *text* without secrets, and the number of replacements by rule.

    Text that would take too much work is withheld as a whole, never passed on unseen.
    """
    return SECRETS.redact_counted(text)
