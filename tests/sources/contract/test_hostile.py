"""What no file, whatever is in it or in its place, may do to the rest of a history."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import assert_consistent, rows

from .archives import (
    in_order,
    lay_out,
    passed_over,
    put,
    spent,
    synced,
    told,
)
from .claude_code_sample import CLAUDE_CODE
from .codex_sample import CODEX
from .history import History, Sample, Wish

JUNK = {
    "nothing": b"",
    "a newline": b"\n",
    "NUL bytes": bytes(5_000),
    "random bytes": random.Random(7).randbytes(20_000) + b"\n",  # noqa: S311
    "no text": b"\xff\xfe\x00\xd8" * 1_000 + b"\n",
    "deep nesting": b"[" * 200_000 + b"\n",
    "deep objects": b'{"messages":' * 50_000 + b"\n",
    "a number of 5,000 digits": b'{"type": "user", "id": ' + b"9" * 5_000 + b"}\n",
    "a value that is no object": b"42\n",
    "half a record": b'{"type": "user", "message": {"content": "Wh\n',
}
"""What may lie under a name that a source takes for one of its own."""


@pytest.mark.parametrize("junk", JUNK)
def test_a_file_of_junk_costs_itself_alone_and_is_counted(
    sample: Sample, tmp_path: Path, junk: str
) -> None:
    history = sample.history(Wish())
    path = stranger(sample, tmp_path, history)
    path.write_bytes(JUNK[junk])

    synced(sample, tmp_path)

    assert_only(sample, tmp_path, history)
    assert passed_over(tmp_path, path) or not JUNK[junk].strip(b"\0\n")


def test_another_programs_file_under_its_name_stops_nothing(
    sample: Sample, tmp_path: Path
) -> None:
    history = sample.history(Wish())
    other = CODEX if sample is CLAUDE_CODE else CLAUDE_CODE
    foreign = next(iter(other.history(Wish(first="Whose words?")).files.values()))
    stranger(sample, tmp_path, history).write_bytes(foreign)

    synced(sample, tmp_path)

    shown = told(sample, tmp_path)
    assert [each for each in in_order(history.said) if each not in shown] == []


@pytest.mark.parametrize("junk", JUNK)
def test_every_message_between_lines_of_junk_is_read(
    sample: Sample, tmp_path: Path, junk: str
) -> None:
    line = JUNK[junk].replace(b"\n", b"") + b"\n"
    history = sample.history(Wish(edit=lambda whole: between_lines(whole, line)))
    lay_out(sample, tmp_path, history)

    synced(sample, tmp_path)

    assert_only(sample, tmp_path, history)


def between_lines(whole: bytes, line: bytes) -> bytes:
    """Put *line* after each line of records; a document is left as it is."""
    first, *_ = records = whole.splitlines(keepends=True)
    try:
        json.loads(first)
    except ValueError:
        return whole
    return line.join(records)


SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda whole: b"\xef\xbb\xbf" + whole,
    "CRLF": lambda whole: whole.replace(b"\n", b"\r\n"),
    "NUL bytes at the end": lambda whole: whole + bytes(512),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_file_may_be_spelled_otherwise(
    sample: Sample, tmp_path: Path, spelling: str
) -> None:
    history = sample.history(Wish(edit=SPELLINGS[spelling]))
    lay_out(sample, tmp_path, history)

    synced(sample, tmp_path)

    assert_only(sample, tmp_path, history)


UNREADABLE = {
    "no UTF-8": Wish(edit=lambda whole: whole.replace(b"quay", b"qu\xffy")),
    "half a surrogate pair": Wish(first="Which qu\ud83dy is free tonight?"),
}


@pytest.mark.parametrize("letter", UNREADABLE)
def test_a_letter_that_is_none_is_replaced(
    sample: Sample, tmp_path: Path, letter: str
) -> None:
    lay_out(sample, tmp_path, sample.history(UNREADABLE[letter]))

    synced(sample, tmp_path)

    live = rows(
        tmp_path / "archive", "SELECT text FROM message JOIN body USING (id) WHERE live"
    )
    texts = [text.replace("\ufffd", "") for (text,) in live]
    assert texts.count("Which quy is free tonight?") == 1


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def a_file_nobody_may_read(path: Path) -> None:
    path.write_bytes(b"{}")
    path.chmod(0)


@pytest.mark.parametrize(
    "thing",
    [a_pipe, a_folder, a_link_to_nothing, a_link_to_itself, a_file_nobody_may_read],
    ids=lambda thing: thing.__name__,
)
def test_what_is_no_file_under_its_name_stops_nothing(
    sample: Sample, tmp_path: Path, thing: Callable[[Path], None]
) -> None:
    history = sample.history(Wish())
    thing(stranger(sample, tmp_path, history))

    synced(sample, tmp_path)

    assert_only(sample, tmp_path, history)


def test_a_link_to_a_file_is_not_followed(sample: Sample, tmp_path: Path) -> None:
    history = sample.history(Wish())
    other = sample.history(Wish(first="Whose words?"))
    elsewhere = tmp_path / "elsewhere"
    put(elsewhere, next(iter(other.files.values())))
    stranger(sample, tmp_path, history).symlink_to(elsewhere)

    synced(sample, tmp_path)

    assert_only(sample, tmp_path, history)


# What has to hold


def stranger(sample: Sample, folder: Path, history: History) -> Path:
    """Lay out a history and return where one more unit of the source would lie."""
    root = lay_out(sample, folder, history)
    path = root / sample.another
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def assert_only(sample: Sample, folder: Path, history: History) -> None:
    """All of the history is told, and nothing else."""
    assert told(sample, folder) == in_order(history.said)
    assert spent(folder) == history.usage
    assert_consistent(folder / "archive")
