"""Whose repository it is: remotes, what `gh` is told, and authors of commits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ._rule import Rule, anchored

__all__ = ["REPOSITORIES"]

_PART = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_-])?"
_NAME = rf"(?:{_PART}(?=(?i:\.git)\b)|{_PART})"
_OWNER = rf"~?{_PART}"
_CUT = r"(?=/(?:\.\.\.|…))"
_PAIR = rf"{_OWNER}(?:/{_NAME}|{_CUT})"
_DEEP = rf"{_OWNER}(?:(?:/{_NAME}){{1,5}}|{_CUT})"
"""GitLab has groups in groups, Azure projects in organisations."""

_ALL = rf"({_PART}/{_NAME})(?![A-Za-z0-9_]|/)"
"""What is a name as a whole, and no path."""

_PORT = r"(?::[0-9]{1,5})"
_HOST_END = rf"(?:{_PORT}?/|:/?)"

_FLAT_HOSTS = (
    *("github.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gitee.com"),
    *("raw.githubusercontent.com", "codeload.github.com", "ghcr.io"),
)
_DEEP_HOSTS = ("gitlab.com", "dev.azure.com")
_API_HOSTS = ("api.github.com",)


def _any_of(hosts: Iterable[str]) -> str:
    return f"(?i:{'|'.join(map(re.escape, hosts))})"


_KNOWN = _any_of((*_FLAT_HOSTS, *_DEEP_HOSTS, *_API_HOSTS))

_PAGE_NAMES = """
about account apps blog collections contact customer-stories dashboard dev docs
enterprise enterprises en explore features help issues join login logout marketplace new
notifications orgs organizations pricing pulls readme search security sessions settings
signup site snippets sponsors stars team teams topics trending users wiki product
products solutions support
"""
_PAGES = frozenset(_PAGE_NAMES.split())
"""First parts of addresses at the hosts that are no owners."""


def _is_owned(match: re.Match[str]) -> bool:
    """Whether the address is that of a repository, not a page of its host's own."""
    owner = re.match(r"[\w~.-]+", match.group(1))
    return owner is not None and owner.group().lower() not in _PAGES


def _is_any(match: re.Match[str]) -> bool:
    """Whatever the pattern finds is a name."""
    return bool(match)


_BEFORE_HOST = r"(?:(?<![A-Za-z0-9_.-])|www\.|(?:alt)?ssh\.|\\[nrt])"
_PERSON = r"[^\W\d_][^<>\[\]\n\\\"{}$|=(),;]{1,79}?"
_TRAILERS = (
    *("author", "committer", "co-authored-by", "signed-off-by", "reviewed-by"),
    *("acked-by", "tested-by", "reported-by", "suggested-by", "commit"),
    *("authored-by", "cc", "helped-by", "merged-by", "maintainer"),
)

_OTHER_HOST = rf"(?!(?:www\.|(?:alt)?ssh\.)?{_KNOWN}\b)[A-Za-z0-9][A-Za-z0-9.-]{{1,64}}"

_PAGE_OF_ONE = (
    r"(?i:/(?:-/[a-z]|(?:blob|tree|commit|compare|issues|pulls?|merge_requests)/\w))"
)
"""What follows the name of a repository in an address of GitLab, Gitea and others."""

REPOSITORIES = (
    Rule(
        name="repository_identity",
        keys=_FLAT_HOSTS,
        any_case=True,
        edge=False,
        find=anchored(
            rf"{_any_of(_FLAT_HOSTS)}{_HOST_END}({_PAIR})",
            _is_owned,
            behind=_BEFORE_HOST,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=_DEEP_HOSTS,
        any_case=True,
        edge=False,
        find=anchored(
            rf"{_any_of(_DEEP_HOSTS)}{_HOST_END}({_DEEP})",
            _is_owned,
            behind=_BEFORE_HOST,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=_API_HOSTS,
        any_case=True,
        find=anchored(rf"{_any_of(_API_HOSTS)}/(?i:repos)/({_PAIR})", _is_owned),
    ),
    Rule(  # The host of a team names the team.
        name="repository_identity",
        keys=("git@",),
        any_case=True,
        find=anchored(
            rf"(?i:git)@({_OTHER_HOST}{_HOST_END}{_DEEP})",
            _is_any,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("://",),
        edge=False,
        find=anchored(
            rf"://(?:[\w.-]{{1,32}}@)?"
            rf"({_OTHER_HOST}{_PORT}?/{_DEEP})"
            rf"(?:(?i:\.git)(?![\w.-])|(?={_PAGE_OF_ONE}))",
            _is_any,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("--repo",),
        edge=False,
        find=anchored(rf"--repo[= ][\"']?{_ALL}", _is_any),
    ),
    Rule(
        name="repository_identity",
        keys=("-R ",),
        find=anchored(
            rf"-R [\"']?{_ALL}",
            _is_any,
            behind=r"(?<![A-Za-z0-9])(?:gh|glab) [\w -]{2,27}",
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("gh repo ", "glab repo "),
        find=anchored(
            rf"[a-z]{{2,4}} repo [a-z-]{{2,16}} (?>(?:--?[a-z-]{{1,16}} ){{0,2}})"
            rf"[\"']?{_ALL}",
            _is_any,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("gh api ",),
        find=anchored(rf"gh api [\"']?/?repos/({_PART}/{_PART})", _is_any),
    ),
    Rule(
        name="repository_identity",
        keys=tuple(f"{trailer}:" for trailer in _TRAILERS),
        any_case=True,
        find=anchored(
            rf"[A-Za-z-]{{2,20}}:[ \t]{{1,9}}({_PERSON})[ \t]{{0,3}}(?:<|&lt;)",
            _is_any,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("Author:", "Commit:", "Co-authored-by:", "Co-Authored-By:"),
        find=anchored(
            r"[A-Za-z-]{6,20}:[ \t]{1,9}"
            r"([A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{0,30}){1,3})[ \t]{0,9}(?=\n|\\n|\Z)",
            _is_any,
        ),
    ),
    Rule(
        name="repository_identity",
        keys=("author ", "committer ", "tagger "),
        find=anchored(
            rf"[a-z]{{6,9}} ({_PERSON}) <(?=[^<>\s]{{1,64}}@|\[REDACTED)", _is_any
        ),
    ),
)
