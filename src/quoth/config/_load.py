"""The settings, read in one place and handed down as arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from quoth.model import EmbedderChoice, EmbedderKind, NeverIndex, RankingChoice

from ._file import CONFIG_FILE, parsed, text_of
from ._kinds import Value, folder_from
from ._table import (
    AUTOMATIC,
    EMBEDDING,
    EMBEDDING_TABLE,
    HOME,
    NEVER_INDEX,
    NEVER_INDEX_TABLE,
    PATHS_TABLE,
    RANKING,
    RANKING_TABLE,
    REDACT_TABLE,
    SYNC_BEFORE_SEARCH,
    TABLES,
    Setting,
    checked,
    for_rule,
    for_source,
    setting_named,
)

__all__ = [
    "Chosen",
    "Origin",
    "Settings",
    "chosen_settings",
    "home_of",
    "load_settings",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person can choose. `home` is an absolute folder, which may not exist.

    Attributes:
        paths: By the source's name, where else its history is.
        never_index: What stays out of the archive.
        patterns: By their name, what is a secret besides what quoth knows for one.
        embedding: What turns text into vectors.
        ranking: What counts in a score besides what was learned.
    """

    home: Path
    sync_before_search: bool = True
    paths: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    never_index: NeverIndex = field(default_factory=NeverIndex)
    patterns: Mapping[str, str] = field(default_factory=dict)
    embedding: EmbedderChoice = field(default_factory=EmbedderChoice)
    ranking: RankingChoice = field(default_factory=RankingChoice)


class Origin(StrEnum):
    """Where the value of a setting comes from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A setting with its value, its default, and where the value comes from."""

    setting: Setting
    value: Value
    default: Value
    origin: Origin


def load_settings(environ: Mapping[str, str], *, home_dir: Path) -> Settings:
    """Return the settings of the environment and of the file in quoth's folder.

    Args:
        home_dir: the person's own folder, which `~` in a path stands for.

    Raises:
        SettingError: a setting is unknown or bad, or the file can't be read.
    """
    home = home_of(environ, home_dir=home_dir)
    values = _values(home / CONFIG_FILE, home_dir=home_dir)
    switch = values.pop(SYNC_BEFORE_SEARCH.name, SYNC_BEFORE_SEARCH.default)
    return Settings(
        home=home,
        sync_before_search=switch is True,
        paths=dict(_of_table(PATHS_TABLE, values)),
        never_index=NeverIndex(**dict(_of_table(NEVER_INDEX_TABLE, values))),
        patterns=dict(_of_table(REDACT_TABLE, values)),
        embedding=_embedding(dict(_of_table(EMBEDDING_TABLE, values))),
        ranking=RankingChoice(**dict(_of_table(RANKING_TABLE, values))),
    )


def _embedding(values: Mapping[str, str]) -> EmbedderChoice:
    """Return the choice; what isn't written down stays as a choice has it."""
    prefixes = {
        name: None if values[name] == AUTOMATIC else values[name]
        for name in ("query_prefix", "document_prefix")
        if name in values
    }
    return EmbedderChoice(
        kind=EmbedderKind(values.get("embedder", EmbedderKind.STATIC)),
        model=values.get("model", ""),
        endpoint=values.get("endpoint", ""),
        **prefixes,
    )


def chosen_settings(
    environ: Mapping[str, str], *, home_dir: Path, sources: Sequence[str]
) -> tuple[Chosen, ...]:
    """Return every setting there is: a source's for each, a rule's for each written.

    Raises:
        SettingError: a setting is unknown or bad, or the file can't be read.
        UnknownSourceError: one is for a source that isn't among *sources*.
    """
    home = home_of(environ, home_dir=home_dir)
    found = _values(home / CONFIG_FILE, home_dir=home_dir)
    for name in found:
        setting_named(name, sources=sources)
    if _given_home(environ):
        found[HOME.name] = home
    settings = (
        HOME,
        SYNC_BEFORE_SEARCH,
        *map(for_source, sources),
        *NEVER_INDEX,
        *EMBEDDING,
        *RANKING,
        *(for_rule(rule) for rule, _ in _of_table(REDACT_TABLE, found)),
    )
    return tuple(_chosen(setting, found) for setting in settings)


def home_of(environ: Mapping[str, str], *, home_dir: Path) -> Path:
    """Return the folder for everything quoth keeps, absolute."""
    given = _given_home(environ)
    return folder_from(given, home_dir).absolute() if given else _usual_home()


def _given_home(environ: Mapping[str, str]) -> str:
    return environ.get(HOME.variable or "", "")


def _usual_home() -> Path:
    # Imported here: whoever names a folder doesn't pay for finding the default one.
    from platformdirs import user_data_path

    return user_data_path("quoth").absolute()


def _chosen(setting: Setting, found: Mapping[str, Value]) -> Chosen:
    default = _usual_home() if setting.default is None else setting.default
    value = found.get(setting.name)
    if value is None:
        origin = Origin.DEFAULT
    else:
        origin = Origin.FILE if setting.kind else Origin.ENVIRONMENT
    return Chosen(
        setting=setting,
        value=default if value is None else value,
        default=default,
        origin=origin,
    )


def _of_table(table: str, values: Mapping[str, Value]) -> Iterator[tuple[str, Any]]:
    """Yield the entries of one table, whose kind is known by its name alone."""
    for name, value in values.items():
        head, _, key = name.partition(".")
        if head == table:
            yield key, value


def _values(path: Path, *, home_dir: Path) -> dict[str, Value]:
    """Return what the file says, checked, by the setting's name."""
    return {
        name: checked(
            setting_named(name, where=path), written, home_dir=home_dir, where=path
        )
        for name, written in _entries(parsed(text_of(path), path))
    }


def _entries(table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield every entry under its whole name: `paths.codex` is one of a table."""
    for key, value in table.items():
        if isinstance(value, dict) and (value or key in TABLES):
            yield from ((f"{key}.{inner}", one) for inner, one in value.items())
        else:
            # A key that was written with a dot in it is no entry of a table.
            yield (f'"{key}"' if "." in key else key), value
