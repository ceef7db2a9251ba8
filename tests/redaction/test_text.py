"""What holds for any text, whatever the rules are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.redaction import SECRETS, Redactor, redact_counted, redact_text
from quoth.redaction._rule import Found, Rule
from quoth.redaction._rules import SECRET_RULES
from quoth.redaction._text import WITHHELD, Budget

from .secrets_made_here import CASES, CODE_LINES, JWT, armoured, drawn, drawn_hex
from .timing import seconds_for

DRAWN = [secret for _, secret in CASES]
KEYS = sorted({key for rule in SECRET_RULES for key in rule.keys})
GLUE = [
    *("", " ", "\n", ".", "-", "_", ":", "=", "@", "?", "&", "/", '"', "\\n", "%3D"),
    *("\u200b", "\x1b[0m", "密", "Bearer ", "Authorization: ", "Cookie: a=", "://a:"),
    *("?token=", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"),
    *("[REDACTED:jwt_token]", "x", "A1", "0" * 40, CODE_LINES[0], "curl -u a:"),
]
messy_text = st.lists(
    st.one_of(st.sampled_from([*DRAWN, *KEYS, *GLUE]), st.text(max_size=8)),
    max_size=12,
).map("".join)

TAILS = ["a", "A1b", "-", "/", " ", "\\", ".", "=", ":", "@a.", "\n", "%20", "eyJ"]
UNITS = ["{0}", "-{0}", " {0}", "?{0}", "{0}=", "{0}: ", '"{0}":"', "{0}A1b2C3d4E5f6 "]


@given(messy_text)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact_text(text)

    assert redact_text(once) == once


@given(messy_text)
def test_a_count_goes_with_every_change(text: str) -> None:
    redacted, counts = redact_counted(text)

    assert (redacted != text) == bool(counts)


@given(st.text())
def test_text_without_any_key_is_the_same_object(text: str) -> None:
    seen = text.lower()
    if any(key.lower() in seen for key in KEYS):
        return

    assert redact_text(text) is text


@given(
    st.sampled_from(DRAWN),
    st.text(alphabet=" \n.,;()[]'\"密é", max_size=20),
    st.text(alphabet=" \n,;()[]'\"密é", max_size=20),
)
def test_no_secret_survives_between_marks_and_scripts(
    secret: str, before: str, after: str
) -> None:
    assert secret not in redact_text(f"{before} {secret} {after}")


def test_a_secret_stays_found_when_it_touches_the_one_before() -> None:
    text = DRAWN[0] + "." + "ghp_" + drawn(36)

    assert redact_text(text) == ("[REDACTED:anthropic_api_key].[REDACTED:github_token]")


@pytest.mark.parametrize(
    "escape", ["\\n", "\\x3d", "\\u003d", "%3D", "[32m", "[38;5;120m"]
)
def test_an_escape_before_a_key_is_no_part_of_a_word(escape: str) -> None:
    key = "sbp_" + drawn_hex(40)

    assert (
        redact_text(f"a {escape}{key}") == f"a {escape}[REDACTED:high_entropy_secret]"
    )


def test_a_key_that_only_a_replacement_lays_bare_is_found() -> None:
    """Letters and digits follow the first key until the second is replaced."""
    text = "AKIA" + "Q7" + "ABCDEFGHIJKL" + "23" + "CCIPAT_" + "A1" * 25

    assert (
        redact_text(text) == "[REDACTED:aws_access_key][REDACTED:high_entropy_secret]"
    )


def test_keys_in_a_row_without_anything_between_them_are_all_found() -> None:
    text = ("sbp_" + drawn_hex(40)) * 9

    assert redact_text(text) == "[REDACTED:high_entropy_secret]" * 9


def test_what_is_hidden_elsewhere_in_the_text_stays_as_it_was() -> None:
    text = f"a\u200bb \x1b[31mred {JWT}\x1b[0m c\x07d"

    assert redact_text(text) == (
        "a\u200bb \x1b[31mred [REDACTED:jwt_token]\x1b[0m c\x07d"
    )


def test_a_secret_in_the_address_of_a_terminal_link_is_found() -> None:
    text = "\x1b]8;;https://ada:hunter2@example.org\x1b\\docs\x1b]8;;\x1b\\"

    assert "hunter2" not in redact_text(text)


def test_replacements_are_counted_by_rule() -> None:
    text = f"{JWT}\n{armoured()}\n{DRAWN[0]} {DRAWN[0]}"

    _, counts = redact_counted(text)

    assert counts == {"jwt_token": 1, "pem_private_key": 1, "anthropic_api_key": 2}


@pytest.mark.parametrize("text", ["\ud800", "\x00" * 40, "", "İ" * 50, "\x1b" * 50])
def test_odd_text_without_a_secret_stays(text: str) -> None:
    assert redact_text(text) == text


def test_a_letter_that_grows_in_lower_case_moves_nothing() -> None:
    """`İ` has two characters in lower case: offsets found in a lowered copy slip."""
    text = "İİİ AUTHORIZATION: BEARER " + drawn(20) + " İ"

    assert redact_text(text) == "İİİ AUTHORIZATION: BEARER [REDACTED:bearer_token] İ"


def test_text_over_its_budget_is_withheld_whole() -> None:
    text = "://" * 20_000

    assert redact_counted(text) == (WITHHELD, {"withheld": 1})


def test_a_rule_that_fails_lets_nothing_pass() -> None:
    def failing(text: str, start: int) -> Found:
        raise ValueError(text[start:])

    redactor = Redactor(lambda: (Rule(name="own", keys=("key",), find=failing),))

    assert redactor.redact_counted("the key is") == (WITHHELD, {"withheld": 1})


def test_what_was_withheld_stays_so() -> None:
    assert redact_counted(WITHHELD) == (WITHHELD, {})


def test_the_work_stops_where_the_budget_ends() -> None:
    budget = Budget(1_000)

    SECRETS.redact_within("://" * 20_000, budget)

    assert budget.spent < 2_000


@pytest.mark.parametrize("key", KEYS)
def test_no_repetition_of_a_key_keeps_a_rule_busy(key: str) -> None:
    """The budget counts what a look says it reads; only time tells if that is true."""
    units = [*(unit.format(key) for unit in UNITS), *TAILS]
    texts = [(key + unit * 4_000)[:4_000] for unit in units]

    assert max(seconds_for(SECRETS, text) for text in texts) < 0.5  # usually 0.04


def test_a_long_list_of_addresses_and_keys_stays_within_its_budget() -> None:
    row = f"https://example.org/a?key=created&code=1 ghp_{drawn(36)} sk-x token=\n"
    text = row * 2_000
    budget = Budget.of(text)

    _, counts = SECRETS.redact_within(text, budget)

    assert counts == {"github_token": 2_000}
    assert budget.spent < budget.limit / 2


def test_prose_costs_nothing() -> None:
    text = "It was a dark and stormy night; the rain fell in torrents. " * 1_000
    budget = Budget.of(text)

    SECRETS.redact_within(text, budget)

    assert budget.spent == 0
