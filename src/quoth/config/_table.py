"""The table of all settings: parsing, checking, help and documentation follow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quoth.errors import SettingError, UnknownSourceError

from ._kinds import PLACES, SWITCH, Kind, Value

__all__ = [
    "HOME",
    "PATHS_TABLE",
    "SETTINGS",
    "SYNC_BEFORE_SEARCH",
    "Setting",
    "checked",
    "for_source",
    "setting_named",
]

PATHS_TABLE = "paths"
_SOURCE = "<source>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing to choose. In `name`, `<source>` stands for the name of a source.

    Attributes:
        meaning: One sentence, for the help and for documentation.
        default: The value where nothing else is chosen; None when the platform says.
        kind: The type of what stands in the file; None when it can't stand there.
        variable: The environment variable that it is chosen with instead.
    """

    name: str
    meaning: str
    default: Value | None
    kind: Kind | None = None
    variable: str | None = None


HOME = Setting(
    name="home",
    meaning="The folder for everything quoth keeps.",
    default=None,
    variable="QUOTH_HOME",
)
SYNC_BEFORE_SEARCH = Setting(
    name="sync_before_search",
    kind=SWITCH,
    meaning="Whether a search first takes up to 0.3 seconds to read what is new.",
    default=True,
)
_PATHS = Setting(
    name=f"{PATHS_TABLE}.{_SOURCE}",
    kind=PLACES,
    meaning="Where a sync looks for that source's history too, after its own places.",
    default=(),
)

SETTINGS = (HOME, SYNC_BEFORE_SEARCH, _PATHS)


def for_source(source: str) -> Setting:
    """Return the setting of one source's further places."""
    return replace(_PATHS, name=_PATHS.name.replace(_SOURCE, source))


def setting_named(
    name: str, *, sources: Sequence[str] | None = None, where: Path | None = None
) -> Setting:
    """Return the setting of that name.

    Args:
        sources: The sources there are; without them any possible name is one.
        where: The file the name was found in, for the error.

    Raises:
        SettingError: There is no such setting.
        UnknownSourceError: It is for a source there isn't.
    """
    for setting in SETTINGS:
        if setting.name == name and setting is not _PATHS:
            return setting
    source = _source_in(name)
    if source is None:
        raise _unknown(name, where=where)
    if sources is not None and source not in sources:
        raise UnknownSourceError(source, known=sources)
    return for_source(source)


def checked(
    setting: Setting, written: object, *, home_dir: Path, where: Path | None = None
) -> Value:
    """Return the value of what stands, or is to stand, in the file.

    Raises:
        SettingError: The setting can't have this value, or can't stand in a file.
    """
    if setting.kind is None:
        raise SettingError(
            f"{setting.name} cannot stand in {where or 'a file'}.",
            hint=f"Set the environment variable {setting.variable} instead.",
        )
    try:
        return setting.kind.from_file(written, home_dir)
    except ValueError as error:
        place = f" in {where}" if where else ""
        raise SettingError(f"{setting.name}{place} {error}.") from error


def _unknown(name: str, *, where: Path | None) -> SettingError:
    usual = _USUAL.fullmatch(name)
    if where:
        shown = name if usual else "one with an unusual name"
        message = f"{where} has an unknown setting: {shown}."
    else:
        message = (
            f"There is no setting {name}."
            if usual
            else "There is no setting of that name."
        )
    return SettingError(message, hint=_suggestion(name))


def _suggestion(name: str) -> str:
    from difflib import get_close_matches

    head, _, rest = name.partition(".")
    heads = {setting.name.partition(".")[0]: setting for setting in SETTINGS}
    known = f"Settings: {', '.join(setting.name for setting in SETTINGS)}."
    close = get_close_matches(head, heads, n=1)
    if not close:
        return known
    meant = heads[close[0]]
    if meant is _PATHS and _SOURCE_NAME.fullmatch(rest):
        meant = for_source(rest)
    return f"Did you mean {meant.name}? {known}"


def _source_in(name: str) -> str | None:
    source = name.removeprefix(f"{PATHS_TABLE}.")
    return source if source != name and _SOURCE_NAME.fullmatch(source) else None


_USUAL = re.compile(r"[A-Za-z0-9_.<>-]{1,64}")
_SOURCE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
