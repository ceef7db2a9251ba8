"""Paraphrases that share no word with their answer, and identifiers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evaluation.archives import write_history

import quoth
from quoth.model import Mode, SearchUnit

DATA = Path(__file__).parent / "data"


def lines_of(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> quoth.Archive:
    """Every message of the pool is a conversation of its own."""
    folder = tmp_path_factory.mktemp("probes")
    pool = [
        {"session": message["id"], "messages": [message]}
        for message in lines_of("corpus.jsonl")
    ]
    write_history(folder / "in", pool)
    archive = quoth.open_archive(folder / "home", roots={"generic": [folder / "in"]})
    archive.sync()
    return archive


def first_of(
    archive: quoth.Archive, question: str, mode: Mode, *, without: str | None = None
) -> str | None:
    """Return the first message found, leaving out the distractors of one."""
    skipped = {
        one["id"]
        for one in lines_of("corpus.jsonl")
        if without is not None and one.get("distractor_of") == without
    }
    page = archive.search(question, mode=mode, unit=SearchUnit.MESSAGE, limit=130)
    found = [hit.conversation.removeprefix("generic:") for hit in page.hits]
    return next((one for one in found if one not in skipped), None)


@pytest.mark.parametrize(
    "probe", lines_of("identifiers.jsonl"), ids=lambda probe: str(probe["target"])
)
def test_an_identifier_is_first_by_words(
    archive: quoth.Archive, probe: dict[str, Any]
) -> None:
    target = probe["target"]

    assert first_of(archive, probe["question"], Mode.WORDS, without=target) == target


def test_near_misses_seldom_outrank_an_identifier(archive: quoth.Archive) -> None:
    probes = lines_of("identifiers.jsonl")

    right = sum(
        first_of(archive, probe["question"], Mode.WORDS) == probe["target"]
        for probe in probes
    )

    print(f"identifiers among near misses, by words: {right} of 10")  # noqa: T201
    assert right >= 8


def test_some_paraphrases_are_first_by_meaning(archive: quoth.Archive) -> None:
    probes = lines_of("paraphrases.jsonl")

    right = sum(
        first_of(archive, probe["question"], Mode.MEANING, without=probe["target"])
        == probe["target"]
        for probe in probes
    )

    print(f"paraphrases, hit@1 by meaning: {right} of {len(probes)}")  # noqa: T201
    assert right / len(probes) >= 0.15
