"""What a person typed becomes terms and phrases, and never anybody's query syntax."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.retrieval._query import (
    LONGEST,
    MOST_PARTS,
    MOST_PHRASES,
    MOST_TERMS,
    Query,
    Term,
    parse_question,
    quoted,
)
from quoth.store import Tokenizer

TOKENIZER = Tokenizer()


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    TOKENIZER.close()


def parsed(question: str) -> Query:
    return parse_question(question, TOKENIZER)


def terms_of(question: str) -> list[str]:
    return [term.text for term in parsed(question).terms]


def term_of(question: str) -> Term:
    (term,) = parsed(question).terms
    return term


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("what did I say about the vesting schedule?", ["vesting", "schedule"]),
        ("remind me: where do the tests live", ["tests", "live"]),
        ("What's the plan", ["plan"]),
        ("don\u2019t use agents", ["use", "agents"]),
        ("NOT now", ["NOT", "now"]),
        ("what is it about???", ["what", "is", "it", "about"]),
        ("what is 🙂 ?!", ["what", "is"]),
        ("tide tide", ["tide"]),
        ("rm -rf build", ["rm", "-rf", "build"]),
    ],
)
def test_words_that_only_frame_a_question_are_dropped_unless_nothing_is_left(
    question: str, terms: list[str]
) -> None:
    assert terms_of(question) == terms


@pytest.mark.parametrize(
    "nothing",
    ["", "   ", '"', "*", "()", '""', '" "', "🙂", "👩‍👩‍👧 ?!", "\0", "---", "…"],
)
def test_punctuation_alone_asks_for_nothing(nothing: str) -> None:
    assert parsed(nothing).is_empty


@pytest.mark.parametrize(
    ("question", "phrases", "terms"),
    [
        ('"tests live next"', ("tests live next",), []),
        ('vesting "four years" cliff', ("four years",), ["vesting", "cliff"]),
        ('what about "four years"', ("four years",), []),
        ('unbalanced "quote', (), ["unbalanced", "quote"]),
        ('"one two" and 5" pipes', ("one two",), ["5", "pipes"]),
        ('"?!" word', (), ["word"]),
    ],
)
def test_what_is_in_quotation_marks_is_a_phrase_and_an_odd_mark_is_nothing(
    question: str, phrases: tuple[str, ...], terms: list[str]
) -> None:
    query = parsed(question)

    assert (query.phrases, [term.text for term in query.terms]) == (phrases, terms)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("atomic_write_json", ['"atomic"', '"write"', '"json"']),
        ("src/store/main.py", ['"src"', '"store"', '"main"', '"py"']),
        ("databases-migration", ['"databases"', '"migration"']),
        ("ShippingMethod", ['"shipping"', '"method"']),
        ("state-of-the-art", ['"state"', '"art"']),
        ("潮汐表", ['" 潮  汐 "', '" 汐  表 "']),
    ],
)
def test_an_identifier_is_also_looked_for_in_parts(word: str, parts: list[str]) -> None:
    """Parts are words and not stems: stemmed twice, *databases* is another word."""
    assert list(term_of(word).parts) == parts


@pytest.mark.parametrize(
    ("question", "spelling"),
    [
        ("C++", 'names : "cplusplus"'),
        ("(C++),", 'names : "cplusplus"'),
        ("C#?", 'names : "csharp"'),
        (".NET", 'names : "dotnet"'),
        ("(.net).", 'names : "dotnet"'),
    ],
)
def test_a_symbol_is_looked_for_by_its_name_alone(question: str, spelling: str) -> None:
    assert term_of(question).spellings == (spelling,)


@pytest.mark.parametrize(
    ("chunk", "terms"),
    [
        ("gen-itgc后", ["后", "gen-itgc"]),
        ("用x用户", ["用", "用户", "x"]),
        ("Rust修正テスト", ["修正テスト", "Rust"]),
    ],
)
def test_scripts_without_spaces_are_taken_apart_from_what_they_are_glued_to(
    chunk: str, terms: list[str]
) -> None:
    assert terms_of(chunk) == terms


@pytest.mark.parametrize(
    ("word", "claim"),
    [
        ("8c1f27e", True),
        ("192.168.0.12", True),
        ("48123", True),
        ("a_b", True),
        ("src/main", True),
        ("getName", True),
        ("2026", False),
        ("self-care", False),
        ("Caroline's", False),
        ("vesting", False),
    ],
)
def test_a_name_that_machines_use_is_told_from_a_word(word: str, claim: bool) -> None:
    assert term_of(word).is_identifier is claim


@pytest.mark.parametrize(
    ("word", "prefix"),
    [("dead", ('"dead" *',)), ("de", None), ("潮汐表", None), ("C++", None)],
)
def test_a_prefix_needs_three_letters(
    word: str, prefix: tuple[str, ...] | None
) -> None:
    term = term_of(word).as_prefix()

    assert (term and term.spellings) == prefix


def test_a_title_has_no_column_for_names() -> None:
    assert term_of("ShippingMethod").without_names().spellings == ('"ShippingMethod"',)


@pytest.mark.parametrize(
    "question",
    [
        " ".join(f"word{number}" for number in range(2_000)),
        "a/" * 5_000,
        "x" * 10_000,
        "漢" * 10_000,
        "".join(chr(0x4E00 + number) for number in range(10_000)),
        '"a b" ' * 1_700,
        " ".join(f'"a{number}"' for number in range(1_500)),
        '"' * 10_000,
        "( " * 5_000,
    ],
    ids=lambda question: str(question[:9]),
)
def test_a_pasted_page_makes_a_bounded_question(question: str) -> None:
    began = process_time()
    query = parsed(question)
    took = process_time() - began

    longest = max([len(term.text) for term in query.terms], default=0)
    parts = max([len(term.parts) for term in query.terms], default=0)
    assert len(query.terms) <= MOST_TERMS
    assert len(query.phrases) <= MOST_PHRASES
    assert longest <= LONGEST
    assert parts <= MOST_PARTS
    assert took < 0.5


def test_what_was_left_out_of_a_long_question_is_counted() -> None:
    question = " ".join(f"word{number}" for number in range(MOST_TERMS + 36))

    assert parsed(question).left_out == 36


@pytest.mark.parametrize(
    ("text", "string"), [('a"b', '"a""b"'), ("a\0b", '"a b"'), ("潮汐", '" 潮  汐 "')]
)
def test_a_quoted_text_is_one_string_of_the_index(text: str, string: str) -> None:
    assert quoted(text) == string


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_text_is_syntax(text: str) -> None:
    query = parsed(text)

    expressions = [
        one for term in query.terms for one in (*term.spellings, *term.parts)
    ]
    for expression in [*expressions, *map(quoted, query.phrases)]:
        TOKENIZER.marks("some text", expression)
