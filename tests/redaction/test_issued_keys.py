"""Keys and tokens that name themselves, in every place where people paste them."""

from __future__ import annotations

import re

import pytest

from quoth.redaction import redact_counted, redact_text

from .secrets_made_here import CASES, JWT, drawn, drawn_hex, encoded

each_secret = pytest.mark.parametrize(
    ("rule", "secret"), CASES, ids=[f"{rule}-{secret[:8]}" for rule, secret in CASES]
)

PLACES = {
    "alone": "{}",
    "at the start": "{} is the key",
    "at the end": "the key is {}",
    "on its own line": "first\n{}\nlast",
    "in JSON": '{{"key": "{}", "n": 1}}',
    "in JSON inside JSON": '{{\\"key\\": \\"{}\\"}}',
    "behind an escaped line break": "KEY=\\n{}\\nNEXT=1",
    "in an address": "https://example.org/cb?x=1&value={}&y=2",
    "percent-encoded": "value%3D{}%26y%3D2",
    "coloured": "\x1b[32m{}\x1b[0m done",
    "coloured by escaped codes": "\\u001b[32m{}\\u001b[0m",
    "beside CJK": "密钥是{}。请勿外传",
    "in a shell command": "export KEY='{}'",
    "in backticks": "use `{}` here",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_key_is_replaced_wherever_it_stands(place: str) -> None:
    left = {
        secret: redacted
        for rule, secret in CASES
        if (redacted := redact_text(place.format(secret)))
        != place.format(f"[REDACTED:{rule}]")
    }

    assert left == {}


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\x1b[1m", "\x1b[0;31m", "\u00ad", "\u2060", "\\u001b[1m", "\ufeff"],
    ids=ascii,
)
@pytest.mark.parametrize("place", [2, 9])
def test_characters_nobody_sees_do_not_save_a_key(hidden: str, place: int) -> None:
    left = {
        secret: redacted
        for rule, secret in CASES
        if (
            redacted := redact_text(f"key {secret[:place]}{hidden}{secret[place:]} end")
        )
        != f"key [REDACTED:{rule}] end"
    }

    assert left == {}


@each_secret
def test_each_key_is_counted_once(rule: str, secret: str) -> None:
    _, counts = redact_counted(f"{secret} and\x1b[0m {secret}")

    assert counts == {rule: 2}


@pytest.mark.parametrize(
    "text",
    [
        "task-force-members-and-their-friends-in-the-north",
        "risk-assessment-of-the-northern-bridge-2",
        "disk-proj-backups-and-older-snapshots-01",
        "the prefix sk-ant- is not a key",
        "sk-ant-api03-...",
        "sk-ant-api03-<your key>",
        "sk-ant-api03-${SUFFIX}",
        "sk-ant-api03-" + "x" * 95,
        "sk-ant-your-api-key-goes-here",
        "sk-proj-your-openai-key-goes-here",
        "sk-section-two-column-layout-wide",
        "AKIA" + "X" * 16,
        "AKIAEXAMPLE",
        "MAKIAABCDEFGHIJKLMNOP",
        "ghp_short",
        "ghp_" + "x" * 36,
        "github_pat_${GITHUB_PAT}",
        "hf_requiredCharacteristicTypesForDisplayMetadata",
        "hf_hub_download(repo_id, filename)",
        "npm_config_registry=https://registry.example.org/npm_packages",
        "2018-250-xoxo-indieweb-1.jpg",
        "1//0 is a division",
        "eyJ is how they begin",
        "eyJhbGciOiJIUzI1NiJ9 is a header alone",
        "eyJub3QganNvbg.something.else_entirely_here",
        "sha256:" + drawn_hex(64),
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "pk_live_ is how it begins",
        "module v1.20.3 of " + drawn_hex(40),
        "awk '{print $1$2, $5$6}' file",
        "$2y$10$...",
        "{SHARED_DIR}/usr/local/share/something",
    ],
)
def test_what_only_looks_like_a_key_stays(text: str) -> None:
    assert redact_text(text) == text


def test_an_app_token_of_github_goes_with_the_token_inside_it() -> None:
    text = f"ghs_42_{JWT} next"

    assert redact_text(text) == "[REDACTED:github_token] next"


def test_a_cut_off_json_web_token_goes_too() -> None:
    text = encoded({"alg": "HS256"}) + "." + encoded({"name": "Ada"})[:12]

    assert redact_text(text) == "[REDACTED:jwt_token]"


@pytest.mark.parametrize(
    "shape",
    [
        "aws_secret_access_key = {}",
        'AWS_SECRET_ACCESS_KEY="{}"',
        '"SecretAccessKey": "{}"',
        '{{\\"SecretAccessKey\\": \\"{}\\"}}',
        "secretAccessKey: '{}',",
        "AWS_SESSION_TOKEN={}",
        "AWS Secret Access Key: {}",
        "AWS Secret Access Key [None]: {}",
        "<SecretAccessKey>{}</SecretAccessKey>",
        "ENV AWS_SECRET_ACCESS_KEY {}",
        "aws configure set aws_secret_access_key {}",
    ],
)
def test_an_aws_secret_is_known_by_the_name_beside_it(shape: str) -> None:
    text = shape.format("wJalr" + "XUtnFEMI/K7MDENG/bPxRfi" + "CYabcdefghKEY")

    assert redact_text(text) == shape.format("[REDACTED:aws_access_key]")


def test_an_aws_secret_right_behind_its_id_goes_with_it() -> None:
    text = "AKIA" + "Q7ABCDEFGHIJKL23" + "," + drawn(40)

    assert redact_text(text) == "[REDACTED:aws_access_key]"


@pytest.mark.parametrize("kind", ["SHA", "SSHA", "SSHA512", "PBKDF2-SHA256"])
def test_a_hash_in_a_directory_keeps_the_name_of_its_kind(kind: str) -> None:
    text = f"ada:{{{kind}}}{drawn(27)}="

    assert redact_text(text) == f"ada:{{{kind}}}[REDACTED:high_entropy_secret]"


def test_an_account_key_in_a_connection_string_goes() -> None:
    text = "AccountName=me;AccountKey=" + drawn(86) + "==;EndpointSuffix=x"

    redacted = re.sub("=[^=;]{40,}==", "=[REDACTED:high_entropy_secret]", text)
    assert redact_text(text) == redacted
