"""Files as they lie about: odd names, odd kinds, odd lines, and changing while read."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.builders import (
    KEY,
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    citations,
    claude_file,
    dump,
    found,
    plain_file,
    put,
    rows,
    synced,
    texts,
)
from tests.odd_worlds.running import SAID, Quoth, session_of
from tests.sources import claude_records as claude

from quoth.model import Outcome, Unit
from quoth.sources._lines import LONGEST_LINE
from quoth.sources.claude_code import ClaudeCode

CHILD = Path(__file__).parents[1] / "ingest" / "children" / "syncing.py"

# Lines


def a_line(text: str) -> bytes:
    return claude.lines(claude.said("odd", text))


ODD_LINES: dict[str, bytes] = {
    "bytes that are no text": a_line("x").replace(b'"x"', b'"\xff\xfe\xc0"'),
    "a NUL": a_line("a\0b"),
    "half a surrogate pair": a_line("\ud83d"),
    "nested deeply": b"[" * 200_000 + b"]" * 200_000 + b"\n",
    "nested deeply in a record": a_line("x").replace(
        b'"x"', b'[{"type":"text","text":' * 50_000 + b'"x"' + b"}]" * 50_000
    ),
    "a carriage return": a_line("x").replace(b"\n", b"\r\n"),
    "nothing": b"\n \t\n\r\n",
    "no object": b'null\n42\n"text"\n[1]\n-0.0\n',
    "an empty object": b"{}\n",
    "no number": a_line("x").replace(b'"x"', b"NaN"),
    "infinity": a_line("x").replace(b'"x"', b"-Infinity"),
    "a key twice": a_line("x").replace(b'{"role', b'{"role": 7, "role'),
    "a number without end": a_line("x").replace(b'"x"', b"9" * 5_000),
    "a number as the time": claude.lines(claude.said("odd", "x", timestamp=10**400)),
    "half a record": a_line("x")[:60] + b"\n",
    "a mark of the byte order": b"\xef\xbb\xbf" + a_line("x"),
    "wide characters": a_line("x").decode().encode("utf-16"),
    "no JSON": b"-- MARK --\n<html>\n\x1b[2J\n",
    "everything of another type": claude.lines(
        {name: [{}] for name in claude.said("odd", "x")} | {"type": "user"}
    ),
}


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES)
def test_an_odd_line_costs_its_neighbours_nothing(tmp_path: Path, line: bytes) -> None:
    before, after = a_transcript("before"), a_transcript("after", ids="n")
    put(claude_file(tmp_path), before + line + after)

    shown = texts(synced(tmp_path))

    assert (shown[0], shown[-1]) == ("before", "after")
    assert_consistent(archive_in(tmp_path))


def test_a_line_of_a_hundred_megabytes_is_passed_over_in_little_memory(
    tmp_path: Path, quoth: Quoth
) -> None:
    path = put(claude_file(tmp_path), a_transcript("before"))
    with path.open("ab") as file:
        file.write(a_line("x")[:-4])
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}}\n' + a_transcript("after", ids="n"))

    run = quoth.run([sys.executable, CHILD, tmp_path, "memory"])

    longest_twice = 2 * LONGEST_LINE // 1024  # in pieces, and joined
    assert int(run.stdout) < longest_twice + 16_000
    assert texts(an_archive(tmp_path)) == ["before", "after"]


# Kinds


def a_socket(path: Path) -> None:
    place = os.open(path.parent, os.O_RDONLY)  # an address is short, a path is not
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"/proc/self/fd/{place}/{path.name}")
    finally:
        os.close(place)


KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "it is no regular file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "it is a link"),
    "a link to itself": (lambda path: path.symlink_to(path), "it is a link"),
    "a link to nowhere": (lambda path: path.symlink_to("nowhere"), "it is a link"),
}
if Path("/proc/self/fd").exists():
    KINDS["a socket"] = (a_socket, "no such device or address")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_named_and_never_waited_for(
    quoth: Quoth, person: Path, kind: str
) -> None:
    make, reason = KINDS[kind]
    odd = session_of(person, "00000000-0000-4000-8000-0000000000bb")
    make(odd)

    run = quoth("sync", "--json")

    report = json.loads(run.stdout)
    failed = [(unit["path"], unit["reason"]) for unit in report["failed"]]
    assert (run.returncode, report["messages_new"]) == (3, 2)
    assert failed == [(str(odd), reason)]


def test_a_folder_that_is_named_like_a_history_is_no_file(
    quoth: Quoth, person: Path
) -> None:
    session_of(person, "00000000-0000-4000-8000-0000000000bb").mkdir()

    run = quoth("sync", "--json")

    assert (run.returncode, json.loads(run.stdout)["units"]) == (0, 1)


# Names

NAMES = {
    "255 bytes": "n" * 249 + ".jsonl",
    "255 bytes of few letters": "漢" * 83 + ".jsonl",
    "a line break": "two\nlines.jsonl",
    "quotes": 'it\'s "a" `name`.jsonl',
    "percent": "100%41%00?x=1#y.jsonl",
    "a dash": "--help.jsonl",
    "spaces": "  a  .jsonl",
    "dots": "....jsonl",
    "escapes": "\x1b[2J\x07.jsonl",
    "no text": "caf\udce9.jsonl",
    "composed": "caf\u00e9.jsonl",
    "decomposed": "cafe\u0301.jsonl",
    "small": "harbour.jsonl",
    "capital": "Harbour.jsonl",
    "all capital": "HARBOUR.jsonl",
}


def test_every_name_a_file_can_have_is_read_shown_and_cited(tmp_path: Path) -> None:
    """Those that differ in case or form alone are different files on Linux."""
    written = {}
    for number, name in enumerate(NAMES.values()):
        turn = {"role": "user", "content": f"said in file {number}"}
        path = put(plain_file(tmp_path, name), json.dumps(turn).encode())
        written[path.stat().st_ino] = turn["content"]
    archive = synced(tmp_path)

    outcomes = {archive.verify(each).outcome for each in citations(archive)}

    assert found(archive, "said") == sorted(written.values())
    assert outcomes == {Outcome.VERIFIED}
    assert archive.sync().units_read == 0


def test_the_program_can_name_a_file_of_any_name(quoth: Quoth, person: Path) -> None:
    names = ("two\nlines", "\x1b[2J", "caf\udce9", "n" * 249)
    for name in names:
        put(session_of(person, name), b"no JSON\n")

    run = quoth("sync")

    shown = " ".join(run.stdout.decode().split())
    folder = session_of(person).parent
    assert run.returncode == 3
    for name in ("two lines", "\\x1b[2J", "caf\\xe9", "n" * 249):
        assert f" {folder}/{name}.jsonl 1 record: " in shown


def test_a_path_near_the_longest_there_is_is_read(tmp_path: Path) -> None:
    deep = tmp_path / "plain"
    while len(os.fsencode(deep)) < 3_600 and len(deep.parts) < 200:
        deep /= "d" * 250
        if len(deep.relative_to(tmp_path).parts) > 12:
            break
    turn = {"role": "user", "content": "deep down"}
    put(deep / "talk.jsonl", json.dumps(turn).encode())

    assert found(synced(tmp_path), "deep") == ["deep down"]


def test_a_folder_whose_name_only_changed_its_case_holds_the_same_conversations(
    tmp_path: Path,
) -> None:
    """Some file systems let one program write what another reads by another name."""
    folder = put(claude_file(tmp_path), a_transcript("a question")).parent
    archive = synced(tmp_path)

    folder.rename(folder.with_name(folder.name.upper()))
    report = archive.sync()

    assert (report.messages_new, report.newly_gone) == (0, 0)
    assert rows(archive_in(tmp_path), "SELECT key FROM conversation") == [(KEY,)]
    assert texts(archive) == ["a question"]


def test_a_place_named_in_two_spellings_is_read_once(
    quoth: Quoth, person: Path
) -> None:
    """On a file system that folds case the two are one folder; a link makes one so."""
    (person / ".CLAUDE").symlink_to(person / ".claude")
    twice = os.pathsep.join([str(person / ".CLAUDE"), str(person / ".claude")])

    run = quoth.within(CLAUDE_CONFIG_DIR=twice.replace(os.pathsep, ","))(
        "sync", "--json"
    )

    report = json.loads(run.stdout)
    assert (report["units"], report["messages_new"]) == (1, 2)


# While it is read


class Changing(ClaudeCode):
    """The source, on a disk where something happens right after it listed the files."""

    def __init__(self, change: Callable[[Path], object]) -> None:
        self._change = change

    def discover(self, roots: Sequence[Path]) -> Iterator[Unit]:
        units = [*super().discover(roots)]
        for unit in units:
            self._change(unit.path)
        yield from units


def rotated(path: Path) -> None:
    path.rename(path.with_name(f"{SESSION}.jsonl.1"))
    put(path, a_transcript("the new file", ids="n"))


def became_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def became_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def became_a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "grown": (
        lambda path: put(path, a_transcript("one", "two", "three")),
        ["one", "two", "three"],
    ),
    "cut": (lambda path: put(path, a_transcript("one")), ["one"]),
    "emptied": (lambda path: put(path, b""), []),
    "rotated": (rotated, ["the new file"]),
    "gone": (lambda path: path.unlink(), []),
    "a pipe": (became_a_pipe, []),
    "a link": (became_a_link, []),
    "a folder": (became_a_folder, []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_between_the_look_and_the_reading_comes_out_right(
    tmp_path: Path, change: str
) -> None:
    put(claude_file(tmp_path), a_transcript("one", "two"))
    happens, expected = CHANGES[change]

    an_archive(tmp_path, sources=(Changing(happens),)).sync()
    archive = synced(tmp_path)

    shown = texts(archive) if archive.search("x").recorded.messages else []
    assert shown == expected
    synced(tmp_path, home=tmp_path / "clean").close()
    assert dump(archive_in(tmp_path)) == dump(tmp_path / "clean")


def test_a_disk_that_cannot_read_a_file_costs_that_file(
    quoth: Quoth, person: Path, with_faults: tuple[str, ...]
) -> None:
    broken = session_of(person, "00000000-0000-4000-8000-0000000000bb")
    put(broken, a_transcript("never read", ids="b"))
    fault = ("-P", str(broken), "-e", "inject=read:error=EIO")

    run = replace(quoth, inside=(*with_faults, *fault))("sync", "--json")

    report = json.loads(run.stdout)
    failed = [(unit["path"], unit["reason"]) for unit in report["failed"]]
    assert (run.returncode, report["messages_new"]) == (3, 2)
    assert failed == [(str(broken), "input/output error")]


def test_a_named_document_that_the_disk_cannot_read_is_said_to_be_so(
    quoth: Quoth, tmp_path: Path, with_faults: tuple[str, ...]
) -> None:
    """Before it is read, every source is asked whether it knows it."""
    turn = {"role": "user", "content": "never read"}
    path = put(tmp_path / "talk.json", json.dumps(turn).encode())
    fault = ("-P", str(path), "-e", "inject=read,pread64:error=EIO")

    run = replace(quoth, inside=(*with_faults, *fault))("sync", path, "--json")

    (failed,) = json.loads(run.stdout)["failed"]
    assert (run.returncode, failed["reason"]) == (3, "input/output error")


def test_a_file_that_could_not_be_read_is_tried_again(
    quoth: Quoth, person: Path, with_faults: tuple[str, ...]
) -> None:
    fault = ("-P", str(session_of(person)), "-e", "inject=read:error=EIO")
    first = replace(quoth, inside=(*with_faults, *fault))("sync", "--json")
    put(session_of(person), a_transcript(SAID, "an answer", "and more"))

    second = quoth("sync", "--json")

    assert (first.returncode, second.returncode) == (3, 0)
    assert json.loads(second.stdout)["messages_new"] == 3


def test_a_citation_of_a_file_that_cannot_be_read_is_vouched_for_by_the_archive(
    quoth: Quoth, person: Path, with_faults: tuple[str, ...]
) -> None:
    quoth("sync")
    page = json.loads(quoth("search", "taffrail", "--json").stdout)
    fault = ("-P", str(session_of(person)), "-e", "inject=read:error=EIO")
    broken = replace(quoth, inside=(*with_faults, *fault))

    run = broken("verify", page["hits"][0]["citation"], "--json")

    verdict = json.loads(run.stdout)
    assert verdict["outcome"] == Outcome.ARCHIVE_ONLY.value
    assert "can't be read (input/output error)" in verdict["detail"]


# Clocks


def test_messages_stand_in_the_order_of_the_file_whatever_their_times_say(
    tmp_path: Path,
) -> None:
    """A clock that was set back, by hand or by the end of a summer."""
    times = ["2026-05-01T10:00:00Z", "2026-05-01T09:00:00Z", "1970-01-01T00:00:00Z"]
    turns = [
        claude.said(f"m{number}", f"turn {number}", timestamp=at)
        for number, at in enumerate(times)
    ]
    put(claude_file(tmp_path), claude.lines(*turns))

    assert texts(synced(tmp_path)) == ["turn 0", "turn 1", "turn 2"]


@pytest.mark.parametrize("year", [1970, 2100])
def test_what_is_appended_is_read_though_the_clock_was_set_to_another_year(
    tmp_path: Path, year: int
) -> None:
    path = put(claude_file(tmp_path), a_transcript("one"))
    synced(tmp_path).close()
    moment = datetime(year, 1, 2, tzinfo=UTC)

    put(path, a_transcript("one", "two"))
    os.utime(path, (moment.timestamp(), moment.timestamp()))
    archive = an_archive(tmp_path, clock=lambda: moment)
    archive.sync()

    assert texts(archive) == ["one", "two"]
