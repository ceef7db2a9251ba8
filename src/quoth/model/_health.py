"""What `quoth doctor` answers: findings, what to do about each, what was repaired."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = ["Finding", "Health", "HealthState", "Repair", "Section"]


class HealthState(StrEnum):
    """How a finding is to be taken, from the best to the worst."""

    OK = "ok"
    WARNING = "warning"
    """Nothing is wrong yet, or something is lost if nobody acts."""
    PROBLEM = "problem"


class Section(StrEnum):
    """What a finding is about."""

    PLACES = "places"
    """The data folder, its files and the settings."""
    PROGRAM = "program"
    """This Python and what comes with it."""
    SOURCES = "sources"
    ARCHIVE = "archive"
    RUNNING = "running"
    """Which quoth is at work just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found. `check` is its name, which stays; `says` is a sentence.

    `advice` is what to do about it; `details` are what was found one by one, bounded.
    """

    section: Section
    check: str
    state: HealthState
    says: str
    advice: str | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What a repair did: the steps that were done, and those that failed, with why."""

    done: tuple[str, ...]
    failed: tuple[str, ...]
    embedded: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Everything the checks found, by section. `repair` is set after one."""

    home: Path
    findings: tuple[Finding, ...]
    took_s: float
    repair: Repair | None = None

    def count(self, state: HealthState) -> int:
        """Return how many findings are of that state."""
        return sum(finding.state is state for finding in self.findings)
