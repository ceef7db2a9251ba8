"""No question is a statement: whatever stands in one, the index is asked for words."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.builders import a_transcript, archive_in, claude_file, put, synced
from tests.hostile_text import PAYLOADS

from quoth import Archive
from quoth.model import Filters, Mode
from quoth.store._connection import connect_reader

PIECES = [
    *("AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/2", "near(a b, 3)", "and", "not"),
    *('"', '""', "'", "(", ")", "{", "}", "[", "]", "*", "^", ":", "-", "+", ",", "."),
    *("prompt:", "{prompt reply}:", "-tool:", "- names :", "words", "rank", "bm25(0)"),
    *(";", "--", "/*", "*/", "?", "?1", "@x", "$x", "%", "_", "\\", "\0", "\n", "\t"),
    *("'; DROP TABLE message; --", '" OR 1=1 --', "integrity-check", "MATCH 'a'"),
    *("tides", "harbor", "get_tide_table", "harbor.py:12", "--since", "C++", "don't"),
    *("1e999", "0x7f", "\u0661\u0662", "9" * 40, "e\u0301", "ﬁ", "İ", "ß", "Ω"),
    *("漢字", "かな", "한국어", "ไทย", "שלום", "क्ष", "👩\u200d👧"),
    *("\U0010ffff", "\ud800"),
    *("a" * 500, "_" * 300, "(" * 200, '"' * 101, "NOT " * 60, "a* " * 60),
    *PAYLOADS.values(),
]


def questions(number: int) -> Iterator[str]:
    """Yield so many questions, the same in every run."""
    chance = random.Random(4)  # noqa: S311 - questions, no secrets
    for _ in range(number):
        pieces = chance.choices(PIECES, k=chance.randint(1, 9))
        yield chance.choice(["", " "]).join(pieces)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """Return an archive of one conversation."""
    put(claude_file(tmp_path), a_transcript("tides in the harbor", "see harbor.py:12"))
    with synced(tmp_path) as opened:
        yield opened


def test_three_thousand_hostile_questions_are_answered(archive: Archive) -> None:
    for question in questions(3000):
        page = archive.search(question, mode=Mode.WORDS)

        assert page.recorded.messages == 2, question


def test_a_filter_is_no_statement_either(archive: Archive) -> None:
    for question in questions(300):
        page = archive.search("tides", filters=Filters(repo=question))

        assert page.recorded.messages == 0, question


def test_such_questions_would_be_errors_if_the_index_were_asked_as_they_are(
    tmp_path: Path, archive: Archive
) -> None:
    """If they weren't, the tests above would prove nothing."""
    assert archive.status().exists
    refused = 0

    with closing(connect_reader(archive_in(tmp_path))) as reader:
        for question in questions(300):
            try:
                reader.execute(
                    "SELECT count(*) FROM words WHERE words MATCH ?",
                    (question.encode("utf-8", "replace").decode(),),
                ).fetchall()
            except sqlite3.OperationalError:
                refused += 1

    assert refused > 150
