"""What the doctor found, as plain JSON values. docs/json.md describes every key."""

from __future__ import annotations

from quoth.model import Finding, Health, HealthState

from ._json import decoded

__all__ = ["health_json"]

HEALTH_SCHEMA = 1


def health_json(report: Health) -> dict[str, object]:
    """Return every finding, how many are bad, and what a repair did."""
    repair = report.repair
    return {
        "schema": HEALTH_SCHEMA,
        "home": decoded(str(report.home)),
        "problems": report.count(HealthState.PROBLEM),
        "warnings": report.count(HealthState.WARNING),
        "findings": [_finding(finding) for finding in report.findings],
        "repair": repair
        and {
            "done": list(repair.done),
            "failed": [decoded(why) for why in repair.failed],
            "embedded": repair.embedded,
        },
        "took_s": round(report.took_s, 3),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "section": finding.section.value,
        "check": finding.check,
        "state": finding.state.value,
        "says": decoded(finding.says),
        "advice": finding.advice and decoded(finding.advice),
        "details": [decoded(detail) for detail in finding.details],
    }
