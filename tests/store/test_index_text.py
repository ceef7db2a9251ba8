"""What the word index sees of a text."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.store._index_text import (
    cjk_runs,
    identifier_parts,
    split_cjk,
    split_names,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("getShippingMethodIdFromCheckout", "get shipping method id from checkout"),
        ("HTTPServerError", "http server error"),
        ("test_getUserName", "get user name"),
        ("_privateName.otherName", "private name\nother name"),
        ("FeatureGate.sunsetCheckout", "feature gate\nsunset checkout"),
        ("v2Beta", "v 2 beta"),
        ("userName userName", "user name"),
        ("plain words, ALLCAPS and snake_case", ""),
        ("C++, C#; f# (.NET)", "cplusplus\ncsharp\nfsharp\ndotnet"),
        ("C++17", "cplusplus"),
        ("abc++ asp.net c#sharp", ""),
        ("A" * 200 + "b" * 200 + "C", ""),
    ],
)
def test_names_are_cut_where_their_case_changes_and_symbols_are_spelled(
    text: str, parts: str
) -> None:
    assert identifier_parts(text) == parts


def test_encoded_bytes_are_no_name_and_cost_no_time() -> None:
    text = "aB3dE" * 200_000

    began = process_time()
    parts = identifier_parts(text)

    assert (parts, process_time() - began < 1.0) == ("", True)


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("plain", "plain"),
        ("naïve", "naïve"),
        ("用户", " 用  户 "),
        ("重跑gen-itgc后", " 重  跑 gen-itgc 后 "),
        ("テスト한국𠀀", " テ  ス  ト  한  국  𠀀 "),
    ],
)
def test_a_character_of_a_script_without_spaces_stands_alone(
    text: str, split: str
) -> None:
    assert split_cjk(text) == split


def test_runs_are_what_stands_together() -> None:
    assert cjk_runs("用x用户 テスト") == ["用", "用户", "テスト"]


def test_a_plain_text_has_no_runs() -> None:
    assert cjk_runs("plain") == []


def test_a_name_is_spaced_in_place() -> None:
    assert split_names("see getUserName(x) here") == "see get User Name(x) here"


@given(st.text(st.sampled_from("aB1 _.用+#é"), max_size=40))
def test_splitting_adds_nothing_but_spaces(text: str) -> None:
    split = split_names(split_cjk(text))

    assert split.replace(" ", "") == text.replace(" ", "")
