"""Who and where a person is: e-mail addresses and addresses of their own network."""

from __future__ import annotations

import ipaddress
import re

from ._identity_paths import HOME_PATHS
from ._identity_repositories import REPOSITORIES
from ._rule import FAILED, Found, Rule

__all__ = ["IDENTITY_RULES"]

_LONGEST_LOCAL = 64
_LOCAL = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-'"
    + "".join(map(chr, range(0xC0, 0x250)))
)
"""What the part before the `@` is made of in practice, accented Latin letters too."""

_LABEL = "[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,62})"
_AT = re.compile(
    rf"@(?:((?:{_LABEL}\.){{1,6}})([A-Za-z]{{2,24}})|([A-Za-z]{_LABEL}(?=\.\.\.|…)))"
)
"""An `@`, and a domain with its end or cut by a snippet."""

_ESCAPE = re.compile(r"\\(?:[nrtbfv]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9A-Fa-f]{2}")
_REMOTE_USERS = frozenset({"git", "hg"})
"""As in `git@host:owner/name`, which is no address of anybody."""

_USER = re.compile(r"://[^\s/@]{0,60}:\Z")
"""Before a password in an address: that is for the rules of secrets to judge."""

_VERSION_LIKE = re.compile(r"v?[0-9]{1,4}\.[0-9]")
_FILES_AND_UNITS = """
avif bmp class conf cjs css csv dll exe gif gz html ico ini jar jpeg jpg js json jsx
less lock log mjs mount pdf png pyc scope scss service slice socket svg svelte target
tgz timer toml ts tsx txt vue wasm webp whl woff xml yaml yml
"""
_NO_DOMAIN = frozenset(_FILES_AND_UNITS.split())
"""Ends of file names and of systemd's units that are no domain: `icon@2x.png`."""


def _address(text: str, at: int) -> Found:
    """Find an e-mail address around its `@`."""
    match = _AT.match(text, at)
    if match is None or not _is_domain(match):
        return Found(0, 0, FAILED)
    start = _local_start(text, at)
    local = text[start:at].lstrip(".'")
    start = at - len(local)
    work = FAILED + match.end() - start
    if not 0 < len(local) <= _LONGEST_LOCAL or local.lower() in _REMOTE_USERS:
        return Found(0, 0, work)
    if text[start - 1 : start] == ":" and _USER.search(text, max(0, start - 64), start):
        return Found(0, 0, work)
    return Found(start, match.end(), work)


def _is_domain(match: re.Match[str]) -> bool:
    """Whether no version, file, unit or call in a program follows the `@`."""
    labels, last, cut = match.groups()
    if cut:
        return True
    follows = match.string[match.end() : match.end() + 1]
    is_file = last.lower() in _NO_DOMAIN
    return not (is_file or _VERSION_LIKE.match(labels) or follows in {"(", "[", "_"})


def _local_start(text: str, at: int) -> int:
    """Return where the part before the `@` begins, behind an escape that precedes it.

    `\\n@app.route` in source text or JSON is a line break and a decorator.
    """
    low = max(0, at - 2 * _LONGEST_LOCAL)
    start = low + len(text[low:at].rstrip(_LOCAL))
    escape = _ESCAPE.match(text, max(0, start - 1), at)
    return escape.end() if escape else start


_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
        *("169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10"),
    )
)
"""RFC 1918, 3927, 6598, 4193 and 4291. 127/8 tells nobody anything, and stays."""

_RANGES = tuple(map(str, _NETWORKS))

_V4 = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?!\.?[0-9])")
_DASHED_V4 = re.compile(r"(?i:ip-)((?:[0-9]{1,3}-){3}[0-9]{1,3})(?![0-9-])")
_V6 = re.compile(
    r"[0-9A-Fa-f]{4}(?=:)(?>(?::{1,2}[0-9A-Fa-f]{1,4}){0,7})(?:::)?(?![0-9A-Za-z])"
)
_VERSION_BEFORE = re.compile(
    r"(?:==|[<>~!]=|\^|\bver(?:sion)?\b[\"']?[ \t]{0,2}[:=]?[ \t]{0,2}[\"']?"
    r"|[0-9]\.|[A-Za-z_]-)\Z",
    re.IGNORECASE,
)


def _v4(text: str, start: int) -> Found:
    match = _V4.match(text, start)
    if match is None or _VERSION_BEFORE.search(text, max(0, start - 16), start):
        return Found(0, 0, 32)
    return _private(text, *match.span())


def _v6(text: str, start: int) -> Found:
    match = _V6.match(text, start)
    if match is None:
        return Found(0, 0, 48)
    return _private(text, *match.span())


def _dashed_v4(text: str, start: int) -> Found:
    """Find the address in the name that a cloud gives a machine: `ip-10-0-0-7`."""
    match = _DASHED_V4.match(text, start)
    if match is None:
        return Found(0, 0, 32)
    return _private(text, *match.span(1))


def _private(text: str, start: int, end: int) -> Found:
    """Find the address between two places, unless it names a whole private network."""
    try:
        address = ipaddress.ip_address(text[start:end].replace("-", "."))
    except ValueError:
        return Found(0, 0, 64)
    is_private = any(address in network for network in _NETWORKS)
    is_range = text.startswith(_RANGES, start)
    return Found(start, end if is_private and not is_range else 0, 64)


_V4_KEYS = (
    *("10.", "192.168.", "169.254."),
    *(f"172.{second}." for second in range(16, 32)),
    *(f"100.{second}." for second in range(64, 128)),
)

IDENTITY_RULES: tuple[Rule, ...] = (
    Rule(name="email_address", keys=("@",), edge=False, find=_address),
    Rule(name="private_ip_address", keys=_V4_KEYS, find=_v4),
    Rule(name="private_ip_address", keys=("fc", "fd", "fe"), any_case=True, find=_v6),
    Rule(
        name="private_ip_address",
        keys=("ip-10-", "ip-172-", "ip-192-168-"),
        any_case=True,
        find=_dashed_v4,
    ),
    *HOME_PATHS,
    *REPOSITORIES,
)
"""What is stored, since a person finds things by it, and does not leave quoth.

Apart from the secret rules: a sync has no use for these, and need not compile them.
"""
