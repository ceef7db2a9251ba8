"""Secrets that only their place gives away: headers, cookies, addresses, commands."""

from __future__ import annotations

import base64
import re

from ._rule import Rule, anchored, around
from ._values import is_issued, is_placeholder, is_syntax

__all__ = ["BEARER", "CREDENTIAL_URL"]

_Q = r"\\{0,3}[\"'`]?"
_PAIR = r",(?=[ \t]{0,3}[\"'`](?i:basic|bearer|digest|token) )"
_IS = rf"{_Q}\]?[ \t]{{0,3}}(?:=>|[:=]|{_PAIR})[ \t]{{0,3}}{_Q}"
_VALUE = "[A-Za-z0-9._~+/=%-]"
_PART = re.compile(r"[A-Za-z_-]{2,24}=")
_SCHEMES = frozenset(
    {"bearer", "basic", "digest", "negotiate", "token", "apikey", "hoba", "mutual"}
)


def _is_value(match: re.Match[str]) -> bool:
    """Whether the group is a value, not a stand-in, a scheme, or a call in code.

    Nor the name of a part, as in `Digest username="..."`.
    """
    value = match.group(1)
    then = match.string[match.end() : match.end() + 1]
    called = then in {"(", "["} or _PART.fullmatch(value)
    return not (called or value.lower() in _SCHEMES or is_placeholder(value))


def _is_password(match: re.Match[str]) -> bool:
    return not is_syntax(match.group(1))


def _has_cookie(match: re.Match[str]) -> bool:
    """Whether any of the cookies has a value worth hiding."""
    values = (pair.partition("=")[2] for pair in match.group(1).split(";"))
    return any(len(value) >= 8 and not is_placeholder(value) for value in values)


def _is_basic_pair(match: re.Match[str]) -> bool:
    """Whether it decodes to `user:password`, so that basic words are let be."""
    padded = match.group(1).rstrip("=") + "=="
    try:
        user, colon, _ = base64.urlsafe_b64decode(padded).decode().partition(":")
    except ValueError:
        return False
    return bool(colon) and user.isprintable()


def _is_for_curl(match: re.Match[str]) -> bool:
    return _is_option_of_curl(match) and _is_password(match)


def _is_cookie_for_curl(match: re.Match[str]) -> bool:
    return _is_option_of_curl(match) and _has_cookie(match)


def _is_option_of_curl(match: re.Match[str]) -> bool:
    """Whether the command is near: other programs mean other things by `-u`."""
    start = match.start()
    return "curl" in match.string[max(0, start - _COMMAND_REACH) : start]


_COMMAND_REACH = 512
"""Characters between a command and its option."""


BEARER = (
    Rule(
        name="bearer_token",
        keys=("authorization",),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:authorization){_IS}"
            r"(?>(?:[A-Za-z][A-Za-z0-9-]{0,20}(?:[ \t]{1,3}|%20))?)"
            rf"((?>(?:{_VALUE}|:){{6,4096}}))",
            _is_value,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=("bearer",),
        any_case=True,
        find=anchored(
            r"(?i:bearer)(?:[ \t]{1,4}|%20|\+|[ ]?[:=][ ]?)"
            r"(?>(?:(?i:token)[ :=]{1,3})?)"
            rf"{_Q}({_VALUE}{{12,4096}}+)",
            _is_value,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=("basic",),
        any_case=True,
        find=anchored(
            r"(?i:basic)(?:[ \t]{1,4}|%20)([A-Za-z0-9+/_-]{6,2048}+={0,2})",
            _is_basic_pair,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=("api-key", "apikey", "-token"),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:api-?key|-token){_IS}({_VALUE}{{8,4096}}+)",
            _is_value,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=("cookie",),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:cookie){_Q}[ \t]{{0,2}}:[ \t]{{0,2}}{_Q}"
            r"([A-Za-z0-9_.$-]{1,64}=[^\s\"'`\\;,]{0,4096}+"
            r"(?>(?:;[^\"'`\\\r\n;]{1,1024}+){0,50}))",
            _has_cookie,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=("_session=", "sessionid=", "sessid="),
        any_case=True,
        edge=False,
        find=anchored(r"[A-Za-z_]{7,10}=([A-Za-z0-9%_-]{16,1024}+)", _is_value),
    ),
    Rule(
        name="bearer_token",
        keys=(" -u", " -U", "--user", "--proxy-user"),
        edge=False,
        find=anchored(
            r"(?: -[uU]|--(?:proxy-)?user(?![\w-]))[ =]{0,2}\\{0,3}[\"']?"
            r"[^\s:\"'`\\<{]{0,128}:([^\s\"'`\\]{1,256}+)",
            _is_for_curl,
        ),
    ),
    Rule(
        name="bearer_token",
        keys=(" -b", "--cookie"),
        edge=False,
        find=anchored(
            r"(?: -b|--cookie)[ =]{0,2}\\{0,3}[\"']?"
            r"([A-Za-z0-9_.$-]{1,64}=[^\s\"'`\\]{8,4096}+)",
            _is_cookie_for_curl,
        ),
    ),
)

