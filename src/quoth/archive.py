"""The front door: everything a surface can do is a method here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from quoth.model import (
    Filters,
    Include,
    Mode,
    Page,
    Progress,
    SearchUnit,
    Status,
    SyncReport,
    Transcript,
    Verdict,
)

__all__ = ["Archive", "open_archive"]


class Archive:
    """A person's conversations, searchable. Every surface calls these methods."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None: ...

    def sync(
        self,
        paths: Sequence[Path] = (),
        *,
        progress: Callable[[Progress], None] | None = None,
        budget_s: float | None = None,
    ) -> SyncReport: ...

    def search(
        self,
        question: str,
        *,
        mode: Mode = Mode.BOTH,
        unit: SearchUnit = SearchUnit.CONVERSATION,
        limit: int = 10,
        offset: int = 0,
        filters: Filters = Filters(),
    ) -> Page: ...

    def show(
        self,
        key: str,
        *,
        seq: int | None = None,
        around: int | None = None,
        include: frozenset[Include] = frozenset(),
    ) -> Transcript: ...

    def status(self) -> Status: ...

    def verify(self, citation: str) -> Verdict: ...


def open_archive(home: Path) -> Archive: ...
