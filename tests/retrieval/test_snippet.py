"""The part of a message a page shows, and what is marked in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.builders import slices

from quoth.retrieval._query import parse_question
from quoth.retrieval._snippet import SNIPPET, marks_in, snippet_of
from quoth.store import Tokenizer

TOKENIZER = Tokenizer()
FILLER = "nothing to see here "


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    TOKENIZER.close()


def marks(text: str, question: str) -> list[tuple[int, int]]:
    query = parse_question(question, TOKENIZER)
    return marks_in(text, query.terms, query.phrases, TOKENIZER)


def marked(text: str, question: str) -> list[str]:
    return slices(text, marks(text, question))


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("Tests live here; we test.", "testing", ["Tests", "test"]),
        ("Café résumé", "cafe RÉSUMÉ", ["Café", "résumé"]),
        ("the tests live next to it", '"live next"', ["live next"]),
        ("用户身份验证", "身份验证", ["身份验证"]),
        ("关于潮汐表的问题", "潮汐表在哪里", ["潮汐表"]),
        ("重跑gen-itgc后50条", "itgc", ["itgc"]),
        ("サンドボックス修正テスト", "修正", ["修正"]),
        ("역사 조선 이야기", "조선", ["조선"]),
        ("getShippingMethodIdFromCheckout()", "checkout", ["Checkout"]),
        ("call getShippingMethodId now", "ShippingMethod", ["ShippingMethod"]),
        ("see atomic_write_json()", "atomic_write_json", ["atomic_write_json"]),
        ("write json to disk", "atomic_write_json", ["write", "json"]),
        ("in src/store/main.py:3", "store/main", ["store/main"]),
        ("C++ beats C, c++17 too", "C++", ["C++"]),
        ("on .NET or dotnet", ".net", [".NET"]),
        ("nothing of the kind", "absent", []),
        ("", "absent", []),
        ("text", "()", []),
        ("foo\ue000bar foo", "foo", ["foo"]),
        ("a\ufdd0b\ufdd1 b", "b", ["b", "b"]),
    ],
)
def test_what_matched_is_marked(text: str, question: str, found: list[str]) -> None:
    assert marked(text, question) == found


@pytest.mark.parametrize("phrase", ['"a\0b"', '"say ""hello"" now"', '"*" "x*y"'])
def test_a_phrase_with_odd_characters_is_no_syntax(phrase: str) -> None:
    assert marked("other text", phrase) == []


def test_a_match_far_down_a_very_long_text_is_marked() -> None:
    text = FILLER * 6_000 + "needle"

    assert marked(text, "needle") == ["needle"]


def test_a_short_text_is_shown_whole() -> None:
    assert snippet_of("a short text", [(2, 7)]) == ("a short text", ((2, 7),))


def test_a_snippet_begins_before_the_first_mark_of_the_densest_place() -> None:
    text = (
        FILLER * 30 + "one needle " + FILLER * 30 + "needle and needle " + FILLER * 30
    )

    snippet, inside = snippet_of(text, marks(text, "needle"))

    assert slices(snippet, inside) == ["needle", "needle"]


def test_a_snippet_without_marks_shows_the_window_that_is_near() -> None:
    text = FILLER * 30 + "THE WINDOW " + FILLER * 30

    snippet, inside = snippet_of(text, [], near=(text.index("THE"), len(text)))

    assert ("THE WINDOW" in snippet, inside) == (True, ())


def test_a_snippet_without_marks_or_window_is_the_beginning() -> None:
    text = FILLER * 30

    assert snippet_of(text, []) == (f"{text[:239].rstrip()} …", ())


def test_a_snippet_is_cut_between_words() -> None:
    text = FILLER * 30 + "needle " + FILLER * 30

    snippet, _ = snippet_of(text, marks(text, "needle"))

    words = set(snippet.removeprefix("… ").removesuffix(" …").split(" "))
    assert words - {""} <= {*FILLER.split(), "needle"}


@pytest.mark.parametrize(
    "cluster",
    [
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇩🇪",
        "e\u0301\u0323",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "क\u093f",
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
    ids=["family", "skin", "flag", "accents", "heart", "keycap", "hindi", "tags"],
)
def test_what_is_drawn_as_one_character_is_never_cut(cluster: str) -> None:
    for shift in range(len(cluster)):
        text = "x" * (SNIPPET - 1 - shift) + cluster * 200

        snippet, _ = snippet_of(text, [])

        kept = snippet.removesuffix(" …").lstrip("x")
        assert kept == cluster * (len(kept) // len(cluster))


@given(
    st.text(st.sampled_from("ab \n🙂\u200d\u0301漢🇩"), max_size=700),
    st.lists(st.tuples(st.integers(0, 690), st.integers(1, 40)), max_size=8),
)
def test_marks_stay_in_the_snippet_and_mark_the_same_text(
    text: str, places: list[tuple[int, int]]
) -> None:
    spans: list[tuple[int, int]] = []
    for start, length in sorted(places):
        end = min(start + length, len(text))
        if start < end and (not spans or start > spans[-1][1]):
            spans.append((start, end))

    snippet, inside = snippet_of(text, spans)

    assert len(snippet) <= SNIPPET + len("…  …")
    assert all(0 <= start < end <= len(snippet) for start, end in inside)
    assert set(slices(snippet, inside)) <= {
        part
        for span in slices(text, spans)
        for a in range(len(span))
        for part in [span[: a + 1], span[a:]]
    } | set(slices(text, spans))
