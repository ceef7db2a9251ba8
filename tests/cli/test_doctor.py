"""How `quoth doctor` says what it found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.builders import a_transcript, claude_file, put

from quoth.archive import Archive, open_archive
from quoth.cli._app import app
from quoth.cli._health_json import health_json
from quoth.cli._health_text import health_text
from quoth.cli._runtime import Runtime
from quoth.cli._terminal import Terminal
from quoth.config import Settings
from quoth.embedding import HashEmbedder
from quoth.model import Finding, Health, HealthState, Repair, Section

from .fakes import NOW
from .test_json import documented, paths_of


def a_finding(**changes: Any) -> Finding:
    values: dict[str, Any] = {
        "section": Section.ARCHIVE,
        "check": "word-index",
        "state": HealthState.PROBLEM,
        "says": "The word index: 3 faults.",
        "advice": "quoth doctor --repair",
        "details": ("messages missing from the word index: 3",),
    }
    return Finding(**{**values, **changes})


def a_health(*findings: Finding, **changes: Any) -> Health:
    values: dict[str, Any] = {
        "home": Path("/home/ada/quoth"),
        "findings": findings or (a_finding(),),
        "took_s": 1.3,
    }
    return Health(**{**values, **changes})


A_REPAIR = Repair(done=("texts", "titles"), failed=("counts: It is full.",), embedded=7)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a home with one transcript that was synced."""
    put(claude_file(tmp_path), a_transcript("a question", "an answer"))
    run(tmp_path, "sync")
    return tmp_path


def run(folder: Path, *args: str, **environ: str) -> Result:
    def opened(settings: Settings) -> Archive:
        roots = {"claude_code": [folder / "projects"]}
        return Archive(settings.home, roots=roots, embedder=HashEmbedder())

    runtime = Runtime(
        environ={"QUOTH_HOME": str(folder / "quoth"), **environ},
        home_dir=folder,
        now=lambda: NOW,
        open_archive=opened,
        program=lambda: "quoth",
    )
    return CliRunner().invoke(app, args, obj=runtime)


def test_each_finding_stands_under_its_section_with_what_to_do() -> None:
    report = a_health(
        a_finding(
            section=Section.PROGRAM,
            state=HealthState.OK,
            says="numpy 2.4.",
            advice=None,
            details=(),
        ),
        a_finding(),
        a_finding(
            state=HealthState.WARNING,
            says="A sentence so long that it has to go on in another line.",
            advice=None,
            details=(),
        ),
    )

    text = health_text(report, terminal=Terminal(width=60))

    assert (
        text
        == """\
This Python
  ok      numpy 2.4.

Archive
  PROBLEM The word index: 3 faults.
            messages missing from the word index: 3
          To do: quoth doctor --repair
  warning A sentence so long that it has to go on in another
          line.

1 problem and 1 warning. Looked at 3 things in 1.3 s."""
    )


def test_where_nothing_is_wrong_it_says_so() -> None:
    report = a_health(a_finding(state=HealthState.OK, advice=None))

    text = health_text(report, terminal=Terminal())

    assert text.endswith("All is well. Looked at 1 thing in 1.3 s.")


def test_a_repair_says_what_was_made_anew_and_what_failed() -> None:
    text = health_text(a_health(repair=A_REPAIR), terminal=Terminal())

    assert (
        """\
Repair
  Made anew: texts, titles.
  7 texts embedded.
  Failed: counts: It is full.
"""
        in text
    )


def test_what_a_name_holds_does_not_reach_the_terminal() -> None:
    report = a_health(a_finding(details=("/h/\x1b]0;owned\x07",)))

    assert "\x1b" not in health_text(report, terminal=Terminal())


def test_colour_is_for_terminals_that_take_it() -> None:
    text = health_text(a_health(), terminal=Terminal(colour=True))

    assert "\x1b[1m  PROBLEM \x1b[0mThe word index" in text


def test_every_key_of_the_json_is_documented_and_nothing_else() -> None:
    assert documented("doctor") == set(paths_of(health_json(a_health(repair=A_REPAIR))))


def test_a_name_that_is_no_text_is_text_in_the_json() -> None:
    report = a_health(home=Path("/h/\udcff"))

    assert health_json(report)["home"] == "/h/\ufffd"


def test_every_check_is_documented(folder: Path) -> None:
    docs = Path(__file__).resolve().parents[2] / "docs" / "doctor.md"

    report = json.loads(run(folder, "doctor", "--json").stdout)

    checks = {finding["check"] for finding in report["findings"]}
    text = docs.read_text(encoding="utf-8")
    assert {check for check in checks if f"`{_general(check)}`" not in text} == set()


def _general(check: str) -> str:
    return re.sub(r"^places-.*", "places-SOURCE", check)


def test_a_healthy_archive_ends_with_0(folder: Path) -> None:
    result = run(folder, "doctor")

    assert result.exit_code == 0
    assert "PROBLEM" not in result.stdout


def test_without_an_archive_it_ends_with_0_and_makes_none(tmp_path: Path) -> None:
    result = run(tmp_path, "doctor")

    assert result.exit_code == 0
    assert "There is no archive yet. Make one with: quoth sync" in result.stdout
    assert not (tmp_path / "quoth").exists()


def test_a_problem_ends_with_1(folder: Path) -> None:
    (folder / "quoth").chmod(0o755)

    result = run(folder, "doctor")

    assert result.exit_code == 1
    assert "Others may look into" in result.stdout


def test_a_repair_ends_with_what_is_found_after_it(folder: Path) -> None:
    (folder / "quoth").chmod(0o755)

    result = run(folder, "doctor", "--repair")

    assert result.exit_code == 0
    assert "Made anew: permissions, what was forgotten, texts," in result.stdout


def test_a_bad_setting_is_a_finding_and_the_rest_is_looked_at(folder: Path) -> None:
    put(folder / "quoth" / "config.toml", b"nonsense = 1\n").chmod(0o600)

    result = run(folder, "doctor", "--json")

    findings = json.loads(result.stdout)["findings"]
    states = {each["check"]: each["state"] for each in findings}
    assert result.exit_code == 1
    assert (states["settings"], states["word-index"]) == ("problem", "ok")


def test_a_setting_for_a_source_there_is_not_is_a_finding_too(tmp_path: Path) -> None:
    put(tmp_path / "config.toml", b"paths.codx = ['/a']\n").chmod(0o600)
    runtime = Runtime(
        environ={"QUOTH_HOME": str(tmp_path)},
        home_dir=tmp_path,
        now=lambda: NOW,
        open_archive=lambda settings: open_archive(
            settings.home, roots={}, extra_roots=settings.paths
        ),
        program=lambda: "quoth",
    )

    result = CliRunner().invoke(app, ["doctor"], obj=runtime)

    assert "PROBLEM There is no source codx" in result.stdout
    assert "No sync is running." in result.stdout


def test_the_help_tells_the_exit_status(tmp_path: Path) -> None:
    result = run(tmp_path, "doctor", "--help")

    assert "status is 1 when there is a problem" in " ".join(result.stdout.split())
