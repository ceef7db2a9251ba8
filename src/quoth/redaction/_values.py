"""What a value looks like: a real one, or a stand-in that a person wrote for one."""

from __future__ import annotations

import re

from ._drawn import is_drawn, is_hash, likeness

__all__ = [
    "is_code",
    "is_gibberish",
    "is_issued",
    "is_joined",
    "is_literal",
    "is_mixed",
    "is_placeholder",
    "is_syntax",
    "is_word",
    "is_worded_token",
]

_SYNTAX = re.compile(
    r"<[^>]*>?|\$?\{+[^}]*\}*|\$\(?\w+\)?|\[[^\]]*\]?|%\w*%|%s|%\([^)]*\)s|\*+"
)
"""Stand-ins by their form: `<token>`, `${X}`, `{{x}}`, `$X`, `[...]`, `%X%`, `***`."""

_MASKED = re.compile(r"[xX]{6}|\*{3}|\.{3}|…|\A[xX]{3,}(?:-[xX]{3,})*\Z")
_CUT_SHORT = re.compile(r"(?:\.{3,}|…)\Z")
_LEFT = 8
"""Characters that end with a digit among them in what was cut, not in a stand-in."""
_REFERENCE = re.compile(
    r"(?:process\.env|os\.environ|os\.getenv|getenv|getpass|import\.meta"
    r"|(?:secrets?|env|vars|self|this|config|settings)\.)"
)
_WORD = r"(?:[A-Z]?[a-z]{1,15}+(?>(?:[A-Z][a-z]{2,14}+){0,8})|[A-Z]{1,15}+)"
_WORDS = re.compile(rf"{_WORD}(?>(?:[-_./:]{{1,2}}{_WORD})*)[.:]?")
_WORDED_TOKEN = re.compile(
    rf"{_WORD}[0-9]{{0,2}}(?>(?:[-_./]{{1,2}}{_WORD}[0-9]{{0,2}})*)"
)
"""Also `api03` and `v1`. A word has at most 15 letters, a drawn key longer runs."""

_STAND_IN = re.compile(
    r"%[sd(]|\A%r|\{\w{0,32}\}|\$\{|(?i:your|example|changeme|change-me|change_me|placeholder|replace|insert|dummy"
    r"|sample|goes.?here|redacted|<|\bmy[-_]|todo|undefined|string|optional|required)"
)
_PLACE = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]{1,20}:)?/{1,2}\S*|\.{1,2}/\S*|~/\S*|[A-Z]:\\"
)
_FIGURE = re.compile(
    r"(?:[~^<>=]{1,2} ?)?[-+v]?[0-9][0-9.,:_/x*%T+-]*[A-Za-z%]{0,3}"
    r"|0x[0-9a-fA-F]+|[0-9.]+e[-+]?[0-9]+"
    r"|v?[0-9]+(?:\.[0-9]+)+\S*"
)
"""Numbers, sizes, dates, versions."""
_CODE = re.compile(
    r"(?>(?:[A-Za-z_$][A-Za-z0-9_$]{0,64}(?:\.|->|::)){1,8})[A-Za-z_$][A-Za-z0-9_$]*[.;:!]?|[#@&$!]\w*"
)
"""`settings.key2`, `this->token`; a colour, a decorator, a variable of a shell."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_LETTERS = re.compile(r"[A-Za-z_./: -]+")
_LEAST_OF_LETTERS = 24
_LEAST_OF_HASH = 16
_JOINTS = 3
_PART = re.compile(r"[A-Z]?[a-z0-9]{0,12}|[A-Z0-9]{0,12}")
"""Of a name: in one case. What is drawn changes it within a few letters."""
_LEAST_RANDOM = 24
_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
_CLASSES = re.compile(
    r"(?=(?:[^0-9]{0,200}[0-9]){2})(?=(?:[^a-z]{0,200}[a-z]){2})"
    r"(?=(?:[^A-Z]{0,200}[A-Z]){2})"
)
_RARELY_LIKE = 0.36
"""The likeness to text below which drawn letters and marks are told from words."""
_WORDLY = 0.55
"""The likeness to text from which letters alone are words."""


def is_syntax(value: str) -> bool:
    """Whether the form alone shows a stand-in, whatever its words are."""
    return bool(_SYNTAX.fullmatch(value)) or _is_masked(value)


def _is_masked(value: str) -> bool:
    left = _CUT_SHORT.sub("", value)
    if len(left) >= _LEFT and left[-1].isalnum() and not left[-_LEFT:].isalpha():
        value = left
    return bool(_MASKED.search(value))


def is_placeholder(value: str) -> bool:
    """Whether *value* is a stand-in, refers to a value kept elsewhere, or is words."""
    return is_syntax(value) or bool(_REFERENCE.match(value) or _WORDS.fullmatch(value))


def is_worded_token(token: str) -> bool:
    """Whether a token is masked or reads like `sk-ant-your-key-goes-here`."""
    return _is_masked(token) or bool(_WORDED_TOKEN.fullmatch(token))


def is_literal(value: str) -> bool:
    """Whether *value* stands for itself: no stand-in, no reference, no place."""
    return is_gibberish(value) or not (
        is_syntax(value)
        or _REFERENCE.match(value)
        or _is_stand_in(value)
        or _PLACE.match(value)
    )


def _is_stand_in(value: str) -> bool:
    """Whether a stand-in's word is in it, unless a machine drew what is left.

    In manuals, vendors end what looks like a key in `EXAMPLE`.
    """
    rest, found = _STAND_IN.subn("", value)
    return bool(found) and not is_issued(rest, least=_LEAST_RANDOM)


def is_gibberish(value: str) -> bool:
    """Whether *value* holds so many marks that blanks and `<` in it mean nothing."""
    return (
        len(value) >= _LEAST_RANDOM
        and "\\" not in value
        and bool(_CLASSES.match(value))
        and len(_MARKS.findall(value)) >= len(value) // 6
        and is_mixed(value, least=_LEAST_RANDOM)
        and is_drawn(value, most=_RARELY_LIKE)
    )


def is_code(value: str) -> bool:
    """Whether *value*, standing without quotes, names something in a program."""
    return bool(_CODE.fullmatch(value)) or bool(
        _IDENTIFIER.fullmatch(value) and (is_word(value) or likeness(value) > _WORDLY)
    )


def is_word(value: str) -> bool:
    """Whether *value* reads like a name, by its humps and joints or by its letters."""
    return is_worded_token(value.lstrip("_$").rstrip("_")) or bool(
        _LETTERS.fullmatch(value) and likeness(value) > _WORDLY
    )


def is_joined(value: str) -> bool:
    """Whether *value* has many joints and short parts: `V6_vcvt_h_hf_128B`."""
    parts = value.split("_")
    return len(parts) > _JOINTS and all(map(_PART.fullmatch, parts))


def is_mixed(value: str, *, least: int) -> bool:
    """Whether *value* is more than words and figures, and has *least* characters."""
    return not (
        len(value) < least
        or is_placeholder(value)
        or _FIGURE.fullmatch(value)
        or (_LETTERS.fullmatch(value) and likeness(value) > _WORDLY)
    )


def is_issued(value: str, *, least: int = 16) -> bool:
    """Whether a machine made *value*, to judge by its letters and digits alone."""
    core = value.rstrip("=")
    if is_hash(core):
        return len(core) >= _LEAST_OF_HASH
    if any(char.isdigit() for char in core):
        return len(core) >= least and is_drawn(core)
    return len(core) >= _LEAST_OF_LETTERS and is_drawn(core, most=_RARELY_LIKE)
