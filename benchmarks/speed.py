"""How fast quoth is, and how large, on a made-up history of a given size.

    python benchmarks/speed.py --messages 10000 [--files 5000] [--keep DIR] [--json]

Every figure is printed with its goal and the ratio of the two: up to 1.00 it is met.
The clock's times depend on what else the machine does, so the processor's stand beside
them. What is measured runs in processes of its own; cold times are of whole processes
with the files in the system's cache. `--keep` leaves the history for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchmarks.generate_history import generate
else:  # run by path, this folder is the first place imports are looked for in
    from generate_history import generate

__all__ = ["Figure", "Measured", "measure", "report"]

STEPS: Final = Path(__file__).with_name("speed_steps.py")
SMALL_PART: Final = 10  # bytes a message
FEW_FILES: Final = 5_000
QUESTION: Final = "the retry queue and its timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measurement. `cpu` is in the same unit, `goal` None where there is none."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    cpu: float | None = None
    more_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How much of the goal is used up: above 1 it is missed."""
        if self.goal is None:
            return None
        high, low = (
            (self.goal, self.value) if self.more_is_better else (self.value, self.goal)
        )
        return high / low


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Every figure, on what machine, and what the archive's bytes are."""

    machine: Mapping[str, str]
    figures: Sequence[Figure]
    parts: Mapping[str, float]


def measure(place: Path, *, messages: int, files: int, runs: int = 7) -> Measured:
    """Generate what is missing in the folder *place* and take every figure."""
    history, many = place / f"history-{messages}", place / f"files-{files}"
    if not history.exists():
        generate(history, messages=messages)
    if not many.exists():
        write_small_files(many, files)
    archive, small = place / "archive", place / "archive-of-files"
    for folder in (archive, small):
        shutil.rmtree(folder, ignore_errors=True)
    machine = {**the_machine(), **step("versions", history, archive)}
    size, figures = step_figures(history, archive)
    figures += cold(history, archive, runs=runs)
    figures += with_many_files(many, small, runs=runs)
    parts = {name: part / size["messages"] for name, part in size["parts"].items()}
    return Measured(machine=machine, figures=figures, parts=parts)


