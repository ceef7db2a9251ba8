"""A person's own patterns: a small part of regular expressions, of bounded work.

A pattern begins with literal characters, which are the rule's key, and goes on with
single characters, classes and bounded repeats of them. There are no groups, no
alternatives and nothing without an end, so that no text can keep a rule busy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import takewhile
from typing import NamedTuple

from ._rule import Finder, Found, Rule
from ._text import WITHHELD

__all__ = [
    "BUILTIN_NAMES",
    "checked_pattern",
    "is_rule_name",
    "patterns_stamp",
    "rule_from",
    "rules_from",
]

BUILTIN_NAMES = frozenset(
    {
        "anthropic_api_key",
        "aws_access_key",
        "bearer_token",
        "credential_url",
        "email_address",
        "github_token",
        "google_api_key",
        "high_entropy_secret",
        "jwt_token",
        "learned_name",
        "linux_home_path",
        "macos_home_path",
        "openai_api_key",
        "pem_private_key",
        "private_ip_address",
        "repository_identity",
        "sensitive_env_vars",
        "windows_home_path",
        "withheld",
    }
)
"""What quoth's own rules are called. Written out: settings are read at each start, and
the rules take longer to compile than all else there."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ANY_CASE = "(?i)"
_LONGEST_PATTERN = 200
_SHORTEST_KEY = 3
_SHORTEST_MATCH = 7
"""Characters: a redactor does not look at shorter texts."""
_LONGEST_MATCH = 256
_MOST_WAYS = 50
"""How often a match may begin anew because a part before its end varies in length."""

_ITEM = re.compile(
    r"(?P<one>\\[^A-Za-z0-9]|[^\\.^$*+?{}\[\]|()])"
    r"(?P<times>\?|\{[0-9]{1,3}(?:,[0-9]{1,3})?\})?"
    r"|(?:\\[dw]|\[\^?(?:\\[dw]|\\[^A-Za-z0-9]|(?!--|&&|~~|\|\|)[^\\\[\]^])+\])"
    r"(?P<set_times>\?|\{[0-9]{1,3}(?:,[0-9]{1,3})?\})?",
    re.DOTALL,
)
"""In a class, what may mean a set operation to a later Python is left out."""


class _Item(NamedTuple):
    """One part of a pattern; `literal` is its character, or empty for a class."""

    written: str
    literal: str
    least: int
    most: int


def is_rule_name(name: str) -> bool:
    """Whether a person's own rule can be called so; quoth's own names are taken."""
    return _NAME.fullmatch(name) is not None and name not in BUILTIN_NAMES


def checked_pattern(pattern: str) -> str:
    """Return *pattern*, which `rule_from` can make a rule of.

    Raises:
        ValueError: It can't; the text is the end of a sentence.
    """
    _rule("pattern", pattern)
    return pattern


def rule_from(name: str, pattern: str) -> Rule:
    """Return the rule that replaces what *pattern* finds by `[REDACTED:name]`.

    It finds a key inside a longer word, too: what a person calls secret is hidden
    rather once too often.

    Raises:
        ValueError: The name is taken or no name, or the pattern is not one of those
            described in this module; the text is the end of a sentence.
    """
    if not is_rule_name(name):
        raise ValueError("is the name of a rule of quoth's own, or no name for one")
    return _rule(name, pattern)


def rules_from(patterns: Mapping[str, str]) -> tuple[Rule, ...]:
    """Return the rules of *patterns*, each under its name, in the order of the names.

    Raises:
        ValueError: As `rule_from` does.
    """
    return tuple(rule_from(name, patterns[name]) for name in sorted(patterns))


def patterns_stamp(patterns: Mapping[str, str]) -> str:
    """Return what tells these patterns from others: nothing where there are none."""
    if not patterns:
        return ""
    written = "".join(f"{name}\0{patterns[name]}\0" for name in sorted(patterns))
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _rule(name: str, pattern: str) -> Rule:
    any_case = pattern.startswith(_ANY_CASE)
    items = _items(pattern.removeprefix(_ANY_CASE))
    key = _key(items, any_case=any_case)
    rule = Rule(
        name=name,
        keys=(key,),
        find=_finder(items, any_case=any_case),
        any_case=any_case,
        edge=False,
    )
    _refuse_what_finds_its_own_mark(rule)
    return rule


def _items(pattern: str) -> list[_Item]:
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"is longer than {_LONGEST_PATTERN} characters")
    items = list(_parsed(pattern))
    if sum(item.least for item in items) < _SHORTEST_MATCH:
        raise ValueError(f"could find less than {_SHORTEST_MATCH} characters")
    if sum(item.most for item in items) > _LONGEST_MATCH:
        raise ValueError(f"could find more than {_LONGEST_MATCH} characters")
    if _ways(items) > _MOST_WAYS:
        raise ValueError("varies too much in length before its last part")
    return items


def _parsed(pattern: str) -> Iterator[_Item]:
    place = 0
    while place < len(pattern):
        found = _ITEM.match(pattern, place)
        if found is None:
            raise ValueError(
                f"can't be used from character {place + 1} on: it may hold literal "
                r"characters, \d, \w, [classes] and {m,n} or ? behind one of them"
            )
        yield _item(found)
        place = found.end()


def _item(found: re.Match[str]) -> _Item:
    least, most = _times(found["times"] or found["set_times"] or "{1}")
    if least > most:
        raise ValueError("has a repeat that ends before it begins")
    return _Item(found[0], (found["one"] or "")[-1:], least, most)


def _times(written: str) -> tuple[int, int]:
    if written == "?":
        return 0, 1
    least, _, most = written.strip("{}").partition(",")
    return int(least), int(most or least)


def _key(items: list[_Item], *, any_case: bool) -> str:
    """Return the literal characters that every match begins with."""
    sure = takewhile(lambda item: item.literal and item.least == item.most == 1, items)
    key = "".join(item.literal for item in sure)
    if len(key) < _SHORTEST_KEY:
        raise ValueError(f"must begin with {_SHORTEST_KEY} literal characters or more")
    if not any_case:
        return key
    if not key.isascii():
        raise ValueError(f"can only begin with ASCII characters behind {_ANY_CASE}")
    return key.lower()


def _ways(items: list[_Item]) -> int:
    """Return in how many ways all but the last item can be as long as they are."""
    ways = 1
    for item in items[:-1]:
        ways *= item.most - item.least + 1
    return ways


def _finder(items: list[_Item], *, any_case: bool) -> Finder:
    flags = re.ASCII | (re.IGNORECASE if any_case else re.NOFLAG)
    try:
        compiled = re.compile("".join(item.written for item in items), flags)
    except re.error as error:
        raise ValueError(f"is no pattern: {error.msg}") from error
    work = sum(item.most for item in items) * _ways(items)

    def find(text: str, start: int) -> Found:
        match = compiled.match(text, start)
        return Found(*(match.span() if match else (0, 0)), work)

    return find


def _refuse_what_finds_its_own_mark(rule: Rule) -> None:
    """Raise where a rule would find what stands in a secret's place, for ever."""
    marks = (f"[REDACTED:{name}]" for name in (*BUILTIN_NAMES, rule.name))
    for mark in (*marks, WITHHELD):
        seen = mark.lower() if rule.any_case else mark
        place = seen.find(rule.keys[0])
        while place >= 0:
            found = rule.find(mark, place)
            if found.start < found.end:
                raise ValueError("would find what quoth puts in a secret's place")
            place = seen.find(rule.keys[0], place + 1)
