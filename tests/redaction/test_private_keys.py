"""Private keys in armour, whole or as tools cut, escape and number them."""

from __future__ import annotations

import base64

import pytest

from quoth.redaction import redact_text

from .secrets_made_here import CODE_LINES, armoured, drawn, drawn_hex

GONE = "[REDACTED:pem_private_key]"
BEGIN = "-----BEGIN PRIVATE " + "KEY-----"
END = "-----END PRIVATE " + "KEY-----"


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "])
def test_a_key_goes_from_its_first_line_to_its_last(kind: str) -> None:
    assert redact_text(f"a\n{armoured(kind)}\nb") == f"a\n{GONE}\nb"


@pytest.mark.parametrize(
    "line_break",
    ["\n", "\r\n", "\\n", "\\r\\n", "\\\\n", " ", "%0A", "\n    ", '\\n"+\n"'],
)
def test_a_key_goes_however_its_lines_are_joined(line_break: str) -> None:
    text = f'key="{armoured(line_break=line_break)}";'

    assert redact_text(text) == f'key="{GONE}";'


def test_a_key_goes_with_the_line_numbers_a_tool_put_before_it() -> None:
    lines = armoured().splitlines()
    text = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(lines, 1))

    assert redact_text(text) == f"     1\t{GONE}"


def test_an_encrypted_key_goes_with_its_headers() -> None:
    head = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC," + drawn_hex(32).upper()
    text = armoured().replace(CODE_LINES[0], f"{head}\n\n{CODE_LINES[0]}", 1)

    assert redact_text(text) == GONE


def test_a_block_of_pgp_goes() -> None:
    text = "\n".join(
        (
            "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----",
            "Version: GnuPG v2",
            "",
            *CODE_LINES,
            "=aBc1",
            "-----END PGP PRIVATE " + "KEY BLOCK-----",
        )
    )

    assert redact_text(text) == GONE


def test_a_key_without_an_end_takes_the_lines_of_code_and_leaves_the_prose() -> None:
    text = "\n".join((BEGIN, *CODE_LINES[:4], "Then the output was cut."))

    assert redact_text(text) == f"{GONE}\nThen the output was cut."


def test_a_key_cut_within_a_line_leaves_no_rest() -> None:
    text = "\n".join((BEGIN, *CODE_LINES[:3], CODE_LINES[3][:11]))

    assert redact_text(text) == GONE


def test_a_key_cut_in_its_middle_goes_whole() -> None:
    middle = "[... 1234 characters ...]"
    text = "\n".join((BEGIN, *CODE_LINES[:3], middle, *CODE_LINES[5:], END))

    assert redact_text(text) == GONE


def test_a_key_without_a_beginning_takes_the_lines_before_its_end() -> None:
    text = "\n".join(("the tail:", *CODE_LINES[5:], "A1bC2d==", END, "done"))

    assert redact_text(text) == f"the tail:\n{GONE}\ndone"


@pytest.mark.parametrize("line", [BEGIN, END])
@pytest.mark.parametrize("around", ["{}", "12:36:01 {}\\n", 'k = "{}\\\\n" +'])
def test_a_lone_line_of_armour_at_the_end_of_a_text_goes(
    line: str, around: str
) -> None:
    """It is all that is left of a key that was cut into lines."""
    assert redact_text(around.format(line)) == around.format(GONE)


@pytest.mark.parametrize(
    "head",
    [
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + "BKcwggSjAgEAAoIBAQC7",
        "MIIEpAIBAAKCAQEA" + drawn(48),
        "MHcCAQEEI" + drawn(50),
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU" + "AAAAEbm9uZQAAAAAAAAABAAAB",
    ],
)
def test_the_first_line_of_a_key_is_known_without_its_armour(head: str) -> None:
    assert redact_text(f"data: {head} .") == f"data: {GONE} ."


def test_two_keys_are_two_replacements() -> None:
    text = f"{armoured()}\nand\n{armoured('EC ')}"

    assert redact_text(text) == f"{GONE}\nand\n{GONE}"


def test_a_key_without_an_end_does_not_reach_into_the_next() -> None:
    text = "\n".join((BEGIN, CODE_LINES[0], "cut. Next:", armoured()))

    assert redact_text(text) == f"{GONE}\ncut. Next:\n{GONE}"


def test_a_key_encoded_once_more_goes() -> None:
    text = "client-key-data: " + base64.b64encode(armoured().encode()).decode()

    assert redact_text(text) == f"client-key-data: {GONE}"


def test_a_key_of_putty_goes_to_its_checksum() -> None:
    text = "\n".join(
        (
            "PuTTY-User-Key-" + "File-2: ssh-rsa",
            "Encryption: none",
            "Public-Lines: 2",
            *CODE_LINES[:2],
            "Private-Lines: 3",
            *CODE_LINES[2:5],
            "Private-MAC: " + drawn_hex(40),
        )
    )

    assert redact_text(f"{text}\nbye") == f"{GONE}\nbye"


def test_a_key_of_putty_that_was_cut_goes_to_its_last_line() -> None:
    text = "\n".join(
        ("PuTTY-User-Key-" + "File-3: x", "Private-Lines: 3", *CODE_LINES[:2], "bye ye")
    )

    assert redact_text(text) == f"{GONE}\nbye ye"


def test_a_key_of_age_goes() -> None:
    text = "AGE-SECRET-" + "KEY-1" + drawn(58).upper()

    assert redact_text(text) == GONE


@pytest.mark.parametrize("kind", ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY"])
def test_what_is_public_stays(kind: str) -> None:
    body = "\n".join(CODE_LINES)
    text = f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"

    assert redact_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n...\n{END}",
        f"{BEGIN}\n<your key here>\n{END}",
        f"{BEGIN}\\nMIIE...\\n{END}",
        f'if line.startswith("{BEGIN}"):\n    keys.append(line)',
        f"It begins with {BEGIN}, as all of them do.",
        f"It ends with {END}, as all of them do.",
        "BEGIN TRANSACTION; DELETE FROM t; END",
        "PuTTY-User-Key-" + "File-2 is the first line of such a file",
        "private key----- BEGIN",
        "The class BEGIN PRIVATE " + "KEY has no dashes",
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" + drawn(200),
    ],
)
def test_talk_about_keys_stays(text: str) -> None:
    assert redact_text(text) == text
