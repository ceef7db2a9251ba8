"""Parsing shared by the commands: values of enums, days, keys; help in one style."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

import click

from quoth.errors import UsageError

from ._times import moment_from

__all__ = [
    "A_MESSAGE",
    "Reference",
    "as_json_option",
    "at_least",
    "choice_of",
    "day_or_moment",
    "epilog",
    "redact_option",
    "reference_from",
    "refuse_an_empty_range",
    "whole_text",
]

A_MESSAGE = "claude_code:8e25f7b1-d3a0-4c64-b917-6a0c4de8f211#4"
"""For the examples in the help; the demo has it."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_REFERENCE = re.compile(r"([^#@\s]+)(?:#(\d{1,9}))?(?:@[0-9a-f]{12})?")
_UNDECODED = re.compile("[\udc80-\udcff]+")
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


def at_least(minimum: int) -> Callable[[str], int]:
    """Return a type for click: a whole number. Its own range type clutters the help."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError as error:
            raise click.BadParameter(f"{text!r} is no whole number.") from error
        if number < minimum:
            raise click.BadParameter(f"{number} is less than {minimum}.")
        return number

    convert.__name__ = "whole number"
    return convert


def day_or_moment(*, end: bool) -> Callable[[str], datetime]:
    """Return a type for click: a day's beginning, or with *end* its end."""

    def convert(text: str) -> datetime:
        now = click.get_current_context().obj.now()
        try:
            return moment_from(text, now=now, end=end)
        except ValueError as error:
            raise click.BadParameter(
                f"{text!r} is neither a day (2026-05-01, today, yesterday, 7d, 3w) "
                "nor a moment (2026-05-01T14:00)."
            ) from error

    return convert


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A conversation's key, and perhaps a message of it."""

    key: str
    seq: int | None


def reference_from(text: str) -> Reference:
    """Return what `KEY`, `KEY#SEQ` or a whole citation names.

    Raises:
        UsageError: the text is none of them.
    """
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise UsageError(
            "That is no key of a conversation.",
            hint="A key looks like claude_code:0f3a..., with #12 for one message.",
        )
    return Reference(key=found[1], seq=int(found[2]) if found[2] else None)


def refuse_an_empty_range(since: datetime | None, until: datetime | None) -> None:
    """Raise UsageError where no moment lies between the two."""
    if since and until and since >= until:
        raise UsageError(
            "The range is empty: --since is after --until.",
            hint="Swap the two, or leave one off.",
        )


def whole_text(text: str) -> str:
    """Return *text* with bytes that Python could not decode read as UTF-8.

    In the C locale those are all beyond ASCII. What is no UTF-8 either is replaced.
    """
    decoded = _UNDECODED.sub(_as_utf8, text)
    return _LONE_SURROGATES.sub("\ufffd", decoded)


def _as_utf8(undecoded: re.Match[str]) -> str:
    return undecoded[0].encode("ascii", "surrogateescape").decode("utf-8", "replace")


def choice_of(values: type[StrEnum]) -> click.Choice[str]:
    return click.Choice([value.value for value in values], case_sensitive=False)


def as_json_option(function: _Function) -> _Function:
    option = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document instead."
    )
    return option(function)


def redact_option(function: _Function) -> _Function:
    option = click.option(
        "--redact",
        "redacted",
        is_flag=True,
        help="Replace names, addresses and home folders in what is printed, so that it "
        "can be passed on: as `quoth redact` does.",
    )
    return option(function)


def epilog(*examples: str) -> str:
    """Return the examples as click keeps them: a block it must not fill."""
    lines = "\n".join(f"  {example}" for example in examples)
    return f"\b\nFor example:\n{lines}"
