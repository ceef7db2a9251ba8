"""How JSON lines are read that other programs wrote, tore and glued together."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sources.claude_records import unit_of

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Checkpoint,
    Conversation,
    Message,
    Replace,
    Rewind,
    Role,
    Skipped,
    Unit,
)
from quoth.sources import _decoding, _jsonl, _lines
from quoth.sources._jsonl import Draft, Record, read_json_lines

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Notes:
    """A parser that makes a message of each record's `n` and counts them."""

    by_conversation = ""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    def feed(self, record: Record, draft: Draft) -> None:
        self.state["fed"] = self.state.get("fed", 0) + 1
        if record.value.get("back"):
            draft.records.append(Rewind(conversation="c", first="@0"))
        if "n" not in record.value:
            draft.ignored["empty"] += 1
            return
        text = str(record.value["n"])
        draft.records.append(
            Message(conversation="c", native_id=record.place, role=Role.USER, text=text)
        )

    def settle(self, draft: Draft) -> None:
        pass

    def conversations(self) -> Iterator[Conversation]:
        yield Conversation(native_id="c", title=str(self.state.get("fed", 0)))


def passes_over(head: bytes) -> str | None:
    return "noise" if head.startswith(b'{"noise"') else None


Step = Append | Replace | Skipped


def steps(path: Path, since: Checkpoint | None = None) -> list[Step]:
    unit = unit_of(path)
    return list(read_json_lines(unit, since, parser=Notes, passes_over=passes_over))


def batches(found: list[Step]) -> list[Append | Replace]:
    return [step for step in found if not isinstance(step, Skipped)]


def texts(found: list[Step]) -> list[str]:
    return [
        record.text
        for batch in batches(found)
        for record in batch.records
        if isinstance(record, Message)
    ]


def skips(found: list[Step]) -> list[Skipped]:
    return [step for step in found if isinstance(step, Skipped)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.jsonl"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(b'{"n":1}\n{"n":2}\n', ["1", "2"], id="plain"),
        pytest.param(b'{"n":1}\r\n\r\n\n{"n":2}\r\n', ["1", "2"], id="CRLF, empty"),
        pytest.param(b'\xef\xbb\xbf{"n":1}\n', ["1"], id="BOM"),
        pytest.param(b'{"n":1}\0\0\n\0\0{"n":2}\n\0\0\0', ["1", "2"], id="NUL around"),
        pytest.param(b'{"n":"a\0b"}\n', ["a b"], id="NUL inside"),
        pytest.param(b'{"n":"a\\u0000b"}\n', ["a b"], id="NUL escaped"),
        pytest.param(b'{"n":"a\xffb"}\n', ["a\ufffdb"], id="not UTF-8"),
        pytest.param(b'{"n":"\\ud83d!"}\n', ["\ufffd!"], id="half a pair"),
        pytest.param(b'{"n":"\\udeaa"}\n', ["\ufffd"], id="the other half"),
        pytest.param(b'{"n":"\\ud83d\\ude00"}\n', ["\U0001f600"], id="a whole pair"),
        pytest.param(b'{"n":"a\\\\u0000b"}\n', ["a\\u0000b"], id="no escape at all"),
        pytest.param('{"n":"a\u2028b"}\n'.encode(), ["a\u2028b"], id="U+2028"),
        pytest.param(b'{"n":"a\tb"}\n', ["a\tb"], id="raw control character"),
        pytest.param(b'{"n":1,"n":2}\n', ["2"], id="the last of two keys"),
        pytest.param(b'{"n":NaN}\n', ["nan"], id="NaN"),
        pytest.param(b'{"n":1}{"n":2} \0{"n":3}\n', ["1", "2", "3"], id="glued"),
        pytest.param(b'{"n":"over\ntwo"}\n{"n":2}\n', ["over\ntwo", "2"], id="newline"),
        pytest.param(b'{"n":"x\r\n\r\ny"}\n', ["x\n\ny"], id="empty line in a string"),
        pytest.param(b'{"noise"}{"n":1}\n', [], id="glued to torn noise"),
        pytest.param(b'{"noise":1}{"n":1}\n', ["1"], id="glued to noise"),
        pytest.param(b"", [], id="empty file"),
    ],
)
def test_a_line_is_read_as_it_was_meant(
    path: Path, content: bytes, found: list[str]
) -> None:
    path.write_bytes(content)

    assert texts(steps(path)) == found


