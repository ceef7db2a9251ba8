"""A person's own patterns: what they find, what is refused, and what they can cost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.redaction import Redactor, is_rule_name, redact_text
from quoth.redaction._identity import IDENTITY_RULES
from quoth.redaction._patterns import (
    BUILTIN_NAMES,
    checked_pattern,
    patterns_stamp,
    rule_from,
    rules_from,
)
from quoth.redaction._rules import SECRET_RULES


def redacted(text: str, pattern: str) -> str:
    """Return *text* as a redactor with this one pattern leaves it."""
    return Redactor(lambda: [rule_from("acme", pattern)]).redact(text)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("ACME-[A-Z0-9]{20,40}", "ACME-" + "A1" * 20),
        (r"ACM\d{4}", "ACM1234"),
        (r"acme_\w{8}", "acme_a_B_1_z9"),
        ("(?i)acme-[0-9]{6}", "aCmE-123456"),
        (r"acme\.key\[\d{2}\]", "acme.key[42]"),
        (r"acme: [^ \-\]]{6}", "acme: a[b'c\""),
        ("acme-?[0-9]{3,4}", "acme1234"),
        ("acme-[0-9]{2}-[a-f]{0,3}", "acme-12-"),
        ("Schlüssel-[0-9]{3}", "Schlüssel-123"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "x{}", "a {} b", '{{"k": "{}"}}', "键{}键"])
def test_what_a_pattern_fits_is_replaced_wherever_it_stands(
    pattern: str, found: str, around: str
) -> None:
    assert redacted(around.format(found), pattern) == around.format("[REDACTED:acme]")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("ACME-[A-Z0-9]{20,40}", "ACME-SHORT"),
        ("ACME-[A-Z0-9]{20,40}", "acme-" + "A" * 20),
        (r"ACM\d{4}", "ACM\u0661\u0662\u0663\u0664"),
        (r"acme_\w{4}", "acme_\u00e9\u00e9\u00e9\u00e9"),
    ],
)
def test_what_it_does_not_fit_stays(pattern: str, text: str) -> None:
    assert redacted(text, pattern) == text


def test_an_invisible_character_does_not_hide_it() -> None:
    assert redacted("ACM\u200b1234", r"ACM\d{4}") == "[REDACTED:acme]"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "could find less than 7"),
        ("ACM1", "could find less than 7"),
        ("acme-[0-9]{0,9}?", "can't be used from character 16 on"),
        ("[a-z]{3}-[0-9]{9}", "must begin with 3 literal characters"),
        ("ac?me-[0-9]{9}", "must begin with 3 literal characters"),
        (r"ac\d-[0-9]{9}", "must begin with 3 literal characters"),
        ("(?i)schl\u00fcssel-[0-9]{9}", "only begin with ASCII"),
        ("acme.{9}", "from character 5 on"),
        ("acme-[0-9]*", "from character 11 on"),
        ("acme-[0-9]+", "from character 11 on"),
        ("acme-[0-9]{9,}", "from character 11 on"),
        ("acme-(?:ab){9}", "from character 6 on"),
        ("acme-a{9}|b", "from character 10 on"),
        ("^acme-[0-9]{9}", "from character 1 on"),
        ("acme-[0-9]{9}$", "from character 14 on"),
        (r"acme-[0-9]{9}\b", "from character 14 on"),
        (r"acme-\s{9}", "from character 6 on"),
        (r"acme-(a)\1{9}", "from character 6 on"),
        ("acme-[a--z]{9}", "from character 6 on"),
        ("acme-[a&&b]{9}", "from character 6 on"),
        ("acme-[[:alpha:]]{9}", "from character 6 on"),
        ("acme-[\u0660-9]{\u0669}", "from character 11 on"),
        ("acme-[z-a]{9}", "is no pattern: bad character range z-a"),
        ("acme-[0-9]{9,3}", "ends before it begins"),
        ("acme-[0-9]{300}", "could find more than 256"),
        (r"acme-\w{1,9}\d{1,9}xyz", "varies too much in length"),
        ("acme-[a-z]{1,60}x", "varies too much in length"),
        ("a" * 201, "is longer than 200"),
        (r"REDACTED:\w{2,9}", "would find what quoth puts"),
        ("(?i)[redacted:", "from character 1 on"),
        (r"(?i)\[redacted", "would find what quoth puts"),
        ("github_token", "would find what quoth puts"),
        ("WITHHELD: [a-z]{9}", "would find what quoth puts"),
    ],
)
def test_a_pattern_that_could_do_harm_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        checked_pattern(pattern)


def test_the_names_of_quoths_own_rules_are_taken() -> None:
    rules = {rule.name for rule in (*SECRET_RULES, *IDENTITY_RULES)}

    assert rules <= BUILTIN_NAMES
    assert not any(map(is_rule_name, BUILTIN_NAMES))


@pytest.mark.parametrize(
    "name", ["", "A", "9a", "a-b", "a" * 41, "a\n", "github_token"]
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is the name of a rule of quoth's own"):
        rule_from(name, "ACME-[0-9]{9}")


def test_rules_come_in_the_order_of_their_names() -> None:
    rules = rules_from({"b": "BBB-[0-9]{9}", "a": "AAA-[0-9]{9}"})

    assert [rule.name for rule in rules] == ["a", "b"]


def test_a_stamp_tells_other_patterns_and_not_their_order() -> None:
    one = patterns_stamp({"a": "AAA-[0-9]{9}", "b": "BBB-[0-9]{9}"})
    same = patterns_stamp({"b": "BBB-[0-9]{9}", "a": "AAA-[0-9]{9}"})
    others = [
        patterns_stamp(patterns)
        for patterns in (
            {},
            {"a": "AAA-[0-9]{9}"},
            {"a": "AAA-[0-9]{8}", "b": "BBB-[0-9]{9}"},
            {"c": "AAA-[0-9]{9}", "b": "BBB-[0-9]{9}"},
        )
    ]

    assert one == same
    assert len({one, *others}) == 5
    assert patterns_stamp({}) == ""


@given(st.text("acme-[]{}()\\dw0129,?^|+*. \n\u00e9", max_size=40))
def test_whatever_is_accepted_ends_and_finds_nothing_in_its_own_marks(
    pattern: str,
) -> None:
    try:
        rule = rule_from("acme", "acme" + pattern)
    except ValueError:
        return

    redactor = Redactor(lambda: [rule])
    once = redactor.redact(pattern + rule.keys[0] * 3 + "0129 acme-[REDACTED:acme]")
    assert redactor.redact(once) == once


@pytest.mark.parametrize(
    "pattern",
    ["acm[a-m]{1,50}[a-m]{200}x", "acme[acme]{200,249}x", "(?i)acme[^z]{206,251}z"],
)
def test_the_worst_text_for_a_pattern_is_withheld_or_soon_done(pattern: str) -> None:
    """The work is bounded by a budget: what it costs is asserted, not how long."""
    rule = rule_from("acme", pattern)
    text = "acme" * 25_000

    found = [rule.find(text, place) for place in range(0, 400, 4)]

    assert max(each.work for each in found) <= 256 * 50
    assert redacted(text, pattern) in {text, "[WITHHELD: redaction budget]"}


def test_quoths_own_rules_are_not_touched_by_patterns() -> None:
    assert redact_text("ACM1234") == "ACM1234"
