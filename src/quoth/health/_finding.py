"""Making findings: a check that fails is a finding too, never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quoth.errors import ArchiveDamagedError, QuothError
from quoth.model import Finding, HealthState, Section
from quoth.store import DATABASE, explained

__all__ = [
    "counted",
    "explaining",
    "guarded",
    "in_our_words",
    "ok",
    "problem",
    "warning",
]

MOST_DETAILS = 20


def ok(section: Section, check: str, says: str, *details: str) -> Finding:
    """Return a finding that needs nothing done."""
    return _finding(section, check, HealthState.OK, says, None, details)


def warning(
    section: Section, check: str, says: str, advice: str | None, *details: str
) -> Finding:
    """Return a finding to keep in mind, or to act on before something is lost."""
    return _finding(section, check, HealthState.WARNING, says, advice, details)


def problem(
    section: Section, check: str, says: str, advice: str | None, *details: str
) -> Finding:
    """Return a finding that makes answers wrong, missing or visible to others."""
    return _finding(section, check, HealthState.PROBLEM, says, advice, details)


def guarded(
    section: Section, check: str, look: Callable[[], Iterable[Finding]]
) -> Iterator[Finding]:
    """Yield what *look* finds, or that it could not look."""
    try:
        yield from list(look())
    except QuothError as error:
        yield problem(section, check, str(error), error.hint)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        yield problem(section, check, f"This could not be looked at: {why}.", None)


def explaining(
    home: Path, look: Callable[[], Iterable[Finding]]
) -> Callable[[], Iterable[Finding]]:
    """Return *look*, saying in quoth's errors what SQLite says of the archive."""

    def looking() -> list[Finding]:
        with in_our_words(home):
            return list(look())

    return looking


@contextmanager
def in_our_words(home: Path) -> Iterator[None]:
    """Say that the archive is damaged, whoever finds that out by what.

    Raises:
        ArchiveDamagedError: SQLite can't read it, or a row makes no sense.
    """
    try:
        with explained(home):
            yield
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        # The cause quotes what the row holds.
        raise ArchiveDamagedError(
            home / DATABASE, why="a row holds what quoth never writes"
        ) from None


def counted(number: int, noun: str) -> str:
    """Return "1 file" or "1,204 files"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _finding(
    section: Section,
    check: str,
    state: HealthState,
    says: str,
    advice: str | None,
    details: Sequence[str],
) -> Finding:
    shown = tuple(details[:MOST_DETAILS])
    if len(details) > MOST_DETAILS:
        shown += (f"and {len(details) - MOST_DETAILS:,} more",)
    return Finding(
        section=section,
        check=check,
        state=state,
        says=says,
        advice=advice,
        details=shown,
    )
