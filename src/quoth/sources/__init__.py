"""Adapters: one module per assistant, each turning its files into conversations."""

from ._files import OutOfTimeError, check_time, looking_until
from ._protocol import Source
from ._registry import BUILTIN_SOURCES, Installed, installed, installed_sources

__all__ = [
    "BUILTIN_SOURCES",
    "Installed",
    "OutOfTimeError",
    "Source",
    "check_time",
    "installed",
    "installed_sources",
    "looking_until",
]
