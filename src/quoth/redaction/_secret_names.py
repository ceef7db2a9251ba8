"""How sure a name is to be that of a secret, by the words in it."""

from __future__ import annotations

import re
from enum import IntEnum
from itertools import pairwise

__all__ = ["KEYS", "Sure", "sureness"]


class Sure(IntEnum):
    """What a name lets one expect of its value."""

    NOT = 0
    DRAWN = 1
    """`cache_key`, `access`: only what a machine drew is a secret."""
    MIXED = 2
    """`token`, `api_key`: a secret, unless it is a word, a number or code."""
    ANY = 3
    """`password`, `client_secret`: whatever a person would type."""


_PASSWORDS = (
    *("password", "passwd", "passphrase", "passcode", "passwort", "pwd", "secret"),
    *("pass", "pswd", "pswrd", "passwords"),
    *("senha", "kennwort", "wachtwoord", "contrasena", "motdepasse"),
)
_OTHERS_IN_PASS = ("bypass", "compass", "surpass", "trespass", "minipass", "subpass")
_TOKENS = (
    *("token", "apikey", "authkey", "accesskey", "privatekey", "secretkey", "dsn"),
    *("connectionstring", "credential", "credentials"),
)
_MAYBE = ("access", "private", "key", "login", "oauth", "salt")
_OF_KEYS = frozenset({
    *("api", "access", "private", "signing", "account", "encryption", "master", "auth"),
    *("secret", "service", "shared", "license", "deploy", "admin", "storage", "server"),
})  # fmt: skip
_NOT_BEFORE = frozenset({
    *("public", "primary", "foreign", "partition", "sort", "csrf", "xsrf", "pub"),
    *("next", "page", "continuation", "cursor", "idempotency", "unique", "sync"),
    *("no", "max", "min", "num", "bos", "eos", "pad", "unk", "stop", "publishable"),
    *("has", "is", "object", "cache", "message", "issue", "jira", "row", "react"),
})  # fmt: skip
_NOT_BEHIND = frozenset({
    *("name", "names", "id", "ids", "url", "uri", "path", "file", "dir", "type"),
    *("length", "len", "size", "count", "limit", "min", "max", "policy", "expires"),
    *("expiry", "expiration", "ttl", "label", "hint", "prompt", "placeholder"),
    *("required", "pattern", "link", "header", "param", "env", "var", "manager"),
    *("field", "regex", "store"),
    *("version", "ref", "arn", "class", "input", "form", "error", "message", "title"),
    *("help", "style", "strength", "rules", "usage", "budget", "index", "endpoint"),
    *("at", "in", "algorithm", "provider", "format", "page", "reset", "change", "kind"),
    *("sha", "md", "hash", "digest", "checksum", "fingerprint", "etag", "mgr"),
    *("scheme", "method", "selector", "element", "el", "button", "icon", "visible"),
})  # fmt: skip
"""`secret_name`, `token_url`: such a name holds where or how, not what."""

_HUMP = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]")

KEYS = (
    *("pass", "pwd", "pswd", "pswrd", "secret", "token", "credential", "key", "dsn"),
    *("_auth", "-auth", "connection", "pw:", "pw=", 'pw"', "pw'", "pw ", "access"),
    *("private", "database_url", "identified by", "login", "oauth", "salt", "psk"),
    *("senha", "kennwort", "wachtwoord", "contrasena", "motdepasse"),
)
"""Literal: each name that is not `Sure.NOT` has one of them in it."""


def sureness(name: str) -> Sure:
    """Return what to expect of the value of *name*, by its surest word."""
    if name.lower() in {"psk", "wpa_psk"}:
        return Sure.ANY
    if name == "PASS":  # The verdict of a test.
        return Sure.NOT
    words = [word.lower() for word in _HUMP.findall(name)]
    if name.startswith("_auth"):  # As npm calls `user:password` in base64.
        words = ["npm", *words]
    rated = [_of_word(*pair) for pair in pairwise(["", *words])]
    sure = max(rated, default=Sure.NOT)
    behind = words[len(rated) - rated[::-1].index(sure) :] if rated else []
    if not _NOT_BEHIND.isdisjoint(behind):
        return Sure.NOT
    if sure < Sure.ANY and not _NOT_BEFORE.isdisjoint(words):
        return Sure.NOT
    return sure


def _of_word(before: str, word: str) -> Sure:
    if (before, word) in {("identified", "by"), ("preshared", "key")} or word == "pw":
        return Sure.ANY
    if word.endswith(_PASSWORDS) and not word.endswith(_OTHERS_IN_PASS):
        return Sure.ANY
    if word.endswith(_TOKENS) or (before and word == "auth"):
        return Sure.MIXED
    if (before, word) in {("connection", "string"), ("database", "url")}:
        return Sure.MIXED
    if word in {"pubkey", "publickey"}:
        return Sure.NOT
    if word == "key":
        return Sure.MIXED if before in _OF_KEYS else Sure.DRAWN
    return Sure.DRAWN if word.endswith(_MAYBE) else Sure.NOT
