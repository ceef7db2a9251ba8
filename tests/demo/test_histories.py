"""The demo is made from its scripts, holds what its questions ask, and stays small."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quoth.demo import HISTORIES, QUESTIONS, DemoQuestion, roots

MAKE_DEMO = Path(__file__).parents[2] / "benchmarks" / "make_demo.py"
LARGEST_DEMO = 256_000
FUNCTION_WORDS = frozenset(["ever", "did", "in", "or", "our", "the", "were", "why"])
ENDINGS = re.compile(r"(ing|ed|es|s|e)$")


def stem(word: str) -> str:
    """Cut one ending, so that `billed` and `bills` are the same word."""
    return ENDINGS.sub("", word) if len(word) > 4 else word


def content_words(text: str) -> set[str]:
    words = set(re.findall(r"[a-z]+", text.lower()))
    return {stem(word) for word in words - FUNCTION_WORDS}


def files_below(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def conversation_file(native_id: str) -> Path:
    (path,) = HISTORIES.rglob(f"*{native_id}.jsonl")
    return path


def records_of(native_id: str) -> list[dict[str, Any]]:
    lines = conversation_file(native_id).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)


def written_in(native_id: str) -> str:
    """Return all that stands in the messages of a conversation, tools included."""
    return "\n".join(
        text
        for record in records_of(native_id)
        for key in ("message", "payload", "attachment", "aiTitle", "customTitle")
        for text in strings_in(record.get(key))
    )


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "histories"
    subprocess.run([sys.executable, MAKE_DEMO, folder], check=True, capture_output=True)
    return folder


def test_making_the_demo_again_gives_the_bytes_that_ship(made_again: Path) -> None:
    assert files_below(made_again) == files_below(HISTORIES)


def test_the_demo_adds_little_to_the_package() -> None:
    sizes = map(len, files_below(HISTORIES).values())

    assert sum(sizes) < LARGEST_DEMO


def test_every_root_holds_sessions() -> None:
    sessions = {
        source: len([p for p in root.rglob("*.jsonl") if "subagents" not in p.parts])
        for source, root in roots().items()
    }

    assert sessions == {"claude_code": 11, "codex": 4}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.question)
def test_the_answer_stands_in_the_conversation_named(question: DemoQuestion) -> None:
    assert question.answer in written_in(question.conversation)


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q.by_meaning], ids=lambda q: q.question
)
def test_a_question_by_meaning_shares_no_content_word(question: DemoQuestion) -> None:
    """Otherwise the demo would show nothing a word index can't do."""
    shared = content_words(question.question) & content_words(
        written_in(question.conversation)
    )

    assert shared == set()


def test_a_resumed_session_repeats_the_uuids_of_the_first() -> None:
    """The demo shows that a message copied by a resume is found once."""
    first = {
        record["uuid"]
        for record in records_of("5d0f2c1e-8a43-4f6b-9c27-1be0a7d4e601")
        if "uuid" in record
    }

    resumed = {
        record.get("uuid")
        for record in records_of("9b6e7a34-2f10-4d8c-8e55-73c1f0a9d202")
    }

    assert first < resumed


def test_one_log_line_holds_something_to_redact() -> None:
    text = written_in("019a58d7-90ab-7c35-b1d4-cc73e2f00023")

    assert len(re.findall(r"sk-ant-api03-(a+)(b+)(c+)AA", text)) == 1
