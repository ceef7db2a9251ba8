"""What leaves is redacted, whatever it is nested in, and looked at once more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.fakes import a_hit, a_page

from quoth.errors import LeakError
from quoth.redaction import (
    EVERYTHING,
    SECRETS,
    Names,
    Redactor,
    check_leaving,
    everything,
)
from quoth.redaction import leaving as passed
from quoth.redaction._rule import Found, Rule

from .secrets_made_here import drawn

TOKEN = "ghp_" + drawn(36)
GONE = "[REDACTED:github_token]"
HOME = "/home/alicesmith/x"
HOME_GONE = "/home/[REDACTED:linux_home_path]/x"


class Row(NamedTuple):
    key: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    key: str
    at: datetime | None = None
    path: Path | None = None
    rows: tuple[Row, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


def test_ids_keys_and_citations_pass_as_all_else_does() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    hit = Hit(
        key=f"codex:{HOME}",
        at=at,
        path=Path(HOME),
        rows=(Row(f"{HOME}#3@{TOKEN}", 2),),
        counts={HOME: 1},
    )

    redacted, counts = passed([hit, {HOME}], EVERYTHING)

    assert redacted == [
        Hit(
            key=f"codex:{HOME_GONE}",
            at=at,
            path=Path(HOME_GONE),
            rows=(Row(f"{HOME_GONE}#3@{GONE}", 2),),
            counts={HOME_GONE: 1},
        ),
        {HOME_GONE},
    ]
    assert counts == {"linux_home_path": 5, "github_token": 1}


def test_marks_that_were_stored_are_not_counted_as_of_this_output() -> None:
    assert passed((GONE, HOME_GONE), EVERYTHING) == ((GONE, HOME_GONE), {})


def test_what_has_nothing_to_hide_is_the_same_object() -> None:
    hit = Hit(key="codex:1", rows=(Row("a", 1),), path=Path("src/app.py"))

    assert passed(hit, EVERYTHING)[0] is hit


def test_a_snippet_of_a_text_that_is_withheld_shows_none_of_it() -> None:
    def find(_: str, start: int) -> Found:
        return Found(start, start + 7, 1 << 30)

    rule = Rule(name="canary", keys=("canary1",), find=find)
    page = a_page(
        a_hit(text="canary1 and said so", snippet="… and said …", marks=()),
        a_hit(text="canary1 and said so", snippet="… !! …", marks=()),
    )

    redacted, counts = passed(page, Redactor(lambda: [rule]))

    assert [hit.text for hit in redacted.hits] == ["[WITHHELD: redaction budget]"] * 2
    assert [hit.snippet for hit in redacted.hits] == ["…  …"] * 2
    assert counts == {"withheld": 2}


def test_honest_output_passes() -> None:
    check_leaving(f"1 hit\n{HOME_GONE}: {GONE}\n", EVERYTHING)


@pytest.mark.parametrize(
    "output",
    [
        f"1 hit\n{TOKEN}\n",
        f"1 hit\n\x1b[32mghp_\x1b[0m{TOKEN[4:]}\n",
        json.dumps({"hits": [{"text": f"a {TOKEN}"}]}, indent=2),
        json.dumps({"hits": {TOKEN: 1}}),
        json.dumps([TOKEN]),
        json.dumps(TOKEN),
        f'{{"n": 1}}\n{json.dumps({"text": TOKEN})}\n',
        '{"text": "' + TOKEN.replace("_", "\\u005f") + '"}',
        f"{{not JSON: {TOKEN}",
        '{"n": 1}\n' + "[" * 100_000 + TOKEN,
    ],
)
def test_a_secret_in_finished_output_is_a_leak(output: str) -> None:
    with pytest.raises(LeakError):
        check_leaving(output, SECRETS)


def test_a_leak_names_the_rules_and_nothing_else() -> None:
    with pytest.raises(LeakError) as caught:
        check_leaving(f"{TOKEN} {HOME}", EVERYTHING)

    assert caught.value.rules == ("github_token", "linux_home_path")
    assert TOKEN not in f"{caught.value} {caught.value.hint}"
    assert str(caught.value) == (
        "Nothing was printed: the finished output still holds what the rules"
        " github_token, linux_home_path find."
    )


def test_output_that_takes_too_much_work_to_tell_is_a_leak() -> None:
    with pytest.raises(LeakError, match="takes too much work"):
        check_leaving("://" * 20_000, EVERYTHING)


@pytest.mark.parametrize(
    "text",
    [
        "\n@app.route('/x')",
        "first\n@pytest.mark.slow",
        '"quoted" \\ and \u00e9 and \u5bc6 and \ud83d\ude00',
        "C:\\new\\table@2x.png",
        f"a\tb\x1b[0m\u200b{GONE}",
    ],
)
@pytest.mark.parametrize("is_ascii", [True, False])
def test_what_json_escapes_is_no_leak(text: str, *, is_ascii: bool) -> None:
    check_leaving(json.dumps({"text": text}, ensure_ascii=is_ascii), EVERYTHING)


@pytest.mark.parametrize("times", [1, 2])
def test_two_strings_of_a_document_are_not_read_as_one(times: int) -> None:
    """One text tells nothing of the next: between them are only marks of JSON."""
    line = json.dumps(["how to set a secret_access_key", "Aa" * 20])

    check_leaving("\n".join([line] * times), EVERYTHING)


PIECES = [
    *(TOKEN, HOME, "alice@example.org", "10.0.0.7", "C:\\Users\\bob\\x", "alicesmith"),
    *("git@github.com:acme/rocket.git", "Author: Al Smith <a@example.org>", GONE),
    *("\n", "\\", '"', "@", "/home/", "@app.route", "password=", "Bearer ", "x", " "),
]
texts = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=8
).map("".join)
values = st.recursive(
    st.one_of(texts, st.integers(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values, st.booleans())
def test_what_passed_is_never_a_leak_in_json(value: Any, is_ascii: bool) -> None:
    redactor = everything(Names(users=("alicesmith",)))
    redacted, counts = passed(value, redactor)

    check_leaving(json.dumps(redacted, ensure_ascii=is_ascii), redactor)

    assert passed(redacted, redactor) == (redacted, {})
    assert (redacted != value) == bool(counts)
