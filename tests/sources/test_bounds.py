"""What is kept of a long text, and that no half of a key is."""

from __future__ import annotations

import pytest
from tests.redaction.secrets_made_here import (
    BASE64,
    CODE_LINES,
    armoured,
    drawn,
    encoded,
)

from quoth.redaction import redact_text
from quoth.sources._bounds import bounded, cut_short, title_line

LIMIT = 300
KEY = "ghp" + "_" + "Ab3" * 12
LONG_JWT = ".".join((encoded({"alg": "HS256"}), drawn(1_850), drawn(43)))


def numbered(text: str) -> str:
    lines = enumerate(text.split("\n"), start=1)
    return "\n".join(f"{number:6}\t{line}" for number, line in lines)


def test_a_short_text_is_kept_as_it_is() -> None:
    assert bounded("all of it", LIMIT) == "all of it"


def test_a_long_text_keeps_its_head_and_its_tail() -> None:
    text = "first " + "middle " * 100 + "last"

    kept = bounded(text, LIMIT)

    assert kept.startswith("first middle")
    assert kept.endswith("middle last")
    assert len(kept) < LIMIT + 40


def test_it_says_how_much_was_left_out() -> None:
    text = "a " * 500

    head, said, tail = bounded(text, LIMIT).split("\n")

    assert said == f"[... {len(text) - len(head) - len(tail)} characters ...]"


@pytest.mark.parametrize("before", range(150, 320))
def test_no_cut_leaves_half_a_key(before: int) -> None:
    filler = ("x " * 400)[:before]
    text = f"{filler} {KEY} " + "y " * 60

    kept = redact_text(bounded(text, LIMIT))

    assert "Ab3Ab3" not in kept


def test_a_blob_without_any_break_is_still_cut() -> None:
    assert len(bounded("A" * 100_000, LIMIT)) < LIMIT + 40


# What gives a secret away may stand on the other side of the cut.

PASSWORD = "hunter" + "2Zq9" * 3
SECRET = drawn(40, BASE64)

IN_CONTEXT = {
    "an address": (f"postgres://admin:{PASSWORD}" + "@db.example.com/x", PASSWORD),
    "a header": ("Authorization: Bearer " + SECRET, SECRET),
    "a key with a name": ('aws_secret_access_key = "' + SECRET + '"', SECRET),
    "a command": ("curl -u someone:" + PASSWORD + " https://example.com", PASSWORD),
    "a cookie": ("Cookie: session=" + SECRET, SECRET),
    "a long token": (LONG_JWT, LONG_JWT[-300:]),
    "a private key": (armoured(), CODE_LINES[4]),
    "an indented key": (armoured().replace("\n", "\n    "), CODE_LINES[4]),
    "a numbered key": (numbered(armoured()), CODE_LINES[4]),
}


def halves(secret: str) -> tuple[str, str]:
    return secret[: len(secret) // 2], secret[len(secret) // 2 :]


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_no_cut_parts_a_secret_from_what_gives_it_away(name: str) -> None:
    """Both cuts, and that of `cut_short`, at every place in and around it."""
    text, secret = IN_CONTEXT[name]
    leaks = []

    for before in range(max(0, LIMIT // 3 - len(text) - 10), LIMIT * 2 // 3 + 10):
        head = ("x " * LIMIT)[:before] + "\n" + text + "\n" + "y " * LIMIT
        tail = "x " * LIMIT + "\n" + text + "\n" + ("y " * LIMIT)[:before]
        for kept in (bounded(head, LIMIT), bounded(tail, LIMIT), cut_short(head, 200)):
            stored = redact_text(kept)
            leaks += [half for half in halves(secret) if half in stored]

    assert leaks == []


@pytest.mark.parametrize("before", range(120, 320))
def test_no_cut_goes_through_a_marker(before: int) -> None:
    text = ("x " * LIMIT)[:before] + f"'{KEY}'" + "y " * LIMIT

    head, _, tail = bounded(text, LIMIT).split("\n")

    for kept in (head, tail, cut_short(text, 200)):
        assert "REDACTED" not in kept.replace("[REDACTED:github_token]", "")


def test_a_text_that_redaction_makes_short_is_kept_whole() -> None:
    secret = armoured()

    assert bounded(secret, LIMIT) == "[REDACTED:pem_private_key]"
    assert cut_short(secret, LIMIT) == "[REDACTED:pem_private_key]"


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_a_title_holds_no_part_of_a_secret(name: str) -> None:
    text, secret = IN_CONTEXT[name]

    titles = [
        title_line(("x " * 100)[:before] + text + " y" * 20_000)
        for before in range(202)
    ]

    assert not [t for t in titles for half in halves(secret) if half in redact_text(t)]


def test_a_title_is_not_taken_from_where_its_window_ends() -> None:
    text = " " * 19_000 + IN_CONTEXT["an address"][0] + " " * 2_000

    assert title_line(text) == ""


def test_a_title_shows_no_half_of_a_secret_the_window_ends_in() -> None:
    text = " " * 19_970 + IN_CONTEXT["an address"][0]

    assert title_line(text) == ""
