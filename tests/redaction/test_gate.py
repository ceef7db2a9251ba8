"""Where a look is worth it: the same places by both engines, and all of them."""

from __future__ import annotations

import re2
from hypothesis import given
from hypothesis import strategies as st

from quoth.redaction._gate import Gate
from quoth.redaction._identity import IDENTITY_RULES
from quoth.redaction._learned import rules_of
from quoth.redaction._names import Names
from quoth.redaction._re2 import RE2
from quoth.redaction._rule import Rule
from quoth.redaction._rules import SECRET_RULES

RULES = (
    *SECRET_RULES,
    *IDENTITY_RULES,
    *rules_of(Names(people=("Zoë Müller", "Ÿves Straße"))),
)
BY_RE = Gate(RULES, re2=None)
BY_RE2 = Gate(RULES, re2=re2)
KEYS = sorted({key for rule in RULES for key in rule.keys})


def places(gate: Gate, text: str) -> list[tuple[int, str, int]]:
    found = gate.places(text, 0, len(text))
    return sorted((place, rule.name, RULES.index(rule)) for place, rule in found)


def read_off(text: str) -> list[tuple[int, str, int]]:
    """Return the same by looking for each key at each place."""
    return sorted(
        (place, rule.name, RULES.index(rule))
        for rule in RULES
        for key in rule.keys
        for place in range(len(text))
        if _in_case(text[place : place + len(key)], rule) == key
    )


def _in_case(piece: str, rule: Rule) -> str:
    return piece.lower() if rule.any_case else piece


pieces = st.one_of(
    st.sampled_from(KEYS),
    st.sampled_from(KEYS).map(str.upper),
    st.sampled_from(
        ["sk", "_", "-", " ", "\N{KELVIN SIGN}EY", "é", "漢", "\ud800", "?"]
    ),
    st.text(max_size=4),
)
texts = st.lists(pieces, max_size=12).map("".join)


@given(texts)
def test_both_engines_find_the_same_places(text: str) -> None:
    assert places(BY_RE, text) == places(BY_RE2, text)


@given(texts)
def test_no_place_of_a_key_is_passed_over(text: str) -> None:
    scanned = [
        (match.start(), rule.name, RULES.index(rule))
        for rule in RULES
        if rule.scan
        for match in rule.scan.finditer(text)
    ]

    assert places(BY_RE, text) == sorted([*read_off(text), *scanned])


def test_a_stretch_is_looked_at_as_what_it_is_a_part_of() -> None:
    text = "é token=1 " * 3

    for gate in (BY_RE, BY_RE2):
        found = {place for place, _ in gate.places(text, 9, 19)}
        assert found == {12}


def test_the_accelerator_is_used_where_it_is_installed() -> None:
    assert RE2 is re2
