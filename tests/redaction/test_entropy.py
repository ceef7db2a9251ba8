"""Strings that nothing but chance can have made, and what looks like them."""

from __future__ import annotations

import base64

import pytest

from quoth.redaction import redact_text

from .secrets_made_here import ALNUM, BASE64, CODE_LINES, URLSAFE, drawn, drawn_hex

GONE = "[REDACTED:high_entropy_secret]"


@pytest.mark.parametrize("alphabet", [ALNUM, URLSAFE, BASE64])
@pytest.mark.parametrize("length", [24, 32, 43, 64, 100])
def test_what_a_machine_drew_goes(length: int, alphabet: str) -> None:
    assert redact_text(f"use {drawn(length, alphabet)} here") == f"use {GONE} here"


def test_a_line_of_a_key_goes_without_its_armour() -> None:
    assert redact_text(f"12:36:01 {CODE_LINES[0]}") == f"12:36:01 {GONE}"


def test_a_text_in_base64_that_holds_a_secret_goes() -> None:
    told = f"user: ada, region: eu, {'note, ' * 40} password: {drawn(12)}"

    redacted = redact_text(base64.b64encode(told.encode()).decode())

    assert redacted == GONE


def test_a_long_text_in_base64_without_a_secret_stays() -> None:
    code = base64.b64encode(b"It was a dark and stormy night. " * 20).decode()

    assert redact_text(code) == code


@pytest.mark.parametrize(
    "value",
    [
        "QkJvCEE3TiQ2Zt0WIOpQ8Acp" + "CgHVJe+Nmp0prn1X",
        "ZWz8ordIuwxJMvRw" + "SvfueTGqXzKj",
    ],
    ids=["begins like a bitmap", "one figure"],
)
def test_what_a_machine_drew_goes_whatever_it_begins_with(value: str) -> None:
    assert redact_text(value) == GONE


def test_the_folder_behind_what_a_machine_drew_stays() -> None:
    text = f"x {drawn(40)}/conversations"

    assert redact_text(text) == f"x {GONE}/conversations"


@pytest.mark.parametrize("length", [342, 512, 683])
def test_the_private_exponent_in_a_json_web_key_goes(length: int) -> None:
    text = f'{{"kty":"RSA","d":"{drawn(length, URLSAFE)}"}}'

    assert redact_text(text) == f'{{"kty":"RSA","d":"{GONE}"}}'


@pytest.mark.parametrize(
    "text",
    [
        "hexagon_V6_vcvt_h_hf_128B_Intrinsic",
        "X509_REQ_get_X509_PUBKEY(req)",
        "price_1MoBy5LkdIwHu7ixZhnattbh of prod_NffrFeUfNV2Hib",
        "QkJ2AQAAAAAAAAA2AAAAKAAAABAAAAAQ",
        "commit " + drawn_hex(40),
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "sha256:" + drawn_hex(64),
        '"integrity": "sha512-' + drawn(86, BASE64) + '=="',
        "example.org/mod v1.2.3 h1:" + drawn(43, BASE64) + "=",
        "etag: " + drawn(32),
        "SHA256:" + drawn(43, BASE64),
        "data:image/png;base64," + drawn(120, BASE64),
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "toolu_" + "01A09q90qw90lq917835lq9b",
        "agent_msg_" + "01XZaJGRT99gUYLMyRwTZoCz",
        "https://example.org/d/" + drawn(44) + "/edit",
        "https://example.com/a/very/long/path/segment/0123456789abcdef",
        "src/quoth/redaction/_identity_paths.py",
        "getElementsByClassNameFromDocument2AndWindow3",
        "2025-10-08T16_21_45_463Z-debug-0",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "rollout-2025-08-07T15-00-00-" + "123e4567-e89b-12d3-a456-426614174000",
        "\x1b[36mchunk-PVWAREVJ-D5VGyVNu\x1b[0m",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + drawn(43, BASE64),
        "ada-" + drawn(24) + "@public.example.org",
    ],
)
def test_hashes_ids_pictures_and_names_stay(text: str) -> None:
    assert redact_text(text) == text
