"""How each command is used in a proof. One that is missing here is never proven."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final

__all__ = [
    "CITATION",
    "EVERYTHING",
    "EXPORT",
    "QUESTION",
    "SERVER",
    "STEPS",
    "Step",
    "steps_of",
]

QUESTION: Final = "QUESTION"
CITATION: Final = "CITATION"
EXPORT: Final = "EXPORT"
SERVER: Final = "SERVER"
"""Words that stand for what is only known when it is run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One use of a command: what is typed, what it reads, how it ends.

    `needs` is another command without which it means nothing.
    """

    command: str
    words: tuple[str, ...] = ()
    reads: str = ""
    ends: int = 0
    needs: str = ""

    @property
    def asks_server(self) -> bool:
        return any(SERVER in word for word in self.words)


def _used(command: str, *several: str, needs: str = "") -> tuple[Step, ...]:
    return tuple(
        Step(command=command, words=tuple(words.split()), needs=needs)
        for words in several
    )


_TEXT: Final = "Ask ada@example.com, or look in /home/ada/plans.\n"
_ASKED: Final = (
    *_used("embed", "", needs="models use"),
    *_used("search", f"{QUESTION} --mode meaning", QUESTION, needs="models use"),
    *_used("status", "", needs="models use"),
    *_used("doctor", "", needs="models use"),
)
"""What asks the server that was chosen."""

STEPS: Final = (
    *_used("", "--version", "--help"),
    *_used("sync", "", "--json"),
    *_used("import", EXPORT),
    *_used("embed", "", "--retry", "--prune"),
    *_used("sources", ""),
    *_used("status", ""),
    *_used(
        "search",
        f"{QUESTION} --json",
        f"{QUESTION} --mode both",
        f"{QUESTION} --mode words",
        f"{QUESTION} --mode meaning",
        f"{QUESTION} --unit message",
        f"{QUESTION} --redact",
    ),
    *_used("show", "1", "1 --around 2", "1 --redact"),
    *_used("verify", CITATION),
    Step(command="redact", reads=_TEXT),
    Step(command="redact", words=("--secrets-only",), reads=_TEXT),
    Step(command="redact", words=("--report",), reads=_TEXT),
    *_used("config list", ""),
    *_used("config get", "home"),
    *_used("config set", "sync_before_search false"),
    *_used("config unset", "sync_before_search"),
    *_used("config path", ""),
    *_used("demo", "", QUESTION),
    *_used("doctor", "", "--deep", "--repair"),
    *_used("models list", "", f"ollama --endpoint {SERVER}"),
    *_used("models pull", f"proof --endpoint {SERVER} --yes"),
    *_used("models use", f"ollama proof --endpoint {SERVER}"),
    *_ASKED,
    *_used("models use", f"openai proof --endpoint {SERVER}/v1"),
    *_ASKED,
    *_used("models use", "static"),
    Step(command="models add", words=(EXPORT,), ends=1),  # it is no model
    *_used("models remove", "minilm --yes"),
    *_used(
        "forget",
        "--source codex --dry-run",
        "--source codex --yes",
        "--list",
        "--undo 1",
    ),
)
"""All that is done, in this order. The command without a name is `quoth` itself."""


def steps_of(commands: Container[str]) -> Iterator[Step]:
    """Yield the steps of some commands, and of the program itself."""
    for step in STEPS:
        if (not step.command or step.command in commands) and (
            not step.needs or step.needs in commands
        ):
            yield step


EVERYTHING: Final = """\
import importlib, pkgutil, sys, time
import quoth
for found in pkgutil.walk_packages(quoth.__path__, "quoth."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
time.sleep(float(sys.argv[1]))
"""
"""A process with all of quoth in it, and all that it imports, that stays for a while.

Some packages report home only once they have been loaded for some seconds.
"""
