"""Which messages are found by their words, first and by which question."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import an_archive, synced
from tests.literals import LITERAL_TEXT, LITERALS
from tests.retrieval.builders import (
    a_call,
    a_talk,
    answer,
    marked,
    sessions,
    write,
)

from quoth import Archive
from quoth.model import EmptyReason, Mode, Page


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    folder = tmp_path_factory.mktemp("library")
    write(
        folder,
        a_talk("literals", "show me every literal", answer(LITERAL_TEXT)),
        a_talk("other", "an agent, far away from any os, looks at the harbour"),
        a_talk(
            "cjk",
            "重跑gen-itgc后50条悬空引用清零",
            "用户身份验证",
            "サンドボックス修正テスト",
            "빨간머리 역사 조선 이야기",
            "the db and the cache",
        ),
        a_talk("tides", answer("前言在此。" * 300 + "潮汐表见附录。" + "结尾。" * 50)),
        a_talk(
            "names",
            "please rename atomic_write_json, and getShippingMethodIdFromCheckout too",
            answer(
                "Done in src/store/main.py and CLAUDE.md, with --error-on-warnings."
            ),
            answer("It listens on 192.168.0.12 since v2.3.1; see bd-q3fy."),
            answer("The digest was deadbeefcafe1234. Also C# but no plain c here."),
        ),
        a_talk("words", "we write json in an atomic step at checkout"),
        a_talk("plus", "the C++ side, .NET too"),
        a_talk(
            "tests",
            "layout",
            answer("Tests live next to the source file they cover."),
        ),
        a_talk("cache", "Caching of responses: ten minutes, then we ask again"),
        a_talk("how", "how do we decide what goes where in this repo, and how often"),
        a_talk("tool", "run it", a_call("Bash", command="kubectl rollout undo")),
        a_talk("twice", "once upon a gaff", "gaff \ud83d gaff \ud83d\ude00"),
    )
    return synced(folder)


def by_words(library: Archive, question: str) -> Page:
    return library.search(question, mode=Mode.WORDS)


@pytest.mark.parametrize("literal", LITERALS)
def test_a_text_finds_the_message_that_holds_it(library: Archive, literal: str) -> None:
    assert "literals" in sessions(by_words(library, literal))


def test_a_name_of_two_words_beats_the_two_words_apart(library: Archive) -> None:
    assert sessions(by_words(library, "agentic-os")) == ["literals", "other"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("悬空", "cjk"),
        ("引用", "cjk"),
        ("itgc", "cjk"),
        ("gen-itgc", "cjk"),
        ("用户", "cjk"),
        ("身份验证", "cjk"),
        ("サンドボックス", "cjk"),
        ("修正", "cjk"),
        ("조선", "cjk"),
        ("빨간머리", "cjk"),
        ("db", "cjk"),
        ("潮汐", "tides"),
        ("潮汐表在哪里", "tides"),
    ],
)
def test_two_characters_of_a_script_without_spaces_are_enough(
    library: Archive, question: str, found: str
) -> None:
    assert sessions(by_words(library, question)) == [found]


def test_characters_that_never_stood_together_find_nothing(library: Archive) -> None:
    assert sessions(by_words(library, "悬浮")) == []


def test_the_snippet_shows_where_such_characters_stand(library: Archive) -> None:
    (hit,) = by_words(library, "潮汐").hits

    assert ("潮汐表" in hit.snippet, marked(hit)) == (True, ["潮汐"])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("atomic_write_json", ["names", "words", "literals"]),
        ("getShippingMethodIdFromCheckout", ["names", "words"]),
        ("ShippingMethod", ["names"]),
        ("shipping", ["names"]),
        ("main.py", ["names"]),
        ("src/store/main.py", ["names"]),
        ("store/main", ["names"]),
        ("CLAUDE.md", ["names"]),
        ("claude.md", ["names"]),
        ("bd-q3fy", ["names"]),
        ("q3fy", ["names"]),
        ("192.168.0.12", ["names"]),
        ("v2.3.1", ["names"]),
        ("deadbeef", ["names"]),
        ("getShipp", ["names"]),
        ("kubectl rollout", ["tool"]),
        ("C++", ["plus"]),
        (".NET", ["plus"]),
        ("C#", ["names"]),
    ],
)
def test_an_identifier_is_found_whole_before_its_parts(
    library: Archive, question: str, found: list[str]
) -> None:
    assert sessions(by_words(library, question)) == found


@pytest.mark.parametrize("question", ["atomic write json", "checkout"])
def test_the_parts_of_an_identifier_find_it(library: Archive, question: str) -> None:
    assert {"names", "words"} <= set(sessions(by_words(library, question)))


def test_the_beginning_of_a_flag_finds_it(library: Archive) -> None:
    assert sessions(by_words(library, "error-on-warn"))[0] in {"names", "literals"}


def test_a_word_that_is_there_is_no_prefix(library: Archive) -> None:
    assert sessions(by_words(library, "cat")) == ["literals"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("testing conventions", "tests"),
        ("where do the tests live in this repo", "tests"),
        ("how did we decide about caching responses", "cache"),
        ("cached response", "cache"),
    ],
)
def test_a_question_in_plain_words_finds_its_answer_first(
    library: Archive, question: str, first: str
) -> None:
    assert sessions(by_words(library, question))[0] == first


def test_a_partial_match_is_counted_apart(library: Archive) -> None:
    page = by_words(library, "testing conventions")

    assert (page.all_words.messages, page.some_words.messages) == (0, 1)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ('"tests live next"', ["tests"]),
        ('"TESTS LIVE, next"', ["tests"]),
        ('"test live next"', []),
        ('"live tests next"', []),
        ('"身份验证"', ["cjk"]),
        ('"--error-on-warnings"', ["literals", "names"]),
    ],
)
def test_a_phrase_must_stand_there_word_for_word(
    library: Archive, phrase: str, found: list[str], mode: Mode
) -> None:
    page = library.search(phrase, mode=mode)

    if mode is Mode.MEANING:  # what holds the phrase need not be near it
        assert set(sessions(page)) <= set(found)
    else:
        assert sorted(sessions(page)) == found


def test_what_a_tool_was_given_is_shown_where_it_matched(library: Archive) -> None:
    (hit,) = by_words(library, "kubectl").hits

    assert ("kubectl rollout undo" in hit.snippet, marked(hit)) == (True, ["kubectl"])


def test_a_broken_character_in_a_message_hides_nothing(library: Archive) -> None:
    (hit,) = by_words(library, "gaff").hits

    assert hit.others == 1


@pytest.mark.parametrize("broken", ["\udcff gaff", "gaff\ud83d"])
def test_a_broken_character_in_a_question_hides_nothing(
    library: Archive, broken: str
) -> None:
    """Python reads what is no UTF-8 on a command line as such halves."""
    page = library.search(broken)

    assert (sessions(page)[0], page.question.encode() != b"") == ("twice", True)


@pytest.mark.parametrize(
    "question",
    ["word " * 2_000, "x" * 10_000, "漢字" * 5_000, "a/b" * 3_000, '"a b" ' * 1_600],
    ids=["words", "letters", "characters", "path", "phrases"],
)
def test_a_question_of_ten_thousand_characters_is_answered_quickly(
    library: Archive, question: str
) -> None:
    began = time.process_time()
    page = library.search(question)

    assert (page.question, time.process_time() - began < 1.0) == (question, True)


@settings(max_examples=150, deadline=None)
@given(question=st.text(max_size=40), mode=st.sampled_from(Mode))
def test_no_question_is_an_error(library: Archive, question: str, mode: Mode) -> None:
    page = library.search(question, mode=mode)

    assert (page.empty_reason is None) == bool(page.hits)


@settings(max_examples=150, deadline=None)
@given(
    question=st.lists(
        st.sampled_from(
            ['"', "*", "AND", "NOT", "NEAR(", ")", "names", ":", "^", "-", "gaff", "\0"]
        ),
        max_size=9,
    ).map(" ".join)
)
def test_query_syntax_is_text(library: Archive, question: str) -> None:
    page = library.search(question)

    assert (page.empty_reason is None) == bool(page.hits)


def test_only_punctuation_is_a_question_without_terms(library: Archive) -> None:
    reasons = {
        library.search(question).empty_reason for question in ("", " ", '"', "*", "()")
    }

    assert reasons == {EmptyReason.NO_TERMS}


def test_a_title_alone_finds_the_first_prompt_of_its_conversation(
    tmp_path: Path,
) -> None:
    talk = a_talk("s", answer("hello"), "the first prompt", "the second prompt")
    write(tmp_path, [{"id": "s", "title": "Vesting schedule", "messages": talk}])
    archive = an_archive(tmp_path)
    archive.sync()

    (hit,) = archive.search("vesting", mode=Mode.WORDS).hits

    assert (hit.text, hit.title, hit.marks) == (
        "the first prompt",
        "Vesting schedule",
        (),
    )


def test_a_title_stands_for_no_phrase(tmp_path: Path) -> None:
    titled = {"id": "s", "title": "Vesting schedule", "messages": a_talk("s", "hello")}
    write(tmp_path, [titled], a_talk("said", "our vesting plan"))

    page = synced(tmp_path).search('schedule "vesting plan"', mode=Mode.WORDS)

    assert sessions(page) == ["said"]
