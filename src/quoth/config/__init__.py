"""The settings: what can be chosen, where that is read, and how it is changed."""

from __future__ import annotations

from ._change import set_embedder, set_setting, unset_setting
from ._file import CONFIG_FILE
from ._kinds import Value
from ._load import (
    Chosen,
    Origin,
    Settings,
    chosen_settings,
    home_of,
    load_settings,
)
from ._table import NEVER_INDEX, SETTINGS, Setting, setting_named

__all__ = [
    "CONFIG_FILE",
    "NEVER_INDEX",
    "SETTINGS",
    "Chosen",
    "Origin",
    "Setting",
    "Settings",
    "Value",
    "chosen_settings",
    "home_of",
    "load_settings",
    "set_embedder",
    "set_setting",
    "setting_named",
    "unset_setting",
]
