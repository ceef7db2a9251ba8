"""The settings, for people."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from quoth.config import Chosen, Origin, Value

from ._clean import clean_for_terminal
from ._layout import folded, one_line
from ._terminal import Terminal

__all__ = ["settings_text", "value_lines"]


def settings_text(file: Path, settings: Sequence[Chosen], *, terminal: Terminal) -> str:
    """Return every setting on a line, below the file they can be written in."""
    head = terminal.bold(one_line(str(file)))
    if not os.path.lexists(file):
        head += " (not there yet)"
    lines = [line for each in settings for line in _lines(each, terminal)]
    return "\n".join([head, *lines])


def value_lines(value: Value) -> list[str]:
    """Return a value as a person would write it, each item of a list on a line."""
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, float):
        return [f"{value:g}"]
    if isinstance(value, tuple):
        return [line for one in value for line in value_lines(one)]
    return [clean_for_terminal(str(value), keep_newlines=False)]


def _lines(chosen: Chosen, terminal: Terminal) -> list[str]:
    origin = chosen.origin.value
    if chosen.origin is Origin.ENVIRONMENT:
        origin = f"${chosen.setting.variable}"
    if chosen.origin is not Origin.DEFAULT:
        origin += f"; default: {_short(chosen.default)}"
    text = f"{chosen.setting.name} = {_short(chosen.value)} ({origin})"
    return folded(text, terminal.width)


def _short(value: Value) -> str:
    return ", ".join(value_lines(value)) or "none"
