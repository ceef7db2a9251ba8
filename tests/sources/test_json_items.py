"""Lists of JSON values, whole and broken, taken apart one value at a time."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.model import Skipped
from quoth.sources import _json_items, _json_window
from quoth.sources._json_items import Item, item_at, items_in

ONE = b'{"mapping": 1}'
TWO = b'{"mapping": 2}'
CUT_SHORT = "cut short by the end of the file"


def read(content: bytes) -> list[Item | Skipped]:
    return [*items_in(io.BytesIO(content), key="mapping")]


def values(content: bytes) -> list[Any]:
    return [item.value for item in read(content) if isinstance(item, Item)]


def skips(content: bytes) -> list[Skipped]:
    return [item for item in read(content) if isinstance(item, Skipped)]


class Dripping(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(7, 7 if size is None or size < 0 else size))


# Whole lists


def test_values_come_in_order_with_their_numbers() -> None:
    items = read(b"[" + ONE + b", " + TWO + b"]")

    assert items == [
        Item(offset=1, length=14, number=1, value={"mapping": 1}),
        Item(offset=17, length=14, number=2, value={"mapping": 2}),
    ]


@given(
    st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none())),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_the_bytes_at_an_offset_are_the_value(
    given_values: list[Any], indent: int | None, ascii_only: bool
) -> None:
    content = json.dumps(given_values, indent=indent, ensure_ascii=ascii_only)
    encoded = content.encode("utf-8", "replace")

    for item in items_in(Dripping(encoded), key="mapping"):
        assert isinstance(item, Item)
        again = io.BytesIO(encoded[item.offset : item.offset + item.length])
        alone = item_at(again, offset=item.offset)
        assert alone is not None
        assert (alone.offset, alone.length) == (item.offset, item.length)
        assert alone.value == item.value


@pytest.mark.parametrize("content", [b"[]", b" [ ]\n", b"", b" \n", b"[]\0\0"])
def test_a_list_of_nothing_is_whole(content: bytes) -> None:
    assert read(content) == []


def test_a_byte_order_mark_counts_as_bytes() -> None:
    (item,) = read(b"\xef\xbb\xbf[" + ONE + b"]")

    assert item == Item(offset=4, length=14, number=1, value={"mapping": 1})


def test_a_list_inside_an_object_is_found() -> None:
    assert values(b'{"v": [3], "conversations": [' + ONE + b'], "w": 1}') == [
        {"mapping": 1}
    ]


def test_a_single_object_is_a_value() -> None:
    assert values(b'{"mapping": {"conversations": []}}') == [
        {"mapping": {"conversations": []}}
    ]


def test_objects_without_a_list_around_them_are_values() -> None:
    assert values(ONE + b"\n" + TWO) == [{"mapping": 1}, {"mapping": 2}]


def test_values_without_a_comma_between_them_are_two() -> None:
    assert values(b"[" + ONE + b" " + TWO + b"]") == [{"mapping": 1}, {"mapping": 2}]


def test_values_are_found_however_the_stream_is_cut() -> None:
    stream = Dripping(b"[" + '{"mapping": "é漢📖\\ud800"}'.encode() + b", 12345678901]")

    items = [*items_in(stream, key="mapping")]

    assert [item.value for item in items if isinstance(item, Item)] == [
        {"mapping": "é漢📖\ufffd"},
        12345678901,
    ]


def test_bytes_that_are_no_text_are_replaced_and_counted() -> None:
    (first, second) = read(b'[{"mapping": "\xff\xfe"}, ' + TWO + b"]")

    assert isinstance(first, Item)
    assert first.value == {"mapping": "\ufffd\ufffd"}
    assert second == Item(offset=20, length=14, number=2, value={"mapping": 2})


def test_numbers_beyond_all_bounds_are_read() -> None:
    assert values(b'[{"mapping": ' + b"9" * 5000 + b"}]") == [{"mapping": float("inf")}]


# Broken values


@pytest.mark.parametrize(
    "broken",
    [
        b'{"mapping": nul}',
        b'{"mapping": {"a": 1}, {"b": [1, 2]}}',
        b'{"mapping: {"a": [{"b": 1}, {"c": 2}]}}',
        b'{"mapping": {"a": [{"b": 1}, {"c": 2}]}',
        b'{"mapping": ["x}, {"y": 1}, {"z": 2}]}',
        b'{"mapping": "\\x"}',
    ],
)
def test_a_broken_value_costs_itself(broken: bytes) -> None:
    assert values(b"[" + ONE + b", " + broken + b", " + TWO + b"]") == [
        {"mapping": 1},
        {"mapping": 2},
    ]


def test_a_broken_value_is_skipped_where_it_begins() -> None:
    assert skips(b"[" + ONE + b', {"mapping": nul}, ' + TWO + b"]") == [
        Skipped(offset=17, reason="not valid JSON")
    ]


def test_a_bracket_too_many_costs_no_value() -> None:
    items = read(b"[" + ONE + b"}, " + TWO + b"]")

    assert items == [
        Item(offset=1, length=14, number=1, value={"mapping": 1}),
        Skipped(offset=15, reason="not valid JSON"),
        Item(offset=18, length=14, number=3, value={"mapping": 2}),
    ]


def test_two_broken_values_are_two() -> None:
    broken = b'{"mapping": nul, "x": "}]"}'

    assert [skip.offset for skip in skips(b"[" + broken + b"," + broken + b"]")] == [
        1,
        29,
    ]


def test_what_is_inside_a_broken_value_is_no_value() -> None:
    inside = b'[{"id": 1}, {"id": 2}]'

    assert values(b'[{"mapping": {"a": ' + inside + b"}, " + TWO + b"]") == [
        {"mapping": 2}
    ]


def test_a_value_nested_too_deeply_costs_itself() -> None:
    deep = b'{"mapping": ' + b"[" * 5000 + b"]" * 5000 + b"}"

    items = read(b"[" + deep + b", " + TWO + b"]")

    assert items == [
        Skipped(offset=1, reason="nested too deeply"),
        Item(offset=10016, length=14, number=2, value={"mapping": 2}),
    ]


def test_a_value_that_is_too_large_costs_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (_json_items, _json_window):
        monkeypatch.setattr(module, "LARGEST_VALUE", 2 * 2**20)
    large = b'{"mapping": "' + b"x" * 5 * 2**20 + b'"}'

    items = read(b"[" + ONE + b"," + large + b"," + TWO + b"]")

    assert [item.offset for item in items] == [1, 16, 17 + len(large)]
    assert items[1] == Skipped(offset=16, reason="larger than 2 MB")


def test_what_follows_is_given_up_when_looking_for_it_costs_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_json_items, "_MOST_SEARCHED", 20)
    broken = b'{"mapping": {"a": nul' + b', {"a": 1}' * 9 + b"}"
    dripping = Dripping(b"[" + ONE + b"," + broken + b"," + TWO + b"]")

    assert len([*items_in(dripping, key="mapping")]) == 2
    assert values(b"[" + ONE + b"," + broken + b"," + TWO + b"]") == [{"mapping": 1}]


def test_a_bracket_is_no_end_where_the_list_does_not_go_on() -> None:
    broken = b'{"mapping": nul} "x": [{"a": 1}, {"b": 2}]}'

    assert values(b"[" + ONE + b"," + broken + b"," + TWO + b"]") == [
        {"mapping": 1},
        {"mapping": 2},
    ]


def test_a_broken_string_in_a_broken_value_costs_no_other() -> None:
    broken = b'{"mapping": nul, "a": [{"b": "x\\"}, {"c": tru}, {"d": 1'

    assert values(b"[" + broken + b"}, " + TWO + b"]") == [{"mapping": 2}]


def test_a_broken_value_over_many_reads_costs_itself() -> None:
    broken = b'{"mapping": nul, "x": "' + b'\\"' * 700_000 + b'"}'

    assert values(b"[" + broken + b", " + TWO + b"]") == [{"mapping": 2}]


@pytest.mark.parametrize(
    "content",
    [
        b"[" + ONE + b', {"mapping": nul, "x": "\\""}, ' + TWO + b"]",
        b'{"version": 12, "conversations": [' + ONE + b", tru, " + TWO + b"]}",
    ],
)
def test_what_is_whole_is_found_however_the_stream_is_cut(content: bytes) -> None:
    items = items_in(Dripping(content), key="mapping")

    assert [item.value for item in items if isinstance(item, Item)] == [
        {"mapping": 1},
        {"mapping": 2},
    ]


@pytest.mark.parametrize(
    "content",
    [
        b'{"conversations": ',
        b'{"mapping": 1, ',
        b'{"mapping" 1}',
        b"{",
        b'{"mapping": ' + b"[" * 5000,
    ],
)
def test_an_object_that_is_no_json_is_skipped(content: bytes) -> None:
    assert [skip.offset for skip in skips(content)] == [0]


def test_an_object_of_very_many_keys_is_not_searched_for_a_list() -> None:
    keys = ", ".join(f'"{number}": 0' for number in range(2000))
    content = f'{{{keys}, "conversations": [{{"mapping": 1}}]}}'.encode()

    (item,) = read(content)

    assert item.offset == 0


def test_a_number_at_the_very_end_is_read() -> None:
    assert values(b"12") == [12]


# Ends


def test_a_list_that_is_cut_short_gives_what_was_whole() -> None:
    assert read(b"[" + ONE + b', {"mapping": {"a": "b') == [
        Item(offset=1, length=14, number=1, value={"mapping": 1}),
        Skipped(offset=17, reason=CUT_SHORT),
    ]


def test_a_list_that_ends_between_two_values_is_cut_short() -> None:
    assert skips(b"[" + ONE + b", ") == [Skipped(offset=17, reason=CUT_SHORT)]


@given(st.integers(0, 200))
def test_a_cut_never_costs_a_value_before_it(size: int) -> None:
    content = b"[" + b", ".join([ONE] * 12) + b"]"

    whole = content[:size].count(b"}")

    assert values(content[:size]) == [{"mapping": 1}] * whole


def test_something_after_the_list_is_counted() -> None:
    assert skips(b"[" + ONE + b"]\n[" + TWO + b"]") == [
        Skipped(offset=17, reason="it stands after the list")
    ]


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(content: bytes) -> None:
    for item in items_in(io.BytesIO(b"[" + content), key="mapping"):
        assert 0 <= item.offset <= len(content) + 1
