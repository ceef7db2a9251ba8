"""quoth's reading of sample histories against numbers it had no part in.

What is counted, and how, is in README.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.builders import archive_in, put, rows
from tests.independent.count import EXPECTED, count_of, counted, samples_in
from tests.independent.reading import maybe, records

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.sources import Source, installed_sources

SHARED = Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")
SAMPLES = SHARED / "samples"
INVENTED = Path(__file__).parent / "invented"
NUMBERS: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_text(encoding="utf-8"))

SPENT = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")
SOURCES = {"claude-code": "claude_code", "codex": "codex", "gemini-cli": "gemini_cli"}
BLANKED = {
    b"[REDACTED_MESSAGE ": b"[REDACTED_TEXT ",
    b"[REDACTED_TEXT len=7 sha=92b00aa2]": b"<image>",
    b"[REDACTED_TEXT len=8 sha=74dc9557]": b"</image>",
}
"""What was blanked before it was published: one text in two spellings, and marks."""

UNSETTLED = {
    "claude-code/agent-sessions__Resources__Fixtures__stage0__agents__claude__small": {
        "tool_calls tool_results": "seven records have one uuid and one call id"
    },
    "codex/agent-sessions__Resources__Fixtures__stage0__agents__codex__schema_drift": {
        "prompts": "the prompt stands where no version of Codex has put it"
    },
    "codex/agent-sessions__Resources__Fixtures__stage0__agents__codex__small": {
        "prompts answers": "all texts are one and the same, so nothing can be paired"
    },
}
"""Units of hand-made files that are not compared, and why. Never of a recorded one."""

BY_HAND = {
    "claude-code": {
        "prompts": 1,
        "commands": 1,
        "replies": 1,
        "queued": 1,
        "answers": 2,
        "reasoned": 1,
        "tool_calls": 2,
        "tool_results": 2,
        "noise": 3,
        "model_calls": 3,
        "input": 33,
        "output": 20,
        "cache_read": 2100,
        "cache_write_5m": 60,
        "cache_write_1h": 30,
    },
    "codex": {
        "prompts": 2,
        "answers": 1,
        "reasoned": 1,
        "tool_calls": 1,
        "tool_results": 1,
        "noise": 2,
        "model_calls": 2,
        "input": 700,
        "output": 140,
        "cache_read": 700,
        "reasoning": 14,
    },
    "gemini-cli": {
        "prompts": 1,
        "answers": 2,
        "reasoned": 1,
        "tool_calls": 1,
        "tool_results": 1,
        "noise": 1,
        "model_calls": 2,
        "input": 550,
        "output": 33,
        "cache_read": 1300,
        "reasoning": 7,
    },
}
"""What is in the files of `invented`, counted by hand in each as it is printed."""

TAKEN_BACK = {"session-2026-05-01T11-00-000000c4.jsonl": {"prompts": 2}}
"""What is in a file besides."""


# The two counts agree


@pytest.mark.parametrize(
    "sample", samples_in(INVENTED), ids=lambda sample: sample.suffix + sample.stem[-12:]
)
def test_an_invented_sample_holds_what_was_counted_by_hand(
    tmp_path: Path, sample: Path
) -> None:
    by_hand = BY_HAND[sample.parent.name] | TAKEN_BACK.get(sample.name, {})

    assert count_of(INVENTED, sample) == by_hand
    assert measured(tmp_path, sample) == comparable(by_hand)


def test_the_counting_uses_nothing_of_quoth() -> None:
    folder = Path(__file__).parent
    modules = [p for p in folder.glob("*.py") if not p.name.startswith("test_")]
    imports = [
        line
        for module in modules
        for line in module.read_text(encoding="utf-8").splitlines()
        if line.startswith(("import ", "from "))
    ]

    assert len(modules) == 5
    assert [line for line in imports if "quoth" in line or "tests" in line] == []


def test_a_sample_is_counted_now_as_it_was_when_written_down() -> None:
    samples = samples_in(SAMPLES)
    if not samples:
        pytest.skip("the samples are not here")

    again = {str(each.relative_to(SAMPLES)): counted(SAMPLES, each) for each in samples}

    assert again == NUMBERS


@pytest.mark.parametrize("name", NUMBERS, ids=lambda name: name[-56:])
def test_a_sample_holds_what_was_counted_without_quoth(
    tmp_path: Path, name: str
) -> None:
    sample = SAMPLES / name
    if not sample.is_file():
        pytest.skip("the samples are not here")
    left_out = unsettled(name)
    expected = comparable(NUMBERS[name]["counts"])
    found = measured(tmp_path, sample)

    assert without(found, left_out) == without(expected, left_out)


def test_every_number_of_a_recorded_session_is_compared() -> None:
    recorded = [name for name, number in NUMBERS.items() if number["real"]]

    assert [name for name in recorded if unsettled(name)] == []


# What quoth makes of a file


def measured(folder: Path, sample: Path) -> dict[str, int]:
    """Return the numbers of an archive that has read this one sample."""
    source = source_of(sample)
    content = sample.read_bytes()
    for blanked, plain in BLANKED.items():
        content = content.replace(blanked, plain)
    root, place = place_of(sample)
    put(folder / root / place, content)
    home = archive_in(folder)
    with Archive(
        home,
        roots={source.name: [folder / root]},
        sources=[source],
        embedder=HashEmbedder(),
    ) as archive:
        archive.sync()
    found = Counter(said_in(home)) + Counter(spent_in(home))
    return {unit: number for unit, number in sorted(found.items()) if number}


def source_of(sample: Path) -> Source:
    folder = next(name for name in SOURCES if name in sample.parts)
    return next(s for s in installed_sources() if s.name == SOURCES[folder])


def said_in(home: Path) -> Counter[str]:
    """Count messages, the newest telling of each."""
    tellings = rows(
        home,
        "SELECT m.native_id, role, noise, is_command, kind, text, reasoning"
        " FROM message m JOIN body USING (id) JOIN conversation c ON c.id = home"
        " ORDER BY m.live, m.id",
    )
    found: Counter[str] = Counter()
    for native_id, *telling in {row[0]: row for row in tellings}.values():
        found.update(units_of(native_id, *telling))
    calls = "SELECT count(*) FROM tool_call WHERE"
    ((found["tool_calls"],),) = rows(home, f"{calls} name <> ''")
    ((found["tool_results"],),) = rows(home, f"{calls} result_message IS NOT NULL")
    return found


def units_of(
    native_id: str,
    role: str,
    noise: str | None,
    is_command: int,
    kind: str,
    text: str,
    reasoning: str | None,
) -> list[str]:
    units = ["reasoned"] if reasoning else []
    if is_command:
        return [*units, "commands"]
    if noise:  # what was put in beside a prompt is no record of its own
        return units if native_id.endswith("#context") else [*units, "noise"]
    if role == "user":
        return [*units, "tasks" if kind == "subagent" else "prompts"]
    return [*units, "answers"] if role == "assistant" and text else units


def spent_in(home: Path) -> dict[str, int]:
    """Add up what every call to a model cost."""
    classes = (*SPENT, "reasoning")
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in classes)
    cost = " + ".join(SPENT)
    calls = f"coalesce(sum({cost} > 0), 0)"
    ((paid, *totals),) = rows(home, f"SELECT {calls}, {sums} FROM usage")  # noqa: S608
    return {"model_calls": paid, **dict(zip(classes, totals, strict=True))}


# How the counts are compared


def comparable(counts: dict[str, int]) -> dict[str, int]:
    """Return the numbers with all that a person said as one."""
    person = ("prompts", "replies", "queued")
    others = {unit: number for unit, number in counts.items() if unit not in person}
    said = sum(counts.get(unit, 0) for unit in person)
    return dict(sorted((others | ({"prompts": said} if said else {})).items()))


def unsettled(name: str) -> set[str]:
    reasons = UNSETTLED.get(name.removesuffix(".jsonl"), {})
    return {unit for units in reasons for unit in units.split()}


def without(counts: dict[str, int], units: set[str]) -> dict[str, int]:
    return {unit: number for unit, number in counts.items() if unit not in units}


# Where a sample would lie: its name has the folders of its origin in it


def place_of(sample: Path) -> tuple[str, str]:
    """Return the assistant's own folder, and the file in it."""
    name = sample.name.rsplit("__", 1)[-1]
    match source_of(sample).name:
        case "claude_code":
            return "projects", f"-home-dev/{claude_place(sample, name)}"
        case "codex":
            return "sessions", f"2026/05/01/{codex_name(sample, name)}"
        case _:
            return "tmp", f"{'0' * 64}/chats/{gemini_name(sample)}"


def claude_place(sample: Path, name: str) -> str:
    parent = re.search(r"__([0-9a-f-]{36})__subagents__", sample.name)
    if parent:
        return f"{parent[1]}/subagents/{name}"
    if name.startswith("agent-"):
        return name
    session = next((r["sessionId"] for r in records(sample) if r.get("sessionId")), "")
    return f"{session or sample.stem}.jsonl"


def codex_name(sample: Path, name: str) -> str:
    if name.startswith("rollout-"):
        return name
    found = (maybe(record, "payload", "id") for record in records(sample))
    thread = next(filter(None, found), "019c0000-1000-7000-8000-0000000000c5")
    return f"rollout-2026-05-01T10-00-00-{thread}.jsonl"


def gemini_name(sample: Path) -> str:
    digest = hashlib.sha256(sample.name.encode()).hexdigest()[:8]
    return f"session-2026-05-01T10-00-{digest}{sample.suffix}"