_PORT = re.compile(r"[0-9]{1,5}[?#,;&)]")
_PARAMETER = r"(?:[?&#]|&amp;|\\u0026|%26|%3[Ff]|%23)[A-Za-z0-9_.-]{0,24}"
_SURE = ("password", "passwd", "pwd", "secret")


def _is_url_password(match: re.Match[str]) -> bool:
    return _is_password(match) and not _PORT.match(match.group(1))


def _is_parameter(match: re.Match[str]) -> bool:
    """Whether the value of a parameter is no stand-in and no word."""
    if match.group().lower().startswith(_SURE):
        return _is_password(match)
    return len(match.group(1)) >= 8 and _is_value(match)


def _has_digit(match: re.Match[str]) -> bool:
    return any(char.isdigit() for char in match.group(1)) and _is_value(match)


def _is_token(match: re.Match[str]) -> bool:
    return is_issued(match.group(1))


def _is_hook(match: re.Match[str]) -> bool:
    """Whether a path is whole, masked or not: team, channel and token are there."""
    return all(len(part) >= _LEAST_OF_PATH for part in match.group(1).split("/")[:3])


_LEAST_OF_PATH = 5
_TENANTS_OF = (
    *(".jfrog.io", ".openai.azure.com", ".supabase.co", ".firebaseio.com"),
    *(".azconfig.io", ".myshopify.com", ".salesforce.com", ".s3.amazonaws.com"),
    ".storage.googleapis.com",
)
"""Hosts that a customer of a service has alone: half of what opens it."""


def _is_host(match: re.Match[str]) -> bool:
    return not match.string[match.end() : match.end() + 1].isalnum()


_NAMES = ("token", *_SURE, "key", "signature", "sig", "code", "auth")

CREDENTIAL_URL = (
    Rule(
        name="credential_url",
        keys=("://", ":\\/\\/"),
        edge=False,
        find=anchored(
            r":\\?/\\?/[^\s:/?#'\"<>`\\|,()\[\]{}]{0,128}+"
            r":([^\s/'\"<>`\\|]{1,256})@(?=[A-Za-z0-9\[.$%{/-])",
            _is_url_password,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("jdbc:oracle:", "sqlplus "),
        edge=False,
        find=anchored(
            r"(?:jdbc:oracle:[a-z0-9]{3,5}:|sqlplus (?:-[A-Z] )?)"
            r"[A-Za-z0-9_$#]{1,30}/([^\s@/\"'`\\]{1,128}+)@",
            _is_password,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("://", ":\\/\\/"),
        edge=False,
        find=anchored(r":\\?/\\?/([A-Za-z0-9_-]{20,256}+)@(?=[A-Za-z0-9])", _has_digit),
    ),
    Rule(
        name="credential_url",
        keys=("://", ":\\/\\/"),
        edge=False,
        find=anchored(  # `https://<token>:x-oauth-basic@github.com`
            r":\\?/\\?/([A-Za-z0-9_-]{20,256}+)(?=:[^\s/@'\"<>`\\|]{0,64}@)",
            _is_token,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("%3a%2f%2f",),
        any_case=True,
        edge=False,
        find=anchored(
            r"%3[Aa]%2[Ff]%2[Ff][A-Za-z0-9._~-]{0,128}+%3[Aa]"
            r"((?>(?:[A-Za-z0-9._~!$*+-]|%(?!40)[0-9A-Fa-f]{2}){1,256}))%40",
            _is_password,
        ),
    ),
    Rule(
        name="credential_url",
        keys=tuple(name + sign for name in _NAMES for sign in ("=", "%3d")),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:{'|'.join(_NAMES)})(?:=|%3[Dd])"
            r"([^\s&'\"<>`#\\;,()\[\]{}|]{4,4096}+)",
            _is_parameter,
            behind=_PARAMETER,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("hooks.slack.com/", "hooks.slack-gov.com/"),
        edge=False,
        find=anchored(
            r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,200}+)",
            _is_hook,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("api/webhooks/",),
        edge=False,
        find=anchored(r"api/webhooks/([0-9]{15,20}/[A-Za-z0-9_-]{40,100}+)"),
    ),
    Rule(
        name="credential_url",
        keys=("webhook.office.com/",),
        edge=False,
        find=anchored(r"webhook\.office\.com/([A-Za-z0-9@/-]{30,400}+)"),
    ),
    Rule(
        name="credential_url",
        keys=("telegram.org/bot",),
        edge=False,
        find=anchored(
            r"telegram\.org/bot([0-9]{6,12}(?::|%3[Aa])[A-Za-z0-9_-]{30,48}+)"
        ),
    ),
    Rule(
        name="credential_url",
        keys=_TENANTS_OF,
        edge=False,
        find=around(
            r"(?<![A-Za-z0-9.-])[A-Za-z0-9-]{1,63}",
            "|".join(re.escape(host) for host in _TENANTS_OF),
            reach=64,
            accept=_is_host,
        ),
    ),
    Rule(
        name="credential_url",
        keys=("office.com/webhook/",),
        edge=False,
        find=anchored(r"office\.com/webhook/([A-Za-z0-9@/-]{30,400}+)"),
    ),
)