@pytest.mark.parametrize(
    ("line", "reason", "found"),
    [
        (b"null", "not an object", []),
        (b"42", "not an object", []),
        (b'"text"', "not an object", []),
        (b"[]", "not an object", []),
        (b"plain words", "not valid JSON", []),
        (b'{"n":1', "not valid JSON", []),
        (b'{"n":1}{"n":', "cut short after 1 whole", ["1"]),
        (b'{"n":1} tail', "cut short after 1 whole", ["1"]),
        (b'{"n":1}[]', "cut short after 1 whole", ["1"]),
        (b'{"n":"a{"id":1,"n":2}', "cut short; 1 glued to it recovered", ["2"]),
        (
            b'{"n":0}{"n":"a{"id":1,"n":2}{"n":3}',
            "cut short; 2 glued to it recovered",
            ["0", "2", "3"],
        ),
        (b'{"n":' + b"[" * 100_000, "nested too deeply", []),
        (b'{"n":1}{"n":' + b"[" * 100_000, "cut short after 1 whole", ["1"]),
        (b'{"n":"torn', "a string is not closed", []),
    ],
)
def test_a_bad_line_costs_itself_and_is_reported(
    path: Path, line: bytes, reason: str, found: list[str]
) -> None:
    before, after = b'{"n":"before"}\n', b'\n{"n":"after"}\n'
    path.write_bytes(before + line + after)

    result = steps(path)

    assert skips(result) == [Skipped(offset=len(before), reason=reason)]
    assert texts(result) == ["before", *found, "after"]


def test_a_number_of_any_length_is_read(path: Path) -> None:
    path.write_bytes(b'{"n":1,"big":' + b"9" * 5_000 + b"}\n")

    assert texts(steps(path)) == ["1.0"]


def test_an_object_nested_near_the_limit_is_a_skip_at_most(path: Path) -> None:
    deep = b'{"u":"\\ud83d","n":' + b"[" * 900 + b"]" * 900 + b"}"
    path.write_bytes(deep + b"\n" + deep + b'{"n":1}\n' + b'{"n":2}\n')

    assert texts(steps(path))[-1] == "2"


def test_a_line_that_is_too_long_is_skipped_unread(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lines, "LONGEST_LINE", 64)
    long = json.dumps({"n": "x" * 300}).encode()
    path.write_bytes(b'{"n":1}\n' + long + b"\n" + b'{"n":2}\n')

    result = steps(path)

    assert (texts(result), [skip.offset for skip in skips(result)]) == (["1", "2"], [8])


def test_a_long_line_after_a_torn_one_hides_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lines, "LONGEST_LINE", 64)
    long = json.dumps({"n": "x" * 300}).encode()
    path.write_bytes(b'{"n":"torn\n' + long + b"\n" + b'{"n":2}\n')

    assert texts(steps(path)) == ["2"]


def test_a_long_line_still_being_written_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lines, "LONGEST_LINE", 64)
    path.write_bytes(b'{"n":1}\n{"n":"' + b"x" * 300)

    assert batches(steps(path))[-1].checkpoint.offset == 8


def test_a_torn_string_is_not_followed_for_ever(path: Path) -> None:
    path.write_bytes(b'{"n":"torn\n' + b"words\n" * 30 + b'{"n":2}\n')

    result = steps(path)

    assert texts(result) == ["2"]
    assert skips(result)[0] == Skipped(offset=0, reason="a string is not closed")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(b'{"n":"a\nb\nc","m":"d\ne"}\n', ["a\nb\nc"], id="twice open"),
        pytest.param(
            b'{"n":"a\nb","m":' + b"1" * 5_000 + b"}\n", ["a\nb"], id="digits"
        ),
        pytest.param(b'{"n":"a\nb"}{"n":2}\n', ["a\nb", "2"], id="glued"),
        pytest.param(b'{"n":"a\nb"}x\n{"n":2}\n', ["2"], id="more behind it"),
        pytest.param(b'{"n":"a\nb"x}\n{"n":2}\n', ["2"], id="no object"),
        pytest.param(b'{"n":"a\nb\nc"x}\n{"n":2}\n', ["2"], id="no object, later"),
        pytest.param(b'{"n":"a\nb","m":' + b"[" * 9_999 + b"\n", [], id="too deep"),
    ],
)
def test_a_string_over_several_lines_is_followed_to_its_end(
    path: Path, content: bytes, found: list[str]
) -> None:
    path.write_bytes(content)

    assert texts(steps(path)) == found


