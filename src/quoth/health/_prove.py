"""Prove from outside that nothing leaves: run every command where all is watched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final

from ._proof import Control, Obstacle, Packet, Proof, Run, Written
from ._prove_folders import search_path
from ._prove_inside import Plan
from ._prove_recipes import STEPS

__all__ = ["prove"]

_PACKAGES: Final = {"unshare": "util-linux", "mount": "mount", "ip": "iproute2"}
"""The programs that make the network, and what Debian and others call their package."""
_RIGHTS: Final = ((), ("--map-root-user",))
"""As who one is, or as root of a namespace of one's own."""
_NAMESPACE: Final = ("--net", "--mount", "--pid", "--fork", "--kill-child")


def prove(
    *,
    commands: Sequence[str],
    histories: Mapping[str, Path],
    question: str,
    dwell_s: float = 0.0,
    network: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Return what every command sends and writes, for a person who doesn't exist.

    Where no network can be made for it, only what is written is watched.

    Args:
        commands: by the words that call each.
        histories: the folder that each source is to read, copied first.
        question: finds something in them.
        dwell_s: how long a process with all of quoth loaded is watched.
        network: without one only files are watched, for who watches the rest.
        progress: is called with what is run next.
    """
    began = time.monotonic()
    known = {step.command for step in STEPS}
    environ = {**os.environ, "PATH": search_path(os.environ)}
    plan = Plan(
        histories=dict(histories),
        commands=list(commands),
        question=question,
        dwell_s=dwell_s,
    )
    entrance = _entrance(environ) if network else ()
    if isinstance(entrance, Obstacle):
        found = _Found(obstacle=entrance)
    else:
        found = _rehearsed(plan, environ, progress, entrance=entrance)
    if found.obstacle is not None:
        without = _rehearsed(plan, environ, progress)
        found = replace(without, obstacle=found.obstacle)
    return Proof(
        obstacle=found.obstacle,
        controls=found.controls,
        runs=found.runs,
        unused=tuple(name for name in commands if name not in known),
        written=found.written,
        dwell_s=dwell_s,
        took_s=time.monotonic() - began,
    )


def _entrance(environ: Mapping[str, str]) -> Sequence[str] | Obstacle:
    """Return what starts a process in a network of its own, or why nothing can."""
    if sys.platform != "linux":
        return Obstacle(says="Only Linux can give a process a network of its own.")
    for program, package in _PACKAGES.items():
        if shutil.which(program, path=environ["PATH"]) is None:
            return Obstacle(
                says=f"The program `{program}` is missing.",
                advice=f"Install the package {package}.",
            )
    said = ""
    for rights in _RIGHTS:
        command = ("unshare", *rights, *_NAMESPACE)
        tried = subprocess.run(  # noqa: S603 - fixed words
            [*command, "true"],
            check=False,
            capture_output=True,
            env=environ,
            text=True,
        )
        if not tried.returncode:
            return command
        said = said or " ".join(tried.stderr.split())
    return Obstacle(
        says=f"No process may have a network of its own here: `{said}`",
        advice="Run it as root, or outside of the container.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the inner process found."""

    obstacle: Obstacle | None = None
    controls: tuple[Control, ...] = ()
    runs: tuple[Run, ...] = ()
    written: tuple[Written, ...] = ()


def _rehearsed(
    plan: Plan,
    environ: Mapping[str, str],
    progress: Callable[[str], None],
    *,
    entrance: Sequence[str] = (),
) -> _Found:
    command = [*entrance, sys.executable, "-P", "-m", "quoth.health._prove_inside"]
    with (
        TemporaryDirectory(prefix="quoth-proof-") as folder,
        TemporaryFile(dir=folder) as complaints,
    ):
        asked = plan.to_json(folder=Path(folder), network=bool(entrance))
        with subprocess.Popen(  # noqa: S603 - fixed words, and this Python
            command,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
        ) as process:
            try:
                found = _heard(process, asked, progress)
            finally:  # of what it started nothing goes on, either
                process.kill()
        if found is not None:
            return found
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "replace")
    raise RuntimeError(f"The inner process of the proof failed.\n{said}")


def _heard(
    process: subprocess.Popen[str], asked: str, progress: Callable[[str], None]
) -> _Found | None:
    assert process.stdin is not None  # noqa: S101 - both were asked for
    assert process.stdout is not None  # noqa: S101
    with suppress(BrokenPipeError), process.stdin as inlet:
        inlet.write(asked)
    for line in process.stdout:
        said: dict[str, Any] = json.loads(line)
        if "starting" not in said:
            return _found(**said)
        progress(said["starting"])
    return None


def _found(
    *,
    obstacle: dict[str, Any] | None = None,
    controls: Sequence[dict[str, Any]] = (),
    runs: Sequence[dict[str, Any]] = (),
    written: Sequence[dict[str, Any]] = (),
) -> _Found:
    return _Found(
        obstacle=Obstacle(**obstacle) if obstacle else None,
        controls=tuple(Control(**each) for each in controls),
        runs=tuple(_run(**each) for each in runs),
        written=tuple(Written(**each) for each in written),
    )


def _run(
    *, packets: Sequence[dict[str, Any]], outside: Sequence[str], **rest: Any
) -> Run:
    sent = tuple(Packet(**each) for each in packets)
    return Run(packets=sent, outside=tuple(outside), **rest)
