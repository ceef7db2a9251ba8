"""Which sources there are: quoth's own, then those other packages register."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from quoth.model import Fact, UnloadedSource

from ._entry_points import Registered, registered
from ._protocol import Source
from .chatgpt import ChatGpt
from .claude_ai import ClaudeAi
from .claude_code import ClaudeCode
from .claude_prompts import ClaudePrompts
from .codex import Codex
from .gemini_cli import GeminiCli
from .generic import Generic
from .specstory import SpecStory

__all__ = ["BUILTIN_SOURCES", "Installed", "installed", "installed_sources"]

BUILTIN_SOURCES: tuple[Source, ...] = (
    ClaudeCode(),
    ClaudePrompts(),
    Codex(),
    GeminiCli(),
    ChatGpt(),
    ClaudeAi(),
    SpecStory(),
    Generic(),
)
"""In the order they are asked whether a file is theirs; `generic` takes the rest."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_METHODS = ("default_roots", "discover", "read", "recognises", "read_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The sources there are, the package of each that is not quoth's, and the broken.

    `packages` is by the source's name.
    """

    sources: tuple[Source, ...]
    packages: Mapping[str, str]
    unloaded: tuple[UnloadedSource, ...]


def installed_sources() -> tuple[Source, ...]:
    """Return the built-in sources, then those other packages register."""
    return installed().sources


@cache
def installed() -> Installed:
    """Return every source that can be used, and what is known of the others.

    A package that can't be loaded costs only the source it would bring.
    """
    sources, packages = [*BUILTIN_SOURCES], dict[str, str]()
    unloaded: list[UnloadedSource] = []
    for point in registered():
        names = [source.name for source in sources]
        found = _loaded(point, names)
        if isinstance(found, str):
            unloaded.append(
                UnloadedSource(name=point.name, package=point.package, reason=found)
            )
        else:
            # Before `generic`: a format that somebody knows is not left to guesses.
            sources.insert(len(sources) - 1, found)
            packages[found.name] = point.package
    return Installed(
        sources=tuple(sources), packages=packages, unloaded=tuple(unloaded)
    )


def _loaded(point: Registered, taken: list[str]) -> Source | str:
    """Return the source that an entry point stands for, or why it can't be used."""
    try:
        module, _, attribute = point.value.partition(":")
        source = getattr(import_module(module), attribute)()
    except (Exception, SystemExit) as exc:
        # Imported here: almost nobody has a package that is broken.
        from ._bounds import title_line

        return title_line(f"{type(exc).__name__}: {exc}")
    faults = [*_faults(source, taken)]
    return "; ".join(faults) or source


def _faults(source: object, taken: list[str]) -> Iterator[str]:
    """Yield what keeps an object from being a source."""
    name = getattr(source, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        yield "its name is not of small letters, digits and _"
    elif name in taken:
        yield f"there is a source {name} already"
    if not isinstance(getattr(source, "parser_version", None), int):
        yield "its parser_version is no number"
    facts = getattr(source, "facts", None)
    if not isinstance(facts, frozenset) or not facts <= set(Fact):
        yield "its facts are no frozenset of Fact"
    for method in _METHODS:
        if not callable(getattr(source, method, None)):
            yield f"it has no method {method}"
