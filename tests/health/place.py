"""A folder of histories with its archive, to be broken, looked at and repaired."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from tests.builders import (
    SESSION,
    a_transcript,
    an_archive,
    archive_in,
    claude_file,
    put,
    synced,
)
from tests.sources import claude_records as claude

from quoth.health import examine, repair
from quoth.model import Health, HealthState
from quoth.store import DATABASE

TURNS = (
    "why does HarborMaster keep the winter tariff \u65e5\u672c\u8a9e",
    "because LedgerView reads the old tariff table before it is refreshed",
    "and what about the ferry schedule for the islands",
    "the ferry schedule is read from another file entirely",
)


@dataclass(frozen=True)
class Place:
    """A folder of histories and the archive of it."""

    folder: Path

    @property
    def home(self) -> Path:
        return archive_in(self.folder)

    @property
    def database(self) -> Path:
        return self.home / DATABASE

    def examined(self, *, deep: bool = False) -> Health:
        with an_archive(self.folder) as archive:
            return examine(archive, home_named_by="a test", deep=deep)

    def repaired(self) -> Health:
        with an_archive(self.folder) as archive:
            return repair(archive, home_named_by="a test")

    def broken_by(self, *statements: str) -> None:
        connection = sqlite3.connect(self.database)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()


def a_place(folder: Path) -> Place:
    """Return an archive of two sessions that share messages, with a tool call."""
    other = SESSION.replace("aa", "bb")
    call = {"type": "tool_use", "id": "t1", "name": "Bash"}
    put(
        claude_file(folder),
        a_transcript(*TURNS)
        + claude.lines(
            claude.answered(
                "m5", "now", {**call, "input": {"command": "ls ferryTimes"}}
            )
        ),
    )
    put(claude_file(folder, other), a_transcript(*TURNS[:2], ids="n"))
    synced(folder).close()
    return Place(folder)


def bad(health: Health) -> dict[str, tuple[str, ...]]:
    """Return the checks that found anything, with its details."""
    return {
        finding.check: finding.details
        for finding in health.findings
        if finding.state is not HealthState.OK
    }


def says(health: Health, check: str) -> str:
    """Return what a check says, all of its findings joined."""
    return " ".join(each.says for each in health.findings if each.check == check)
