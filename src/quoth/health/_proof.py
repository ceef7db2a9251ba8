"""What a proof found: what was run, what left, what was written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Control", "Obstacle", "Packet", "Proof", "Run", "Shown", "Written"]


class Shown(StrEnum):
    """What the runs showed of a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    """It can't be told: not all was watched, or not all did its work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """What a process tried to send. `about` is the name that a look-up asked for."""

    protocol: str
    to: str
    port: int | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """An attempt of which it is known that it sends: uncounted, nothing is proven."""

    name: str
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """Why nothing can be proven of connections here, and what to do about it."""

    says: str
    advice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One process of quoth: what was typed, how it ended, what it sent and changed.

    `failure` is set when it did not do its work: what does nothing proves nothing.
    `outside` are the files it made, changed or removed outside of the data folder.
    """

    typed: str
    packets: tuple[Packet, ...] = ()
    outside: tuple[str, ...] = ()
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file or folder that lay in the data folder after any of the runs."""

    path: str
    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Everything that was tried and seen.

    `unused` are commands that this proof doesn't know how to use. `dwell_s` is how long
    a process with all of quoth in it was watched, `written` what the runs left in the
    data folder.
    """

    obstacle: Obstacle | None
    controls: tuple[Control, ...]
    runs: tuple[Run, ...]
    unused: tuple[str, ...]
    written: tuple[Written, ...]
    dwell_s: float
    took_s: float

    @property
    def packets(self) -> int:
        """Return how many packets left."""
        return sum(len(run.packets) for run in self.runs)

    @property
    def outside(self) -> int:
        """Return how often a file outside of the data folder was written."""
        return sum(len(run.outside) for run in self.runs)

    @property
    def all_worked(self) -> bool:
        """Say whether every command was run, and did its work."""
        worked = all(run.failure is None for run in self.runs)
        return bool(self.runs) and worked and not self.unused

    @property
    def watched(self) -> bool:
        """Say whether what is sent was seen to be counted."""
        counted = all(control.counted for control in self.controls)
        return self.obstacle is None and bool(self.controls) and counted

    @property
    def connections(self) -> Shown:
        """Return what was shown of "nothing leaves"."""
        if self.packets:
            return Shown.BROKEN
        return Shown.KEPT if self.watched and self.all_worked else Shown.UNKNOWN

    @property
    def files(self) -> Shown:
        """Return what was shown of "nothing is written outside of the data folder"."""
        if self.outside:
            return Shown.BROKEN
        return Shown.KEPT if self.all_worked else Shown.UNKNOWN

    @property
    def proven(self) -> bool:
        """Say whether both promises were kept."""
        return self.connections is Shown.KEPT and self.files is Shown.KEPT
