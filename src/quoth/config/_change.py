"""Changing one setting in the file, and nothing else that stands in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from quoth.errors import SettingError
from quoth.model import EmbedderChoice

from ._file import CONFIG_FILE, parsed, text_of
from ._kinds import Value
from ._private import locked, make_private, replace
from ._table import AUTOMATIC, EMBEDDING, Setting, checked

__all__ = ["set_embedder", "set_setting", "unset_setting"]

Table = MutableMapping[str, Any]
"""The file's table, as tomlkit has it with all comments, or as plain values."""


def set_setting(
    home: Path, setting: Setting, words: Sequence[str], *, home_dir: Path
) -> Value:
    """Write a setting into the file in *home*, which is made where it is missing.

    What else stands there stays as it is, with its comments and in its order.

    Raises:
        SettingError: The setting can't have this value, or the file can't be changed.
    """
    written = _written(setting, words)
    value = checked(setting, written, home_dir=home_dir)
    path = home / CONFIG_FILE

    def put(table: Table) -> bool:
        _put(table, setting.name, written, path=path)
        return True

    make_private(home, marked_by=_DATABASE)
    _change(path, put)
    return value


def set_embedder(home: Path, choice: EmbedderChoice, *, home_dir: Path) -> None:
    """Write all settings of an embedder at once; one that is as by default goes out.

    Raises:
        SettingError: One can't have its value, or the file can't be changed.
    """
    path = home / CONFIG_FILE
    wanted = {
        setting: _embedder_value(choice, setting.name.rpartition(".")[2])
        for setting in EMBEDDING
    }
    for setting, value in wanted.items():
        if value != setting.default:
            checked(setting, value, home_dir=home_dir)

    def put(table: Table) -> bool:
        for setting, value in wanted.items():
            if value == setting.default:
                _drop(table, setting.name)
            else:
                _put(table, setting.name, value, path=path)
        return True

    make_private(home, marked_by=_DATABASE)
    _change(path, put)


def _embedder_value(choice: EmbedderChoice, name: str) -> str:
    """Return what stands in the file for one part of a choice."""
    if name == "embedder":
        return choice.kind.value
    value: str | None = getattr(choice, name)
    return AUTOMATIC if value is None else value


def unset_setting(home: Path, name: str) -> bool:
    """Take a setting out of the file, and say whether it stood there.

    It need not be one that quoth knows: what an error complains of must go too.

    Raises:
        SettingError: The file can't be changed.
    """
    path = home / CONFIG_FILE
    return os.path.lexists(path) and _change(path, lambda table: _drop(table, name))


def _written(setting: Setting, words: Sequence[str]) -> object:
    if setting.kind is None:
        return None  # checking it says why it can't be set
    try:
        return setting.kind.from_words(words)
    except ValueError as error:
        raise SettingError(f"{setting.name} {error}.") from error


def _change(path: Path, edit: Callable[[Table], bool]) -> bool:
    """Do *edit* to the file, and say whether it found anything to do."""
    with locked(path.parent) as folder:
        text = text_of(path)
        wanted = parsed(text, path)
        if not edit(wanted):
            return False
        changed = _edited(text, edit)
        if changed is None or _said(parsed(changed, path)) != _said(wanted):
            raise SettingError(
                f"{path} is written in a way that cannot be changed from here.",
                hint="Change it by hand; it was left as it is.",
            )
        replace(path, changed.encode("utf-8"), folder=folder)
    return True


def _edited(text: str, edit: Callable[[Table], bool]) -> str | None:
    """Return *text* after *edit*, or None where only `tomllib` understands it."""
    # Imported here: who only reads settings doesn't wait 25 ms for it.
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        edit(document)
        return tomlkit.dumps(document)
    except (TOMLKitError, RecursionError):
        return None


def _put(table: Table, name: str, written: object, *, path: Path) -> None:
    head, _, key = name.rpartition(".")
    if head and head not in table:
        table[head] = {}
    inner = table[head] if head else table
    if not isinstance(inner, MutableMapping):
        raise SettingError(f"{head} in {path} must be a table.")
    inner[key] = written


def _drop(table: Table, name: str) -> bool:
    head, _, key = name.rpartition(".")
    # Whole first: a key may have been written with the dot in it.
    for inner, wanted in ((table, name), (table.get(head), key)):
        if isinstance(inner, MutableMapping) and wanted in inner:
            del inner[wanted]
            return True
    return False


def _said(table: Mapping[str, object]) -> dict[str, object]:
    """Return what a table says: an empty one in it is the same as none."""
    return {key: value for key, value in table.items() if value != {}}


_DATABASE = "quoth.db"
