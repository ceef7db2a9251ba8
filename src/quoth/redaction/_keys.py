"""Keys and tokens that name themselves by their prefix, and JWTs."""

from __future__ import annotations

import base64
import json
import re

from ._rule import Rule, anchored
from ._values import is_placeholder

__all__ = ["ISSUED_KEYS", "JWT", "VENDOR_KEYS"]

_A = "[A-Za-z0-9]"
_B = "[A-Za-z0-9+/]"
_U = "[A-Za-z0-9_-]"
_H = "[0-9a-f]"


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
        find=anchored(rf"sk-ant-{_U}{{18,512}}+"),
    ),
    Rule(
        name="openai_api_key",
        keys=("sk-",),
        find=anchored(
            rf"sk-(?:(?:proj|svcacct|admin|service|None|or-v1)-{_U}{{20,512}}+"
            rf"|{_A}{{32,512}}+)"
        ),
    ),
    Rule(
        name="aws_access_key",
        keys=_AWS_IDS,
        find=anchored(  # The secret often stands right behind its id: CSV, tables.
            rf"(?:A3T[A-Z0-9]|[A-Z]{{4}})[A-Z0-9]{{16}}(?!{_A})"
            rf"(?:[ \t,:;|\"']{{1,4}}{_B}{{40}}(?![A-Za-z0-9+/=]))?"
        ),
    ),
    Rule(
        name="aws_access_key",
        keys=_AWS_NAMES,
        any_case=True,
        edge=False,
        find=anchored(
            r"[A-Za-z_ -]{10,24}\\{0,3}[\"'\]]{0,2}[ \t]{0,4}(?:=>|:=|=|:|,)"
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
            rf"gh[pousr]_(?:{_A}{{30,512}}+|[0-9]{{1,20}}_{_U}{{10,1024}}+"
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
        name="google_api_key",
        keys=("AIza", "AQ.A", "GOCSPX-", "ya29.", "1//0"),
        find=anchored(
            rf"(?:AIza{_U}{{30,512}}+|AQ\.A{_U}{{30,512}}+|GOCSPX-{_U}{{20,512}}+"
            rf"|ya29\.[A-Za-z0-9_.-]{{20,2048}}+|1//0{_U}{{40,512}}+)"
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


def _vendor(key: str, tail: str) -> Rule:
    return Rule(
        name="high_entropy_secret", keys=(key,), find=anchored(re.escape(key) + tail)
    )


VENDOR_KEYS = (
    *(_vendor(f"gl{kind}-", r"[A-Za-z0-9_.-]{20,512}+") for kind in (
        *("pat", "ptt", "dt", "ft", "soat", "agent", "oas", "rt", "rtr", "cbt"),
        *("imt", "ffct", "wt"),
    )),  # GitLab
    *(
        _vendor(f"xox{kind}", r"[-.](?:[0-9]|xox[bp]-)[A-Za-z0-9.-]{8,512}+")  # Slack
        for kind in "abceoprs"
    ),
    _vendor("xoxd-", r"[A-Za-z0-9%+/=_-]{20,512}+"),
    _vendor("xapp-", r"[A-Za-z0-9/+-]{20,512}+"),
    *(
        _vendor(f"{kind}_{mode}_", rf"{_A}{{10,512}}+")  # Stripe
        for kind in ("sk", "rk")
        for mode in ("live", "test", "prod")
    ),
    _vendor("whsec_", r"[A-Za-z0-9+/=]{24,512}+"),
    *(_vendor(f"do{kind}_v1_", rf"{_H}{{60,512}}+") for kind in "opr"),  # DigitalOcean
    *(_vendor(f"shp{kind}_", r"[a-fA-F0-9]{32}") for kind in ("at", "ca", "pa", "ss")),
    *(_vendor(f"vc{kind}_", rf"{_U}{{50,512}}+") for kind in "piakr"),  # Vercel
    *(_vendor(f"hv{kind}.", rf"{_U}{{20,512}}+") for kind in "sbr"),  # Vault
    *(_vendor(f"dckr_{kind}_", rf"{_U}{{20,512}}+") for kind in ("pat", "oat")),
    *(_vendor(f"sq0{kind}-", rf"{_U}{{22,512}}+") for kind in ("atp", "csp")),
    *(_vendor(f"pscale_{kind}_", r"[A-Za-z0-9_.-]{20,512}+") for kind in (
        "tkn", "pw", "oauth"
    )),
    *(_vendor(f"AT{kind}TT3", r"[A-Za-z0-9_=-]{50,512}+") for kind in "AC"),
    *(_vendor(f"sntry{kind}_", r"[A-Za-z0-9_+/=-]{40,512}+") for kind in "su"),
    *(_vendor(f"CCI{kind}_", r"[A-Za-z0-9_]{40,512}+") for kind in ("PAT", "PRJ")),
    *(_vendor(f"lin_{kind}_", rf"{_A}{{30,512}}+") for kind in ("api", "oauth")),
    *(_vendor(f"dp.{kind}.", rf"{_U}{{40,512}}+") for kind in ("pt", "st", "ct", "sa")),
    *(_vendor(f"lsv2_{kind}_", rf"{_H}{{32}}(?:_{_H}{{10}})?") for kind in (
        "pt", "sk"
    )),
    _vendor("hf_", rf"{_A}{{30,512}}+"),
    _vendor("api_org_", rf"{_A}{{30,512}}+"),
    _vendor("GR1348941", rf"{_U}{{20,512}}+"),
    _vendor("npm_", rf"{_A}{{36,512}}+"),
    _vendor("pypi-AgE", rf"{_U}{{50,1024}}+"),
    _vendor("SG.", rf"{_U}{{16,32}}\.{_U}{{32,512}}+"),
    _vendor("dapi", rf"{_H}{{32}}(?:-[0-9])?"),
    _vendor("xai-", rf"{_U}{{60,512}}+"),
    _vendor("gsk_", rf"{_A}{{40,512}}+"),
    _vendor("r8_", rf"{_A}{{37,512}}+"),
    _vendor("pplx-", rf"{_A}{{40,512}}+"),
    _vendor("nvapi-", rf"{_U}{{60,512}}+"),
    _vendor("csk-", rf"{_A}{{40,512}}+"),
    _vendor("tvly-", rf"{_U}{{28,512}}+"),
    _vendor("pcsk_", r"[A-Za-z0-9_]{50,512}+"),
    _vendor("jina_", rf"{_U}{{50,512}}+"),
    _vendor("ntn_", rf"{_A}{{40,512}}+"),
    _vendor("secret_", rf"{_A}{{43}}(?!{_A})"),
    _vendor("sbp_", rf"(?:v0_)?{_H}{{40}}"),
    _vendor("sb_secret_", rf"{_U}{{31,512}}+"),
    _vendor("tskey-", r"[a-z]{2,16}-[A-Za-z0-9-]{20,512}+"),
    _vendor("ops_eyJ", r"[A-Za-z0-9+/=_-]{100,2048}+"),
    _vendor("figd_", rf"{_U}{{36,512}}+"),
    _vendor("PMAK-", rf"{_H}{{24}}-{_H}{{34}}"),
    _vendor("glsa_", rf"{_A}{{32}}_[a-fA-F0-9]{{8}}"),
    _vendor("glc_eyJ", r"[A-Za-z0-9+/=]{60,512}+"),
    _vendor("NRAK-", r"[A-Z0-9]{27}"),
    _vendor("HRKU-", rf"{_U}{{36,512}}+"),
    _vendor("rubygems_", rf"{_H}{{48}}"),
    _vendor("key-", rf"{_H}{{32}}(?!{_A})"),  # Mailgun
    _vendor("nfp_", rf"{_A}{{36,512}}+"),
    _vendor("pul-", rf"{_H}{{40}}"),
    _vendor("dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _vendor("sgp_", r"[A-Za-z0-9_]{40,512}+"),
    _vendor("apify_api_", rf"{_A}{{30,512}}+"),
    Rule(
        name="high_entropy_secret",
        keys=("accountkey=", "sharedaccesskey="),
        any_case=True,
        edge=False,
        find=anchored(rf"[A-Za-z]{{10,16}}=({_B}{{40,128}}+={{0,2}})"),
    ),
)  # fmt: skip
