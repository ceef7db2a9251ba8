"""What the doctor found, as plain JSON values. docs/json.md describes every key."""

from __future__ import annotations

import os

from quoth.model import Finding, Health, HealthState

__all__ = ["health_json"]

HEALTH_SCHEMA = 1


def health_json(report: Health) -> dict[str, object]:
    """Return every finding, how many are bad, and what a repair did."""
    repair = report.repair
    return {
        "schema": HEALTH_SCHEMA,
        # A name that is not UTF-8 must not become half a surrogate pair in JSON.
        "home": os.fsencode(report.home).decode("utf-8", "replace"),
        "problems": report.count(HealthState.PROBLEM),
        "warnings": report.count(HealthState.WARNING),
        "findings": [_finding(finding) for finding in report.findings],
        "repair": repair
        and {
            "done": list(repair.done),
            "failed": [_decoded(why) for why in repair.failed],
            "embedded": repair.embedded,
        },
        "took_s": round(report.took_s, 3),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "section": finding.section.value,
        "check": finding.check,
        "state": finding.state.value,
        "says": _decoded(finding.says),
        "advice": finding.advice and _decoded(finding.advice),
        "details": [_decoded(detail) for detail in finding.details],
    }


def _decoded(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
