"""Secrets nobody ever had, put together at run time so that no scanner finds a leak."""

from __future__ import annotations

import base64
import json
from random import Random
from string import ascii_letters, ascii_uppercase, digits

ALNUM = ascii_letters + digits
URLSAFE = ALNUM + "_-"
HEX = digits + "abcdef"
BASE64 = ALNUM + "+/"


def drawn(length: int, alphabet: str = ALNUM) -> str:
    """Return *length* characters that are the same in every run."""
    random = Random(f"{length}{alphabet}")  # noqa: S311 - not to keep anything secret
    return "A1b" + "".join(random.choices(alphabet, k=length - 3))


def drawn_hex(length: int) -> str:
    return drawn(length, HEX).lower()


def encoded(value: object) -> str:
    raw = json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


JWT = ".".join(
    (encoded({"alg": "HS256"}), encoded({"sub": "1", "n": "x" * 20}), drawn(43))
)

ISSUED = {
    "anthropic_api_key": (
        "sk-ant-" + "api03-" + "A" * 93 + "AA",
        "sk-ant-" + "admin01-" + drawn(95, URLSAFE),
        "sk-ant-" + "oat01-" + drawn(86, URLSAFE),
    ),
    "openai_api_key": (
        "sk-" + drawn(48),
        "sk-" + "proj-" + drawn(74, URLSAFE) + "T3Blbk" + "FJ" + drawn(74, URLSAFE),
        "sk-" + "svcacct-" + drawn(40, URLSAFE),
        "sk-" + "or-v1-" + drawn_hex(64),
        "sk-" + drawn_hex(32),
    ),
    "aws_access_key": (
        "AKIA" + "Q7" + "ABCDEFGHIJKL" + "23",
        "ASIA" + "Z3" + "MNOPQRSTUVWX" + "45",
        "ABSK" + drawn(120, BASE64),
        "bedrock-api-key-" + drawn(80, BASE64),
    ),
    "github_token": (
        "ghp_" + drawn(36),
        "gho_" + drawn(36),
        "ghs_" + drawn(36),
        "ghs_" + "123456_" + JWT,
        "v1." + drawn_hex(40),
        "github_pat_" + drawn(22) + "_" + drawn(59),
    ),
    "google_api_key": (
        "AIza" + drawn(35, URLSAFE),
        "AQ.A" + drawn(50, URLSAFE),
        "GOCSPX-" + drawn(28, URLSAFE),
        "ya29." + drawn(120, URLSAFE),
        "1//0" + drawn(60, URLSAFE),
    ),
    "jwt_token": (
        JWT,
        encoded({"alg": "none"}) + "." + encoded({"sub": "1234567890"}),
        ".".join((encoded({"alg": "dir"}), "", drawn(16), drawn(90), drawn(22))),
    ),
    "high_entropy_secret": (
        "hf_" + drawn(34),
        "glpat-" + drawn(20, URLSAFE),
        "glpat-" + drawn(27, URLSAFE) + ".01." + drawn(9),
        "glrt-" + drawn(20, URLSAFE),
        "npm_" + drawn(36),
        "pypi-AgE" + "IcHlwaS5vcmc" + drawn(120, URLSAFE),
        "xoxb-" + "123456789012-123456789012-" + drawn(24),
        "xoxp-" + "1234567890-1234567890-" + drawn_hex(32),
        "xoxe.xoxp-" + "1-" + drawn(120),
        "xapp-" + "1-A0123456789-1234567890123-" + drawn_hex(64),
        "sk_" + "live_" + drawn(24),
        "rk_" + "test_" + drawn(24),
        "pk_" + "live_" + drawn(24),
        "whsec_" + drawn(32),
        "SG." + drawn(22, URLSAFE) + "." + drawn(43, URLSAFE),
        "dop_v1_" + drawn_hex(64),
        "dapi" + drawn_hex(32),
        "xai-" + drawn(80),
        "gsk_" + drawn(52),
        "r8_" + drawn(37),
        "pplx-" + drawn(48),
        "lin_api_" + drawn(40),
        "ntn_" + drawn(46),
        "secret_" + drawn(43),
        "shpat_" + drawn_hex(32),
        "sq0atp-" + drawn(22, URLSAFE),
        "dckr_pat_" + drawn(27, URLSAFE),
        "hvs." + drawn(90, URLSAFE),
        "vcp_" + drawn(56, URLSAFE),
        "sbp_" + drawn_hex(40),
        "sb_secret_" + drawn(31, URLSAFE),
        "tskey-auth-" + drawn(16) + "-" + drawn(32),
        "ops_" + "eyJ" + drawn(200),
        "figd_" + drawn(40, URLSAFE),
        "PMAK-" + drawn_hex(24) + "-" + drawn_hex(34),
        "glsa_" + drawn(32) + "_" + drawn_hex(8),
        "NRAK-" + drawn(27, digits + ascii_uppercase).upper(),
        "rubygems_" + drawn_hex(48),
        "AT" + "ATT3" + drawn(180, URLSAFE),
        "pscale_tkn_" + drawn(43, URLSAFE),
        "lsv2_pt_" + drawn_hex(32) + "_" + drawn_hex(10),
        "nvapi-" + drawn(64, URLSAFE),
        "key-" + drawn_hex(32),
        "xwfp-" + "123456789012-123456789012-" + drawn(24),
        "amzn.mws." + "743b294a-cd03-11ec-9d64-" + "0242ac120002",
        "SWMTKN-1-" + drawn_hex(50) + "-" + drawn_hex(25),
        "s-s4t2ud-" + drawn_hex(64),
        "$8$" + drawn(14) + "$" + drawn(43),
        "$apr1$" + "r31.....$" + drawn(22),
        "$P$" + "B" + drawn(30),
        "pbkdf2_sha256$" + "260000$" + drawn(10) + "$" + drawn(43) + "=",
        "scrypt:32768:8:1$" + drawn(16) + "$" + drawn_hex(64),
    ),
}
"""What names itself by a prefix, by rule: the whole of it has to go."""

CASES = [(rule, secret) for rule, secrets in ISSUED.items() for secret in secrets]

CODE_LINES = tuple(drawn(64 - n, BASE64) + "B" * n for n in range(10))


def armoured(kind: str = "RSA ", *, line_break: str = "\n") -> str:
    """Return a private key as `openssl` writes one, with a short last line."""
    return line_break.join(
        (
            f"-----BEGIN {kind}PRIVATE " + "KEY-----",
            *CODE_LINES,
            "A1bC2d==",
            f"-----END {kind}PRIVATE " + "KEY-----",
        )
    )