def test_a_string_is_followed_over_a_megabyte_at_most(path: Path) -> None:
    """Twenty lines of 3 MB took 200 MB."""
    half = b"x" * 600_000
    path.write_bytes(b'{"n":"' + half + b"\n" + half + b'"}\n{"n":2}\n')

    assert texts(steps(path)) == ["2"]


def test_whole_objects_are_looked_for_on_a_torn_line_only_so_often(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = b'{"type":"x'
    path.write_bytes(
        torn * 10 + b'{"type":1,"n":1}\n' + torn * 300 + b'{"id":1,"n":2}\n'
    )

    assert texts(steps(path)) == ["1"]

    monkeypatch.setattr(_decoding, "_MOST_READ", 100)
    assert texts(steps(path)) == []


def test_a_record_knows_its_place(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":2}{"n":3}\n')

    ids = [
        r.native_id for r in batches(steps(path))[0].records if isinstance(r, Message)
    ]

    assert ids == ["@0", "@8", "@8.1"]


# Growing files.


def test_a_line_being_written_is_no_fault_and_is_not_consumed(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":"half')

    result = steps(path)

    assert (texts(result), skips(result)) == (["1"], [])
    assert batches(result)[-1].checkpoint.offset == 8


def test_a_whole_line_without_its_newline_is_used_and_read_again(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":2}')
    first = steps(path)
    path.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3}\n')

    second = steps(path, batches(first)[-1].checkpoint)

    assert (texts(first), texts(second)) == (["1", "2"], ["2", "3"])
    assert batches(second)[-1].checkpoint.state == {"fed": 3}


def test_a_type_is_counted_when_its_line_is_finished(path: Path) -> None:
    path.write_bytes(b'{"x":1}\n{"x":2}')
    first = batches(steps(path))[-1]
    path.write_bytes(b'{"x":1}\n{"x":2}\n{"noise":1}\n{"noise":')

    second = batches(steps(path, first.checkpoint))[-1]

    assert (first.ignored, second.ignored) == ({"empty": 1}, {"empty": 1, "noise": 1})


def test_a_rewind_and_what_follows_wait_for_the_end_of_the_line(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":2}{"n":3,"back":true}{"n":4}')

    assert texts(steps(path)) == ["1", "2"]


def test_a_string_left_open_at_the_end_may_still_go_on(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":"over\n')
    first = steps(path)
    path.write_bytes(b'{"n":1}\n{"n":"over\ntwo"}\n')

    second = steps(path, batches(first)[-1].checkpoint)

    assert (texts(first), texts(second)) == (["1"], ["over\ntwo"])


def test_reading_goes_on_where_it_stopped(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n')
    first = batches(steps(path))[-1]
    path.write_bytes(b'{"n":1}\n{"n":2}\n')

    (second,) = steps(path, first.checkpoint)

    assert isinstance(second, Append)
    assert texts([second]) == ["2"]
    assert second.conversations == (Conversation(native_id="c", title="2"),)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"n":7}\n', id="as long as before"),
        pytest.param(b'{"n":7}\n{"n":2}\n', id="another beginning"),
        pytest.param(b"", id="emptied"),
        pytest.param(b'{"n"', id="shorter"),
        pytest.param(b'{"n":1}\n', id="touched only"),
    ],
)
def test_a_file_that_did_not_just_grow_is_read_from_its_start(
    path: Path, content: bytes
) -> None:
    path.write_bytes(b'{"n":1}\n')
    first = batches(steps(path))[-1]
    path.write_bytes(content)

    (again,) = steps(path, first.checkpoint)

    assert isinstance(again, Replace)


def test_a_change_before_the_end_is_seen_past_the_first_bytes(path: Path) -> None:
    old = b"".join(b'{"n":%d}\n' % n for n in range(10_000, 12_000))
    path.write_bytes(old)
    first = batches(steps(path))[-1]
    path.write_bytes(old.replace(b'{"n":11990}', b'{"n":99999}') + b'{"n":1}\n')

    assert isinstance(steps(path, first.checkpoint)[0], Replace)


def test_a_checkpoint_is_not_changed_by_reading_on(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n{"n":2}')

    assert batches(steps(path))[-1].checkpoint.state == {"fed": 1}


def test_a_batch_is_bounded_and_only_the_first_replaces(path: Path) -> None:
    path.write_bytes(b"".join(b'{"n":%d}\n' % n for n in range(450)))

    result = batches(steps(path))

    assert [(type(batch), len(batch.records)) for batch in result] == [
        (Replace, 200),
        (Append, 200),
        (Append, 50),
    ]


def test_what_is_skipped_ends_a_batch_too(path: Path) -> None:
    """A file of nothing but broken lines has millions, and they wait for a batch."""
    path.write_bytes(b"x\n" * 5_000)

    kinds = [isinstance(step, Skipped) for step in steps(path)]

    assert [n for n, skipped in enumerate(kinds) if not skipped] == [2000, 4001, 5002]


def test_any_batch_can_be_gone_on_from(path: Path) -> None:
    path.write_bytes(b"".join(b'{"n":%d}\n' % n for n in range(450)))
    first, *rest = batches(steps(path))

    assert batches(steps(path, first.checkpoint)) == rest


class Places(Notes):
    """A parser whose memory is not flat."""

    def feed(self, record: Record, draft: Draft) -> None:
        super().feed(record, draft)
        self.state.setdefault("places", []).append(record.place)


def test_going_on_leaves_the_checkpoint_as_it_was(path: Path) -> None:
    path.write_bytes(b'{"n":1}\n')
    (first,) = batches([*read_json_lines(unit_of(path), None, parser=Places)])
    path.write_bytes(b'{"n":1}\n{"n":2}\n')

    [*read_json_lines(unit_of(path), first.checkpoint, parser=Places)]

    assert first.checkpoint.state == {"fed": 1, "places": ["@0"]}


def test_many_bytes_without_a_message_are_a_batch_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jsonl, "BATCH_BYTES", 100)
    path.write_bytes(b'{"noise":1}\n' * 20)

    assert [batch.ignored for batch in batches(steps(path))] == [
        {"noise": 9},
        {"noise": 9},
        {"noise": 2},
    ]


# One pass


class OneWay(io.BytesIO):
    """A file that only goes forward, or back to its start, as what is unpacked does."""

    def __init__(self, content: bytes, *, breaks_at: int | None = None) -> None:
        super().__init__(content[:breaks_at])
        self._breaks = breaks_at is not None

    def seek(self, offset: int, whence: int = 0) -> int:
        assert whence == 0
        assert offset >= self.tell() or not offset
        return super().seek(offset)

    def readinto(self, buffer: WriteableBuffer) -> int:
        size = super().readinto(buffer)
        if self._breaks and not size:
            raise OSError(errno.EIO, "The disk gives no more")
        return size


def read_from(path: Path, file: OneWay, since: Checkpoint | None = None) -> list[Step]:
    unit = Unit(path=path, stamp="")
    opened = io.BufferedReader(file)
    return [*read_json_lines(unit, since, parser=Notes, opens=lambda _: opened)]


MANY = b"".join(b'{"n":"a line of some length, number %d"}\n' % n for n in range(1000))


def test_a_file_is_read_in_one_pass(path: Path) -> None:
    assert len(texts(read_from(path, OneWay(MANY)))) == 1000


def test_a_reading_that_goes_on_looks_at_the_start_and_goes_no_further_back(
    path: Path,
) -> None:
    _, second, *rest = batches(read_from(path, OneWay(MANY)))

    assert read_from(path, OneWay(MANY), second.checkpoint) == rest


def test_what_came_before_the_file_broke_off_is_kept(path: Path) -> None:
    content = b'{"n":1}\n{"n":2}\n{"n":3}\n'

    result = read_from(path, OneWay(content, breaks_at=20))

    assert texts(result) == ["1", "2"]
    assert skips(result) == [Skipped(offset=16, reason="the disk gives no more")]
    assert batches(result)[-1].checkpoint.offset == 16


def test_a_file_that_gives_nothing_cannot_be_read(path: Path) -> None:
    with pytest.raises(UnreadableUnitError, match="the disk gives no more"):
        read_from(path, OneWay(b'{"n":1}\n', breaks_at=5))


def test_a_file_that_breaks_off_before_the_checkpoint_is_read_from_its_start(
    path: Path,
) -> None:
    *_, last = batches(read_from(path, OneWay(MANY)))

    result = read_from(path, OneWay(MANY, breaks_at=100), last.checkpoint)

    assert isinstance(batches(result)[0], Replace)
    assert len(texts(result)) == 2


LONG = b'{"n":"' + b"a long line " * 1000 + b'"}\n'


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"n":1}\n', id="shorter than what is hashed"),
        pytest.param(b'{"n":1}\n' * 8193, id="many lines"),
        pytest.param(LONG * 3, id="lines longer than what is hashed"),
        pytest.param(b'{"n":1}\n' + LONG + b'{"n":1}\n', id="a long one between"),
        pytest.param(b'{"n":"over\ntwo"}\n', id="an object over two lines"),
        pytest.param(b'{"n":"' + b"x" * 90_000 + b'"}\n{"n":1}\n', id="too long"),
        pytest.param(b'{"n":1}' + b"x" * 80_000 + b"\n", id="a bit too long"),
        pytest.param(b"\n" * 10_000, id="empty lines"),
    ],
)
def test_a_checkpoint_knows_a_file_by_its_first_bytes_and_the_last_before_it(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archives hold such checkpoints: other ones would have all files read again."""
    monkeypatch.setattr(_lines, "LONGEST_LINE", 80_000)
    path.write_bytes(content + b'{"n":"in the mak')

    checkpoint = batches(steps(path))[-1].checkpoint

    assert checkpoint.offset == len(content)
    assert checkpoint.head == hashlib.sha256(content[:4096]).hexdigest()
    assert checkpoint.tail == hashlib.sha256(content[-4096:]).hexdigest()


def test_a_checkpoint_after_going_on_is_the_one_of_a_single_reading(path: Path) -> None:
    content = b"".join(b'{"n":"number %d"}\n' % n for n in range(900))
    path.write_bytes(content[:2000])
    first = batches(steps(path))[-1]
    path.write_bytes(content)

    grown = batches(steps(path, first.checkpoint))[-1]

    assert grown.checkpoint == batches(steps(path))[-1].checkpoint


def test_a_file_that_is_gone_says_so(path: Path) -> None:
    path.touch()
    unit = unit_of(path)
    path.unlink()

    with pytest.raises(UnreadableUnitError):
        list(read_json_lines(unit, None, parser=Notes))


LINES = st.sampled_from(
    [
        b'{"n":1}\n',
        b'{"n":"two words"}\r\n',
        b'{"n":"over\ntwo\nlines"}\n',
        b'{"n":3}{"n":4}\n',
        b'{"n":"torn{"id":1,"n":5}\n',
        b'{"n":"torn\n',
        b'{"n":6}{"n"\n',
        b'{"x":1}\n',
        b'{"noise":1}\n',
        b'{"noise":1}{"n":7}\n',
        b"null\n",
        b"\n",
        b"\0\0\0",
        b'{"n":8,"back":true}\n',
        '{"n":"\N{SAILBOAT}\\ud83d"}\n'.encode(),
        b"words\n",
        b'{"n":\xff}\n',
    ]
)


def follow(path: Path, content: bytes, cuts: list[int]) -> dict[str, Any]:
    """Read *content* as it grows over *cuts*; return what an archive then holds."""
    since: Checkpoint | None = None
    messages: dict[str, str] = {}
    skipped: dict[int, str] = {}
    ignored: dict[str, int] = {}
    rewinds = 0
    for cut in sorted({*cuts, len(content)}):
        path.write_bytes(content[:cut])
        start = since.offset if since else 0
        skipped = {at: why for at, why in skipped.items() if at < start}
        for step in steps(path, since):
            if isinstance(step, Skipped):
                skipped[step.offset] = step.reason
                continue
            since = step.checkpoint
            for name, count in step.ignored.items():
                ignored[name] = ignored.get(name, 0) + count
            for record in step.records:
                if isinstance(record, Message):
                    messages.setdefault(record.native_id, record.text)
                else:
                    rewinds += 1
    return {
        "messages": dict(sorted(messages.items())),
        "skipped": skipped,
        "ignored": ignored,
        "rewinds": rewinds,
        "since": since,
    }


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(LINES, min_size=1, max_size=8), st.data())
def test_a_file_read_as_it_grows_comes_to_the_same_as_read_once(
    path: Path, written: list[bytes], data: st.DataObject
) -> None:
    content = b"".join(written)
    cuts = data.draw(st.lists(st.integers(1, len(content)), max_size=4))

    assert follow(path, content, cuts) == follow(path, content, [])


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=400))
def test_no_bytes_make_it_fail(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    assert isinstance(steps(path)[-1], Replace)


def test_reading_is_linear_in_torn_lines(path: Path) -> None:
    torn = b'{"type":"x","items":[' + b'{"type":"text","text":"word"},' * 20_000
    path.write_bytes((torn + b"\n") * 3)

    start = time.perf_counter()
    steps(path)

    assert time.perf_counter() - start < 2
