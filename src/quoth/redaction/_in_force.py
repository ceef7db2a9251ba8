"""The rules that a source redacts by which cuts a text before it hands it over.

What is cut can't be redacted afterwards: a rule needs all that stands around a secret.
Sources have no archive and so don't know a person's own patterns; whoever reads them
says by which rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ._redactors import SECRETS
from ._text import Redactor

__all__ = ["in_force", "rules_in_force"]

_IN_FORCE: ContextVar[Redactor] = ContextVar("rules in force", default=SECRETS)


@contextmanager
def in_force(redactor: Redactor) -> Iterator[None]:
    """Let sources redact by these rules as long as the block runs."""
    token = _IN_FORCE.set(redactor)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def rules_in_force() -> Redactor:
    """Return what has to take the secrets out of a text before it is cut."""
    return _IN_FORCE.get()
