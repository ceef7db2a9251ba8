"""The version of the secret rules."""

from __future__ import annotations

__all__ = ["RULES_VERSION"]

RULES_VERSION = 2
"""Goes up whenever a rule finds more: it is part of what a citation's hash is of, and
what is stored goes through the new rules at the next sync."""
