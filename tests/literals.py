"""Ordinary texts that are query syntax to somebody, and a message with all of them."""

from __future__ import annotations

LITERALS = (
    "don't use agents",
    "agentic-os dashboard",
    "state-of-the-art",
    "Downloads/transcripts",
    "TODO: fix",
    "error:timeout",
    "grammar::fa",
    "ubuntu 20.04",
    "health.base",
    "GB/s",
    '"--error-on-warnings"',
    'unbalanced "quote',
    "blah=",
    "foo(bar)",
    "what? why! a,b;c",
    "C:\\Users\\dev",
    "user@example.com",
    "#42",
    "$HOME",
    "100%",
    "a AND b",
    "NOT now",
    "cats OR",
    "near NEAR/5 far",
    "^start",
    "wild*card",
    "col : val",
    "{json}",
    "[x]",
    "a+b",
    "~tilde",
    "back`tick",
)
LITERAL_TEXT = " ; ".join(LITERALS).replace('"--', "--").replace('gs"', "gs")
