"""What the doctor found, for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from quoth.model import Finding, Health, HealthState, Repair, Section

from ._layout import counted, duration, folded
from ._terminal import Terminal

__all__ = ["health_text"]

_TITLES = {
    Section.PLACES: "Places",
    Section.PROGRAM: "This Python",
    Section.SOURCES: "Sources",
    Section.ARCHIVE: "Archive",
    Section.RUNNING: "Running",
}
_MARKS = {
    HealthState.OK: "ok",
    HealthState.WARNING: "warning",
    HealthState.PROBLEM: "PROBLEM",
}
_MARGIN = 10


def health_text(report: Health, *, terminal: Terminal) -> str:
    """Return every finding under its section, and a summary at the end."""
    lines: list[str] = []
    for section, findings in groupby(report.findings, key=attrgetter("section")):
        lines += [terminal.bold(_TITLES[section])]
        for finding in findings:
            lines += _finding(finding, terminal)
        lines += [""]
    if report.repair is not None:
        lines += [*_repair(report.repair, terminal), ""]
    lines += folded(_summary(report), terminal.width)
    return "\n".join(lines)


def _finding(finding: Finding, terminal: Terminal) -> Iterator[str]:
    mark = f"  {_MARKS[finding.state]}".ljust(_MARGIN)
    first, *rest = _indented(finding.says, _MARGIN, terminal)
    styled = terminal.dim if finding.state is HealthState.OK else terminal.bold
    yield styled(mark) + first[_MARGIN:]
    yield from rest
    for detail in finding.details:
        yield from map(terminal.dim, _indented(detail, _MARGIN + 2, terminal))
    if finding.advice:
        yield from _indented(f"To do: {finding.advice}", _MARGIN, terminal)


def _indented(text: str, margin: int, terminal: Terminal) -> list[str]:
    return folded(" " * margin + text, terminal.width)


def _repair(repair: Repair, terminal: Terminal) -> Iterator[str]:
    yield terminal.bold("Repair")
    done = ", ".join(repair.done) or "nothing to make anew"
    yield from _indented(f"Made anew: {done}.", 2, terminal)
    if repair.embedded:
        yield from _indented(
            f"{counted(repair.embedded, 'text')} embedded.", 2, terminal
        )
    for failure in repair.failed:
        yield from _indented(f"Failed: {failure}", 2, terminal)


def _summary(report: Health) -> str:
    problems = report.count(HealthState.PROBLEM)
    warnings = report.count(HealthState.WARNING)
    took = duration(report.took_s)
    looked = f"Looked at {counted(len(report.findings), 'thing')} in {took}."
    if not problems and not warnings:
        return f"All is well. {looked}"
    said = " and ".join(
        counted(number, noun)
        for number, noun in ((problems, "problem"), (warnings, "warning"))
        if number
    )
    return f"{said}. {looked}"
