"""Keys and tokens of the large providers that name themselves, and JWTs."""

from __future__ import annotations

import base64
import json
import re

from ._rule import Rule, anchored, around
from ._values import is_placeholder

__all__ = ["ISSUED_KEYS", "JWT"]

_A = "[A-Za-z0-9]"
_B = "[A-Za-z0-9+/]"
_U = "[A-Za-z0-9_-]"


def _is_mixed_case(match: re.Match[str]) -> bool:
    """Whether a value of 40 characters is an AWS secret, not a hash in hex."""
    value = match.group(1)
    return not (value.islower() or value.isupper() or is_placeholder(value))


_AWS_IDS = (
    *("AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
    *("AROA", "AIDA", "AGPA", "AIPA", "ANPA", "ANVA"),
)
_AWS_NAMES = (
    *("secret_access_key", "secretaccesskey", "secret-access-key", "secret access key"),
    *("aws_secret", "aws_session_token", "sessiontoken"),
)

ISSUED_KEYS = (
    Rule(
        name="anthropic_api_key",
        keys=("sk-ant-",),
        find=anchored(rf"sk-ant-{_U}{{16,512}}+"),
    ),
    Rule(
        name="openai_api_key",
        keys=("sk-",),
        find=anchored(
            rf"sk-(?:(?:proj|svcacct|admin|service|None|or-v1)-{_U}{{20,512}}+"
            rf"|{_A}{{20,512}}+)"
        ),
    ),
    Rule(
        name="aws_access_key",
        keys=_AWS_IDS,
        edge=False,
        find=anchored(  # The secret often stands right behind its id: CSV, tables.
            rf"(?<![A-Z0-9])(?:A3T[A-Z0-9]|[A-Z]{{4}})"
            rf"(?:[A-Z0-9]{{16}}(?![A-Z0-9])|[A-Z0-9]{{10,15}}(?=\.{{3}}|…))"
            rf"(?:[ \t,:;|\"']{{1,4}}{_B}{{40}}(?![A-Za-z0-9+/=]))?"
        ),
    ),
    Rule(
        name="aws_access_key",
        keys=_AWS_NAMES,
        any_case=True,
        edge=False,
        find=anchored(
            r"[A-Za-z_ -]{10,24}\\{0,3}[\"'\]]{0,2}(?: \[[^\]\n]{0,24}\])?"
            r"[ \t]{0,4}(?:=>|:=|=|:|,|>|(?<=[ \t]))"
            rf"[ \t]{{0,4}}\\{{0,3}}[\"'`]?({_B}{{40,2048}}+={{0,2}})",
            _is_mixed_case,
        ),
    ),
    Rule(
        name="aws_access_key",
        keys=("ABSK", "bedrock-api-key-"),
        find=anchored(
            rf"(?:ABSK{_B}{{40,512}}+={{0,2}}"
            r"|bedrock-api-key-[A-Za-z0-9+/=_-]{20,2048}+)"
        ),
    ),
    Rule(
        name="github_token",
        keys=("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        edge=False,
        find=anchored(  # App tokens since April 2026: ghs_<app id>_<JWT>.
            rf"gh[pousr]_(?:{_A}{{20,512}}+|[0-9]{{1,20}}_{_U}{{10,1024}}+"
            rf"(?>(?:\.{_U}{{1,16384}}+){{0,2}}))"
        ),
    ),
    Rule(
        name="github_token",
        keys=("github_pat_",),
        edge=False,
        find=anchored(r"github_pat_[A-Za-z0-9_]{30,512}+"),
    ),
    Rule(
        name="github_token",
        keys=("v1.",),
        find=anchored(rf"v1\.[0-9a-f]{{28,40}}(?!{_A})"),  # Of an app, until 2020.
    ),
    Rule(
        name="google_api_key",
        keys=("AIza", "AQ.A", "GOCSPX-", "ya29.", "1//0"),
        find=anchored(
            rf"(?:AIza{_U}{{30,512}}+|AQ\.A{_U}{{30,512}}+|GOCSPX-{_U}{{20,512}}+"
            rf"|ya29\.[A-Za-z0-9_.-]{{20,2048}}+|1//0{_U}{{40,512}}+)"
        ),
    ),
    Rule(
        name="google_api_key",
        keys=(".apps.googleusercontent.com",),
        edge=False,
        find=around(
            r"(?<![A-Za-z0-9])[0-9]{6,24}-[a-z0-9]{16,40}",
            r"\.apps\.googleusercontent\.com",
            reach=72,
        ),
    ),
)


def _has_header(match: re.Match[str]) -> bool:
    """Whether the first part decodes to a JSON object and something follows it."""
    header, _, rest = match.group().partition(".")
    if len(rest) < 8:
        return False
    try:
        padded = header + "=" * (-len(header) % 4)
        return isinstance(json.loads(base64.urlsafe_b64decode(padded)), dict)
    except (ValueError, RecursionError):
        return False


JWT = (
    Rule(
        name="jwt_token",
        keys=("eyJ", "eyI"),
        find=anchored(
            rf"ey[IJ]{_U}{{0,4096}}+(?>(?:\.{_U}{{0,32768}}+)?)"
            rf"(?>(?:\.{_U}{{1,32768}}+){{0,3}})",
            _has_header,
        ),
    ),
)
