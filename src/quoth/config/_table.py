"""The table of all settings: parsing, checking, help and documentation follow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quoth.errors import SettingError, UnknownSourceError
from quoth.model import EmbedderKind, RankingChoice

from ._kinds import (
    ENDPOINT,
    GLOBS,
    PATTERN,
    PLACES,
    SWITCH,
    TEXT,
    Kind,
    Value,
    number,
    one_of,
    texts,
)

__all__ = [
    "AUTOMATIC",
    "EMBEDDING",
    "EMBEDDING_TABLE",
    "HOME",
    "NEVER_INDEX",
    "NEVER_INDEX_TABLE",
    "PATHS_TABLE",
    "RANKING",
    "RANKING_TABLE",
    "REDACT_TABLE",
    "SETTINGS",
    "SYNC_BEFORE_SEARCH",
    "TABLES",
    "Setting",
    "checked",
    "for_rule",
    "for_source",
    "setting_named",
]

PATHS_TABLE = "paths"
REDACT_TABLE = "redact"
NEVER_INDEX_TABLE = "never_index"
EMBEDDING_TABLE = "embedding"
RANKING_TABLE = "ranking"
TABLES = (PATHS_TABLE, NEVER_INDEX_TABLE, EMBEDDING_TABLE, RANKING_TABLE, REDACT_TABLE)
AUTOMATIC = "auto"
_SOURCE, _RULE = "<source>", "<rule>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing to choose.

    In `name`, `<source>` stands for the name of a source, `<rule>` for any name.

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

NEVER_INDEX = (
    Setting(
        name=f"{NEVER_INDEX_TABLE}.paths",
        kind=GLOBS,
        meaning="Conversations in these files, or about these folders, stay out.",
        default=(),
    ),
    Setting(
        name=f"{NEVER_INDEX_TABLE}.repositories",
        kind=texts("names", shortest=2),
        meaning="Conversations about these repositories or folders stay out.",
        default=(),
    ),
    Setting(
        name=f"{NEVER_INDEX_TABLE}.markers",
        kind=texts("texts", shortest=4),
        meaning="Conversations in which somebody wrote one of these texts stay out.",
        default=(),
    ),
)
EMBEDDING = (
    Setting(
        name=f"{EMBEDDING_TABLE}.embedder",
        kind=one_of([kind for kind in EmbedderKind if kind is not EmbedderKind.HASH]),
        meaning="What finds by meaning.",
        default=EmbedderKind.STATIC.value,
    ),
    Setting(
        name=f"{EMBEDDING_TABLE}.model",
        kind=TEXT,
        meaning="The model, as the server on this machine names it.",
        default="",
    ),
    Setting(
        name=f"{EMBEDDING_TABLE}.endpoint",
        kind=ENDPOINT,
        meaning="Where that server is, on this machine.",
        default="",
    ),
    Setting(
        name=f"{EMBEDDING_TABLE}.query_prefix",
        kind=TEXT,
        meaning="What goes before a question; auto is what the model's family needs.",
        default=AUTOMATIC,
    ),
    Setting(
        name=f"{EMBEDDING_TABLE}.document_prefix",
        kind=TEXT,
        meaning="What goes before a text; auto is what the model's family needs.",
        default=AUTOMATIC,
    ),
)
RANKING = (
    Setting(
        name=f"{RANKING_TABLE}.recency",
        kind=number(0, 10),
        meaning="How much newer messages come before older ones.",
        default=RankingChoice().recency,
    ),
    Setting(
        name=f"{RANKING_TABLE}.half_life_days",
        kind=number(1, 36_500),
        meaning="After how many days that counts half.",
        default=RankingChoice().half_life_days,
    ),
    Setting(
        name=f"{RANKING_TABLE}.tools",
        kind=number(-10, 10),
        meaning="What it counts that a tool wrote a message; below zero, others first.",
        default=RankingChoice().tools,
    ),
)
_REDACT = Setting(
    name=f"{REDACT_TABLE}.{_RULE}",
    kind=PATTERN,
    meaning="What is a secret too, and never stored: [REDACTED:<rule>] stands for it.",
    default="",
)
_OF_A_TABLE = (_PATHS, _REDACT)

SETTINGS = (
    *(HOME, SYNC_BEFORE_SEARCH, _PATHS),
    *(*NEVER_INDEX, *EMBEDDING, *RANKING),
    _REDACT,
)


def for_source(source: str) -> Setting:
    """Return the setting of one source's further places."""
    return replace(_PATHS, name=_PATHS.name.replace(_SOURCE, source))


def for_rule(rule: str) -> Setting:
    """Return the setting of one rule of the person's own."""
    return replace(_REDACT, name=_REDACT.name.replace(_RULE, rule))


def setting_named(
    name: str, *, sources: Sequence[str] | None = None, where: Path | None = None
) -> Setting:
    """Return the setting of that name.

    Args:
        sources: The sources there are; without them any possible name is one.
        where: The file the name was found in, for the error.

    Raises:
        SettingError: There is no such setting, or it would change a rule of quoth's.
        UnknownSourceError: It is for a source there isn't.
    """
    for setting in SETTINGS:
        if setting.name == name and setting not in _OF_A_TABLE:
            return setting
    table, _, key = name.partition(".")
    if table not in (PATHS_TABLE, REDACT_TABLE) or not _KEY.fullmatch(key):
        raise _unknown(name, where=where)
    if table == REDACT_TABLE:
        return _own_rule(key)
    if sources is not None and key not in sources:
        raise UnknownSourceError(key, known=sources)
    return for_source(key)


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


def _own_rule(name: str) -> Setting:
    # Imported here: most people have no patterns of their own.
    from quoth.redaction import is_rule_name

    if not is_rule_name(name):
        raise SettingError(
            f"{name} is a rule of quoth's own, which no setting can change.",
            hint="Give the pattern another name: it is used besides.",
        )
    return for_rule(name)


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
    return f"Did you mean {_meant(heads[close[0]], close[0], rest)}? {known}"


def _meant(setting: Setting, table: str, rest: str) -> str:
    if setting in _OF_A_TABLE:
        return f"{table}.{rest}" if _KEY.fullmatch(rest) else setting.name
    if table in (NEVER_INDEX_TABLE, EMBEDDING_TABLE):
        from difflib import get_close_matches

        names = [each.name for each in SETTINGS if each.name.startswith(f"{table}.")]
        return get_close_matches(f"{table}.{rest}", names, n=1, cutoff=0)[0]
    return setting.name


_USUAL = re.compile(r"[A-Za-z0-9_.<>-]{1,64}")
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
