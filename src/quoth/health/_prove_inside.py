"""The inner process of a proof: runs every command and watches what each does.

It reads what to do from standard input and prints what it found, as lines of JSON. It
is a process of its own since a network namespace is one of a process and its children.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from ._proof import Control, Run, Written
from ._prove_folders import Person, State, make_person
from ._prove_recipes import (
    CITATION,
    EVERYTHING,
    EXPORT,
    QUESTION,
    SERVER,
    Step,
    steps_of,
)
from ._prove_route import NoRouteError, Route
from ._prove_server import model_server

__all__ = ["Plan"]

_LONGEST_S: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be run."""

    histories: Mapping[str, Path]
    commands: Sequence[str]
    question: str
    dwell_s: float

    def to_json(self, *, folder: Path, network: bool) -> str:
        """Return it with where to run it, and whether in a network made for it."""
        plan = {**asdict(self), "folder": folder, "network": network}
        return json.dumps(plan, default=str)


class _Rehearsal:
    """Every command, one after the other, and what was seen of each."""

    def __init__(
        self, plan: Plan, person: Person, route: Route | None, *, server: str
    ) -> None:
        self._plan = plan
        self._person = person
        self._route = route
        self._environ = person.environ(os.environ)
        self._meanings = {
            QUESTION: plan.question,
            EXPORT: person.export.name,
            SERVER: server,
        }
        self.written: dict[str, Written] = {}

    def runs(self, *, starting: Callable[[str], None]) -> Iterator[Run]:
        """Run all there is to run, and yield what was seen of each."""
        for step in steps_of(self._plan.commands):
            words = [*step.command.split(), *map(self._meant, step.words)]
            typed = shlex.join(["quoth", *words])
            starting(typed)
            yield self._watched(typed, ["-m", "quoth", *words], step)
        dwell = f"{self._plan.dwell_s:g}"
        typed = f"all modules of quoth, loaded for {dwell} s"
        starting(typed)
        yield self._watched(typed, ["-P", "-c", EVERYTHING, dwell], Step(command=""))

    def _meant(self, word: str) -> str:
        for stands_for, meant in self._meanings.items():
            word = word.replace(stands_for, meant)
        return word

    def _watched(self, typed: str, arguments: Sequence[str], step: Step) -> Run:
        before = self._person.state_outside()
        failure = self._run(arguments, step)
        packets = self._route.packets() if self._route else ()
        self.written |= {each.path: each for each in self._person.written()}
        return Run(
            typed=typed,
            packets=packets or (),
            outside=tuple(_differing(before, self._person.state_outside())),
            failure="What it sent was not counted." if packets is None else failure,
        )

    def _run(self, arguments: Sequence[str], step: Step) -> str | None:
        """Run a process of quoth; return why it didn't do its work."""
        try:
            ended = subprocess.run(  # noqa: S603 - this Python, and words of ours
                [sys.executable, *arguments],
                check=False,
                capture_output=True,
                cwd=self._person.workdir,
                encoding="utf-8",
                env=self._environ,
                errors="replace",
                input=step.reads,
                timeout=_LONGEST_S + self._plan.dwell_s,
            )
        except subprocess.TimeoutExpired:
            return "It didn't end."
        # A bug ends with the status of a refusal.
        if ended.returncode != step.ends or "Traceback (most" in ended.stderr:
            said = ended.stderr.strip().splitlines()[-1:] or ["It said nothing."]
            return f"It ended with status {ended.returncode}: {said[0]}"
        if step.words == (QUESTION, "--json"):
            (best, *_) = json.loads(ended.stdout)["hits"]
            self._meanings[CITATION] = best["citation"]
        return None


def _differing(before: State, after: State) -> list[str]:
    return sorted(
        path
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    )


def _rehearse(*, folder: str, network: bool, **planned: Any) -> None:
    plan = Plan(**planned)
    person = make_person(Path(folder), plan.histories)
    controls: tuple[Control, ...] = ()
    environ = person.environ(os.environ)
    with ExitStack() as stack:
        route = None
        if network:
            route = stack.enter_context(Route(environ, scratch=Path(folder)))
            _say(starting="what is known to send")
            controls = route.controls()
            route.packets()
        server = ""
        if any(step.asks_server for step in steps_of(plan.commands)):
            server = stack.enter_context(model_server(environ))
        rehearsal = _Rehearsal(plan, person, route, server=server)
        runs = [*rehearsal.runs(starting=lambda typed: _say(starting=typed))]
    _say(
        controls=[asdict(each) for each in controls],
        runs=[asdict(each) for each in runs],
        written=[asdict(each) for _, each in sorted(rehearsal.written.items())],
    )


def _say(**values: object) -> None:
    sys.stdout.write(f"{json.dumps(values)}\n")
    sys.stdout.flush()


def _main() -> None:
    try:
        _rehearse(**json.loads(sys.stdin.read()))
    except NoRouteError as error:
        _say(obstacle=asdict(error.obstacle))


if __name__ == "__main__":
    _main()
