"""A small set, asked through the public entry: who is asked what, and what is told."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from evaluation.__main__ import entry, report
from evaluation.runs import BASELINE, Run, evaluate
from evaluation.sets import Half, Layout, QuestionSet, libraries_of

from evaluation import log
from quoth.model import Mode

SAID = {
    "one": ["the gooseneck of the boom is worn", "we replaced it with a new one"],
    "two": ["the taffrail was painted green", ""],
    "three": ["the vesting schedule has a cliff of a year"],
}
ASKED: list[tuple[str, str, str | None]] = [
    ("q1", "which gooseneck is worn?", "one"),
    ("q2", "what colour has the taffrail?", "two"),
    ("q3", "how long is the cliff?", "three"),
    ("q4", "who won the race?", None),
]
"""Its id, the question, and the session whose first message answers it."""


@pytest.fixture
def found(tmp_path: Path) -> QuestionSet:
    folder = tmp_path / "boats"
    folder.mkdir()
    with gzip.open(folder / "sessions.jsonl.gz", "wt", encoding="utf-8") as file:
        for name, texts in SAID.items():
            messages = [
                {"id": f"{name}/{number}", "role": "user", "text": text}
                for number, text in enumerate(texts)
            ]
            library = "money" if name == "three" else "boats"
            session = {"session": name, "library": library, "date": ""}
            file.write(json.dumps({**session, "messages": messages}) + "\n")
    lines = [
        {
            "id": name,
            "library": "money" if session == "three" else "boats",
            "question": question,
            "gold": [f"{session}/0"] if session else [],
            "gold_sessions": [session] if session else [],
            "type": "plain",
            "abstention": session is None,
        }
        for name, question, session in ASKED
    ]
    text = "\n".join(map(json.dumps, lines))
    (folder / "questions.jsonl").write_text(text, encoding="utf-8")
    return QuestionSet.read(folder)


def run_of(found: QuestionSet, layout: Layout, kept_in: Path) -> Run:
    return evaluate(
        found, layout, modes=[Mode.WORDS, Mode.BOTH], half=Half.ALL, kept_in=kept_in
    )


def test_apart_each_library_is_searched_by_itself(found: QuestionSet) -> None:
    libraries = {
        each.name: (len(each.sessions), len(each.questions))
        for each in libraries_of(found, Layout.APART)
    }

    assert libraries == {"boats": (2, 3), "money": (1, 1)}


def test_pooled_all_are_searched_at_once(found: QuestionSet) -> None:
    (library,) = libraries_of(found, Layout.POOLED)

    assert (len(library.sessions), len(library.questions)) == (3, 4)


def test_the_halves_make_the_whole(found: QuestionSet) -> None:
    halves = {
        half: [
            question.id
            for library in libraries_of(found, Layout.POOLED, half=half)
            for question in library.questions
        ]
        for half in Half
    }

    assert sorted(halves[Half.TUNE] + halves[Half.REPORT]) == halves[Half.ALL]


@pytest.mark.parametrize("layout", Layout)
def test_every_ranker_finds_what_is_there(
    found: QuestionSet, tmp_path: Path, layout: Layout
) -> None:
    run = run_of(found, layout, tmp_path / "kept")

    assert set(run.answers) == {BASELINE, "words", "both"}
    for ranker in run.answers:
        for unit in ("messages", "sessions"):
            rows = run.rows(ranker, unit)
            assert [row["hit@1"] for row in rows] == [1.0, 1.0, 1.0]


def test_an_archive_is_made_but_once(found: QuestionSet, tmp_path: Path) -> None:
    first = run_of(found, Layout.POOLED, tmp_path / "kept")
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}

    second = run_of(found, Layout.POOLED, tmp_path / "kept")

    assert second.answers == first.answers
    after = {path.name for path in (tmp_path / "kept").iterdir()}
    assert after == {path.name for path in made}
    assert len(after) == 1


def test_a_run_is_written_for_others_to_score(
    found: QuestionSet, tmp_path: Path
) -> None:
    run_of(found, Layout.POOLED, tmp_path / "kept").write(tmp_path / "runs")

    path = tmp_path / "runs" / "boats-pooled-both.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2", "q3", "q4"]
    assert lines[0]["messages"][0] == "one/0"
    assert lines[0]["sessions"][0] == "one"


def test_what_is_logged_is_compared_with_later(
    found: QuestionSet, tmp_path: Path
) -> None:
    run = run_of(found, Layout.POOLED, tmp_path / "kept")
    logged = entry([run], "a first try")

    lines = list(report(run, logged, by_type=True))

    row = log.last_row(logged, "boats/pooled", "both", "messages")
    assert row is not None
    assert (row["hit@1"], row["MRR"]) == (100.0, 100.0)
    assert sum("since the last one logged" in line for line in lines) == 4
    assert any(line.startswith("    plain") for line in lines)
    assert not [line for line in report(run, "", by_type=False) if "logged" in line]
