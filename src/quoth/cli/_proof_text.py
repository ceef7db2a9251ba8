"""What a proof found, for people."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.health import Packet, Proof, Run, Shown

from ._layout import counted, duration, folded
from ._terminal import Terminal

__all__ = ["proof_text"]

_MARKS = {Shown.KEPT: "ok", Shown.BROKEN: "BROKEN", Shown.UNKNOWN: "UNKNOWN"}
_MARGIN = 10
_MOST_NAMED = 20


def proof_text(proof: Proof, *, terminal: Terminal) -> str:
    """Return what was shown of each promise, and by which runs."""
    lines = [
        terminal.bold("Connections"),
        *_part(proof.connections, _of_connections(proof), terminal),
        "",
        terminal.bold("Files"),
        *_part(proof.files, _of_files(proof), terminal),
        "",
        terminal.bold("What was run, the packets it sent, the files it wrote outside"),
    ]
    for run in proof.runs:
        lines += _run(run, terminal, is_watched=proof.watched)
    lines += ["", *folded(_summary(proof), terminal.width)]
    return "\n".join(lines)


def _part(shown: Shown, sentences: Iterator[str], terminal: Terminal) -> Iterator[str]:
    mark = f"  {_MARKS[shown]}".ljust(_MARGIN)
    first, *others = sentences
    start, *rest = _indented(first, _MARGIN, terminal)
    styled = terminal.dim if shown is Shown.KEPT else terminal.bold
    yield styled(mark) + start[_MARGIN:]
    yield from rest
    for sentence in others:
        yield from _indented(sentence, _MARGIN, terminal)


def _of_connections(proof: Proof) -> Iterator[str]:
    if proof.obstacle is not None:
        yield f"What is sent could not be counted. {proof.obstacle.says}"
        if proof.obstacle.advice:
            yield f"To do: {proof.obstacle.advice}"
        return
    yield f"{counted(proof.packets, 'packet')} left."
    if proof.watched:
        names = ", ".join(control.name for control in proof.controls)
        yield (
            "Every run had a network whose only way out ended in a listener. Before"
            f" them, what is known to send was counted there: {names}."
        )
    else:
        missed = [each.name for each in proof.controls if not each.counted]
        yield (
            "That proves nothing: the proof itself doesn't work here. Not counted,"
            f" although it was sent: {', '.join(missed)}."
        )


def _of_files(proof: Proof) -> Iterator[str]:
    times = counted(proof.outside, "file")
    yield f"{times} written outside of the data folder."
    yield (
        "Compared before and after every run: the home, the cache, settings and state"
        " folders, the temporary and the working folder of an invented person."
    )


def _run(run: Run, terminal: Terminal, *, is_watched: bool) -> Iterator[str]:
    packets = str(len(run.packets)) if is_watched else "?"
    numbers = f"{packets:>5}{len(run.outside):>4} "
    yield from _hanging(numbers, run.typed, terminal)
    details = [
        *_few([f"sent: {_sent(packet)}" for packet in run.packets]),
        *_few([f"written: {path}" for path in run.outside]),
        *([f"failed: {run.failure}"] if run.failure else []),
    ]
    for detail in details:
        yield from _indented(detail, _MARGIN + 2, terminal)


def _few(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_NAMED
    return lines if more <= 0 else [*lines[:_MOST_NAMED], f"and {more:,} more"]


def _hanging(start: str, text: str, terminal: Terminal) -> list[str]:
    first, *rest = _indented(text, len(start), terminal)
    return [start + first[len(start) :], *rest]


def _sent(packet: Packet) -> str:
    port = "" if packet.port is None else f", port {packet.port}"
    about = f", asking for {packet.about}" if packet.about else ""
    return f"{packet.protocol} to {packet.to}{port}{about}"


def _indented(text: str, margin: int, terminal: Terminal) -> list[str]:
    return folded(" " * margin + text, terminal.width)


def _summary(proof: Proof) -> str:
    took = f"{counted(len(proof.runs), 'run')} in {duration(proof.took_s)}"
    if proof.proven:
        return f"Proven: nothing left, and nothing was written elsewhere. {took}."
    failed = sum(run.failure is not None for run in proof.runs)
    why = [
        *([f"{counted(proof.packets, 'packet')} left"] if proof.packets else []),
        *([] if proof.watched else ["connections could not be watched"]),
        *([f"{counted(proof.outside, 'file')} written"] if proof.outside else []),
        *([f"{counted(failed, 'run')} failed"] if failed else []),
        *([f"not tried: {', '.join(proof.unused)}"] if proof.unused else []),
    ]
    return f"Not proven: {'; '.join(why)}. {took}."
