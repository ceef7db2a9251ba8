"""What a value looks like: a real one, or a stand-in that a person wrote for one."""

from __future__ import annotations

import re

__all__ = ["is_placeholder", "is_syntax", "is_worded_token"]

_SYNTAX = re.compile(
    r"<[^>]*>?|\$?\{+[^}]*\}*|\$\(?\w+\)?|\[[^\]]*\]?|%\w*%|%s|%\([^)]*\)s|\*+"
)
"""Stand-ins by their form: `<token>`, `${X}`, `{{x}}`, `$X`, `[...]`, `%X%`, `***`."""

_MASKED = re.compile(r"[xX]{6}|\*{3}|\.{3}|…|\A[xX]{3,}(?:-[xX]{3,})*\Z")
_REFERENCE = re.compile(
    r"(?:process\.env|os\.environ|os\.getenv|getenv|getpass|import\.meta"
    r"|(?:secrets?|env|vars|self|this|config|settings)\.)"
)
_WORD = r"(?:[A-Z]?[a-z]{1,15}+(?>(?:[A-Z][a-z]{2,14}+){0,8})|[A-Z]{1,15}+)"
_WORDS = re.compile(rf"{_WORD}(?>(?:[-_./:]{{1,2}}{_WORD})*)[.:]?")
_WORDED_TOKEN = re.compile(
    rf"{_WORD}[0-9]{{0,2}}(?>(?:[-_.]{{1,2}}{_WORD}[0-9]{{0,2}})*)"
)
"""Also `api03` and `v1`. A word has at most 15 letters, a drawn key longer runs."""


def is_syntax(value: str) -> bool:
    """Whether the form alone shows a stand-in, whatever its words are."""
    return bool(_SYNTAX.fullmatch(value) or _MASKED.search(value))


def is_placeholder(value: str) -> bool:
    """Whether *value* is a stand-in, refers to a value kept elsewhere, or is words."""
    return is_syntax(value) or bool(_REFERENCE.match(value) or _WORDS.fullmatch(value))


def is_worded_token(token: str) -> bool:
    """Whether a token is masked or reads like `sk-ant-your-key-goes-here`."""
    return bool(_MASKED.search(token) or _WORDED_TOKEN.fullmatch(token))