def step(name: str, history: Path, archive: Path) -> dict[str, Any]:
    """Run one of `speed_steps.py` and return what it says."""
    command = [sys.executable, str(STEPS), name, str(history), str(archive)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def step_figures(history: Path, archive: Path) -> tuple[dict[str, Any], list[Figure]]:
    first = step("sync", history, archive)
    size = step("size", history, archive)
    megabytes = first["bytes"] / 1e6
    figures = [
        Figure(
            name="first sync",
            value=megabytes / first["wall_s"],
            cpu=megabytes / first["cpu_s"],
            unit="MB/s",
            goal=8,
            more_is_better=True,
        ),
        Figure(
            name="first sync, the same",
            value=first["messages"] / first["wall_s"],
            cpu=first["messages"] / first["cpu_s"],
            unit="messages/s",
            more_is_better=True,
        ),
        Figure(
            name="first sync, peak memory",
            value=first["peak_bytes"] / 1e6,
            unit="MB",
            goal=300,
        ),
        Figure(
            name="archive",
            value=size["bytes"] / size["messages"],
            unit="bytes a message",
            goal=3500,
        ),
        *warm(history, archive),
    ]
    more = step("append", history, archive)
    figures.append(
        Figure(
            name="sync of one new message",
            value=more["wall_s"] * 1000,
            cpu=more["cpu_s"] * 1000,
            unit="ms",
        )
    )
    return size, figures


def warm(history: Path, archive: Path) -> Iterator[Figure]:
    for mode, times in step("warm", history, archive).items():
        cuts = quantiles(times, n=20, method="inclusive")
        name = f"warm search, {mode}"
        yield Figure(name=f"{name}, p50", value=median(times), unit="ms")
        yield Figure(name=f"{name}, p95", value=cuts[-1], unit="ms", goal=60)


def cold(history: Path, archive: Path, *, runs: int) -> Iterator[Figure]:
    for mode, goal in (("words", 120), ("both", 200)):
        for name, options in (("", ["--no-sync"]), (", files looked at first", [])):
            yield whole_process(
                f"cold search, {mode}{name}",
                ["search", "--mode", mode, *options, QUESTION],
                history,
                archive,
                runs=runs,
                goal=goal,
            )
    yield whole_process("doctor", ["doctor"], history, archive, runs=min(runs, 2))


def with_many_files(many: Path, archive: Path, *, runs: int) -> Iterator[Figure]:
    first = step("sync", many, archive)
    files = first["files"]
    yield Figure(
        name=f"first sync of {files} files of one message",
        value=files / first["wall_s"],
        cpu=files / first["cpu_s"],
        unit="files/s",
        more_is_better=True,
    )
    yield whole_process(
        f"sync of {files} files, nothing new",
        ["sync"],
        many,
        archive,
        runs=runs,
        goal=500 if files <= FEW_FILES else 1_000,
    )
    yield whole_process(
        f"cold search, words, {files} files looked at first",
        ["search", "--mode", "words", QUESTION],
        many,
        archive,
        runs=runs,
    )


def whole_process(
    name: str,
    arguments: Sequence[str],
    history: Path,
    archive: Path,
    *,
    runs: int,
    goal: float | None = None,
) -> Figure:
    """Return the median of what the `quoth` command takes, after one run to warm up."""
    environ = {**os.environ, "HOME": str(history), "QUOTH_HOME": str(archive)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed quoth is compiled
    command = [*quoth(), *arguments]
    times = [run(command, environ) for _ in range(runs + 1)][1:]
    return Figure(
        name=name,
        value=median(wall for wall, _ in times),
        cpu=median(cpu for _, cpu in times),
        unit="ms",
        goal=goal,
    )


def quoth() -> list[str]:
    script = Path(sys.executable).with_name("quoth")
    return [str(script)] if script.exists() else [sys.executable, "-m", "quoth"]


def run(command: Sequence[str], environ: Mapping[str, str]) -> tuple[float, float]:
    """Return the milliseconds one process took by the clock and of the processor."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return wall * 1000, (used.ru_utime + used.ru_stime) * 1000


def write_small_files(home: Path, files: int) -> None:
    """Write as many sessions of one prompt each, a hundred in a folder."""
    for number in range(files):
        session = f"00000000-0000-4000-8000-{number:012x}"
        folder = home / ".claude" / "projects" / f"-home-dana-place-{number // 100}"
        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "type": "user",
            "message": {"role": "user", "content": f"where was place {number} again?"},
            "uuid": f"10000000-0000-4000-8000-{number:012x}",
            "timestamp": "2026-03-02T10:00:00.000Z",
            "cwd": "/home/dana/place",
            "sessionId": session,
            "version": "2.1.71",
        }
        path = folder / f"{session}.jsonl"
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")


def the_machine() -> dict[str, str]:
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return next(names, platform.machine()).strip()


def report(measured: Measured) -> str:
    """Return the figures and the archive's parts as two tables in Markdown."""
    lines = [", ".join(f"{name} {value}" for name, value in measured.machine.items())]
    lines += ["", "| figure | measured | processor | unit | goal | ratio |"]
    lines += ["|---|---:|---:|---|---:|---:|"]
    lines += [row(figure) for figure in measured.figures]
    lines += ["", "| part of the archive | bytes a message |", "|---|---:|"]
    large = {name: part for name, part in measured.parts.items() if part >= SMALL_PART}
    large["the rest"] = sum(measured.parts.values()) - sum(large.values())
    lines += [f"| {name} | {part:,.0f} |" for name, part in large.items()]
    return "\n".join(lines)


def row(figure: Figure) -> str:
    cpu = "" if figure.cpu is None else number(figure.cpu)
    goal = "" if figure.goal is None else f"{figure.goal:,.0f}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    cells = (figure.name, number(figure.value), cpu, figure.unit, goal, ratio)
    return f"| {' | '.join(cells)} |"


def number(value: float) -> str:
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def main() -> None:
    """Measure what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(description="Measure quoth's speed and size.")
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="a folder to generate in and leave")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quoth-speed-") as temporary:
        measured = measure(
            options.keep or Path(temporary),
            messages=options.messages,
            files=options.files,
            runs=options.runs,
        )
    print(json.dumps(as_json(measured)) if options.json else report(measured))


def as_json(measured: Measured) -> dict[str, object]:
    """Return everything as plain values, each figure with its ratio."""
    figures = [{**asdict(figure), "ratio": figure.ratio} for figure in measured.figures]
    return {**asdict(measured), "figures": figures}


if __name__ == "__main__":
    main()
