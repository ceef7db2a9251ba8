"""Tokens that a terminal or a mail program broke over lines."""

from __future__ import annotations

import pytest

from quoth.redaction import redact_text

from .secrets_made_here import ALNUM, drawn

GONE = "[REDACTED:github_token]"
TOKEN = "ghp_" + drawn(36)


def broken(token: str, width: int, line_break: str = "\n") -> str:
    lines = [token[n : n + width] for n in range(0, len(token), width)]
    return line_break.join(lines)


@pytest.mark.parametrize("width", [22, 28, 34])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\n    ", "\n> ", "\n│ "])
def test_a_broken_token_goes_whole(width: int, line_break: str) -> None:
    text = broken(TOKEN, width, line_break)

    assert redact_text(f"{text}\nand more") == f"{GONE}\nand more"


def test_the_line_before_the_break_may_begin_with_something_else() -> None:
    text = f"the token is {TOKEN[:27]}\n{TOKEN[27:]}\nand more"

    assert redact_text(text) == f"the token is {GONE}\nand more"


def test_the_next_line_stays_when_it_is_a_word() -> None:
    assert redact_text(f"{TOKEN}\ndone\n") == f"{GONE}\ndone\n"


def test_the_next_line_stays_when_it_says_more() -> None:
    text = f"{TOKEN}\nv1.2.3 was released\n"

    assert redact_text(text) == f"{GONE}\nv1.2.3 was released\n"


def test_tokens_one_a_line_are_several() -> None:
    other = "npm_" + drawn(36, ALNUM[::-1])
    text = f"{TOKEN}\n{TOKEN}\n{other}\n"

    redacted = f"{GONE}\n{GONE}\n[REDACTED:high_entropy_secret]\n"
    assert redact_text(text) == redacted


def test_a_token_is_looked_for_in_so_many_lines_only() -> None:
    secret = "sk-ant-" + "api03-" + drawn(60)
    tail = "\n".join(["aB3" * 7] * 60)

    assert redact_text(f"{secret[:24]}\n{tail}").endswith("aB3")


def test_a_short_rest_of_a_nameless_secret_goes_with_it() -> None:
    text = f"{drawn(40)}\n{drawn(9)}\nend"

    assert redact_text(text) == "[REDACTED:high_entropy_secret]\nend"
