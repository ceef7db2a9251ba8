"""No field of an answer, an error or a finding steers the terminal it is shown in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from tests.builders import KEY
from tests.cli.fakes import (
    FakeArchive,
    Shell,
    a_call,
    a_forgotten,
    a_full_page,
    a_hit,
    a_leaving,
    a_plan,
    a_shown_message,
    a_source_list,
    a_status,
    a_transcript,
    a_troubled_report,
    a_verdict,
)
from tests.hostile_text import HOSTILE, assert_harmless, dangers_in

from quoth.cli._health_text import health_text
from quoth.cli._terminal import Terminal
from quoth.errors import QuothError
from quoth.model import Finding, Health, HealthState, Repair, Section


def poisoned(value: Any) -> Any:
    """Return a value of the model with something hostile in every text and path."""
    match value:
        case Enum() | bool():
            return value
        case str():
            return f"{value}{HOSTILE}"
        case Path():
            return Path(f"{value}{HOSTILE}")
        case tuple():
            return tuple(map(poisoned, value))
        case Mapping():
            return {poisoned(key): poisoned(item) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            changed = {
                each.name: poisoned(getattr(value, each.name)) for each in fields(value)
            }
            return replace(value, **changed)
        case _:
            return value


ANSWERED = {
    "search": ["search", "x"],
    "show": ["show", KEY],
    "show a part": ["show", f"{KEY}#12"],
    "sync": ["sync"],
    "import": ["import", "."],
    "sources": ["sources"],
    "status": ["status"],
    "verify": ["verify", f"{KEY}#1@0123456789ab"],
    "forget": ["forget", KEY, "--dry-run"],
    "the list of what is forgotten": ["forget", "--list"],
}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Return a shell whose archive answers with what is hostile in every field."""
    message = a_shown_message(text="word " * 2000, calls=(a_call(),))
    archive = FakeArchive(
        page=poisoned(replace(a_full_page(), hits=(a_hit(), a_hit(title=None)))),
        transcript=poisoned(a_transcript(message, messages_total=9)),
        status_answer=poisoned(a_status()),
        verdict=poisoned(a_verdict()),
        report=poisoned(a_troubled_report()),
        source_list=poisoned(a_source_list()),
        plan=poisoned(a_plan(a_leaving())),
        forgotten_list=(poisoned(a_forgotten()),),
    )
    (tmp_path / "quoth").mkdir()
    return Shell(home=tmp_path / "quoth", archive=archive)


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("command", ANSWERED)
def test_no_field_of_an_answer_is_printed_as_it_is(
    shell: Shell, command: str, form: Sequence[str]
) -> None:
    result = shell.run(*ANSWERED[command], *form)

    assert_harmless(result, as_json=bool(form))
    assert "ZXZpbA==" in result.stdout


@pytest.mark.parametrize("command", ANSWERED)
def test_an_error_is_printed_harmlessly(shell: Shell, command: str) -> None:
    error = QuothError(f"It is {HOSTILE}.", hint=f"Try:\n  {HOSTILE}\n{HOSTILE}")
    archive = shell.archive
    archive.page = archive.transcript = archive.verdict = archive.report = error

    result = shell.run(*ANSWERED[command])

    assert_harmless(result)


def test_what_the_doctor_says_is_printed_harmlessly() -> None:
    finding = Finding(
        section=Section.SOURCES,
        check="unread",
        state=HealthState.PROBLEM,
        says="It",
        advice="Look",
        details=("here", "there"),
    )
    health = Health(
        home=Path("/h"),
        findings=(finding,),
        took_s=1.0,
        repair=Repair(done=("texts",), failed=("titles",), embedded=1),
    )

    assert dangers_in(health_text(poisoned(health), terminal=Terminal())) == []
